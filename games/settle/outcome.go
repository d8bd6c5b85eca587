package settle

import (
	"cmp"
	"iter"
	"slices"

	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
)

// Outcome is what a game came to.
type Outcome struct {
	Totals
	// Deferred is what was played along from games that had no result.
	Deferred    Totals
	WinningWays uint64       // with those whose prizes are carried
	Prizes      money.Amount // as payable: after reduction and rounding
	// CarriedOn are the prizes that are not payable but stakes of the next game, after
	// reduction and rounding, and CarriedWays how many there are. See Carries.
	CarriedOn   money.Amount
	CarriedWays uint64
	// Unwon are stakes that ran through void games alone and go back, see Void.
	Unwon money.Amount
	// Breakage is what rounding kept back: the sum of the prizes before rounding,
	// itself rounded down to the cent once for the game, less Prizes and CarriedOn. A
	// fraction of a cent that is left over in the game is in no sum and stays in the
	// prize fund.
	Breakage money.Amount
	// Majors are the major prizes before reduction and MajorsPaid after it, before
	// rounding, each rounded down to the cent once. They are equal when no limit
	// was exceeded.
	Majors, MajorsPaid money.Amount
	// Reductions are the factors of the limits that were exceeded, in the
	// rulebook's order.
	Reductions []Reduction
	// Factor is by what the numbers drawn multiply a prize; 0 where the rulebook has
	// no multiplier.
	Factor int
	// Won are the jackpots that winners here have won, or others as far as they have
	// reported, ascending by size, and Jackpots is what all shares of winners here
	// come to, in whole cents and before the rounding of the prizes that they are in. JackpotWins
	// are the ways that won, in
	// the order of their tickets and, on a ticket, of its ways.
	Won         []jackpot.Won
	Jackpots    money.Amount
	JackpotWins []JackpotWin

	// Offers are the promotions that were won, see Grant. Their prizes are in Prizes.
	Offers []OfferWon

	winners winners
	carries []carry
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

// Carries yields the prizes that become stakes of the next game, in the order in
// which [Open.Carry] takes them.
func (o *Outcome) Carries() iter.Seq[Carry] {
	return func(yield func(Carry) bool) {
		for _, c := range o.carries {
			if !yield(Carry{placeOf(c.place), c.nth, money.Amount(c.cents)}) {
				return
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

// merge adds winners, in the order of their places, of whom some may be in it
// already and some several times in the list.
func (ws *winners) merge(list []winner) {
	if len(list) == 0 {
		return
	}
	parts := ws.parts
	*ws = winners{}
	for _, part := range parts {
		n := 0
		for n < len(list) && list[n].place <= part[len(part)-1].place {
			n++
		}
		if n > 0 {
			part = mergeWinners(part, list[:n])
		}
		ws.add(part)
		list = list[n:]
	}
	ws.add(mergeWinners(nil, list))
}

// mergeWinners returns the winners of two lists, each ticket once.
func mergeWinners(a, b []winner) (all []winner) {
	for len(a)+len(b) > 0 {
		var next winner
		if len(b) == 0 || len(a) > 0 && a[0].place <= b[0].place {
			next, a = a[0], a[1:]
		} else {
			next, b = b[0], b[1:]
		}
		if last := len(all) - 1; last >= 0 && all[last].place == next.place {
			all[last].cents += next.cents
		} else {
			all = append(all, next)
		}
	}
	return all
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
