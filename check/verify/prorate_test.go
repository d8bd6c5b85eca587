package verify

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

func dollars(n int64) *rulebook.Dollars { d := rulebook.Dollars(n * 100); return &d }

// TestLevelKeepsTheCap checks the factor by its meaning: the prizes, none below
// its floor, come to exactly the cap, unless the floors alone pass it.
func TestLevelKeepsTheCap(t *testing.T) {
	p := &rulebook.Prorating{MajorFrom: dollars(200), Cap: dollars(300_000), Floor: *dollars(1000),
		Method: rulebook.ProrateLevel}
	rapid.Check(t, func(t *rapid.T) {
		majors := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) major {
			return major{ratOf(money.Amount(rapid.Int64Range(200_00, 250_000_00).Draw(t, "prize"))),
				rapid.Uint64Range(1, 20).Draw(t, "ways")}
		}), 1, 30).Draw(t, "majors")
		r := newReduction(p, majors)
		paid, floors := new(big.Rat), new(big.Rat)
		for _, m := range majors {
			left := r.reduce(m.prize)
			if left.Cmp(m.prize) > 0 || left.Cmp(minRat(m.prize, ratOf(1000_00))) < 0 {
				t.Fatalf("%v became %v", m.prize, left)
			}
			paid.Add(paid, new(big.Rat).Mul(left, countRat(m.count)))
			floors.Add(floors, new(big.Rat).Mul(minRat(m.prize, ratOf(1000_00)), countRat(m.count)))
		}
		want := minRat(ratOf(300_000_00), sumMajors(majors))
		if floors.Cmp(want) > 0 {
			want = floors
		}
		if paid.Cmp(want) != 0 {
			t.Fatalf("%v is paid, want %v", paid, want)
		}
	})
}

// TestFormula works the examples of vic-keno-2015 24(a)-(c): at the cap nothing
// is reduced, above it each prize becomes X / Y x cap, and none falls below the
// floor.
func TestFormula(t *testing.T) {
	p := &rulebook.Prorating{MajorOver: dollars(1000), Cap: dollars(3_000_000), Floor: *dollars(1000),
		Method: rulebook.ProrateFormula}
	at := []major{{ratOf(250_000_00), 12}}
	if newReduction(p, at) != nil {
		t.Error("prizes of exactly the cap were reduced")
	}
	r := newReduction(p, append(at, major{ratOf(1_500_00), 2000}))
	for prize, want := range map[money.Amount]money.Amount{250_000_00: 125_000_00, 1_500_00: 1_000_00,
		1_000_01: 1_000_00} {
		if got := r.reduce(ratOf(prize)); got.Cmp(ratOf(want)) != 0 {
			t.Errorf("%v became %v cents, want %v", prize, got, want)
		}
	}
	if majorUnder(p, ratOf(1_000_00)) || !majorUnder(p, ratOf(1_000_01)) {
		t.Error("a prize is major above $1,000 and not at it")
	}
}

// TestRounding compares the four roundings with those of package money.
func TestRounding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		num := rapid.Int64Range(0, 1_000_000).Draw(t, "num")
		den := rapid.Int64Range(1, 1000).Draw(t, "den")
		r := rounding{money.Amount(rapid.SampledFrom([]int64{1, 5, 10}).Draw(t, "step")),
			rapid.SampledFrom([]money.Rounding{money.Floor, money.Ceil, money.HalfUp, money.HalfEven}).Draw(t, "mode")}
		want, err := money.MulDivTo(1, num, den, r.step, r.mode)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.of(big.NewRat(num, den)); err != nil || got != want {
			t.Fatalf("%d/%d to %d by %v: got %d, want %d", num, den, r.step, r.mode, got, want)
		}
	})
}
