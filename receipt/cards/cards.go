// Package cards prints bingo cards as PDF: sheets with the cards of a series, in
// the colour of their game, with serial, bar code and cut marks (nsw-bingo-2019
// 2.2.2, 2.3.1, 2.3.2).
//
// A sheet is A4 or Letter, and has room for two columns of boxes. A card whose boxes fit into one
// column takes half of it, as six boxes of ninety-number bingo do: then the left cards are of
// one book and the right ones of the next, sheet by sheet in the order of games, so that a
// pile cut down the middle is two books. Boxes are as large as the form of the cards lets
// them be; columns with letters have them above.
//
// TestReadersReadCards renders sheets and has independent programs read the bar
// codes, the serials and every number back.
package cards

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"drawhouse/games/bingo"
	"drawhouse/receipt"
)

// The measures of a sheet, in millimetres.
const (
	trim              = 8.0 // from the edge of the sheet to that of the cards
	padding           = 3.0 // within a card
	cutLength, cutGap = 5.0, 1.0

	headText    = 7.0 // colour, game and serial
	headBars    = 10.0
	headHeight  = padding + headText + headBars + 3
	labelHeight = 4.0  // below a box: its serial again, for a box that was cut out
	goodCell    = 12.6 // the height of a cell for which a card takes one column of boxes

	leastCell   = 4.0
	pointsPerMM = 72 / 25.4

	moduleMost = 0.33 // of the bar code; smaller where the serial is long
)

// Paper is a size of sheets.
type Paper struct {
	Name          string // as PDF knows it
	width, height float64
}

// Papers returns the sizes on which cards are printed, the usual one first.
func Papers() []Paper {
	return []Paper{{"A4", 210, 297}, {"Letter", 215.9, 279.4}}
}

// halfWidth is the width of a column of boxes, and bodyHeight the height below the head of a card.
func (p Paper) halfWidth() float64  { return (p.width - 2*trim) / 2 }
func (p Paper) bodyHeight() float64 { return p.height - 2*trim - headHeight - padding }

// Write writes all cards of a table. The date of the document is given, so that the
// same cards make the same file. After each sheet it calls done, which may be nil.
func Write(w io.Writer, paper Paper, table *bingo.Table, created time.Time, done func()) error {
	series := table.Series()
	pdf := document(paper, fmt.Sprintf("Bingo cards, series %s, books %d to %d", series.ID, series.FirstBook,
		table.LastBook()), created)
	if err := Of(table).draw(pdf, paper, done); err != nil {
		return err
	}
	if err := pdf.Output(w); err != nil {
		return fmt.Errorf("cards: write the document: %w", err)
	}
	return nil
}

// Books are books of a table that are printed.
type Books struct {
	Table       *bingo.Table
	First, Last int
}

// Of returns all books of a table.
func Of(table *bingo.Table) Books {
	return Books{table, table.Series().FirstBook, table.LastBook()}
}

// WriteBooks writes some books, which may be of several tables, and returns how many
// sheets they take. They must be in their tables.
func WriteBooks(w io.Writer, paper Paper, created time.Time, list ...Books) (sheets int, err error) {
	pdf := document(paper, "Bingo cards", created)
	for _, books := range list {
		if err := books.draw(pdf, paper, func() { sheets++ }); err != nil {
			return 0, err
		}
	}
	if err := pdf.Output(w); err != nil {
		return 0, fmt.Errorf("cards: write the document: %w", err)
	}
	return sheets, nil
}

// document begins a document.
func document(paper Paper, title string, created time.Time) *fpdf.Fpdf {
	pdf := fpdf.New("P", "mm", paper.Name, "")
	pdf.SetCreationDate(created)
	pdf.SetModificationDate(created)
	pdf.SetCatalogSort(true)
	pdf.SetProducer("drawhouse", false)
	pdf.SetTitle(title, false)
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetMargins(0, 0, 0)
	return pdf
}

// perSheet returns how many books a sheet has cards of.
func (b Books) perSheet(paper Paper) int {
	if layoutOf(b.Table, paper).columns == 1 {
		return 2
	}
	return 1
}

// layout is how the boxes of a card are set on a sheet.
type layout struct {
	columns, rows int
	pitch         float64 // from box to box, downwards
	cellWidth     float64
	cellHeight    float64
	lettersHeight float64 // above the lines; 0 where columns have no letters
}

// layoutOf returns the layout of a table's cards: one column of boxes if they fit, or two.
func layoutOf(table *bingo.Table, paper Paper) layout {
	up, form := table.Series().Up, table.Form()
	l := layout{columns: 1, rows: up, cellWidth: (paper.halfWidth() - 2*padding) / float64(form.Columns())}
	lines := form.Lines()
	if form.Letters() != nil {
		lines++
	}
	if paper.bodyHeight()/float64(up) < labelHeight+goodCell*float64(lines) {
		l.columns, l.rows = 2, (up+1)/2
	}
	l.pitch = paper.bodyHeight() / float64(l.rows)
	l.cellHeight = min((l.pitch-labelHeight)/float64(lines), 2*l.cellWidth)
	if form.Letters() != nil {
		l.lettersHeight = l.cellHeight
	}
	return l
}

// draw adds the sheets of the books.
func (b Books) draw(pdf *fpdf.Fpdf, paper Paper, done func()) error {
	s := sheet{pdf: pdf, table: b.Table, series: b.Table.Series(), paper: paper, layout: layoutOf(b.Table, paper)}
	for book := b.First; book <= b.Last; book += b.perSheet(paper) {
		for game := range s.series.Colours {
			pdf.AddPage()
			for side := range min(b.perSheet(paper), b.Last-book+1) {
				if err := s.card(side, bingo.Serial{Series: s.series.ID, Book: book + side,
					Game: game + 1}); err != nil {
					return err
				}
			}
			if done != nil {
				done()
			}
		}
	}
	return nil
}

// Sheets returns how many sheets [Write] prints.
func Sheets(paper Paper, table *bingo.Table) int {
	books := Of(table)
	return (table.Books() + books.perSheet(paper) - 1) / books.perSheet(paper) * len(table.Series().Colours)
}

// sheet is the sheet that is being drawn.
type sheet struct {
	pdf    *fpdf.Fpdf
	table  *bingo.Table
	series bingo.Series
	paper  Paper
	layout layout
}

// card draws one card: in the left or the right half, or over both.
func (s *sheet) card(side int, serial bingo.Serial) error {
	boxes, err := s.table.Card(serial)
	if err != nil {
		return err
	}
	if s.layout.cellHeight < leastCell {
		return fmt.Errorf("cards: a sheet has no room for %d boxes", len(boxes))
	}
	left := trim + float64(side)*s.paper.halfWidth()
	width := s.paper.halfWidth() * float64(s.layout.columns)
	colour := s.series.Colours[serial.Game-1]
	s.pdf.SetFillColor(int(colour.Red), int(colour.Green), int(colour.Blue))
	s.pdf.Rect(left, trim, width, s.paper.height-2*trim, "F")
	s.cutMarks(left, width)
	if err := s.head(left, width, serial, colour); err != nil {
		return err
	}
	for i, box := range boxes {
		x := left + padding + s.paper.halfWidth()*float64(i/s.layout.rows)
		y := trim + headHeight + s.layout.pitch*float64(i%s.layout.rows)
		s.box(x, y, box, bingo.Spot{Serial: serial, Box: i + 1})
	}
	return nil
}

// cutMarks draws where to cut, outside of the card.
func (s *sheet) cutMarks(left, width float64) {
	s.pdf.SetDrawColor(0, 0, 0)
	s.pdf.SetLineWidth(0.15)
	for _, x := range []float64{left, left + width} {
		s.pdf.Line(x, trim-cutGap-cutLength, x, trim-cutGap)
		s.pdf.Line(x, s.paper.height-trim+cutGap, x, s.paper.height-trim+cutGap+cutLength)
	}
	for _, y := range []float64{trim, s.paper.height - trim} {
		if left == trim {
			s.pdf.Line(trim-cutGap-cutLength, y, trim-cutGap, y)
		}
		if left+width > s.paper.width-trim-1 {
			s.pdf.Line(s.paper.width-trim+cutGap, y, s.paper.width-trim+cutGap+cutLength, y)
		}
	}
}

// head draws what names the card: game and colour, the serial, and its bar code on
// white, since readers need the contrast.
func (s *sheet) head(left, width float64, serial bingo.Serial, colour bingo.Colour) error {
	bars, err := receipt.Code128(serial.String())
	if err != nil {
		return err
	}
	inner := width - 2*padding
	s.pdf.SetTextColor(0, 0, 0)
	s.pdf.SetXY(left+padding, trim+padding-1)
	s.pdf.SetFont("Helvetica", "B", 12)
	s.pdf.CellFormat(inner/2, headText, fmt.Sprintf("Game %d  %s", serial.Game, colour.Name), "", 0, "LM", false, 0, "")
	s.pdf.SetFont("Courier", "B", 12)
	s.pdf.CellFormat(inner/2, headText, serial.String(), "", 0, "RM", false, 0, "")

	modules := float64(bars.Modules() + 2*receipt.QuietModules)
	module := min(moduleMost, inner/modules)
	x, y := left+(width-module*modules)/2, trim+padding+headText
	s.pdf.SetFillColor(255, 255, 255)
	s.pdf.Rect(x, y, module*modules, headBars, "F")
	s.pdf.SetFillColor(0, 0, 0)
	for at, wide := range bars.All() {
		s.pdf.Rect(x+module*float64(receipt.QuietModules+at), y+1, module*float64(wide), headBars-2, "F")
	}
	return nil
}

// box draws a box: white cells with numbers, blanks in the colour of the card. A free square
// says so.
func (s *sheet) box(x, y float64, box bingo.Box, spot bingo.Spot) {
	form, cellWidth, cellHeight := s.table.Form(), s.layout.cellWidth, s.layout.cellHeight
	width, size := cellWidth*float64(form.Columns()), min(20, cellHeight*pointsPerMM*0.8)
	s.pdf.SetDrawColor(60, 60, 60)
	s.pdf.SetLineWidth(0.2)
	s.pdf.SetFillColor(255, 255, 255)
	s.pdf.SetFont("Helvetica", "B", size)
	for column, letter := range form.Letters() {
		s.pdf.SetXY(x+cellWidth*float64(column), y)
		s.pdf.CellFormat(cellWidth, s.layout.lettersHeight, letter, "1", 0, "CM", false, 0, "")
	}
	y += s.layout.lettersHeight
	for line, cells := range box.Lines() {
		for column, n := range cells {
			s.pdf.SetXY(x+cellWidth*float64(column), y+cellHeight*float64(line))
			text := ""
			if n != 0 {
				text = strconv.Itoa(int(n))
			}
			if form.IsFree(line, column) {
				text = "FREE"
				s.pdf.SetFont("Helvetica", "B", min(size/2, cellWidth*pointsPerMM/4))
			}
			s.pdf.CellFormat(cellWidth, cellHeight, text, "1", 0, "CM", n != 0, 0, "")
			s.pdf.SetFont("Helvetica", "B", size)
		}
	}
	height := cellHeight * float64(form.Lines())
	s.pdf.SetLineWidth(0.6)
	s.pdf.Rect(x, y, width, height, "D")
	s.pdf.SetXY(x, y+height+0.4)
	s.pdf.SetFont("Helvetica", "", 7)
	s.pdf.CellFormat(width, labelHeight-1, spot.String(), "", 0, "RM", false, 0, "")
}
