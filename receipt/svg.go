package receipt

import (
	"fmt"
	"html"
	"strings"
)

// SVG returns the slip as a picture for a screen, to be put into a page as it is. It
// names no colour but its own black on white, as paper has, and asks for nothing from
// elsewhere. A reader that speaks reads its text row by row.
func (s *Slip) SVG(p Paper) (string, error) {
	rows, err := s.set(p)
	if err != nil {
		return "", err
	}
	const edge = 24
	var body strings.Builder
	top := edge
	for _, r := range rows {
		svgRow(&body, p, r, top)
		top += r.height
	}
	wide, high := p.millimetres*dotsPerMM, top+edge
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="slip" viewBox="0 0 %d %d" width="%d" height="%d" `+
		`font-family="ui-monospace, 'Liberation Mono', 'Courier New', monospace" font-size="20" fill="#000" shape-rendering="crispEdges">`+
		`<title>%s</title><rect width="%d" height="%d" fill="#fff"/>%s</svg>`,
		wide, high, wide, high, html.EscapeString(s.name), wide, high, body.String()), nil
}

// hardSpace keeps its width in a row; several plain ones are drawn as one.
const hardSpace = "\u00a0"

// svgRow draws a row. The width of the text is stated, so that it is that of the
// paper whatever font the screen has.
func svgRow(b *strings.Builder, p Paper, r row, top int) {
	switch {
	case r.mark != nil:
		left := p.margin() + (p.dots-r.mark.width)/2
		fmt.Fprintf(b, `<path transform="translate(%d %d)" d="`, left, top+r.mark.margin)
		for _, x := range r.mark.boxes {
			fmt.Fprintf(b, "M%d %dh%dv%dh-%dz", x.x, x.y, x.width, x.height, x.width)
		}
		fmt.Fprintf(b, `"><title>%s</title></path>`, html.EscapeString(r.mark.text))
	case r.rule:
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d"/>`, p.margin(), top+(ruleHeight-ruleThickness)/2,
			p.dots, ruleThickness)
	case r.text != "":
		weight := ""
		if r.style.heavy() {
			weight = ` font-weight="700"`
		}
		fmt.Fprintf(b,
			`<text transform="translate(%d %d) scale(%d %d)" textLength="%d" lengthAdjust="spacingAndGlyphs"%s>%s</text>`,
			p.margin(), top+cellHeight*r.style.high()*4/5, r.style.wide(), r.style.high(), cellWidth*width(
				r.text), weight, html.EscapeString(strings.ReplaceAll(r.text, " ", hardSpace)))
	}
}
