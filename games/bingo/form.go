package bingo

import (
	"errors"
	"fmt"
	"math/bits"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
)

// ErrNotBingo reports a rulebook of another game.
var ErrNotBingo = errors.New("bingo: the rulebook governs no such cards")

// Form is what a rulebook says of cards. It is immutable.
type Form struct {
	*shape
	rules         *rulebook.Bingo
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
	s := spec{
		universe: file.Universe(), lines: card.Lines, columns: card.Columns, perLine: card.PerLine,
		boxes: card.BoxesPerStrip, unordered: card.Unordered,
	}
	for i, first := range card.ColumnsFrom() {
		s.first[i] = uint8(first)
	}
	copy(s.letters[:], card.Letters)
	for _, cell := range card.Free {
		s.free |= 1 << ((cell.Line-1)*card.PerLine + cell.Column - 1)
	}
	return &Form{
		shape: shapeOf(s), rules: file, columnMax: card.ColumnMax, pages: card.Pages,
		uniqueBoxes: card.UniqueBoxes, colourPerGame: card.ColourPerGame,
	}, nil
}

// Universe returns the numbers that are called from.
func (f *Form) Universe() ball.Universe { return f.universe }

// Lines returns how many lines a box has.
func (f *Form) Lines() int { return f.lines }

// Columns returns how many columns a box has.
func (f *Form) Columns() int { return f.columns }

// PerLine returns how many numbers a line of a box has.
func (f *Form) PerLine() int { return f.perLine }

// BoxNumbers returns how many numbers a box has.
func (f *Form) BoxNumbers() int { return f.perBox() }

// StripBoxes returns how many boxes a strip has.
func (f *Form) StripBoxes() int { return f.boxes }

// Pages returns how many boxes a page may have.
func (f *Form) Pages() []int { return f.pages }

// Letters returns the letters of the columns, none where columns have none.
func (f *Form) Letters() []string {
	if f.letters[0] == "" {
		return nil
	}
	return append([]string(nil), f.letters[:f.columns]...)
}

// IsFree reports whether a cell, counted from 0, is free: it has no number and counts as
// marked.
func (f *Form) IsFree(line, column int) bool {
	return f.perLine == f.columns && f.free>>(line*f.perLine+column)&1 == 1
}

// CallName returns a number as it is called, such as B 7 or 7.
func (f *Form) CallName(n int) string { return f.name(n) }

// cite returns the rulebook's clause for one of nsw-bingo-2019.
func (f *Form) cite(clause string) string { return f.rules.Cites(clause) }

// Box returns the box that a grid prints, or all its faults as [Faults].
//
//rule:nsw-bingo-2019 2.4
//rule:sc-bingo-1996 3920.3
func (f *Form) Box(grid Grid) (Box, error) {
	faults := f.numberFaults(&grid)
	faults.add(f.countFaults(&grid)...)
	if len(faults) > 0 {
		return Box{}, faults
	}
	return f.boxOf(&grid), nil
}

// numberFaults are the faults of single cells.
func (f *Form) numberFaults(grid *Grid) (faults Faults) {
	seen := ball.Empty(f.universe)
	var above [MaxColumns]uint8 // the last number of each column so far
	for line := range grid {
		for column, n := range grid[line] {
			if n == 0 {
				continue
			}
			message := ""
			first, last := 0, 0
			if column < f.columns {
				first, last = f.bounds(column)
			}
			switch {
			case int(n) > f.numbers():
				message = fmt.Sprintf("%d is not a number from 1 to %d", n, f.numbers())
			case seen.Has(int(n)):
				message = fmt.Sprintf("%d is in the box already", n)
			case line >= f.lines || column >= f.columns:
				message = fmt.Sprintf("%d is outside of a box of %d lines of %d cells", n, f.lines, f.columns)
			case int(n) < first || int(n) > last:
				message = fmt.Sprintf("%d is not of this column, which has %d to %d", n, first, last)
			case n < above[column] && !f.unordered:
				message = fmt.Sprintf("%d stands below %d; a column ascends", n, above[column])
			case f.IsFree(line, column):
				message = fmt.Sprintf("%d stands on a free square", n)
			}
			if message != "" {
				faults.add(Fault{Field: fmt.Sprintf("line %d, column %d", line+1, column+1), Clause: f.cite("2.4"),
					Message: message, line: line + 1})
			}
			if int(n) <= f.numbers() {
				seen, above[column] = seen.With(int(n)), n
			}
		}
	}
	return faults
}

// countFaults are the faults of whole lines. How many numbers a column has is nobody's
// business but the maker's: the rule sets no bound.
func (f *Form) countFaults(grid *Grid) (faults Faults) {
	for line := range f.lines {
		inLine, want := 0, f.perLine-(f.free&f.lineOf(line)).Len()
		for _, n := range grid[line] {
			if n != 0 {
				inLine++
			}
		}
		if inLine != want {
			faults.add(Fault{Field: fmt.Sprintf("line %d", line+1), Clause: f.cite("2.4"),
				Message: fmt.Sprintf("has %d numbers; a line has %d", inLine, want), line: line + 1})
		}
	}
	return faults
}

// Strip returns the strip that grids print, or all faults as [Faults]. The
// faults of a box say which, counted from 1.
//
//rule:nsw-bingo-2019 2.2.1
func (f *Form) Strip(grids []Grid) (Strip, error) {
	if len(grids) != f.boxes {
		return nil, Faults{{Clause: f.cite("2.2.1"),
			Message: fmt.Sprintf("has %d boxes; a strip has %d", len(grids), f.boxes)}}
	}
	strip := make(Strip, len(grids))
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
		faults = f.wholeFaults(strip)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return strip, nil
}

// isWhole reports whether these are the boxes of a strip of one form, of which no two share
// a number. A Strip can be put together from any boxes; a [Table] and a [Play] take whole
// ones only.
func (s Strip) isWhole() bool {
	var allLo, allHi uint64
	for i := range s {
		if s[i].shape == nil || s[i].shape != s[0].shape {
			return false
		}
		lo, hi := s[i].bits()
		allLo, allHi = allLo|lo, allHi|hi
	}
	return len(s) > 0 && len(s) == s[0].shape.boxes &&
		bits.OnesCount64(allLo)+bits.OnesCount64(allHi) == len(s)*s[0].shape.perBox()
}

// wholeFaults are the faults of a strip whose boxes are sound: numbers that are in two of
// them.
func (f *Form) wholeFaults(strip Strip) (faults Faults) {
	holder := make([]int, f.numbers()+1) // the box of each number, from 1
	for i := range strip {
		for _, n := range strip[i].numbers[:f.places()] {
			if n == 0 {
				continue
			}
			if first := holder[n]; first > 0 {
				faults.add(Fault{Where: fmt.Sprintf("box %d", i+1), Field: fmt.Sprintf("number %d", n),
					Clause: f.cite("2.2.1"), Message: fmt.Sprintf(
						"is in box %d of the strip as well; a strip holds 1 to %d once", first, f.numbers()), box: i + 1})
				continue
			}
			holder[n] = i + 1
		}
	}
	return faults
}
