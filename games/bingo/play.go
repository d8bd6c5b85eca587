package bingo

import (
	"fmt"
	"slices"

	"drawhouse/core/ball"
)

// Play follows every box of a game: what has been called, what each box has marked
// and, on each call, which boxes complete which patterns. It is not safe for
// concurrent use.
//
// Each strip holds each number once, so a call changes one box of every strip. For
// each number and strip there is one byte that says which box and which place of it;
// a box is two bytes of marks.
type Play struct {
	patterns *Patterns
	strips   int
	where    [Numbers][]uint8 // for each number, by strip: box<<4 | place
	marks    []Mask           // by strip and box
	calls    ball.Sequence
}

// Change is a box whose completed patterns a call or its correction changed.
type Change struct {
	Box      int // of the play, counted from 0: strip by strip
	Patterns Completed
}

// NewPlay returns a game of strips in which nothing has been called.
func NewPlay(patterns *Patterns, strips []Strip) (*Play, error) {
	none, err := ball.NewSequence(ball.Bingo)
	if err != nil {
		return nil, err
	}
	p := &Play{patterns: patterns, strips: len(strips), marks: make([]Mask, len(strips)*StripBoxes), calls: none}
	room := make([]uint8, Numbers*len(strips))
	for n := range p.where {
		p.where[n], room = room[:len(strips):len(strips)], room[len(strips):]
	}
	for i := range strips {
		if !strips[i].isWhole() {
			return nil, fmt.Errorf("bingo: strip %d does not hold 1 to %d once", i+1, Numbers)
		}
		for b := range strips[i] {
			for place, n := range strips[i][b].numbers {
				p.where[n-1][i] = uint8(b<<4 | place)
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
	done := p.patterns.done
	next := len(changes)
	changes = slices.Grow(changes, p.strips)[:next+p.strips]
	for strip, at := range p.where[number-1] {
		box := strip*StripBoxes + int(at>>4)
		before := p.marks[box] & fullMask
		after := (before | 1<<(at&15)) & fullMask
		p.marks[box] = after
		// Every box is written down and only those that gained are kept. Whether a box
		// gains is as good as random, and a branch here would cost more than the rest.
		gained := done[after] &^ done[before]
		changes[next] = Change{Box: box, Patterns: gained}
		next += int((gained | -gained) >> 63)
	}
	return changes[:next], nil
}

// ToGo counts the boxes by how many numbers they lack for pattern i: none, one and
// so on.
func (p *Play) ToGo(i int) (boxes [BoxNumbers + 1]int) {
	lacks := p.patterns.lacks[i]
	for _, mask := range p.marks {
		boxes[lacks[mask&fullMask]&15]++
	}
	return boxes
}
