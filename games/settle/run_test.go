package settle

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// Draws by what they are. The numbers 1 to 20 add up to 210 and multiply by 4, as
// 61 to 80 do with 1,410; 31 to 50 add up to 810 and multiply by 2.
var draws = map[byte]ball.Sequence{'h': ascending(1), 't': ascending(61), 'e': ascending(31), '-': {}}

// ascending draws twenty numbers from one on.
func ascending(from int) ball.Sequence {
	q, err := ball.NewSequence(ball.Keno, kenoSet(from, from+drawn-1).Numbers()...)
	if err != nil {
		panic(err)
	}
	return q
}

var calls = map[byte]keno.Call{'h': keno.Heads, 't': keno.Tails, 'e': keno.Evens}

func callsOf(text string) (list []keno.Call) {
	for i := range text {
		list = append(list, calls[text[i]])
	}
	return list
}

// playThrough settles the games of a ticket one after the other, each closed, settled,
// carried and dropped, and returns what it wins in each: an amount that is carried
// stands in brackets.
func playThrough(t *testing.T, h *house, p Play, games string, others ...Play) string {
	t.Helper()
	open := NewOpen(0)
	for _, other := range append([]Play{p}, others...) {
		if err := open.Add(other); err != nil {
			t.Fatal(err)
		}
	}
	var history []Game
	var won []string
	for i := range games {
		ordinal := uint32(i + 1)
		if _, err := open.Close(ordinal); err != nil {
			t.Fatal(err)
		}
		history = append(history, Game{Ordinal: ordinal, Numbers: draws[games[i]], Terms: h.terms})
		game := &history[i]
		out, err := settleOrVoid(open, game, newPots(h.terms))
		if err != nil {
			t.Fatal(err)
		}
		game.Reductions = out.Reductions
		prize, err := PrizeIn(p, history)
		if err != nil {
			t.Fatal(err)
		}
		file, err := DecodeWinners(out.Encode(Settlement{1, ordinal, 1}))
		if err != nil {
			t.Fatal(err)
		}
		if listed, _ := file.Lookup(p.Ticket); listed != prize.Payable {
			t.Errorf("game %d: %v is listed, and alone it wins %v", ordinal, listed, prize)
		}
		switch {
		case prize.Carried > 0:
			won = append(won, fmt.Sprintf("(%v)", prize.Carried))
		default:
			won = append(won, prize.Payable.String())
		}
		if err := open.Carry(ordinal, out.Carries()); err != nil {
			t.Fatal(err)
		}
		if err := open.Drop(ordinal); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(won, " ")
}

// TestLetItRun has series worked out by hand. Heads and tails pay 2 for 1, evens 4.
func TestLetItRun(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	for _, c := range []struct {
		name, calls string
		stake       money.Amount
		bonus       int // games
		games, want string
	}{
		{"five right calls", "hthet", 1000, 0, "hthet", "($20.00) ($40.00) ($80.00) ($320.00) $640.00"},
		{"two games", "ht", 1000, 0, "ht", "($20.00) $40.00"},
		{"a miss at once", "hthet", 1000, 0, "ththt", "$0.00 $0.00 $0.00 $0.00 $0.00"},
		{"a miss in the third", "hhhhh", 1000, 0, "hhthh", "($20.00) ($40.00) $0.00 $0.00 $0.00"},
		{"a miss in the last", "hhhhh", 1000, 0, "hhhht", "($20.00) ($40.00) ($80.00) ($160.00) $0.00"},
		{"a void game passes the amount on", "hhthh", 1000, 0, "hh-hh", "($20.00) ($40.00) ($40.00) ($80.00) $160.00"},
		{"a void first game passes the stake on", "thhhh", 1000, 0, "-hhhh", "($10.00) ($20.00) ($40.00) ($80.00) $160.00"},
		{"a void last game pays it", "hhhhh", 1000, 0, "hhhh-", "($20.00) ($40.00) ($80.00) ($160.00) $160.00"},
		{"nothing but void games", "hh", 1000, 0, "--", "($10.00) $10.00"},
		{"one call serves all games", "h", 1000, 0, "hhhhh", "($20.00) ($40.00) ($80.00) ($160.00) $320.00"},
		// $10 and $10 on the multiplier of 4: 10 x 2 x 4; then half of it twice, and so on.
		{"with bonus", "hhhhh", 1000, 5, "hhhhh", "($80.00) ($320.00) ($1,280.00) ($5,120.00) $20,480.00"},
		// 10 x 4 x 2 = 80; 40 x 2 x 4 = 320; 160 x 2 x 4 = 1,280.
		{"with bonus and evens", "eht", 1000, 3, "eht", "($80.00) ($320.00) $1,280.00"},
		{"with bonus through a void game", "hhh", 1000, 3, "h-h", "($80.00) ($80.00) $320.00"},
		{"with bonus in a void first game", "hhh", 1000, 3, "-hh", "($20.00) ($80.00) $320.00"},
		// 80, of which 40 run with bonus: 320; all of which run without: 640, 1,280, 2,560.
		{"with bonus for a while", "hhhhh", 1000, 2, "hhhhh", "($80.00) ($320.00) ($640.00) ($1,280.00) $2,560.00"},
		// 9,999 x 8 = 79,992; 39,996 x 8 = 319,968; 159,984 x 8 = 1,279,872; 639,936 x 8
		// would be 5,119,488 and is reduced to 3,000,000; 1,500,000 x 8 likewise.
		{"to the limit of each game", "hhhhh", 999_900, 5, "hhhhh",
			"($79,992.00) ($319,968.00) ($1,279,872.00) ($3,000,000.00) $3,000,000.00"},
	} {
		w := Way{Bet: "heads_or_tails", Calls: callsOf(c.calls), Run: true, Stake: c.stake}
		if c.bonus > 0 {
			w.Multiplier = Side{c.stake, c.bonus}
		}
		p := Play{at(1), 1, uint32(len(c.games)), []Way{w}}
		if got := playThrough(t, h, p, c.games); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestCarriedPrizeIsReducedAndRounded has a prize that is pro-rated beside another
// and rounded, then carried.
func TestCarriedPrizeIsReducedAndRounded(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	p := Play{at(1), 1, 2, []Way{{Bet: "heads_or_tails", Calls: callsOf("h"), Run: true, Stake: 999_900}}}
	// 19,998 and 18 times 250,000 are 4,519,998: 19,998 x 3,000,000 / 4,519,998 is
	// 13,273.015..., down to ten cents. Carried it wins twice that in the second
	// game, where it is alone.
	other := Play{at(2), 1, 1, slices.Repeat([]Way{onSpots("classic", kenoSet(1, 10), 100)}, 18)}
	if got, want := playThrough(t, h, p, "hh", other), "($13,273.00) $26,546.00"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestRunTotals follows the totals of the games that a prize runs through, and the
// tickets in them, beside a ticket that plays on anyway.
func TestRunTotals(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	open := NewOpen(0)
	run := Way{Bet: "heads_or_tails", Calls: callsOf("h"), Run: true, Stake: 100, Multiplier: Side{100, 2}}
	for _, p := range []Play{
		{at(1), 1, 3, []Way{run}},
		{at(2), 1, 3, []Way{onSpots("classic", kenoSet(21, 22), 500), run}},
		{at(3), 2, 3, []Way{run}}, // a delayed start
	} {
		if err := open.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct {
		draw    byte
		totals  Totals
		tickets []record.Place
		carried money.Amount // out of the game
		prizes  money.Amount
	}{
		{'h', Totals{Plays: 2, Ways: 3, Stakes: 900, Multiplier: 200}, []record.Place{at(1), at(2)}, 1600, 0},
		// 800 of each of the two, and the first stakes of the third.
		{'h', Totals{Plays: 3, Ways: 4, Stakes: 2300, Multiplier: 900, Carried: 1600}, []record.Place{at(1), at(2), at(3)},
			2*3200 + 800, 0},
		// 3,200 of each of the two and 800 of the third, of which only that is still
		// with the multiplier: 400 are staked on the call.
		{'h', Totals{Plays: 3, Ways: 4, Stakes: 7700, Multiplier: 400, Carried: 7200}, []record.Place{at(1), at(2), at(3)}, 0,
			2*6400 + 3200},
	} {
		ordinal := uint32(i + 1)
		totals, err := open.Close(ordinal)
		if err != nil || totals != c.totals {
			t.Fatalf("game %d: %+v, %v\nwant %+v", ordinal, totals, err, c.totals)
		}
		if got := slices.Collect(open.Tickets(ordinal)); !slices.Equal(got, c.tickets) {
			t.Errorf("game %d: %v, want %v", ordinal, got, c.tickets)
		}
		out, err := Pass(open, ordinal, draws[c.draw], h.terms, newPots(h.terms))
		if err != nil || out.CarriedOn != c.carried || out.Prizes != c.prizes || out.Factor != 4 {
			t.Fatalf("game %d: %+v, %v", ordinal, out, err)
		}
		if err := errors.Join(open.Carry(ordinal, out.Carries()), open.Drop(ordinal)); err != nil {
			t.Fatal(err)
		}
	}
	if open.ways != 0 || len(open.runs) != 0 {
		t.Errorf("%d ways and %d runs are left", open.ways, len(open.runs))
	}
}

// TestCarryRefuses: prizes are carried once, in their order, by runs that are in
// the game and have another to go to; a refused list moves nothing.
func TestCarryRefuses(t *testing.T) {
	run := func(calls string) Way {
		return Way{Bet: "heads_or_tails", Calls: callsOf(calls), Run: true, Stake: 100}
	}
	setup := func() *Open {
		open := NewOpen(0)
		for _, p := range []Play{
			{at(1), 1, 2, []Way{run("h"), run("t")}}, {at(2), 1, 1, []Way{run("h")}}, {at(3), 2, 3, []Way{run("h")}},
			{at(4), 1, 2, []Way{onSpots("classic", kenoSet(1, 2), 100), run("h")}},
		} {
			if err := open.Add(p); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := open.Close(1); err != nil {
			t.Fatal(err)
		}
		return open
	}
	for name, list := range map[string][]Carry{
		"good":                   {{at(1), 0, 200}, {at(1), 1, 200}, {at(4), 0, 200}},
		"good, and some missing": {{at(1), 1, 200}},
		"good, and none":         nil,
		"no such ticket":         {{at(9), 0, 200}},
		"no such run":            {{at(1), 2, 200}},
		"in its last game":       {{at(2), 0, 200}},
		"in a later game":        {{at(3), 0, 200}},
		"out of order":           {{at(4), 0, 200}, {at(1), 0, 200}},
		"twice":                  {{at(1), 0, 200}, {at(1), 0, 200}},
		"nothing":                {{at(1), 0, 0}},
		"less than nothing":      {{at(1), 0, -1}},
	} {
		open := setup()
		before := slices.Collect(open.Runs())
		err := open.Carry(1, slices.Values(list))
		if (err == nil) != strings.HasPrefix(name, "good") {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			if again := open.Carry(1, slices.Values(list)); again == nil {
				t.Errorf("%s: carried twice", name)
			}
			continue
		}
		if after := slices.Collect(open.Runs()); !slices.Equal(after, before) || !open.Uncarried() {
			t.Errorf("%s: %v after %v", name, after, before)
		}
	}
}

// TestRunsGoInOrder: the next game closes after what runs into it is known.
func TestRunsGoInOrder(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	open := NewOpen(0)
	if err := open.Add(Play{at(1), 1, 2, []Way{{Bet: "heads_or_tails", Calls: callsOf("h"), Run: true,
		Stake: 100}}}); err != nil {
		t.Fatal(err)
	}
	none := slices.Values([]Carry(nil))
	pass := func(ordinal uint32) error {
		_, err := Pass(open, ordinal, draws['h'], h.terms, newPots(h.terms))
		return err
	}
	closes := func(ordinal uint32) error { _, err := open.Close(ordinal); return err }
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"carry before it closes", open.Carry(1, none), "games 1 to 0 can be carried"},
		{"close 1", closes(1), ""},
		{"settle 1", pass(1), ""},
		{"close 2 before 1 is carried", closes(2), ErrUncarried.Error()},
		{"drop 1 before it is carried", open.Drop(1), ErrUncarried.Error()},
		{"carry 2 before it closes", open.Carry(2, none), "games 1 to 1 can be carried"},
		{"carry 1", open.Carry(1, none), ""},
		{"carry 1 again", open.Carry(1, none), "have moved on"},
		{"settle 1 once it is carried", pass(1), "have moved on"},
		{"close 2", closes(2), ""},
		{"settle 2", pass(2), ""},
		{"carry 2 without a run in it", open.Carry(2, none), ""},
		{"and again", open.Carry(2, none), ""},
		{"drop 2", open.Drop(2), ""},
		{"carry 2 once it is dropped", open.Carry(2, none), "can be carried"},
	} {
		if c.want == "" && c.err != nil || c.want != "" && (c.err == nil || !strings.Contains(c.err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, c.err, c.want)
		}
	}
	if _, err := Void(open, 2, 2); err == nil {
		t.Error("a game that is gone is void")
	}
}
