package ball

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// slowSet is the readable twin of Set: a map of the numbers.
type slowSet map[int]bool

func slowOf(nums []int) slowSet {
	s := slowSet{}
	for _, n := range nums {
		s[n] = true
	}
	return s
}

func (s slowSet) numbers() []int { return slices.Sorted(maps.Keys(s)) }

func (s slowSet) where(keep func(n int) bool) slowSet {
	out := slowSet{}
	for n := range s {
		if keep(n) {
			out[n] = true
		}
	}
	return out
}

func (s slowSet) has(n int) bool              { return s[n] }
func (s slowSet) intersect(t slowSet) slowSet { return s.where(t.has) }
func (s slowSet) minus(t slowSet) slowSet     { return s.where(func(n int) bool { return !t[n] }) }
func (s slowSet) union(t slowSet) slowSet     { return slowOf(slices.Concat(s.numbers(), t.numbers())) }
func (s slowSet) with(n int) slowSet          { return s.union(slowSet{n: true}) }
func slowCompare(a, b slowSet) int            { return slices.Compare(a.numbers(), b.numbers()) }
func (s slowSet) String() string              { return join(s.numbers()) }
func (s slowSet) fold(f func(x, n int) int) (x int) {
	for _, n := range s.numbers() {
		x = f(x, n)
	}
	return x
}

func join(nums []int) string {
	words := make([]string, len(nums))
	for i, n := range nums {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, " ")
}

func universes() *rapid.Generator[Universe] { return rapid.SampledFrom([]Universe{Keno, Bingo}) }

// draws yields distinct numbers of u in any order, from none to all.
func draws(u Universe) *rapid.Generator[[]int] {
	return rapid.SliceOfNDistinct(rapid.IntRange(1, int(u)), 0, int(u), rapid.ID)
}
