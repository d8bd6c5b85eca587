package receipt

import (
	"fmt"
	"io"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// PDF writes the slip as a document of one page, as wide as the roll and as long as
// the slip. The date of the document is given, so that the same slip makes the same
// file.
func (s *Slip) PDF(w io.Writer, p Paper, created time.Time) error {
	rows, err := s.set(p)
	if err != nil {
		return err
	}
	const edge = 4 * dotsPerMM // paper above and below
	height := 2 * edge
	for _, r := range rows {
		height += r.height
	}
	pdf := fpdf.NewCustom(&fpdf.InitType{UnitStr: "mm",
		Size: fpdf.SizeType{Wd: float64(p.millimetres), Ht: mm(height)}})
	pdf.SetCreationDate(created)
	pdf.SetModificationDate(created)
	pdf.SetCatalogSort(true)
	pdf.SetProducer("drawhouse", false)
	pdf.SetTitle(s.name, true)
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetMargins(0, 0, 0)
	pdf.AddPage()
	top := edge
	for _, r := range rows {
		pdfRow(pdf, p, r, top)
		top += r.height
	}
	if err := pdf.Output(w); err != nil {
		return fmt.Errorf("receipt: write the document: %w", err)
	}
	return nil
}

// mm returns dots as millimetres.
func mm(dots int) float64 { return float64(dots) / dotsPerMM }

// courierWidth is how wide a letter of Courier is, of its size; pointsPerMM turns one
// into the other.
const (
	courierWidth = 0.6
	pointsPerMM  = 72 / 25.4
)

// pdfRow draws a row. Letters that are twice as high and not as wide are stretched,
// as the printer's are.
func pdfRow(pdf *fpdf.Fpdf, p Paper, r row, top int) {
	switch {
	case r.mark != nil:
		left := p.margin() + (p.dots-r.mark.width)/2
		for _, b := range r.mark.boxes {
			pdf.Rect(mm(left+b.x), mm(top+r.mark.margin+b.y), mm(b.width), mm(b.height), "F")
		}
	case r.rule:
		pdf.Rect(mm(p.margin()), mm(top+(ruleHeight-ruleThickness)/2), mm(p.dots), mm(ruleThickness), "F")
	case r.text != "":
		weight := ""
		if r.style.heavy() {
			weight = "B"
		}
		wide, high := r.style.wide(), r.style.high()
		pdf.SetFont("Courier", weight, mm(cellWidth*wide)/courierWidth*pointsPerMM)
		baseline := mm(top + cellHeight*high*4/5)
		pdf.TransformBegin()
		pdf.TransformScale(100, 100*float64(high)/float64(wide), mm(p.margin()), baseline)
		pdf.Text(mm(p.margin()), baseline, onLatin(r.text))
		pdf.TransformEnd()
	}
}
