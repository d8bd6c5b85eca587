package bingo

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
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
//	57  for each strip, by book, game and page
//	32  the SHA-256 of all that is before
//
// A strip is, for each number from 1 to 90, five bits: three times the box, counted
// from 0, plus the line. So a number can be neither missing nor there twice, and a
// box takes ten bytes. Six bits of zero fill the last byte. A table has one file:
// [Form.ReadTable] takes nothing that [Table.MarshalBinary] would not write.
const (
	tableMagic = "DHBINGO\x01"
	stripBits  = 5
	stripBytes = (Numbers*stripBits + 7) / 8
)

// ErrTable is wrapped by every error of a file that is not that of a table.
var ErrTable = errors.New("not the file of a master table")

// MarshalBinary returns the file of the table. It never fails.
func (t *Table) MarshalBinary() ([]byte, error) {
	out := make([]byte, 0, 256+len(t.boxes)/StripBoxes*stripBytes+sha256.Size)
	out = append(out, tableMagic...)
	out = appendText(out, t.series.ID)
	out = append(out, byte(t.series.Up))
	out = binary.BigEndian.AppendUint32(out, uint32(t.series.FirstBook))
	out = binary.BigEndian.AppendUint32(out, uint32(t.books))
	out = append(out, byte(len(t.series.Colours)))
	for _, c := range t.series.Colours {
		out = append(appendText(out, c.Name), c.Red, c.Green, c.Blue)
	}
	for at := 0; at < len(t.boxes); at += StripBoxes {
		out = appendStrip(out, t.boxes[at:at+StripBoxes])
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

func appendText(out []byte, text string) []byte { return append(append(out, byte(len(text))), text...) }

// appendStrip packs the boxes of a strip.
func appendStrip(out []byte, boxes []Box) []byte {
	var lineOf [Numbers]uint8
	for b := range boxes {
		for place, n := range boxes[b].numbers {
			lineOf[n-1] = uint8(b*Lines + place/PerLine)
		}
	}
	pending, have := uint(0), 0
	for _, line := range lineOf {
		pending = pending<<stripBits | uint(line)
		for have += stripBits; have >= 8; have -= 8 {
			out = append(out, byte(pending>>(have-8)))
		}
	}
	return append(out, byte(pending<<(8-have)))
}

// readStrip unpacks a strip. The lines it names need not make a sound one.
func readStrip(data []byte) (grids [StripBoxes]Grid, err error) {
	pending, have := uint(0), 0
	for n := 1; n <= Numbers; n++ {
		if have < stripBits {
			pending, have = pending<<8|uint(data[0]), have+8
			data = data[1:]
		}
		have -= stripBits
		line := int(pending >> have & (1<<stripBits - 1))
		if line >= StripBoxes*Lines {
			return grids, fmt.Errorf("number %d is in line %d of %d", n, line, StripBoxes*Lines)
		}
		cell := &grids[line/Lines][line%Lines][Column(n)]
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

// ReadTable reads the file of a table and checks everything that the rules ask of
// its cards. Only what is told apart by the sum at the end is not a fault of a card.
func (f *Form) ReadTable(data []byte) (*Table, error) {
	body := max(len(data)-sha256.Size, 0)
	if sum := sha256.Sum256(data[:body]); !bytes.HasPrefix(data, []byte(tableMagic)) ||
		!bytes.Equal(sum[:], data[body:]) {
		return nil, fmt.Errorf("bingo: the beginning or the sum at the end is wrong: %w", ErrTable)
	}
	r := tableReader{data: data[len(tableMagic):body]}
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
	count := books * len(series.Colours) * series.stripsPerCard()
	if len(r.data) != count*stripBytes {
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
	for ; len(data) > 0; data = data[stripBytes:] {
		grids, err := readStrip(data[:stripBytes])
		if err != nil {
			return nil, fmt.Errorf("bingo: %s and on: %w: %w", t.where(len(t.boxes)), err, ErrTable)
		}
		strip, err := f.Strip(grids)
		if err != nil {
			return nil, fmt.Errorf("bingo: %s and on: %w: %w", t.where(len(t.boxes)), err, ErrTable)
		}
		if again, equal, ok := t.add(&strip, f.uniqueBoxes); !ok {
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
