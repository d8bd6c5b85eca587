package house

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/games/keno"
	"drawhouse/house/timetable"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestClockSetAtTheClose sets the clock by an hour and by more than a day, forward and back,
// at the moment at which a game closes: just before the record that closes it, and just
// after. Behind that record nothing is sold for the game and nothing of it is cancelled,
// whatever the clock says; before it both are possible, though the clock is an hour past
// the close.
func TestClockSetAtTheClose(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, by := range []time.Duration{time.Hour, -time.Hour, 25 * time.Hour, -25 * time.Hour} {
		for _, closed := range []bool{false, true} {
			t.Run(fmt.Sprintf("by %v, closed %v", by, closed), func(t *testing.T) { tried += testClockSet(t, by, closed) })
		}
	}
	t.Logf("%d late sales and cancellations tried, 0 taken", tried)
}

func testClockSet(t *testing.T, by time.Duration, closed bool) (tried int) {
	b := newBench(t)
	b.run(func(time.Time) error { return errEnough }) // The first game is on sale.
	game := b.house.First().Games(1)[0]
	kept, back := b.sell(1, 3), b.sell(1, 4)
	b.clock.set(game.Closes.Time())
	turn := func() { must(t, b.house.First().TurnGame(t.Context(), game.Closes.Time().Add(config.Interval))) }
	if closed {
		turn()
	}
	b.clock.set(game.Closes.Time().Add(by))
	if !closed {
		if !b.sellsFor(game.Ref) || !b.cancels(back) {
			t.Error("a game that no record has closed takes no tickets")
		}
		turn()
	}
	late := func() {
		t.Helper()
		if b.sellsFor(game.Ref) || b.cancels(kept) {
			t.Fatal("after its close a ticket of the game was sold or cancelled")
		}
		tried += 2
	}
	late()
	steps := 0
	b.clock.wait = func(time.Time) error {
		late()
		if steps++; steps == 40 {
			return errEnough
		}
		if ordinal := b.house.First().seen().sale.ordinal; ordinal != 0 {
			b.sell(1, 2)
		}
		return nil
	}
	// A clock that was set back is behind the journal, and the timetable does not go on.
	if err := runUntilStopped(b); !errors.Is(err, errEnough) && !(by < 0 && errors.Is(err, timetable.ErrClock)) {
		t.Fatal(err)
	}
	if n := b.lateInJournal(); n != 0 {
		t.Errorf("the journal has %d late sales and cancellations", n)
	}
	if report := b.verify(); !report.OK() {
		t.Errorf("the second opinion differs: %+v", report.Failure)
	}
	return tried
}

// sellsFor reports whether a ticket can be bought for one game and no other; a refusal
// names its clause.
func (b *bench) sellsFor(game record.Game) bool {
	b.t.Helper()
	b.number++
	ticket, err := keno.ParseRequest(fmt.Appendf(nil,
		`{"v":1,"rulebook":%q,"first":{"day":"%v","game":%d},"games":1,"bets":[{"bet":"classic","spots":[7],"stake_cents":100}]}`, b.rules, game.Day, game.Number))
	must(b.t, err)
	_, err = b.house.Sell(b.t.Context(), record.Request{Terminal: 1, Number: b.number},
		Order{Terminal: 1, Method: rulebook.MethodVerbal, Ticket: ticket}, [32]byte{1}, 0)
	var refused *refusal.Refusal
	if err != nil && (!errors.As(err, &refused) || refused.Clause == "") {
		b.t.Fatal(err)
	}
	return err == nil
}

// lateInJournal counts tickets of one game that were sold, or cancelled, behind the record
// that closes it.
func (b *bench) lateInJournal() (late int) {
	b.t.Helper()
	head := b.head()
	ordinals, closed, first := map[record.Game]uint32{}, map[uint32]bool{}, map[record.Place]uint32{}
	must(b.t, b.store.Records(b.t.Context(), head.Volume, 0, head.Size, func(seq uint64, data []byte) error {
		r, err := record.Decode(data)
		switch body := r.Body.(type) {
		case *record.GameOpened:
			ordinals[body.Game] = body.Ordinal
		case *record.GameClosed:
			closed[ordinals[body.Game]] = true
		case *record.TicketSold:
			first[record.Place{Volume: head.Volume, Seq: seq}] = body.Ordinal
			if closed[body.Ordinal] {
				late++
			}
		case *record.TicketCancelled:
			if closed[first[body.Ticket]] {
				late++
			}
		}
		return err
	}))
	return late
}
