package bingo

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
)

// Mask is a set of places of a box in the order of reading: bit 0 is the first
// number of the top line, bit 14 the last of the bottom line.
type Mask uint16

const (
	fullMask = Mask(1<<BoxNumbers - 1)
	lineMask = Mask(1<<PerLine - 1)
	masks    = int(fullMask) + 1
)

// line returns the marked places of one line as the lowest five bits.
func (m Mask) line(line int) Mask { return m >> (line * PerLine) & lineMask }

// Len returns how many places are in the set.
func (m Mask) Len() int { return bits.OnesCount16(uint16(m)) }

// Completed is a set of patterns: bit i for pattern i of a [Patterns].
type Completed uint64

// Has reports whether pattern i is in the set.
func (c Completed) Has(i int) bool { return c>>i&1 == 1 }

// MaxPatterns is how many patterns can be played together, bingo included.
const MaxPatterns = 64

// Bingo is the index of the full house in every [Patterns].
const Bingo = 0

// Pattern is one thing to be completed.
type Pattern struct {
	ID     string
	Name   string
	Clause string
	file   rulebook.PatternFile // of a minor game; of bingo the three lines
}

// Complete reports whether a set of marked places completes the pattern. It is the
// definition; [Patterns] has the answers for all masks in a table. More numbers
// never undo a pattern.
func (p *Pattern) Complete(mask Mask) bool {
	switch file := &p.file; {
	case file.Cells != nil:
		needed := cellsMask(file.Cells)
		return mask&needed == needed
	case file.Counts != nil:
		return mask.line(0).Len() >= file.Counts.Top &&
			mask.line(1).Len() >= file.Counts.Middle &&
			mask.line(2).Len() >= file.Counts.Bottom
	default:
		whole := 0
		for line := range Lines {
			if mask.line(line) == lineMask {
				whole++
			}
		}
		return whole >= file.AnyLines
	}
}

func cellsMask(cells *rulebook.PatternCells) (mask Mask) {
	for line, places := range [][]int{cells.Top, cells.Middle, cells.Bottom} {
		for _, place := range places {
			mask |= 1 << (line*PerLine + place - 1)
		}
	}
	return mask
}

// bingoPattern is the full house.
//
//rule:nsw-bingo-2019 1.1.bingo
func bingoPattern() Pattern {
	return Pattern{ID: "bingo", Name: "Bingo", Clause: "1.1.bingo",
		file: rulebook.PatternFile{ID: "bingo", AnyLines: Lines}}
}

// Patterns are bingo and minor games that can be played together, compiled: what
// each of the 32,768 sets of marked places completes, and how many numbers it lacks.
// They are immutable and safe for concurrent use.
type Patterns struct {
	list  []Pattern
	done  *[masks]Completed
	lacks []*[masks]uint8
}

// NewPatterns compiles bingo, which has index [Bingo], and minor games: those of a
// rulebook, of which an operator may choose or to which it may add its own. The
// error is [Faults].
//
//rule:nsw-bingo-2019 1.1.bingo A.illustrated-boxes
func NewPatterns(minor []rulebook.PatternFile) (*Patterns, error) {
	p := &Patterns{list: []Pattern{bingoPattern()}, done: new([masks]Completed)}
	if len(minor) >= MaxPatterns {
		return nil, Faults{{Message: fmt.Sprintf("%d minor games; at most %d can be played together", len(minor),
			MaxPatterns-1)}}
	}
	var faults Faults
	for i := range minor {
		file := minor[i]
		bad := patternFaults(&file)
		if _, ok := p.Index(file.ID); ok {
			bad.add(Fault{Field: "id", Message: fmt.Sprintf("%s is the id of another pattern", file.ID)})
		}
		faults.add(bad.at(0, fmt.Sprintf("pattern %d, %q", i+1, file.ID))...)
		p.list = append(p.list, Pattern{ID: file.ID, Name: file.Name, Clause: file.Clause, file: file})
	}
	if len(faults) > 0 {
		return nil, faults
	}
	for i := range p.list {
		p.compile(i)
	}
	return p, nil
}

// compile fills the tables of one pattern. A set of marked places lacks one number
// more than the best of the sets that have one place more.
func (p *Patterns) compile(i int) {
	lacks := new([masks]uint8)
	for mask := fullMask; ; mask-- {
		if p.list[i].Complete(mask) {
			p.done[mask] |= 1 << i
		} else {
			best := uint8(BoxNumbers)
			for free := fullMask &^ mask; free != 0; free &= free - 1 {
				best = min(best, lacks[mask|free&-free])
			}
			lacks[mask] = best + 1
		}
		if mask == 0 {
			break
		}
	}
	p.lacks = append(p.lacks, lacks)
}

// patternFaults are the faults of a pattern that did not come through a rulebook.
func patternFaults(file *rulebook.PatternFile) (faults Faults) {
	forms := 0
	if file.ID == "" || file.Name == "" || strings.TrimSpace(file.ID) != file.ID {
		faults.add(Fault{Field: "id, name", Message: "a pattern has an id and a name"})
	}
	if file.Cells != nil {
		forms++
		faults.add(cellsFaults(file.Cells)...)
	}
	if file.Counts != nil {
		forms++
		counts := []int{file.Counts.Top, file.Counts.Middle, file.Counts.Bottom}
		if slices.Max(counts) < 1 || slices.Min(counts) < 0 || slices.Max(counts) > PerLine {
			faults.add(Fault{Field: "counts",
				Message: fmt.Sprintf("%v are not counts of 0 to %d numbers of which one is needed", counts, PerLine)})
		}
	}
	if file.AnyLines != 0 {
		forms++
		if file.AnyLines < 0 || file.AnyLines > Lines {
			faults.add(Fault{Field: "any_lines",
				Message: fmt.Sprintf("is %d, and a box has %d lines", file.AnyLines, Lines)})
		}
	}
	if forms != 1 {
		faults.add(Fault{Message: fmt.Sprintf("has %d of cells, counts and any_lines; a pattern has one of them",
			forms)})
	}
	return faults
}

func cellsFaults(cells *rulebook.PatternCells) (faults Faults) {
	names := []string{"cells.top", "cells.middle", "cells.bottom"}
	needed := 0
	for line, places := range [][]int{cells.Top, cells.Middle, cells.Bottom} {
		needed += len(places)
		for i, place := range places {
			if place < 1 || place > PerLine || i > 0 && places[i-1] >= place {
				faults.add(Fault{Field: names[line],
					Message: fmt.Sprintf("%v are not ascending places from 1 to %d", places, PerLine)})
				break
			}
		}
	}
	if needed == 0 {
		faults.add(Fault{Field: "cells", Message: "asks for no number"})
	}
	return faults
}

// Len returns how many patterns there are, bingo included.
func (p *Patterns) Len() int { return len(p.list) }

// At returns pattern i.
func (p *Patterns) At(i int) *Pattern { return &p.list[i] }

// Index returns the index of the pattern of an id.
func (p *Patterns) Index(id string) (i int, ok bool) {
	i = slices.IndexFunc(p.list, func(have Pattern) bool { return have.ID == id })
	return i, i >= 0
}

// Completed returns the patterns that a set of marked places completes.
func (p *Patterns) Completed(mask Mask) Completed { return p.done[mask&fullMask] }

// ToGo returns how many numbers are still lacking for pattern i, at best.
func (p *Patterns) ToGo(i int, mask Mask) int { return int(p.lacks[i][mask&fullMask]) }

// Waits returns the places of a box any one of which would complete pattern i. It is
// empty unless exactly one number is lacking.
func (p *Patterns) Waits(i int, mask Mask) (places Mask) {
	mask &= fullMask
	if p.lacks[i][mask] != 1 {
		return 0
	}
	for free := fullMask &^ mask; free != 0; free &= free - 1 {
		if one := free & -free; p.done[mask|one].Has(i) {
			places |= one
		}
	}
	return places
}

// Standing is how far a box is from a pattern.
type Standing struct {
	// Complete says that the numbers called complete the pattern. Then Place is which
	// call did so, counted from 1, and Number its number.
	Complete      bool
	Place, Number int

	ToGo  int      // numbers lacking at best
	Waits ball.Set // numbers any one of which completes it; empty unless one is lacking
	Open  ball.Set // the numbers of the box that are not called
}

// Standing returns how a box stands towards pattern i after calls. A claim holds
// only if the box is complete by the last call: see Place.
func (p *Patterns) Standing(i int, box Box, calls ball.Sequence) Standing {
	s := Standing{Waits: ball.Empty(ball.Bingo), Open: ball.Empty(ball.Bingo)}
	mask := Mask(0)
	for k := range calls.Len() {
		place, ok := box.Place(calls.At(k))
		if !ok {
			continue
		}
		mask |= 1 << place
		if !s.Complete && p.done[mask].Has(i) {
			s.Complete, s.Place, s.Number = true, k+1, calls.At(k)
		}
	}
	s.ToGo = p.ToGo(i, mask)
	waits := p.Waits(i, mask)
	for place := range BoxNumbers {
		n := box.Number(place)
		if mask>>place&1 == 0 {
			s.Open = s.Open.With(n)
		}
		if waits>>place&1 == 1 {
			s.Waits = s.Waits.With(n)
		}
	}
	return s
}
