package bingo

import (
	"errors"
	"fmt"
	"math/bits"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
)

// ErrNotBingo reports a rulebook of another game, or one whose cards are of
// another form than three lines of five in nine columns.
var ErrNotBingo = errors.New("bingo: the rulebook governs no such cards")

// Form is what a rulebook says of cards. It is immutable.
type Form struct {
	columnMax     int // of the strips that are made
	pages         []int
	uniqueBoxes   bool
	colourPerGame bool
}

// NewForm returns the form of a rulebook's cards.
func NewForm(book *rulebook.Book) (*Form, error) {
	file, ok := book.Bingo()
	if !ok {
		return nil, ErrNotBingo
	}
	card := file.Card()
	if file.Numbers().Of != Numbers || card.BoxesPerStrip != StripBoxes || card.Lines != Lines ||
		card.Columns != Columns || card.PerLine != PerLine {
		return nil, fmt.Errorf("%w: %d boxes of %d lines of %d in %d columns", ErrNotBingo, card.BoxesPerStrip,
			card.Lines, card.PerLine, card.Columns)
	}
	return &Form{
		columnMax: card.ColumnMax, pages: card.Pages,
		uniqueBoxes: card.UniqueBoxes, colourPerGame: card.ColourPerGame,
	}, nil
}

// Box returns the box that a grid prints, or all its faults as [Faults].
//
//rule:nsw-bingo-2019 2.4
func (f *Form) Box(grid Grid) (Box, error) {
	faults := f.numberFaults(&grid)
	faults.add(f.countFaults(&grid)...)
	if len(faults) > 0 {
		return Box{}, faults
	}
	return boxOf(&grid), nil
}

// numberFaults are the faults of single cells.
func (f *Form) numberFaults(grid *Grid) (faults Faults) {
	seen := ball.Empty(ball.Bingo)
	var above [Columns]uint8 // the last number of each column so far
	for line := range grid {
		for column, n := range grid[line] {
			if n == 0 {
				continue
			}
			message := ""
			first, last := columnBounds(column)
			switch {
			case int(n) > Numbers:
				message = fmt.Sprintf("%d is not a number from 1 to %d", n, Numbers)
			case seen.Has(int(n)):
				message = fmt.Sprintf("%d is in the box already", n)
			case int(n) < first || int(n) > last:
				message = fmt.Sprintf("%d is not of this column, which has %d to %d", n, first, last)
			case n < above[column]:
				message = fmt.Sprintf("%d stands below %d; a column ascends", n, above[column])
			}
			if message != "" {
				faults.add(Fault{Field: fmt.Sprintf("line %d, column %d", line+1, column+1), Clause: "2.4",
					Message: message, line: line + 1})
			}
			if int(n) <= Numbers {
				seen, above[column] = seen.With(int(n)), n
			}
		}
	}
	return faults
}

// countFaults are the faults of whole lines. How many numbers a column has is nobody's
// business but the maker's: the rule sets no bound.
func (f *Form) countFaults(grid *Grid) (faults Faults) {
	for line := range grid {
		inLine := 0
		for _, n := range grid[line] {
			if n != 0 {
				inLine++
			}
		}
		if inLine != PerLine {
			faults.add(Fault{Field: fmt.Sprintf("line %d", line+1), Clause: "2.4",
				Message: fmt.Sprintf("has %d numbers; a line has %d", inLine, PerLine), line: line + 1})
		}
	}
	return faults
}

// Strip returns the strip that six grids print, or all faults as [Faults]. The
// faults of a box say which, counted from 1.
//
//rule:nsw-bingo-2019 2.2.1
func (f *Form) Strip(grids [StripBoxes]Grid) (strip Strip, err error) {
	var faults Faults
	for i := range grids {
		box, err := f.Box(grids[i])
		if bad, ok := errors.AsType[Faults](err); ok {
			for j := range bad {
				bad[j].box = i + 1
			}
			faults.add(bad.at(0, fmt.Sprintf("box %d", i+1))...)
		}
		strip[i] = box
	}
	if len(faults) == 0 {
		faults = strip.wholeFaults()
	}
	if len(faults) > 0 {
		return Strip{}, faults
	}
	return strip, nil
}

// isWhole reports whether there are six boxes that hold 1 to 90 once. A Strip can be
// put together from any boxes; a [Table] and a [Play] take whole ones only.
func (s *Strip) isWhole() bool {
	var allLo, allHi uint64
	for i := range s {
		lo, hi := s[i].bits()
		allLo, allHi = allLo|lo, allHi|hi
	}
	return bits.OnesCount64(allLo&^1)+bits.OnesCount64(allHi) == Numbers
}

// wholeFaults are the faults of a strip whose boxes are sound: 90 numbers that are
// not 1 to 90 once have some twice and others not at all.
func (s *Strip) wholeFaults() (faults Faults) {
	var holder [Numbers + 1]int // the box of each number, from 1
	for i := range s {
		for _, n := range s[i].numbers {
			if first := holder[n]; first > 0 {
				faults.add(Fault{Where: fmt.Sprintf("box %d", i+1), Field: fmt.Sprintf("number %d", n), Clause: "2.2.1",
					Message: fmt.Sprintf("is in box %d of the strip as well; a strip holds 1 to %d once", first,
						Numbers), box: i + 1})
				continue
			}
			holder[n] = i + 1
		}
	}
	return faults
}
