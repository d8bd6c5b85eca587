package settle

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// ErrNotOpen reports a ticket that has no game left which could be cancelled.
var ErrNotOpen = errors.New("settle: the ticket has no such game")

// Cancel takes a ticket out of all its games after one, which is a closed game at
// least: nothing leaves a game after its seal. A ticket that has no game left is
// gone.
//
// A prize that runs has then no further game to go to. If it stands in a game that
// is closed, that game becomes its last, and what it wins there is payable. If it
// stands in a game that is cancelled, it is over and among those that are returned:
// one that was carried is due as a prize, and what was paid for the first game is
// refunded. What other ways have paid for the games is not known here.
//
//rule:vic-keno-2015 2(a).let-it-run
func (o *Open) Cancel(ticket record.Place, last uint32) (ended []Run, err error) {
	place, err := placeKey(ticket)
	if err != nil {
		return nil, err
	}
	if last < o.closed {
		return nil, fmt.Errorf("%w: ticket %v is cancelled after game %d, and %d is closed", ErrClosed, ticket, last,
			o.closed)
	}
	page, i := o.find(place)
	runs := o.runsOf(place)
	if (page == nil || page.last(i) <= last) && !slices.ContainsFunc(runs, func(r run) bool { return r.last() > last }) {
		return nil, fmt.Errorf("%w: ticket %v is cancelled after game %d", ErrNotOpen, ticket, last)
	}
	if page != nil && page.last(i) > last {
		o.cancelWays(page, i, last)
	}
	return o.cancelRuns(runs, last), nil
}

// find returns where a ticket stands that has ways which do not run, or no page.
func (o *Open) find(place uint64) (*page, int) {
	k, found := slices.BinarySearchFunc(o.pages, place,
		func(p *page, place uint64) int { return cmp.Compare(p.base, place) })
	if !found {
		k--
	}
	if k < 0 || place-o.pages[k].base > uint64(^uint32(0)) {
		return nil, 0
	}
	p := o.pages[k]
	i, found := slices.BinarySearch(p.offset[:p.n], uint32(place-p.base))
	if !found {
		return nil, 0
	}
	return p, i
}

// cancelWays lowers the end of a ticket and takes what its ways stake after that
// out of the games. It looks through the columns of its page.
func (o *Open) cancelWays(p *page, i int, last uint32) {
	t := cancelled{open: o, page: p, ticket: uint16(i), from: max(last+1, p.first[i]), last: p.last(i)}
	for k := range p.columns {
		c := &p.columns[k]
		for lane, ticket := range c.ticket[:c.n] {
			if ticket == t.ticket {
				t.way(int(c.row), c.stake[lane], c.side.take(lane))
			}
		}
	}
	for k := range p.codes {
		c := &p.codes[k]
		for lane, ticket := range c.ticket[:c.n] {
			if ticket == t.ticket {
				t.way(int(c.row), c.stake[lane], c.side.take(lane))
			}
		}
	}
	t.leave(t.last, turn{plays: 1})
	p.cut(i, last)
}

// cancelled is a ticket that leaves its games from one to the last.
type cancelled struct {
	open       *Open
	page       *page
	ticket     uint16
	from, last uint32
}

// leave takes something that is in the games up to one out of those that are
// cancelled.
func (t *cancelled) leave(until uint32, what turn) {
	if until >= t.from {
		t.open.enter(t.from, until, what.minus())
	}
}

// way takes one way out of the games.
func (t *cancelled) way(row int, stake uint32, with extras) {
	o, first := t.open, t.page.first[t.ticket]
	t.leave(t.last, turn{ways: 1, stakes: money.Amount(stake)})
	o.enterStake(row, t.from, t.last, -money.Amount(stake))
	if with.multiplied != 0 {
		// It costs as much as the way in each game that has it.
		t.leave(first+uint32(with.multiplied)-1, turn{stakes: money.Amount(stake), multiplier: money.Amount(stake)})
	}
	if with.lucky != 0 {
		until := t.last
		if with.luckyGames != maxGames {
			until = first + uint32(with.luckyGames) - 1
		}
		t.leave(until, turn{stakes: money.Amount(with.lucky), luckyLast: money.Amount(with.lucky)})
	}
}

// cut makes a game the last of a ticket. One that has no game left is in game 0,
// which there is not.
func (p *page) cut(i int, last uint32) {
	if last < p.first[i] {
		p.first[i], p.more[i], last = 0, 0, 0
	} else {
		p.more[i] = uint16(last - p.first[i])
	}
	all := &p.spans[i/64]
	all.last = min(all.last, last)
}

// runsOf returns the runs of a ticket.
func (o *Open) runsOf(place uint64) []run {
	k, found := slices.BinarySearchFunc(o.runs, place,
		func(r run, place uint64) int { return cmp.Compare(r.place, place) })
	if !found {
		return nil
	}
	return o.runs[k:][:sameTicket(o.runs[k:])]
}

// cancelRuns ends runs of a ticket after a game. Those of one ticket all stand in
// the same game.
func (o *Open) cancelRuns(runs []run, last uint32) (ended []Run) {
	for i := range runs {
		r := &runs[i]
		if r.last() <= last {
			continue
		}
		if r.game() <= last {
			r.games = uint8(last-r.first) + 1
			continue
		}
		t := turn{ways: 1, runs: 1, stakes: money.Amount(r.amount)}
		if r.halved() {
			t.multiplier = t.stakes / 2
		}
		if r.at > 0 {
			t.carried = t.stakes
		}
		if r.alone && len(ended) == 0 {
			t.plays = 1
		}
		o.enter(r.game(), r.game(), t.minus())
		o.ways--
		ended = append(ended, r.state())
	}
	if ended != nil {
		place := runs[0].place
		o.runs = slices.DeleteFunc(o.runs, func(r run) bool { return r.place == place })
	}
	return ended
}
