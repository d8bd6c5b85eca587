package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// A box is its 15 numbers, line by line from the left.
type box [15]uint8

// A masterTable is the cards of a series, read from the file whose layout is
// published: a head, then 57 bytes for each strip, by book, game and page, in which
// each number from 1 to 90 has five bits, three times its box plus its line.
type masterTable struct {
	series        string
	up            int
	first, books  uint32
	colours       []string
	strips        []byte
	stripsPerCard int
}

const (
	tableMagic = "DHBINGO\x01"
	stripBytes = 57
	bingoOf    = 90
	maxBook    = 999_999 // serials have six digits for a book
)

// readTable reads the file of a master table and checks every card by the rulebook:
// lines of five, the columns, and that no box of the series is there twice
// (nsw-bingo-2019 2.2.1, 2.3, 2.4).
func readTable(file []byte, rules *rulebook.BingoFile) (*masterTable, error) {
	body := len(file) - sha256.Size
	if body < len(tableMagic) || !bytes.HasPrefix(file, []byte(tableMagic)) {
		return nil, errors.New("it is no master table")
	}
	if sum := sha256.Sum256(file[:body]); !bytes.Equal(sum[:], file[body:]) {
		return nil, errors.New("its sum is wrong")
	}
	t, err := readTableHead(file[len(tableMagic):body])
	if err != nil {
		return nil, err
	}
	if !slices.Contains(rules.Card.Pages, t.up) {
		return nil, fmt.Errorf("no page of %d boxes is played", t.up)
	}
	seen := map[[2]uint64]bool{}
	for at := 0; at < len(t.strips); at += stripBytes {
		boxes, err := stripBoxes(t.strips[at:at+stripBytes], rules.Card.ColumnMax)
		if err != nil {
			return nil, fmt.Errorf("strip %d: %w", at/stripBytes+1, err)
		}
		for i, b := range boxes {
			set := b.bits()
			if rules.Card.UniqueBoxes && seen[set] {
				return nil, fmt.Errorf("box %d of strip %d is there twice", i+1, at/stripBytes+1)
			}
			seen[set] = true
		}
	}
	return t, nil
}

// readTableHead reads what stands before the strips.
func readTableHead(data []byte) (*masterTable, error) {
	take := func(n int) []byte {
		if len(data) < n {
			data = nil
			return make([]byte, n)
		}
		taken := data[:n]
		data = data[n:]
		return taken
	}
	text := func() string { return string(take(int(take(1)[0]))) }
	t := &masterTable{series: text(), up: int(take(1)[0])}
	t.first = binary.BigEndian.Uint32(take(4))
	t.books = binary.BigEndian.Uint32(take(4))
	for range int(take(1)[0]) {
		t.colours = append(t.colours, text())
		take(3)
	}
	t.strips, t.stripsPerCard = data, t.up/6
	if t.first == 0 || t.first > maxBook || t.books > maxBook-t.first+1 || len(t.colours) > record.MostBingoGames {
		return nil, fmt.Errorf("%d books from %d on with cards for %d games", t.books, t.first, len(t.colours))
	}
	if want := uint64(t.books) * uint64(len(t.colours)) * uint64(t.stripsPerCard) * stripBytes; want == 0 ||
		uint64(len(data)) != want {
		return nil, fmt.Errorf("%d bytes are not the strips of %d books", len(data), t.books)
	}
	return t, nil
}

// stripBoxes unpacks a strip and checks its boxes. A number of a line stands in the
// column of its tens, so the numbers of a line in ascending order are read from the
// left.
func stripBoxes(packed []byte, columnMax int) (boxes [6]box, err error) {
	var inLine [18]int
	var above [6][9]struct{ line, count int }
	bit := 0
	for n := 1; n <= bingoOf; n++ {
		line := 0
		for range 5 {
			line = line<<1 | int(packed[bit/8]>>(7-bit%8)&1)
			bit++
		}
		if line >= len(inLine) || inLine[line] == 5 {
			return boxes, fmt.Errorf("number %d is in line %d, which has five", n, line+1)
		}
		b, column := line/3, min(n/10, 8)
		boxes[b][line%3*5+inLine[line]] = uint8(n)
		inLine[line]++
		cell := &above[b][column]
		if cell.count > 0 && line%3 <= cell.line {
			return boxes, fmt.Errorf("number %d does not stand below the one before it", n)
		}
		cell.line, cell.count = line%3, cell.count+1
	}
	for b := range above {
		for column, cell := range above[b] {
			if cell.count < 1 || cell.count > columnMax {
				return boxes, fmt.Errorf("column %d of box %d has %d numbers", column+1, b+1, cell.count)
			}
		}
	}
	return boxes, nil
}

func (b *box) bits() (set [2]uint64) {
	for _, n := range b {
		set[n/64] |= 1 << (n % 64)
	}
	return set
}

// card returns the boxes of a card.
func (t *masterTable) card(book uint32, game uint8) []box {
	at := (int(book-t.first)*len(t.colours) + int(game) - 1) * t.stripsPerCard * stripBytes
	var boxes []box
	for range t.stripsPerCard {
		six, err := stripBoxes(t.strips[at:at+stripBytes], bingoOf)
		if err != nil {
			return nil // Reading the table has looked at every strip.
		}
		boxes = append(boxes, six[:]...)
		at += stripBytes
	}
	return boxes
}

// completes reports whether the numbers of a box that were called have a pattern of
// the rulebook, or all of them for bingo (nsw-bingo-2019 1.1, Appendix A).
func (b *box) completes(pattern *rulebook.PatternFile, called *drawnNumbers) bool {
	var has [3][5]bool
	var count [3]int
	for i, n := range b {
		if called[n] {
			has[i/5][i%5] = true
			count[i/5]++
		}
	}
	switch {
	case pattern.ID == record.PatternBingo:
		return count == [3]int{5, 5, 5}
	case pattern.Cells != nil:
		for line, places := range [3][]int{pattern.Cells.Top, pattern.Cells.Middle, pattern.Cells.Bottom} {
			for _, place := range places {
				if place < 1 || place > 5 || !has[line][place-1] {
					return false
				}
			}
		}
		return true
	case pattern.Counts != nil:
		return count[0] >= pattern.Counts.Top && count[1] >= pattern.Counts.Middle && count[2] >= pattern.Counts.Bottom
	}
	whole := 0
	for _, n := range count {
		if n == 5 {
			whole++
		}
	}
	return whole >= pattern.AnyLines
}

// completedBy returns the place, counted from 1, of the call that completed a pattern
// on a box, or 0.
func (b *box) completedBy(pattern *rulebook.PatternFile, calls []uint8) int {
	var called drawnNumbers
	for i, n := range calls {
		called[n] = true
		if b.completes(pattern, &called) {
			return i + 1
		}
	}
	return 0
}
