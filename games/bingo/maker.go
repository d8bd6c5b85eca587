package bingo

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"sync"

	"drawhouse/games/draw"
)

// Maker makes strips. It reads from its entropy only, and is not safe for
// concurrent use.
type Maker struct {
	entropy io.Reader
	matrix  []uint // of the last strip, for each column the boxes with two numbers
}

// makerColumnMax is the most numbers that the generator puts into a column. With
// columns of three some strips would have to be weighed against others; the
// printed strips that the rules show have none.
const makerColumnMax = 2

// columnSpread is how the numbers of a strip may fall into the columns of its boxes.
var columnSpread = sync.OnceValue(func() *spread {
	var second []int
	for column := range Columns {
		first, last := columnBounds(column)
		second = append(second, last-first+1-StripBoxes)
	}
	return newSpread(StripBoxes, doubles, second)
})

// NewMaker returns a maker of strips of this form. Entropy is read in many small
// pieces; a caller who cares for speed buffers it.
func (f *Form) NewMaker(entropy io.Reader) (*Maker, error) {
	if f.columnMax != makerColumnMax {
		return nil, fmt.Errorf(
			"bingo: strips are made with columns of one or two numbers, and the rulebook has up to %d", f.columnMax)
	}
	if entropy == nil {
		return nil, errors.New("bingo: a maker needs entropy")
	}
	return &Maker{entropy: entropy}, nil
}

// Strip makes a strip. Every strip of the form is equally likely; see the package
// comment.
//
//rule:nsw-bingo-2019 2.2.1 2.4
func (m *Maker) Strip() (strip Strip, err error) {
	rank, err := m.index(columnSpread().total)
	if err != nil {
		return Strip{}, err
	}
	m.matrix = columnSpread().matrix(rank, m.matrix[:0])
	var deals [Columns]deal
	for column := range deals {
		if deals[column], err = m.deal(column); err != nil {
			return Strip{}, err
		}
	}
	for i := range strip {
		rank, err := m.index(uint32(len(layouts())))
		if err != nil {
			return Strip{}, err
		}
		strip[i] = m.box(i, &layouts()[rank], &deals)
	}
	return strip, nil
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
type deal [StripBoxes][2]uint8

// deal deals the numbers of a column to the boxes: a random permutation, from which
// each box takes as many numbers as it is to have.
func (m *Maker) deal(column int) (dealt deal, err error) {
	first, last := columnBounds(column)
	count := last - first + 1
	rank, err := m.index(factorial(count))
	if err != nil {
		return deal{}, err
	}
	var numbers [Numbers/Columns + 1]uint8
	permute(numbers[:count], uint8(first), rank)
	next := 0
	for box := range dealt {
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
func (m *Maker) box(i int, lines *layout, deals *[Columns]deal) Box {
	var grid Grid
	nextSingle, nextDouble := 0, singles
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
	return boxOf(&grid)
}
