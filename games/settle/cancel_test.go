package settle

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// cut returns a play without its games after one, and whether any is left.
func (p Play) cut(last uint32) (Play, bool) {
	if last >= p.Last {
		return p, true
	}
	if last < p.First {
		return Play{}, false
	}
	p.Last = last
	p.Ways = slices.Clone(p.Ways)
	for i := range p.Ways {
		w := &p.Ways[i]
		if len(w.Calls) > 1 {
			w.Calls = w.Calls[:p.games()]
		}
		w.Multiplier.Games = min(w.Multiplier.Games, p.games())
		w.LuckyLast.Games = min(w.LuckyLast.Games, p.games())
	}
	return p, true
}

// cancellations are games of one series in which some tickets are cancelled at one
// moment: while a game is drawn, or once it is settled.
type cancellations struct {
	plays   []Play           // by the order of their places
	sold    map[uint32][]int // before a game closes, indices of plays
	last    map[int]uint32   // of plays that are cancelled
	at      uint32           // the game
	settled bool             // the moment is after it
	drops   map[uint32]bool  // after which games plays are dropped
	numbers []ball.Sequence  // of the games from 1 on
	pots    Pots             // of every game
	terms   *Terms           // of every game
}

const cancelGames = 5

func drawCancellations(t *rapid.T, h *house) *cancellations {
	c := &cancellations{
		sold: map[uint32][]int{}, last: map[int]uint32{}, drops: map[uint32]bool{}, terms: h.terms, pots: newPots(h.terms),
		at: uint32(rapid.IntRange(1, cancelGames-1).Draw(t, "at")), settled: rapid.Bool().Draw(t, "settled"),
	}
	place := record.Place{Volume: 1}
	for ordinal := uint32(1); ordinal <= cancelGames; ordinal++ {
		numbers := drawOrder(t)
		c.numbers = append(c.numbers, numbers)
		c.drops[ordinal] = rapid.Bool().Draw(t, "drop")
		for range rapid.IntRange(0, 8).Draw(t, "tickets") {
			place.Seq += rapid.SampledFrom([]uint64{1, 1, 3, 1 << 33}).Draw(t, "gap")
			p := Play{Ticket: place, First: ordinal + uint32(rapid.IntRange(0, 1).Draw(t, "delay"))}
			p.Last = p.First + rapid.SampledFrom([]uint32{0, 1, 2, 4}).Draw(t, "more")
			for range rapid.IntRange(1, 4).Draw(t, "ways") {
				p.Ways = append(p.Ways, h.drawWay(t, numbers.Set(), p.games(), false))
			}
			c.sold[ordinal] = append(c.sold[ordinal], len(c.plays))
			if last := c.at + uint32(rapid.IntRange(0, 3).Draw(t, "last")); ordinal <= c.at && last < p.Last &&
				rapid.Bool().Draw(t, "cancel") {
				c.last[len(c.plays)] = last
			}
			c.plays = append(c.plays, p)
		}
	}
	return c
}

// moment is what can be seen of plays between two games, and of the game before.
type moment struct {
	totals  []Totals
	stakes  [][]SpotStakes
	tickets [][]record.Place
	plays   []Play
	runs    []Run
	winners []byte
	carries []Carry
	outcome Outcome
}

// play plays the games, with tickets that are cancelled or with tickets that never
// had the games, and returns what is seen from the cancellation on.
func (c *cancellations) play(t *rapid.T, cancel bool) (seen []moment) {
	open := NewOpen(0)
	for ordinal := uint32(1); ordinal <= cancelGames; ordinal++ {
		for _, i := range c.sold[ordinal] {
			p, ok := c.plays[i], true
			if last, cancelled := c.last[i]; cancelled && !cancel {
				p, ok = p.cut(last)
			}
			if ok {
				check(t, open.Add(p))
			}
		}
		_, err := open.Close(ordinal)
		check(t, err)
		if cancel && ordinal == c.at && !c.settled {
			c.cancel(t, open)
		}
		out, err := Pass(open, ordinal, c.numbers[ordinal-1], c.terms, c.pots)
		check(t, err)
		check(t, open.Carry(ordinal, out.Carries()))
		if cancel && ordinal == c.at && c.settled {
			c.cancel(t, open)
		}
		if c.drops[ordinal] {
			check(t, open.Drop(ordinal))
		}
		if ordinal > c.at || ordinal == c.at && !c.settled {
			seen = append(seen, c.look(open, ordinal, out))
		} else if ordinal == c.at {
			seen = append(seen, c.look(open, ordinal, &Outcome{}))
		}
	}
	return seen
}

func check(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// cancel cancels, and holds the runs that ended against those that were there.
func (c *cancellations) cancel(t *rapid.T, open *Open) {
	for i := range c.plays {
		last, ok := c.last[i]
		if !ok {
			continue
		}
		p, want := &c.plays[i], []Run(nil)
		for r := range open.Runs() {
			if r.Ticket == p.Ticket && r.Ordinal > last {
				want = append(want, r)
			}
		}
		ended, err := open.Cancel(p.Ticket, last)
		if errors.Is(err, ErrNotOpen) && !slices.ContainsFunc(p.Ways, func(w Way) bool { return !w.Run }) {
			continue // The runs were over.
		}
		check(t, err)
		if !slices.Equal(ended, want) {
			t.Fatalf("ticket %v cancelled after game %d ends %+v, want %+v", p.Ticket, last, ended, want)
		}
		if _, err := open.Cancel(p.Ticket, last); !errors.Is(err, ErrNotOpen) {
			t.Fatalf("ticket %v is cancelled twice: %v", p.Ticket, err)
		}
	}
}

func (c *cancellations) look(open *Open, ordinal uint32, out *Outcome) moment {
	m := moment{
		plays: slices.Collect(open.Plays()), runs: slices.Collect(open.Runs()), carries: slices.Collect(out.Carries()),
		winners: out.Encode(Settlement{1, ordinal, 1}), outcome: *out,
	}
	m.outcome.winners, m.outcome.carries = winners{}, nil
	for game := ordinal; game <= cancelGames+6; game++ {
		m.totals = append(m.totals, open.Totals(game))
		m.stakes = append(m.stakes, open.JackpotStakes(game, c.terms.Jackpots()))
		if game > open.dropped {
			m.tickets = append(m.tickets, slices.Collect(open.Tickets(game)))
		}
	}
	return m
}

// TestCancelIsAsIfNeverSold: plays of which some were cancelled are as if these had
// never had the games that were cancelled.
func TestCancelIsAsIfNeverSold(t *testing.T) {
	for _, b := range houses {
		h, cancelled := newHouse(t, b.book, b.schedule), 0
		rapid.Check(t, func(t *rapid.T) {
			c := drawCancellations(t, h)
			cancelled += len(c.last)
			got, want := c.play(t, true), c.play(t, false)
			for i := range want {
				if !reflect.DeepEqual(got[i], want[i]) || !bytes.Equal(got[i].winners, want[i].winners) {
					t.Fatalf("game %d: %+v\nwant %+v", c.at+uint32(i), got[i], want[i])
				}
			}
		})
		if cancelled == 0 {
			t.Errorf("%s: nothing was cancelled", b.book)
		}
	}
}

func TestCancelRefuses(t *testing.T) {
	open := NewOpen(0)
	heads := Way{Bet: "heads_or_tails", Calls: callsOf("h"), Run: true, Stake: 100}
	for _, p := range []Play{
		{at(2), 1, 4, []Way{onSpots("classic", kenoSet(1, 4), 100)}},
		{at(4), 1, 4, []Way{heads}},
	} {
		if err := open.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := open.Close(1); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		ticket record.Place
		last   uint32
		want   error
	}{
		{"a closed game", at(2), 0, ErrClosed},
		{"a closed game of a run", at(4), 0, ErrClosed},
		{"its last game", at(2), 4, ErrNotOpen},
		{"the last game of a run", at(4), 4, ErrNotOpen},
		{"a ticket before all", at(1), 1, ErrNotOpen},
		{"a ticket between", at(3), 1, ErrNotOpen},
		{"a ticket after all", at(5), 1, ErrNotOpen},
		{"a ticket far away", record.Place{Volume: 9, Seq: 1 << 40}, 1, ErrNotOpen},
		{"its rest", at(2), 2, nil},
		{"its rest again", at(2), 2, ErrNotOpen},
		{"the rest of the run", at(4), 1, nil},
	} {
		if _, err := open.Cancel(c.ticket, c.last); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := open.Cancel(record.Place{}, 1); err == nil {
		t.Error("no ticket was cancelled")
	}
}

// TestCancelRun: what a run has at the moment is due, as a refund before its first
// game and as a prize after one, and one that is in a closed game is paid there.
func TestCancelRun(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	way := Way{Bet: "heads_or_tails", Calls: []keno.Call{keno.Heads}, Run: true, Stake: 300}
	newGame := func() *Open {
		open := NewOpen(0)
		if err := open.Add(Play{at(1), 1, 5, []Way{way}}); err != nil {
			t.Fatal(err)
		}
		return open
	}
	settleFirst := func(open *Open) *Outcome {
		out, err := Pass(open, 1, draws['h'], h.terms, newPots(h.terms))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	open := newGame()
	if ended, err := open.Cancel(at(1), 0); err != nil || !slices.Equal(ended, []Run{{at(1), 0, 1, 300, false}}) {
		t.Errorf("before the first game: %+v, %v", ended, err)
	}
	if got := open.Totals(1); got != (Totals{}) || open.ways != 0 {
		t.Errorf("%+v is left", got)
	}
	open = newGame()
	if _, err := open.Close(1); err != nil {
		t.Fatal(err)
	}
	if ended, err := open.Cancel(at(1), 1); err != nil || ended != nil {
		t.Errorf("while it is drawn: %+v, %v", ended, err)
	}
	if out := settleFirst(open); out.Prizes != 600 || out.CarriedOn != 0 {
		t.Errorf("its last game pays %v and carries %v", out.Prizes, out.CarriedOn)
	}
	open = newGame()
	if _, err := open.Close(1); err != nil {
		t.Fatal(err)
	}
	if err := open.Carry(1, settleFirst(open).Carries()); err != nil {
		t.Fatal(err)
	}
	if ended, err := open.Cancel(at(1), 1); err != nil || !slices.Equal(ended, []Run{{at(1), 0, 2, 600, true}}) {
		t.Errorf("after a win: %+v, %v", ended, err)
	}
}

func TestJackpotStakes(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	open := NewOpen(0)
	for i, p := range []Play{
		{Ways: []Way{onSpots("classic", kenoSet(1, 7), 200)}, First: 1, Last: 2},
		{Ways: []Way{onSpots("classic", kenoSet(1, 6), 500)}, First: 1, Last: 1}, // no jackpot
		{Ways: []Way{
			{Bet: "classic", Spots: kenoSet(1, 7), Stake: 300, Multiplier: Side{300, 1}}, // only what is on the way counts
			onSpots("classic", kenoSet(1, 10), 100),
		}, First: 1, Last: 1},
		{Ways: []Way{onSpots("classic", kenoSet(1, 9), 700)}, First: 3, Last: 3},
	} {
		p.Ticket = at(uint64(i))
		if err := open.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	stakes := func(seven, eight, nine, ten money.Amount) []SpotStakes {
		return []SpotStakes{{7, seven}, {8, eight}, {9, nine}, {10, ten}}
	}
	look := func(name string, want map[uint32][]SpotStakes) {
		for ordinal, want := range want {
			if got := open.JackpotStakes(ordinal, h.terms.Jackpots()); !slices.Equal(got, want) {
				t.Errorf("%s: game %d: %v, want %v", name, ordinal, got, want)
			}
		}
	}
	look("sold", map[uint32][]SpotStakes{1: stakes(500, 0, 0, 100), 2: stakes(200, 0, 0, 0), 3: stakes(0, 0, 700, 0),
		4: stakes(0, 0, 0, 0)})
	if _, err := open.Close(1); err != nil {
		t.Fatal(err)
	}
	if err := open.Drop(1); err != nil {
		t.Fatal(err)
	}
	look("dropped", map[uint32][]SpotStakes{1: stakes(0, 0, 0, 0), 2: stakes(200, 0, 0, 0), 3: stakes(0, 0, 700, 0)})
	if _, err := open.Cancel(at(3), 1); err != nil {
		t.Fatal(err)
	}
	look("cancelled", map[uint32][]SpotStakes{2: stakes(200, 0, 0, 0), 3: stakes(0, 0, 0, 0)})
	if got := open.JackpotStakes(2, nil); got != nil {
		t.Errorf("without jackpots: %v", got)
	}
}
