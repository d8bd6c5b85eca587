package settle

import (
	"drawhouse/money"
	"drawhouse/record"
)

// Holding is what a ticket still has in games that are not settled.
type Holding struct {
	Last uint32 // its last game
	Runs []Run
}

// Holding returns what a ticket has left to play, and whether it has anything.
func (o *Open) Holding(ticket record.Place) (h Holding, ok bool) {
	place, err := placeKey(ticket)
	if err != nil {
		return Holding{}, false
	}
	if page, i := o.find(place); page != nil {
		h.Last, ok = page.last(i), page.last(i) > o.dropped
	}
	for _, r := range o.runsOf(place) {
		h.Last, ok = max(h.Last, r.last()), true
		h.Runs = append(h.Runs, r.state())
	}
	return h, ok
}

// Needs returns those of a play's games, from its first on, that it takes to find
// its prize in the last of them: all of them if a prize runs from one to the next,
// and otherwise the last alone.
func (p *Play) Needs(games []Game) []Game {
	if p.runs() || len(games) == 0 {
		return games
	}
	return games[len(games)-1:]
}

// StakesIn returns what a play has staked in a game, features included. What runs is
// not counted, unless it was cancelled in its first game and goes no further.
func (p *Play) StakesIn(ordinal uint32) money.Amount {
	if ordinal < p.First || ordinal > p.Last {
		return 0
	}
	var sum money.Amount
	for i := range p.Ways {
		w := &p.Ways[i]
		if w.Run && p.First != p.Last {
			continue
		}
		sum += w.Stake
		for _, side := range []Side{w.Multiplier, w.LuckyLast} {
			if side.in(int(ordinal - p.First)) {
				sum += side.Stake
			}
		}
	}
	return sum
}
