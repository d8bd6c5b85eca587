package rulebook

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// factorTable maps the sum of the numbers drawn to its factor, or holds a wheel.
type factorTable struct {
	clause  string
	least   int // the sum of the first factor
	factors []int
	wheel   []int // the factor of each slot, ascending; nil where the sum decides
}

func compileMultiplier(m *Multiplier, n Numbers) factorTable {
	if m == nil {
		return factorTable{}
	}
	if m.Wheel != nil {
		t := factorTable{clause: m.Clause}
		for _, factor := range slices.Sorted(maps.Keys(m.Wheel)) {
			t.wheel = append(t.wheel, slices.Repeat([]int{factor}, m.Wheel[factor])...)
		}
		return t
	}
	least, most := n.sums()
	t := factorTable{clause: m.Clause, least: least, factors: make([]int, most-least+1)}
	for first, row := range m.Rows {
		// Validation has read every row without an error.
		factors, _ := parseFactors(row)
		copy(t.factors[first-least:], factors)
	}
	return t
}

// sums returns the least and the greatest sum that a draw can have: the lowest
// and the highest numbers.
func (n Numbers) sums() (least, most int) {
	return n.Draw * (n.Draw + 1) / 2, n.Draw * (2*n.Of - n.Draw + 1) / 2
}

// maxFactor bounds a factor, so that a slip of the pen such as a lost space is
// seen: the known tables have 1 to 10.
const maxFactor = 100

// parseFactors reads the factors of one row.
func parseFactors(row string) ([]int, error) {
	var factors []int
	for word := range strings.FieldsSeq(row) {
		if !digits(word, 3) || atoi(word) < 1 || atoi(word) > maxFactor {
			return nil, fmt.Errorf("factor %q is not a whole number from 1 to %d", word, maxFactor)
		}
		factors = append(factors, atoi(word))
	}
	if len(factors) == 0 {
		return nil, fmt.Errorf("the row has no factors")
	}
	return factors, nil
}

// firsts returns the keys of the rows in ascending order.
func (m *Multiplier) firsts() []int { return slices.Sorted(maps.Keys(m.Rows)) }

// Multiplier returns the factor of a sum of the numbers drawn, or 0 where the
// rulebook assigns none.
func (b *Book) Multiplier(sum int) int {
	if i := sum - b.factors.least; i >= 0 && i < len(b.factors.factors) {
		return b.factors.factors[i]
	}
	return 0
}

// Wheel returns the factor of each slot of the wheel that multiplies prizes,
// ascending, or nil where the sum of the numbers decides or nothing is multiplied.
//
// The order of the numbers drawn turns the wheel. Begin with 0; for the second number
// drawn, the third and so on to the last, the k-th, multiply by k and add how many of
// the numbers drawn before it are smaller. What comes out, modulo the number of slots,
// is the slot, counted from 0. Every order of twenty numbers is as likely as every
// other, whichever twenty they are, and there are 20! orders; the number of slots
// divides 20!. So every slot is as likely as every other and says nothing about the
// set of numbers. Whoever could choose a slot could choose the numbers.
func (b *Book) Wheel() []int { return slices.Clone(b.factors.wheel) }

// maxSlots bounds a wheel: the known ones have 80.
const maxSlots = 10_000

// divides reports whether n divides k! .
func divides(n, k int) bool {
	for ; k > 1 && n > 1; k-- {
		n /= greatestCommonDivisor(n, k)
	}
	return n == 1
}

func greatestCommonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// MultiplierClause returns where the factors come from.
func (b *Book) MultiplierClause() string { return b.factors.clause }

// MultiplierBounds returns the least and the greatest sum that has a factor. Both
// are 0 where the rulebook has no multiplier.
func (b *Book) MultiplierBounds() (least, most int) {
	if len(b.factors.factors) == 0 {
		return 0, 0
	}
	return b.factors.least, b.factors.least + len(b.factors.factors) - 1
}
