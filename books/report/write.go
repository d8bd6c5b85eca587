package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// Format is a form of output.
type Format string

// The forms.
const (
	Plain Format = "text"
	CSV   Format = "csv"
	XLSX  Format = "xlsx"
	PDF   Format = "pdf"
)

// Write writes a table.
func (t *Table) Write(w io.Writer, format Format) error {
	switch format {
	case Plain:
		return t.writeText(w)
	case CSV:
		return t.writeCSV(w)
	case XLSX:
		return t.writeXLSX(w)
	case PDF:
		return t.writePDF(w)
	}
	return fmt.Errorf("report: there is no form %q", format)
}

// rows yields the rows with the total.
func (t *Table) rows() [][]Cell {
	if t.Total == nil {
		return t.Rows
	}
	return append(t.Rows[:len(t.Rows):len(t.Rows)], t.Total)
}

func (t *Table) writeText(w io.Writer) error {
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = utf8.RuneCountInString(c.Name)
		for _, row := range t.rows() {
			widths[i] = max(widths[i], utf8.RuneCountInString(c.String(row[i])))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", t.Title)
	line := func(cell func(i int) string) {
		for i, c := range t.Columns {
			if i > 0 {
				b.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell(i)))
			if c.Kind == Text {
				b.WriteString(cell(i) + pad)
			} else {
				b.WriteString(pad + cell(i))
			}
		}
		b.WriteString("\n")
	}
	line(func(i int) string { return t.Columns[i].Name })
	for _, row := range t.rows() {
		line(func(i int) string { return t.Columns[i].String(row[i]) })
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "\n%s", note)
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCSV writes the rows alone: a program that reads them wants no notes and no
// total.
func (t *Table) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	if err := out.Write(names); err != nil {
		return err
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, c := range t.Columns {
			cells[i] = strings.TrimSuffix(c.String(row[i]), "%")
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (t *Table) writeXLSX(w io.Writer) (err error) {
	f := excelize.NewFile()
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	sheet := t.Title
	if err := f.SetSheetName("Sheet1", sheet); err != nil {
		return err
	}
	styles, err := newStyles(f)
	if err != nil {
		return err
	}
	if err := t.fillSheet(f, sheet, styles); err != nil {
		return err
	}
	for i, note := range t.Notes {
		if err := f.SetCellStr(sheet, name(1, len(t.rows())+3+i), note); err != nil {
			return err
		}
	}
	panes := &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}
	if err := f.SetPanes(sheet, panes); err != nil {
		return err
	}
	return f.Write(w)
}

// styles are the number formats of a spreadsheet.
type styles struct{ head, count, amount, share int }

func newStyles(f *excelize.File) (s styles, err error) {
	format := func(text string) *excelize.Style { return &excelize.Style{CustomNumFmt: &text} }
	for _, c := range []struct {
		to    *int
		style *excelize.Style
	}{
		{&s.head, &excelize.Style{Font: &excelize.Font{Bold: true}}},
		{&s.count, format("#,##0")}, {&s.amount, format("#,##0.00;-#,##0.00")}, {&s.share, format("0.00%")},
	} {
		if *c.to, err = f.NewStyle(c.style); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (t *Table) fillSheet(f *excelize.File, sheet string, s styles) error {
	for i, c := range t.Columns {
		if err := f.SetCellStr(sheet, name(i+1, 1), c.Name); err != nil {
			return err
		}
		column, _ := excelize.ColumnNumberToName(i + 1)
		if err := f.SetColWidth(sheet, column, column, 16); err != nil {
			return err
		}
		for k, row := range t.rows() {
			if err := setCell(f, sheet, name(i+1, k+2), c, row[i], s); err != nil {
				return err
			}
		}
	}
	return f.SetCellStyle(sheet, name(1, 1), name(len(t.Columns), 1), s.head)
}

// setCell writes a value as a number that spreadsheets can add up. Hundredths of an
// amount are exact there up to many trillions.
func setCell(f *excelize.File, sheet, at string, c Column, cell Cell, s styles) error {
	if c.Kind == Text || cell.Text != "" {
		return f.SetCellStr(sheet, at, cell.Text)
	}
	style, value := s.count, c.String(cell)
	switch c.Kind {
	case Amount:
		style = s.amount
	case Share:
		style, value = s.share, fmt.Sprintf("%d.%04d", cell.Number/10_000, cell.Number%10_000)
	}
	if err := f.SetCellDefault(sheet, at, value); err != nil {
		return err
	}
	return f.SetCellStyle(sheet, at, at, style)
}

func name(column, row int) string {
	at, _ := excelize.CoordinatesToCellName(column, row)
	return at
}
