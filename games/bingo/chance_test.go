package bingo

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"drawhouse/core/ball"
)

// TestFullHouseBySteps compares with the product of drawing the 15 numbers one by
// one, and with known values.
func TestFullHouseBySteps(t *testing.T) {
	for calls := range Numbers + 1 {
		want := big.NewRat(1, 1)
		for i := range BoxNumbers {
			want.Mul(want, big.NewRat(int64(max(calls-i, 0)), int64(Numbers-i)))
		}
		if got := nswForm(t).FullHouse(calls); got.Cmp(want) != 0 {
			t.Errorf("%d calls: %v, want %v", calls, got, want)
		}
	}
	patterns := nswPatterns(t)
	for calls := range Numbers + 1 {
		if got, want := patterns.Chance(Bingo, calls), nswForm(t).FullHouse(calls); got.Cmp(want) != 0 {
			t.Errorf("%d calls: the masks give %v, want %v", calls, got, want)
		}
	}
	if got := nswForm(t).FullHouse(15).String(); got != "1/45795673964460816" {
		t.Errorf("15 calls: %s", got)
	}
}

// TestStripFullHouse: of six disjoint boxes at most one is complete before 30 calls,
// and one is always complete when fewer than six numbers are left.
func TestStripFullHouse(t *testing.T) {
	six := big.NewRat(StripBoxes, 1)
	for calls := range Numbers + 1 {
		single := new(big.Rat).Mul(six, nswForm(t).FullHouse(calls))
		switch got := nswForm(t).StripFullHouse(calls); {
		case calls < 30 && got.Cmp(single) != 0:
			t.Errorf("%d calls: %v, want %v", calls, got, single)
		case calls >= 30 && got.Cmp(single) >= 0:
			t.Errorf("%d calls: %v is not below %v", calls, got, single)
		case calls > Numbers-StripBoxes && got.Cmp(big.NewRat(1, 1)) != 0:
			t.Errorf("%d calls: %v, and a box must be complete", calls, got)
		}
	}
}

func TestAmong(t *testing.T) {
	half := big.NewRat(1, 2)
	if got, err := Among(3, half); err != nil || got.Cmp(big.NewRat(7, 8)) != 0 {
		t.Errorf("three halves: %v, %v", got, err)
	}
	if got, err := Among(0, half); err != nil || got.Sign() != 0 {
		t.Errorf("no boxes: %v, %v", got, err)
	}
	// A million boxes at one in a million: 1 - (1 - 1/n)^n.
	got, err := Among(1_000_000, big.NewRat(1, 1_000_000))
	if f, _ := got.Float64(); err != nil || math.Abs(f-(1-math.Pow(1-1e-6, 1e6))) > 1e-9 {
		t.Errorf("a million boxes: %v, %v", f, err)
	}
	for boxes, p := range map[int]*big.Rat{-1: half, 1: big.NewRat(3, 2), 2: big.NewRat(-1, 2)} {
		if got, err := Among(boxes, p); err == nil {
			t.Errorf("%d boxes at %v: %v", boxes, p, got)
		}
	}
}

// within fails if a count of so many trials is more than five standard deviations
// from its expectation.
func within(t *testing.T, what string, count, trials int, chance *big.Rat) {
	t.Helper()
	p, _ := chance.Float64()
	n := float64(trials)
	if d := math.Abs(float64(count) - n*p); d > 5*math.Sqrt(n*p*(1-p))+1 {
		t.Errorf("%s: %d of %d, expected %.1f", what, count, trials, n*p)
	}
}

// TestSimulatedGames plays games with fresh strips and compares how often a pattern
// was complete by a call with the exact chances.
func TestSimulatedGames(t *testing.T) {
	const strips, games = 20, 1500
	patterns, m := nswPatterns(t), maker(t, "simulated")
	order := rand.New(rand.NewPCG(7, 9))
	complete := make([][Numbers + 1]int, patterns.Len())
	var house, anyOf [Numbers + 1]int
	for range games {
		made := make([]Strip, strips)
		for i := range made {
			made[i], _ = m.Strip()
		}
		firstInStrip := play(t, patterns, made, order.Perm(Numbers), complete)
		earliest := Numbers
		for _, call := range firstInStrip {
			house[call]++
			earliest = min(earliest, call)
		}
		anyOf[earliest]++
	}
	for _, calls := range []int{5, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85} {
		for i := range patterns.Len() {
			// The boxes of one strip are not independent: their counts vary a little
			// less or more than those of a coin. One box of each strip is counted.
			within(t, patterns.At(i).ID, sumTo(&complete[i], calls), games*strips, patterns.Chance(i, calls))
		}
		within(t, "strip", sumTo(&house, calls), games*strips, nswForm(t).StripFullHouse(calls))
		among, err := Among(strips, nswForm(t).StripFullHouse(calls))
		if err != nil {
			t.Fatal(err)
		}
		within(t, "any strip", sumTo(&anyOf, calls), games, among)
	}
}

func sumTo(at *[Numbers + 1]int, calls int) (sum int) {
	for _, n := range at[:calls+1] {
		sum += n
	}
	return sum
}

// play plays a game to the end. It counts at which call the first box of each strip
// completed each pattern, and returns the call of the first bingo of each strip.
func play(t *testing.T, patterns *Patterns, made []Strip, order []int, complete [][Numbers + 1]int) []int {
	t.Helper()
	p, err := NewPlay(patterns, made)
	if err != nil {
		t.Fatal(err)
	}
	first := make([]int, len(made))
	var changes []Change
	for k, n := range order {
		if changes, err = p.Call(n+1, changes[:0]); err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			if c.Patterns.Has(Bingo) && first[c.Box/StripBoxes] == 0 {
				first[c.Box/StripBoxes] = k + 1
			}
			for i := range complete {
				if c.Box%StripBoxes == 0 && c.Patterns.Has(i) {
					complete[i][k+1]++
				}
			}
		}
	}
	if p.Calls().Set() != ball.Full(ball.Bingo) {
		t.Fatal("not all numbers were called")
	}
	return first
}
