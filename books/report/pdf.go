package report

import (
	"fmt"
	"io"
	"strings"

	"codeberg.org/go-pdf/fpdf"
)

// The measures of a page, in millimetres: A4, lying.
const (
	pageWidth, pageHeight = 297.0, 210.0
	margin                = 14.0
	room                  = pageWidth - 2*margin
	lineHeight            = 5.4
	fontSize              = 8.5
	leastFont             = 5.5
	padding               = 3.2
)

// colour is red, green and blue.
type colour [3]int

// The colours of a page. Those of charts can be told apart by people who do not see all
// colours, and lines also have a pattern of their own.
var (
	ink     = colour{24, 43, 73}
	faint   = colour{112, 122, 138}
	rule    = colour{206, 212, 222}
	dim     = colour{178, 186, 198}
	stripe  = colour{245, 247, 250}
	colours = []colour{{0, 90, 160}, {214, 96, 0}, {0, 128, 96}, {126, 60, 142}, {120, 120, 20}}
	dashes  = [][]float64{{}, {3, 1.2}, {1, 1}, {5, 1, 1, 1}, {2, 2}}
)

// inkHex is the ink of spreadsheets.
var inkHex = hex(ink)

func hex(c colour) string { return fmt.Sprintf("%02X%02X%02X", c[0], c[1], c[2]) }

// sheet is a report that is being written.
type sheet struct {
	*fpdf.Fpdf
	table  *Table
	size   float64 // of the type in the table
	widths []float64
	ascii  func(string) string
}

// writePDF writes the table over as many pages as it takes, the head of the columns
// on each, and before it the figures that stand out and a chart if there is one.
func (t *Table) writePDF(w io.Writer) error {
	pdf := fpdf.New("L", "mm", "A4", "")
	pdf.SetCatalogSort(true)
	// A file that is made twice is equal to the byte: it is as old as the records that it tells of.
	pdf.SetCreationDate(t.UpTo.Time.Time())
	pdf.SetModificationDate(t.UpTo.Time.Time())
	pdf.SetTitle(t.Title, true)
	pdf.SetSubject(t.Period, true)
	pdf.SetProducer("drawhouse", false)
	pdf.SetCatalogSort(true)
	pdf.SetMargins(margin, margin, margin)
	pdf.SetAutoPageBreak(false, margin)
	pdf.AliasNbPages("{all}")
	s := &sheet{Fpdf: pdf, table: t, ascii: pdf.UnicodeTranslatorFromDescriptor("")}
	pdf.SetFooterFunc(s.footer)
	s.measure()
	pdf.AddPage()
	s.title()
	s.figures()
	if t.Chart != nil && len(t.Rows) > 1 {
		s.chart()
	}
	s.head()
	for i, row := range t.Rows {
		s.row(row, i%2 == 1, false)
	}
	for _, sum := range t.sums() {
		s.row(sum, false, true)
	}
	if len(t.Rows) == 0 {
		s.write(fontSize+1, "", faint)
		s.CellFormat(0, 12, "Nothing of the kind happened in this time.", "", 1, "L", false, 0, "")
	}
	s.notes()
	return pdf.Output(w)
}

// write sets type and colour.
func (s *sheet) write(size float64, style string, c colour) {
	s.SetFont("Helvetica", style, size)
	s.SetTextColor(c[0], c[1], c[2])
}

func (s *sheet) draw(c colour, width float64) {
	s.SetDrawColor(c[0], c[1], c[2])
	s.SetLineWidth(width)
}

// footer says on each page what it is a page of.
func (s *sheet) footer() {
	s.draw(rule, 0.2)
	s.Line(margin, pageHeight-margin+1, pageWidth-margin, pageHeight-margin+1)
	s.SetXY(margin, pageHeight-margin+2)
	s.write(7, "", faint)
	about := []string{s.table.Title, s.table.Period}
	if s.table.House != "" {
		about = append(about, s.table.House)
	}
	if read := s.table.UpTo.String(); read != "" {
		about = append(about, "up to "+read)
	}
	s.CellFormat(room/4*3, 4, s.ascii(strings.Join(about, "  -  ")), "", 0, "L", false, 0, "")
	s.CellFormat(room/4, 4, fmt.Sprintf("Page %d of {all}", s.PageNo()), "", 0, "R", false, 0, "")
}

// measure gives each column the width that its longest value needs, in the largest type
// in which all of them fit. Where the least type is still too wide, texts are cut, and
// figures never.
func (s *sheet) measure() {
	for s.size = fontSize; ; s.size -= 0.25 {
		sum := s.wants()
		if sum <= room {
			s.spread(room - sum)
			return
		}
		if s.size <= leastFont {
			s.narrow(sum - room)
			return
		}
	}
}

// wants sets the widths that the columns want, and returns their sum.
func (s *sheet) wants() (sum float64) {
	s.SetFont("Helvetica", "B", s.size)
	s.widths = s.widths[:0]
	for i, c := range s.table.Columns {
		width := s.GetStringWidth(s.ascii(c.Name))
		for _, row := range s.table.rows() {
			width = max(width, s.GetStringWidth(s.ascii(c.String(row[i]))))
		}
		s.widths = append(s.widths, width+padding)
		sum += width + padding
	}
	return sum
}

// spread gives what room is left to all columns, but no more than looks right.
func (s *sheet) spread(left float64) {
	each := min(left/float64(len(s.widths)), 14)
	for i := range s.widths {
		s.widths[i] += each
	}
}

// narrow takes what is missing from the columns of texts, the widest first.
func (s *sheet) narrow(missing float64) {
	for missing > 0 {
		widest := -1
		for i, c := range s.table.Columns {
			if c.Kind == Text && (widest < 0 || s.widths[i] > s.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 || s.widths[widest] < 12 {
			return
		}
		s.widths[widest]--
		missing--
	}
}

func (s *sheet) title() {
	if s.table.House != "" {
		s.write(8, "B", faint)
		s.CellFormat(0, 5, s.ascii(strings.ToUpper(s.table.House)), "", 1, "L", false, 0, "")
	}
	s.write(20, "B", ink)
	s.CellFormat(room/2, 10, s.ascii(s.table.Title), "", 0, "L", false, 0, "")
	s.write(10, "", faint)
	s.CellFormat(room/2, 10, s.ascii(s.table.Period), "", 1, "R", false, 0, "")
	s.draw(ink, 0.7)
	s.Line(margin, s.GetY()+1, pageWidth-margin, s.GetY()+1)
	s.Ln(5)
}

// figures sets the figures that stand out side by side.
func (s *sheet) figures() {
	const mostFigures = 8 // in a line
	list := s.table.Figures
	if len(list) == 0 {
		return
	}
	const height, gap = 17.0, 4.0
	lines := (len(list) + mostFigures - 1) / mostFigures
	abreast := (len(list) + lines - 1) / lines
	width, top := (room-gap*float64(abreast-1))/float64(abreast), s.GetY()
	for i, f := range list {
		if i > 0 && i%abreast == 0 {
			top += height + gap
		}
		left := margin + float64(i%abreast)*(width+gap)
		s.SetFillColor(stripe[0], stripe[1], stripe[2])
		s.Rect(left, top, width, height, "F")
		s.SetFillColor(ink[0], ink[1], ink[2])
		s.Rect(left, top, 1, height, "F")
		s.SetXY(left+3, top+2)
		s.write(7.5, "", faint)
		s.CellFormat(width-4, 4, s.ascii(f.Name), "", 0, "L", false, 0, "")
		s.SetXY(left+3, top+7)
		s.write(14, "B", ink)
		s.CellFormat(width-4, 8, s.ascii(f.Value), "", 0, "L", false, 0, "")
	}
	s.SetXY(margin, top+height+5)
}

func (s *sheet) head() {
	s.write(s.size, "B", faint)
	for i, c := range s.table.Columns {
		s.CellFormat(s.widths[i], lineHeight, s.ascii(c.Name), "", 0, align(c), false, 0, "")
	}
	s.Ln(lineHeight)
	s.draw(ink, 0.3)
	s.Line(margin, s.GetY(), margin+s.width(), s.GetY())
	s.Ln(0.8)
}

// width returns how wide the table is.
func (s *sheet) width() (sum float64) {
	for _, w := range s.widths {
		sum += w
	}
	return sum
}

func (s *sheet) row(row []Cell, striped, total bool) {
	if s.GetY() > pageHeight-margin-lineHeight-1 {
		s.AddPage()
		s.head()
	}
	style := ""
	if total {
		style = "B"
		s.draw(ink, 0.3)
		s.Line(margin, s.GetY()+0.3, margin+s.width(), s.GetY()+0.3)
		s.Ln(0.6)
	}
	s.SetFillColor(stripe[0], stripe[1], stripe[2])
	for i, c := range s.table.Columns {
		value, shade := c.String(row[i]), ink
		if c.Kind != Text && row[i].Text == "" && row[i].Number == 0 {
			shade = dim // What did not happen does not ask to be read.
		}
		s.write(s.size, style, shade)
		s.CellFormat(s.widths[i], lineHeight, s.fit(s.ascii(value), s.widths[i]), "", 0, align(c), striped, 0, "")
	}
	s.Ln(lineHeight)
}

// fit cuts a text that is wider than its column.
func (s *sheet) fit(value string, width float64) string {
	if s.GetStringWidth(value) <= width-2 {
		return value
	}
	for len(value) > 1 && s.GetStringWidth(value+"...") > width-2 {
		value = value[:len(value)-1]
	}
	return value + "..."
}

// notes says at the end what must be known to read the table.
func (s *sheet) notes() {
	if s.GetY() > pageHeight-margin-4-4.2*float64(len(s.table.Notes)+1) {
		s.AddPage()
	}
	s.Ln(4)
	s.write(7.5, "", faint)
	for _, note := range s.table.Notes {
		s.MultiCell(0, 4.2, s.ascii(note), "", "L", false)
	}
	s.legend()
}

// legend says at the end what each column means, its name before its definition.
func (s *sheet) legend() {
	const height, names = 3.8, 34.0
	s.Ln(3)
	for _, c := range s.table.legend() {
		s.write(7, "", faint)
		lines := s.SplitLines([]byte(s.ascii(c.Definition())), room-names)
		if s.GetY() > pageHeight-margin-height*float64(len(lines)+1) {
			s.AddPage()
		}
		s.write(7, "B", faint)
		s.CellFormat(names, height, s.ascii(c.Name), "", 0, "L", false, 0, "")
		s.write(7, "", faint)
		s.MultiCell(0, height, s.ascii(c.Definition()), "", "L", false)
	}
}

func align(c Column) string {
	if c.Kind == Text {
		return "L"
	}
	return "R"
}
