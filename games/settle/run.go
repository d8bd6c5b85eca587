package settle

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// ErrUncarried reports that prizes of the last closed game which become stakes of
// the next one are not known yet.
var ErrUncarried = errors.New("settle: prizes that run on are not carried yet")

// run is a way whose prize becomes the stake of the next game, as long as it wins.
// It is the only thing in Open that a result changes, and stands apart from the
// pages: a ticket that has nothing else takes these 32 bytes and no more.
type run struct {
	place  uint64
	amount uint64 // cents staked in its game, with what is for the multiplier
	calls  code
	first  uint32 // game
	row    uint16
	// Games are counted from the first: how many there are, in how many prizes are
	// multiplied, and which one the amount is staked in.
	games, multiplied, at uint8
	nth                   uint8 // which run of its ticket
	alone                 bool  // the ticket has only runs
}

// game returns the game that the amount is staked in.
func (r *run) game() uint32 { return r.first + uint32(r.at) }

// last returns the last game that the run may reach.
func (r *run) last() uint32 { return r.first + uint32(r.games) - 1 }

// isLast reports whether that is the last game.
func (r *run) isLast() bool { return r.at == r.games-1 }

// halved reports whether half of the amount is the stake on the multiplier.
//
//rule:vic-keno-2015 11(i)(i) 11(i)(ii)
func (r *run) halved() bool { return r.at < r.multiplied }

// addRuns adds the ways of a ticket that run.
func (o *Open) addRuns(p *Play, place uint64, alone bool) {
	nth := uint8(0)
	for i := range p.Ways {
		w := &p.Ways[i]
		if !w.Run {
			continue
		}
		o.runs = append(o.runs, run{
			place: place, amount: uint64(w.Stake + w.Multiplier.Stake), calls: callCode(w.Calls, p.First),
			first: p.First, row: uint16(o.row(w)),
			games: uint8(p.games()), multiplied: uint8(w.Multiplier.Games), nth: nth, alone: alone,
		})
		t := turn{ways: 1, runs: 1, stakes: w.Stake + w.Multiplier.Stake, multiplier: w.Multiplier.Stake}
		if alone && nth == 0 {
			t.plays = 1
		}
		o.enter(p.First, p.First, t)
		nth++
	}
}

// sameTicket returns how many runs at the head of a list are of one ticket.
func sameTicket(runs []run) int {
	n := 1
	for n < len(runs) && runs[n].place == runs[0].place {
		n++
	}
	return n
}

// inGame reports whether one of some runs is in a game.
func inGame(runs []run, ordinal uint32) bool {
	return slices.ContainsFunc(runs, func(r run) bool { return r.game() == ordinal })
}

// Carry is a prize that is not paid but staked in the next game.
type Carry struct {
	Ticket record.Place
	Run    uint8 // which of the ticket's ways that run, counted from 0
	Amount money.Amount
}

// Uncarried reports whether prizes of the last closed game are still to be
// carried, or found not to be. The next game cannot close before.
//
//rule:vic-keno-2015 2(a).let-it-run
func (o *Open) Uncarried() bool { return o.carried < o.closed && o.sum(o.closed).runs > 0 }

// Carry moves the prizes of a closed game on: what an [Outcome] carries becomes the
// stake of the next game, and a run of which it says nothing is over. What is
// wrong with a list is found before anything moves. Afterwards the game cannot be
// settled again from here. For a game without runs it does nothing.
//
//rule:vic-keno-2015 2(a).let-it-run 11(g)
func (o *Open) Carry(ordinal uint32, carries iter.Seq[Carry]) error {
	if ordinal > o.closed || ordinal <= o.dropped {
		return fmt.Errorf("settle: game %d: prizes of games %d to %d can be carried", ordinal, o.dropped+1, o.closed)
	}
	list := slices.Collect(carries)
	if err := o.checkCarries(ordinal, list); err != nil {
		return fmt.Errorf("settle: game %d: %w", ordinal, err)
	}
	if o.sum(ordinal).runs == 0 {
		return nil
	}
	if ordinal <= o.carried {
		return fmt.Errorf("settle: game %d: its prizes that run have moved on", ordinal)
	}
	kept, played := o.runs[:0], uint64(0)
	for _, r := range o.runs {
		if r.game() != ordinal {
			kept = append(kept, r)
			continue
		}
		if len(list) == 0 || compareCarry(list[0], &r) != 0 {
			o.ways--
			continue
		}
		r.amount, list = uint64(list[0].Amount), list[1:]
		r.at++
		kept = append(kept, r)
		t := turn{ways: 1, runs: 1, stakes: money.Amount(r.amount), carried: money.Amount(r.amount)}
		if r.halved() {
			t.multiplier = t.stakes / 2
		}
		if r.alone && r.place != played {
			t.plays, played = 1, r.place
		}
		o.enter(r.game(), r.game(), t)
	}
	o.runs, o.carried = kept, ordinal
	return nil
}

// checkCarries refuses a list that does not name runs of a game, in their order,
// that have a game to go to.
func (o *Open) checkCarries(ordinal uint32, list []Carry) error {
	i := 0
	for _, c := range list {
		for i < len(o.runs) && (compareCarry(c, &o.runs[i]) > 0) {
			i++
		}
		if i == len(o.runs) || compareCarry(c, &o.runs[i]) != 0 || o.runs[i].game() != ordinal || o.runs[i].isLast() ||
			c.Amount <= 0 {
			return fmt.Errorf("run %d of ticket %v carries %v", c.Run, c.Ticket, c.Amount)
		}
		i++
	}
	return nil
}

// compareCarry compares what is carried with a run, in the order of runs.
func compareCarry(c Carry, r *run) int {
	place := placeOf(r.place)
	return cmp.Or(cmp.Compare(c.Ticket.Volume, place.Volume), cmp.Compare(c.Ticket.Seq, place.Seq),
		cmp.Compare(c.Run, r.nth))
}

// Run is a way whose prize runs, as it stands.
type Run struct {
	Ticket  record.Place
	Run     uint8 // which of the ticket's ways that run, counted from 0
	Ordinal uint32
	Amount  money.Amount // staked in that game, with what is for the multiplier
	Carried bool         // the amount is a prize of the game before; otherwise it was paid for the ticket
}

// state returns the run as it stands.
func (r *run) state() Run {
	return Run{placeOf(r.place), r.nth, r.game(), money.Amount(r.amount), r.at > 0}
}

// Runs yields the ways that run, in the order of their tickets.
func (o *Open) Runs() iter.Seq[Run] {
	return func(yield func(Run) bool) {
		for i := range o.runs {
			if !yield(o.runs[i].state()) {
				return
			}
		}
	}
}
