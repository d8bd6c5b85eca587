package bingo

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"drawhouse/core/ball"
)

// Table is the master table of a series: all its boxes, by book, game and box. It is
// immutable and safe for concurrent use.
type Table struct {
	form   *Form
	series Series
	books  int
	boxes  []Box
	index  boxIndex
}

// boxIndex finds boxes by their numbers: a hash table with open addressing, of which
// at most half is used. A slot is a position in boxes plus one, 0 if it is free.
type boxIndex struct{ slots []uint32 }

func newBoxIndex(boxes int) boxIndex {
	size := 8
	for size < 2*boxes {
		size *= 2
	}
	return boxIndex{make([]uint32, size)}
}

// slot returns the slot in which a box with these numbers is, or the free one in
// which it would be.
func (x boxIndex) slot(boxes []Box, lo, hi uint64) int {
	h := lo*0x9e3779b97f4a7c15 ^ hi*0xc2b2ae3d27d4eb4f
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	for at := int(h >> 32); ; at++ {
		at &= len(x.slots) - 1
		found := x.slots[at]
		if found == 0 {
			return at
		}
		if l, h := boxes[found-1].bits(); l == lo && h == hi {
			return at
		}
	}
}

// newTable returns a table without boxes.
func (f *Form) newTable(series Series, books int) (*Table, error) {
	if faults := f.check(&series, books); len(faults) > 0 {
		return nil, faults
	}
	cards := books * len(series.Colours)
	if cards > maxBoxes/series.Up {
		return nil, Faults{{Field: "books",
			Message: fmt.Sprintf("%d cards of %d boxes are more than a table holds, %d", cards, series.Up, maxBoxes)}}
	}
	series.Colours = append([]Colour(nil), series.Colours...)
	return &Table{form: f, series: series, books: books, boxes: make([]Box, 0, cards*series.Up),
		index: newBoxIndex(cards * series.Up)}, nil
}

// add adds the next strip. With unique boxes it adds none that has a box of the
// series again, and returns the position of that one and of the box that is equal.
//
//rule:nsw-bingo-2019 2.3.3 2.4
func (t *Table) add(strip Strip, unique bool) (again, equal int, ok bool) {
	at := len(t.boxes)
	for i := range strip {
		lo, hi := strip[i].bits()
		if found := t.index.slots[t.index.slot(t.boxes, lo, hi)]; found != 0 && unique {
			return at + i, int(found) - 1, false
		}
	}
	t.boxes = append(t.boxes, strip...)
	for i := range strip {
		lo, hi := strip[i].bits()
		if slot := t.index.slot(t.boxes, lo, hi); t.index.slots[slot] == 0 {
			t.index.slots[slot] = uint32(at + i + 1)
		}
	}
	return 0, 0, true
}

// MakeTable makes a series of so many books. A strip with a box that is in the
// series already is thrown away; that is expected once in some hundred million
// series, and leaves the other strips equally likely.
//
//rule:nsw-bingo-2019 2.1.3 2.3.1 2.3.3
func (f *Form) MakeTable(series Series, books int, entropy io.Reader) (*Table, error) {
	t, err := f.newTable(series, books)
	if err != nil {
		return nil, err
	}
	m, err := f.NewMaker(entropy)
	if err != nil {
		return nil, err
	}
	const tries = 100 // in a row; a source that repeats itself must not turn for ever
	for refused := 0; len(t.boxes) < cap(t.boxes); {
		strip, err := m.Strip()
		if err != nil {
			return nil, err
		}
		if _, _, ok := t.add(strip, f.uniqueBoxes); ok {
			refused = 0
		} else if refused++; refused == tries {
			return nil, errors.New(
				"bingo: the source of entropy repeats itself: strip after strip has a box that was made before")
		}
	}
	return t, nil
}

// NewTable returns the table of strips that exist, in the order of book, game and
// page. The error is [Faults].
func (f *Form) NewTable(series Series, strips []Strip) (*Table, error) {
	return f.tableOf(series, strips, nil)
}

// tableOf is NewTable with the lines of the file from which the strips come.
func (f *Form) tableOf(series Series, strips []Strip, fileLines []int) (*Table, error) {
	perBook := len(series.Colours) * f.stripsPerCard(&series)
	if perBook == 0 {
		return nil, f.check(&series, 1)
	}
	if len(strips)%perBook != 0 {
		return nil, Faults{{Field: "strips", Clause: f.cite("2.3.1"),
			Message: fmt.Sprintf("%d strips are not whole books of %d", len(strips), perBook)}}
	}
	t, err := f.newTable(series, len(strips)/perBook)
	if err != nil {
		return nil, err
	}
	var faults Faults
	for i := range strips {
		if !strips[i].isWhole() || strips[i][0].shape != f.shape {
			return nil, Faults{{Where: fmt.Sprintf("strip %d", i+1), Clause: f.cite("2.2.1"),
				Message: fmt.Sprintf("does not hold 1 to %d once", f.numbers())}}
		}
		again, equal, ok := t.add(strips[i], f.uniqueBoxes)
		if ok {
			continue
		}
		fault := Fault{Where: t.where(again), Clause: f.cite("2.3.3"),
			Message: "has the numbers of " + t.where(equal) + "; no two boxes of a series are equal"}
		if fileLines != nil {
			fault.FileLine = fileLines[i]
		}
		if !faults.add(fault) {
			break
		}
		t.boxes = append(t.boxes, strips[i]...) // Keeps the places of what follows.
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return t, nil
}

// where names a box for a person.
func (t *Table) where(position int) string {
	spot := t.spot(position)
	return fmt.Sprintf("book %d, game %d, box %d", spot.Serial.Book, spot.Serial.Game, spot.Box)
}

// spot returns which box stands at a position.
func (t *Table) spot(position int) Spot {
	card := position / t.series.Up
	games := len(t.series.Colours)
	return Spot{
		Serial: Serial{Series: t.series.ID, Book: t.series.FirstBook + card/games, Game: card%games + 1},
		Box:    position%t.series.Up + 1,
	}
}

// position returns where the first box of a card stands.
func (t *Table) position(s Serial) (int, error) {
	games := len(t.series.Colours)
	switch {
	case s.Series != t.series.ID:
		return 0, fmt.Errorf("bingo: serial %v is of series %s, the table is of %s", s, s.Series, t.series.ID)
	case s.Book < t.series.FirstBook || s.Book >= t.series.FirstBook+t.books:
		return 0, fmt.Errorf("bingo: serial %v is of book %d, the series has %d to %d", s, s.Book, t.series.FirstBook,
			t.LastBook())
	case s.Game < 1 || s.Game > games:
		return 0, fmt.Errorf("bingo: serial %v is of game %d, the series has %d", s, s.Game, games)
	}
	return ((s.Book-t.series.FirstBook)*games + s.Game - 1) * t.series.Up, nil
}

// Form returns the form of the cards.
func (t *Table) Form() *Form { return t.form }

// Series returns what the table is of.
func (t *Table) Series() Series {
	s := t.series
	s.Colours = append([]Colour(nil), s.Colours...)
	return s
}

// Books returns how many books there are.
func (t *Table) Books() int { return t.books }

// LastBook returns the number of the last book.
func (t *Table) LastBook() int { return t.series.FirstBook + t.books - 1 }

// Boxes returns how many boxes there are.
func (t *Table) Boxes() int { return len(t.boxes) }

// Card returns the boxes of a card.
//
//rule:nsw-bingo-2019 2.3.3
func (t *Table) Card(s Serial) ([]Box, error) {
	at, err := t.position(s)
	if err != nil {
		return nil, err
	}
	return append([]Box(nil), t.boxes[at:at+t.series.Up]...), nil
}

// Find returns the box with these numbers.
//
//rule:nsw-bingo-2019 2.3.3
func (t *Table) Find(numbers ball.Set) (Spot, Box, bool) {
	if numbers.Universe() != t.form.universe {
		return Spot{}, Box{}, false
	}
	lo, hi := numbers.Bits()
	found := t.index.slots[t.index.slot(t.boxes, lo, hi)]
	if found == 0 {
		return Spot{}, Box{}, false
	}
	return t.spot(int(found) - 1), t.boxes[found-1], true
}

// Strips returns the strips in the order of book, game and page.
func (t *Table) Strips() []Strip {
	strips := make([]Strip, 0, len(t.boxes)/t.form.boxes)
	for strip := range slices.Chunk(t.boxes, t.form.boxes) {
		strips = append(strips, Strip(strip))
	}
	return strips
}
