package money

import (
	"errors"
	"fmt"
)

// ErrRounding reports a rounding that nobody stated: the zero [Rounding], or a
// value that is none of the named ones.
var ErrRounding = errors.New("money: rounding is not stated")

// Rounding names what happens to a fraction. The zero value is invalid, so that
// a rulebook that forgets to state a rounding is refused and not guessed.
type Rounding uint8

const (
	_ Rounding = iota
	// Floor goes down, towards minus infinity: -$0.015 becomes -$0.02.
	Floor
	// Ceil goes up, towards plus infinity: -$0.015 becomes -$0.01.
	Ceil
	// HalfUp goes to the nearest, and from the middle up, towards plus
	// infinity: $0.015 becomes $0.02 and -$0.015 becomes -$0.01.
	HalfUp
	// HalfEven goes to the nearest, and from the middle to the even
	// neighbour: $0.015 and $0.025 both become $0.02.
	HalfEven
)

var roundingNames = [...]string{
	Floor:    "floor",
	Ceil:     "ceil",
	HalfUp:   "half-up",
	HalfEven: "half-even",
}

// IsValid reports whether r is one of the named roundings.
func (r Rounding) IsValid() bool { return Floor <= r && r <= HalfEven }

// String returns the name that [ParseRounding] reads.
func (r Rounding) String() string {
	if !r.IsValid() {
		return fmt.Sprintf("Rounding(%d)", uint8(r))
	}
	return roundingNames[r]
}

// ParseRounding reads "floor", "ceil", "half-up" or "half-even".
func ParseRounding(s string) (Rounding, error) {
	for r := Floor; r <= HalfEven; r++ {
		if roundingNames[r] == s {
			return r, nil
		}
	}
	return 0, fmt.Errorf("money: rounding %q is none of floor, ceil, half-up, half-even", s)
}

// grows reports whether a magnitude that lies between two whole multiples moves
// to the larger one. negative is the sign of the number, half compares the
// fraction with one half, and odd says whether the smaller multiple is odd.
// A number without a fraction never asks.
func (r Rounding) grows(negative bool, half int, odd bool) bool {
	switch r {
	case Floor:
		return negative
	case Ceil:
		return !negative
	case HalfUp:
		return half > 0 || half == 0 && !negative
	case HalfEven:
		return half > 0 || half == 0 && odd
	}
	panic("money: rounding used before it was checked")
}
