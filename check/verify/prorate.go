package verify

import (
	"fmt"
	"math/big"
	"slices"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// A major is a number of ways that won the same major prize.
type major struct {
	prize *big.Rat
	count uint64
}

// majorUnder reports whether a prize is major: more than an amount
// (vic-keno-2015 2(a).major-prize), or at least one. Where the amount to which
// prizes would be reduced is not set, none is (tas-keno-2023 1.40, reading
// racing-pro-rating).
func majorUnder(p *rulebook.Prorating, x *big.Rat) bool {
	if p.Cap == nil {
		return false
	}
	if p.MajorOver != nil {
		return x.Cmp(ratOf(p.MajorOver.Amount())) > 0
	}
	return p.MajorFrom != nil && x.Cmp(ratOf(p.MajorFrom.Amount())) >= 0
}

// A reduction brings the major prizes of a game down to the cap. A nil one
// reduces nothing.
type reduction struct {
	factor *big.Rat
	floor  *big.Rat
}

// newReduction returns the reduction of a policy for a game with these majors, or
// nil if they stay within the cap.
func newReduction(p *rulebook.Prorating, majors []major) *reduction {
	if p.Cap == nil {
		return nil
	}
	most, total := ratOf(p.Cap.Amount()), sumMajors(majors)
	if total.Cmp(most) <= 0 {
		return nil
	}
	r := &reduction{floor: ratOf(p.Floor.Amount())}
	switch p.Method {
	case rulebook.ProrateLevel:
		r.factor = levelFactor(majors, most, r.floor)
	default:
		// 24(b): X / Y x cap.
		r.factor = new(big.Rat).Quo(most, total)
	}
	return r
}

// reduce returns what is left of a major prize: its part of the cap, and never
// less than the floor (24(c)). A prize that was below the floor stays.
func (r *reduction) reduce(x *big.Rat) *big.Rat {
	if r == nil {
		return x
	}
	reduced := new(big.Rat).Mul(x, r.factor)
	if floor := minRat(x, r.floor); reduced.Cmp(floor) < 0 {
		return floor
	}
	return reduced
}

// levelFactor finds the factor f for which the sum of max(floor, f x prize) is
// the cap. The largest prizes are the last to reach the floor, so it tries to
// leave more and more of the small ones at it. With all at the floor the cap
// cannot be kept, and nothing is left to reduce.
func levelFactor(majors []major, most, floor *big.Rat) *big.Rat {
	sorted := slices.SortedFunc(slices.Values(majors), func(a, b major) int { return a.prize.Cmp(b.prize) })
	atFloor := new(big.Rat)
	for i, m := range sorted {
		rest := new(big.Rat).Sub(most, atFloor)
		if rest.Sign() <= 0 {
			break
		}
		factor := rest.Quo(rest, sumMajors(sorted[i:]))
		least := minRat(m.prize, floor)
		if new(big.Rat).Mul(m.prize, factor).Cmp(least) >= 0 {
			return factor
		}
		atFloor.Add(atFloor, new(big.Rat).Mul(least, countRat(m.count)))
	}
	return new(big.Rat)
}

func sumMajors(majors []major) *big.Rat {
	sum := new(big.Rat)
	for _, m := range majors {
		sum.Add(sum, new(big.Rat).Mul(m.prize, countRat(m.count)))
	}
	return sum
}

func countRat(n uint64) *big.Rat { return new(big.Rat).SetInt(new(big.Int).SetUint64(n)) }

func minRat(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// rounding is how a prize becomes payable.
type rounding struct {
	step money.Amount
	mode money.Rounding
}

// of rounds an exact prize to a multiple of the step (vic-keno-2015 21(i): to
// the nearest multiple below).
func (r rounding) of(x *big.Rat) (money.Amount, error) {
	steps := new(big.Rat).Quo(x, ratOf(r.step))
	whole, rest := new(big.Int).QuoRem(steps.Num(), steps.Denom(), new(big.Int))
	// A prize is never negative, so that the quotient lies below.
	half := new(big.Int).Lsh(rest, 1).Cmp(steps.Denom())
	up := false
	switch r.mode {
	case money.Ceil:
		up = rest.Sign() > 0
	case money.HalfUp:
		up = half >= 0
	case money.HalfEven:
		up = half > 0 || half == 0 && whole.Bit(0) == 1
	}
	if up {
		whole.Add(whole, big.NewInt(1))
	}
	whole.Mul(whole, big.NewInt(r.step.Cents()))
	if !whole.IsInt64() {
		return 0, fmt.Errorf("a prize of %v cents is more than can be paid", whole)
	}
	return money.Amount(whole.Int64()), nil
}
