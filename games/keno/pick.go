package keno

import (
	"errors"
	"fmt"
	"io"

	"drawhouse/core/ball"
)

// picker chooses for the player. It is unbiased: a byte that would favour some
// numbers is thrown away and another one taken.
type picker struct {
	entropy io.Reader
	buffer  [64]byte
	unused  []byte
}

var (
	errNoEntropy = errors.New("keno: a pick needs a source of entropy")
	errStuck     = errors.New("keno: the source of entropy is stuck")
)

// maxRejects bounds the bytes thrown away for one choice. A working source needs
// so many once in 2^200 choices at most.
const maxRejects = 256

// below returns a number from 0 to n-1, each equally likely. n is 1 to 256.
func (p *picker) below(n int) (int, error) {
	// The bytes below fair fall into n classes of equal size.
	fair := 256 - 256%n
	for range maxRejects {
		b, err := p.next()
		if err != nil {
			return 0, err
		}
		if int(b) < fair {
			return int(b) % n, nil
		}
	}
	return 0, errStuck
}

func (p *picker) next() (byte, error) {
	if len(p.unused) == 0 {
		if p.entropy == nil {
			return 0, errNoEntropy
		}
		if _, err := io.ReadFull(p.entropy, p.buffer[:]); err != nil {
			return 0, fmt.Errorf("keno: read entropy for a pick: %w", err)
		}
		p.unused = p.buffer[:]
	}
	b := p.unused[0]
	p.unused = p.unused[1:]
	return b, nil
}

// numbers returns k different numbers of 1 to of in the order picked, every such
// list equally likely.
func (p *picker) numbers(k, of int) ([]int, error) {
	urn := make([]int, of)
	for i := range urn {
		urn[i] = i + 1
	}
	for i := range k {
		j, err := p.below(of - i)
		if err != nil {
			return nil, err
		}
		urn[i], urn[i+j] = urn[i+j], urn[i]
	}
	return urn[:k], nil
}

// groups returns disjoint groups of the given sizes.
func (p *picker) groups(sizes []int, of int) ([]ball.Set, error) {
	total := 0
	for _, size := range sizes {
		total += size
	}
	if total > of {
		return nil, fmt.Errorf("keno: cannot pick %d different numbers of %d", total, of)
	}
	numbers, err := p.numbers(total, of)
	if err != nil {
		return nil, err
	}
	groups := make([]ball.Set, len(sizes))
	for i, size := range sizes {
		groups[i] = ball.MustOf(ball.Keno, numbers[:size]...)
		numbers = numbers[size:]
	}
	return groups, nil
}

// oneOf returns a member of s, each equally likely.
func (p *picker) oneOf(s ball.Set) (int, error) {
	members := s.Numbers()
	if len(members) == 0 {
		return 0, errors.New("keno: nothing to pick from")
	}
	i, err := p.below(len(members))
	return members[i], err
}
