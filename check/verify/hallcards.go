package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// A box is the numbers of its squares, line by line from the left; 0 is a free square.
type box []uint8

// A masterTable is the cards of a series, read from the file whose layout is
// published: a head, then each strip, by book, game and page.
type masterTable struct {
	series       string
	up           int
	first, books uint32
	colours      []string
	strips       []byte
	sheet        cardSheet
}

const (
	tableMagic = "DHBINGO"
	// Behind the magic a byte says how strips are written: five bits for each number from 1 on,
	// which are the lines of a box times its box plus its line; or a byte for each square.
	stripsOfBits  = 1
	stripsOfBytes = 2

	offerOf = 90      // numbers from which promotional prizes are drawn
	maxBook = 999_999 // serials have six digits for a book
)

// cardSheet is what a rulebook says of boxes and strips, as it is needed here.
type cardSheet struct {
	of, boxes, lines, perLine, columnMax int
	starts                               []int // the lowest number of each column
	free                                 map[int]bool
	ascends                              bool
}

func sheetOf(rules *rulebook.BingoFile) cardSheet {
	card := &rules.Card
	s := cardSheet{of: rules.Numbers.Of, boxes: card.BoxesPerStrip, lines: card.Lines, perLine: card.PerLine,
		columnMax: card.ColumnMax, starts: card.ColumnFirst, free: map[int]bool{}, ascends: !card.Unordered}
	for column := len(s.starts); column < card.Columns; column++ {
		s.starts = append(slices.Clip(s.starts), max(1, column*10))
	}
	for _, square := range card.Free {
		s.free[(square.Line-1)*card.PerLine+square.Column-1] = true
	}
	return s
}

func (s *cardSheet) squares() int { return s.lines * s.perLine }

// columnOf returns the column of a number: the last one that begins with it or before.
func (s *cardSheet) columnOf(n int) int {
	column := 0
	for i, start := range s.starts {
		if start <= n {
			column = i
		}
	}
	return column
}

// form returns how strips are written, and how many bytes one takes.
func (s *cardSheet) form() (magic byte, size int) {
	if s.ascends && s.boxes*(s.squares()-len(s.free)) == s.of {
		return stripsOfBits, (5*s.of + 7) / 8
	}
	return stripsOfBytes, s.boxes * s.squares()
}

// readTable reads the file of a master table and checks every card by the rulebook: its
// lines and columns, and that no box of the series is there twice (nsw-bingo-2019 2.2.1,
// 2.3, 2.4; sc-bingo-1996 3920.3).
func readTable(file []byte, rules *rulebook.BingoFile) (*masterTable, error) {
	sheet := sheetOf(rules)
	magic, size := sheet.form()
	head := append([]byte(tableMagic), magic)
	body := len(file) - sha256.Size
	if body < len(head) || !bytes.HasPrefix(file, head) {
		return nil, errors.New("it is no master table of such cards")
	}
	if sum := sha256.Sum256(file[:body]); !bytes.Equal(sum[:], file[body:]) {
		return nil, errors.New("its sum is wrong")
	}
	t, err := readTableHead(file[len(head):body], sheet)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(rules.Card.Pages, t.up) {
		return nil, fmt.Errorf("no page of %d boxes is played", t.up)
	}
	seen := map[[2]uint64]bool{}
	for at := 0; at < len(t.strips); at += size {
		boxes, err := sheet.strip(t.strips[at : at+size])
		if err != nil {
			return nil, fmt.Errorf("strip %d: %w", at/size+1, err)
		}
		for i, b := range boxes {
			set := b.bits()
			if rules.Card.UniqueBoxes && seen[set] {
				return nil, fmt.Errorf("box %d of strip %d is there twice", i+1, at/size+1)
			}
			seen[set] = true
		}
	}
	return t, nil
}

// readTableHead reads what stands before the strips.
func readTableHead(data []byte, sheet cardSheet) (*masterTable, error) {
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
	t := &masterTable{series: text(), up: int(take(1)[0]), sheet: sheet}
	t.first = binary.BigEndian.Uint32(take(4))
	t.books = binary.BigEndian.Uint32(take(4))
	for range int(take(1)[0]) {
		t.colours = append(t.colours, text())
		take(3)
	}
	t.strips = data
	if t.first == 0 || t.first > maxBook || t.books > maxBook-t.first+1 || len(t.colours) > record.MostBingoGames {
		return nil, fmt.Errorf("%d books from %d on with cards for %d games", t.books, t.first, len(t.colours))
	}
	_, size := sheet.form()
	if want := uint64(t.books) * uint64(len(t.colours)) * uint64(t.up/sheet.boxes) * uint64(size); want == 0 ||
		uint64(len(data)) != want {
		return nil, fmt.Errorf("%d bytes are not the strips of %d books", len(data), t.books)
	}
	return t, nil
}

// strip unpacks a strip and checks its boxes.
func (s *cardSheet) strip(packed []byte) ([]box, error) {
	if magic, _ := s.form(); magic == stripsOfBytes {
		boxes := slices.Collect(slices.Chunk(packed, s.squares()))
		list := make([]box, len(boxes))
		var there drawnNumbers
		for i, squares := range boxes {
			list[i] = box(squares)
			if err := s.checkSquares(list[i], &there); err != nil {
				return nil, fmt.Errorf("box %d: %w", i+1, err)
			}
		}
		return list, nil
	}
	return s.unpack(packed)
}

// checkSquares checks a box that has a number on every square that is not free.
func (s *cardSheet) checkSquares(b box, there *drawnNumbers) error {
	for square, n := range b {
		if s.free[square] {
			if n != 0 {
				return fmt.Errorf("the free square %d has number %d", square+1, n)
			}
			continue
		}
		if n == 0 || int(n) > s.of || there[n] || s.columnOf(int(n)) != square%s.perLine {
			return fmt.Errorf("square %d has %d, which is not of its column or is there twice", square+1, n)
		}
		there[n] = true
		if above := square - s.perLine; s.ascends && above >= 0 && b[above] > n {
			return fmt.Errorf("square %d has %d, which stands below %d", square+1, n, b[above])
		}
	}
	return nil
}

// unpack reads a strip of every number. A number stands in its column, so the numbers of a
// line in ascending order are read from the left.
func (s *cardSheet) unpack(packed []byte) ([]box, error) {
	boxes := make([]box, s.boxes)
	for i := range boxes {
		boxes[i] = make(box, s.squares())
	}
	inLine := make([]int, s.boxes*s.lines)
	type stack struct{ line, count int }
	above := make([]stack, s.boxes*len(s.starts))
	bit := 0
	for n := 1; n <= s.of; n++ {
		line := 0
		for range 5 {
			line = line<<1 | int(packed[bit/8]>>(7-bit%8)&1)
			bit++
		}
		if line >= len(inLine) || inLine[line] == s.perLine {
			return nil, fmt.Errorf("number %d is in line %d, which has %d", n, line+1, s.perLine)
		}
		b, inBox := line/s.lines, line%s.lines
		boxes[b][inBox*s.perLine+inLine[line]] = uint8(n)
		inLine[line]++
		cell := &above[b*len(s.starts)+s.columnOf(n)]
		if cell.count > 0 && inBox <= cell.line {
			return nil, fmt.Errorf("number %d does not stand below the one before it", n)
		}
		cell.line, cell.count = inBox, cell.count+1
	}
	for i, cell := range above {
		if cell.count < 1 || cell.count > s.columnMax {
			return nil, fmt.Errorf("column %d of box %d has %d numbers", i%len(s.starts)+1, i/len(s.starts)+1, cell.count)
		}
	}
	return boxes, nil
}

func (b box) bits() (set [2]uint64) {
	for _, n := range b {
		set[n/64] |= 1 << (n % 64)
	}
	return set
}

// card returns the boxes of a card.
func (t *masterTable) card(book uint32, game uint8) []box {
	_, size := t.sheet.form()
	perCard := t.up / t.sheet.boxes
	at := (int(book-t.first)*len(t.colours) + int(game) - 1) * perCard * size
	var boxes []box
	for range perCard {
		strip, err := t.sheet.strip(t.strips[at : at+size])
		if err != nil {
			return nil // Reading the table has looked at every strip.
		}
		boxes = append(boxes, strip...)
		at += size
	}
	return boxes
}

// completes reports whether the squares of a box that are free or were called have a
// pattern of the rulebook, or all of them for the full card (nsw-bingo-2019 1.1, Appendix A;
// sc-bingo-1996 4000.7).
func (b box) completes(perLine int, pattern *rulebook.PatternFile, called *drawnNumbers) bool {
	marked := make([][]bool, len(b)/perLine)
	count := make([]int, len(marked))
	for i, n := range b {
		has := n == 0 || called[n]
		marked[i/perLine] = append(marked[i/perLine], has)
		if has {
			count[i/perLine]++
		}
	}
	if pattern.ID == record.PatternBingo {
		return !slices.ContainsFunc(count, func(n int) bool { return n < perLine })
	}
	if c := pattern.Cells; c != nil {
		for line, places := range [][]int{c.Top, c.Middle, c.Bottom} {
			for _, place := range places {
				if place < 1 || place > perLine || !marked[line][place-1] {
					return false
				}
			}
		}
		return true
	}
	if c := pattern.Counts; c != nil {
		return count[0] >= c.Top && count[1] >= c.Middle && count[2] >= c.Bottom
	}
	if len(pattern.Shapes) == 0 {
		whole := 0
		for _, n := range count {
			if n == perLine {
				whole++
			}
		}
		return whole >= pattern.AnyLines
	}
	// Shapes are drawn line by line.
	whole := 0
	for _, shape := range pattern.Shapes {
		if coversShape(marked, strings.Fields(shape)) {
			whole++
		}
	}
	return whole > 0 && whole >= pattern.ShapesLeast
}

// coversShape reports whether every square that a shape names is marked.
func coversShape(marked [][]bool, drawn []string) bool {
	for line, signs := range drawn {
		for i := range signs {
			if signs[i] == '#' && !marked[line][i] {
				return false
			}
		}
	}
	return true
}

// completedBy returns the place, counted from 1, of the call that completed a pattern
// on a box, or 0.
func (b box) completedBy(perLine int, pattern *rulebook.PatternFile, calls []uint8) int {
	var called drawnNumbers
	for i, n := range calls {
		called[n] = true
		if b.completes(perLine, pattern, &called) {
			return i + 1
		}
	}
	return 0
}
