package bingo

import (
	"fmt"
	"strings"

	"drawhouse/rulebook"
)

// The measures of a picture of a pattern, in pixels.
const (
	pictureCell   = 34
	pictureMargin = 10
	pictureNote   = 86 // beside the box: how many numbers of a line
)

// Sentence says in words what a pattern asks for.
func (p *Pattern) Sentence() string {
	switch file := &p.file; {
	case file.Cells != nil:
		return "these numbers"
	case file.Counts != nil:
		return "any numbers of a line, as many as stand beside it, or more"
	case len(file.Shapes) == 1:
		return "these numbers"
	case len(file.Shapes) > 1 && max(file.ShapesLeast, 1) == 1:
		return fmt.Sprintf("this shape, or another of %d", len(file.Shapes))
	case len(file.Shapes) > 1:
		return fmt.Sprintf("%d of %d shapes, whichever", file.ShapesLeast, len(file.Shapes))
	case file.AnyLines == p.form.lines:
		return fmt.Sprintf("all %d numbers", p.form.perBox())
	case file.AnyLines == 1:
		return "all numbers of one line, whichever"
	default:
		return fmt.Sprintf("all numbers of %d lines, whichever", file.AnyLines)
	}
}

// Example returns places that complete the pattern: the cells themselves, or the
// first numbers of a line where only their count matters, or the first lines or shapes. A
// free place within them is one of them.
func (p *Pattern) Example() (mask Mask) {
	switch file := &p.file; {
	case file.Cells != nil:
		return cellsMask(p.form.perLine, file.Cells)
	case file.Counts != nil:
		for line, count := range []int{file.Counts.Top, file.Counts.Middle, file.Counts.Bottom} {
			mask |= (1<<count - 1) << (line * p.form.perLine)
		}
		return mask
	case len(file.Shapes) > 0:
		for _, shape := range shapeMasks(file.Shapes[:max(file.ShapesLeast, 1)]) {
			mask |= shape
		}
		return mask
	default:
		return 1<<(p.file.AnyLines*p.form.perLine) - 1
	}
}

// Exact reports whether the places of the example are the only ones that complete the
// pattern. Otherwise others of a line, or other lines or shapes, would do as well.
func (p *Pattern) Exact() bool {
	return p.file.Cells != nil || len(p.file.Shapes) == 1 || p.ID == rulebook.FullCardID
}

// notes are what stands beside the lines.
func (p *Pattern) notes() (notes [MaxLines]string) {
	if c := p.file.Counts; c != nil {
		for line, count := range []int{c.Top, c.Middle, c.Bottom} {
			notes[line] = fmt.Sprintf("any %d", count)
			if count == p.form.perLine {
				notes[line] = "all"
			}
		}
	}
	if n := p.file.AnyLines; n > 0 && n < p.form.lines {
		notes[0] = fmt.Sprintf("any %d of %d", n, p.form.lines)
	}
	if all := len(p.file.Shapes); all > 1 {
		notes[0] = fmt.Sprintf("any %d of %d", max(p.file.ShapesLeast, 1), all)
	}
	return notes
}

// SVG returns a picture of the pattern on a box of a colour. Numbers that are needed
// are on a disc; where others of the line would do as well, the disc is a ring.
func (p *Pattern) SVG(box Box, colour Colour) []byte {
	form := p.form
	width, height := form.columns*pictureCell+2*pictureMargin+pictureNote, form.lines*pictureCell+2*pictureMargin
	out := fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">
<title>%s: %s</title>
<style>text{font:600 15px system-ui,"Segoe UI",Roboto,"Liberation Sans",sans-serif;fill:#1d2733;text-anchor:middle}.on{fill:#fff}.note{text-anchor:start;font-weight:400}</style>
<rect width="%d" height="%d" fill="#fff"/>
`, width, height, width, height, escapeXML(p.Name), p.Sentence(), width, height)
	marked, fixed, notes := p.Example(), p.Exact(), p.notes()
	place := 0
	for line, cells := range box.Lines() {
		y := pictureMargin + line*pictureCell
		for column, n := range cells {
			x := pictureMargin + column*pictureCell
			fill := colour.RGB()
			if n == 0 && !form.IsFree(line, column) {
				fill = "#fff"
			}
			out = fmt.Appendf(out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="#526070"/>`, x, y,
				pictureCell, pictureCell, fill)
			if form.IsFree(line, column) {
				out = fmt.Appendf(out, `<text x="%d" y="%d" style="font-size:10px">FREE</text>`, x+pictureCell/2, y+pictureCell/2+4)
				place++
			} else if n != 0 {
				out = appendNumber(out, x+pictureCell/2, y+pictureCell/2, n, marked>>place&1 == 1, fixed)
				place++
			}
			out = append(out, '\n')
		}
		if notes[line] != "" {
			out = fmt.Appendf(out, "<text class=\"note\" x=\"%d\" y=\"%d\">%s</text>\n",
				pictureMargin*2+form.columns*pictureCell, y+pictureCell/2+5, notes[line])
		}
	}
	return append(out, "</svg>\n"...)
}

// appendNumber draws a number, on a disc or in a ring if it is marked.
func appendNumber(out []byte, x, y int, n uint8, marked, fixed bool) []byte {
	const radius = 14
	class := ""
	switch {
	case marked && fixed:
		out = fmt.Appendf(out, `<circle cx="%d" cy="%d" r="%d" fill="#1d2733"/>`, x, y, radius)
		class = ` class="on"`
	case marked:
		out = fmt.Appendf(out, `<circle cx="%d" cy="%d" r="%d" fill="none" stroke="#1d2733" stroke-width="2.5"/>`, x, y,
			radius)
	}
	return fmt.Appendf(out, `<text x="%d" y="%d"%s>%d</text>`, x, y+5, class, n)
}

func escapeXML(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}
