package keno

import (
	"iter"
	"math/bits"

	"drawhouse/core/ball"
)

// Way is one thing that a bet plays for its stake in one game: a set of spots, a
// call, or a combination of rows. It is a game of its own: each way wins or
// loses without regard to the others.
type Way struct {
	Spots ball.Set       // of a bet on numbers
	Call  Call           // of a bet on heads, tails or evens
	Rows  [MaxPlaces]Row // of a bet on a race: the row of each place; where the order does not count, ascending
}

// Row is a row of the grid, counted from 1; 0 is no row.
type Row uint8

// Ways yields what b plays in game i of its ticket, counted from 0, in a fixed
// order: groups as [Mark.Compare] orders their joins, rows ascending place by
// place. It expects a bet that [Desk.Quote] has accepted; of another one it may
// yield nothing.
//
//rule:vic-keno-2015 2(a).combination 2(a).combination-bet 2(a).all-combinations-bet
//rule:casino-keno-div2 1.0.way-bet 3.8C(b)
//rule:tas-keno-2023 1.7 1.71 1.78 1.80
func (d *Desk) Ways(b *Bet, i int) iter.Seq[Way] {
	return func(yield func(Way) bool) {
		o, ok := d.bets[b.Bet]
		if !ok {
			return
		}
		switch b.Shape() {
		case ShapeSpots:
			yield(Way{Spots: b.Spots})
		case ShapeGroups:
			for spots := range o.joins(b) {
				if !yield(Way{Spots: spots}) {
					return
				}
			}
		case ShapeCalls:
			yield(Way{Call: b.CallIn(i)})
		case ShapeRace:
			for rows := range o.combinations(b) {
				if !yield(Way{Rows: rows}) {
					return
				}
			}
		}
	}
}

// joins yields the spots of every way of a bet with groups.
func (o *offer) joins(b *Bet) iter.Seq[ball.Set] {
	if b.Play.Kind == PlayMarks {
		return func(yield func(ball.Set) bool) {
			for _, m := range b.Play.Marks {
				if !yield(m.spots(b.Groups)) {
					return
				}
			}
		}
	}
	return newExpansion(b.Groups, o.wanted(b.Play)).all()
}

// spots returns the spots of the groups that m joins.
func (m Mark) spots(groups []ball.Set) ball.Set {
	s := ball.Empty(ball.Keno)
	for ; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(uint64(m)); i < len(groups) {
			s = s.Union(groups[i])
		}
	}
	return s
}

// wanted says which joins of groups are ways: by their total of spots and by how
// many groups they join.
type wanted struct {
	spots  ball.Set
	groups ball.Set // the zero set: any number
}

// wanted returns the joins that a play by types plays. Totals that are not sold
// are no ways, whatever the types.
func (o *offer) wanted(p Play) wanted {
	w := wanted{spots: o.sizes}
	switch p.Kind {
	case PlaySpots:
		w.spots = w.spots.Intersect(p.Types)
	case PlayGroups:
		w.groups = p.Types
	}
	return w
}

// has reports whether a join of n groups with so many spots is a way.
func (w wanted) has(n, spots int) bool {
	return w.spots.Has(spots) && (!w.groups.IsValid() || w.groups.Has(n))
}

// tally counts joins by their total of spots.
type tally [ball.Keno + 1]int64

// countJoins counts the ways of disjoint groups by their total of spots, without
// listing them: forty groups have a million million joins.
func countJoins(groups []ball.Set, w wanted) tally {
	if !w.groups.IsValid() {
		var all tally
		all[0] = 1
		for _, g := range groups {
			all.join(&all, g.Len())
		}
		return all.keep(w.spots)
	}
	// joined[n] counts the joins of n of the groups seen so far.
	joined := make([]tally, len(groups)+1)
	joined[0][0] = 1
	for i, g := range groups {
		for n := i; n >= 0; n-- {
			joined[n+1].join(&joined[n], g.Len())
		}
	}
	var sum tally
	for n := range w.groups.All() {
		if n < len(joined) {
			for spots, count := range joined[n] {
				sum[spots] += count
			}
		}
	}
	return sum.keep(w.spots)
}

// join adds to t the joins of from with one more group. It runs downwards, so
// that from may be t itself and the group still joins once.
func (t *tally) join(from *tally, size int) {
	for spots := len(t) - 1; spots >= size; spots-- {
		t[spots] += from[spots-size]
	}
}

// keep returns t without the totals that are not in sizes.
func (t tally) keep(sizes ball.Set) tally {
	for spots := range t {
		if !sizes.Has(spots) {
			t[spots] = 0
		}
	}
	return t
}

// total returns the number of joins and the totals of spots that they have.
func (t *tally) total() (count int64, sizes ball.Set) {
	sizes = ball.Empty(ball.Keno)
	for spots, n := range t {
		if n > 0 {
			count += n
			sizes = sizes.With(spots)
		}
	}
	return count, sizes
}

// expansion lists the joins of groups that are ways. It follows a join only
// while some way can still come of it, so that its time goes with the number of
// ways and not with the number of joins.
type expansion struct {
	groups []ball.Set
	wanted wanted
	// reach[i][n] has bit s set if n of the groups from i on have s spots.
	reach [][]totals
}

func newExpansion(groups []ball.Set, w wanted) *expansion {
	e := &expansion{groups: groups, wanted: w, reach: make([][]totals, len(groups)+1)}
	e.reach[len(groups)] = []totals{{lo: 1}}
	for i := len(groups) - 1; i >= 0; i-- {
		after := e.reach[i+1]
		here := make([]totals, len(after)+1)
		copy(here, after)
		for n, t := range after {
			here[n+1] = here[n+1].or(t.shift(groups[i].Len()))
		}
		e.reach[i] = here
	}
	return e
}

func (e *expansion) all() iter.Seq[ball.Set] {
	return func(yield func(ball.Set) bool) {
		e.walk(0, 0, ball.Empty(ball.Keno), yield)
	}
}

// walk yields the ways that add groups from i on to a join of n groups.
func (e *expansion) walk(i, n int, joined ball.Set, yield func(ball.Set) bool) bool {
	for ; i < len(e.groups); i++ {
		next := joined.Union(e.groups[i])
		spots := next.Len()
		if e.wanted.has(n+1, spots) && !yield(next) {
			return false
		}
		if e.grows(i+1, n+1, spots) && !e.walk(i+1, n+1, next, yield) {
			return false
		}
	}
	return true
}

// grows reports whether a join of n groups with so many spots becomes a way by
// adding one or more of the groups from i on.
func (e *expansion) grows(i, n, spots int) bool {
	lo, hi := e.wanted.spots.Bits()
	for more, t := range e.reach[i] {
		if more == 0 || e.wanted.groups.IsValid() && !e.wanted.groups.Has(n+more) {
			continue
		}
		if t = t.shift(spots); t.lo&lo|t.hi&hi != 0 {
			return true
		}
	}
	return false
}

// totals is a set of totals of spots, 0 to 127, as bits.
type totals struct{ lo, hi uint64 }

func (t totals) or(u totals) totals { return totals{t.lo | u.lo, t.hi | u.hi} }

// shift adds n to every total. A shift count beyond the word, which a negative
// one becomes, yields zero, so that no case needs a branch.
func (t totals) shift(n int) totals {
	return totals{t.lo << uint(n), t.hi<<uint(n) | t.lo>>uint(64-n) | t.lo<<uint(n-64)}
}
