package settle

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// kenoSet returns the numbers from one to another.
func kenoSet(from, to int) ball.Set {
	s := ball.Empty(ball.Keno)
	for n := from; n <= to; n++ {
		s = s.With(n)
	}
	return s
}

// onSpots returns a way on numbers.
func onSpots(bet string, spots ball.Set, stake money.Amount) Way {
	return Way{Bet: bet, Spots: spots, Stake: stake}
}

func at(seq uint64) record.Place { return record.Place{Volume: 1, Seq: seq} }

// settleWays settles a game with one ticket for each way. The numbers 1 to 20 are
// drawn.
func settleWays(t testing.TB, h *house, ways []Way) *Outcome {
	t.Helper()
	open := NewOpen(0)
	for i, w := range ways {
		if err := open.Add(Play{at(uint64(i)), 1, 1, []Way{w}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := open.Close(1); err != nil {
		t.Fatal(err)
	}
	out, err := Pass(open, 1, kenoSet(1, drawn), h.terms, newPots(h.terms))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAddRefuses(t *testing.T) {
	good := func() Play {
		return Play{at(5), 3, 4, []Way{onSpots("classic", kenoSet(1, 4), 100)}}
	}
	for name, c := range map[string]struct {
		change func(*Play)
		want   string
	}{
		"nothing wrong":     {func(*Play) {}, ""},
		"no volume":         {func(p *Play) { p.Ticket.Volume = 0 }, "place 0:5"},
		"a far place":       {func(p *Play) { p.Ticket.Seq = maxSeq + 1 }, "place 1:"},
		"the same place":    {func(p *Play) { p.Ticket = at(4) }, "not after ticket 1:4"},
		"an earlier place":  {func(p *Play) { p.Ticket = at(3) }, "not after ticket 1:4"},
		"a closed game":     {func(p *Play) { p.First = 2 }, "game is closed: first game 2, and 2 is closed"},
		"an end before":     {func(p *Play) { p.Last = 2 }, "games 3 to 2"},
		"an end far away":   {func(p *Play) { p.Last = 3 + maxAhead }, "games 3 to"},
		"no way":            {func(p *Play) { p.Ways = nil }, "no way"},
		"no bet":            {func(p *Play) { p.Ways[0].Bet = "" }, `way 1, ""`},
		"no spots":          {func(p *Play) { p.Ways[0].Spots = ball.Empty(ball.Keno) }, "way 1"},
		"an unset set":      {func(p *Play) { p.Ways[0].Spots = ball.Set{} }, "way 1"},
		"bingo numbers":     {func(p *Play) { p.Ways[0].Spots = ball.MustOf(ball.Bingo, 90) }, "way 1"},
		"no stake":          {func(p *Play) { p.Ways[0].Stake = 0 }, "way 1"},
		"a negative stake":  {func(p *Play) { p.Ways[0].Stake = -1 }, "way 1"},
		"a stake too large": {func(p *Play) { p.Ways[0].Stake = maxStake + 1 }, "way 1"},

		"a prepick":             {func(p *Play) { p.Ways[0] = Way{Bet: "h", Calls: callsOf("ht"), Stake: 100} }, ""},
		"a call for both games": {func(p *Play) { p.Ways[0] = Way{Bet: "h", Calls: callsOf("h"), Stake: 100} }, ""},
		"no call": {func(p *Play) { p.Ways[0] = Way{Bet: "h", Calls: []keno.Call{}, Stake: 100} },
			"0 calls for 2 games"},
		"a call too many": {func(p *Play) { p.Ways[0] = Way{Bet: "h", Calls: callsOf("hth"), Stake: 100} },
			"3 calls for 2 games"},
		"no such call": {func(p *Play) { p.Ways[0] = Way{Bet: "h", Calls: []keno.Call{4}, Stake: 100} },
			"a call is"},
		"a long series": {func(p *Play) {
			p.Last = 19
			p.Ways[0] = Way{Bet: "h", Calls: make([]keno.Call, 17),
				Stake: 100}
		}, "a call is"},
		"too long a series": {func(p *Play) {
			p.Last = 19
			p.Ways[0] = Way{Bet: "h", Calls: slices.Repeat(callsOf("h"), 17), Stake: 100}
		}, "17 calls for 17 games"},
		"calls and spots":  {func(p *Play) { p.Ways[0].Calls = callsOf("h") }, "only one of them"},
		"a type and spots": {func(p *Play) { p.Ways[0].Type = "win" }, "only one of them"},
		"a run":            {func(p *Play) { p.Ways[0] = Way{Bet: "h", Calls: callsOf("h"), Run: true, Stake: 100} }, ""},
		"a run of spots":   {func(p *Play) { p.Ways[0].Run = true }, "can run"},
		"too long a run": {func(p *Play) {
			p.Last = 258
			p.Ways[0] = Way{Bet: "h", Calls: callsOf("h"), Run: true,
				Stake: 100}
		}, "at most 255 games"},
		"a run with bonus": {func(p *Play) {
			p.Ways[0] = Way{Bet: "h", Calls: callsOf("h"), Run: true, Stake: 100, Multiplier: Side{100, 1}}
		}, ""},
		"a run of unequal parts": {func(p *Play) {
			p.Ways[0] = Way{Bet: "h", Calls: callsOf("h"), Run: true, Stake: 100, Multiplier: Side{50, 1}}
		}, "costs as much as the way"},
		"the last of a call": {func(p *Play) {
			p.Ways[0] = Way{Bet: "h", Calls: callsOf("h"), Stake: 100,
				LuckyLast: Side{100, 1}}
		}, "no spots"},
		"a race": {func(p *Play) {
			p.Ways[0] = Way{Bet: "r", Type: "trio", Rows: [keno.MaxPlaces]keno.Row{3, 1, 15}, Stake: 100}
		}, ""},
		"no row": {func(p *Play) { p.Ways[0] = Way{Bet: "r", Type: "trio", Stake: 100} }, "no row"},
		"a gap between rows": {func(p *Play) {
			p.Ways[0] = Way{Bet: "r", Type: "trio", Rows: [keno.MaxPlaces]keno.Row{3, 0, 1}, Stake: 100}
		}, "rows are"},
		"row 16": {func(p *Play) { p.Ways[0] = Way{Bet: "r", Type: "trio", Rows: [keno.MaxPlaces]keno.Row{16}, Stake: 100} },
			"rows are"},
		"a race that runs": {func(p *Play) {
			p.Ways[0] = Way{Bet: "r", Type: "win", Rows: [keno.MaxPlaces]keno.Row{1}, Run: true, Stake: 100}
		}, "can run"},
		"the last of a race": {func(p *Play) {
			p.Ways[0] = Way{Bet: "r", Type: "win", Rows: [keno.MaxPlaces]keno.Row{1}, Stake: 100, LuckyLast: Side{100, 1}}
		}, "no spots"},
		"features": {func(p *Play) { p.Ways[0].Multiplier, p.Ways[0].LuckyLast = Side{100, 2}, Side{200, 1} },
			""},
		"a feature too long":    {func(p *Play) { p.Ways[0].Multiplier = Side{100, 3} }, "a feature has"},
		"a feature in no game":  {func(p *Play) { p.Ways[0].LuckyLast = Side{100, 0} }, "a feature has"},
		"a feature for nothing": {func(p *Play) { p.Ways[0].LuckyLast = Side{0, 1} }, "a feature has"},
		"a feature for less":    {func(p *Play) { p.Ways[0].Multiplier = Side{-1, 1} }, "a feature has"},
		"a feature too dear":    {func(p *Play) { p.Ways[0].Multiplier = Side{maxStake + 1, 1} }, "a feature has"},
	} {
		open := NewOpen(1)
		if err := open.Add(Play{at(4), 2, 9, []Way{onSpots("classic", kenoSet(1, 1), 100)}}); err != nil {
			t.Fatal(err)
		}
		if _, err := open.Close(2); err != nil {
			t.Fatal(err)
		}
		p := good()
		c.change(&p)
		before := open.Totals(3)
		err := open.Add(p)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		case c.want != "" && open.Totals(3) != before:
			t.Errorf("%s: the refused play is in %+v", name, open.Totals(3))
		case errors.Is(err, ErrClosed) != (name == "a closed game"):
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGamesGoInOrder(t *testing.T) {
	open := NewOpen(4)
	numbers := kenoSet(1, drawn)
	terms := newHouse(t, "vic-keno-2015", "schedule-1").terms
	for _, c := range []struct {
		name string
		do   func() error
		ok   bool
	}{
		{"close 4 again", func() error { _, err := open.Close(4); return err }, false},
		{"close 6 before 5", func() error { _, err := open.Close(6); return err }, false},
		{"settle 5 before it closes", func() error { _, err := Pass(open, 5, numbers, terms, newPots(terms)); return err },
			false},
		{"drop 5 before it closes", func() error { return open.Drop(5) }, false},
		{"close 5", func() error { _, err := open.Close(5); return err }, true},
		{"settle 5", func() error { _, err := Pass(open, 5, numbers, terms, newPots(terms)); return err }, true},
		{"settle 5 on 19 numbers", func() error {
			_,
				err := Pass(open, 5, kenoSet(1, 19), terms, newPots(terms))
			return err
		}, false},
		{"settle 5 on 20 bingo numbers", func() error {
			_, err := Pass(open, 5, ball.MustOf(ball.Bingo, kenoSet(1, 20).Numbers()...), terms, newPots(terms))
			return err
		}, false},
		{"settle 5 again", func() error { _, err := Pass(open, 5, numbers, terms, newPots(terms)); return err }, true},
		{"drop 5", func() error { return open.Drop(5) }, true},
		{"drop 4 after it", func() error { return open.Drop(4) }, true},
		{"settle 5 once it is dropped", func() error { _, err := Pass(open, 5, numbers, terms, newPots(terms)); return err },
			false},
	} {
		if err := c.do(); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if open.Closed() != 5 {
		t.Errorf("closed %d, want 5", open.Closed())
	}
}

// TestSaleDuringDraw sells for the next game while a closed one is drawn: the
// ticket is in the next game and in nothing of the closed one.
func TestSaleDuringDraw(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	open := NewOpen(0)
	way := []Way{onSpots("classic", kenoSet(1, 1), 100)}
	add := func(seq uint64, first, last uint32) {
		if err := open.Add(Play{at(seq), first, last, way}); err != nil {
			t.Fatal(err)
		}
	}
	add(1, 1, 2)
	add(2, 3, 3) // a delayed start
	if totals, err := open.Close(1); err != nil || totals != (Totals{Plays: 1, Ways: 1, Stakes: 100}) {
		t.Fatal(totals, err)
	}
	add(3, 2, 2)
	out, err := Pass(open, 1, kenoSet(1, drawn), h.terms, newPots(h.terms))
	if err != nil || out.Winners() != 1 || out.Prizes != 300 || out.Totals != (Totals{Plays: 1, Ways: 1, Stakes: 100}) {
		t.Fatal(out, err)
	}
	for ordinal, want := range map[uint32][]record.Place{1: {at(1)}, 2: {at(1), at(3)}, 3: {at(2)}, 4: nil} {
		if got := slices.Collect(open.Tickets(ordinal)); !slices.Equal(got, want) {
			t.Errorf("game %d has %v, want %v", ordinal, got, want)
		}
		if got := open.Totals(ordinal); got.Plays != uint64(len(want)) || got.Stakes != money.Amount(100*len(want)) {
			t.Errorf("game %d has %+v, want %d plays", ordinal, got, len(want))
		}
	}
	for range open.Tickets(2) {
		break // A loop may stop early.
	}
}

// TestPassRefusesWhatItCannotJudge: a way without a table must not look like a
// losing one, but only where it plays.
func TestPassRefusesWhatItCannotJudge(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	for _, w := range []Way{
		onSpots("classic", kenoSet(1, 11), 100), onSpots("tombola", kenoSet(1, 5), 100),
		{Bet: "tombola", Calls: callsOf("h"), Stake: 100}, {Bet: "tombola", Calls: callsOf("h"), Run: true, Stake: 100},
		{Bet: "racing", Type: "win", Rows: [keno.MaxPlaces]keno.Row{1}, Stake: 100},
		{Bet: "classic", Spots: kenoSet(1, 5), Stake: 100, LuckyLast: Side{100, 1}},
	} {
		open := NewOpen(0)
		for i, first := range []uint32{1, 2} {
			ways := []Way{onSpots("classic", kenoSet(1, 2), 100)}
			if first == 2 {
				ways = append(ways, w)
			}
			if err := open.Add(Play{at(uint64(i)), first, first, ways}); err != nil {
				t.Fatal(err)
			}
		}
		for ordinal := uint32(1); ordinal <= 2; ordinal++ {
			if _, err := open.Close(ordinal); err != nil {
				t.Fatal(err)
			}
			out, err := Pass(open, ordinal, kenoSet(1, drawn), h.terms, newPots(h.terms))
			if ordinal == 1 && (err != nil || out.Prizes != 1200) {
				t.Errorf("game 1: %+v, %v", out, err)
			}
			if ordinal == 2 && (err == nil || !strings.Contains(err.Error(), "ticket 1:1 plays "+w.Bet)) {
				t.Errorf("game 2: %v, %v", out, err)
			}
		}
	}
}

func TestPassRefusesWhatMightNotFit(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	// $250,000 for a dollar, ten times, is 500,000,000 units for a cent: beyond 2^63
	// with more than 18,446,744,073 cents. That is more than four of the largest
	// stakes and less than five.
	for n, fits := range map[int]bool{4: true, 5: false} {
		open := NewOpen(0)
		if err := open.Add(Play{at(1), 1, 1, slices.Repeat([]Way{onSpots("classic", kenoSet(1, 10), maxStake)},
			n)}); err != nil {
			t.Fatal(err)
		}
		if _, err := open.Close(1); err != nil {
			t.Fatal(err)
		}
		if out, err := Pass(open, 1, kenoSet(1, drawn), h.terms, newPots(h.terms)); fits != (err == nil) || !fits &&
			!errors.Is(err, money.ErrOverflow) {
			t.Errorf("%d ways: %v, %v", n, out, err)
		}
	}
}

// TestMemory keeps what the package comment says of the memory of a play.
func TestMemory(t *testing.T) {
	var p page
	for name, c := range map[string]struct{ got, want uintptr }{
		"column":          {unsafe.Sizeof(column{}), 16 * 64},
		"column of codes": {unsafe.Sizeof(codes{}), 10 * 64},
		"run":             {unsafe.Sizeof(run{}), 32},
		"ticket":          {(unsafe.Sizeof(p.offset) + unsafe.Sizeof(p.first) + unsafe.Sizeof(p.more)) / pageTickets, 10},
		"multiplier":      {unsafe.Sizeof(*side{}.multiplied) / 64, 2},
		"last number":     {unsafe.Sizeof(*side{}.lucky) / 64, 4},
	} {
		if c.got != c.want {
			t.Errorf("a %s takes %d bytes, not %d", name, c.got, c.want)
		}
	}
	if rest := unsafe.Sizeof(p) - 10*pageTickets; rest > pageTickets/4 {
		t.Errorf("a page takes %d bytes beside its tickets", rest)
	}
	if pageTickets-1 > math.MaxUint16 {
		t.Error("a way cannot name every ticket of its page")
	}
}

// TestMemoryOfAWay: whatever a way is, a ticket of it alone takes at most 32 bytes.
func TestMemoryOfAWay(t *testing.T) {
	spots := kenoSet(1, 4)
	for name, w := range map[string]Way{
		"numbers":                 onSpots("standard", spots, 100),
		"multiplied":              {Bet: "standard", Spots: spots, Stake: 100, Multiplier: Side{100, 5}},
		"multiplied for a while":  {Bet: "standard", Spots: spots, Stake: 100, Multiplier: Side{100, 2}},
		"last number":             {Bet: "standard", Spots: spots, Stake: 100, LuckyLast: Side{100, 5}},
		"last number for a while": {Bet: "standard", Spots: spots, Stake: 100, LuckyLast: Side{100, 3}},
		"both features": {Bet: "standard", Spots: spots, Stake: 100, LuckyLast: Side{100, 5},
			Multiplier: Side{100, 2}},
		"a call": {Bet: "heads_or_tails", Calls: callsOf("h"), Stake: 100},
		"calls":  {Bet: "heads_or_tails", Calls: callsOf("hthte"), Stake: 100},
		"a run": {Bet: "heads_or_tails", Calls: callsOf("hthte"), Run: true, Stake: 100,
			Multiplier: Side{100, 5}},
		"a race": {Bet: "racing", Type: "trio", Rows: [keno.MaxPlaces]keno.Row{1, 2, 3}, Stake: 100},
		"a race with a multiplier": {Bet: "racing", Type: "trio", Rows: [keno.MaxPlaces]keno.Row{1, 2, 3}, Stake: 100,
			Multiplier: Side{100, 5}},
	} {
		open := NewOpen(0)
		const tickets = 4 * pageTickets
		for i := range uint64(tickets) {
			if err := open.Add(Play{at(i), 1, 5, []Way{w}}); err != nil {
				t.Fatal(err)
			}
		}
		if got := open.bytes(); got > 32*tickets {
			t.Errorf("%s takes %.1f bytes a way", name, float64(got)/tickets)
		}
	}
}
