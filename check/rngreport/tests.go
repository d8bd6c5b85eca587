package rngreport

import (
	"fmt"
	"math"
	"math/big"

	"gonum.org/v1/gonum/mat"

	"drawhouse/rulebook/odds"
)

// drawn returns how often each number was drawn; [0] is unused.
func (t *Tally) drawn() (counts [of + 1]int64) {
	for i := range t.positions {
		for n, c := range t.positions[i] {
			counts[n] += c
		}
	}
	return counts
}

// testNumbers compares how often each number was drawn. In one draw a number has
// the variance p(1-p), p = 20/80, and two numbers the covariance -p(1-p)/79, so
// all directions but the constant one have the variance p(1-p) 80/79.
func (t *Tally) testNumbers() Test {
	const p = float64(take) / of
	counts, mean, sum := t.drawn(), float64(t.draws)*p, 0.0
	for _, c := range counts[1:] {
		d := float64(c) - mean
		sum += d * d
	}
	return newTest("numbers", "how often each of the 80 numbers was drawn",
		sum/(float64(t.draws)*p*(1-p)*of/(of-1)), of-1)
}

// testPairs compares how often each of the 3160 pairs was drawn together, beyond
// what the counts of its two numbers explain; that part is of testNumbers. What is
// left has, in one draw, the same variance in all its 3080 directions: p2 - 2 p3
// + p4, where pk is the probability that k given numbers are drawn.
func (t *Tally) testPairs() Test {
	const (
		p2 = float64(take*(take-1)) / (of * (of - 1))
		p3 = p2 * (take - 2) / (of - 2)
		p4 = p3 * (take - 3) / (of - 3)
	)
	draws, counts, sum := float64(t.draws), t.drawn(), 0.0
	var excess [of + 1]float64 // of the pairs with a number, each
	for n := 1; n <= of; n++ {
		excess[n] = (take - 1) * (float64(counts[n]) - draws*take/of) / (of - 2)
	}
	for a := 1; a <= of; a++ {
		for b := a + 1; b <= of; b++ {
			together := float64(t.pairs[a][b]) + float64(t.pairs[b][a])
			d := together - draws*p2 - excess[a] - excess[b]
			sum += d * d
		}
	}
	return newTest("pairs", "how often each of the 3160 pairs was drawn together, beyond what its numbers explain",
		sum/(draws*(p2-2*p3+p4)), of*(of-3)/2)
}

// testPositions compares how often each number was drawn at each of the 20
// places, beyond how often it was drawn at all. A number at a place has the
// probability 1/80; being at one place excludes another, which makes the variance
// of the differences between places 1/79.
func (t *Tally) testPositions() Test {
	counts, sum := t.drawn(), 0.0
	for i := range t.positions {
		for n := 1; n <= of; n++ {
			d := float64(t.positions[i][n]) - float64(counts[n])/take
			sum += d * d
		}
	}
	return newTest("positions", "how often each number was drawn at each of the 20 places, beyond how often it was drawn",
		sum*(of-1)/float64(t.draws), (take-1)*(of-1))
}

// testSerial compares the sums of draws with those of the draws 1 to 10 before.
// Without a connection the mean product of two deviations is 0, with the square
// of the variance of a sum as its variance, and the lags are independent.
func (t *Tally) testSerial() Test {
	const variance = take * (of - take) * (of + 1) / 12.0 // of a sum: 8100
	sum := 0.0
	for i, product := range t.products {
		z2 := float64(product) / variance * (float64(product) / variance) / float64(t.draws-int64(i)-1)
		sum += z2
	}
	return newTest("serial", fmt.Sprintf("the correlation of a draw's sum with those of the %d draws before", lags),
		sum, lags)
}

// testFollows compares which number was drawn first with which was drawn last in
// the draw before, beyond how often each was either.
func (t *Tally) testFollows() Test {
	var first, last [of + 1]float64
	total := 0.0
	for a := 1; a <= of; a++ {
		for b := 1; b <= of; b++ {
			c := float64(t.follows[a][b])
			last[a] += c
			first[b] += c
			total += c
		}
	}
	sum := 0.0
	for a := 1; a <= of; a++ {
		for b := 1; b <= of; b++ {
			d := float64(t.follows[a][b]) - last[a]/of - first[b]/of + total/(of*of)
			sum += d * d
		}
	}
	return newTest("follows", "which number is drawn first after which was drawn last",
		sum/(total/(of*of)), (of-1)*(of-1))
}

// test compares after how many draws numbers come again. If before a draw c(k)
// numbers have the age k, the numbers of each age that it draws are
// hypergeometric, whatever came before: c(k)/4 on average, with covariances that
// are added up from draw to draw. The deviations, weighed by the inverse of that
// matrix, are a chi-square.
//
// In sound draws every age is found thousands of times and none follows from
// the others. If the matrix cannot be inverted, that alone is the failure.
func (s *gaps) test() Test {
	const scale = float64(take) * (of - take) / (of * of * (of - 1))
	deviations := mat.NewVecDense(ages, nil)
	covariance := mat.NewSymDense(ages, nil)
	for k := 1; k <= ages; k++ {
		deviations.SetVec(k-1, float64(s.came[k])-float64(s.had[k])*take/of)
		for l := k; l <= ages; l++ {
			c := -float64(s.cross[k][l])
			if k == l {
				c += of * float64(s.had[k])
			}
			covariance.SetSym(k-1, l-1, scale*c)
		}
	}
	statistic := math.MaxFloat64
	var root mat.Cholesky
	var solved mat.VecDense
	if root.Factorize(covariance) && //nolint:misspell // It is the library's name.
		root.SolveVecTo(&solved, deviations) == nil {
		statistic = mat.Dot(deviations, &solved)
	}
	return newTest("gaps", fmt.Sprintf("after how many draws, 1 to %d or more, each number comes again", ages),
		statistic, ages)
}

// numberBars returns how often each number was drawn.
func (t *Tally) numberBars() []Bar {
	var bars []Bar
	for n, c := range t.drawn() {
		if n > 0 {
			bars = append(bars, Bar{At: n, Expected: float64(t.draws) * take / of, Counted: c})
		}
	}
	return bars
}

// keno is the draw whose exact distributions the counts are compared with.
func keno() odds.Draw {
	d, err := odds.NewDraw(of, take)
	if err != nil {
		panic(err) // 20 of 80 can be drawn.
	}
	return d
}

// sumBars returns how often each sum came.
func (t *Tally) sumBars() []Bar {
	exact := keno().Sums()
	least, greatest := exact.Bounds()
	var bars []Bar
	for sum := least; sum <= greatest; sum++ {
		bars = append(bars, Bar{sum, expected(t.draws, exact.Probability(sum)), t.sums[sum]})
	}
	return bars
}

// overlapBars returns how often each count of common numbers came.
func (t *Tally) overlapBars() []Bar {
	var bars []Bar
	for matched, p := range keno().Matches(take) {
		bars = append(bars, Bar{matched, expected(t.draws-1, p), t.overlaps[matched]})
	}
	return bars
}

func expected(draws int64, p *big.Rat) float64 {
	f, _ := p.Float64()
	return float64(draws) * f
}

// leastExpected is how often a cell of a chi-square must be expected.
const leastExpected = 10

// testBars is Pearson's chi-square of independent draws. Rare values at either
// end are joined until they are expected often enough.
func testBars(name, says string, bars []Bar) Test {
	cells := joinEnds(bars)
	sum := 0.0
	for _, cell := range cells {
		d := float64(cell.Counted) - cell.Expected
		sum += d * d / cell.Expected
	}
	return newTest(name, says, sum, len(cells)-1)
}

// joinEnds joins the values at either end into cells that are expected often
// enough. The distributions have one peak, so those between are as well.
func joinEnds(bars []Bar) []Bar {
	low, high := 0, len(bars)-1
	first, last := bars[low], bars[high]
	for first.Expected < leastExpected {
		low++
		first.Expected += bars[low].Expected
		first.Counted += bars[low].Counted
	}
	for last.Expected < leastExpected {
		high--
		last.Expected += bars[high].Expected
		last.Counted += bars[high].Counted
	}
	cells := append([]Bar{first}, bars[low+1:high]...)
	return append(cells, last)
}
