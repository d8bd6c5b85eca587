package report

import (
	"fmt"
	"io"

	"codeberg.org/go-pdf/fpdf"
)

// The measures of a page, in millimetres: A4, lying.
const (
	pageWidth, pageHeight = 297.0, 210.0
	margin                = 12.0
	lineHeight            = 5.2
	fontSize              = 8.5
	chartHeight           = 62.0
)

// sheet is a report that is being written.
type sheet struct {
	*fpdf.Fpdf
	table  *Table
	widths []float64
	ascii  func(string) string
}

// writePDF writes the table over as many pages as it takes, the head of the columns
// on each, and a chart before it if there is one.
func (t *Table) writePDF(w io.Writer) error {
	pdf := fpdf.New("L", "mm", "A4", "")
	pdf.SetTitle(t.Title, true)
	pdf.SetProducer("drawhouse", false)
	pdf.SetCatalogSort(true)
	pdf.SetMargins(margin, margin, margin)
	pdf.SetAutoPageBreak(false, margin)
	pdf.AliasNbPages("{all}")
	s := &sheet{Fpdf: pdf, table: t, ascii: pdf.UnicodeTranslatorFromDescriptor("")}
	pdf.SetFooterFunc(func() {
		pdf.SetXY(margin, pageHeight-margin)
		pdf.SetFont("Helvetica", "", 7)
		pdf.CellFormat(0, 4, fmt.Sprintf("%s, page %d of {all}", s.ascii(t.Title), pdf.PageNo()), "", 0, "R", false, 0, "")
	})
	s.measure()
	pdf.AddPage()
	s.title()
	if t.Chart != nil && len(t.Rows) > 1 {
		s.chart()
	}
	s.head()
	for _, row := range t.Rows {
		s.row(row, "")
	}
	if t.Total != nil {
		s.row(t.Total, "B")
	}
	return pdf.Output(w)
}

// measure gives each column the width that its longest value needs, and narrows all
// if they do not fit.
func (s *sheet) measure() {
	s.SetFont("Helvetica", "B", fontSize)
	sum := 0.0
	for i, c := range s.table.Columns {
		width := s.GetStringWidth(s.ascii(c.Name))
		for _, row := range s.table.rows() {
			width = max(width, s.GetStringWidth(s.ascii(c.String(row[i]))))
		}
		s.widths = append(s.widths, width+3)
		sum += width + 3
	}
	if room := pageWidth - 2*margin; sum > room {
		for i := range s.widths {
			s.widths[i] *= room / sum
		}
	}
}

func (s *sheet) title() {
	s.SetFont("Helvetica", "B", 15)
	s.CellFormat(0, 9, s.ascii(s.table.Title), "", 1, "L", false, 0, "")
	s.SetFont("Helvetica", "", fontSize)
	for _, note := range s.table.Notes {
		s.MultiCell(0, 4.2, s.ascii(note), "", "L", false)
	}
	s.Ln(3)
}

func (s *sheet) head() {
	s.SetFont("Helvetica", "B", fontSize)
	for i, c := range s.table.Columns {
		s.CellFormat(s.widths[i], lineHeight, s.ascii(c.Name), "B", 0, align(c), false, 0, "")
	}
	s.Ln(lineHeight + 1)
}

func (s *sheet) row(row []Cell, style string) {
	if s.GetY() > pageHeight-margin-2*lineHeight {
		s.AddPage()
		s.head()
	}
	s.SetFont("Helvetica", style, fontSize)
	border := ""
	if style != "" {
		border = "T"
	}
	for i, c := range s.table.Columns {
		value := c.String(row[i])
		if row[i].Text != "" {
			value = row[i].Text
		}
		s.CellFormat(s.widths[i], lineHeight, s.fit(s.ascii(value), s.widths[i]), border, 0, align(c), false, 0, "")
	}
	s.Ln(lineHeight)
}

// fit cuts a text that is wider than its column. Figures are never cut: the columns
// were measured by them.
func (s *sheet) fit(value string, width float64) string {
	for len(value) > 1 && s.GetStringWidth(value) > width-1 {
		value = value[:len(value)-1]
	}
	return value
}

func align(c Column) string {
	if c.Kind == Text {
		return "L"
	}
	return "R"
}

// colours are safe for people who do not see all of them, and lines also have a
// pattern of their own.
var colours = [][3]int{{0, 90, 160}, {200, 90, 0}, {0, 130, 90}, {120, 60, 140}}

var dashes = [][]float64{{}, {3, 1.2}, {1, 1}, {5, 1, 1, 1}}

// chart draws a line for each column, from zero up, with the greatest amount named.
func (s *sheet) chart() {
	c := s.table.Chart
	most := int64(1)
	for _, row := range s.table.Rows {
		for _, column := range c.Columns {
			most = max(most, row[column].Number)
		}
	}
	left, top, width := margin+26.0, s.GetY()+2, pageWidth-2*margin-66
	bottom := top + chartHeight - 10
	s.SetFont("Helvetica", "", 7)
	s.SetDrawColor(170, 170, 170)
	for quarter := range int64(5) {
		y := bottom - (bottom-top)*float64(quarter)/4
		s.Line(left, y, left+width, y)
		s.SetXY(margin, y-2)
		s.CellFormat(24, 4, decimal(most*quarter/4), "", 0, "R", false, 0, "")
	}
	step := width / float64(max(1, len(s.table.Rows)-1))
	for n, column := range c.Columns {
		colour := colours[n%len(colours)]
		s.SetDrawColor(colour[0], colour[1], colour[2])
		s.SetTextColor(colour[0], colour[1], colour[2])
		s.SetDashPattern(dashes[n%len(dashes)], 0)
		s.SetLineWidth(0.5)
		at := func(i int) (float64, float64) {
			return left + step*float64(i), bottom - (bottom-top)*float64(s.table.Rows[i][column].Number)/float64(most)
		}
		for i := 1; i < len(s.table.Rows); i++ {
			x1, y1 := at(i - 1)
			x2, y2 := at(i)
			s.Line(x1, y1, x2, y2)
		}
		_, y := at(len(s.table.Rows) - 1)
		s.SetXY(left+width+2, y-2)
		s.CellFormat(30, 4, s.ascii(s.table.Columns[column].Name), "", 0, "L", false, 0, "")
	}
	s.SetDashPattern(nil, 0)
	s.SetLineWidth(0.2)
	s.SetDrawColor(0, 0, 0)
	s.SetTextColor(0, 0, 0)
	first, last := s.table.Rows[0][c.Label].Text, s.table.Rows[len(s.table.Rows)-1][c.Label].Text
	s.SetXY(left, bottom+1)
	s.CellFormat(width/2, 4, s.ascii(first), "", 0, "L", false, 0, "")
	s.CellFormat(width/2, 4, s.ascii(last), "", 0, "R", false, 0, "")
	s.SetXY(margin, top+chartHeight-2)
}
