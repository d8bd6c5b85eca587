package draw

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"drawhouse/core/ball"
)

// A Pick is a number drawn and the bytes that gave it.
type Pick struct {
	Number int
	Bytes  []byte
}

// clone returns a copy whose bytes are the caller's own.
func (p Pick) clone() Pick {
	p.Bytes = bytes.Clone(p.Bytes)
	return p
}

// A Selector draws numbers of a universe without replacement. It is the one that
// devices draw with and that laboratories examine.
type Selector struct {
	entropy  io.Reader
	universe ball.Universe
	// numbers are those drawn, in order, and behind them those that remain,
	// ascending.
	numbers [ball.Bingo]uint8
	drawn   int
}

// NewSelector returns a selector that draws behind the numbers drawn, of their
// universe, with bytes from entropy.
func NewSelector(drawn ball.Sequence, entropy io.Reader) (*Selector, error) {
	if !drawn.IsValid() {
		return nil, fmt.Errorf("draw: the numbers drawn have no universe: %w", ball.ErrUniverse)
	}
	s := &Selector{entropy: entropy, universe: drawn.Universe(), drawn: drawn.Len()}
	for i := range drawn.Len() {
		s.numbers[i] = uint8(drawn.At(i))
	}
	next := s.drawn
	for n := range ball.Full(s.universe).Minus(drawn.Set()).All() {
		s.numbers[next] = uint8(n)
		next++
	}
	return s, nil
}

// Drawn returns the numbers drawn so far, in order.
func (s *Selector) Drawn() ball.Sequence {
	numbers := make([]int, s.drawn)
	for i, n := range s.numbers[:s.drawn] {
		numbers[i] = int(n)
	}
	q, err := ball.NewSequence(s.universe, numbers...)
	if err != nil {
		panic(err) // The numbers are a permutation of the universe.
	}
	return q
}

// remaining returns the numbers not drawn yet, ascending.
func (s *Selector) remaining() []uint8 { return s.numbers[s.drawn:s.universe] }

// Remaining returns the numbers not drawn yet.
func (s *Selector) Remaining() ball.Set {
	set := ball.Empty(s.universe)
	for _, n := range s.remaining() {
		set = set.With(int(n))
	}
	return set
}

// Next draws one number. All that remain are equally likely.
func (s *Selector) Next() (Pick, error) {
	var p Pick
	if err := s.NextInto(&p); err != nil {
		return Pick{}, err
	}
	return p, nil
}

// NextInto is Next for millions of numbers: it overwrites the pick and uses its
// bytes again.
//
//rule:tas-keno-2023 1.15
//rule:casino-keno-div2 2.1(a)(ii) 7.4(b)
func (s *Selector) NextInto(p *Pick) error {
	remaining := s.remaining()
	if len(remaining) == 0 {
		return errors.New("draw: all numbers are drawn")
	}
	index, read, err := appendIndex(p.Bytes[:0], s.entropy, uint32(len(remaining)))
	if err != nil {
		return err
	}
	number := remaining[index]
	copy(remaining[1:], remaining[:index]) // Those below it move up into its place.
	remaining[0] = number
	s.drawn++
	p.Number, p.Bytes = int(number), read
	return nil
}
