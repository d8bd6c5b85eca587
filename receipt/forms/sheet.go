// Package forms prints what a venue lays out: the prizes of a rulebook with the odds
// beside them, and the forms on which players enter. Both are made from the rulebook's
// data, every table with its clause, so that a change of the data is a change of the
// paper.
//
// [Schedule] follows casino-keno-div2 4.3 and vic-keno-2015 20, which want prizes and
// limits on view; the odds are those of package odds. [Entry] offers what the rulebook
// sells: a stake or a number of games is on the form only if package keno would sell
// it. The tests read the pages back and find every prize of every table
// (TestScheduleHasEveryPrize), and every box of a form is sold (TestBoxesAreSold).
package forms

import (
	"fmt"
	"io"
	"slices"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"drawhouse/receipt"
	"drawhouse/rulebook"
)

// The measures of a page, in millimetres.
const (
	pageWidth, pageHeight = 210.0, 297.0
	margin                = 14.0
	inner                 = pageWidth - 2*margin
	bottom                = pageHeight - 18 // of what is not the foot
)

// grey is a shade, 0 for black.
type grey int

const (
	ink   grey = 20
	quiet grey = 95
	rule  grey = 170
	shade grey = 242
)

// sheet is a document that is being drawn, at a height.
type sheet struct {
	*fpdf.Fpdf
	latin    func(string) string
	replaced []rune // characters that the font does not have
	y        float64
}

// newSheet begins a document. The date is given, so that the same rulebook makes the
// same file.
func newSheet(book *rulebook.Book, title string, created time.Time) *sheet {
	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.SetCreationDate(created)
	pdf.SetModificationDate(created)
	pdf.SetCatalogSort(true)
	pdf.SetProducer("drawhouse", false)
	pdf.SetTitle(fmt.Sprintf("%s: %s", title, book.Title()), true)
	pdf.SetLang("en-AU")
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetMargins(margin, margin, margin)
	pdf.SetCellMargin(0)
	pdf.AliasNbPages("")
	latin := pdf.UnicodeTranslatorFromDescriptor("")
	// The translator writes a point for what the font does not have.
	has := func(r rune) bool { return r == '.' || latin(string(r)) != "." }
	style := book.Money().On(has)
	s := &sheet{Fpdf: pdf}
	s.latin = func(text string) string {
		written, replaced := receipt.Spell(style.In(text), has)
		s.replaced = append(s.replaced, replaced...)
		return latin(written)
	}
	foot := fmt.Sprintf("%s, edition %d, %.16s", book.ID(), book.Edition(), book.Hash().String())
	pdf.SetFooterFunc(func() {
		s.font("", 8, quiet)
		pdf.SetXY(margin, pageHeight-12)
		pdf.CellFormat(inner/2, 5, s.latin(foot), "", 0, "L", false, 0, "")
		pdf.CellFormat(inner/2, 5, fmt.Sprintf("Page %d of {nb}", pdf.PageNo()), "", 0, "R", false, 0, "")
	})
	return s
}

// write ends the document, and returns the characters that were written otherwise because the font does not have
// them, each once.
func (s *sheet) write(w io.Writer) (replaced string, err error) {
	if err := s.Output(w); err != nil {
		return "", fmt.Errorf("forms: write the document: %w", err)
	}
	slices.Sort(s.replaced)
	return string(slices.Compact(s.replaced)), nil
}

// font chooses the letters.
func (s *sheet) font(weight string, size float64, g grey) {
	s.SetFont("Helvetica", weight, size)
	s.SetTextColor(int(g), int(g), int(g))
}

// page begins a page with its title.
func (s *sheet) page(title, subtitle string) {
	s.AddPage()
	s.font("B", 19, ink)
	s.SetXY(margin, margin)
	s.CellFormat(inner, 9, s.latin(title), "", 0, "L", false, 0, "")
	s.y = margin + 9
	s.paragraph(9.5, quiet, subtitle)
	s.SetDrawColor(int(ink), int(ink), int(ink))
	s.SetLineWidth(0.5)
	s.Line(margin, s.y+1, pageWidth-margin, s.y+1)
	s.y += 4
}

// heading begins a part of a page, with its clause at the right.
func (s *sheet) heading(text, clause string) {
	s.font("B", 13, ink)
	s.SetXY(margin, s.y)
	s.CellFormat(inner*0.6, 7, s.latin(text), "", 0, "L", false, 0, "")
	s.font("", 8, quiet)
	s.CellFormat(inner*0.4, 7, s.latin(cite(clause)), "", 0, "RB", false, 0, "")
	s.y += 8.5
}

// cite writes a clause.
func cite(clause string) string {
	if clause == "" {
		return ""
	}
	return "Rule " + rulebook.Quoted(clause)
}

// paragraph writes a text over the whole width.
func (s *sheet) paragraph(size float64, g grey, text string) {
	if text == "" {
		return
	}
	s.font("", size, g)
	s.SetXY(margin, s.y)
	s.MultiCell(inner, size*0.46, s.latin(text), "", "L", false)
	s.y = s.GetY()
}

// cell writes a text into a box of a row.
func (s *sheet) cell(x, y, width, height float64, text, align string) {
	s.SetXY(x, y)
	s.CellFormat(width, height, s.latin(text), "", 0, align, false, 0, "")
}
