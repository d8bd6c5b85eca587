package receipt

// The commands of ESC/POS that a slip needs. They are those that every printer of
// the family has had since the first ones.
const (
	escReset   = "\x1b@"
	escPage850 = "\x1bt\x02"
	escPitch   = "\x1b3" // and the dots from row to row
	escBold    = "\x1bE" // and 0 or 1
	escSize    = "\x1d!" // and the factors less one, width in the high half
	escFeed    = "\x1bJ" // and the dots
	escRaster  = "\x1dv0\x00"
	escCut     = "\x1dVB\x00" // feed to the knife and cut, leaving a corner
)

// bandHeight is how many rows of dots are sent at a time. Printers with little memory
// print a band while the next one arrives; a whole QR code would not fit them.
const bandHeight = 64

// ESCPOS returns the bytes that have a printer print the slip and cut it off.
func (s *Slip) ESCPOS(p Paper) ([]byte, error) {
	rows, err := s.set(p)
	if err != nil {
		return nil, err
	}
	w := escWriter{out: []byte(escReset + escPage850), paper: p}
	for _, r := range rows {
		switch {
		case r.mark != nil:
			w.feed(r.mark.margin)
			w.raster(r.mark)
			w.feed(r.mark.margin)
		case r.rule:
			w.feed((ruleHeight - ruleThickness) / 2)
			w.raster(&mark{width: p.dots, height: ruleThickness, boxes: []box{{0, 0, p.dots, ruleThickness}}})
			w.feed((ruleHeight - ruleThickness) / 2)
		case r.text == "":
			w.feed(r.height)
		default:
			w.text(r)
		}
	}
	return append(w.out, escCut...), nil
}

const ruleThickness = 2

// escWriter writes commands and knows which the printer has had.
type escWriter struct {
	out   []byte
	paper Paper
	style style
	pitch int
}

func (w *escWriter) command(command string, value int) {
	w.out = append(append(w.out, command...), byte(value))
}

func (w *escWriter) feed(dots int) {
	if dots > 0 {
		w.command(escFeed, dots)
	}
}

// text prints a row. Style and pitch are sent where they change.
func (w *escWriter) text(r row) {
	if r.height != w.pitch {
		w.command(escPitch, r.height)
		w.pitch = r.height
	}
	if r.style.heavy() != w.style.heavy() {
		w.command(escBold, one(r.style.heavy()))
	}
	if size := sizeOf(r.style); size != sizeOf(w.style) {
		w.command(escSize, size)
	}
	w.style = r.style
	w.out = append(onPage850(w.out, r.text), '\n')
}

func sizeOf(s style) int { return (s.wide()-1)<<4 | (s.high() - 1) }

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// raster prints a symbol in the middle of the paper, band by band.
func (w *escWriter) raster(m *mark) {
	left := (w.paper.dots - m.width) / 2
	for top := 0; top < m.height; top += bandHeight {
		height := min(bandHeight, m.height-top)
		w.out = append(w.out, escRaster...)
		perRow := w.paper.dots / 8
		w.out = append(w.out, byte(perRow), byte(perRow>>8), byte(height), byte(height>>8))
		band := make([]byte, perRow*height)
		for _, b := range m.boxes {
			fill(band, perRow, box{left + b.x, b.y - top, b.width, b.height}, height)
		}
		w.out = append(w.out, band...)
	}
}

// fill blackens the part of a box that is in a band.
func fill(band []byte, perRow int, b box, height int) {
	for y := max(b.y, 0); y < min(b.y+b.height, height); y++ {
		for x := b.x; x < b.x+b.width; x++ {
			band[y*perRow+x/8] |= 0x80 >> (x % 8)
		}
	}
}
