package jackpot

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/money"
)

// won is what an example expects of a draw.
type won struct {
	shares []money.Amount
	after  Pool
	move   Movement
}

// TestWorkedExamples has each model with one, two and three winners of different
// stakes, worked out by hand.
func TestWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		name, terms string
		pool        Pool
		winners     []Winner
		multiplier  int
		elsewhere   Elsewhere
		want        won
	}{
		{"growth, one winner with a large stake takes it once", victoria,
			Pool{Spots: 7, Primary: cents(1_234_50)}, []Winner{{Stake: 50_00}}, 0, Elsewhere{},
			won{[]money.Amount{1_234_50}, Pool{Spots: 7, Won: true}, Movement{Primary: -1_234_50, Winners: 1_234_50}}},
		{"growth, two winners", victoria,
			Pool{Spots: 7, Primary: cents(1_234_50)}, []Winner{{Stake: 2_00}, {Stake: 1_00}}, 0, Elsewhere{},
			won{[]money.Amount{823_00, 411_50}, Pool{Spots: 7, Won: true}, Movement{Primary: -1_234_50, Winners: 1_234_50}}},
		{"fill and growth, three winners, with residue and a fraction", victoria,
			Pool{Spots: 10, Primary: cents(1_000_00) + 2500}, []Winner{{Stake: 1_00}, {Stake: 2_00}, {Stake: 4_00}}, 0,
			Elsewhere{},
			// Fill 750,000.00: 107,142.85 + 214,285.71 + 428,571.42 = 749,999.98.
			// Growth 1,000.00: 142.85 + 285.71 + 571.42 = 999.98.
			won{[]money.Amount{107_285_70, 214_571_42, 429_142_84},
				Pool{Spots: 10, Won: true, Primary: cents(4) + 2500},
				Movement{Fund: -750_000_00, Primary: -999_96, Winners: 750_999_96}}},
		{"bonus jackpot, two winners of whom one has Bonus", victoria,
			Pool{Spots: 8, Primary: cents(900_00)}, []Winner{{Stake: 1_00, Bonus: true}, {Stake: 2_00}}, 2, Elsewhere{},
			won{[]money.Amount{38_300_00, 600_00}, Pool{Spots: 8, Won: true},
				Movement{Fund: -38_000_00, Primary: -900_00, Winners: 38_900_00}}},
		{"bonus jackpot, three winners with Bonus: its residue stays in the fund", victoria,
			Pool{Spots: 7, Primary: cents(600_00)}, []Winner{{1_00, true}, {2_00, true}, {3_00, true}}, 10, Elsewhere{},
			// 7,000.00: 1,166.66 + 2,333.33 + 3,500.00.
			won{[]money.Amount{1_266_66, 2_533_33, 3_800_00}, Pool{Spots: 7, Won: true},
				Movement{Fund: -6_999_99, Primary: -600_00, Winners: 7_599_99}}},
		{"multiplier 1 brings no bonus jackpot", victoria,
			Pool{Spots: 7, Primary: cents(600_00)}, []Winner{{1_00, true}}, 1, Elsewhere{},
			won{[]money.Amount{600_00}, Pool{Spots: 7, Won: true}, Movement{Primary: -600_00, Winners: 600_00}}},
		{"pooled, a winner here and one elsewhere", victoria,
			Pool{Spots: 10, Primary: cents(1_000_00)}, []Winner{{Stake: 1_00}}, 0, Elsewhere{Growth: 2_000_00, Stakes: 2_00},
			// 3,000.00 x 1/3 = 1,000.00, just what we have paid in.
			won{[]money.Amount{751_000_00}, Pool{Spots: 10, Won: true},
				Movement{Fund: -750_000_00, Primary: -1_000_00, Winners: 751_000_00}}},
		{"pooled, our two winners get more than we have paid in", victoria,
			Pool{Spots: 10, Primary: cents(1_000_00) + 1}, []Winner{{Stake: 1_00}, {Stake: 2_00}}, 0,
			Elsewhere{Growth: 9_000_00, Stakes: 4_00},
			// 10,000.00 x 3/7 = 4,285.71: 1,428.57 + 2,857.14; fill 250,000 + 500,000.
			won{[]money.Amount{251_428_57, 502_857_14}, Pool{Spots: 10, Won: true, Primary: 1},
				Movement{Fund: -750_000_00, Primary: -1_000_00, Winners: 754_285_71, Elsewhere: -3_285_71}}},
		{"won elsewhere: growth goes, fill stays", victoria,
			Pool{Spots: 10, Primary: cents(1_000_00) + 77}, nil, 0, Elsewhere{Growth: 9_000_00, Stakes: 4_00},
			won{nil, Pool{Spots: 10, Won: true, Primary: 77}, Movement{Primary: -1_000_00, Elsewhere: 1_000_00}}},
		{"pooled and not won", victoria,
			Pool{Spots: 10, Primary: cents(1_000_00)}, nil, 5, Elsewhere{Growth: 9_000_00},
			won{nil, Pool{Spots: 10, Primary: cents(1_000_00)}, Movement{}}},

		{"primary, one winner on ten cents", tasmania,
			Pool{Spots: 9, Primary: dollars(60_000), Secondary: dollars(4_000)}, []Winner{{Stake: 10}}, 0, Elsewhere{},
			won{[]money.Amount{60_000_00}, Pool{Spots: 9, Won: true, Secondary: dollars(4_000)},
				Movement{Primary: -60_000_00, Winners: 60_000_00}}},
		{"primary, two winners", tasmania,
			Pool{Spots: 8, Primary: cents(10_000_01)}, []Winner{{Stake: 1_00}, {Stake: 3_00}}, 0, Elsewhere{},
			won{[]money.Amount{2_500_00, 7_500_00}, Pool{Spots: 8, Won: true, Primary: cents(1)},
				Movement{Primary: -10_000_00, Winners: 10_000_00}}},
		{"primary, three winners; the operator is still owed the seed", tasmania,
			Pool{Spots: 9, Primary: dollars(70_000), Secondary: dollars(9), Owed: dollars(50_000), Seeded: dollars(50_000)},
			[]Winner{{Stake: 1_00}, {Stake: 2_00}, {Stake: 3_00}}, 0, Elsewhere{},
			won{[]money.Amount{11_666_66, 23_333_33, 35_000_00},
				Pool{Spots: 9, Won: true, Primary: cents(1), Secondary: dollars(9), Owed: dollars(50_000)},
				Movement{Primary: -69_999_99, Winners: 69_999_99}}},

		{"pool, one winner, whatever the wager", casino,
			Pool{Spots: 8, Primary: dollars(12_345)}, []Winner{{Stake: 20_00}}, 0, Elsewhere{},
			won{[]money.Amount{12_345_00}, Pool{Spots: 8, Won: true}, Movement{Primary: -12_345_00, Winners: 12_345_00}}},
		{"pool, two winners", casino,
			Pool{Spots: 6, Primary: dollars(2_000) + 9}, []Winner{{Stake: 1_00}, {Stake: 4_00}}, 0, Elsewhere{},
			won{[]money.Amount{400_00, 1_600_00}, Pool{Spots: 6, Won: true, Primary: 9},
				Movement{Primary: -2_000_00, Winners: 2_000_00}}},
		{"pool, three winners, two of them on one ticket", casino,
			Pool{Spots: 6, Primary: dollars(2_000)}, []Winner{{Stake: 1_00}, {Stake: 1_00}, {Stake: 5_00}}, 0, Elsewhere{},
			won{[]money.Amount{285_71, 285_71, 1_428_57}, Pool{Spots: 6, Won: true, Primary: cents(1)},
				Movement{Primary: -1_999_99, Winners: 1_999_99}}},
	} {
		terms := newTerms(t, c.terms)
		got, err := terms.Win(c.pool, c.winners, c.multiplier, c.elsewhere)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var shares []money.Amount
		for _, w := range c.winners {
			share, err := got.Share(w)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			shares = append(shares, share)
		}
		if !slices.Equal(shares, c.want.shares) || got.After != c.want.after || got.Move != c.want.move ||
			got.Before != c.pool {
			t.Errorf("%s:\n%v %+v %+v\nwant\n%v %+v %+v", c.name, shares, got.After, got.Move, c.want.shares, c.want.after,
				c.want.move)
		}
	}
}

// TestNextAfterWorkedWins goes on where the worked examples end.
func TestNextAfterWorkedWins(t *testing.T) {
	for _, c := range []struct {
		name, terms string
		pool, want  Pool
		move        Movement
	}{
		{"growth begins with the residue", victoria,
			Pool{Spots: 7, Won: true, Primary: cents(2)}, Pool{Spots: 7, Primary: cents(2)}, Movement{}},
		{"the secondary opens the next primary", tasmania,
			Pool{Spots: 9, Won: true, Primary: cents(1), Secondary: cents(4_000_00) + 5},
			Pool{Spots: 9, Primary: cents(4_000_01) + 5},
			Movement{Primary: 4_000_00, Secondary: -4_000_00}},
		{"two fractions make a cent, which the fund holds", tasmania,
			Pool{Spots: 9, Won: true, Primary: 6000, Secondary: 5000}, Pool{Spots: 9, Primary: 11000},
			Movement{Fund: -1, Primary: 1}},
		{"a secondary stays where it is until then", tasmania,
			Pool{Spots: 9, Primary: cents(1), Secondary: dollars(4)}, Pool{Spots: 9, Primary: cents(1), Secondary: dollars(4)},
			Movement{}},
		{"a lot is added after a win", tasmania,
			Pool{Spots: 9, Won: true, Waiting: dollars(250_001)}, Pool{Spots: 9, Primary: dollars(250_000), Waiting: dollars(1)},
			Movement{Primary: 250_000_00, Waiting: -250_000_00}},
		{"and only then", tasmania,
			Pool{Spots: 9, Waiting: dollars(250_001)}, Pool{Spots: 9, Waiting: dollars(250_001)}, Movement{}},
		{"the pool returns to its reset value", casino,
			Pool{Spots: 6, Won: true, Primary: cents(1) + 9}, Pool{Spots: 6, Primary: cents(1_500_01) + 9},
			Movement{Operator: -1_500_00, Primary: 1_500_00}},
		{"a pool below its reset value is made up", casino,
			Pool{Spots: 6, Primary: cents(1_400_00) + 9}, Pool{Spots: 6, Primary: cents(1_500_00) + 9},
			Movement{Operator: -100_00, Primary: 100_00}},
		{"one above is not", casino,
			Pool{Spots: 6, Primary: cents(1_500_01)}, Pool{Spots: 6, Primary: cents(1_500_01)}, Movement{}},
	} {
		got, move, err := newTerms(t, c.terms).Next(c.pool)
		if err != nil || got != c.want || move != c.move {
			t.Errorf("%s: %+v %+v %v\nwant %+v %+v", c.name, got, move, err, c.want, c.move)
		}
	}
}

// TestPooledDrawsReportedLate has two draws waiting while a third game has closed:
// the outcome is the same as if the reports had come at once.
func TestPooledDrawsReportedLate(t *testing.T) {
	terms := newTerms(t, victoria)
	rate := Rate{Primary: 10_00}
	ours := []Winner{{Stake: 1_00}}
	first, second := Elsewhere{Growth: 500_00, Stakes: 3_00}, Elsewhere{Growth: 20_00, Stakes: 1_00}
	contribute := func(p Pool) Pool {
		t.Helper()
		p, _, _, err := Contribute(p, 333_33, rate)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	next := func(p Pool, err error) Pool {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		p, _, err = terms.Next(p)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	win := func(p Pool, e Elsewhere) Won {
		t.Helper()
		w, err := terms.Growth(p, ours, e)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}

	atOnce := contribute(Pool{Spots: 10, Primary: cents(123_45)})
	atOnce = next(win(atOnce, first).After, nil)
	atOnce = next(win(contribute(atOnce), second).After, nil)
	atOnce = contribute(atOnce)

	drawn1 := contribute(Pool{Spots: 10, Primary: cents(123_45)})
	drawn2 := contribute(drawn1)
	now := contribute(drawn2)
	won1 := win(drawn1, first)
	drawn2, now = next(won1.Apply(drawn2)), next(won1.Apply(now))
	won2 := win(drawn2, second)
	now = next(won2.Apply(now))
	if now != atOnce {
		t.Errorf("late %+v, at once %+v", now, atOnce)
	}
	if _, err := won1.Apply(Pool{Spots: 9}); err == nil {
		t.Error("a win on 10 spots is applied to 9")
	}
}

func TestWinRefuses(t *testing.T) {
	vic, tas := newTerms(t, victoria), newTerms(t, tasmania)
	for name, c := range map[string]struct {
		terms     *Terms
		pool      Pool
		winners   []Winner
		elsewhere Elsewhere
		want      string
	}{
		"no such jackpot":     {vic, Pool{Spots: 6}, nil, Elsewhere{}, "none for 6 spots"},
		"not ready":           {vic, Pool{Spots: 7, Won: true}, nil, Elsewhere{}, "not ready"},
		"no stake":            {vic, Pool{Spots: 7}, []Winner{{Stake: 1}, {}}, Elsewhere{}, "winner 2: a stake of $0.00"},
		"a negative stake":    {vic, Pool{Spots: 7}, []Winner{{Stake: -1}}, Elsewhere{}, "winner 1"},
		"not pooled":          {tas, Pool{Spots: 7}, nil, Elsewhere{Growth: 1}, "not shared"},
		"negative growth":     {vic, Pool{Spots: 7}, nil, Elsewhere{Growth: -1, Stakes: 1}, "out of range"},
		"negative stakes":     {vic, Pool{Spots: 7}, nil, Elsewhere{Stakes: -1}, "out of range"},
		"an impossible pool":  {vic, Pool{Spots: 7, Primary: -1}, nil, Elsewhere{}, "out of range"},
		"more seed than owed": {tas, Pool{Spots: 7, Primary: 2, Seeded: 1}, nil, Elsewhere{}, "cannot be seed"},
	} {
		_, err := c.terms.Win(c.pool, c.winners, 0, c.elsewhere)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := vic.Win(Pool{Spots: 7, Won: true}, nil, 0, Elsewhere{}); !errors.Is(err, ErrWon) {
		t.Errorf("%v is not ErrWon", err)
	}
	for _, stake := range []money.Amount{-1, 0, 101} {
		if share, err := (Award{Part: PartPool, Amount: 100, Stakes: 100}).Share(Winner{Stake: stake}); err == nil {
			t.Errorf("a stake of %v among %v gets %v", stake, money.Amount(100), share)
		}
	}
}

func TestExplain(t *testing.T) {
	vic, tas, cas := newTerms(t, victoria), newTerms(t, tasmania), newTerms(t, casino)
	awards := []Award{
		{10, PartPool, 1_234_50, 3_00}, {10, PartFill, 750_000_00, 2_00}, {10, PartBonus, 2_900_000_00, 2_00},
		{7, PartPool, 1, 1_00},
	}
	for _, c := range []struct {
		name   string
		terms  *Terms
		awards []Award
		winner Winner
		want   []string
	}{
		{"with Bonus", vic, awards, Winner{2_00, true}, []string{
			"growth $1,234.50 shared 2/3 = $823.00 [15(a)] $823.00",
			"fill $750,000.00 [S.classic-1] $750,000.00",
			"bonus jackpot $2,900,000.00 [S.bonus-jackpot-1] $2,900,000.00"}},
		{"without", vic, awards, Winner{1_00, false}, []string{
			"growth $1,234.50 shared 1/3 = $411.50 [15(a)] $411.50",
			"fill $750,000.00 shared 1/2 = $375,000.00 [S.classic-1] $375,000.00"}},
		{"a primary prize", tas, []Award{{10, PartPool, 100, 7_00}, {10, PartAside, 9_00, 7_00}}, Winner{2_00, false},
			[]string{
				"primary prize $1.00 shared 2/7 = $0.28 [7.3] $0.28",
				"jackpot bonus prize $9.00 shared 2/7 = $2.57 [7.3] $2.57"}},
		{"a pool", cas, []Award{{10, PartPool, 100, 2_00}}, Winner{2_00, false}, []string{"pool $1.00 [5.11] $1.00"}},
	} {
		lines, err := c.terms.Explain(c.awards, 10, c.winner)
		var got []string
		for _, l := range lines {
			first, _, _ := strings.Cut(l.Clause, " ")
			got = append(got, fmt.Sprintf("%s [%s] %v", l.Text, first, l.Amount))
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	if _, err := vic.Explain(awards, 10, Winner{Stake: 4_00}); err == nil {
		t.Error("a stake above all stakes is explained")
	}
}
