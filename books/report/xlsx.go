//nolint:misspell // The names of the spreadsheet library are American.
package report

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// workbook is a spreadsheet that is being written: a sheet of the rows, which begin in its
// first line so that programs find them, one with the chart, and one that says what they
// are.
type workbook struct {
	*excelize.File
	table  *Table
	styles styles
}

// styles are how cells look.
type styles struct {
	head, headNumber, title, name, note                                        int
	text, count, amount, share, totalText, totalCount, totalAmount, totalShare int
}

func (t *Table) writeXLSX(w io.Writer) (err error) {
	book := &workbook{File: excelize.NewFile(), table: t}
	defer func() { err = errors.Join(err, book.Close()) }()
	if err := book.SetSheetName("Sheet1", rowSheet); err != nil {
		return err
	}
	for _, step := range []func() error{book.makeStyles, book.fill, book.look, book.chart, book.describe} {
		if err := step(); err != nil {
			return err
		}
	}
	book.SetActiveSheet(0)
	var made bytes.Buffer
	if err := book.Write(&made); err != nil {
		return err
	}
	return inOrder(w, made.Bytes())
}

// types is the part of a workbook that lists what the others are.
const types = "[Content_Types].xml"

// defaults are the lines of that list by the ends of names, which the library writes in any order.
var defaults = regexp.MustCompile(`(?:<Default [^>]*></Default>)+`)

// inOrder writes the parts of a workbook by their names, the list of types first, as programs expect it. A file that is
// made twice is then equal to the byte.
func inOrder(w io.Writer, made []byte) error {
	parts, err := zip.NewReader(bytes.NewReader(made), int64(len(made)))
	if err != nil {
		return err
	}
	slices.SortFunc(parts.File, func(a, b *zip.File) int {
		switch types {
		case a.Name:
			return -1
		case b.Name:
			return 1
		}
		return cmp.Compare(a.Name, b.Name)
	})
	out := zip.NewWriter(w)
	for _, part := range parts.File {
		if err := copyPart(out, part); err != nil {
			return err
		}
	}
	return out.Close()
}

func copyPart(out *zip.Writer, part *zip.File) error {
	from, err := part.Open()
	if err != nil {
		return err
	}
	data, err := io.ReadAll(from)
	if err := errors.Join(err, from.Close()); err != nil {
		return err
	}
	if part.Name == types {
		data = defaults.ReplaceAllFunc(data, func(lines []byte) []byte {
			list := bytes.SplitAfter(lines, []byte("</Default>"))
			slices.SortFunc(list, bytes.Compare)
			return bytes.Join(list, nil)
		})
	}
	to, err := out.CreateHeader(&zip.FileHeader{Name: part.Name, Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = to.Write(data)
	return err
}

// The sheets of a workbook.
const rowSheet, chartSheet, aboutSheet = "Report", "Chart", "About"

// typeface and typeSize are said in every style: a program takes a face of its own for a
// style that has none, and the columns of a sheet would differ.
const (
	typeface = "Calibri"
	typeSize = 11.0
)

func (b *workbook) makeStyles() (err error) {
	const counts, amounts, shares = "#,##0", "#,##0.00;[Red]-#,##0.00", "0.00%"
	style := func(format string, total bool) *excelize.Style {
		s := &excelize.Style{Font: &excelize.Font{Bold: total, Family: typeface, Size: typeSize}}
		if format != "" {
			s.CustomNumFmt, s.Alignment = &format, &excelize.Alignment{Horizontal: "right"} // A dash for no number, too.
		}
		if total {
			s.Border = []excelize.Border{{Type: "top", Color: inkHex, Style: 1}}
		}
		return s
	}
	head := func(side string, indent int) *excelize.Style {
		return &excelize.Style{
			Font:      &excelize.Font{Bold: true, Color: "FFFFFF", Family: typeface, Size: typeSize},
			Fill:      excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{inkHex}},
			Alignment: &excelize.Alignment{Horizontal: side, Vertical: "center", WrapText: true, Indent: indent},
		}
	}
	name, note, text, totalText := style("", false), style("", false), style("", false), style("", true)
	text.Alignment = &excelize.Alignment{Horizontal: "left", Indent: 1} // A number may end where it begins.
	totalText.Alignment = text.Alignment
	name.Font.Bold, name.Alignment = true, &excelize.Alignment{Vertical: "top"}
	note.Alignment = &excelize.Alignment{Vertical: "top", WrapText: true}
	s := &b.styles
	for _, c := range []struct {
		to    *int
		style *excelize.Style
	}{
		{&s.head, head("left", 1)}, {&s.headNumber, head("right", 0)}, {&s.text, text}, {&s.name, name},
		{&s.note, note},
		{&s.title, &excelize.Style{Font: &excelize.Font{Bold: true, Size: 16, Color: inkHex, Family: typeface}}},
		{&s.count, style(counts, false)}, {&s.amount, style(amounts, false)}, {&s.share, style(shares, false)},
		{&s.totalText, totalText}, {&s.totalCount, style(counts, true)}, {&s.totalAmount, style(amounts, true)},
		{&s.totalShare, style(shares, true)},
	} {
		if *c.to, err = b.NewStyle(c.style); err != nil {
			return err
		}
	}
	return nil
}

// styleOf returns the style of a cell.
func (s *styles) styleOf(c Column, total bool) int {
	switch {
	case c.Kind == Count && total:
		return s.totalCount
	case c.Kind == Count:
		return s.count
	case c.Kind == Amount && total:
		return s.totalAmount
	case c.Kind == Amount:
		return s.amount
	case c.Kind == Share && total:
		return s.totalShare
	case c.Kind == Share:
		return s.share
	case total:
		return s.totalText
	}
	return s.text
}

func (b *workbook) fill() error {
	for i, c := range b.table.Columns {
		if err := b.setHead(name(i+1, 1), c); err != nil {
			return err
		}
		width := utf8.RuneCountInString(c.Name)
		for k, row := range b.table.rows() {
			width = max(width, utf8.RuneCountInString(c.String(row[i])))
			if err := b.setCell(name(i+1, k+2), c, row[i], k >= len(b.table.Rows)); err != nil {
				return err
			}
		}
		column, _ := excelize.ColumnNumberToName(i + 1)
		if err := b.SetColWidth(rowSheet, column, column, float64(min(width, widest)+4)); err != nil {
			return err
		}
	}
	return nil
}

// setHead names a column, over its numbers on the side on which they stand.
func (b *workbook) setHead(at string, c Column) error {
	style := b.styles.headNumber
	if c.Kind == Text {
		style = b.styles.head
	}
	if err := b.SetCellStyle(rowSheet, at, at, style); err != nil {
		return err
	}
	if c.Means != "" {
		if err := b.AddComment(rowSheet, excelize.Comment{Cell: at, Author: "drawhouse", Width: 320, Height: 90,
			Paragraph: []excelize.RichTextRun{{Text: c.Definition()}}}); err != nil {
			return err
		}
	}
	return b.SetCellStr(rowSheet, at, c.Name)
}

// widest is how many characters a column is wide at most.
const widest = 48

// setCell writes a value as a number that spreadsheets can add up. Hundredths of an
// amount are exact there up to many trillions.
func (b *workbook) setCell(at string, c Column, cell Cell, total bool) error {
	if err := b.SetCellStyle(rowSheet, at, at, b.styles.styleOf(c, total)); err != nil {
		return err
	}
	if c.Kind == Text || cell.Text != "" {
		return b.SetCellStr(rowSheet, at, cell.Text)
	}
	value := c.Plain(cell)
	if c.Kind == Share {
		value = tenThousandths(cell.Number)
	}
	return b.SetCellDefault(rowSheet, at, value)
}

// tenThousandths writes a part of one, such as 0.7511 for 75.11 percent.
func tenThousandths(n int64) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%04d", sign, n/10_000, n%10_000)
}

// look freezes the head, lets the rows be filtered, and prints the head on every page. What
// only looks like a number, such as that of a venue, is not marked as a mistake.
func (b *workbook) look() error {
	if err := b.SetPanes(rowSheet,
		&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	if rows := len(b.table.Rows); rows > 0 {
		all := "A1:" + name(len(b.table.Columns), rows+1)
		if err := b.AutoFilter(rowSheet, all, nil); err != nil {
			return err
		}
		if err := b.AddIgnoredErrors(rowSheet, all, excelize.IgnoredErrorsNumberStoredAsText); err != nil {
			return err
		}
	}
	if err := b.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Titles", RefersTo: rowSheet + "!$1:$1",
		Scope: rowSheet}); err != nil {
		return err
	}
	return b.paginate(rowSheet)
}

// paginate prints a sheet on A4 pages that are as wide as it is, each with its number.
func (b *workbook) paginate(sheet string) error {
	const a4 = 9
	size, landscape, wide, tall, fits := a4, "landscape", 1, 0, true
	if err := b.SetSheetProps(sheet, &excelize.SheetPropsOptions{FitToPage: &fits}); err != nil {
		return err
	}
	if err := b.SetPageLayout(sheet,
		&excelize.PageLayoutOptions{Size: &size, Orientation: &landscape, FitToWidth: &wide,
			FitToHeight: &tall}); err != nil {
		return err
	}
	side, below := 0.5, 0.75 // inches
	if err := b.SetPageMargins(sheet,
		&excelize.PageLayoutMarginsOptions{Left: &side, Right: &side, Top: &side, Bottom: &below}); err != nil {
		return err
	}
	foot := b.table.Period
	if !strings.HasPrefix(foot, b.table.Title) {
		foot = b.table.Title + ", " + foot
	}
	foot = strings.ReplaceAll(foot, "&", "&&") // A single one begins a code.
	return b.SetHeaderFooter(sheet, &excelize.HeaderFooterOptions{OddFooter: "&L" + foot + "&RPage &P of &N"})
}

// describe writes what must be known to read the rows.
func (b *workbook) describe() error {
	if _, err := b.NewSheet(aboutSheet); err != nil {
		return err
	}
	t := b.table
	lines := [][2]string{{t.Title, ""}, {"Days", t.Period}}
	for _, about := range [][2]string{{"House", t.House}, {"Up to", t.UpTo.String()}} {
		if about[1] != "" {
			lines = append(lines, about)
		}
	}
	for _, f := range t.Figures {
		lines = append(lines, [2]string{f.Name, f.Value})
	}
	for _, note := range t.Notes {
		lines = append(lines, [2]string{"Note", note})
	}
	for _, c := range t.legend() {
		lines = append(lines, [2]string{"Column " + c.Name, c.Definition()})
	}
	for i, line := range lines {
		for k, value := range line {
			if err := b.SetCellStr(aboutSheet, name(k+1, i+1), value); err != nil {
				return err
			}
		}
	}
	return b.lookAbout(lines)
}

// lookAbout sets names apart from what they name, and lets long notes go on in their cell,
// which not every program makes high enough by itself.
func (b *workbook) lookAbout(lines [][2]string) error {
	const wide, high = 100, 15.0 // characters of a note beside its name, and points of a line
	for i, line := range lines {
		if more := utf8.RuneCountInString(line[1]) / (wide - 10); more > 0 {
			if err := b.SetRowHeight(aboutSheet, i+1, high*float64(more+1)); err != nil {
				return err
			}
		}
	}
	for _, c := range []struct {
		column string
		width  float64
		style  int
	}{{"A", 26, b.styles.name}, {"B", wide, b.styles.note}} {
		if err := b.SetColWidth(aboutSheet, c.column, c.column, c.width); err != nil {
			return err
		}
		if err := b.SetCellStyle(aboutSheet, c.column+"1", fmt.Sprint(c.column, len(lines)), c.style); err != nil {
			return err
		}
	}
	if err := b.SetCellStyle(aboutSheet, "A1", "A1", b.styles.title); err != nil {
		return err
	}
	return b.paginate(aboutSheet)
}

func name(column, row int) string {
	at, _ := excelize.CoordinatesToCellName(column, row)
	return at
}
