package bingo

import (
	"fmt"
	"math/big"
)

// FullHouse returns the probability that one box is complete after so many calls:
// its numbers are among them.
func (f *Form) FullHouse(calls int) *big.Rat {
	return new(big.Rat).SetFrac(choose(calls, f.perBox()), choose(f.numbers(), f.perBox()))
}

// StripFullHouse returns the probability that at least one of the boxes of a
// strip is complete after so many calls. No two boxes of a strip share a number, so
// that they are not independent: j given boxes are complete if their numbers
// are called, and inclusion and exclusion does the rest.
func (f *Form) StripFullHouse(calls int) *big.Rat {
	sum := new(big.Rat)
	for j := 1; j <= f.boxes; j++ {
		called := f.perBox() * j
		term := new(big.Int).Mul(choose(f.boxes, j), choose(f.numbers()-called, calls-called))
		part := new(big.Rat).SetFrac(term, choose(f.numbers(), calls))
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
	numbers, perBox := p.form.numbers(), p.form.perBox()
	sum := new(big.Int)
	for size, count := range p.list[i].sets() {
		sum.Add(sum, new(big.Int).Mul(count, choose(numbers-perBox, calls-size)))
	}
	return new(big.Rat).SetFrac(sum, choose(numbers, calls))
}

// sets counts the sets of numbers of a box that complete the pattern, by size. A pattern of
// one way is a product over its parts. Of several ways, which then need all places of one
// part each, inclusion and exclusion adds up: many unions are the same set, which is kept
// once with what it adds up to.
func (p *Pattern) sets() []*big.Int {
	perBox := p.form.perBox()
	if len(p.ways) == 1 {
		return p.ways[0].sets(perBox)
	}
	adds := map[Mask]int64{}
	for _, w := range p.ways {
		places := w[0].places
		more := map[Mask]int64{places: 1}
		for have, times := range adds {
			more[have|places] -= times
		}
		for union, times := range more {
			if adds[union] += times; adds[union] == 0 {
				delete(adds, union)
			}
		}
	}
	sets := zeros(perBox)
	for union, times := range adds {
		for size := union.Len(); size <= perBox; size++ {
			count := choose(perBox-union.Len(), size-union.Len())
			sets[size].Add(sets[size], count.Mul(count, big.NewInt(times)))
		}
	}
	return sets
}

// sets counts the sets of numbers that have what all parts of the way need, by size.
func (w way) sets(perBox int) []*big.Int {
	sets, rest := zeros(perBox), perBox
	sets[0].SetInt64(1)
	times := func(places, least int) {
		next := zeros(perBox)
		for size, count := range sets {
			for more := least; more <= places && size+more <= perBox; more++ {
				next[size+more].Add(next[size+more], new(big.Int).Mul(count, choose(places, more)))
			}
		}
		sets = next
	}
	for _, p := range w {
		times(p.places.Len(), p.least)
		rest -= p.places.Len()
	}
	times(rest, 0)
	return sets
}

func zeros(most int) []*big.Int {
	all := make([]*big.Int, most+1)
	for i := range all {
		all[i] = new(big.Int)
	}
	return all
}

// amongBits is how precise the chances among many boxes are: the exact fractions of a
// thousand boxes have millions of digits.
const amongBits = 512

// Among returns the probability that at least one of so many boxes is complete, each
// with probability p and independently of the others, to more than 100 digits. That holds
// for boxes that are random sets of numbers, each drawn for itself. Boxes of cards share
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
