package jackpot

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/money"
)

// TestRateAndContribution has every threshold below, at and above it.
func TestRateAndContribution(t *testing.T) {
	for _, c := range []struct {
		name, terms string
		pool        Pool
		stakes      money.Amount
		clause      string
		want        Pool
		move        Movement
	}{
		{"growth", victoria, Pool{Spots: 7}, 123_45, "15(a)",
			Pool{Spots: 7, Primary: cents(12_34) + 5000}, Movement{Fund: -12_34, Primary: 12_34}},
		{"fractions make a cent", victoria, Pool{Spots: 7, Primary: cents(12_34) + 5000}, 123_45, "15(a)",
			Pool{Spots: 7, Primary: cents(24_69)}, Movement{Fund: -12_35, Primary: 12_35}},
		{"no stakes", victoria, Pool{Spots: 10, Primary: 7}, 0, "15(a)", Pool{Spots: 10, Primary: 7}, Movement{}},
		{"7 spots", tasmania, Pool{Spots: 7, Primary: dollars(60_000)}, 1_000_00, "7.4(a) 7.1(a)",
			Pool{Spots: 7, Primary: dollars(60_100)}, Movement{Fund: -100_00, Primary: 100_00}},
		{"9 spots below 50,000", tasmania, Pool{Spots: 9, Primary: cents(49_999_99) + 9999}, 1_000_00, "7.4(c)",
			Pool{Spots: 9, Primary: cents(50_149_99) + 9999}, Movement{Fund: -150_00, Primary: 150_00}},
		{"9 spots at 50,000", tasmania, Pool{Spots: 9, Primary: dollars(50_000)}, 1_000_00, "7.4(d)",
			Pool{Spots: 9, Primary: dollars(50_100), Secondary: dollars(50)},
			Movement{Fund: -150_00, Primary: 100_00, Secondary: 50_00}},
		{"9 spots above 50,000", tasmania, Pool{Spots: 9, Primary: cents(50_000_01)}, 1_000_00, "7.4(d)",
			Pool{Spots: 9, Primary: cents(50_100_01), Secondary: dollars(50)},
			Movement{Fund: -150_00, Primary: 100_00, Secondary: 50_00}},
		{"seed below 100,000", tasmania, Pool{Spots: 9, Primary: dollars(90_000), Owed: cents(99_999_99),
			Seeded: dollars(80_000)}, 1_000_00, "7.6(b)",
			Pool{Spots: 9, Primary: dollars(90_100), Owed: cents(99_899_99), Seeded: dollars(80_000)},
			Movement{Fund: -200_00, Primary: 100_00, Operator: 100_00}},
		{"seed at 100,000", tasmania, Pool{Spots: 9, Primary: dollars(100_000), Owed: dollars(100_000),
			Seeded: dollars(100_000)}, 1_000_00, "7.6(c)",
			Pool{Spots: 9, Primary: dollars(100_060), Owed: dollars(99_860), Seeded: dollars(99_860)},
			Movement{Fund: -200_00, Primary: 60_00, Operator: 140_00}},
		{"seed above 100,000", tasmania, Pool{Spots: 7, Owed: cents(100_000_01)}, 1_000_00, "7.6(c)",
			Pool{Spots: 7, Primary: dollars(60), Owed: cents(99_860_01)},
			Movement{Fund: -200_00, Primary: 60_00, Operator: 140_00}},
		{"an instalment below what is owed", tasmania, Pool{Spots: 8, Owed: cents(100_01)}, 1_000_00, "7.6(b)",
			Pool{Spots: 8, Primary: dollars(100), Owed: cents(1)}, Movement{Fund: -200_00, Primary: 100_00, Operator: 100_00}},
		{"an instalment of what is owed", tasmania, Pool{Spots: 8, Owed: cents(100_00)}, 1_000_00, "7.6(b)",
			Pool{Spots: 8, Primary: dollars(100)}, Movement{Fund: -200_00, Primary: 100_00, Operator: 100_00}},
		{"the last instalment, and the excess", tasmania, Pool{Spots: 8, Owed: cents(99_99)}, 1_000_00, "7.6(b)",
			Pool{Spots: 8, Primary: cents(100_01)}, Movement{Fund: -200_00, Primary: 100_01, Operator: 99_99}},
		{"no part of a cent is repaid", tasmania, Pool{Spots: 8, Owed: dollars(1)}, 15, "7.6(b)",
			Pool{Spots: 8, Primary: cents(1) + 5000, Owed: cents(98) + 5000}, Movement{Fund: -2, Primary: 1, Operator: 1}},
		{"an approved percentage", casino, Pool{Spots: 6, Primary: dollars(1_500)}, 33, "5.7 5.6",
			Pool{Spots: 6, Primary: dollars(1_500) + 9900}, Movement{}},
	} {
		terms := newTerms(t, c.terms)
		rate, err := terms.Rate(c.pool)
		if err != nil || rate.Clause != c.clause {
			t.Errorf("%s: %+v, %v; want clause %s", c.name, rate, err, c.clause)
			continue
		}
		got, contribution, move, err := Contribute(c.pool, c.stakes, rate)
		if err != nil || got != c.want || move != c.move {
			t.Errorf("%s: %+v %+v %v\nwant %+v %+v", c.name, got, move, err, c.want, c.move)
		}
		back, nothing, undone, err := TakeBack(got, contribution, 0)
		if err != nil || back != c.pool || undone.plus(move) != (Movement{}) || nothing.Primary != 0 {
			t.Errorf("%s: taken back it is %+v, %+v, %v", c.name, back, undone, err)
		}
	}
}

// TestRateOfTheOpening divides by the rate that was found when the game opened,
// whatever the pool has become since.
func TestRateOfTheOpening(t *testing.T) {
	terms := newTerms(t, tasmania)
	rate, err := terms.Rate(Pool{Spots: 9, Primary: dollars(60_000)})
	if err != nil {
		t.Fatal(err)
	}
	got, _, _, err := Contribute(Pool{Spots: 9, Primary: dollars(4)}, 100_00, rate)
	if want := (Pool{Spots: 9, Primary: dollars(14), Secondary: dollars(5)}); err != nil || got != want {
		t.Errorf("%+v %v, want %+v", got, err, want)
	}
	all := Rate{Primary: 60_00, Secondary: 40_00}
	if got, _, _, err := Contribute(Pool{}, 1_00, all); err != nil || got.Primary+got.Secondary != dollars(1) {
		t.Errorf("all of a stake: %+v %v", got, err)
	}
	if got, _, _, err := Contribute(Pool{Owed: dollars(5)}, 1_00, Rate{Seed: 100_00}); err != nil ||
		got.Owed != dollars(4) {
		t.Errorf("all of a stake to the operator: %+v %v", got, err)
	}
	// A seed that was lent since is not repaid by this game, and one that was
	// repaid since takes nothing more.
	lent := Pool{Spots: 9, Primary: dollars(60_000), Owed: dollars(1_000), Seeded: dollars(1_000)}
	if got, _, _, err := Contribute(lent, 100_00, rate); err != nil || got.Owed != lent.Owed {
		t.Errorf("%+v %v", got, err)
	}
	if rate, err = terms.Rate(lent); err != nil {
		t.Fatal(err)
	}
	got, _, move, err := Contribute(Pool{Spots: 9}, 100_00, rate)
	if err != nil || got.Primary != dollars(20) || move.Operator != 0 {
		t.Errorf("%+v %+v %v", got, move, err)
	}
}

// TestTakeBackInPart refunds some of the stakes of a game, after another game.
func TestTakeBackInPart(t *testing.T) {
	rate := Rate{Primary: 10_00, Seed: 10_00}
	before := Pool{Spots: 9, Primary: dollars(50), Owed: dollars(30), Seeded: dollars(30)}
	after, c, _, err := Contribute(before, 400_00, rate)
	if err != nil || after.Owed != 0 || after.Primary != dollars(100) {
		t.Fatal(after, err)
	}
	later, _, _, err := Contribute(after, 10_00, Rate{Primary: 15_00})
	if err != nil {
		t.Fatal(err)
	}
	got, lower, move, err := TakeBack(later, c, 100_00)
	want := Pool{Spots: 9, Primary: cents(61_50), Owed: dollars(20), Seeded: dollars(20)}
	if err != nil || got != want || lower.Stakes != 100_00 || lower.Repaid != dollars(10) {
		t.Errorf("%+v %+v %v, want %+v", got, lower, err, want)
	}
	if want := (Movement{Fund: 60_00, Primary: -40_00, Operator: -20_00}); move != want {
		t.Errorf("%+v, want %+v", move, want)
	}
}

func TestContributeRefuses(t *testing.T) {
	rate := Rate{Primary: 10_00}
	for name, c := range map[string]struct {
		pool   Pool
		stakes money.Amount
		rate   Rate
		want   string
	}{
		"a pool that was won":   {Pool{Won: true}, 1, rate, "not ready"},
		"negative stakes":       {Pool{}, -1, rate, "out of range"},
		"stakes beyond bounds":  {Pool{}, math.MaxInt64, rate, "out of range"},
		"a negative percentage": {Pool{}, 1, Rate{Primary: -1}, "no division"},
		"more than all":         {Pool{}, 1, Rate{Primary: 60_00, Secondary: 30_00, Seed: 10_01}, "no division"},
		"a full pool":           {Pool{Primary: most}, 1, rate, "out of range"},
		"an impossible pool":    {Pool{Secondary: -1}, 1, rate, "out of range"},
	} {
		if _, _, _, err := Contribute(c.pool, c.stakes, c.rate); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	_, c, _, err := Contribute(Pool{}, 100, rate)
	if err != nil {
		t.Fatal(err)
	}
	for name, left := range map[string]money.Amount{"more than there was": 101, "less than nothing": -1} {
		if _, _, _, err := TakeBack(Pool{Primary: 100000}, c, left); err == nil {
			t.Errorf("%s is left, and taken back", name)
		}
	}
	if _, _, _, err := TakeBack(Pool{}, c, 0); err == nil || !strings.Contains(err.Error(), "not in the pool any more") {
		t.Errorf("taken back from an empty pool: %v", err)
	}
	if _, _, _, err := TakeBack(Pool{Won: true, Primary: 100000}, c, 0); err == nil {
		t.Error("taken back after a win")
	}
	if _, _, _, err := TakeBack(Pool{Primary: 100000}, Contribution{Stakes: 1, Rate: Rate{Primary: -1}}, 0); err == nil {
		t.Error("a rate that is none is taken back")
	}
}

func TestRateRefuses(t *testing.T) {
	vic := newTerms(t, victoria)
	for name, p := range map[string]Pool{"no jackpot": {Spots: 6}, "a seed where none is lent": {Spots: 7, Owed: 1}} {
		if r, err := vic.Rate(p); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestExplainContribution(t *testing.T) {
	for _, c := range []struct {
		terms  string
		pool   Pool
		stakes money.Amount
		want   []string
	}{
		{victoria, Pool{Spots: 7}, 123_45, []string{"10.00% of $123.45 to the growth = $12.345 [15(a)] $12.34"}},
		{tasmania, Pool{Spots: 9, Primary: dollars(50_000)}, 100_00, []string{
			"10.00% of $100.00 to the primary prize = $10.00 [7.4(d)] $10.00",
			"5.00% of $100.00 to the secondary prize = $5.00 [7.4(d)] $5.00"}},
		{tasmania, Pool{Spots: 9, Owed: dollars(100_000)}, 100_00, []string{
			"6.00% of $100.00 to the primary prize = $6.00 [7.6(c)] $6.00",
			"14.00% of $100.00 to repay the seed of $100,000.00 = $14.00 [7.6(c)] $14.00"}},
		{tasmania, Pool{Spots: 9, Owed: dollars(4)}, 100_00, []string{
			"10.00% of $100.00 to the primary prize = $10.00 [7.6(b)] $10.00",
			"10.00% of $100.00 to repay the seed of $4.00 = $10.00 [7.6(b)] $4.00",
			"$6.00 of it is more than is owed and goes to the primary prize [7.6(a) 7.6(d)] $6.00"}},
		{casino, Pool{Spots: 8, Primary: dollars(10_000)}, 1,
			[]string{"5.00% of $0.01 to the pool = $0.0005 [5.7 5.6] $0.00"}},
	} {
		terms := newTerms(t, c.terms)
		rate, err := terms.Rate(c.pool)
		if err != nil {
			t.Fatal(err)
		}
		_, contribution, _, err := Contribute(c.pool, c.stakes, rate)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range terms.ExplainContribution(contribution) {
			got = append(got, fmt.Sprintf("%s [%s] %v", l.Text, l.Clause, l.Amount))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestExact(t *testing.T) {
	for e, want := range map[Exact]string{
		0: "$0.00", 1: "$0.000001", 5000: "$0.005", cents(1_234_50): "$1,234.50", cents(3) + 4500: "$0.0345",
		-1: "-$0.000001", -cents(5): "-$0.05",
	} {
		if got := e.String(); got != want {
			t.Errorf("%d is %s, want %s", int64(e), got, want)
		}
	}
	for _, c := range []struct {
		e           Exact
		floor, ceil money.Amount
		part        int64
	}{{0, 0, 0, 0}, {1, 0, 1, 1}, {9999, 0, 1, 9999}, {10000, 1, 1, 0}, {-1, -1, 0, 9999}, {-10000, -1, -1, 0}} {
		if c.e.Cents() != c.floor || c.e.ceil() != c.ceil || c.e.Part() != c.part {
			t.Errorf("%d: %d %d %d", c.e, c.e.Cents(), c.e.ceil(), c.e.Part())
		}
	}
	for _, a := range []money.Amount{-1, money.Amount(most/perCent) + 1, math.MaxInt64} {
		if e, err := ExactOf(a); err == nil {
			t.Errorf("%v is %v", a, e)
		}
	}
	if e, err := ExactOf(7); err != nil || e != 70000 {
		t.Errorf("7 cents are %d, %v", int64(e), err)
	}
}
