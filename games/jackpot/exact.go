package jackpot

import (
	"fmt"
	"strings"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// Exact is an amount in ten-thousandths of a cent. Rulebooks state percentages in
// hundredths of a percent, so that every percentage of a whole number of cents is
// a whole number of these, and contributions never have to be rounded.
type Exact int64

const (
	// perCent is how many parts a cent has.
	perCent = Exact(rulebook.Whole)
	// most bounds every balance and every amount that is added to one, far above
	// any jackpot. A few of them can be added without looking for overflow, because
	// the sum is held to the same bound before it is used.
	most = Exact(1) << 60
)

// ExactOf returns an amount of whole cents. One that is negative, or beyond what a
// pool can hold, is refused.
func ExactOf(a money.Amount) (Exact, error) {
	if a < 0 || Exact(a) > most/perCent {
		return 0, fmt.Errorf("jackpot: %w: %v", money.ErrOverflow, a)
	}
	return Exact(a) * perCent, nil
}

// mustExact returns an amount that was checked when the terms were made.
func mustExact(a money.Amount) Exact { return Exact(a) * perCent }

// Cents returns the whole cents: the amount rounded down.
func (e Exact) Cents() money.Amount {
	cents := e / perCent
	if e%perCent < 0 {
		cents--
	}
	return money.Amount(cents)
}

// ceil returns the amount rounded up to whole cents.
func (e Exact) ceil() money.Amount { return -(-e).Cents() }

// Part returns what is beyond the whole cents, in ten-thousandths of a cent.
func (e Exact) Part() int64 { return int64(e - Exact(e.Cents())*perCent) }

// String returns all of the amount: $1,234.50, or $0.0345 with a part of a cent.
func (e Exact) String() string {
	if e < 0 {
		return "-" + (-e).String()
	}
	part := strings.TrimRight(fmt.Sprintf("%04d", e.Part()), "0")
	return e.Cents().String() + part
}

// percentOf returns a percentage of some stakes, which must have passed ExactOf.
func percentOf(stakes money.Amount, p rulebook.Percent) Exact { return Exact(stakes) * Exact(p) }
