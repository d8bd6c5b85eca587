package odds

import (
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
)

var seed = flag.Uint64("seed", 20260214, "seed of simulated draws")

// zBound is how many standard deviations a figure of a simulation may lie off its
// exact value: five are passed by chance once in 1.7 million figures.
const zBound = 5

// TestSimulation is the short form of the soak: too few draws for the rare prizes,
// enough to catch a wrong distribution.
func TestSimulation(t *testing.T) { simulate(t, 200_000) }

// simulation draws 20 of 80 with a generator of its own and counts what the exact
// odds predict. It shares no code with them.
type simulation struct {
	rng     *rand.Rand
	numbers [80]int
	draws   int

	sizes   []int
	spots   []ball.Set
	matched [][]int
	calls   map[string]int
	sums    map[int]int
	factors map[int]int
	last    int // draws whose last number is among the spots of size 7
	order   map[[3]int]int
	// total and square add up the multiplied return of the spots 1 to 6.
	total, square float64
}

func newSimulation() *simulation {
	s := &simulation{
		rng:     rand.New(rand.NewPCG(*seed, 0)),
		sizes:   []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 40},
		calls:   map[string]int{},
		sums:    map[int]int{},
		factors: map[int]int{},
		order:   map[[3]int]int{},
	}
	for i := range s.numbers {
		s.numbers[i] = i + 1
	}
	for _, size := range s.sizes {
		// Any spots will do; these are spread over the board.
		spots := ball.Empty(ball.Keno)
		for i := range size {
			spots = spots.With(i*80/size + 1)
		}
		s.spots = append(s.spots, spots)
		s.matched = append(s.matched, make([]int, min(size, 20)+1))
	}
	return s
}

// draw makes one draw, in order.
func (s *simulation) draw() []int {
	for i := range 20 {
		j := i + s.rng.IntN(80-i)
		s.numbers[i], s.numbers[j] = s.numbers[j], s.numbers[i]
	}
	return s.numbers[:20]
}

// grade counts one draw.
func (s *simulation) grade(book *rulebook.Book, table *rulebook.CatchTable) {
	order := s.draw()
	s.draws++
	drawn := ball.Empty(ball.Keno)
	sum, lower, low6 := 0, 0, 0
	for _, n := range order {
		drawn = drawn.With(n)
		sum += n
		if n <= 40 {
			lower++
		}
		if n <= 6 {
			low6++
		}
	}
	for i, spots := range s.spots {
		s.matched[i][spots.Overlap(drawn)]++
	}
	call := Evens
	if lower > 10 {
		call = Heads
	} else if lower < 10 {
		call = Tails
	}
	s.calls[call]++
	s.sums[sum]++
	factor := book.Multiplier(sum)
	s.factors[factor]++
	if s.spots[6].Has(order[19]) {
		s.last++
	}
	s.order[firstThree(order)]++
	x := float64(table.Prize(6, low6).Cents()) / 200 * float64(factor)
	s.total += x
	s.square += x * x
}

// firstThree runs the race ball by ball: a row that gets a number passes every row
// that has fewer, and none that had as many before it.
func firstThree(order []int) [3]int {
	ranking := [8]int{1, 2, 3, 4, 5, 6, 7, 8}
	var counts [9]int
	for _, n := range order {
		row := (n-1)/10 + 1
		counts[row]++
		for i := slices.Index(ranking[:], row); i > 0 && counts[ranking[i-1]] < counts[row]; i-- {
			ranking[i-1], ranking[i] = ranking[i], ranking[i-1]
		}
	}
	return [3]int(ranking[:3])
}

// simulate compares draws with the exact odds and logs the figures.
func simulate(t *testing.T, draws int) {
	book := loadBook(t, "vic-keno-2015")
	schedule, _ := book.Schedule("schedule-1")
	table, _ := schedule.Catch("classic")
	s := newSimulation()
	for range draws {
		s.grade(book, table)
	}
	t.Logf("%d draws, seed %d; figures within %d standard deviations", draws, *seed, zBound)
	for i, size := range s.sizes {
		s.chiSquare(t, fmt.Sprintf("matched of %d", size), s.matched[i], kenoDraw.Matches(size))
	}
	s.checkBoard(t)
	s.checkSums(t, book)
	s.checkRace(t)
	s.checkMultiplied(t, book)
}

func (s *simulation) checkBoard(t *testing.T) {
	ps := kenoDraw.Calls(Halves{40, 11})
	s.chiSquare(t, "calls", []int{s.calls[Heads], s.calls[Tails], s.calls[Evens]},
		[]*big.Rat{ps[Heads], ps[Tails], ps[Evens]})
	last := kenoDraw.Last(7)
	s.chiSquare(t, "lucky last of 7", []int{s.last, s.draws - s.last},
		[]*big.Rat{last, new(big.Rat).Sub(ratio(1, 1), last)})
}

func (s *simulation) checkSums(t *testing.T, book *rulebook.Book) {
	all := kenoDraw.Sums()
	least, greatest := all.Bounds()
	var seen []int
	var ps []*big.Rat
	for sum := least; sum <= greatest; sum++ {
		seen, ps = append(seen, s.sums[sum]), append(ps, all.Probability(sum))
	}
	s.chiSquare(t, "sums", seen, ps)
	seen, ps = nil, nil
	for _, f := range mustOf(t, book, Options{}).Multiplier.Factors {
		seen, ps = append(seen, s.factors[f.Factor]), append(ps, f.Probability.Rat)
	}
	s.chiSquare(t, "multipliers", seen, ps)
}

func (s *simulation) checkRace(t *testing.T) {
	trifecta, err := kenoDraw.Race(kenoField, Forecast{Places: 3, Ordered: true})
	if err != nil {
		t.Fatal(err)
	}
	place, err := kenoDraw.Race(kenoField, Forecast{Places: 1, Within: 3})
	if err != nil {
		t.Fatal(err)
	}
	var seen []int
	var ps []*big.Rat
	placed := 0
	eachOrder(8, 3, func(rows []int) {
		n := s.order[[3]int(rows)]
		seen, ps = append(seen, n), append(ps, trifecta)
		if slices.Contains(rows, 3) {
			placed += n
		}
	})
	s.chiSquare(t, "first three rows", seen, ps)
	s.chiSquare(t, "row 3 placed", []int{placed, s.draws - placed},
		[]*big.Rat{place, new(big.Rat).Sub(ratio(1, 1), place)})
}

// checkMultiplied compares the mean return of the spots 1 to 6 with the multiplier,
// whose exact variance gives the error of the mean.
func (s *simulation) checkMultiplied(t *testing.T, book *rulebook.Book) {
	r := mustOf(t, book, Options{Schedule: "1", Spots: ball.MustParse(ball.Keno, "1-6")})
	want, _ := r.Bets[0].Multiplied.RTP.Float64()
	variance, _ := r.Bets[0].Multiplied.Variance.Float64()
	mean := s.total / float64(s.draws)
	z := (mean - want) / math.Sqrt(variance/float64(s.draws))
	t.Logf("%-20s %.4f%% seen, %.4f%% exact, z %+.2f", "1-6 with multiplier", 100*mean, 100*want, z)
	if math.Abs(z) > zBound {
		t.Errorf("the multiplied return of 1-6 is %v, want %v: %.1f standard deviations off", mean, want, z)
	}
	seen := s.square/float64(s.draws) - mean*mean
	t.Logf("%-20s %.0f seen, %.0f exact", "its variance", seen, variance)
}

// fit is how well counts agree with probabilities.
type fit struct {
	statistic float64
	freedom   int
	z         float64
	// Outcomes with fewer than ten expected draws are taken together.
	rareSeen, rareExpected float64
}

// fitOf computes the chi-square statistic and turns it into standard deviations by
// the cube root of Wilson and Hilferty.
func (s *simulation) fitOf(seen []int, ps []*big.Rat) fit {
	f := fit{freedom: -1}
	cell := func(seen, expected float64) {
		f.statistic += (seen - expected) * (seen - expected) / expected
		f.freedom++
	}
	for i, p := range ps {
		exact, _ := p.Float64()
		expected := exact * float64(s.draws)
		if expected < 10 {
			f.rareSeen, f.rareExpected = f.rareSeen+float64(seen[i]), f.rareExpected+expected
			continue
		}
		cell(float64(seen[i]), expected)
	}
	if f.rareExpected >= 10 {
		cell(f.rareSeen, f.rareExpected)
	}
	spread := 2 / (9 * float64(f.freedom))
	f.z = (math.Cbrt(f.statistic/float64(f.freedom)) - (1 - spread)) / math.Sqrt(spread)
	return f
}

// chiSquare fails the test if counts do not fit; far too good is as suspect as too
// bad.
func (s *simulation) chiSquare(t *testing.T, what string, seen []int, ps []*big.Rat) {
	t.Helper()
	f := s.fitOf(seen, ps)
	t.Logf("%-20s chi-square %8.2f of %4d, z %+.2f; rare: %.0f seen, %.2f expected", what, f.statistic, f.freedom, f.z,
		f.rareSeen, f.rareExpected)
	if math.Abs(f.z) > zBound {
		t.Errorf("%s: chi-square %.2f with %d degrees of freedom is %.1f standard deviations off", what, f.statistic,
			f.freedom, f.z)
	}
	// What is too rare for a cell of its own must not be frequent either.
	if f.rareSeen > f.rareExpected+zBound*math.Sqrt(f.rareExpected)+zBound {
		t.Errorf("%s: %.0f rare outcomes, expected %.2f", what, f.rareSeen, f.rareExpected)
	}
}

// TestSimulationNotices plants a wrong probability: the comparison must be able to
// fail.
func TestSimulationNotices(t *testing.T) {
	s := newSimulation()
	for range 50_000 {
		s.draws++
		s.matched[9][ball.MustOf(ball.Keno, s.draw()...).Overlap(s.spots[9])]++
	}
	if z := s.fitOf(s.matched[9], kenoDraw.Matches(10)).z; math.Abs(z) > zBound {
		t.Errorf("true odds are %.1f standard deviations off", z)
	}
	if z := s.fitOf(s.matched[9], Draw{79, 20}.Matches(10)).z; z < zBound {
		t.Errorf("odds of 20 of 79 numbers are only %.1f standard deviations off", z)
	}
}
