package rngreport

import "math/bits"

// A draw is of take of the numbers 1 to of.
const (
	of   = 80
	take = 20

	meanSum = take * (of + 1) / 2 // of the numbers of a draw: 810

	// lags is over how many draws the serial correlation is taken.
	lags = 10

	// ages is up to which age the gaps of numbers are told apart.
	ages = 20
)

// Game is the numbers of a draw in the order drawn.
type Game [take]uint8

// Tally counts draws. The zero value has counted none. It holds up to
// [MaxDraws].
type Tally struct {
	draws int64

	positions [take][of + 1]int64    // by place in the draw
	pairs     [of + 1][of + 1]uint32 // [a][b]: both drawn, a before b
	sums      [take*of + 1]int64     // by the sum of the numbers
	overlaps  [take + 1]int64        // by how many numbers the previous draw had too
	follows   [of + 1][of + 1]uint32 // [a][b]: a was drawn last, and b first in the next draw
	products  [lags]int64            // of the deviations of two sums, by their distance
	deviation [lags]int64            // of the last sums, by number of draw modulo lags
	lo, hi    uint64                 // the previous draw as bits
	last      uint8                  // its last number
	gaps      gaps
}

// MaxDraws is how many draws a Tally can hold: its pairs are counted in 32 bits.
const MaxDraws = 10_000_000_000

// Add counts a draw, which must be of different numbers of 1 to 80.
func (t *Tally) Add(g *Game) {
	var lo, hi uint64
	sum := int64(0)
	for i, n := range g {
		t.positions[i][n]++
		row := &t.pairs[n]
		for _, m := range g[i+1:] {
			row[m]++
		}
		lo |= 1 << n
		hi |= 1 << (n - 64) // Nothing for a number below 64, whose shift wraps far beyond.
		sum += int64(n)
	}
	t.sums[sum]++
	if t.draws > 0 {
		t.overlaps[bits.OnesCount64(lo&t.lo)+bits.OnesCount64(hi&t.hi)]++
		t.follows[t.last][g[0]]++
	}
	t.addSum(sum - meanSum)
	t.gaps.add(g, t.draws)
	t.lo, t.hi, t.last = lo, hi, g[take-1]
	t.draws++
}

// addSum takes up the deviation of a sum from its mean.
func (t *Tally) addSum(deviation int64) {
	for lag := int64(1); lag <= min(lags, t.draws); lag++ {
		t.products[lag-1] += deviation * t.deviation[(t.draws-lag)%lags]
	}
	t.deviation[t.draws%lags] = deviation
}

// gaps counts after how many draws numbers come again. The age of a number is how
// many draws ago it was last drawn; ages above the highest, and numbers that were
// never drawn, are one class.
type gaps struct {
	drawn   [of + 1]int64   // the draw after the number's last one; 0 for never
	classes [ages + 2]int64 // how many numbers have each age, but for [0]
	// Over all draws, by age: how many numbers had it, how many of them were drawn,
	// and the products of how many had one age and another.
	had   [ages + 1]int64
	came  [ages + 1]int64
	cross [ages + 1][ages + 1]int64
}

func (s *gaps) add(g *Game, draw int64) {
	if draw == 0 {
		s.classes[ages+1] = of
	}
	for k := 1; k <= ages; k++ {
		s.had[k] += s.classes[k]
		row := &s.cross[k]
		for l := k; l <= ages; l++ {
			row[l] += s.classes[k] * s.classes[l]
		}
	}
	var came [ages + 2]int64
	for _, n := range g {
		age := int64(ages + 1)
		if s.drawn[n] > 0 {
			age = min(age, draw-s.drawn[n]+1)
		}
		came[age]++
		s.drawn[n] = draw + 1
	}
	for k := 1; k <= ages; k++ {
		s.came[k] += came[k]
	}
	// A number that was not drawn grows older by one.
	s.classes[ages+1] += s.classes[ages] - came[ages] - came[ages+1]
	for k := ages; k > 1; k-- {
		s.classes[k] = s.classes[k-1] - came[k-1]
	}
	s.classes[1] = take
}
