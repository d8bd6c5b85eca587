package keno

import (
	"cmp"

	"drawhouse/core/ball"
	"drawhouse/core/figure"
)

// checkNumbers refuses a bet on numbers that is not sold so, and counts its ways.
func (s *sale) checkNumbers(b *part) *Refusal {
	switch b.Shape() {
	case ShapeSpots:
		return checkSpots(b)
	case ShapeGroups:
		return checkGroups(b)
	}
	return nil
}

// checkSpots refuses a number of spots that is not sold.
//
//rule:vic-keno-2015 2(a).keno-classic 2(a).combination
//rule:casino-keno-div2 1.0.standard-entry 1.0.special-entry 3.8(a) 3.8(d) 3.9(a) 3.9(d) 3.10(a)
//rule:tas-keno-2023 1.39 17.6(a)
func checkSpots(b *part) *Refusal {
	if !b.offer.sizes.Has(b.Spots.Len()) {
		return b.offer.sizeNotSold(b.Spots.Len(), "spots")
	}
	b.ways, b.sizes = 1, ball.Empty(ball.Keno).With(b.Spots.Len())
	return nil
}

// checkGroups refuses a way bet whose groups or ways are not sold, and counts
// its ways.
//
//rule:vic-keno-2015 2(a).combination 2(a).combination-bet 2(a).all-combinations-bet 2(a).group
//rule:casino-keno-div2 1.0.way-bet 3.8C(a)(i) 3.8C(a)(iv) 3.8C(b)
//rule:tas-keno-2023 1.78
func checkGroups(b *part) *Refusal {
	for _, step := range []func(*part) *Refusal{checkPlay, checkDisjoint, checkTypes, countWays} {
		if r := step(b); r != nil {
			return r
		}
	}
	return nil
}

// checkPlay refuses ways named as the rulebook does not let them be named.
func checkPlay(b *part) *Refusal {
	if !b.offer.hasWays {
		return refuse(PlayNotSold, b.offer.Clause(), "groups", "%s is not sold as a way bet.", b.offer.Name())
	}
	sold, how := false, ""
	switch w := &b.offer.ways; b.Play.Kind {
	case PlayAll:
		sold, how = w.All, "all together"
	case PlaySpots:
		sold, how = w.ByTypes, "by their spots"
	case PlayGroups:
		sold, how = w.ByGroups, "by their number of groups"
	case PlayMarks:
		sold, how = w.ByMarks, "one by one"
	}
	if !sold {
		return refuse(PlayNotSold, cmp.Or(b.offer.ways.ByMarksClause, b.offer.ways.Clause), "play",
			"The ways of %s are not named %s.", b.offer.Name(), how)
	}
	return nil
}

// checkDisjoint refuses groups that share a number: it would count twice.
func checkDisjoint(b *part) *Refusal {
	if len(b.Groups) < 2 {
		return refuse(GroupsTooFew, b.offer.ways.Clause, "groups", "A way bet has two groups or more.")
	}
	union := ball.Empty(ball.Keno)
	for i, g := range b.Groups {
		if shared := union.Intersect(g); shared.Len() > 0 {
			return refuse(GroupsOverlap, b.offer.ways.Clause, "groups"+index(i),
				"The number %d is in two groups.", shared.Min())
		}
		union = union.Union(g)
	}
	return nil
}

// checkTypes refuses a named type, or a marked way, of a size that is not sold,
// and a type that the groups do not form. A size that is sold has prizes in
// every schedule, or the rulebook would not have loaded: so no way is taken that
// could not win.
//
//rule:casino-keno-div2 3.8C
func checkTypes(b *part) *Refusal {
	switch b.Play.Kind {
	case PlaySpots:
		for size := range b.Play.Types.All() {
			if !b.offer.sizes.Has(size) {
				return waySizeNotSold(b, size, "play.spots")
			}
		}
		formed := countJoins(b.Groups, b.offer.wanted(b.Play))
		for size := range b.Play.Types.All() {
			if formed[size] == 0 {
				return refuse(TypeNotFormed, b.offer.ways.Clause, "play.spots",
					"The groups form no way of %s.", figure.Count(size, "spot"))
			}
		}
	case PlayGroups:
		for n := range b.Play.Types.All() {
			one := wanted{spots: b.offer.sizes, groups: ball.Empty(ball.Keno).With(n)}
			formed := countJoins(b.Groups, one)
			if count, _ := formed.total(); count == 0 {
				return refuse(TypeNotFormed, b.offer.ways.Clause, "play.groups",
					"The groups form no way of %s that is sold.", figure.Count(n, "group"))
			}
		}
	case PlayMarks:
		for i, m := range b.Play.Marks {
			if size := m.spots(b.Groups).Len(); !b.offer.sizes.Has(size) {
				return waySizeNotSold(b, size, "play.ways"+index(i))
			}
		}
	}
	return nil
}

func waySizeNotSold(b *part, size int, path string) *Refusal {
	return refuse(SizeNotSold, cmp.Or(b.offer.ways.RefuseHopelessClause, b.offer.ways.Clause), path,
		"%s has no ways of %s; it has %s.", b.offer.Name(), figure.Count(size, "spot"), listed(b.offer.sizes))
}

// countWays counts the ways and refuses fewer than two, since one way is no way
// bet, and more than are sold.
func countWays(b *part) *Refusal {
	if b.Play.Kind == PlayMarks {
		b.ways, b.sizes = int64(len(b.Play.Marks)), ball.Empty(ball.Keno)
		for _, m := range b.Play.Marks {
			b.sizes = b.sizes.With(m.spots(b.Groups).Len())
		}
	} else {
		formed := countJoins(b.Groups, b.offer.wanted(b.Play))
		b.ways, b.sizes = formed.total()
	}
	w := &b.offer.ways
	switch {
	case b.ways < 2:
		return refuse(WaysTooFew, w.Clause, "play",
			"The bet has %s; a way bet has two or more, and one way is a bet with spots.", figure.Count(b.ways, "way"))
	case b.ways > int64(w.MaxWays):
		return refuse(WaysTooMany, w.Clause, "play", "The bet has %d ways; at most %d are sold.", b.ways, w.MaxWays)
	}
	return nil
}
