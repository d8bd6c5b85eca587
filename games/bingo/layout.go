package bingo

import (
	"math/bits"
	"sync"
)

// The columns of a box that the generator makes: six have two numbers and three
// have one.
const (
	doubles = BoxNumbers - Columns
	singles = Columns - doubles
)

// layout says in which lines the numbers of a column stand, as a set of lines, for
// the three columns with one number first and then for the six with two.
type layout [Columns]uint8

// layouts are all ways to set the columns so that each line has five numbers.
var layouts = sync.OnceValue(func() (all []layout) {
	var fill func(column int, l layout, inLine [Lines]int)
	fill = func(column int, l layout, inLine [Lines]int) {
		if column == Columns {
			if inLine == [Lines]int{PerLine, PerLine, PerLine} {
				all = append(all, l)
			}
			return
		}
		want := 1
		if column >= singles {
			want = 2
		}
		for set := range uint8(1 << Lines) {
			if bits.OnesCount8(set) != want {
				continue
			}
			l[column] = set
			next := inLine
			for line := range next {
				next[line] += int(set >> line & 1)
			}
			fill(column+1, l, next)
		}
	}
	fill(0, layout{}, [Lines]int{})
	return all
})
