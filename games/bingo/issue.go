package bingo

import (
	"fmt"
	"slices"
)

// Range is books that were issued, both ends included.
type Range struct{ First, Last int }

// Issue is the cards of one game that are in play: those of the books issued, but
// for cards that nobody holds. It gives the boxes of a [Play] their names.
type Issue struct {
	table *Table
	game  int
	books []int // ascending
}

// Issue returns the cards of a game that are in play. A struck book is in the range
// and was not issued.
func (t *Table) Issue(game int, issued Range, struck []int) (*Issue, error) {
	if game < 1 || game > len(t.series.Colours) {
		return nil, fmt.Errorf("bingo: game %d; the series has %d", game, len(t.series.Colours))
	}
	if issued.First > issued.Last || issued.First < t.series.FirstBook || issued.Last > t.LastBook() {
		return nil, fmt.Errorf("bingo: books %d to %d are not within %d to %d of the series", issued.First, issued.Last,
			t.series.FirstBook, t.LastBook())
	}
	for _, book := range struck {
		if book < issued.First || book > issued.Last {
			return nil, fmt.Errorf("bingo: book %d is struck out and not within %d to %d", book, issued.First,
				issued.Last)
		}
	}
	i := &Issue{table: t, game: game}
	for book := issued.First; book <= issued.Last; book++ {
		if !slices.Contains(struck, book) {
			i.books = append(i.books, book)
		}
	}
	return i, nil
}

// Strips returns the strips in play, in the order in which a [Play] of them counts
// its boxes.
func (i *Issue) Strips() []Strip {
	strips := make([]Strip, 0, len(i.books)*i.table.form.stripsPerCard(&i.table.series))
	for _, book := range i.books {
		at, err := i.table.position(Serial{i.table.series.ID, book, i.game})
		if err != nil {
			panic(err) // Issue let in books of the table only.
		}
		for strip := range slices.Chunk(i.table.boxes[at:at+i.table.series.Up], i.table.form.boxes) {
			strips = append(strips, Strip(strip))
		}
	}
	return strips
}

// Play returns a game of the cards in which nothing has been called.
func (i *Issue) Play(patterns *Patterns) (*Play, error) { return NewPlay(patterns, i.Strips()) }

// Spot returns which box of which card a box of the play is.
func (i *Issue) Spot(box int) Spot {
	up := i.table.series.Up
	return Spot{Serial: Serial{i.table.series.ID, i.books[box/up], i.game}, Box: box%up + 1}
}

// Box returns which box of the play a box of a card is. It is not ok for a card that
// is not in play: of another series or game, or not issued.
func (i *Issue) Box(s Spot) (box int, ok bool) {
	at, found := slices.BinarySearch(i.books, s.Serial.Book)
	up := i.table.series.Up
	if !found || s.Serial.Series != i.table.series.ID || s.Serial.Game != i.game || s.Box < 1 || s.Box > up {
		return 0, false
	}
	return at*up + s.Box - 1, true
}
