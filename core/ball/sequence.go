package ball

import (
	"fmt"
	"strconv"
)

// Sequence is numbers of one universe in the order drawn, without repeats. It is
// an immutable value that can be compared with ==. The zero value is invalid
// and belongs to no universe.
type Sequence struct {
	// Places from length on are zero, so that == compares what was drawn.
	drawn    [Bingo]uint8
	length   uint8
	universe Universe
}

// NewSequence returns the sequence of the given numbers. A number that u does
// not have and a number given twice are errors that name it.
func NewSequence(u Universe, nums ...int) (Sequence, error) {
	if !u.IsValid() {
		return Sequence{}, fmt.Errorf("%w: %d", ErrUniverse, uint8(u))
	}
	q := Sequence{universe: u}
	for _, n := range nums {
		var err error
		if q, err = q.Append(n); err != nil {
			return Sequence{}, err
		}
	}
	return q, nil
}

// Append returns q with n drawn next. A number that the universe does not have
// and one that was drawn before are errors that name it.
func (q Sequence) Append(n int) (Sequence, error) {
	if err := q.universe.check(n); err != nil {
		return Sequence{}, err
	}
	for i, drawn := range q.drawn[:q.length] {
		if int(drawn) == n {
			return Sequence{}, fmt.Errorf("%w: %d was drawn as number %d", ErrRepeat, n, i+1)
		}
	}
	// Without repeats a sequence never outgrows its universe, nor the array.
	q.drawn[q.length] = uint8(n)
	q.length++
	return q, nil
}

// IsValid reports whether q belongs to a universe; the zero value does not.
func (q Sequence) IsValid() bool { return q.universe != 0 }

// Universe returns the universe of q, or 0 for the zero value.
func (q Sequence) Universe() Universe { return q.universe }

// Len returns how many numbers have been drawn.
func (q Sequence) Len() int { return int(q.length) }

// At returns the number drawn at place i, counted from 0. Like indexing a slice
// it panics if there is no such place.
func (q Sequence) At(i int) int { return int(q.drawn[:q.length][i]) }

// Last returns the number drawn last, and whether any was drawn.
func (q Sequence) Last() (n int, ok bool) {
	if q.length == 0 {
		return 0, false
	}
	return q.At(q.Len() - 1), true
}

// Prefix returns the first k numbers. Like slicing it panics if there are fewer.
func (q Sequence) Prefix(k int) Sequence {
	p := Sequence{length: uint8(k), universe: q.universe}
	copy(p.drawn[:], q.drawn[:q.length:q.length][:k])
	return p
}

// Set returns the numbers without their order. The zero Sequence gives the zero
// Set.
func (q Sequence) Set() Set {
	s := Set{hi: uint64(q.universe) << tagShift}
	for _, n := range q.drawn[:q.length] {
		lo, hi := bit(int(n))
		s.lo |= lo
		s.hi |= hi
	}
	return s
}

// Sum returns the sum of the numbers.
func (q Sequence) Sum() int {
	sum := 0
	for _, n := range q.drawn[:q.length] {
		sum += int(n)
	}
	return sum
}

// Numbers returns the numbers in the order drawn, in a slice of the caller's own.
func (q Sequence) Numbers() []int {
	nums := make([]int, q.length)
	for i, n := range q.drawn[:q.length] {
		nums[i] = int(n)
	}
	return nums
}

// String returns the numbers in the order drawn, "42 3 17". [ParseSequence]
// reads it back, given the universe.
func (q Sequence) String() string { return string(q.AppendTo(nil)) }

// AppendTo appends the form of [Sequence.String] to b and returns the result.
func (q Sequence) AppendTo(b []byte) []byte {
	for i, n := range q.drawn[:q.length] {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendUint(b, uint64(n), 10)
	}
	return b
}

// MarshalBinary returns the universe and the numbers in the order drawn, a byte each.
func (q Sequence) MarshalBinary() ([]byte, error) {
	return append([]byte{byte(q.universe)}, q.drawn[:q.length]...), nil
}

// UnmarshalBinary reads what MarshalBinary returned.
func (q *Sequence) UnmarshalBinary(data []byte) error {
	if len(data) == 1 && data[0] == 0 {
		*q = Sequence{}
		return nil
	}
	if len(data) == 0 {
		return ErrUniverse
	}
	nums := make([]int, len(data)-1)
	for i, n := range data[1:] {
		nums[i] = int(n)
	}
	read, err := NewSequence(Universe(data[0]), nums...)
	if err == nil {
		*q = read
	}
	return err
}
