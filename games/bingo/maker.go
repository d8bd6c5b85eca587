package bingo

import (
	"errors"
	"fmt"
	"io"
	"math/bits"

	"drawhouse/games/draw"
)

// Maker makes strips. It reads from its entropy only, and is not safe for
// concurrent use.
type Maker struct {
	*shape
	entropy io.Reader
	matrix  []uint // of the last strip, for each column the boxes with two numbers
}

// makerColumnMax is the most numbers that the generator puts into a column of a strip that
// holds every number. With columns of three some strips would have to be weighed against
// others; the printed strips that rules show have none.
const makerColumnMax = 2

// stripSpread is how the numbers of a strip may fall into the columns of its boxes.
func stripSpread(s *spec) *spread {
	var second []int
	for column := range s.columns {
		first, last := s.bounds(column)
		second = append(second, last-first+1-s.boxes)
	}
	return newSpread(s.boxes, s.doubles(), second)
}

// NewMaker returns a maker of strips of this form. Entropy is read in many small
// pieces; a caller who cares for speed buffers it.
func (f *Form) NewMaker(entropy io.Reader) (*Maker, error) {
	if f.isWhole() && f.columnMax != makerColumnMax {
		return nil, fmt.Errorf(
			"bingo: strips are made with columns of one or two numbers, and the rulebook has up to %d", f.columnMax)
	}
	if entropy == nil {
		return nil, errors.New("bingo: a maker needs entropy")
	}
	return &Maker{shape: f.shape, entropy: entropy}, nil
}

// Strip makes a strip. Every strip of the form is equally likely; see the package
// comment.
//
//rule:nsw-bingo-2019 2.2.1 2.4
func (m *Maker) Strip() (Strip, error) {
	if !m.isWhole() {
		box, err := m.fullBox()
		if err != nil {
			return nil, err
		}
		return Strip{box}, nil
	}
	rank, err := m.index(m.spread().total)
	if err != nil {
		return nil, err
	}
	m.matrix = m.spread().matrix(rank, m.matrix[:0])
	deals := make([]deal, m.columns)
	for column := range deals {
		if deals[column], err = m.deal(column); err != nil {
			return nil, err
		}
	}
	strip := make(Strip, m.boxes)
	for i := range strip {
		rank, err := m.index(uint32(len(m.layouts())))
		if err != nil {
			return nil, err
		}
		strip[i] = m.box(i, &m.layouts()[rank], deals)
	}
	return strip, nil
}

// fullBox makes a box with a number in every cell that is not free: for each column an
// ordered choice of its numbers, each as likely as any other.
//
//rule:sc-bingo-1996 3920.3
func (m *Maker) fullBox() (Box, error) {
	var grid Grid
	for column := range m.columns {
		first, last := m.bounds(column)
		left := make([]uint8, 0, last-first+1)
		for n := first; n <= last; n++ {
			left = append(left, uint8(n))
		}
		for line := range m.lines {
			if m.free>>(line*m.perLine+column)&1 == 1 {
				continue
			}
			at, err := m.index(uint32(len(left)))
			if err != nil {
				return Box{}, err
			}
			grid[line][column] = left[at]
			left = append(left[:at], left[at+1:]...)
		}
	}
	return m.boxOf(&grid), nil
}

func (m *Maker) index(below uint32) (uint32, error) {
	index, _, err := draw.Index(m.entropy, below)
	if err != nil {
		return 0, fmt.Errorf("bingo: make a strip: %w", err)
	}
	return index, nil
}

// deal is the numbers of one column, two for each box and in ascending order; the
// second is 0 where the box has one.
type deal [maxStripBoxes][2]uint8

// deal deals the numbers of a column to the boxes: a random permutation, from which
// each box takes as many numbers as it is to have.
func (m *Maker) deal(column int) (dealt deal, err error) {
	first, last := m.bounds(column)
	count := last - first + 1
	rank, err := m.index(factorial(count))
	if err != nil {
		return deal{}, err
	}
	numbers := make([]uint8, count)
	permute(numbers, uint8(first), rank)
	next := 0
	for box := range m.boxes {
		dealt[box][0] = numbers[next]
		next++
		if m.matrix[column]>>box&1 == 1 {
			a, b := numbers[next-1], numbers[next]
			dealt[box] = [2]uint8{min(a, b), max(a, b)}
			next++
		}
	}
	return dealt, nil
}

func factorial(n int) uint32 {
	f := uint32(1)
	for i := 2; i <= n; i++ {
		f *= uint32(i)
	}
	return f
}

// permute fills numbers with first, first+1 ... in the order of a rank below
// len(numbers)!. The rank is read as a number whose digits have the bases 2, 3, 4
// and so on: the shuffle of Fisher and Yates, one digit a step.
func permute(numbers []uint8, first uint8, rank uint32) {
	for i := range numbers {
		j := int(rank % uint32(i+1))
		rank /= uint32(i + 1)
		numbers[i] = numbers[j]
		numbers[j] = first + uint8(i)
	}
}

// box puts the numbers dealt to a box into the lines of a layout.
func (m *Maker) box(i int, lines *layout, deals []deal) Box {
	var grid Grid
	nextSingle, nextDouble := 0, m.singles()
	for column := range deals {
		next := &nextSingle
		if m.matrix[column]>>i&1 == 1 {
			next = &nextDouble
		}
		set := lines[*next]
		*next++
		numbers := deals[column][i]
		grid[bits.TrailingZeros8(set)][column] = numbers[0]
		if numbers[1] != 0 {
			grid[bits.Len8(set)-1][column] = numbers[1]
		}
	}
	return m.boxOf(&grid)
}
