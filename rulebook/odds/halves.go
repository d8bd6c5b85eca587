package odds

import "math/big"

// The calls of a bet on the halves of the board.
const (
	Heads = "heads" // a majority of the numbers drawn is in the lower half
	Tails = "tails" // a majority is in the upper half
	Evens = "evens" // neither half has a majority
)

// Halves divides the board for a call: the numbers 1 to Lower are the lower half,
// and Majority numbers decide for a half. The majority is more than half of the
// numbers drawn, so that both halves never have one.
type Halves struct{ Lower, Majority int }

// call returns what came of a draw of take numbers with the given count of them in
// the lower half.
func (h Halves) call(lower, take int) string {
	switch {
	case lower >= h.Majority:
		return Heads
	case take-lower >= h.Majority:
		return Tails
	}
	return Evens
}

// Calls returns the probability of each call.
func (d Draw) Calls(h Halves) map[string]*big.Rat {
	ps := map[string]*big.Rat{Heads: new(big.Rat), Tails: new(big.Rat), Evens: new(big.Rat)}
	for lower, p := range d.Matches(h.Lower) {
		sum := ps[h.call(lower, d.take)]
		sum.Add(sum, p)
	}
	return ps
}
