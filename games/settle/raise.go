package settle

import (
	"iter"
	"slices"

	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
)

// Raised is what winners of jackpots are owed in addition when a further part of
// their prizes is known.
type Raised struct {
	Shares money.Amount // of the further awards
	Prizes money.Amount // what of them is payable
	// Breakage is the rest. It can be negative: together with what was won before, a
	// share may come to a step that neither reached.
	Breakage money.Amount

	tickets []winner
}

// Raise returns what ways that have won a jackpot are owed in addition once further
// awards are known. Wins stand in the order of their tickets.
//
//rule:vic-keno-2015 21(i)
func (t *Terms) Raise(wins []JackpotWin, before, after []jackpot.Award) (*Raised, error) {
	raised := &Raised{}
	for _, w := range wins {
		place, err := placeKey(w.Ticket)
		if err != nil {
			return nil, err
		}
		first, err := t.Payable(w, before)
		if err != nil {
			return nil, err
		}
		then, err := t.Payable(w, after)
		if err != nil {
			return nil, err
		}
		old, err := jackpot.ShareOf(before, int(w.Spots), w.Winner)
		if err != nil {
			return nil, err
		}
		all, err := jackpot.ShareOf(after, int(w.Spots), w.Winner)
		if err != nil {
			return nil, err
		}
		raised.Shares += all - old
		raised.Prizes += then - first
		if then > first {
			raised.tickets = mergeWinners(raised.tickets, []winner{{place, uint64(then - first)}})
		}
	}
	raised.Breakage = raised.Shares - raised.Prizes
	return raised, nil
}

// All yields every ticket that is owed more, with how much more. Of nothing it yields nothing.
func (r *Raised) All() iter.Seq2[record.Place, money.Amount] {
	return func(yield func(record.Place, money.Amount) bool) {
		if r == nil {
			return
		}
		for _, w := range r.tickets {
			if !yield(placeOf(w.place), money.Amount(w.cents)) {
				return
			}
		}
	}
}

// Encode returns the winners file of the tickets that are owed more, with how much
// more it is.
func (r *Raised) Encode(s Settlement) []byte {
	return encodeWinners(s, nil, uint64(len(r.tickets)), r.Prizes, slices.Values(r.tickets))
}
