package settle

import (
	"strconv"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
)

// rowSet is a set of rows: bit n is row n.
type rowSet uint16

func (s rowSet) has(row keno.Row) bool { return s>>row&1 != 0 }

// ranking is the order in which the rows of a race came in: ranking[n] are the rows
// in place n, counted from 1. Mostly that is one row.
type ranking [maxRow + 1]rowSet

// rank places the rows: the one with more of the numbers drawn before the other,
// and of two with as many the one that had them first, which is the one whose
// last number came earlier. A row without a number never got there and has no
// place, but for the dead heat: if two rows hold every number, all others are
// third.
//
//rule:tas-keno-2023 21.3(b)(i) 21.3(b)(ii) 21.3(b)(iii) 21.3(c)
func rank(race *rulebook.Race, numbers ball.Sequence) (r ranking) {
	var count, reached [maxRow + 1]int
	for i, n := range numbers.Numbers() {
		row := rowOf(race, n)
		count[row]++
		reached[row] = i
	}
	placed, empty := 0, rowSet(0)
	for row := 1; row <= race.Rows(); row++ {
		if count[row] == 0 {
			empty |= 1 << row
			continue
		}
		placed++
		place := 1
		for other := 1; other <= race.Rows(); other++ {
			if count[other] > count[row] || count[other] == count[row] && reached[other] < reached[row] {
				place++
			}
		}
		r[place] |= 1 << row
	}
	if placed == 2 && race.DeadHeatThird() {
		r[3] = empty
	}
	return r
}

// rowOf returns the row that a number is in.
func rowOf(race *rulebook.Race, number int) int { return (number-1)/race.RowNumbers() + 1 }

// first returns the rows in the first n places.
func (r *ranking) first(n int) (rows rowSet) {
	for _, at := range r[1 : n+1] {
		rows |= at
	}
	return rows
}

// placeOf returns the place of a row, 0 if it has none.
func (r *ranking) placeOf(row keno.Row) int {
	for place, rows := range r {
		if rows.has(row) {
			return place
		}
	}
	return 0
}

// wins reports whether a combination of a type has come true. Where several rows
// share a place, every combination with one of them has.
//
//rule:tas-keno-2023 21.3(d)(i) 21.3(d)(ii) 21.3(d)(iii) 21.3(d)(iv) 21.3(d)(v) 21.3(d)(vi) 21.3(e)
func (r *ranking) wins(t *rulebook.RaceType, rows []keno.Row) bool {
	taken := rowSet(0) // places, not rows
	for i, row := range rows {
		place := r.placeOf(row)
		switch {
		case place == 0,
			t.Ordered && place != i+1,
			place > max(t.Places, t.Within):
			return false
		}
		taken |= 1 << place
	}
	if t.Within > t.Places {
		return true
	}
	return taken == 1<<(t.Places+1)-2 // one in each place
}

// winning is wins for the ways of a column.
func (r *ranking) winning(t *rulebook.RaceType, c *codes) lanes {
	won := ^lanes(0)
	switch {
	case t.Ordered:
		for i := range t.Places {
			won &= c.naming(i, r[i+1])
		}
	case t.Within > t.Places:
		for i := range t.Places {
			won &= c.naming(i, r.first(t.Within))
		}
	default:
		// There are as many rows as places and no row twice, so that if each place
		// has a row, each row has a place.
		for place := 1; place <= t.Places; place++ {
			var in lanes
			for i := range t.Places {
				in |= c.naming(i, r[place])
			}
			won &= in
		}
	}
	return won
}

// words says how the first places went: "row 3 first, row 5 second".
func (r *ranking) words(places int) string {
	names := [...]string{"first", "second", "third"}
	var said []string
	for place := 1; place <= places; place++ {
		name := "in place " + strconv.Itoa(place)
		if place <= len(names) {
			name = names[place-1]
		}
		var rows []string
		for row := range r[place].all() {
			rows = append(rows, strconv.Itoa(int(row)))
		}
		switch len(rows) {
		case 0:
		case 1:
			said = append(said, "row "+rows[0]+" "+name)
		default:
			said = append(said, "rows "+strings.Join(rows, " ")+" "+name)
		}
	}
	return strings.Join(said, ", ")
}

// all yields the rows, ascending.
func (s rowSet) all() func(yield func(keno.Row) bool) {
	return func(yield func(keno.Row) bool) {
		for row := keno.Row(1); row <= maxRow; row++ {
			if s.has(row) && !yield(row) {
				return
			}
		}
	}
}
