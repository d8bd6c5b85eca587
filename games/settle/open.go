package settle

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"drawhouse/core/digest"
	"drawhouse/journal/record"
)

// ErrClosed reports a ticket for a game that is closed: nothing enters a game
// after its seal.
var ErrClosed = errors.New("settle: game is closed")

// Open holds the plays of one series that still run. It belongs to one
// goroutine.
//
// Tickets stand in the order of their places. A ticket's end is in one place,
// its own entry, so that a cancellation is a lower end and nothing else moves.
// Ways whose prizes become the next stake are apart, see run.
type Open struct {
	closed  uint32 // the last game that is closed
	carried uint32 // the last game whose prizes that run have moved on
	dropped uint32 // the last game whose plays may be forgotten
	last    uint64 // place of the last ticket added
	rows    []row
	pages   []*page
	spare   columns
	runs    []run // in the order of their tickets

	// turns[i] says what changes with game dropped+1+i, but for the first, which
	// says what is in it.
	turns []turn
	// stakes are the stakes on the ways of each row that do not run; how many rows
	// have any is seen when the first comes.
	stakes   []stakeTurns
	ways     uint64   // in the pages and in runs, those that play no more included
	deferred []uint32 // games that are played along with the next, ascending
}

// row is what ways have in common that win by the same line of a prize table.
// Ways know their row by its index, so that they keep it when a later edition of
// the rulebook lists its bets in another order.
type row struct {
	form     form
	featured bool // a way may have features; of others none has
	size     int  // spots, or rows of a race
	bet      string
	kind     string // of race
}

// row returns the row of a way.
func (w *Way) row() row {
	r := row{form: w.form(), bet: w.Bet, kind: w.Type, featured: w.Multiplier.Stake != 0 || w.LuckyLast.Stake != 0}
	switch r.form {
	case formNumbers:
		r.size = w.Spots.Len()
	case formRace:
		r.size = w.places()
	}
	return r
}

// String says what the ways of r play.
func (r row) String() string {
	switch r.form {
	case formNumbers:
		return fmt.Sprintf("%s on %d spots", r.bet, r.size)
	case formRace:
		return fmt.Sprintf("%s %s with %d rows", r.bet, r.kind, r.size)
	}
	return r.bet
}

// NewOpen returns no plays, in a series whose games up to closed are closed and
// settled; 0 for a new series.
func NewOpen(closed uint32) *Open { return &Open{closed: closed, carried: closed, dropped: closed} }

// Add adds a ticket. Tickets are added in the order of their places, for games
// that are not closed. What is wrong with a play is found before anything is
// added; Open keeps nothing of p.
func (o *Open) Add(p Play) error {
	place, err := placeKey(p.Ticket)
	if err != nil {
		return err
	}
	if err := o.check(&p, place); err != nil {
		return fmt.Errorf("settle: ticket %v: %w", p.Ticket, err)
	}
	o.last = place
	o.ways += uint64(len(p.Ways))
	var all turn // what is in every game
	for i := range p.Ways {
		if w := &p.Ways[i]; !w.Run {
			all.ways++
			all.stakes += w.Stake
		}
	}
	if all.ways > 0 {
		all.plays = 1
		o.enter(p.First, p.Last, all)
		o.addWays(&p, place)
	}
	if int(all.ways) < len(p.Ways) {
		o.addRuns(&p, place, all.ways == 0)
	}
	return nil
}

// check returns what is wrong with a play.
func (o *Open) check(p *Play, place uint64) error {
	switch {
	case p.First <= o.closed:
		return fmt.Errorf("%w: first game %d, and %d is closed", ErrClosed, p.First, o.closed)
	case p.Last < p.First || p.Last-o.closed > maxAhead || p.games() > maxGames:
		return fmt.Errorf("games %d to %d, with %d closed", p.First, p.Last, o.closed)
	case place <= o.last:
		return fmt.Errorf("not after ticket %v, which was added before", placeOf(o.last))
	case len(p.Ways) == 0:
		return errors.New("no way")
	case o.ways+uint64(len(p.Ways)) > maxWays:
		return fmt.Errorf("more than %d ways are open", maxWays)
	}
	for i := range p.Ways {
		if err := p.Ways[i].check(p.games()); err != nil {
			return fmt.Errorf("way %d, %q on %q for %v: %w", i+1, p.Ways[i].Bet, p.Ways[i].In(0), p.Ways[i].Stake, err)
		}
	}
	return nil
}

// addWays adds the ways of a ticket that do not run.
func (o *Open) addWays(p *Play, place uint64) {
	page := o.page(1, place)
	index := page.addTicket(place, p.First, uint16(p.Last-p.First))
	for i := range p.Ways {
		w := &p.Ways[i]
		if w.Run {
			continue
		}
		e := entry{stake: uint32(w.Stake), ticket: index}
		row := o.row(w)
		o.enterStake(row, p.First, p.Last, w.Stake)
		if o.rows[row].featured {
			o.addFeatures(p, w, &e.with)
		}
		switch o.rows[row].form {
		case formNumbers:
			e.lo, e.hi = w.Spots.Bits()
			if o.rows[row].size <= drawn {
				e.way = uint32(i)
			}
			page.addWay(row, &e, &o.spare)
		case formCalls:
			e.code = callCode(w.Calls, p.First)
			page.addCode(row, &e, &o.spare)
		case formRace:
			e.code = rowCode(w.Rows)
			page.addCode(row, &e, &o.spare)
		}
	}
}

// addFeatures counts the features of a way in and notes them.
func (o *Open) addFeatures(p *Play, w *Way, with *extras) {
	if side := w.Multiplier; side.Stake != 0 {
		o.enter(p.First, p.First+uint32(side.Games)-1, turn{stakes: side.Stake, multiplier: side.Stake})
		with.multiplied = uint16(side.Games)
	}
	if side := w.LuckyLast; side.Stake != 0 {
		o.enter(p.First, p.First+uint32(side.Games)-1, turn{stakes: side.Stake, luckyLast: side.Stake})
		with.lucky, with.luckyGames = uint32(side.Stake), uint16(side.Games)
		if side.Games == p.games() {
			with.luckyGames = maxGames
		}
	}
}

// row returns the index of a way's row, a new one if need be.
func (o *Open) row(w *Way) int {
	r := w.row()
	for i := range o.rows {
		if o.rows[i] == r {
			return i
		}
	}
	o.rows = append(o.rows, r)
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

// Close closes the next game and returns what is in it. From then on no ticket
// enters it; what is sold meanwhile plays from a later game and does not take
// part in its pass. Games close one after the other, and a game into which
// prizes of the one before may run closes after these are known: until then the
// error is [ErrUncarried].
func (o *Open) Close(ordinal uint32) (Totals, error) {
	if ordinal != o.closed+1 {
		return Totals{}, fmt.Errorf("settle: game %d closes after game %d", ordinal, o.closed)
	}
	if o.Uncarried() {
		return Totals{}, fmt.Errorf("%w: game %d closes after game %d is settled", ErrUncarried, ordinal, o.closed)
	}
	o.closed = ordinal
	return o.Totals(ordinal), nil
}

// Closed returns the last game that is closed.
func (o *Open) Closed() uint32 { return o.closed }

// Tickets yields the tickets in a game that is not dropped, in the order of their
// places. A ticket all of whose ways run is in a game if a prize or its first
// stake is, and once the game's prizes have moved on it is in it no more.
func (o *Open) Tickets(ordinal uint32) iter.Seq[record.Place] {
	return func(yield func(record.Place) bool) {
		runs := o.runs
		// runsUpTo yields the tickets up to a place that have nothing but runs.
		runsUpTo := func(place uint64) bool {
			for len(runs) > 0 && runs[0].place <= place {
				ticket := runs[:sameTicket(runs)]
				runs = runs[len(ticket):]
				if ticket[0].alone && inGame(ticket, ordinal) && !yield(placeOf(ticket[0].place)) {
					return false
				}
			}
			return true
		}
		for _, p := range o.pages {
			for i := range p.n {
				if p.plays(i, ordinal) && !(runsUpTo(p.place(i)) && yield(placeOf(p.place(i)))) {
					return
				}
			}
		}
		runsUpTo(math.MaxUint64)
	}
}

// Plays yields the tickets that still run, in the order of their places, without
// their ways: those follow from the tickets' records. A ticket all of whose ways
// run is among [Open.Runs] only.
func (o *Open) Plays() iter.Seq[Play] {
	return func(yield func(Play) bool) {
		for _, p := range o.pages {
			for i := range p.n {
				if p.last(i) > o.dropped && !yield(Play{Ticket: placeOf(p.place(i)), First: p.first[i],
					Last: p.last(i)}) {
					return
				}
			}
		}
	}
}

// Furthest returns the last game of all tickets that still run; 0 where none does.
func (o *Open) Furthest() (last uint32) {
	for p := range o.Plays() {
		last = max(last, p.Last)
	}
	for i := range o.runs {
		last = max(last, o.runs[i].last())
	}
	return last
}

// Digest writes which games are closed, which wait, and what runs. The ways of a ticket follow from its record, so that
// its place and games say it all.
func (o *Open) Digest(w *digest.Writer) {
	for _, n := range []uint32{o.closed, o.carried, o.dropped} {
		w.Number(uint64(n))
	}
	w.Number(o.last)
	w.Number(uint64(len(o.deferred)))
	for _, ordinal := range o.deferred {
		w.Number(uint64(ordinal))
	}
	for _, p := range o.pages {
		for i := range p.n {
			if p.last(i) > o.dropped {
				w.Number(p.place(i))
				w.Number(uint64(p.first[i])<<32 | uint64(p.last(i)))
			}
		}
	}
	w.Number(0) // No ticket is at this place.
	for i := range o.runs {
		r := &o.runs[i]
		w.Number(r.place)
		w.Number(uint64(r.nth)<<32 | uint64(r.game()))
		w.Number(r.amount)
	}
}

// Drop forgets the plays whose last game is ordinal or an earlier one; games up
// to it must be closed, and cannot be settled again from here. Memory is kept for
// the tickets of later games.
func (o *Open) Drop(ordinal uint32) error {
	switch {
	case ordinal > o.closed:
		return fmt.Errorf("settle: game %d is dropped, and %d is the last closed", ordinal, o.closed)
	case ordinal == o.closed && o.Uncarried():
		return fmt.Errorf("%w: game %d is dropped", ErrUncarried, ordinal)
	}
	for o.dropped < ordinal {
		o.forgetTurn()
	}
	o.deferred = slices.DeleteFunc(o.deferred, func(game uint32) bool { return game <= ordinal })
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
