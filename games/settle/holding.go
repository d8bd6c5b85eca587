package settle

import (
	"maps"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
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

// Unwon returns the stakes of ways that ran through some games, all those of the play, of
// which none has a result: they go back with the last, if that says so.
//
//rule:vic-keno-2015 2(a).let-it-run
func (p *Play) Unwon(games []Game) (sum money.Amount) {
	last := &games[len(games)-1]
	if !last.Unwon || last.Ordinal != p.Last || p.First == p.Last ||
		slices.ContainsFunc(games, func(g Game) bool { return g.Numbers.IsValid() }) {
		return 0
	}
	for i := range p.Ways {
		if w := &p.Ways[i]; w.Run {
			sum += w.Stake + w.Multiplier.Stake
		}
	}
	return sum
}

// Back is a stake of a ticket that goes back.
type Back struct {
	Ticket record.Place
	Cents  money.Amount
}

// Back returns the stakes in some closed games that go back if the last of them has no
// result and nothing is played along, by ticket: the last game, and those that were played
// along with it. Of what runs it has the stakes that have won nothing and go no further;
// since is as in [Void].
//
//rule:casino-keno-div2 11.6
func (o *Open) Back(ordinal uint32, along []uint32, since uint32) []Back {
	sums := map[uint64]money.Amount{}
	for _, game := range append([]uint32{ordinal}, along...) {
		for _, p := range o.pages {
			in := p.playing(game)
			p.eachStake(func(ticket uint16, stake uint32, with extras) {
				if in.has(ticket) {
					sums[p.place(int(ticket))] += p.stakeIn(ticket, game, stake, with)
				}
			})
		}
	}
	for i := range o.runs {
		if r := &o.runs[i]; r.game() == ordinal && r.isLast() && r.first >= since {
			sums[r.place] += money.Amount(r.amount)
		}
	}
	all := make([]Back, 0, len(sums))
	for _, place := range slices.Sorted(maps.Keys(sums)) {
		all = append(all, Back{placeOf(place), sums[place]})
	}
	return all
}

// eachStake calls do for every way of a page.
func (p *page) eachStake(do func(ticket uint16, stake uint32, with extras)) {
	for k := range p.columns {
		c := &p.columns[k]
		for lane, ticket := range c.ticket[:c.n] {
			do(ticket, c.stake[lane], c.side.take(lane))
		}
	}
	for k := range p.codes {
		c := &p.codes[k]
		for lane, ticket := range c.ticket[:c.n] {
			do(ticket, c.stake[lane], c.side.take(lane))
		}
	}
}

// stakeIn returns what a way stakes in a game that its ticket plays, features included.
func (p *page) stakeIn(ticket uint16, game, stake uint32, with extras) money.Amount {
	sum, nth := money.Amount(stake), game-p.first[ticket]
	if nth < uint32(with.multiplied) {
		sum += money.Amount(stake) // It costs as much as the way.
	}
	if nth < uint32(with.luckyGames) {
		sum += money.Amount(with.lucky)
	}
	return sum
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
