package draw

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"drawhouse/ball"
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

// A Selector draws numbers of a universe without replacement.
type Selector struct {
	entropy io.Reader
	drawn   ball.Sequence
}

// NewSelector returns a selector that draws behind the numbers drawn, of their
// universe, with bytes from entropy.
func NewSelector(drawn ball.Sequence, entropy io.Reader) (*Selector, error) {
	if !drawn.IsValid() {
		return nil, fmt.Errorf("draw: the numbers drawn have no universe: %w", ball.ErrUniverse)
	}
	return &Selector{entropy: entropy, drawn: drawn}, nil
}

// Drawn returns the numbers drawn so far, in order.
func (s *Selector) Drawn() ball.Sequence { return s.drawn }

// Remaining returns the numbers not drawn yet.
func (s *Selector) Remaining() ball.Set {
	return ball.Full(s.drawn.Universe()).Minus(s.drawn.Set())
}

// Next draws one number. All that remain are equally likely.
//
//rule:tas-keno-2023 1.15
//rule:casino-keno-div2 2.1(a)(ii) 7.4(b)
func (s *Selector) Next() (Pick, error) {
	remaining := s.Remaining()
	if remaining.Len() == 0 {
		return Pick{}, errors.New("draw: all numbers are drawn")
	}
	index, read, err := Index(s.entropy, uint32(remaining.Len()))
	if err != nil {
		return Pick{}, err
	}
	p := Pick{Number: remaining.Numbers()[index], Bytes: read}
	if s.drawn, err = s.drawn.Append(p.Number); err != nil {
		return Pick{}, fmt.Errorf("draw: %w", err)
	}
	return p, nil
}
