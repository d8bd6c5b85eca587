package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
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

// Formats returns the forms of output.
func Formats() []Format { return []Format{Plain, CSV, XLSX, PDF} }

// MediaType returns how a form of output is named on the web.
func (f Format) MediaType() string {
	return map[Format]string{
		Plain: "text/plain; charset=utf-8", CSV: "text/csv; charset=utf-8", PDF: "application/pdf",
		XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	}[f]
}

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

// rows yields the rows with the totals.
func (t *Table) rows() [][]Cell {
	return append(t.Rows[:len(t.Rows):len(t.Rows)], t.sums()...)
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
	fmt.Fprintf(&b, "%s\n%s\n", t.Title, t.Period)
	if read := t.UpTo.String(); read != "" {
		fmt.Fprintf(&b, "Up to %s\n", read)
	}
	b.WriteString("\n")
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
	if t.Name != "" {
		fmt.Fprintf(&b, "\nWhat the columns mean: drawhouse report %s --definitions\n", t.Name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCSV writes the rows alone: a program that reads them wants no notes and no
// total. Texts are kept from being run by a spreadsheet that opens the file.
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
			cells[i] = c.Plain(row[i])
			if c.Kind == Text {
				cells[i] = Inert(cells[i])
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Inert returns a text that no spreadsheet takes for a formula. CSV does not tell texts
// from formulas, and people type some of the texts: one that begins like a formula gets
// an apostrophe, with which spreadsheets mark a text. A dash alone is no formula: reports
// have it where there is nothing to name. Columns of numbers need none, for nothing but
// digits, a sign and a point is ever in them.
func Inert(text string) string {
	if text != "" && text != "-" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
