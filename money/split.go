package money

import (
	"errors"
	"fmt"
	"math"
)

// ErrWeights reports weights that cannot share an amount: a negative one, or
// none that is positive.
var ErrWeights = errors.New("money: weights cannot share an amount")

// Split shares total pro rata. Share i is total x weights[i] / sum(weights)
// rounded down ([Floor]), and residue is what the shares leave over:
//
//	sum(shares) + residue == total
//
// The residue is never negative and smaller than the number of positive
// weights, in cents. Who receives it is a matter for the rulebook, which is why
// Split gives it to nobody.
func Split(total Amount, weights []int64) (shares []Amount, residue Amount, err error) {
	whole, err := sumWeights(weights)
	if err != nil {
		return nil, 0, err
	}
	shares = make([]Amount, len(weights))
	residue = total
	for i, w := range weights {
		// A weight is at most the whole, so the share is no further from
		// zero than the total and always fits.
		if shares[i], err = MulDiv(total, w, whole, Floor); err != nil {
			return nil, 0, err
		}
		// The running difference may wrap for totals near the least
		// amount; the final one is small and therefore exact.
		residue -= shares[i]
	}
	return shares, residue, nil
}

func sumWeights(weights []int64) (int64, error) {
	var whole int64
	for i, w := range weights {
		if w < 0 {
			return 0, fmt.Errorf("%w: weight %d is %d", ErrWeights, i, w)
		}
		if whole > math.MaxInt64-w {
			return 0, fmt.Errorf("%w: sum of the weights", ErrOverflow)
		}
		whole += w
	}
	if whole == 0 {
		return 0, fmt.Errorf("%w: none of %d is positive", ErrWeights, len(weights))
	}
	return whole, nil
}
