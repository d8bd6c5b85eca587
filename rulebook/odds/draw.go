package odds

import (
	"fmt"
	"math/big"
	"sync"
)

// mostNumbers is the largest universe for which counts are tabulated.
const mostNumbers = 90

// pascal returns the triangle of binomial coefficients, made at its first use:
// pascal()[n][k] is C(n,k).
var pascal = sync.OnceValue(func() [][]count {
	rows := make([][]count, mostNumbers+1)
	for n := range rows {
		rows[n] = make([]count, n+1)
		rows[n][0], rows[n][n] = count{lo: 1}, count{lo: 1}
		for k := 1; k < n; k++ {
			rows[n][k] = rows[n-1][k-1].plus(rows[n-1][k])
		}
	}
	return rows
})

// choose returns C(n,k), the number of ways to choose k of n things. It is zero
// for a k that cannot be chosen.
func choose(n, k int) count {
	if k < 0 || k > n {
		return count{}
	}
	return pascal()[n][k]
}

// Draw is the draw of some of the numbers 1 to Of without replacement, in which
// every set of numbers is as likely as every other and every order of a set as
// every other. The zero value is invalid; use [NewDraw].
type Draw struct{ of, take int }

// NewDraw returns the draw of take numbers out of the numbers 1 to of.
func NewDraw(of, take int) (Draw, error) {
	if take < 1 || take > of || of > mostNumbers {
		return Draw{}, fmt.Errorf("odds: cannot draw %d of %d numbers: between 1 and all of at most %d can be drawn",
			take, of, mostNumbers)
	}
	return Draw{of, take}, nil
}

// Outcomes returns the number of sets that can be drawn.
func (d Draw) Outcomes() *big.Int { return choose(d.of, d.take).big() }

// share returns the probability of the given number of outcomes.
func (d Draw) share(outcomes count) *big.Rat {
	return new(big.Rat).SetFrac(outcomes.big(), d.Outcomes())
}

// MatchMax returns the most of the given number of spots that can be drawn.
func (d Draw) MatchMax(spots int) int { return min(spots, d.take) }

// Match returns the probability that exactly matched of the given number of
// spots are drawn: C(spots,matched) C(of-spots,take-matched) / C(of,take). Which
// spots they are does not matter.
func (d Draw) Match(spots, matched int) *big.Rat {
	if spots < 0 || spots > d.of || matched < 0 || matched > d.take {
		return new(big.Rat)
	}
	return d.share(choose(spots, matched).times(choose(d.of-spots, d.take-matched)))
}

// Matches returns the probabilities of all counts of matched spots, from none to
// [Draw.MatchMax].
func (d Draw) Matches(spots int) []*big.Rat {
	ps := make([]*big.Rat, d.MatchMax(spots)+1)
	for matched := range ps {
		ps[matched] = d.Match(spots, matched)
	}
	return ps
}

// Last returns the probability that the number drawn last is one of the given
// number of spots. Any order of the numbers drawn is as likely as any other, so
// that the last number is each of the numbers with the same probability.
func (d Draw) Last(spots int) *big.Rat { return big.NewRat(int64(spots), int64(d.of)) }
