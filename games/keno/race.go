package keno

import (
	"iter"

	"drawhouse/core/ball"
	"drawhouse/core/figure"
	"drawhouse/rulebook"
)

// combinations yields the distinct outcomes that a racing bet plays: one row a
// place, no row twice. Boxed, standout and field bets differ only in the rows
// that each place allows. Where the order does not count, a set of rows is
// one combination however often it fills the places.
//
//rule:tas-keno-2023 1.7 1.71 1.80 21.3(d) 21.3(d)(i) 21.3(d)(ii) 21.3(d)(iii) 21.3(d)(iv) 21.3(d)(v) 21.3(d)(vi)
func (o *offer) combinations(b *Bet) iter.Seq[[MaxPlaces]Row] {
	return func(yield func([MaxPlaces]Row) bool) {
		kind, ok := o.raceType(b.Type)
		if !ok || kind.Places != len(b.Places) || kind.Places > MaxPlaces {
			return
		}
		c := combiner{places: b.Places, ordered: kind.Ordered, yield: yield}
		c.all = ball.Empty(ball.Keno)
		for _, rows := range b.Places {
			c.all = c.all.Union(rows)
		}
		c.fill(0)
	}
}

// raceType returns the type of a racing bet.
func (o *offer) raceType(id string) (rulebook.RaceType, bool) {
	if o.race == nil {
		return rulebook.RaceType{}, false
	}
	return o.race.Type(id)
}

// combiner fills the places one by one.
type combiner struct {
	places  []ball.Set
	ordered bool
	all     ball.Set // every row of any place
	rows    [MaxPlaces]Row
	yield   func([MaxPlaces]Row) bool
}

// fill fills the places from n on and reports whether to go on.
func (c *combiner) fill(n int) bool {
	if n == len(c.places) {
		return !c.ordered && !c.fits(0, ball.Empty(ball.Keno)) || c.yield(c.rows)
	}
	for row := range c.candidates(n).All() {
		if c.taken(n, Row(row)) {
			continue
		}
		c.rows[n] = Row(row)
		if !c.fill(n + 1) {
			return false
		}
	}
	c.rows[n] = 0
	return true
}

// candidates returns the rows to try in place n. Where the order does not count
// the rows of a combination ascend and may come from any place.
func (c *combiner) candidates(n int) ball.Set {
	if c.ordered {
		return c.places[n]
	}
	return c.all
}

// taken reports whether row cannot follow the first n: it is one of them or,
// where the rows ascend, not above the last.
func (c *combiner) taken(n int, row Row) bool {
	if !c.ordered {
		return n > 0 && row <= c.rows[n-1]
	}
	for _, r := range c.rows[:n] {
		if r == row {
			return true
		}
	}
	return false
}

// fits reports whether the rows from n on can be given to the places that are
// not used, one each.
func (c *combiner) fits(n int, used ball.Set) bool {
	if n == len(c.places) {
		return true
	}
	for i, allowed := range c.places {
		if !used.Has(i+1) && allowed.Has(int(c.rows[n])) && c.fits(n+1, used.With(i+1)) {
			return true
		}
	}
	return false
}

// countCombinations counts the combinations of a racing bet.
func (o *offer) countCombinations(b *Bet) int64 {
	count := int64(0)
	for range o.combinations(b) {
		count++
	}
	return count
}

// checkRace refuses a racing bet whose rows or places are not those of its type.
//
//rule:tas-keno-2023 1.7 1.71 1.80
func (s *sale) checkRace(b *part) *Refusal {
	if b.Shape() != ShapeRace {
		return nil
	}
	kind, ok := b.offer.race.Type(b.Type)
	if !ok {
		return b.offer.unknownType(b.Type)
	}
	for i, rows := range b.Places {
		if rows.Max() > b.offer.race.Rows() {
			return refuse(RowUnknown, b.offer.race.Clause(), "places"+index(i),
				"There is no row %d; there are %d.", rows.Max(), b.offer.race.Rows())
		}
	}
	if len(b.Places) != kind.Places {
		return refuse(PlacesCount, kind.Clause, "places",
			"%s forecasts %s; the bet lists rows for %d.", kind.Name, figure.Count(kind.Places, "place"), len(b.Places))
	}
	b.ways = b.offer.countCombinations(b.Bet)
	if b.ways == 0 {
		return refuse(NoCombination, kind.Clause, "places",
			"The rows fill the places of %s in no way, since no row can come in twice.", kind.Name)
	}
	return nil
}

func (o *offer) unknownType(id string) *Refusal {
	return refuse(RaceTypeUnknown, o.Clause(), "type", "%s has no bet type %q.", o.Name(), id)
}
