package odds

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// kenoDraw is the draw of all the built-in rulebooks: 20 of 80.
var kenoDraw = Draw{80, 20}

// eachSubset calls visit with every ascending list of size numbers from 1 to of.
func eachSubset(of, size int, visit func([]int)) {
	nums := make([]int, size)
	var extend func(i, from int)
	extend = func(i, from int) {
		if i == size {
			visit(nums)
			return
		}
		for n := from; n <= of-(size-i-1); n++ {
			nums[i] = n
			extend(i+1, n+1)
		}
	}
	extend(0, 1)
}

func sum(nums []int) int {
	total := 0
	for _, n := range nums {
		total += n
	}
	return total
}

func overlap(a, b []int) int {
	both := 0
	for _, n := range a {
		if slices.Contains(b, n) {
			both++
		}
	}
	return both
}

func wantRat(t *testing.T, what string, got, want *big.Rat) {
	t.Helper()
	if got.Cmp(want) != 0 {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func ratio(part, whole int) *big.Rat { return big.NewRat(int64(part), int64(whole)) }

func TestChooseAgreesWithBinomial(t *testing.T) {
	for n := range mostNumbers + 1 {
		for k := -1; k <= n+1; k++ {
			want := new(big.Int)
			if k >= 0 && k <= n {
				want.Binomial(int64(n), int64(k))
			}
			if got := choose(n, k).big(); got.Cmp(want) != 0 {
				t.Fatalf("choose(%d, %d) = %v, want %v", n, k, got, want)
			}
		}
	}
}

// TestCountAgreesWithBig multiplies within the promised range: products that are
// numbers of draws.
func TestCountAgreesWithBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.IntRange(1, mostNumbers).Draw(t, "of")
		take := rapid.IntRange(0, of).Draw(t, "take")
		spots := rapid.IntRange(0, of).Draw(t, "spots")
		matched := rapid.IntRange(0, take).Draw(t, "matched")
		a, b := choose(spots, matched), choose(of-spots, take-matched)
		if got, want := a.times(b).big(), new(big.Int).Mul(a.big(), b.big()); got.Cmp(want) != 0 {
			t.Fatalf("%v times %v = %v, want %v", a.big(), b.big(), got, want)
		}
		if got, want := a.plus(b).big(), new(big.Int).Add(a.big(), b.big()); got.Cmp(want) != 0 {
			t.Fatalf("%v plus %v = %v, want %v", a.big(), b.big(), got, want)
		}
	})
}

func TestNewDrawRefuses(t *testing.T) {
	for _, bad := range [][2]int{{80, 0}, {80, 81}, {91, 20}, {0, 0}, {80, -1}} {
		if d, err := NewDraw(bad[0], bad[1]); err == nil {
			t.Errorf("NewDraw(%d, %d) = %v, want an error", bad[0], bad[1], d)
		}
	}
	if d, err := NewDraw(80, 20); err != nil || d != kenoDraw {
		t.Errorf("NewDraw(80, 20) = %v, %v", d, err)
	}
}

func TestMatchesSumToOne(t *testing.T) {
	for spots := 1; spots <= 80; spots++ {
		total := new(big.Rat)
		for _, p := range kenoDraw.Matches(spots) {
			total.Add(total, p)
		}
		wantRat(t, "total probability", total, ratio(1, 1))
	}
}

// TestMatchKnownOdds compares with odds that keno brochures print, to more digits.
func TestMatchKnownOdds(t *testing.T) {
	for _, c := range []struct {
		spots, matched int
		oneIn          string
	}{
		{1, 1, "4.0000"},
		{4, 4, "326.4355"},
		{8, 8, "230114.6078"},
		{10, 10, "8911711.1765"},
		{10, 0, "21.8385"},
		{20, 20, "3535316142212174320.0000"},
	} {
		p := kenoDraw.Match(c.spots, c.matched)
		if got := new(big.Rat).Inv(p).FloatString(4); got != c.oneIn {
			t.Errorf("%d of %d spots: 1 in %s, want 1 in %s", c.matched, c.spots, got, c.oneIn)
		}
	}
}

// TestSmallDrawsByEnumeration checks every kernel against the list of all the
// draws of small universes.
func TestSmallDrawsByEnumeration(t *testing.T) {
	for _, d := range []Draw{{1, 1}, {6, 2}, {7, 7}, {9, 4}, {10, 5}} {
		outcomes := 0
		sums := map[int]int{}
		eachSubset(d.of, d.take, func(drawn []int) { outcomes++; sums[sum(drawn)]++ })
		all := d.Sums()
		least, greatest := all.Bounds()
		for s := least - 1; s <= greatest+1; s++ {
			wantRat(t, "sum", all.Probability(s), ratio(sums[s], outcomes))
		}
		for size := range d.of + 1 {
			eachSubset(d.of, size, func(spots []int) { checkJoint(t, d, spots, outcomes) })
		}
	}
}

func checkJoint(t *testing.T, d Draw, spots []int, outcomes int) {
	t.Helper()
	type cell struct{ matched, sum int }
	cells := map[cell]int{}
	matched := map[int]int{}
	eachSubset(d.of, d.take, func(drawn []int) {
		m := overlap(spots, drawn)
		cells[cell{m, sum(drawn)}]++
		matched[m]++
	})
	j := d.Joint(spots)
	for m := -1; m <= d.take+1; m++ {
		wantRat(t, "matched", d.Match(len(spots), m), ratio(matched[m], outcomes))
		for s := range d.of * d.take {
			wantRat(t, "joint", j.Probability(m, s), ratio(cells[cell{m, s}], outcomes))
		}
	}
}

// TestPicksAverageToProduct proves in the small what the returns with a multiplier
// rest on: over all picks of a size, the mean of P(matched, sum) is the product
// P(matched) P(sum), although for a given pick it is not.
func TestPicksAverageToProduct(t *testing.T) {
	d := Draw{8, 3}
	const size = 4
	all := d.Sums()
	least, greatest := all.Bounds()
	picks, differs := 0, false
	mean := map[[2]int]*big.Rat{}
	eachSubset(d.of, size, func(spots []int) {
		picks++
		j := d.Joint(spots)
		for m := range d.take + 1 {
			for s := least; s <= greatest; s++ {
				p, key := j.Probability(m, s), [2]int{m, s}
				product := new(big.Rat).Mul(d.Match(size, m), all.Probability(s))
				differs = differs || p.Cmp(product) != 0
				if mean[key] == nil {
					mean[key] = new(big.Rat)
				}
				mean[key].Add(mean[key], p)
			}
		}
	})
	for key, total := range mean {
		product := new(big.Rat).Mul(d.Match(size, key[0]), all.Probability(key[1]))
		wantRat(t, "mean over picks", total.Mul(total, ratio(1, picks)), product)
	}
	if !differs {
		t.Error("every pick has the product of the marginals: the test compares nothing")
	}
}

func TestSumsOfKeno(t *testing.T) {
	s := kenoDraw.Sums()
	least, greatest := s.Bounds()
	if least != 210 || greatest != 1410 {
		t.Fatalf("sums from %d to %d, want 210 to 1410", least, greatest)
	}
	total := new(big.Int)
	for n := least; n <= greatest; n++ {
		total.Add(total, s.Count(n))
		// n -> 81-n turns a draw with the sum x into one with 20*81-x.
		if mirror := 20*81 - n; s.Count(n).Cmp(s.Count(mirror)) != 0 {
			t.Errorf("%v draws have the sum %d and %v its mirror %d", s.Count(n), n, s.Count(mirror), mirror)
		}
	}
	if total.Cmp(kenoDraw.Outcomes()) != 0 {
		t.Errorf("sums count %v draws of %v", total, kenoDraw.Outcomes())
	}
}

// TestJointMarginals draws random spots of keno: the joint distribution adds up to
// the odds of matching one way and to the distribution of the sum the other way.
func TestJointMarginals(t *testing.T) {
	sums := kenoDraw.Sums()
	least, greatest := sums.Bounds()
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.Permutation(sequence(80)).Draw(t, "numbers")
		spots := numbers[:rapid.IntRange(1, 40).Draw(t, "size")]
		slices.Sort(spots)
		j := kenoDraw.Joint(spots)
		for m, row := range j.matched {
			var total count
			for _, c := range row.counts {
				total = total.plus(c)
			}
			if want := kenoDraw.Match(len(spots), m); kenoDraw.share(total).Cmp(want) != 0 {
				t.Fatalf("matched %d: %v, want %v", m, kenoDraw.share(total), want)
			}
		}
		s := rapid.IntRange(least, greatest).Draw(t, "sum")
		var total count
		for _, row := range j.matched {
			total = total.plus(row.at(s))
		}
		if total != sums.tally.at(s) {
			t.Fatalf("sum %d: %v, want %v", s, total, sums.tally.at(s))
		}
	})
}

func sequence(n int) []int {
	nums := make([]int, n)
	for i := range nums {
		nums[i] = i + 1
	}
	return nums
}

func TestCalls(t *testing.T) {
	ps := kenoDraw.Calls(Halves{Lower: 40, Majority: 11})
	wantRat(t, "heads", ps[Heads], ps[Tails])
	total := new(big.Rat).Add(ps[Heads], ps[Tails])
	wantRat(t, "all calls", total.Add(total, ps[Evens]), ratio(1, 1))
	wantRat(t, "evens", ps[Evens], kenoDraw.Match(40, 10))
	// A board divided elsewhere has no symmetry to hide behind.
	ps = Draw{7, 3}.Calls(Halves{Lower: 5, Majority: 3})
	wantRat(t, "heads of 5 in 7", ps[Heads], ratio(10, 35))
	wantRat(t, "tails of 2 in 7", ps[Tails], ratio(0, 35))
	wantRat(t, "evens", ps[Evens], ratio(25, 35))
}

func TestLast(t *testing.T) {
	wantRat(t, "last of 15", kenoDraw.Last(15), ratio(15, 80))
}

func BenchmarkSums(b *testing.B) {
	for b.Loop() {
		kenoDraw.Sums()
	}
}

func BenchmarkJoint(b *testing.B) {
	for name, spots := range map[string][]int{"6": {1, 17, 33, 49, 65, 80}, "40": everyOther()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				kenoDraw.Joint(spots)
			}
		})
	}
}

// everyOther spreads 40 spots over the board, the widest tables there are.
func everyOther() []int {
	var spots []int
	for n := 1; n <= 80; n += 2 {
		spots = append(spots, n)
	}
	return spots
}
