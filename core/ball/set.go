package ball

import (
	"cmp"
	"fmt"
	"iter"
	"math/bits"
	"strconv"
)

// Set is a set of numbers of one universe. It is an immutable value of 16 bytes
// that can be compared with == and used as a key of a map.
//
// The zero value is invalid and belongs to no universe; it has no numbers. An
// empty set of a universe, see [Empty], is valid and differs from it.
type Set struct {
	// Number n is bit n of the 128 bits hi:lo. The top byte of hi is the
	// universe, which no number reaches.
	lo, hi uint64
}

const (
	tagShift = 56
	// hiNumbers masks the part of the high word that holds numbers.
	hiNumbers = 1<<tagShift - 1
)

// bit returns the words in which only the bit of n is set. A shift count beyond
// the word, which a negative one becomes, yields zero; so one of the two words
// is always zero without a branch.
func bit(n int) (lo, hi uint64) { return 1 << uint(n), 1 << uint(n-64) }

// Empty returns the set of u without numbers. It panics if u is invalid.
func Empty(u Universe) Set {
	if !u.IsValid() {
		panic(fmt.Errorf("%w: %d", ErrUniverse, uint8(u)))
	}
	return Set{hi: uint64(u) << tagShift}
}

// Full returns the set of all the numbers of u. It panics if u is invalid.
func Full(u Universe) Set {
	s := Empty(u)
	s.lo = ^uint64(1)
	s.hi |= 1<<(uint(u)-63) - 1
	return s
}

// Of returns the set of the given numbers, in any order. A number that u does
// not have and a number given twice are errors that name it.
func Of(u Universe, nums ...int) (Set, error) {
	if !u.IsValid() {
		return Set{}, fmt.Errorf("%w: %d", ErrUniverse, uint8(u))
	}
	s := Empty(u)
	for _, n := range nums {
		var err error
		if s, err = s.add(n); err != nil {
			return Set{}, err
		}
	}
	return s, nil
}

// MustOf is like [Of] and panics on an error. It is for numbers written in a
// program.
func MustOf(u Universe, nums ...int) Set {
	s, err := Of(u, nums...)
	if err != nil {
		panic(err)
	}
	return s
}

// add returns s with n, which must be new to it.
func (s Set) add(n int) (Set, error) {
	if err := s.Universe().check(n); err != nil {
		return Set{}, err
	}
	if s.Has(n) {
		return Set{}, fmt.Errorf("%w: %d", ErrRepeat, n)
	}
	return s.With(n), nil
}

// FromBits returns the set whose numbers are the bits of the two words, as
// [Set.Bits] gives them: number n is bit n of hi:lo. A bit that is no number of
// u is an error.
func FromBits(u Universe, lo, hi uint64) (Set, error) {
	if !u.IsValid() {
		return Set{}, fmt.Errorf("%w: %d", ErrUniverse, uint8(u))
	}
	allLo, allHi := Full(u).Bits()
	switch {
	case lo&^allLo != 0:
		return Set{}, u.check(bits.TrailingZeros64(lo &^ allLo))
	case hi&^allHi != 0:
		return Set{}, u.check(64 + bits.TrailingZeros64(hi&^allHi))
	}
	return Set{lo, hi | uint64(u)<<tagShift}, nil
}

// Bits returns the numbers of s, and nothing else, as bits: number n is bit n of
// hi:lo.
func (s Set) Bits() (lo, hi uint64) { return s.lo, s.hi & hiNumbers }

// IsValid reports whether s belongs to a universe; the zero value does not.
func (s Set) IsValid() bool { return s.hi>>tagShift != 0 }

// Universe returns the universe of s, or 0 for the zero value.
func (s Set) Universe() Universe { return Universe(s.hi >> tagShift) }

// Has reports whether n is in s.
func (s Set) Has(n int) bool {
	lo, hi := bit(n)
	return s.lo&lo|s.hi&hi&hiNumbers != 0
}

// Len returns how many numbers s has.
func (s Set) Len() int { return bits.OnesCount64(s.lo) + bits.OnesCount64(s.hi&hiNumbers) }

// Overlap returns how many numbers s and t have in common. It looks at numbers
// only: sets of two universes share the numbers that both have.
func (s Set) Overlap(t Set) int {
	return bits.OnesCount64(s.lo&t.lo) + bits.OnesCount64(s.hi&t.hi&hiNumbers)
}

// Disjoint reports whether s and t have no number in common.
func (s Set) Disjoint(t Set) bool { return s.lo&t.lo|s.hi&t.hi&hiNumbers == 0 }

// Contains reports whether every number of t is in s.
func (s Set) Contains(t Set) bool { return t.lo&^s.lo|t.hi&^s.hi&hiNumbers == 0 }

// Sum returns the sum of the numbers.
func (s Set) Sum() int {
	sum := 0
	for n := range s.All() {
		sum += n
	}
	return sum
}

// Min returns the lowest number, or 0 if there is none.
func (s Set) Min() int {
	if s.lo != 0 {
		return bits.TrailingZeros64(s.lo)
	}
	if hi := s.hi & hiNumbers; hi != 0 {
		return 64 + bits.TrailingZeros64(hi)
	}
	return 0
}

// Max returns the highest number, or 0 if there is none.
func (s Set) Max() int {
	if hi := s.hi & hiNumbers; hi != 0 {
		return 63 + bits.Len64(hi)
	}
	if s.lo != 0 {
		return bits.Len64(s.lo) - 1
	}
	return 0
}

// With returns s with n added; a number that s has already changes nothing. It
// panics if n is no number of the universe of s: numbers from outside enter
// through [Of], [Parse] and [FromBits], which report errors.
func (s Set) With(n int) Set {
	if err := s.Universe().check(n); err != nil {
		panic(err)
	}
	lo, hi := bit(n)
	return Set{s.lo | lo, s.hi | hi}
}

// Union returns the numbers that are in s or in t. It panics if s and t are of
// two universes.
func (s Set) Union(t Set) Set {
	s.mustMatch(t)
	return Set{s.lo | t.lo, s.hi | t.hi}
}

// Intersect returns the numbers that are in both s and t. It panics if s and t
// are of two universes.
func (s Set) Intersect(t Set) Set {
	s.mustMatch(t)
	return Set{s.lo & t.lo, s.hi & t.hi}
}

// Minus returns the numbers of s that are not in t. It panics if s and t are of
// two universes.
func (s Set) Minus(t Set) Set {
	s.mustMatch(t)
	return Set{s.lo &^ t.lo, s.hi &^ (t.hi & hiNumbers)}
}

// mustMatch panics unless s and t are of one universe: a set of both would be a
// set of neither.
func (s Set) mustMatch(t Set) {
	if s.Universe() != t.Universe() {
		panic(fmt.Errorf("%w: sets of %v and %v combined", ErrUniverse, s.Universe(), t.Universe()))
	}
}

// All yields the numbers in ascending order.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for w := s.lo; w != 0; w &= w - 1 {
			if !yield(bits.TrailingZeros64(w)) {
				return
			}
		}
		for w := s.hi & hiNumbers; w != 0; w &= w - 1 {
			if !yield(64 + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// Numbers returns the numbers in ascending order, in a slice of the caller's own.
func (s Set) Numbers() []int {
	nums := make([]int, 0, s.Len())
	for n := range s.All() {
		nums = append(nums, n)
	}
	return nums
}

// Ranges returns the numbers as people say them, those in a row together: "1 to 10", "15",
// "20".
func (s Set) Ranges() []string {
	var ranges []string
	for n := range s.All() {
		if s.Has(n - 1) {
			continue
		}
		text, last := strconv.Itoa(n), n
		for s.Has(last + 1) {
			last++
		}
		if last > n {
			text += " to " + strconv.Itoa(last)
		}
		ranges = append(ranges, text)
	}
	return ranges
}

// String returns the numbers in ascending order, "3 17 42". [Parse] reads it
// back, given the universe.
func (s Set) String() string { return string(s.AppendTo(nil)) }

// AppendTo appends the form of [Set.String] to b and returns the result.
func (s Set) AppendTo(b []byte) []byte {
	start := len(b)
	for n := range s.All() {
		if len(b) > start {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return b
}

// Compare orders sets: by universe, and within one as lists of ascending numbers
// are ordered, so that "1 2" comes before "1 2 3" and that before "1 3". It
// returns -1, 0 or +1, and 0 only if a == b.
func Compare(a, b Set) int {
	if c := cmp.Compare(a.Universe(), b.Universe()); c != 0 || a == b {
		return c
	}
	// Up to n, the lowest number that only one of them has, the lists agree.
	n := Set{a.lo ^ b.lo, a.hi ^ b.hi}.Min()
	if a.Has(n) {
		return compareOwner(b, n)
	}
	return -compareOwner(a, n)
}

// compareOwner compares the set that has n with other, which lacks it and agrees
// with it below n. The list of other either ends there, and is the lesser, or
// goes on with a higher number, and is the greater.
func compareOwner(other Set, n int) int {
	if other.Max() < n {
		return +1
	}
	return -1
}
