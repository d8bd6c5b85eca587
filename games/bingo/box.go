package bingo

import (
	"slices"
	"sync"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
)

// The most of everything that a rulebook may choose. Masks, grids and files have room
// for that.
const (
	MaxLines      = rulebook.MaxCardLines
	MaxColumns    = rulebook.MaxCardColumns
	MaxPlaces     = rulebook.MaxCardPlaces
	maxStripBoxes = rulebook.MaxStripBoxes
)

// spec is the form of a box and of a strip of them.
type spec struct {
	universe                       ball.Universe
	lines, columns, perLine, boxes int
	first                          [MaxColumns]uint8 // the lowest number of each column
	letters                        [MaxColumns]string
	free                           Mask // places without a number, which count as marked
	unordered                      bool // the numbers of a column need not ascend
}

// shape is a spec with what is worked out from it. Forms of equal specs have one shape, so
// that boxes of them can be compared.
type shape struct {
	spec
	layouts func() []layout
	spread  func() *spread
}

var shapes sync.Map // the shape of each spec

func shapeOf(s spec) *shape {
	made := &shape{spec: s}
	made.layouts = sync.OnceValue(func() []layout { return newLayouts(&made.spec) })
	made.spread = sync.OnceValue(func() *spread { return stripSpread(&made.spec) })
	have, _ := shapes.LoadOrStore(s, made)
	found, _ := have.(*shape)
	return found
}

// numbers returns how many numbers are called from.
func (s *spec) numbers() int { return int(s.universe) }

// places returns how many places a box has, those without a number included.
func (s *spec) places() int { return s.lines * s.perLine }

// perBox returns how many numbers a box has.
func (s *spec) perBox() int { return s.places() - s.free.Len() }

// isWhole reports whether the boxes of a strip hold every number.
func (s *spec) isWhole() bool { return s.boxes*s.perBox() == s.numbers() }

// all returns every place of a box.
func (s *spec) all() Mask { return 1<<s.places() - 1 }

// lineOf returns the places of a line.
func (s *spec) lineOf(line int) Mask { return (1<<s.perLine - 1) << (line * s.perLine) }

// column returns the column of a number, counted from 0.
func (s *spec) column(n int) int {
	for column := s.columns - 1; column > 0; column-- {
		if n >= int(s.first[column]) {
			return column
		}
	}
	return 0
}

// bounds returns the first and the last number of a column.
func (s *spec) bounds(column int) (first, last int) {
	if column == s.columns-1 {
		return int(s.first[column]), s.numbers()
	}
	return int(s.first[column]), int(s.first[column+1]) - 1
}

// name returns a number as it is called: with the letter of its column, if columns have
// letters.
func (s *spec) name(n int) string { return rulebook.CallName(s.letters[s.column(n)], n) }

// Grid is a box as printed: lines of cells, 0 where no number stands. What a form does not
// use is 0.
type Grid [MaxLines][MaxColumns]uint8

// Box is a sound box: its numbers in the order of reading, line by line from the left. The
// place of a number in this order is its place in a [Mask]. Since a number has its column,
// the order says where the blanks are; a place that is free has none. Boxes are comparable;
// the zero Box is none.
type Box struct {
	numbers [MaxPlaces]uint8
	shape   *shape
}

// Strip is the boxes that are printed together: no two of them share a number.
type Strip []Box

// boxOf reads the numbers of a grid that is known to be sound.
func (s *shape) boxOf(grid *Grid) Box {
	box := Box{shape: s}
	place := 0
	for line := range s.lines {
		for column := range s.columns {
			if s.free>>place&1 == 1 && s.perLine == s.columns {
				place++
			} else if n := grid[line][column]; n != 0 {
				box.numbers[place] = n
				place++
			}
		}
	}
	return box
}

// IsValid reports whether there is a box.
func (b Box) IsValid() bool { return b.shape != nil }

// Places returns how many places the box has.
func (b Box) Places() int { return b.shape.places() }

// Number returns the number at a place, counted from 0; a free place has none, and 0.
func (b Box) Number(place int) int { return int(b.numbers[place]) }

// Grid returns the box as printed.
func (b Box) Grid() (grid Grid) {
	for place, n := range b.numbers[:b.Places()] {
		if n != 0 {
			grid[place/b.shape.perLine][b.shape.column(int(n))] = n
		}
	}
	return grid
}

// Lines returns the lines of the box as printed, without what its form does not use.
func (b Box) Lines() [][]uint8 {
	grid := b.Grid()
	lines := make([][]uint8, b.shape.lines)
	for i := range lines {
		lines[i] = slices.Clone(grid[i][:b.shape.columns])
	}
	return lines
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
	return lo &^ 1, hi
}

// Set returns the numbers.
func (b Box) Set() ball.Set {
	if !b.IsValid() {
		panic("bingo: the numbers of a box that is none")
	}
	lo, hi := b.bits()
	set, err := ball.FromBits(b.shape.universe, lo, hi)
	if err != nil {
		panic(err) // A box has numbers of its universe alone.
	}
	return set
}

// Mask returns which places of the box are marked when these numbers are called. A free
// place always is.
func (b Box) Mask(called ball.Set) Mask {
	mask := b.shape.free
	for place, n := range b.numbers[:b.Places()] {
		if n != 0 && called.Has(int(n)) {
			mask |= 1 << place
		}
	}
	return mask
}

// Place returns where in the order of reading a number stands.
func (b Box) Place(n int) (place int, ok bool) {
	for place, have := range b.numbers {
		if int(have) == n && n != 0 {
			return place, true
		}
	}
	return 0, false
}
