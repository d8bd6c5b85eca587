package keno

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// slowJoins is the readable twin of the expansion: it tries every subset of the
// groups and keeps those that the play names and that are sold.
func slowJoins(groups []ball.Set, p Play, sold ball.Set) map[ball.Set]bool {
	ways := map[ball.Set]bool{}
	for subset := 1; subset < 1<<len(groups); subset++ {
		spots, joined := ball.Empty(ball.Keno), 0
		for i, g := range groups {
			if subset>>i&1 == 1 {
				spots, joined = spots.Union(g), joined+1
			}
		}
		named := p.Kind == PlayAll ||
			p.Kind == PlaySpots && p.Types.Has(spots.Len()) ||
			p.Kind == PlayGroups && p.Types.Has(joined) ||
			p.Kind == PlayMarks && slices.Contains(p.Marks, Mark(subset))
		if named && sold.Has(spots.Len()) {
			ways[spots] = true
		}
	}
	return ways
}

// someGroups draws 2 to 9 disjoint groups.
func someGroups() *rapid.Generator[[]ball.Set] {
	return rapid.Custom(func(t *rapid.T) []ball.Set {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 7), 2, 9).Draw(t, "sizes")
		numbers := rapid.Permutation(ball.Full(ball.Keno).Numbers()).Draw(t, "numbers")
		groups := make([]ball.Set, len(sizes))
		for i, size := range sizes {
			groups[i] = ball.MustOf(ball.Keno, numbers[:size]...)
			numbers = numbers[size:]
		}
		return groups
	})
}

// TestWaysAgreeWithSubsets compares ways, their number and their sizes with the
// twin that tries every subset.
func TestWaysAgreeWithSubsets(t *testing.T) {
	d := deskOf(t, "tas-keno-2023")
	o := d.bets["standard"]
	for _, sold := range []string{"1-15", "1-10 15 20 40", "3", "2 4 6"} {
		o.sizes = ball.MustParse(ball.Keno, sold)
		rapid.Check(t, func(t *rapid.T) {
			b := Bet{Bet: "standard", Groups: someGroups().Draw(t, "groups"), Stake: 100}
			b.Play = anyPlay(len(b.Groups)).Draw(t, "play")
			if b.Play.Kind == PlayMarks {
				// Marked ways of sizes that are not sold are refused, not passed over.
				b.Play.Marks = slices.DeleteFunc(b.Play.Marks, func(m Mark) bool { return !o.sizes.Has(m.spots(b.Groups).Len()) })
			}
			want := slowJoins(b.Groups, b.Play, o.sizes)
			got, last := map[ball.Set]bool{}, Mark(0)
			for way := range d.Ways(&b, 0) {
				mark := markOf(b.Groups, way.Spots)
				if got[way.Spots] || last != 0 && last.Compare(mark) >= 0 {
					t.Fatalf("way %v comes twice or out of order", way.Spots)
				}
				got[way.Spots], last = true, mark
			}
			if !maps.Equal(got, want) {
				t.Fatalf("%d ways, want %d", len(got), len(want))
			}
			if b.Play.Kind == PlayMarks {
				return
			}
			tally := countJoins(b.Groups, o.wanted(b.Play))
			count, sizes := tally.total()
			wantSizes := ball.Empty(ball.Keno)
			for spots := range want {
				wantSizes = wantSizes.With(spots.Len())
			}
			if count != int64(len(want)) || sizes != wantSizes {
				t.Fatalf("counted %d ways of %v spots, want %d of %v", count, sizes, len(want), wantSizes)
			}
		})
	}
}

// markOf returns the groups of which spots are made.
func markOf(groups []ball.Set, spots ball.Set) Mark {
	var m Mark
	for i, g := range groups {
		if spots.Contains(g) {
			m |= 1 << i
		}
	}
	return m
}

// TestFortyGroups: what cannot be listed is still counted, and what is few is
// listed at once.
func TestFortyGroups(t *testing.T) {
	groups := make([]ball.Set, MaxGroups)
	for i := range groups {
		groups[i] = ball.MustOf(ball.Keno, i+1, i+41)
	}
	all := countJoins(groups, wanted{spots: ball.Full(ball.Keno)})
	if count, _ := all.total(); count != 1<<40-1 {
		t.Errorf("%d joins of forty groups, want 2^40-1", count)
	}
	d := deskOf(t, "tas-keno-2023")
	for play, want := range map[string]int{
		`"play":{"spots":[2]}`:     40,
		`"play":{"spots":[4]}`:     780,
		`"play":{"groups":[3]}`:    9880,
		`"play":{"spots":[2,4,6]}`: 40 + 780 + 9880,
	} {
		b := Bet{Bet: "special", Groups: groups, Play: playOf(t, play)}
		n := 0
		for range d.Ways(&b, 0) {
			n++
		}
		tally := countJoins(groups, d.bets["special"].wanted(b.Play))
		if count, _ := tally.total(); n != want || count != int64(want) {
			t.Errorf("%s: %d ways listed, %d counted, want %d", play, n, count, want)
		}
	}
}

func playOf(t testing.TB, play string) Play {
	t.Helper()
	req, err := ParseRequest([]byte(request(`{"bet":"x","groups":[[1],[2]],"stake_cents":1,` + play + `}`)))
	if err != nil {
		t.Fatal(err)
	}
	return req.Bets[0].Play
}

func TestWaysStopWhenTold(t *testing.T) {
	d := deskOf(t, "tas-keno-2023")
	for _, b := range []Bet{
		{Bet: "special", Groups: []ball.Set{ball.MustOf(ball.Keno, 1), ball.MustOf(ball.Keno, 2), ball.MustOf(ball.Keno, 3)},
			Play: Play{Kind: PlayAll}},
		{Bet: "special", Groups: []ball.Set{ball.MustOf(ball.Keno, 1), ball.MustOf(ball.Keno, 2)},
			Play: Play{Kind: PlayMarks, Marks: []Mark{1, 2}}},
		{Bet: "racing", Type: "win", Places: []ball.Set{ball.MustOf(ball.Keno, 1, 2)}},
		{Bet: "racing", Type: "trio", Places: []ball.Set{ball.MustOf(ball.Keno, 1, 2, 3, 4),
			ball.MustOf(ball.Keno, 1, 2, 3, 4), ball.MustOf(ball.Keno, 1, 2, 3, 4)}},
	} {
		n := 0
		for range d.Ways(&b, 0) {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%+v: %d ways", b, n)
		}
	}
	for range d.Ways(&Bet{Bet: "lotto", Spots: ball.MustOf(ball.Keno, 1)}, 0) {
		t.Error("an unknown bet has a way")
	}
}

// slowCombinations is the readable twin of the race: it tries every list of rows
// and keeps those that fill the places with different rows. Where the order
// does not count, lists of the same rows are one.
func slowCombinations(places []ball.Set, ordered bool) map[[MaxPlaces]Row]bool {
	found := map[[MaxPlaces]Row]bool{}
	var try func(rows []Row)
	try = func(rows []Row) {
		if len(rows) == len(places) {
			if !ordered {
				rows = slices.Sorted(slices.Values(rows))
			}
			var key [MaxPlaces]Row
			copy(key[:], rows)
			found[key] = true
			return
		}
		for row := Row(1); row <= 8; row++ {
			if places[len(rows)].Has(int(row)) && !slices.Contains(rows, row) {
				try(append(slices.Clone(rows), row))
			}
		}
	}
	try(nil)
	return found
}

func TestCombinationsAgreeWithLists(t *testing.T) {
	d := deskOf(t, "tas-keno-2023")
	race := d.bets["racing"].race
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(race.Types()).Draw(t, "type")
		b := Bet{Bet: "racing", Type: kind.ID, Stake: 100,
			Places: rapid.SliceOfN(anySet(8), kind.Places, kind.Places).Draw(t, "places")}
		want := slowCombinations(b.Places, kind.Ordered)
		got := map[[MaxPlaces]Row]bool{}
		for way := range d.Ways(&b, 0) {
			if got[way.Rows] {
				t.Fatalf("%v comes twice", way.Rows)
			}
			got[way.Rows] = true
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%s %v: %v, want %v", kind.ID, b.Places, got, want)
		}
	})
}

// TestRacingCounts checks the formulas for boxes, standouts and the field.
func TestRacingCounts(t *testing.T) {
	d := deskOf(t, "tas-keno-2023")
	rows := func(n int) ball.Set { return ball.MustOf(ball.Keno, []int{1, 2, 3, 4, 5, 6, 7, 8}[:n]...) }
	count := func(kind string, places ...ball.Set) int64 {
		return d.bets["racing"].countCombinations(&Bet{Bet: "racing", Type: kind, Places: places})
	}
	for n := 1; n <= 8; n++ {
		box, c := rows(n), int64(n)
		for kind, got := range map[string][2]int64{
			"win": {count("win", box), c}, "place": {count("place", box), c},
			"quinella":       {count("quinella", box, box), c * (c - 1) / 2},
			"exact_quinella": {count("exact_quinella", box, box), c * (c - 1)},
			"trio":           {count("trio", box, box, box), c * (c - 1) * (c - 2) / 6},
			"trifecta":       {count("trifecta", box, box, box), c * (c - 1) * (c - 2)},
		} {
			if got[0] != got[1] {
				t.Errorf("%s box of %d: %d combinations, want %d", kind, n, got[0], got[1])
			}
		}
	}
	for n := 2; n <= 8; n++ {
		// Row 1 and, of two standouts, row 2 are fixed; others are the k rows beside them.
		one, others, k := rows(1), rows(n).Minus(rows(1)), int64(n-1)
		two, rest := ball.MustOf(ball.Keno, 2), rows(n).Minus(rows(2))
		for name, got := range map[string][2]int64{
			"quinella":              {count("quinella", one, others), k},
			"exact quinella first":  {count("exact_quinella", one, others), k},
			"exact quinella second": {count("exact_quinella", others, one), k},
			"trio":                  {count("trio", one, others, others), k * (k - 1) / 2},
			"trifecta first":        {count("trifecta", one, others, others), k * (k - 1)},
			"trifecta third":        {count("trifecta", others, others, one), k * (k - 1)},
			"trio, two":             {count("trio", one, two, rest), k - 1},
			"trifecta, two":         {count("trifecta", two, one, rest), k - 1},
			"field":                 {count("trifecta", one, rows(8).Minus(one), rows(8).Minus(one)), 42},
		} {
			if rest.Len() == 0 && (name == "trio, two" || name == "trifecta, two") {
				continue
			}
			if got[0] != got[1] {
				t.Errorf("standout %s with %d others: %d combinations, want %d", name, k, got[0], got[1])
			}
		}
	}
}

// TestPriceIsTheSumOfItsWays adds up stakes way by way and game by game.
func TestPriceIsTheSumOfItsWays(t *testing.T) {
	d := deskOf(t, "tas-keno-2023")
	// Limits refuse what this test wants to price, and are not its subject.
	d.limits = nil
	d.bets["heads_or_tails"].calls = rulebook.Calls{SeriesMax: 12, Run: true}
	rapid.Check(t, func(t *rapid.T) {
		ticket := soldTicket(d).Draw(t, "ticket")
		price, err := d.Quote(ticket, atCounter)
		if err != nil {
			t.Fatalf("%s: %v", ticket.AppendJSON(nil), err)
		}
		var main, multiplier, luckyLast, first money.Amount
		ways := 0
		for i := range ticket.Bets {
			b := &ticket.Bets[i]
			for game := range ticket.Games {
				if b.Run && game > 0 {
					break
				}
				for range d.Ways(b, game) {
					cost := b.Stake
					main += b.Stake
					if m := b.With.Multiplier; m.On && (m.Games == 0 || game < m.Games) {
						multiplier, cost = multiplier+b.Stake, cost+b.Stake
					}
					if l := b.With.LuckyLast; l.On && (l.Games == 0 || game < l.Games) {
						stake := l.Stake
						if stake == 0 {
							stake = b.Stake
						}
						luckyLast, cost = luckyLast+stake, cost+stake
					}
					if game == 0 {
						first, ways = first+cost, ways+1
					}
				}
			}
		}
		if price.Main != main || price.Multiplier != multiplier || price.LuckyLast != luckyLast ||
			price.Cost != main+multiplier+luckyLast || price.FirstGame != first || price.Ways != ways {
			t.Fatalf("%s\ncosts %+v\nwant main %v, multiplier %v, lucky last %v, first game %v, %d ways",
				ticket.AppendJSON(nil), price, main, multiplier, luckyLast, first, ways)
		}
	})
}

// soldTicket draws tickets that the Tasmanian desk sells, limits apart.
func soldTicket(d *Desk) *rapid.Generator[Ticket] {
	return rapid.Custom(func(t *rapid.T) Ticket {
		ticket := Ticket{Rulebook: d.Book().ID(), First: openGame, Games: rapid.IntRange(1, 12).Draw(t, "games")}
		side := func(name string, stake bool) Side {
			s := Side{On: rapid.Bool().Draw(t, name)}
			if s.On && stake {
				s.Stake = money.Amount(rapid.Int64Range(0, 500).Draw(t, name+" stake"))
			}
			if s.On && name == "multiplier" {
				s.Games = rapid.IntRange(0, ticket.Games).Draw(t, name+" games")
			}
			return s
		}
		for range rapid.IntRange(1, 3).Draw(t, "bets") {
			b := Bet{Bet: "standard", Stake: anyStake().Draw(t, "stake")}
			switch rapid.IntRange(0, 3).Draw(t, "shape") {
			case 0:
				b.Spots = ball.MustOf(ball.Keno, rapid.SliceOfNDistinct(rapid.IntRange(1, 80), 1, 6, rapid.ID).Draw(t, "spots")...)
				b.With = Features{Multiplier: side("multiplier", false), LuckyLast: side("lucky last", true)}
			case 1:
				b.Groups = []ball.Set{ball.MustOf(ball.Keno, 1), ball.MustOf(ball.Keno, 2, 3), ball.MustOf(ball.Keno, 4),
					ball.MustOf(ball.Keno, 5, 6)}
				b.Play = Play{Kind: PlaySpots, Types: ball.MustOf(ball.Keno,
					rapid.SampledFrom([][]int{{1}, {2, 3}, {1, 4, 6}}).Draw(t, "types")...)}
				b.With.Multiplier = side("multiplier", false)
			case 2:
				b.Bet, b.Calls = "heads_or_tails", []Call{Heads}
				if ticket.Games > 1 && rapid.Bool().Draw(t, "series") {
					b.Calls = slices.Repeat([]Call{Tails}, ticket.Games)
					b.Run = rapid.Bool().Draw(t, "run")
				}
			case 3:
				b.Bet, b.Type = "racing", "exact_quinella"
				b.Places = []ball.Set{ball.MustOf(ball.Keno, 1), ball.MustOf(ball.Keno, 1, 2, 3)}
			}
			ticket.Bets = append(ticket.Bets, b)
		}
		return ticket
	})
}

func BenchmarkQuote(b *testing.B) {
	d := deskOf(b, "vic-keno-2015")
	ticket, err := ParseTicket(simple)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Quote(ticket, atCounter); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWays(b *testing.B) {
	d := deskOf(b, "tas-keno-2023")
	bet := Bet{Bet: "special", Play: Play{Kind: PlaySpots, Types: ball.MustOf(ball.Keno, 5)}}
	for i := range 20 {
		bet.Groups = append(bet.Groups, ball.MustOf(ball.Keno, i+1))
	}
	ways := 0
	for b.Loop() {
		ways = 0
		for range d.Ways(&bet, 0) {
			ways++
		}
	}
	if ways != 15504 {
		b.Fatalf("%d ways", ways)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(ways), "ns/way")
}
