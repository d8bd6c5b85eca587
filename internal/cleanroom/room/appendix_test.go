package room

import "testing"

// Minor games of the appendix: places that must be called, or how many of each line, or how many whole lines.
type minor struct {
	exact []int
	least [3]int
	lines int
}

var appendix = map[string]minor{
	"any-line":             {lines: 1},
	"any-2-lines":          {lines: 2},
	"back-steps":           {exact: []int{4, 8, 9, 12, 13, 14}},
	"book-ends":            {exact: []int{0, 4, 5, 9, 10, 14}},
	"bottom-line":          {exact: []int{10, 11, 12, 13, 14}},
	"cops-and-robbers":     {exact: []int{0, 1, 13, 14}},
	"double-decker-bus":    {exact: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14}},
	"four-corners":         {exact: []int{0, 4, 10, 14}},
	"front-steps":          {exact: []int{0, 5, 6, 10, 11, 12}},
	"ice-cream-cone":       {least: [3]int{3, 2, 1}},
	"ladies-waist":         {least: [3]int{2, 1, 2}},
	"letter-h":             {exact: []int{0, 4, 5, 6, 7, 8, 9, 10, 14}},
	"letter-l":             {exact: []int{0, 5, 10, 11, 12, 13, 14}},
	"letter-t":             {exact: []int{0, 1, 2, 3, 4, 7, 12}},
	"lucky-7":              {exact: []int{0, 1, 2, 3, 4, 9, 14}},
	"marching-soldiers":    {least: [3]int{4, 4, 4}},
	"mark-the-spot":        {exact: []int{0, 4, 7, 10, 14}},
	"middle-line":          {exact: []int{5, 6, 7, 8, 9}},
	"noahs-ark":            {least: [3]int{2, 2, 2}},
	"pickels":              {least: [3]int{3, 3, 3}},
	"postage-stamp":        {exact: []int{3, 4, 8, 9}},
	"postcode":             {exact: []int{11, 12, 13, 14}},
	"pyramid":              {least: [3]int{1, 2, 3}},
	"race-track":           {exact: []int{0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14}},
	"table-top":            {exact: []int{0, 1, 2, 3, 4, 5, 9, 10, 14}},
	"top-and-bottom-lines": {exact: []int{0, 1, 2, 3, 4, 10, 11, 12, 13, 14}},
	"top-hat":              {least: [3]int{2, 2, 5}},
	"top-line":             {exact: []int{0, 1, 2, 3, 4}},
	"bingo":                {lines: 3},
}

// complete says whether so many of the calls complete the pattern in a box.
func (m minor) complete(b Box, calls []int) bool {
	called := map[int]bool{}
	for _, n := range calls {
		called[n] = true
	}
	if m.exact != nil {
		for _, k := range m.exact {
			if !called[b.Numbers[k]] {
				return false
			}
		}
		return true
	}
	whole := 0
	for line := range 3 {
		n := 0
		for k := range 5 {
			if called[b.Numbers[5*line+k]] {
				n++
			}
		}
		if n == 5 {
			whole++
		}
		if n < m.least[line] {
			return false
		}
	}
	return whole >= m.lines
}

// Appendix A, 7.1.4: every minor game may be played, and a card that is held up shows by which call each was complete.
func TestPatternsAppendixA(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 2*2, 1, 12) // twelve boxes to a page
	prizes := []Prize{{"bingo", 100}}
	for name := range appendix {
		if name != "bingo" {
			prizes = append(prizes, Prize{name, 10})
		}
	}
	r.set(t, Plan{Fee: 1000, Max: 2, Games: []GamePlan{{Prizes: prizes}}})
	r.enter(t, 1000, 2, "1")
	r.issue(t)
	p := r.play(t, 1, 1)
	if len(p.Boxes) != 24 || p.Boxes[11].Box != 12 || p.Boxes[0].Serial != p.Boxes[11].Serial {
		t.Fatalf("two twelve-up cards have %d boxes", len(p.Boxes))
	}
	compared := 0
	for len(p.Calls) < 85 {
		p.call(t)
		if len(p.Calls)%12 != 0 {
			continue
		}
		for i := 0; i < len(p.Boxes); i += 12 {
			card := r.get(t, h.Senior, p.at("/cards/%s", p.Boxes[i].Serial))
			for k, x := range card.List("boxes") {
				b := p.Boxes[i+k]
				for _, s := range x.List("standing") {
					m, ok := appendix[s.Str("pattern")]
					if !ok {
						t.Fatalf("a pattern %q", s.Str("pattern"))
					}
					place := 0
					for c := range p.Calls {
						if m.complete(b, p.Calls[:c+1]) {
							place = c + 1
							break
						}
					}
					if s.Bool("complete") != (place > 0) || place > 0 && s.Int("place") != place {
						t.Errorf("%s in %v after %v is complete by call %d, and the house says %v", s.Str("pattern"), b.Numbers, p.Calls,
							place, s)
					}
					compared++
				}
			}
		}
	}
	if compared < 7*24*len(appendix) {
		t.Errorf("only %d patterns were compared", compared)
	}
}

// 2.2.1, 2.4: each strip has all numbers from 1 to 90 once, each box three lines of five.
func TestStrips2_2_1(t *testing.T) {
	t.Parallel()
	_, p := hallOf(t, oneGame(1000))
	seen := map[[15]int]bool{}
	for i := 0; i < len(p.Boxes); i += 6 {
		all := map[int]bool{}
		for _, b := range p.Boxes[i : i+6] {
			if seen[b.Numbers] {
				t.Errorf("box %v twice", b.Numbers)
			}
			seen[b.Numbers] = true
			for _, n := range b.Numbers {
				all[n] = n >= 1 && n <= 90
			}
		}
		if len(all) != 90 || all[0] {
			t.Errorf("card %s has %d numbers", p.Boxes[i].Serial, len(all))
		}
	}
}
