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
// place of the top line.
type Mask uint32

// tablePlaces is the most places of a box for which what every mask completes is kept in a
// table. With more of them it is worked out.
const (
	tablePlaces = 15
	tableMask   = Mask(1<<tablePlaces - 1)
)

// Len returns how many places are in the set.
func (m Mask) Len() int { return bits.OnesCount32(uint32(m)) }

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
	file   rulebook.PatternFile
	form   *Form
	// ways are the ways to complete the pattern. One is enough.
	ways []way
}

// way is one way to complete a pattern: all of its parts. The parts of a way that has
// several share no place.
type way []part

// part is places of which so many must be marked. Free places are not among them.
type part struct {
	places Mask
	least  int
}

// lacks returns how many numbers are lacking for the way.
func (w way) lacks(mask Mask) (n int) {
	for _, p := range w {
		n += max(0, p.least-(mask&p.places).Len())
	}
	return n
}

// complete reports whether no number is lacking for the way.
func (w way) complete(mask Mask) bool {
	for _, p := range w {
		if (mask & p.places).Len() < p.least {
			return false
		}
	}
	return true
}

// ToGo returns how many numbers a set of marked places lacks for the pattern, at best. It is
// the definition of a pattern. More numbers never undo one.
//
//rule:sc-bingo-1996 4000.7
func (p *Pattern) ToGo(mask Mask) int {
	best := MaxPlaces
	for _, w := range p.ways {
		best = min(best, w.lacks(mask))
	}
	return best
}

// Complete reports whether a set of marked places completes the pattern: [Pattern.ToGo] is 0.
func (p *Pattern) Complete(mask Mask) bool {
	return slices.ContainsFunc(p.ways, func(w way) bool { return w.complete(mask) })
}

// newPattern compiles a pattern whose file is sound.
func (f *Form) newPattern(file *rulebook.PatternFile) Pattern {
	p := Pattern{ID: file.ID, Name: file.Name, Clause: file.Clause, file: *file, form: f}
	switch {
	case file.Cells != nil:
		p.ways = []way{f.whole(cellsMask(f.perLine, file.Cells))}
	case file.Counts != nil:
		var w way
		for line, count := range []int{file.Counts.Top, file.Counts.Middle, file.Counts.Bottom} {
			w = append(w, part{f.lineOf(line), count})
		}
		p.ways = []way{w}
	case len(file.Shapes) > 0:
		p.ways = f.together(shapeMasks(file.Shapes), max(file.ShapesLeast, 1))
	default:
		lines := make([]Mask, f.lines)
		for line := range lines {
			lines[line] = f.lineOf(line)
		}
		p.ways = f.together(lines, file.AnyLines)
	}
	return p
}

// whole is the way that needs all of these places that are not free.
func (f *Form) whole(places Mask) way {
	places &^= f.free
	return way{{places, places.Len()}}
}

// together returns the ways to have so many of some sets of places whole, which may share
// places. No way is there twice.
func (f *Form) together(sets []Mask, least int) (ways []way) {
	seen := map[Mask]bool{}
	var choose func(from, left int, have Mask)
	choose = func(from, left int, have Mask) {
		if left == 0 {
			if !seen[have] {
				seen[have] = true
				ways = append(ways, f.whole(have))
			}
			return
		}
		for i := from; i <= len(sets)-left; i++ {
			choose(i+1, left-1, have|sets[i])
		}
	}
	choose(0, least, 0)
	return ways
}

func cellsMask(perLine int, cells *rulebook.PatternCells) (mask Mask) {
	for line, places := range [][]int{cells.Top, cells.Middle, cells.Bottom} {
		for _, place := range places {
			mask |= 1 << (line*perLine + place - 1)
		}
	}
	return mask
}

// shapeMasks reads shapes, which are drawn line by line.
func shapeMasks(shapes []string) []Mask {
	masks := make([]Mask, len(shapes))
	for i, shape := range shapes {
		for place, cell := range strings.ReplaceAll(shape, " ", "") {
			if cell == rulebook.ShapeNeeds {
				masks[i] |= 1 << place
			}
		}
	}
	return masks
}

// fullCard is the full house, with the name and the clause that the rulebook gives it.
//
//rule:nsw-bingo-2019 1.1.bingo
func fullCard(f *Form, named *rulebook.PatternFile) Pattern {
	file := rulebook.PatternFile{ID: rulebook.FullCardID, Name: "Bingo", Cite: rulebook.Cite{Clause: "1.1.bingo"}}
	if named != nil {
		file.Name, file.Clause = named.Name, named.Clause
	}
	file.AnyLines = f.lines
	return f.newPattern(&file)
}

// Patterns are bingo and minor games that can be played together. They are immutable and
// safe for concurrent use. Where boxes are small, what each set of marked places completes
// and how many numbers it lacks is in tables.
type Patterns struct {
	form  *Form
	list  []Pattern
	done  *[tableMask + 1]Completed
	lacks []*[tableMask + 1]uint8
}

// NewPatterns compiles the full card, which has index [Bingo], and minor games: those of a
// rulebook, of which an operator may choose or to which it may add its own. A rulebook that
// lists the full card itself gives it its name. The error is [Faults].
//
//rule:nsw-bingo-2019 1.1.bingo A.illustrated-boxes
func NewPatterns(form *Form, minor []rulebook.PatternFile) (*Patterns, error) {
	p := &Patterns{form: form, list: []Pattern{fullCard(form, nil)}}
	if len(minor) >= MaxPatterns {
		return nil, Faults{{Message: fmt.Sprintf("%d minor games; at most %d can be played together", len(minor),
			MaxPatterns-1)}}
	}
	var faults Faults
	for i := range minor {
		file := minor[i]
		bad := form.patternFaults(&file)
		if len(bad) == 0 && file.ID == rulebook.FullCardID && file.AnyLines == form.lines && i == 0 {
			p.list[Bingo] = fullCard(form, &file)
			continue
		}
		if _, ok := p.Index(file.ID); ok {
			bad.add(Fault{Field: "id", Message: fmt.Sprintf("%s is the id of another pattern", file.ID)})
		}
		faults.add(bad.at(0, fmt.Sprintf("pattern %d, %q", i+1, file.ID))...)
		if len(bad) == 0 {
			p.list = append(p.list, form.newPattern(&file))
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	if form.places() <= tablePlaces {
		p.tabulate()
	}
	return p, nil
}

// tabulate fills the tables.
func (p *Patterns) tabulate() {
	p.done = new([tableMask + 1]Completed)
	for i := range p.list {
		lacks := new([tableMask + 1]uint8)
		for mask := range p.form.all() + 1 {
			lacks[mask] = uint8(p.list[i].ToGo(mask))
			if lacks[mask] == 0 {
				p.done[mask] |= 1 << i
			}
		}
		p.lacks = append(p.lacks, lacks)
	}
}

// patternFaults are the faults of a pattern that did not come through a rulebook.
func (f *Form) patternFaults(file *rulebook.PatternFile) (faults Faults) {
	forms := 0
	if file.ID == "" || file.Name == "" || strings.TrimSpace(file.ID) != file.ID {
		faults.add(Fault{Field: "id, name", Message: "a pattern has an id and a name"})
	}
	if file.Cells != nil {
		forms++
		faults.add(f.cellsFaults(file.Cells)...)
	}
	if file.Counts != nil {
		forms++
		counts := []int{file.Counts.Top, file.Counts.Middle, file.Counts.Bottom}
		if slices.Max(counts) < 1 || slices.Min(counts) < 0 || slices.Max(counts) > f.perLine {
			faults.add(Fault{Field: "counts",
				Message: fmt.Sprintf("%v are not counts of 0 to %d numbers of which one is needed", counts, f.perLine)})
		}
	}
	if file.AnyLines != 0 {
		forms++
		if file.AnyLines < 0 || file.AnyLines > f.lines {
			faults.add(Fault{Field: "any_lines",
				Message: fmt.Sprintf("is %d, and a box has %d lines", file.AnyLines, f.lines)})
		}
	}
	if len(file.Shapes) > 0 {
		forms++
		for i, message := range rulebook.ShapeFaults(file, f.lines, f.perLine) {
			faults.add(Fault{Field: fmt.Sprintf("shapes[%d]", i), Message: message})
		}
	}
	if forms != 1 {
		faults.add(Fault{Message: fmt.Sprintf("has %d of cells, counts, any_lines and shapes; a pattern has one of them",
			forms)})
	}
	return faults
}

func (f *Form) cellsFaults(cells *rulebook.PatternCells) (faults Faults) {
	names := []string{"cells.top", "cells.middle", "cells.bottom"}
	needed := 0
	for line, places := range [][]int{cells.Top, cells.Middle, cells.Bottom} {
		needed += len(places)
		for i, place := range places {
			if place < 1 || place > f.perLine || i > 0 && places[i-1] >= place {
				faults.add(Fault{Field: names[line],
					Message: fmt.Sprintf("%v are not ascending places from 1 to %d", places, f.perLine)})
				break
			}
		}
	}
	if needed == 0 {
		faults.add(Fault{Field: "cells", Message: "asks for no number"})
	}
	return faults
}

// Form returns the form of the boxes on which the patterns are.
func (p *Patterns) Form() *Form { return p.form }

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
func (p *Patterns) Completed(mask Mask) (c Completed) {
	if p.done != nil {
		return p.done[mask&tableMask]
	}
	for i := range p.list {
		if p.list[i].Complete(mask) {
			c |= 1 << i
		}
	}
	return c
}

// ToGo returns how many numbers are still lacking for pattern i, at best.
func (p *Patterns) ToGo(i int, mask Mask) int {
	if p.lacks != nil {
		return int(p.lacks[i][mask&tableMask])
	}
	return p.list[i].ToGo(mask)
}

// Waits returns the places of a box any one of which would complete pattern i. It is
// empty unless exactly one number is lacking.
func (p *Patterns) Waits(i int, mask Mask) (places Mask) {
	if p.ToGo(i, mask) != 1 {
		return 0
	}
	for open := p.form.all() &^ p.form.free &^ mask; open != 0; open &= open - 1 {
		if one := open & -open; p.ToGo(i, mask|one) == 0 {
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
	s := Standing{Waits: ball.Empty(p.form.universe), Open: ball.Empty(p.form.universe)}
	mask := p.form.free
	for k := range calls.Len() {
		place, ok := box.Place(calls.At(k))
		if !ok {
			continue
		}
		mask |= 1 << place
		if !s.Complete && p.ToGo(i, mask) == 0 {
			s.Complete, s.Place, s.Number = true, k+1, calls.At(k)
		}
	}
	s.ToGo = p.ToGo(i, mask)
	waits := p.Waits(i, mask)
	for place := range p.form.places() {
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
