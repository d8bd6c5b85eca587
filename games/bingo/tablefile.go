package bingo

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// The file of a master table, numbers with the highest byte first:
//
//	8   the magic
//	1+n the series: length and name
//	1   boxes to a page
//	4   the number of the first book
//	4   how many books there are
//	1   how many games; for each of them
//	1+n   the colour: length and name
//	3     its red, green and blue
//	    each strip, by book, game and page
//	32  the SHA-256 of all that is before
//
// A strip that holds every number, in columns that ascend, has magic 1. It is, for each
// number from 1 on, five bits: the lines of a box times the box, counted from 0, plus the
// line. So a number can be neither missing nor there twice, and a box of ninety-number bingo
// takes ten bytes. Bits of zero fill the last byte. Any other strip has magic 2: for each
// box a byte for each place in the order of reading, its number, or 0 if it is free. A table
// has one file: [Form.ReadTable] takes nothing that [Table.MarshalBinary] would not write.
const (
	packedMagic = "DHBINGO\x01"
	placesMagic = "DHBINGO\x02"
	stripBits   = 5
)

// isPacked reports whether strips are files of magic 1.
func (s *spec) isPacked() bool {
	return s.isWhole() && !s.unordered && s.boxes*s.lines < 1<<stripBits
}

func (s *spec) magic() string {
	if s.isPacked() {
		return packedMagic
	}
	return placesMagic
}

// stripBytes returns how many bytes of the file a strip takes.
func (s *spec) stripBytes() int {
	if s.isPacked() {
		return (s.numbers()*stripBits + 7) / 8
	}
	return s.boxes * s.places()
}

// ErrTable is wrapped by every error of a file that is not that of a table.
var ErrTable = errors.New("not the file of a master table")

// MarshalBinary returns the file of the table. It never fails.
func (t *Table) MarshalBinary() ([]byte, error) {
	out := make([]byte, 0, 256+len(t.boxes)/t.form.boxes*t.form.stripBytes()+sha256.Size)
	out = append(out, t.form.magic()...)
	out = appendText(out, t.series.ID)
	out = append(out, byte(t.series.Up))
	out = binary.BigEndian.AppendUint32(out, uint32(t.series.FirstBook))
	out = binary.BigEndian.AppendUint32(out, uint32(t.books))
	out = append(out, byte(len(t.series.Colours)))
	for _, c := range t.series.Colours {
		out = append(appendText(out, c.Name), c.Red, c.Green, c.Blue)
	}
	for strip := range slices.Chunk(t.boxes, t.form.boxes) {
		out = t.form.appendStrip(out, strip)
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

func appendText(out []byte, text string) []byte { return append(append(out, byte(len(text))), text...) }

// appendStrip packs the boxes of a strip.
func (s *spec) appendStrip(out []byte, boxes []Box) []byte {
	if !s.isPacked() {
		for i := range boxes {
			out = append(out, boxes[i].numbers[:s.places()]...)
		}
		return out
	}
	lineOf := make([]uint8, s.numbers())
	for b := range boxes {
		for place, n := range boxes[b].numbers[:s.places()] {
			lineOf[n-1] = uint8(b*s.lines + place/s.perLine)
		}
	}
	pending, have := uint(0), 0
	for _, line := range lineOf {
		pending = pending<<stripBits | uint(line)
		for have += stripBits; have >= 8; have -= 8 {
			out = append(out, byte(pending>>(have-8)))
		}
	}
	if have == 0 {
		return out
	}
	return append(out, byte(pending<<(8-have)))
}

// readStrip unpacks a strip. The lines it names need not make a sound one.
func (f *Form) readStrip(data []byte) (grids []Grid, err error) {
	grids = make([]Grid, f.boxes)
	if !f.isPacked() {
		return grids, f.readPlaces(grids, data)
	}
	pending, have := uint(0), 0
	for n := 1; n <= f.numbers(); n++ {
		if have < stripBits {
			pending, have = pending<<8|uint(data[0]), have+8
			data = data[1:]
		}
		have -= stripBits
		line := int(pending >> have & (1<<stripBits - 1))
		if line >= f.boxes*f.lines {
			return grids, fmt.Errorf("number %d is in line %d of %d", n, line, f.boxes*f.lines)
		}
		cell := &grids[line/f.lines][line%f.lines][f.column(n)]
		if *cell != 0 {
			return grids, fmt.Errorf("number %d stands on number %d", n, *cell)
		}
		*cell = uint8(n)
	}
	if pending&(1<<have-1) != 0 {
		return grids, errors.New("the bits that fill the last byte are not zero")
	}
	return grids, nil
}

// readPlaces reads the places of boxes, each of which is a cell.
func (f *Form) readPlaces(grids []Grid, data []byte) error {
	for at, n := range data {
		box, place := at/f.places(), at%f.places()
		line, column := place/f.perLine, place%f.perLine
		if (n == 0) != f.IsFree(line, column) {
			return fmt.Errorf("place %d of box %d has number %d", place+1, box+1, n)
		}
		grids[box][line][column] = n
	}
	return nil
}

// ReadTable reads the file of a table and checks everything that the rules ask of
// its cards. Only what is told apart by the sum at the end is not a fault of a card.
func (f *Form) ReadTable(data []byte) (*Table, error) {
	body := max(len(data)-sha256.Size, 0)
	if sum := sha256.Sum256(data[:body]); !bytes.HasPrefix(data, []byte(f.magic())) ||
		!bytes.Equal(sum[:], data[body:]) {
		return nil, fmt.Errorf("bingo: the beginning or the sum at the end is wrong: %w", ErrTable)
	}
	r := tableReader{data: data[len(f.magic()):body]}
	series := Series{ID: r.text(), Up: int(r.byte()), FirstBook: int(r.uint32())}
	books := int(r.uint32())
	for range int(r.byte()) {
		c := Colour{Name: r.text()}
		c.Red, c.Green, c.Blue = r.byte(), r.byte(), r.byte()
		series.Colours = append(series.Colours, c)
	}
	if r.short {
		return nil, fmt.Errorf("bingo: the file ends within its head: %w", ErrTable)
	}
	if faults := f.check(&series, books); len(faults) > 0 {
		return nil, fmt.Errorf("bingo: %w: %w", ErrTable, faults)
	}
	count := books * len(series.Colours) * f.stripsPerCard(&series)
	if len(r.data) != count*f.stripBytes() {
		return nil, fmt.Errorf("bingo: %d bytes are not the %d strips of the series: %w", len(r.data), count, ErrTable)
	}
	return f.readStrips(series, books, r.data)
}

// readStrips reads the strips of a file whose head is sound.
func (f *Form) readStrips(series Series, books int, data []byte) (*Table, error) {
	t, err := f.newTable(series, books)
	if err != nil {
		return nil, err
	}
	for ; len(data) > 0; data = data[f.stripBytes():] {
		grids, err := f.readStrip(data[:f.stripBytes()])
		if err != nil {
			return nil, fmt.Errorf("bingo: %s and on: %w: %w", t.where(len(t.boxes)), err, ErrTable)
		}
		strip, err := f.Strip(grids)
		if err != nil {
			return nil, fmt.Errorf("bingo: %s and on: %w: %w", t.where(len(t.boxes)), err, ErrTable)
		}
		if again, equal, ok := t.add(strip, f.uniqueBoxes); !ok {
			return nil, fmt.Errorf("bingo: %s has the numbers of %s: %w", t.where(again), t.where(equal), ErrTable)
		}
	}
	return t, nil
}

// tableReader takes the head of a file apart. What is short reads as zero.
type tableReader struct {
	data  []byte
	short bool
}

func (r *tableReader) take(n int) []byte {
	if len(r.data) < n {
		r.short, r.data = true, nil
		return make([]byte, n)
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *tableReader) byte() byte     { return r.take(1)[0] }
func (r *tableReader) uint32() uint32 { return binary.BigEndian.Uint32(r.take(4)) }
func (r *tableReader) text() string   { return string(r.take(int(r.byte()))) }
