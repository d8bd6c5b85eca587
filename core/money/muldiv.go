package money

import (
	"errors"
	"fmt"
	"math/bits"
)

// ErrDivisor reports a divisor or a step that is not positive.
var ErrDivisor = errors.New("money: divisor and step must be positive")

// MulDiv returns a x num / den rounded once to a whole cent. The product is
// exact whatever its size; only a result that does not fit is [ErrOverflow].
func MulDiv(a Amount, num, den int64, r Rounding) (Amount, error) {
	return MulDivTo(a, num, den, Cent, r)
}

// MulDivTo returns a x num / den rounded once to a multiple of step.
//
// Rounding to a cent first and to the step afterwards would round twice, and
// twice is wrong: half-up turns 4.5 cents into 5 and then into 10, although the
// nearest multiple of 10 is 0.
func MulDivTo(a Amount, num, den int64, step Amount, r Rounding) (Amount, error) {
	switch {
	case den <= 0 || step <= 0:
		return 0, fmt.Errorf("%w: divisor %d, step %d", ErrDivisor, den, step)
	case !r.IsValid():
		return 0, fmt.Errorf("%w: %v", ErrRounding, r)
	}
	negative := (a < 0) != (num < 0)
	var x uint128
	x.hi, x.lo = bits.Mul64(magnitude(int64(a)), magnitude(num))

	// Dividing by den and then by step gives the quotient by den x step,
	// which itself may not fit a word.
	q, cents := x.div(uint64(den))
	q, steps := q.div(uint64(step))
	if steps != 0 || cents != 0 {
		half := compareHalf(steps, cents, uint64(den), uint64(step))
		if r.grows(negative, half, q.lo&1 == 1) {
			q = q.inc()
		}
	}
	result, ok := q.times(uint64(step), negative)
	if !ok {
		return 0, fmt.Errorf("%w: %v x %d / %d", ErrOverflow, a, num, den)
	}
	return result, nil
}

// compareHalf compares the fraction (steps + cents/den) / step with one half.
// Over the common denominator den x step the fraction is below one, so that its
// doubled numerator is below 2^127 and nothing here can wrap.
func compareHalf(steps, cents, den, step uint64) int {
	var rest, whole uint128
	rest.hi, rest.lo = bits.Mul64(steps, den)
	var carry uint64
	rest.lo, carry = bits.Add64(rest.lo, cents, 0)
	rest.hi += carry
	rest.hi, rest.lo = rest.hi<<1|rest.lo>>63, rest.lo<<1
	whole.hi, whole.lo = bits.Mul64(den, step)
	return rest.compare(whole)
}

// uint128 is a magnitude between the product and the division.
type uint128 struct{ hi, lo uint64 }

// div returns the quotient and the remainder by d, which is not zero.
func (x uint128) div(d uint64) (q uint128, rem uint64) {
	q.hi, rem = x.hi/d, x.hi%d
	q.lo, rem = bits.Div64(rem, x.lo, d)
	return q, rem
}

// inc returns x + 1. Callers hold quotients below 2^127.
func (x uint128) inc() uint128 {
	lo, carry := bits.Add64(x.lo, 1, 0)
	return uint128{x.hi + carry, lo}
}

// times returns x x n with a sign, and whether it is an amount.
func (x uint128) times(n uint64, negative bool) (Amount, bool) {
	if x.hi != 0 {
		return 0, false
	}
	hi, lo := bits.Mul64(x.lo, n)
	return signed(negative, hi, lo)
}

func (x uint128) compare(y uint128) int {
	switch {
	case x == y:
		return 0
	case x.hi < y.hi || x.hi == y.hi && x.lo < y.lo:
		return -1
	}
	return 1
}
