package settle

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"drawhouse/ball"
	"drawhouse/money"
	"drawhouse/record"
)

// The bounds of what [Open] holds. Each is far above what a rulebook allows; they
// are what lets the pass add and multiply without looking for overflow.
const (
	maxSeq = 1<<48 - 1
	// Stakes are below 2^32 cents and ways fewer than 2^31, so that the stakes of
	// a game always fit an amount.
	maxStake = math.MaxUint32
	maxWays  = math.MaxInt32
	// maxAhead bounds how many games ahead of the last closed one a ticket may
	// play.
	maxAhead = 1 << 17
)

// ErrClosed reports a ticket for a game that is closed: nothing enters a game
// after its seal.
var ErrClosed = errors.New("settle: game is closed")

// Way is one way of a ticket: in every game it wins or loses on its own.
type Way struct {
	Bet   string   // id of the rulebook's bet
	Spots ball.Set // of keno's numbers, at least one
	Stake money.Amount
}

// Play is a ticket that plays the same ways in the games First to Last.
type Play struct {
	Ticket      record.Place
	First, Last uint32 // ordinals
	Ways        []Way
}

// Totals say what is in a game.
type Totals struct {
	Plays  uint64 // tickets
	Ways   uint64
	Stakes money.Amount
}

// Open holds the plays of one series that still run. It belongs to one
// goroutine.
//
// Tickets stand in the order of their places. A ticket's end is in one place,
// its own entry, so that a cancellation is a lower end and nothing else moves.
type Open struct {
	closed  uint32 // the last game that is closed
	dropped uint32 // the last game whose plays may be forgotten
	last    uint64 // place of the last ticket added
	rows    []row
	pages   []*page
	spare   columns

	// turns[i] says what changes with game dropped+1+i, but for the first, which
	// says what is in it.
	turns []turn
	ways  uint64 // in the pages, those that play no more included
}

// row is a bet and a size: the line of a prize table that applies to a way. Ways
// know their row by its index, so that they keep it when a later edition of the
// rulebook lists its bets in another order.
type row struct {
	bet  string
	size int
}

// turn is how the totals of a game differ from those of the game before.
type turn struct {
	plays, ways int64
	stakes      money.Amount
}

// NewOpen returns no plays, in a series whose games up to closed are closed and
// settled; 0 for a new series.
func NewOpen(closed uint32) *Open { return &Open{closed: closed, dropped: closed} }

// Add adds a ticket. Tickets are added in the order of their places, for games
// that are not closed. What is wrong with a play is found before anything is
// added; Open keeps nothing of p.
func (o *Open) Add(p Play) error {
	place, err := placeKey(p.Ticket)
	if err != nil {
		return err
	}
	stakes, err := o.check(p, place)
	if err != nil {
		return fmt.Errorf("settle: ticket %v: %w", p.Ticket, err)
	}
	page := o.page(1, place)
	index := page.addTicket(place, p.First, p.Last)
	for _, w := range p.Ways {
		lo, hi := w.Spots.Bits()
		page.addWay(o.row(w), spots{lo, hi}, uint32(w.Stake), index, &o.spare)
	}
	o.last = place
	o.ways += uint64(len(p.Ways))
	o.turn(p.First).enter(len(p.Ways), stakes)
	o.turn(p.Last+1).leave(len(p.Ways), stakes)
	return nil
}

// check returns the stakes of a play in one game, or what is wrong with it.
func (o *Open) check(p Play, place uint64) (money.Amount, error) {
	switch {
	case p.First <= o.closed:
		return 0, fmt.Errorf("%w: first game %d, and %d is closed", ErrClosed, p.First, o.closed)
	case p.Last < p.First || p.Last-o.closed > maxAhead:
		return 0, fmt.Errorf("games %d to %d, with %d closed", p.First, p.Last, o.closed)
	case place <= o.last:
		return 0, fmt.Errorf("not after ticket %v, which was added before", placeOf(o.last))
	case len(p.Ways) == 0:
		return 0, errors.New("no way")
	case o.ways+uint64(len(p.Ways)) > maxWays:
		return 0, fmt.Errorf("more than %d ways are open", maxWays)
	}
	var stakes money.Amount
	for i, w := range p.Ways {
		if w.Bet == "" || w.Spots.Universe() != ball.Keno || w.Spots.Len() == 0 || w.Stake <= 0 || w.Stake > maxStake {
			return 0, fmt.Errorf("way %d is %q on %q for %v", i+1, w.Bet, w.Spots, w.Stake)
		}
		stakes += w.Stake
	}
	return stakes, nil
}

// row returns the index of a way's row, a new one if need be.
func (o *Open) row(w Way) int {
	size := w.Spots.Len()
	for i := range o.rows {
		if o.rows[i].size == size && o.rows[i].bet == w.Bet {
			return i
		}
	}
	o.rows = append(o.rows, row{w.Bet, size})
	return len(o.rows) - 1
}

// page returns the last page, or a new one if the last has no room for so many
// tickets up to a place.
func (o *Open) page(tickets int, last uint64) *page {
	if n := len(o.pages); n > 0 && o.pages[n-1].hasRoom(tickets, last) {
		return o.pages[n-1]
	}
	p := new(page)
	o.pages = append(o.pages, p)
	return p
}

// turn returns the turn of a game that is not dropped.
func (o *Open) turn(ordinal uint32) *turn {
	i := int(ordinal - o.dropped - 1)
	for len(o.turns) <= i {
		o.turns = append(o.turns, turn{})
	}
	return &o.turns[i]
}

func (t *turn) enter(ways int, stakes money.Amount) {
	t.plays++
	t.ways += int64(ways)
	t.stakes += stakes
}

func (t *turn) leave(ways int, stakes money.Amount) {
	t.plays--
	t.ways -= int64(ways)
	t.stakes -= stakes
}

// Close closes the next game and returns what is in it. From then on no ticket
// enters it; what is sold meanwhile plays from a later game and does not take
// part in its pass. Games close one after the other.
func (o *Open) Close(ordinal uint32) (Totals, error) {
	if ordinal != o.closed+1 {
		return Totals{}, fmt.Errorf("settle: game %d closes after game %d", ordinal, o.closed)
	}
	o.closed = ordinal
	return o.Totals(ordinal), nil
}

// Closed returns the last game that is closed.
func (o *Open) Closed() uint32 { return o.closed }

// Totals returns what is in a game so far. Nothing is in a game that is dropped.
func (o *Open) Totals(ordinal uint32) Totals {
	if ordinal <= o.dropped {
		return Totals{}
	}
	var sum turn
	for _, t := range o.turns[:min(int(ordinal-o.dropped), len(o.turns))] {
		sum.plays += t.plays
		sum.ways += t.ways
		sum.stakes += t.stakes
	}
	return Totals{uint64(sum.plays), uint64(sum.ways), sum.stakes}
}

// Tickets yields the tickets in a game that is not dropped, in the order of their
// places.
func (o *Open) Tickets(ordinal uint32) iter.Seq[record.Place] {
	return func(yield func(record.Place) bool) {
		for _, p := range o.pages {
			for i := range p.n {
				if p.plays(i, ordinal) && !yield(placeOf(p.place(i))) {
					return
				}
			}
		}
	}
}

// Plays yields the tickets that still run, in the order of their places, without
// their ways: those follow from the tickets' records.
func (o *Open) Plays() iter.Seq[Play] {
	return func(yield func(Play) bool) {
		for _, p := range o.pages {
			for i := range p.n {
				if p.last[i] > o.dropped && !yield(Play{Ticket: placeOf(p.place(i)), First: p.first[i], Last: p.last[i]}) {
					return
				}
			}
		}
	}
}

// Drop forgets the plays whose last game is ordinal or an earlier one; games up
// to it must be closed, and cannot be settled again from here. Memory is kept for
// the tickets of later games.
func (o *Open) Drop(ordinal uint32) error {
	if ordinal > o.closed {
		return fmt.Errorf("settle: game %d is dropped, and %d is the last closed", ordinal, o.closed)
	}
	for ; o.dropped < ordinal; o.dropped++ {
		if len(o.turns) < 2 {
			o.turns = nil
			continue
		}
		over, next := o.turns[0], &o.turns[1]
		next.plays += over.plays
		next.ways += over.ways
		next.stakes += over.stakes
		o.turns = o.turns[1:]
	}
	o.compact()
	return nil
}

// compact makes room. A page of which less than a quarter of the tickets is dead
// stays as it is, so that to drop a ticket costs little however many others run
// on. What is left of another page goes to the page before it, if that has room,
// and to a new one otherwise.
func (o *Open) compact() {
	pages := o.pages
	o.pages = nil
	for _, p := range pages {
		live := p.live(o.dropped)
		switch {
		case 4*(p.n-live) < p.n:
			o.pages = append(o.pages, p)
		case live == 0:
			o.ways -= p.moveTo(nil, o.dropped, &o.spare)
		default:
			o.ways -= p.moveTo(o.page(live, p.place(p.n-1)), o.dropped, &o.spare)
		}
	}
}
