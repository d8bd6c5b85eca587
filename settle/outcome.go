package settle

import (
	"cmp"
	"iter"
	"slices"

	"drawhouse/money"
	"drawhouse/record"
)

// Outcome is what a game came to.
type Outcome struct {
	Totals
	WinningWays uint64
	Prizes      money.Amount // as payable: after reduction and rounding
	// Breakage is what rounding kept back: the sum of the prizes before rounding,
	// itself rounded down to the cent once for the game, less Prizes. A fraction of
	// a cent that is left over in the game is in no sum and stays in the prize fund.
	Breakage money.Amount
	// Majors are the major prizes before reduction and MajorsPaid after it, before
	// rounding, each rounded down to the cent once. They are equal when no limit
	// was exceeded.
	Majors, MajorsPaid money.Amount
	// Reductions are the factors of the limits that were exceeded, in the
	// rulebook's order.
	Reductions []Reduction

	winners winners
}

// Winners returns how many tickets won.
func (o *Outcome) Winners() uint64 { return uint64(o.winners.n) }

// All yields the tickets that won and their prizes, in the order of their places.
func (o *Outcome) All() iter.Seq2[record.Place, money.Amount] {
	return func(yield func(record.Place, money.Amount) bool) {
		for _, part := range o.winners.parts {
			for _, w := range part {
				if !yield(placeOf(w.place), money.Amount(w.cents)) {
					return
				}
			}
		}
	}
}

// winner is a ticket that won, by the key of its place.
type winner struct{ place, cents uint64 }

// winners are the tickets that won, in the order of their places, in parts: a list
// in one piece would have to be moved as it grows.
type winners struct {
	n     int
	parts [][]winner
}

func (ws *winners) add(part []winner) {
	if len(part) > 0 {
		ws.n += len(part)
		ws.parts = append(ws.parts, part)
	}
}

// dropEmpty forgets tickets that won nothing in the end.
func (ws *winners) dropEmpty() {
	parts := ws.parts
	*ws = winners{}
	for _, part := range parts {
		ws.add(slices.DeleteFunc(part, func(w winner) bool { return w.cents == 0 }))
	}
}

// find returns the winner with a place, or nil.
func (ws *winners) find(place uint64) *winner {
	k, _ := slices.BinarySearchFunc(ws.parts, place, func(part []winner, place uint64) int {
		return cmp.Compare(part[len(part)-1].place, place)
	})
	if k == len(ws.parts) {
		return nil
	}
	i, ok := slices.BinarySearchFunc(ws.parts[k], place, func(w winner, place uint64) int {
		return cmp.Compare(w.place, place)
	})
	if !ok {
		return nil
	}
	return &ws.parts[k][i]
}
