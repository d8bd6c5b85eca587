package settle

import (
	"fmt"
	"iter"
	"slices"

	"drawhouse/journal/record"
)

// Defer lets the plays of a closed game that has no result be played along with the
// next game that has one: each is a play of its own there, beside what the ticket
// has in that game anyway, under the features and calls that it had in its own. It
// must not be dropped meanwhile; it goes with the game that it is played with.
//
// A prize that runs goes through a void game by itself, see [Void], and a game with
// such prizes cannot be deferred.
//
//rule:casino-keno-div2 11.6
func (o *Open) Defer(ordinal uint32) error {
	switch {
	case ordinal != o.closed || ordinal <= o.dropped || slices.Contains(o.deferred, ordinal):
		return fmt.Errorf("settle: game %d cannot be deferred; %d is the last closed", ordinal, o.closed)
	case o.sum(ordinal).runs > 0:
		return fmt.Errorf("settle: game %d has prizes that run, and cannot be deferred", ordinal)
	}
	o.deferred = append(o.deferred, ordinal)
	return nil
}

// Deferred returns the games whose plays wait for the next one, ascending. The
// caller must not change them.
func (o *Open) Deferred() []uint32 { return o.deferred }

// DeferredTotals returns what is in them. None of it is paid again.
func (o *Open) DeferredTotals() (all Totals) {
	for _, ordinal := range o.deferred {
		t := o.Totals(ordinal)
		all.Plays += t.Plays
		all.Ways += t.Ways
		all.Stakes += t.Stakes
		all.Multiplier += t.Multiplier
		all.LuckyLast += t.LuckyLast
	}
	return all
}

// AllTickets yields the tickets in a game and in those that are played along with
// it, game by game. A ticket can be among them more than once.
func (o *Open) AllTickets(ordinal uint32) iter.Seq[record.Place] {
	return func(yield func(record.Place) bool) {
		for _, game := range append([]uint32{ordinal}, o.deferred...) {
			for place := range o.Tickets(game) {
				if !yield(place) {
					return
				}
			}
		}
	}
}

// sweepDeferred goes through the ways of the games that are played along.
func (p *pass) sweepDeferred() error {
	own, winners := p.ordinal, p.winners
	defer func() { p.ordinal = own }()
	for _, game := range p.open.deferred {
		if game == own {
			continue
		}
		p.ordinal = game
		p.winners = newWinners()
		if err := p.sweepPages(); err != nil {
			return err
		}
		for _, part := range p.winners.parts {
			winners.merge(part)
		}
	}
	p.winners = winners
	return nil
}

func newWinners() (none winners) { return none }
