package hall

import (
	"slices"

	"drawhouse/decide/state"
	"drawhouse/games/bingo"
	"drawhouse/journal/record"
)

// Stock is what the issue desk has of a series of cards.
type Stock struct {
	Series  string
	Up      uint8
	Colours []string // of its games, in their order
	First   uint32
	Last    uint32
	Next    uint32 // the first book behind all that were issued; above Last if there is none
}

// StockOf returns what is left of every series of cards of a room.
func StockOf(h *state.Hall) (list []Stock) {
	for i := range h.Tables {
		t := &h.Tables[i]
		s := Stock{Series: t.Added.Series, Up: t.Added.Up, Colours: t.Added.Colours, First: t.Added.FirstBook,
			Last: t.Added.FirstBook + t.Added.Books - 1}
		s.Next = s.First
		for _, issued := range t.Issued {
			s.Next = max(s.Next, issued.Last+1)
		}
		list = append(list, s)
	}
	return list
}

// Issued returns the first and the last serial of each series that were issued in a
// session, with the books between them that nobody holds: what the dealer enters when
// the issue closes, by the journal. The dealer compares it with the cards that are left.
//
//rule:nsw-bingo-2019 4.3
func Issued(session *state.Session) (ranges []record.IssuedRange) {
	for _, series := range session.Set.Series {
		var all []record.BookRange
		for i := range session.Players {
			for _, books := range session.Players[i].Entered.Books {
				if books.Series == series {
					all = append(all, books)
				}
			}
		}
		if len(all) == 0 {
			continue
		}
		slices.SortFunc(all, func(a, b record.BookRange) int { return int(a.First) - int(b.First) })
		issued := record.IssuedRange{Books: record.BookRange{Series: series, First: all[0].First,
			Last: all[len(all)-1].Last}}
		for i, books := range all[1:] {
			for book := all[i].Last + 1; book < books.First; book++ {
				issued.Struck = append(issued.Struck, book)
			}
		}
		ranges = append(ranges, issued)
	}
	return ranges
}

// Table returns the master table of a series of a room, if it was read.
func (k *Kit) Table(h *state.Hall, series string) (*bingo.Table, bool) {
	added, ok := h.Table(series)
	if !ok {
		return nil, false
	}
	return k.table(added.Added.Hash)
}
