//nolint:misspell // The names of the spreadsheet library are American.
package report

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// workbook is a spreadsheet that is being written: a sheet of the rows, which begin in its
// first line so that programs find them, and one that says what they are.
type workbook struct {
	*excelize.File
	table  *Table
	styles styles
}

// styles are how cells look.
type styles struct{ head, title, count, amount, share, totalText, totalCount, totalAmount, totalShare int }

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
	return book.Write(w)
}

// The sheets of a workbook.
const rowSheet, aboutSheet = "Report", "About"

func (b *workbook) makeStyles() (err error) {
	const counts, amounts, shares = "#,##0", "#,##0.00;[Red]-#,##0.00", "0.00%"
	style := func(format string, total bool) *excelize.Style {
		s := &excelize.Style{Font: &excelize.Font{Bold: total}}
		if format != "" {
			s.CustomNumFmt = &format
		}
		if total {
			s.Border = []excelize.Border{{Type: "top", Color: inkHex, Style: 1}}
		}
		return s
	}
	head := &excelize.Style{
		Font: &excelize.Font{Bold: true, Color: "FFFFFF"}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{inkHex}},
		Alignment: &excelize.Alignment{Vertical: "center", WrapText: true},
	}
	s := &b.styles
	for _, c := range []struct {
		to    *int
		style *excelize.Style
	}{
		{&s.head, head}, {&s.title, &excelize.Style{Font: &excelize.Font{Bold: true, Size: 16, Color: inkHex}}},
		{&s.count, style(counts, false)}, {&s.amount, style(amounts, false)}, {&s.share, style(shares, false)},
		{&s.totalText, style("", true)}, {&s.totalCount, style(counts, true)}, {&s.totalAmount, style(amounts, true)}, {&s.totalShare, style(shares, true)},
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
	return 0
}

func (b *workbook) fill() error {
	for i, c := range b.table.Columns {
		if err := b.SetCellStr(rowSheet, name(i+1, 1), c.Name); err != nil {
			return err
		}
		width := utf8.RuneCountInString(c.Name)
		for k, row := range b.table.rows() {
			width = max(width, utf8.RuneCountInString(c.String(row[i])))
			if err := b.setCell(name(i+1, k+2), c, row[i], k == len(b.table.Rows)); err != nil {
				return err
			}
		}
		column, _ := excelize.ColumnNumberToName(i + 1)
		if err := b.SetColWidth(rowSheet, column, column, float64(min(width, widest)+3)); err != nil {
			return err
		}
	}
	return b.SetCellStyle(rowSheet, name(1, 1), name(len(b.table.Columns), 1), b.styles.head)
}

// widest is how many characters a column is wide at most.
const widest = 48

// setCell writes a value as a number that spreadsheets can add up. Hundredths of an
// amount are exact there up to many trillions.
func (b *workbook) setCell(at string, c Column, cell Cell, total bool) error {
	if style := b.styles.styleOf(c, total); style != 0 {
		if err := b.SetCellStyle(rowSheet, at, at, style); err != nil {
			return err
		}
	}
	if c.Kind == Text || cell.Text != "" {
		return b.SetCellStr(rowSheet, at, cell.Text)
	}
	value := c.Plain(cell)
	if c.Kind == Share {
		value = fmt.Sprintf("%d.%04d", cell.Number/10_000, cell.Number%10_000)
	}
	return b.SetCellDefault(rowSheet, at, value)
}

// look freezes the head, lets the rows be filtered and the sheet be printed on pages that
// are as wide as it is.
func (b *workbook) look() error {
	if err := b.SetPanes(rowSheet, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	if rows := len(b.table.Rows); rows > 0 {
		if err := b.AutoFilter(rowSheet, "A1:"+name(len(b.table.Columns), rows+1), nil); err != nil {
			return err
		}
	}
	landscape, wide, tall, fits := "landscape", 1, 0, true
	if err := b.SetSheetProps(rowSheet, &excelize.SheetPropsOptions{FitToPage: &fits}); err != nil {
		return err
	}
	return b.SetPageLayout(rowSheet, &excelize.PageLayoutOptions{Orientation: &landscape, FitToWidth: &wide, FitToHeight: &tall})
}

// chart draws what the table draws, beside the rows.
func (b *workbook) chart() error {
	c, rows := b.table.Chart, len(b.table.Rows)
	if c == nil || rows < 2 {
		return nil
	}
	kind := excelize.Line
	if c.Bars {
		kind = excelize.Col
		rows = min(rows, mostBars)
	}
	chart := &excelize.Chart{
		Type: kind, Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: b.table.Title}}}, Legend: excelize.ChartLegend{Position: "bottom"},
		Dimension: excelize.ChartDimension{Width: 900, Height: 400},
	}
	for n, column := range c.Columns {
		fill := excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{hex(colours[n%len(colours)])}}
		chart.Series = append(chart.Series, excelize.ChartSeries{
			Name: reference(column, 1, 1), Categories: reference(c.Label, 2, rows+1), Values: reference(column, 2, rows+1),
			Line: excelize.LineOptions{Width: 2, Fill: fill}, Fill: fill, Marker: excelize.ChartMarker{Symbol: "none"},
		})
	}
	return b.AddChart(rowSheet, name(len(b.table.Columns)+2, 2), chart)
}

// reference names cells of a column.
func reference(column, first, last int) string {
	letters, _ := excelize.ColumnNumberToName(column + 1)
	if first == last {
		return fmt.Sprintf("%s!$%s$%d", rowSheet, letters, first)
	}
	return fmt.Sprintf("%s!$%s$%d:$%s$%d", rowSheet, letters, first, letters, last)
}

// describe writes what must be known to read the rows.
func (b *workbook) describe() error {
	if _, err := b.NewSheet(aboutSheet); err != nil {
		return err
	}
	t := b.table
	lines := [][2]string{{t.Title, ""}, {"Days", t.Period}}
	for _, about := range [][2]string{{"House", t.House}, {"Made", t.Made}} {
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
	for i, line := range lines {
		for k, value := range line {
			if err := b.SetCellStr(aboutSheet, name(k+1, i+1), value); err != nil {
				return err
			}
		}
	}
	if err := b.SetColWidth(aboutSheet, "A", "A", 26); err != nil {
		return err
	}
	return b.SetCellStyle(aboutSheet, "A1", "A1", b.styles.title)
}

func name(column, row int) string {
	at, _ := excelize.CoordinatesToCellName(column, row)
	return at
}
