package receipt

import (
	"fmt"
	"strings"

	"github.com/boombuler/barcode/qr"

	"drawhouse/journal"
)

// mark is a symbol that machines read: black boxes on white, in dots.
type mark struct {
	width, height int
	margin        int // above and below; a QR code has its own
	boxes         []box
	text          string // what it says, for those who cannot see it
}

type box struct{ x, y, width, height int }

const (
	barModule   = 2  // dots: a quarter of a millimetre, the least that thermal paper keeps
	barHeight   = 64 // dots: 8 mm, enough for a hand scanner held askew
	barMargin   = 12
	squareMost  = 6 // dots a module of a QR code
	squareLeast = 3
	squareRoom  = 224 // dots: 28 mm, which a phone reads from a hand's breadth
	quietSquare = 4   // modules around a QR code that stay blank
)

// mark makes the symbol of a line, to fit a width.
func (l *line) mark(most int) (*mark, error) {
	if l.bars != "" {
		return barMark(l.bars, most)
	}
	return squareMark(l.qr, min(most, squareRoom))
}

// barMark makes the bars of Code 128. Their quiet zones may reach into the margins
// of the paper, where nothing is printed either.
func barMark(text string, most int) (*mark, error) {
	bars, err := Code128(text)
	if err != nil {
		return nil, err
	}
	m := &mark{width: bars.Modules() * barModule, height: barHeight, margin: barMargin, text: text}
	if m.width > most {
		return nil, fmt.Errorf("receipt: the bar code %q is %d dots wide and the paper prints %d", text, m.width, most)
	}
	for at, wide := range bars.All() {
		m.boxes = append(m.boxes, box{at * barModule, 0, wide * barModule, barHeight})
	}
	return m, nil
}

// squareMark makes a QR code. A quarter of it may be lost to a crease and it still
// reads if the text is short; a long one is made to lose less, to keep its modules
// large.
func squareMark(text string, most int) (*mark, error) {
	const short = 40
	level := qr.M
	if len(text) <= short {
		level = qr.Q
	}
	code, err := qr.Encode(text, level, qr.Auto)
	if err != nil {
		return nil, fmt.Errorf("receipt: a QR code of %d characters: %w", len(text), err)
	}
	modules := code.Bounds().Dx()
	module := min(most/(modules+2*quietSquare), squareMost)
	if module < squareLeast {
		return nil, fmt.Errorf("receipt: a QR code of %d characters is too fine for %d dots", len(text), most)
	}
	side := (modules + 2*quietSquare) * module
	m := &mark{width: side, height: side, text: text}
	for y := range modules {
		for x := 0; x < modules; {
			run := 0
			for x+run < modules && isBlack(code.At(x+run, y).RGBA()) {
				run++
			}
			if run > 0 {
				m.boxes = append(m.boxes, box{(quietSquare + x) * module, (quietSquare + y) * module, run * module,
					module})
			}
			x += max(run, 1)
		}
	}
	return m, nil
}

func isBlack(red, _, _, _ uint32) bool { return red == 0 }

// fits reports whether the bars of a text fit the narrowest roll.
func fits(text string) bool {
	bars, err := Code128(text)
	return err == nil && bars.Modules()*barModule <= Roll58.dots
}

// SealAddress returns what the code beside a sealed game says: where a page of the house shows that the seal is in the
// public log. What stands behind the number sign is the beginning of the seal's hash, which the page compares and does
// not send.
func SealAddress(site, game string, seal journal.Hash) string {
	return strings.TrimRight(site, "/") + "/g/" + game + "#" + short(seal)
}

// Square returns a QR code as a picture for a screen, a module one unit wide, with what must stay blank around it.
func Square(text string) (string, error) {
	code, err := qr.Encode(text, qr.L, qr.Auto)
	if err != nil {
		return "", fmt.Errorf("receipt: a QR code of %d characters: %w", len(text), err)
	}
	modules := code.Bounds().Dx()
	side := modules + 2*quietSquare
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`+
		`<rect width="%d" height="%d" fill="#fff"/><path d="`, side, side, side, side)
	for y := range modules {
		for x := range modules {
			if isBlack(code.At(x, y).RGBA()) {
				fmt.Fprintf(&b, "M%d %dh1v1h-1z", x+quietSquare, y+quietSquare)
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return b.String(), nil
}
