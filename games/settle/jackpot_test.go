package settle

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/money"
	"drawhouse/games/jackpot"
)

// cents returns whole cents exactly.
func cents(n int64) jackpot.Exact { return jackpot.Exact(n) * 10_000 }

// holding returns pools of which one holds an amount.
func holding(terms *Terms, spots uint8, primary jackpot.Exact) Pots {
	pots := newPots(terms)
	for i := range pots.Pools {
		if pots.Pools[i].Spots == spots {
			pots.Pools[i].Primary = primary
		}
	}
	return pots
}

// settleFor settles one ticket for each way for some pools. The numbers 1 to 20 are
// drawn.
func settleFor(t testing.TB, terms *Terms, pots Pots, ways ...Way) (*Outcome, error) {
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
	return Pass(open, 1, kenoSet(1, drawn), terms, pots)
}

// TestJackpotNeedsItsPool: a way that plays for a jackpot must not look as if that
// held nothing, and pools must be those of the rulebook.
func TestJackpotNeedsItsPool(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	losing, six := onSpots("classic", kenoSet(21, 27), 100), onSpots("classic", kenoSet(1, 6), 100)
	seven := jackpot.Pool{Series: 1, Spots: 7}
	for _, c := range []struct {
		name string
		way  Way
		pots Pots
		want string
	}{
		{"a size without a jackpot", six, Pots{}, ""},
		{"its pool", losing, Pots{Pools: []jackpot.Pool{seven}}, ""},
		{"no pool", losing, Pots{}, "ticket 1:0 plays classic on 7 spots, and there is no pool of its jackpot"},
		{"the pool of another size", losing, Pots{Pools: []jackpot.Pool{{Series: 1, Spots: 8}}}, "no pool of its jackpot"},
		{"two pools", six, Pots{Pools: []jackpot.Pool{seven, seven}}, "the jackpot of 7 spots has two pools"},
		{"a pool of no jackpot", six, Pots{Pools: []jackpot.Pool{{Series: 1, Spots: 6}}}, "no jackpot of 6 spots"},
		{"less than nothing", six, Pots{Pools: []jackpot.Pool{{Series: 1, Spots: 7, Primary: -1}}}, "parts of a cent"},
		{"a pool that was won", onSpots("classic", kenoSet(1, 7), 100),
			Pots{Pools: []jackpot.Pool{{Series: 1, Spots: 7, Won: true}}}, "not ready"},
	} {
		_, err := settleFor(t, h.terms, c.pots, c.way)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	bare := houseOf(t, editedBook(t, "casino-keno-div2", "pays: substitution", "pays: addition"), "approved")
	bare.terms.jackpots = nil
	if _, err := settleFor(t, bare.terms, Pots{Pools: []jackpot.Pool{{Spots: 6}}},
		onSpots("standard", kenoSet(1, 5), 100)); err == nil {
		t.Error("a rulebook without jackpots has a pool")
	}
}

// TestJackpotWinsInOrder: the ways that win are named by their places on the ticket,
// with features and without, in whatever order they are kept.
func TestJackpotWinsInOrder(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	bonus := func(w Way) Way {
		w.Multiplier = Side{w.Stake, 1}
		return w
	}
	open := NewOpen(0)
	ways := []Way{
		onSpots("classic", kenoSet(1, 3), 100),
		bonus(onSpots("classic", kenoSet(1, 7), 300)),
		onSpots("classic", kenoSet(1, 8), 100),
		onSpots("classic", kenoSet(2, 8), 200),
		bonus(onSpots("classic", kenoSet(3, 9), 100)),
		onSpots("classic", kenoSet(21, 27), 100),
	}
	for _, p := range []Play{
		{at(1), 1, 2, slices.Repeat(ways[:1], 2)}, // It is dropped, and the others move up.
		{at(2), 1, 3, ways},
		{at(3), 1, 3, ways[3:4]},
	} {
		if err := open.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	for ordinal := uint32(1); ordinal <= 3; ordinal++ {
		if _, err := open.Close(ordinal); err != nil {
			t.Fatal(err)
		}
		out, err := Pass(open, ordinal, kenoSet(1, drawn), h.terms, newPots(h.terms))
		if err != nil {
			t.Fatal(err)
		}
		scheduled := money.Amount(5_000_00)
		want := []JackpotWin{
			{at(2), 1, 7, jackpot.Winner{Stake: 300, Bonus: ordinal == 1}, 3 * scheduled},
			{at(2), 2, 8, jackpot.Winner{Stake: 100}, 5 * scheduled},
			{at(2), 3, 7, jackpot.Winner{Stake: 200}, 2 * scheduled},
			{at(2), 4, 7, jackpot.Winner{Stake: 100, Bonus: ordinal == 1}, scheduled},
			{at(3), 0, 7, jackpot.Winner{Stake: 200}, 2 * scheduled},
		}
		if ordinal == 1 { // The multiplier is 4.
			want[0].Schedule *= 4
			want[3].Schedule *= 4
		}
		if !slices.Equal(out.JackpotWins, want) {
			t.Errorf("game %d: %+v\nwant %+v", ordinal, out.JackpotWins, want)
		}
		if err := open.Drop(ordinal); err != nil {
			t.Fatal(err)
		}
	}
}

// TestManyWays: a ticket can have more ways than 16 bits count.
func TestManyWays(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	ways := slices.Repeat([]Way{onSpots("classic", kenoSet(21, 27), 10)}, 70_000)
	for _, i := range []int{1, 65_535, 65_536, 69_999} {
		ways[i].Spots = kenoSet(1, 7)
	}
	open := NewOpen(0)
	for _, p := range []Play{{at(1), 1, 1, ways[:1]}, {at(2), 1, 2, ways}} {
		if err := open.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	for ordinal := uint32(1); ordinal <= 2; ordinal++ {
		if _, err := open.Close(ordinal); err != nil {
			t.Fatal(err)
		}
		out, err := Pass(open, ordinal, kenoSet(1, drawn), h.terms, newPots(h.terms))
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, w := range out.JackpotWins {
			got = append(got, w.Way)
		}
		if want := []int{1, 65_535, 65_536, 69_999}; !slices.Equal(got, want) {
			t.Errorf("game %d: ways %v, want %v", ordinal, got, want)
		}
		if err := open.Drop(ordinal); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSharedLater: when a pooled part is known, what is owed in addition is the whole
// prize less what was due at once, and not a part that was rounded on its own.
func TestSharedLater(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	pots := holding(h.terms, 10, cents(1_000_00))
	pots.Pooled = true
	out, err := settleFor(t, h.terms, pots, onSpots("classic", kenoSet(1, 10), 100),
		onSpots("classic", kenoSet(1, 10), 200))
	if err != nil {
		t.Fatal(err)
	}
	// A third and two thirds of the fill, with 250,000 and 500,000.
	if out.Prizes != 500_000_00+1_000_000_00 || out.Jackpots != 750_000_00 || len(out.Won) != 1 {
		t.Fatalf("%+v", out)
	}
	first := out.Won[0].Awards
	var winners []jackpot.Winner
	for _, w := range out.JackpotWins {
		winners = append(winners, w.Winner)
	}
	growth, err := h.terms.Jackpots().Growth(pots.Pools[3], winners, jackpot.Elsewhere{Growth: 1, Stakes: 400})
	if err != nil {
		t.Fatal(err)
	}
	// 1,000.01 x 1/7 is 142.858 and x 2/7 is 285.717.
	raised, err := h.terms.Raise(out.JackpotWins, first, append(slices.Clone(first), growth.Awards...))
	if err != nil || raised.Shares != 142_85+285_71 || raised.Prizes != 142_80+285_70 || raised.Breakage != 6 {
		t.Errorf("%+v, %v", raised, err)
	}
	file, err := DecodeWinners(raised.Encode(Settlement{1, 1, 2}))
	if err != nil || file.Winners() != 2 || file.Prizes() != raised.Prizes {
		t.Fatalf("%+v, %v", file, err)
	}
	if owed, _ := file.Lookup(at(1)); owed != 285_70 {
		t.Errorf("the second is owed %v", owed)
	}
	if _, err := h.terms.Payable(out.JackpotWins[0],
		[]jackpot.Award{{Spots: 10, Part: jackpot.PartPool, Amount: 1, Stakes: 50}}); err == nil {
		t.Error("a stake has a share in less than itself")
	}
}

// TestAwardsBeyondExactness: pools with which a sum might not fit are refused.
func TestAwardsBeyondExactness(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	terms := *h.terms
	terms.units = 1 << 19
	if err := terms.checkAwards(0, 1<<44-1); err != nil {
		t.Error(err)
	}
	if err := terms.checkAwards(0, 1<<44); !errors.Is(err, money.ErrOverflow) {
		t.Errorf("2^63 units are %v", err)
	}
	if err := terms.checkAwards(money.Amount((1<<63-1)/terms.highest), 1<<40); !errors.Is(err, money.ErrOverflow) {
		t.Errorf("awards beside all that prizes come to are %v", err)
	}
}

// TestSubstituteNeedsItsAward: where a jackpot stands in for the schedule's prize,
// a prize is not found without it.
func TestSubstituteNeedsItsAward(t *testing.T) {
	h := newHouse(t, "casino-keno-div2", "approved")
	play := Play{at(1), 1, 1, []Way{onSpots("standard", kenoSet(1, 6), 100)}}
	game := Game{Ordinal: 1, Numbers: draws['h'], Terms: h.terms}
	if prize, err := PrizeIn(play, []Game{game}); err == nil {
		t.Errorf("it wins %v", prize)
	}
	game.Awards = []jackpot.Award{{Spots: 6, Part: jackpot.PartPool, Amount: 1_500_00, Stakes: 300}}
	if prize, err := PrizeIn(play, []Game{game}); err != nil || prize.Payable != 500_00 {
		t.Errorf("it wins %v, %v", prize, err)
	}
	game.Awards[0].Stakes = 50
	if prize, err := PrizeIn(play, []Game{game}); err == nil {
		t.Errorf("with more than all stakes it wins %v", prize)
	}
}
