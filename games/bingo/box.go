package bingo

import (
	"drawhouse/core/ball"
)

// The form of every box: the rules fix it, and masks and files are built on it.
// What a rulebook may still choose is in a [Form].
const (
	Lines      = 3
	Columns    = 9
	PerLine    = 5
	BoxNumbers = Lines * PerLine
	StripBoxes = 6
	Numbers    = StripBoxes * BoxNumbers
)

// Grid is a box as printed: lines of nine cells, 0 for a blank.
type Grid [Lines][Columns]uint8

// Box is a sound box: its 15 numbers in the order of reading, line by line from
// the left. The place of a number in this order is its place in a [Mask]. Since
// the tens of a number fix its column, the order says where the blanks are. Boxes
// are comparable; the zero Box is none.
type Box struct{ numbers [BoxNumbers]uint8 }

// Strip is six boxes that hold 1 to 90 once.
type Strip [StripBoxes]Box

// Column returns the column of a number, counted from 0: 1 to 9, 10 to 19 and so on
// to 80 to 90.
func Column(n int) int { return min(n/10, Columns-1) }

// columnBounds returns the first and the last number of a column.
func columnBounds(column int) (first, last int) {
	first, last = 10*column, 10*column+9
	switch column {
	case 0:
		first = 1
	case Columns - 1:
		last = Numbers
	}
	return first, last
}

// boxOf reads the numbers of a grid that is known to be sound.
func boxOf(grid *Grid) (box Box) {
	place := 0
	for line := range grid {
		for _, n := range grid[line] {
			if n != 0 {
				box.numbers[place] = n
				place++
			}
		}
	}
	return box
}

// IsValid reports whether there is a box.
func (b Box) IsValid() bool { return b.numbers[0] != 0 }

// Number returns the number at a place, counted from 0.
func (b Box) Number(place int) int { return int(b.numbers[place]) }

// Grid returns the box as printed.
func (b Box) Grid() (grid Grid) {
	for place, n := range b.numbers {
		grid[place/PerLine][Column(int(n))] = n
	}
	return grid
}

// bits returns the set of the numbers as two words, bit n for number n.
func (b Box) bits() (lo, hi uint64) {
	for _, n := range b.numbers {
		if n < 64 {
			lo |= 1 << n
		} else {
			hi |= 1 << (n - 64)
		}
	}
	return lo, hi
}

// Set returns the 15 numbers.
func (b Box) Set() ball.Set {
	lo, hi := b.bits()
	set, err := ball.FromBits(ball.Bingo, lo, hi)
	if err != nil || !b.IsValid() {
		panic("bingo: the numbers of a box that is none")
	}
	return set
}

// Mask returns which of the box's numbers are among those called.
func (b Box) Mask(called ball.Set) (mask Mask) {
	for place, n := range b.numbers {
		if called.Has(int(n)) {
			mask |= 1 << place
		}
	}
	return mask
}

// Place returns where in the order of reading a number stands.
func (b Box) Place(n int) (place int, ok bool) {
	for place, have := range b.numbers {
		if int(have) == n {
			return place, true
		}
	}
	return 0, false
}
