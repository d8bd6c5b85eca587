package money

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"drawhouse/core/figure"
)

// ErrOverflow reports that a result does not fit an [Amount]. A caller that
// meets it must stop: a wrapped amount would be a wrong amount.
var ErrOverflow = errors.New("money: amount out of range")

// Amount is a sum of money in whole cents. The zero value is no money.
type Amount int64

const (
	// Cent is the smallest amount.
	Cent Amount = 1
	// Dollar is one hundred cents.
	Dollar Amount = 100
)

// Cents returns the amount as a plain number of cents, for encodings.
func (a Amount) Cents() int64 { return int64(a) }

// String returns the amount as people read it: "$1,234.50", "-$0.10".
func (a Amount) String() string { return string(a.AppendTo(nil)) }

// AppendTo appends the form of [Amount.String] to b and returns the result.
func (a Amount) AppendTo(b []byte) []byte {
	if a < 0 {
		b = append(b, '-')
	}
	cents := magnitude(int64(a))
	b = append(b, '$')
	var digits [20]byte // the most that a number of 64 bits has
	b = figure.AppendGrouped(b, strconv.AppendUint(digits[:0], cents/100, 10))
	return append(b, '.', byte('0'+cents%100/10), byte('0'+cents%10))
}

// Add returns a + b.
func (a Amount) Add(b Amount) (Amount, error) {
	sum := a + b
	// The sum wrapped exactly when it moved against the sign of b.
	if (b > 0 && sum < a) || (b < 0 && sum > a) {
		return 0, fmt.Errorf("%w: %v + %v", ErrOverflow, a, b)
	}
	return sum, nil
}

// Sub returns a - b.
func (a Amount) Sub(b Amount) (Amount, error) {
	diff := a - b
	if (b > 0 && diff > a) || (b < 0 && diff < a) {
		return 0, fmt.Errorf("%w: %v - %v", ErrOverflow, a, b)
	}
	return diff, nil
}

// Mul returns n times a.
func (a Amount) Mul(n int64) (Amount, error) {
	hi, lo := bits.Mul64(magnitude(int64(a)), magnitude(n))
	product, ok := signed((a < 0) != (n < 0), hi, lo)
	if !ok {
		return 0, fmt.Errorf("%w: %v x %d", ErrOverflow, a, n)
	}
	return product, nil
}

// Sum returns the total of the amounts, added from left to right; a partial
// sum that overflows is an error even if later amounts would bring it back.
func Sum(amounts ...Amount) (Amount, error) {
	var total Amount
	for _, a := range amounts {
		next, err := total.Add(a)
		if err != nil {
			return 0, err
		}
		total = next
	}
	return total, nil
}

// magnitude returns |n|; unlike -n it is right for the least int64.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// signed returns the amount with the given sign and 128-bit magnitude, and
// whether there is one.
func signed(negative bool, hi, lo uint64) (Amount, bool) {
	limit := uint64(math.MaxInt64)
	if negative {
		limit++
	}
	if hi != 0 || lo > limit {
		return 0, false
	}
	if negative {
		return Amount(-lo), true
	}
	return Amount(lo), true
}
