package verify

import (
	"fmt"
	"math/bits"
)

// A way bet joins whole groups to ways (vic-keno-2015 2(a).combination-bet: the
// player names the types, and every way of a type is played). What a way costs
// and wins depends on how many groups and spots it has and how many of these
// were drawn, and on nothing else. So ways are not listed here but counted: a
// walk over the groups keeps, for every such triple, the number of ways that
// have it. TestCountedWaysAreTheListedOnes compares this with plain listing.

// waysOf tells how many ways of a bet have the same figures.
type waysOf struct {
	groups, spots, matched int
	count                  uint64
}

// A wayCounter counts ways. Its table is kept between bets.
type wayCounter struct {
	table []uint64
	found []waysOf
}

// count returns the ways of a bet by their figures, in ascending order. matched
// says how many numbers of a list were drawn; nil counts none as drawn. The
// result is valid until the next call.
func (c *wayCounter) count(b *bet, matched *drawnNumbers) []waysOf {
	c.found = c.found[:0]
	switch {
	case b.groups == nil:
		c.found = append(c.found, waysOf{1, len(b.spots), matched.in(b.spots), 1})
	case b.marks != nil:
		c.countMarks(b, matched)
	default:
		c.countTypes(b, matched)
	}
	return c.found
}

// countMarks adds up each way that the player marked.
func (c *wayCounter) countMarks(b *bet, matched *drawnNumbers) {
	for _, way := range b.marks {
		w := waysOf{groups: len(way), count: 1}
		for _, g := range way {
			w.spots += len(b.groups[g-1])
			w.matched += matched.in(b.groups[g-1])
		}
		c.found = append(c.found, w)
	}
}

// countTypes counts the ways of the types that are played. A sum that is no size
// of the bet is no way (reading unsold-sums).
func (c *wayCounter) countTypes(b *bet, matched *drawnNumbers) {
	t := c.walk(b, matched)
	for k := 1; k < t.groups; k++ {
		for s := 1; s < t.spots; s++ {
			if !b.rules.sizes.Has(s) || !b.playsType(t.kindOf(k), s) {
				continue
			}
			for m := range t.matched {
				if n := *t.at(k, s, m); n > 0 {
					c.found = append(c.found, waysOf{k, s, m, n})
				}
			}
		}
	}
}

// playsType reports whether a way of so many groups and spots is played.
func (b *bet) playsType(groups, spots int) bool {
	switch {
	case b.has(fieldPlaySpots):
		return hasByte(b.totals, spots)
	case b.has(fieldPlayGroups):
		return hasByte(b.totals, groups)
	}
	return true
}

func hasByte(list []byte, n int) bool {
	for _, b := range list {
		if int(b) == n {
			return true
		}
	}
	return false
}

// wayTable holds a count for every (groups, spots, matched). Where types are
// not named by groups, their number does not matter and 1 stands for any.
type wayTable struct {
	groups, spots, matched int // one more than the greatest of each
	cells                  []uint64
	anyGroups              bool
}

func (t *wayTable) at(k, s, m int) *uint64 { return &t.cells[(k*t.spots+s)*t.matched+m] }

func (t *wayTable) kindOf(k int) int {
	if t.anyGroups {
		return 0
	}
	return k
}

// walk fills the table: each group in turn is added to all ways before it.
func (c *wayCounter) walk(b *bet, matched *drawnNumbers) wayTable {
	t := c.newTable(b, matched)
	*t.at(0, 0, 0) = 1
	for _, g := range b.groups {
		size, hits := len(g), matched.in(g)
		// From the top, so that the group is not added to itself.
		for k := t.groups - 1; k >= 0; k-- {
			to := k + 1
			if t.anyGroups && k == 1 {
				to = 1
			}
			if to >= t.groups {
				continue
			}
			for s := t.spots - 1 - size; s >= 0; s-- {
				for m := t.matched - 1 - hits; m >= 0; m-- {
					if n := *t.at(k, s, m); n > 0 {
						cell := t.at(to, s+size, m+hits)
						*cell = addSaturated(*cell, n)
					}
				}
			}
		}
	}
	return t
}

func (c *wayCounter) newTable(b *bet, matched *drawnNumbers) wayTable {
	spots, hits := 0, 0
	for _, g := range b.groups {
		spots += len(g)
		hits += matched.in(g)
	}
	t := wayTable{groups: 2, spots: min(spots, b.rules.sizes.Max()) + 1, matched: hits + 1,
		anyGroups: !b.has(fieldPlayGroups)}
	if !t.anyGroups {
		t.groups = len(b.groups) + 1
	}
	n := t.groups * t.spots * t.matched
	if cap(c.table) < n {
		c.table = make([]uint64, n)
	}
	t.cells = c.table[:n]
	clear(t.cells)
	return t
}

// addSaturated adds without wrapping. A count that is too large for a word is
// too large for any rulebook, and only grows.
func addSaturated(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry > 0 {
		return ^uint64(0)
	}
	return sum
}

// checkPlay checks groups and play, and that every type named is there.
func (b *bet) checkPlay(c *wayCounter, most int) error {
	if err := b.checkGroups(most); err != nil {
		return err
	}
	kinds := 0
	for _, field := range []int{fieldPlayAll, fieldPlaySpots, fieldPlayGroups, fieldPlayWays} {
		if b.has(field) {
			kinds++
		}
	}
	rules := b.rules.ways
	switch {
	case rules == nil:
		return fmt.Errorf("%s is not sold in ways", b.id)
	case kinds != 1:
		return fmt.Errorf("it names its ways in %d manners, not in one", kinds)
	case b.has(fieldPlayAll) && !rules.All, b.has(fieldPlaySpots) && !rules.ByTypes,
		b.has(fieldPlayGroups) && !rules.ByGroups, b.has(fieldPlayWays) && !rules.ByMarks:
		return fmt.Errorf("the rulebook does not let ways be named in this manner")
	}
	if err := b.checkMarks(); err != nil {
		return err
	}
	if err := checkNumbers("types", b.totals, most); err != nil {
		return err
	}
	return b.countWays(c)
}

func (b *bet) checkGroups(most int) error {
	var taken [256]bool
	for _, g := range b.groups {
		if err := checkNumbers("group", g, most); err != nil {
			return err
		}
		for _, n := range g {
			if taken[n] {
				return fmt.Errorf("%d is in two groups", n)
			}
			taken[n] = true
		}
	}
	return nil
}

// checkMarks checks ways that were marked: known groups, a size that is sold, no
// way twice.
func (b *bet) checkMarks() error {
	seen := make(map[string]bool, len(b.marks))
	for _, way := range b.marks {
		if err := checkNumbers("way", way, len(b.groups)); err != nil {
			return err
		}
		spots := 0
		for _, g := range way {
			spots += len(b.groups[g-1])
		}
		switch {
		case !b.rules.sizes.Has(spots):
			return fmt.Errorf("a way of %d spots is not sold", spots)
		case seen[string(way)]:
			return fmt.Errorf("way %d is marked twice", way)
		}
		seen[string(way)] = true
	}
	return nil
}

// countWays sets the number of ways in one game and checks that every type that
// was named has one.
func (b *bet) countWays(c *wayCounter) error {
	var named [256]bool
	b.ways = 0
	for _, w := range c.count(b, nil) {
		b.ways = addSaturated(b.ways, w.count)
		named[w.spots] = named[w.spots] || b.has(fieldPlaySpots)
		named[w.groups] = named[w.groups] || b.has(fieldPlayGroups)
	}
	for _, total := range b.totals {
		if !named[total] {
			return fmt.Errorf("no way of type %d can be formed", total)
		}
	}
	switch {
	case b.ways < 2:
		return fmt.Errorf("a combination bet has two ways or more, and this has %d", b.ways)
	case b.ways > uint64(b.rules.ways.MaxWays):
		return fmt.Errorf("%d ways are more than the %d that are sold", b.ways, b.rules.ways.MaxWays)
	}
	return nil
}
