package bingo

import "math/bits"

// doubles and singles are how many columns of a box that the generator makes have two
// numbers and one.
func (s *spec) doubles() int { return s.perBox() - s.columns }
func (s *spec) singles() int { return s.columns - s.doubles() }

// layout says in which lines the numbers of a column stand, as a set of lines, for
// the columns with one number first and then for those with two.
type layout [MaxColumns]uint8

// newLayouts returns all ways to set the columns so that each line has its numbers.
func newLayouts(s *spec) (all []layout) {
	var fill func(column int, l layout, inLine [MaxLines]int)
	fill = func(column int, l layout, inLine [MaxLines]int) {
		if column == s.columns {
			for _, n := range inLine[:s.lines] {
				if n != s.perLine {
					return
				}
			}
			all = append(all, l)
			return
		}
		want := 1
		if column >= s.singles() {
			want = 2
		}
		for set := range uint8(1) << s.lines {
			if bits.OnesCount8(set) != want {
				continue
			}
			l[column] = set
			next := inLine
			for line := range s.lines {
				next[line] += int(set >> line & 1)
			}
			fill(column+1, l, next)
		}
	}
	fill(0, layout{}, [MaxLines]int{})
	return all
}
