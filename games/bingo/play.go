package bingo

import (
	"bytes"
	"fmt"
	"slices"

	"drawhouse/core/ball"
)

// Play follows every box of a game: what has been called, what each box has marked
// and, on each call, which boxes complete which patterns. It is not safe for
// concurrent use.
//
// No strip holds a number twice, so a call changes at most one box of every strip. For
// each number and strip there is one byte that says which box and which place of it;
// a box is four bytes of marks.
type Play struct {
	patterns *Patterns
	form     *Form
	strips   int
	where    [][]uint8 // for each number, by strip: box<<5 | place, or nowhere
	marks    []Mask    // by strip and box
	calls    ball.Sequence
}

// nowhere says that a strip does not have a number. No form has a place of that name.
const nowhere = 0xff

// Change is a box whose completed patterns a call or its correction changed.
type Change struct {
	Box      int // of the play, counted from 0: strip by strip
	Patterns Completed
}

// NewPlay returns a game of strips in which nothing has been called.
func NewPlay(patterns *Patterns, strips []Strip) (*Play, error) {
	form := patterns.form
	none, err := ball.NewSequence(form.universe)
	if err != nil {
		return nil, err
	}
	p := &Play{patterns: patterns, form: form, strips: len(strips), where: make([][]uint8, form.numbers()),
		marks: make([]Mask, len(strips)*form.boxes), calls: none}
	room := bytes.Repeat([]byte{nowhere}, form.numbers()*len(strips))
	for n := range p.where {
		p.where[n], room = room[:len(strips):len(strips)], room[len(strips):]
	}
	for i := range p.marks {
		p.marks[i] = form.free
	}
	for i, strip := range strips {
		if !strip.isWhole() || strip[0].shape != form.shape {
			return nil, fmt.Errorf("bingo: strip %d does not hold 1 to %d once", i+1, form.numbers())
		}
		for b := range strip {
			for place, n := range strip[b].numbers[:form.places()] {
				if n != 0 {
					p.where[n-1][i] = uint8(b<<5 | place)
				}
			}
		}
	}
	return p, nil
}

// Boxes returns how many boxes are in play.
func (p *Play) Boxes() int { return len(p.marks) }

// Calls returns the numbers called, without those that were corrected.
func (p *Play) Calls() ball.Sequence { return p.calls }

// Marks returns the places of a box whose numbers have been called.
func (p *Play) Marks(box int) Mask { return p.marks[box] }

// Call marks a number and appends to changes every box that it completes, with the
// patterns that were not complete before, in the order of boxes.
func (p *Play) Call(number int, changes []Change) ([]Change, error) {
	calls, err := p.calls.Append(number)
	if err != nil {
		return changes, fmt.Errorf("bingo: call %d: %w", p.calls.Len()+1, err)
	}
	p.calls = calls
	next := len(changes)
	changes = slices.Grow(changes, p.strips)[:next+p.strips]
	done, boxes := p.patterns.done, p.form.boxes
	for strip, at := range p.where[number-1] {
		if at == nowhere {
			continue
		}
		box := strip*boxes + int(at>>5)
		before := p.marks[box]
		after := before | 1<<(at&31)
		p.marks[box] = after
		var gained Completed
		if done != nil {
			gained = done[after&tableMask] &^ done[before&tableMask]
		} else {
			gained = p.patterns.Completed(after) &^ p.patterns.Completed(before)
		}
		// Every box is written down and only those that gained are kept. Whether a box
		// gains is as good as random, and a branch here would cost more than the rest.
		changes[next] = Change{Box: box, Patterns: gained}
		next += int((gained | -gained) >> 63)
	}
	return changes[:next], nil
}

// ToGo counts the boxes by how many numbers they lack for pattern i: none, one and
// so on.
func (p *Play) ToGo(i int) []int {
	boxes := make([]int, p.form.perBox()+1)
	for _, mask := range p.marks {
		boxes[p.patterns.ToGo(i, mask)]++
	}
	return boxes
}
