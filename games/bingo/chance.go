package bingo

import (
	"fmt"
	"math/big"
)

// FullHouse returns the probability that one box is complete after so many calls:
// the 15 numbers are among them.
func FullHouse(calls int) *big.Rat {
	return new(big.Rat).SetFrac(choose(calls, BoxNumbers), choose(Numbers, BoxNumbers))
}

// StripFullHouse returns the probability that at least one of the six boxes of a
// strip is complete after so many calls. No two boxes of a strip share a number, so
// that they are not independent: j given boxes are complete if their 15j numbers
// are called, and inclusion and exclusion does the rest.
func StripFullHouse(calls int) *big.Rat {
	sum := new(big.Rat)
	for j := 1; j <= StripBoxes; j++ {
		term := new(big.Int).Mul(choose(StripBoxes, j), choose(Numbers-BoxNumbers*j, calls-BoxNumbers*j))
		part := new(big.Rat).SetFrac(term, choose(Numbers, calls))
		if j%2 == 0 {
			part.Neg(part)
		}
		sum.Add(sum, part)
	}
	return sum
}

// Chance returns the probability that one box has completed pattern i after so many
// calls. The sets of marked places that complete it are counted by size; a set of
// so many places is what is marked if the other calls are none of the box's numbers.
func (p *Patterns) Chance(i, calls int) *big.Rat {
	var sets [BoxNumbers + 1]int64
	for mask := range Mask(masks) {
		if p.done[mask].Has(i) {
			sets[mask.Len()]++
		}
	}
	sum := new(big.Int)
	for size, count := range sets {
		sum.Add(sum, new(big.Int).Mul(big.NewInt(count), choose(Numbers-BoxNumbers, calls-size)))
	}
	return new(big.Rat).SetFrac(sum, choose(Numbers, calls))
}

// amongBits is how precise the chances among many boxes are: the exact fractions of a
// thousand boxes have millions of digits.
const amongBits = 512

// Among returns the probability that at least one of so many boxes is complete, each
// with probability p and independently of the others, to more than 100 digits. That holds
// for boxes that are random sets of 15 numbers, each drawn for itself. Boxes of cards share
// the form of their columns, so that calls which leave out a column leave out all of
// them; TestSimulatedGames shows how little that is.
func Among(boxes int, p *big.Rat) (*big.Rat, error) {
	one := big.NewRat(1, 1)
	if boxes < 0 || p.Sign() < 0 || p.Cmp(one) > 0 {
		return nil, fmt.Errorf("bingo: %d boxes with a chance of %v each", boxes, p)
	}
	// Chances are whole numbers of 2^-amongBits here, rounded down.
	unit := new(big.Int).Lsh(big.NewInt(1), amongBits)
	times := func(a, b *big.Int) { a.Rsh(a.Mul(a, b), amongBits) }
	miss := new(big.Rat).Sub(one, p)
	square := new(big.Int).Quo(new(big.Int).Mul(miss.Num(), unit), miss.Denom())
	none := new(big.Int).Set(unit)
	for n := boxes; n > 0; n /= 2 {
		if n%2 == 1 {
			times(none, square)
		}
		times(square, square)
	}
	return new(big.Rat).SetFrac(none.Sub(unit, none), unit), nil
}

// choose returns n over k, 0 where there is none.
func choose(n, k int) *big.Int {
	if k < 0 || k > n {
		return new(big.Int)
	}
	return new(big.Int).Binomial(int64(n), int64(k))
}
