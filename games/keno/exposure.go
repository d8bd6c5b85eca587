package keno

import (
	"slices"
	"strconv"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// Exposure is what a ticket adds to the money that all tickets together may put
// on one outcome of one game. A person who knows the other tickets refuses with
// [OutcomeFull] a ticket whose stake would lift the sum above Max in any of
// its games, and gives the stake back when the ticket is cancelled.
type Exposure struct {
	Outcome string       // heads_or_tails/heads, racing/trifecta 3-5-7 or standard/3 17 42
	First   int          // the first game of the ticket, counted from 0, that it is for
	Games   int          // and how many games from there on
	Stake   money.Amount // in each of them
	Max     money.Amount
	Clause  string
}

// Exposures returns what a ticket that [Desk.Quote] has accepted adds to the
// outcomes that the rulebook bounds, in a fixed order. Of a bet whose prize
// becomes the next stake only the first game is known when it is sold; what it
// carries on is added when it is carried.
//
//rule:tas-keno-2023 21.2(c) 21.2(c)(i) 21.2(c)(ii)
func (d *Desk) Exposures(t Ticket) []Exposure {
	var all []Exposure
	for i := range d.limits {
		l := &d.limits[i]
		if l.Measure != rulebook.MeasureAggregate || l.Max == nil {
			continue
		}
		for j := range t.Bets {
			all = d.expose(all, l, &t.Bets[j], t.Games)
		}
	}
	return all
}

// expose adds what one bet adds to the outcomes of l.
func (d *Desk) expose(all []Exposure, l *rulebook.Limit, b *Bet, games int) []Exposure {
	if l.Bets != nil && !slices.Contains(l.Bets, b.Bet) {
		return all
	}
	spans, span := 1, games // One span of all games, or one of one game for each call.
	switch {
	case b.Run:
		span = 1
	case len(b.Calls) > 1:
		spans, span = len(b.Calls), 1
	}
	for first := range spans {
		for way := range d.Ways(b, first) {
			if name, ok := way.outcome(b, l.Outcomes); ok {
				all = append(all, Exposure{Outcome: b.Bet + "/" + name, First: first, Games: span,
					Stake: b.Stake, Max: l.Max.Amount(), Clause: rulebook.Quoted(l.Clause)})
			}
		}
	}
	return all
}

// outcome returns the outcome that w stakes on, and whether it is one of those
// named: a call, a racing type, or any if none is named.
func (w Way) outcome(b *Bet, named []string) (string, bool) {
	switch b.Shape() {
	case ShapeCalls:
		return w.Call.String(), named == nil || slices.Contains(named, w.Call.String())
	case ShapeRace:
		text := []byte(b.Type)
		for i, row := range w.Rows {
			if row == 0 {
				break
			}
			text = append(text, " -"[min(i, 1)])
			text = strconv.AppendUint(text, uint64(row), 10)
		}
		return string(text), named == nil || slices.Contains(named, b.Type)
	}
	return w.Spots.String(), named == nil
}
