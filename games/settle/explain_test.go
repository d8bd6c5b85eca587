package settle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/money"
	"drawhouse/games/keno"
)

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name, book, schedule string
		way                  Way
		reductions           []Reduction
		want                 []string
	}{
		{"a plain prize", "vic-keno-2015", "schedule-1", onSpots("classic", kenoSet(18, 21), 200), nil,
			[]string{"3 of 4 on $2.00: 2 x $4.00 = $8.00 [S.classic-1] $8.00"}},
		{"a part of a dollar", "vic-keno-2015", "schedule-1", onSpots("classic", kenoSet(18, 21), 50), nil,
			[]string{"3 of 4 on $0.50: 0.50 x $4.00 = $2.00 [S.classic-1] $2.00"}},
		{"nothing", "vic-keno-2015", "schedule-1", onSpots("classic", kenoSet(20, 23), 200), nil, nil},
		{"a catch of zero", "casino-keno-div2", "approved", onSpots("standard", kenoSet(21, 28), 100), nil,
			[]string{"0 of 8 on $1.00: 1 x $1.00 = $1.00 [1.0.schedule-of-prizes] $1.00"}},
		{"rounded", "vic-keno-2015", "schedule-1", onSpots("classic", kenoSet(20, 20), 13), nil, []string{
			"1 of 1 on $0.13: 0.13 x $3.00 = $0.39 [S.classic-1] $0.39",
			"rounded down to a multiple of $0.10: $0.30 [21(i)] $0.30"}},
		{"pro-rated and rounded", "vic-keno-2015", "schedule-1", onSpots("classic", kenoSet(1, 10), 400),
			[]Reduction{{0, 3, 7}}, []string{
				"10 of 10 on $4.00: 4 x $250,000.00 = $1,000,000.00 [S.classic-1] $1,000,000.00",
				"major prizes exceed $3,000,000.00: $1,000,000.00 x 3 / 7 = $428,571.42 and a part of a cent [24(a)] $428,571.42",
				"rounded down to a multiple of $0.10: $428,571.40 [21(i)] $428,571.40"}},
		{"less than a unit is left over", "tas-keno-2023", "settlement", onSpots("standard", kenoSet(1, 9), 100),
			[]Reduction{{0, 4_000_000_001, 10_000_000_000}}, []string{
				"9 of 9 on $1.00: 1 x $250,000.00 = $250,000.00 [17.5] $250,000.00",
				"major prizes exceed $300,000.00: $250,000.00 x 4000000001 / 10000000000 = $100,000.00 and a part of a cent [18.1] $100,000.00"}},
		{"held at the floor", "vic-keno-2015", "schedule-1", onSpots("classic", kenoSet(1, 6), 100), []Reduction{{0, 1, 2}},
			[]string{
				"6 of 6 on $1.00: 1 x $1,800.00 = $1,800.00 [S.classic-1] $1,800.00",
				"major prizes exceed $3,000,000.00; none is reduced below $1,000.00 [24(c)] $1,000.00"}},
		{"not above the floor", "casino-keno-div2", "approved", onSpots("standard", kenoSet(14, 21), 100),
			[]Reduction{{0, 1, 2}}, []string{
				"7 of 8 on $1.00: 1 x $700.00 = $700.00 [1.0.schedule-of-prizes] $700.00",
				"major prizes exceed $1,000,000.00; one of $1,000.00 or less is not reduced [8.9] $700.00"}},
		{"capped", "casino-keno-div2", "approved", onSpots("special", kenoSet(1, 10), 300), nil, []string{
			"10 of 10 on $3.00: 3 x $250,000.00 = $750,000.00 [1.0.special-entry] $750,000.00",
			"a way wins at most $250,000.00 [8.6] $250,000.00"}},
		{"not major, not reduced", "vic-keno-2015", "schedule-1", onSpots("classic", kenoSet(1, 5), 100),
			[]Reduction{{0, 1, 2}},
			[]string{"5 of 5 on $1.00: 1 x $640.00 = $640.00 [S.classic-1] $640.00"}},
	} {
		h := newHouse(t, c.book, c.schedule)
		// A losing way before it has no line, and the lines say which way they are of.
		ways := []Way{onSpots(c.way.Bet, kenoSet(61, 64), 100), c.way}
		lines, err := explainWays(ways, kenoSet(1, drawn), h.terms, c.reductions)
		var got []string
		for _, l := range lines {
			if l.Way != 1 {
				t.Errorf("%s: a line of way %d", c.name, l.Way)
			}
			first, _, _ := strings.Cut(l.Clause, " ")
			got = append(got, fmt.Sprintf("%s [%s] %v", l.Text, first, l.Amount))
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		prize, err := prizeOf(ways, kenoSet(1, drawn), h.terms, c.reductions)
		if err != nil || len(lines) > 0 && prize != lines[len(lines)-1].Amount || len(lines) == 0 && prize != 0 {
			t.Errorf("%s: the prize is %v (%v), not what the last line says", c.name, prize, err)
		}
	}
}

// TestExplainIn tells of bets and features in the words of the screens.
func TestExplainIn(t *testing.T) {
	vic, tas := newHouse(t, "vic-keno-2015", "schedule-1"), newHouse(t, "tas-keno-2023", "settlement")
	row := func(rows ...keno.Row) (all [keno.MaxPlaces]keno.Row) { copy(all[:], rows); return all }
	run := func(calls string, stake money.Amount, bonus int) Way {
		w := Way{Bet: "heads_or_tails", Calls: callsOf(calls), Run: true, Stake: stake}
		if bonus > 0 {
			w.Multiplier = Side{stake, bonus}
		}
		return w
	}
	for _, c := range []struct {
		name  string
		house *house
		way   Way
		last  uint32
		games string
		want  []string
	}{
		{"multiplied", vic, Way{Bet: "classic", Spots: kenoSet(18, 21), Stake: 200, Multiplier: Side{200, 1}}, 1, "h",
			[]string{
				"3 of 4 on $2.00: 2 x $4.00 = $8.00 [S.classic-1] $8.00",
				"the numbers add up to 210: multiplied by 4 = $32.00 [S.bonus] $32.00."}},
		{"no more multiplied", vic, Way{Bet: "classic", Spots: kenoSet(18, 21), Stake: 200, Multiplier: Side{200, 1}}, 2,
			"hh", []string{
				"3 of 4 on $2.00: 2 x $4.00 = $8.00 [S.classic-1] $8.00."}},
		{"multiplied and rounded", vic, Way{Bet: "classic", Spots: kenoSet(20, 20), Stake: 13, Multiplier: Side{13, 1}}, 1,
			"h", []string{
				"1 of 1 on $0.13: 0.13 x $3.00 = $0.39 [S.classic-1] $0.39",
				"the numbers add up to 210: multiplied by 4 = $1.56 [S.bonus] $1.56",
				"rounded down to a multiple of $0.10: $1.50 [21(i)] $1.50."}},
		{"xtra", tas, Way{Bet: "standard", Spots: kenoSet(18, 21), Stake: 200, Multiplier: Side{200, 1}}, 1, "h", []string{
			"3 of 4 on $2.00: 2 x $4.00 = $8.00 [17.5] $8.00",
			"the numbers add up to 210: multiplied by 4 = $32.00 [21.4(h)] $32.00."}},
		{"last number", tas, Way{Bet: "standard", Spots: kenoSet(17, 20), Stake: 100, LuckyLast: Side{200, 1}}, 1, "h",
			[]string{
				"4 of 4 on $1.00: 1 x $115.00 = $115.00 [17.5] $115.00.",
				"the last number, 20, among 4 spots on $2.00: 2 x $15.00 = $30.00 [21.1(b)] $30.00."}},
		{"last number alone", tas, Way{Bet: "winner_takes_all", Spots: kenoSet(20, 23), Stake: 100, LuckyLast: Side{200, 1}},
			1, "h", []string{
				"the last number, 20, among 4 spots on $2.00: 2 x $15.00 = $30.00 [21.1(b)] $30.00."}},
		{"winner takes all", tas, onSpots("winner_takes_all", kenoSet(14, 21), 100), 1, "h", []string{
			"7 of 8 on $1.00: 1 x $1,850.00 = $1,850.00 [17.7] $1,850.00."}},
		{"heads", vic, Way{Bet: "heads_or_tails", Calls: callsOf("h"), Stake: 500}, 1, "h", []string{
			"20 of 20 numbers up to 40 on $5.00: 5 x $2.00 = $10.00 [S.heads-or-tails] $10.00."}},
		{"evens in a prepick", vic, Way{Bet: "heads_or_tails", Calls: callsOf("he"), Stake: 500}, 2, "te", []string{
			"10 numbers up to 40 and 10 above on $5.00: 5 x $4.00 = $20.00 [S.heads-or-tails] $20.00."}},
		{"a race", tas, Way{Bet: "racing", Type: "quinella", Rows: row(1, 2), Stake: 50}, 1, "h", []string{
			"row 1 first, row 2 second on $0.50: 0.50 x $21.00 = $10.50 [21.3(i)] $10.50."}},
		{"a dead heat", tas, Way{Bet: "racing", Type: "place", Rows: row(5), Stake: 100}, 1, "h", []string{
			"row 1 first, row 2 second, rows 3 4 5 6 7 8 third on $1.00: 1 x $2.00 = $2.00 [21.3(i)] $2.00."}},
		{"a race lost", tas, Way{Bet: "racing", Type: "win", Rows: row(5), Stake: 100}, 1, "h", nil},
		{"the first game of a run", vic, run("ht", 500, 0), 2, "h", []string{
			"20 of 20 numbers up to 40 on $5.00: 5 x $2.00 = $10.00 [S.heads-or-tails] $10.00",
			"$10.00 is the stake of the next game [2(a).let-it-run] $10.00."}},
		{"the last game of a run", vic, run("ht", 500, 0), 2, "ht", []string{
			"$10.00 carried over is the stake [2(a).let-it-run] $10.00",
			"20 of 20 numbers above 40 on $10.00: 10 x $2.00 = $20.00 [S.heads-or-tails] $20.00."}},
		{"a run with bonus", vic, run("ht", 500, 2), 2, "ht", []string{
			"$40.00 carried over is the stake, half of it on Keno Bonus [11(i)(i)] $40.00",
			"20 of 20 numbers above 40 on $20.00: 20 x $2.00 = $40.00 [S.heads-or-tails] $40.00",
			"the numbers add up to 1410: multiplied by 4 = $160.00 [S.bonus] $160.00."}},
		{"a run that is over", vic, run("hth", 500, 0), 3, "hhh", nil},
		{"a run through a void game", vic, run("hth", 500, 0), 3, "h-", []string{
			"$10.00 carried over is the stake [2(a).let-it-run] $10.00",
			"the game is void: $10.00 is the stake of the next game [2(a).let-it-run] $10.00."}},
		{"a run that ends void", vic, run("ht", 500, 0), 2, "h-", []string{
			"$10.00 carried over is the stake [2(a).let-it-run] $10.00",
			"the game is void and no other follows: $10.00 is paid [2(a).let-it-run] $10.00."}},
		{"a void game for anything else", vic, Way{Bet: "heads_or_tails", Calls: callsOf("h"), Stake: 500}, 1, "-", nil},
	} {
		// A losing way before it has no line, and the lines say which way they are of.
		p := Play{at(1), 1, c.last, []Way{onSpots(c.house.book.BetIDs()[0], kenoSet(21, 22), 100), c.way}}
		var games []Game
		for i := range c.games {
			games = append(games, Game{Ordinal: uint32(i + 1), Numbers: draws[c.games[i]], Terms: c.house.terms})
		}
		lines, err := ExplainIn(p, games)
		var got []string
		for _, l := range lines {
			first, _, _ := strings.Cut(l.Clause, " ")
			text := fmt.Sprintf("%s [%s] %v", l.Text, first, l.Amount)
			if l.Last {
				text += "."
			}
			got = append(got, text)
			if l.Way != 1 {
				t.Errorf("%s: a line of way %d", c.name, l.Way)
			}
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestHalfACent: a carried prize of an odd number of cents has an exact half.
func TestHalfACent(t *testing.T) {
	book := editedBook(t, "vic-keno-2015", "step: 0.10\n    mode: floor", "step: 0.01\n    mode: floor",
		"heads: 2\n        tails: 2", "heads: 1.01\n        tails: 2")
	terms, err := NewTerms(book, "schedule-1")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{terms: terms}
	// 1 x 1.01 x 4 = 4.04; 2.02 x 1.01 x 4 = 8.1608, of which 8.16 is carried; 4.08 x
	// 1.01 x 4 = 16.4832; 8.24 x 1.01 x 4 = 33.2896; and from 8.17 on, had it been
	// that, the half would be 4.085.
	p := Play{at(1), 1, 4, []Way{{Bet: "heads_or_tails", Calls: callsOf("h"), Run: true, Stake: 100,
		Multiplier: Side{100, 4}}}}
	if got, want := playThrough(t, h, p, "hhhh"), "($4.04) ($8.16) ($16.48) $33.28"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// 0.25 x 1.01 x 4 = 1.01; 0.505 x 1.01 x 4 = 2.0402.
	p.Ways[0].Stake, p.Ways[0].Multiplier.Stake, p.Last = 25, 25, 2
	p.Ways[0].Multiplier.Games = 2
	if got, want := playThrough(t, h, p, "hh"), "($1.01) $2.04"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	lines, err := ExplainIn(p, []Game{{Ordinal: 1, Numbers: draws['h'], Terms: terms},
		{Ordinal: 2, Numbers: draws['h'], Terms: terms}})
	if err != nil || len(lines) < 2 || !strings.HasSuffix(lines[1].Text,
		"on half of $1.01: half of $1.01 / $1.00 x $1.01 = $0.51 and a part of a cent") {
		t.Errorf("%+v, %v", lines, err)
	}
}

// TestPrizeInRefuses: a prize is not guessed from games that do not tell it.
func TestPrizeInRefuses(t *testing.T) {
	vic, tas := newHouse(t, "vic-keno-2015", "schedule-1"), newHouse(t, "tas-keno-2023", "settlement")
	game := func(h *house, ordinal uint32) Game {
		return Game{Ordinal: ordinal, Numbers: draws['h'], Terms: h.terms}
	}
	short := game(vic, 1)
	short.Numbers = short.Numbers.Prefix(19)
	run := Way{Bet: "heads_or_tails", Calls: callsOf("h"), Run: true, Stake: 100}
	spots := onSpots("classic", kenoSet(1, 4), 100)
	for name, c := range map[string]struct {
		way   Way
		games []Game
		want  string
	}{
		"nothing wrong":           {spots, []Game{game(vic, 1)}, ""},
		"a later game alone":      {spots, []Game{game(vic, 3)}, ""},
		"no game":                 {spots, nil, "no game"},
		"a game before":           {spots, []Game{game(vic, 0)}, "none of its games, 1 to 3"},
		"a game after":            {spots, []Game{game(vic, 4)}, "none of its games, 1 to 3"},
		"a gap":                   {spots, []Game{game(vic, 1), game(vic, 3)}, "game 3 stands after game 1"},
		"19 numbers":              {spots, []Game{short}, "not 20 numbers drawn"},
		"a run without its first": {run, []Game{game(vic, 2)}, "runs from game 1 on"},
		"a run in another rulebook": {run, []Game{game(newHouse(t, "casino-keno-div2", "approved"), 1)},
			"no prizes for heads_or_tails"},
		"no such bet": {Way{Bet: "racing", Type: "win", Rows: [keno.MaxPlaces]keno.Row{1}, Stake: 100},
			[]Game{game(vic, 1)}, "no prizes for racing win"},
		"no such type": {Way{Bet: "racing", Type: "last", Rows: [keno.MaxPlaces]keno.Row{1}, Stake: 100},
			[]Game{game(tas, 1)}, "no prizes for racing last"},
		"a row too many": {Way{Bet: "racing", Type: "win", Rows: [keno.MaxPlaces]keno.Row{1, 2}, Stake: 100},
			[]Game{game(tas, 1)}, "no prizes for racing win with 2 rows"},
		"no multiplier for it": {Way{Bet: "heads_or_tails", Calls: callsOf("h"), Stake: 100, Multiplier: Side{100, 1}},
			[]Game{game(tas, 1)}, "no multiplier for heads_or_tails"},
		"no last number for it": {Way{Bet: "classic", Spots: kenoSet(1, 4), Stake: 100, LuckyLast: Side{100, 1}},
			[]Game{game(vic, 1)}, "with the last number"},
	} {
		p := Play{at(1), 1, 3, []Way{c.way}}
		_, err := PrizeIn(p, c.games)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if _, err := ExplainIn(p, c.games); (err == nil) != (c.want == "") {
			t.Errorf("%s: explained with %v", name, err)
		}
	}
}

// TestWithoutOrder: a set of numbers judges what the order does not decide, and
// nothing else.
func TestWithoutOrder(t *testing.T) {
	h := newHouse(t, "tas-keno-2023", "settlement")
	race := Way{Bet: "racing", Type: "win", Rows: [keno.MaxPlaces]keno.Row{1}, Stake: 100}
	lucky := Way{Bet: "standard", Spots: kenoSet(1, 4), Stake: 100, LuckyLast: Side{100, 1}}
	for _, c := range []struct {
		way  Way
		want string
	}{
		{onSpots("standard", kenoSet(1, 4), 100), ""},
		{Way{Bet: "heads_or_tails", Calls: callsOf("h"), Stake: 100}, ""},
		{race, "plays racing win with 1 rows, for which settlement has no prizes"},
		{lucky, "plays standard on 4 spots with the last number, for which settlement has no prizes"},
	} {
		open := NewOpen(0)
		if err := open.Add(Play{at(1), 1, 1, []Way{c.way}}); err != nil {
			t.Fatal(err)
		}
		if _, err := open.Close(1); err != nil {
			t.Fatal(err)
		}
		_, err := Pass(open, 1, draws['h'].Set(), h.terms, newPots(h.terms))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.way, err, c.want)
		}
		if _, err := prizeOf([]Way{c.way}, draws['h'].Set(), h.terms, nil); (err == nil) != (c.want == "") {
			t.Errorf("%+v: %v", c.way, err)
		}
		if _, err := Pass(open, 1, draws['h'], h.terms, newPots(h.terms)); err != nil {
			t.Errorf("%+v with the order: %v", c.way, err)
		}
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct {
		stake, per money.Amount
		want       string
	}{{200, 100, "2"}, {150, 100, "1.50"}, {10, 100, "0.10"}, {100, 50, "2"}, {75, 50, "$0.75 / $0.50"}} {
		if got := timesPer(c.stake, c.per); got != c.want {
			t.Errorf("%v for %v is %s times, want %s", c.stake, c.per, got, c.want)
		}
	}
}

func TestPrizeOfRefuses(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	good := onSpots("classic", kenoSet(1, 4), 100)
	for name, c := range map[string]struct {
		way        Way
		reductions []Reduction
		want       string
	}{
		"no such bet":       {onSpots("tombola", kenoSet(1, 4), 100), nil, "no prizes for tombola"},
		"no such size":      {onSpots("classic", kenoSet(1, 11), 100), nil, "on 11 spots"},
		"no stake":          {onSpots("classic", kenoSet(1, 4), 0), nil, "stake of $0.00"},
		"too large a stake": {onSpots("classic", kenoSet(1, 10), 1<<60), nil, "out of range"},
		"no such limit":     {good, []Reduction{{1, 1, 2}}, "none of these terms"},
		"a factor of one":   {good, []Reduction{{0, 1, 1}}, "none of these terms"},
		"no factor":         {good, []Reduction{{0, 0, 0}}, "none of these terms"},
	} {
		_, err := prizeOf([]Way{good, c.way}, kenoSet(1, drawn), h.terms, c.reductions)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if _, err := explainWays([]Way{good, c.way}, kenoSet(1, drawn), h.terms, c.reductions); err == nil {
			t.Errorf("%s: explained", name)
		}
	}
}
