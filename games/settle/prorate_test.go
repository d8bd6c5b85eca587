package settle

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

const (
	formula = rulebook.ProrateFormula
	level   = rulebook.ProrateLevel
)

// proratings are the figures of the three rulebooks.
func proratings() map[string]rulebook.Prorating {
	dollars := func(d int64) *rulebook.Dollars { return new(rulebook.Dollars(100 * d)) }
	return map[string]rulebook.Prorating{
		"V": {Method: formula, MajorOver: dollars(1_000), Cap: dollars(3_000_000), Floor: *dollars(1_000)},
		"T": {Method: level, MajorFrom: dollars(2_000), Cap: dollars(300_000), Floor: *dollars(2_000)},
		"C": {Method: level, MajorFrom: dollars(200), Cap: dollars(1_000_000), Floor: *dollars(1_000)},
	}
}

// TestProrating has worked examples, in dollars: what the major prizes were, the
// factor as a fraction, and what becomes of them to the cent below.
func TestProrating(t *testing.T) {
	for _, c := range []struct {
		name, rules string
		prizes      []int64
		num, den    uint64 // 0 / 0: not reduced
		paid        []string
	}{
		{"V within the cap", "V", []int64{2_999_000, 1_000}, 0, 0, nil},
		{"V at the cap", "V", []int64{2_000_000, 1_000_000}, 0, 0, nil},
		{"V above it", "V", []int64{3_000_000, 1_000_000}, 3, 4, []string{"$2,250,000.00", "$750,000.00"}},
		{"V at the floor", "V", []int64{5_998_000, 2_000}, 1, 2, []string{"$2,999,000.00", "$1,000.00"}},
		{"V floors lift the total over the cap", "V", []int64{5_997_000, 1_500, 1_500}, 1, 2,
			[]string{"$2,998,500.00", "$1,000.00", "$1,000.00"}},
		{"V a factor that leaves fractions", "V", []int64{3_000_000, 3_000_000, 3_000_000, 1_000_000}, 3, 10,
			[]string{"$900,000.00", "$900,000.00", "$900,000.00", "$300,000.00"}},
		{"V thirds", "V", []int64{3_000_000, 4_000_000}, 3, 7, []string{"$1,285,714.28", "$1,714,285.71"}},

		{"T at the cap", "T", []int64{250_000, 50_000}, 0, 0, nil},
		{"T above it", "T", []int64{250_000, 250_000}, 3, 5, []string{"$150,000.00", "$150,000.00"}},
		{"T exactly the floor is not reduced", "T", []int64{298_000, 298_000, 2_000, 2_000}, 74, 149,
			[]string{"$148,000.00", "$148,000.00", "$2,000.00", "$2,000.00"}},
		{"T the floor takes from the others", "T", []int64{596_000, 2_500}, 1, 2, []string{"$298,000.00", "$2,000.00"}},
		// Without floors 3,990 would become 2,001.37; what 2,100 is held up by takes it below 2,000.
		{"T one held drags down another", "T", []int64{592_000, 3_990, 2_100}, 1, 2,
			[]string{"$296,000.00", "$2,000.00", "$2,000.00"}},
		{"T floors alone reach the cap", "T", slices.Repeat([]int64{2_500}, 150), 4, 5,
			slices.Repeat([]string{"$2,000.00"}, 150)},
		{"T floors alone exceed the cap", "T", slices.Repeat([]int64{2_500}, 151), 0, 1,
			slices.Repeat([]string{"$2,000.00"}, 151)},

		{"C at the cap", "C", []int64{250_000, 250_000, 250_000, 250_000}, 0, 0, nil},
		{"C above it", "C", slices.Repeat([]int64{250_000}, 5), 4, 5, slices.Repeat([]string{"$200,000.00"}, 5)},
		{"C below the floor counts and stays", "C", []int64{1_999_000, 500}, 1, 2, []string{"$999,500.00", "$500.00"}},
		{"C held at the floor", "C", []int64{1_998_000, 1_500}, 1, 2, []string{"$999,000.00", "$1,000.00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			terms := &Terms{units: 100, step: 1}
			l := terms.newLimit(proratings()[c.rules])
			var prizes []uint64
			for _, dollars := range c.prizes {
				prizes = append(prizes, terms.inUnits(money.Amount(100*dollars)))
			}
			num, den, reduced := l.reduction(prizes)
			if num != c.num || den != c.den || reduced != (c.den > 0) {
				t.Fatalf("factor %d / %d, %v; want %d / %d", num, den, reduced, c.num, c.den)
			}
			for i, want := range c.paid {
				units, _ := l.reduce(prizes[i], Reduction{0, num, den})
				if got := terms.cents(units).String(); got != want {
					t.Errorf("$%d becomes %s, want %s", c.prizes[i], got, want)
				}
			}
		})
	}
}

// TestLevelIsTheLevel checks the factor by what it is for: the prizes, each at
// least its floor, come to the cap exactly.
func TestLevelIsTheLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prizes := rapid.SliceOfN(rapid.Uint64Range(1, 1<<40), 1, 40).Draw(t, "prizes")
		var total, floors uint64
		l := limit{method: level, floor: rapid.Uint64Range(0, 1<<40).Draw(t, "floor")}
		for _, x := range prizes {
			total += x
			floors += min(x, l.floor)
		}
		l.cap = rapid.Uint64Range(0, total).Draw(t, "cap")
		num, den, reduced := l.reduction(prizes)
		if reduced != (total > l.cap) {
			t.Fatalf("reduced is %v, with %d of %d", reduced, total, l.cap)
		}
		if !reduced {
			return
		}
		f, sum := new(big.Rat).SetFrac(new(big.Int).SetUint64(num), new(big.Int).SetUint64(den)), new(big.Rat)
		for _, x := range prizes {
			sum.Add(sum, slowReduced(new(big.Rat).SetUint64(x), f, new(big.Rat).SetUint64(l.floor)))
		}
		want := new(big.Rat).SetUint64(max(l.cap, floors))
		if sum.Cmp(want) != 0 {
			t.Fatalf("f = %v: the prizes come to %v, want %v", f, sum, want)
		}
	})
}

// TestFractionsAreSummedOnce has a game in which every prize has a fraction of a
// cent: the fractions together are a whole number of cents, and none is lost.
func TestFractionsAreSummedOnce(t *testing.T) {
	h := newHouse(t, "casino-keno-div2", "approved")
	plays := slices.Repeat([]Way{onSpots("special", kenoSet(1, 10), 100)}, 7)
	out := settleWays(t, h, plays)
	// Seven times 142,857.142857... are 1,000,000.
	if out.Prizes != 7*14_285_714 || out.Breakage != 2 || out.MajorsPaid != 100_000_000 || out.Majors != 175_000_000 {
		t.Errorf("%+v", out)
	}
	if len(out.Reductions) != 1 || out.Reductions[0] != (Reduction{0, 4, 7}) {
		t.Errorf("reductions %v, want 4 / 7", out.Reductions)
	}
}
