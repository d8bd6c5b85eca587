package verify

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"drawhouse/rulebook"
)

// maxPlaces is how many places a bet on a race may forecast, and maxRows how many
// rows may race: more than any rulebook has, and few enough to list.
const (
	maxPlaces = 3
	maxRows   = 20
)

// A forecast is one combination of a bet on a race: a row for each place, and 0 for
// places that are not forecast.
type forecast [maxPlaces]byte

// judgeRace checks a bet on a race and lists its combinations: the distinct
// outcomes that the rows allowed for each place have, no row twice, and a set of
// rows once where their order does not count (tas-keno-2023 1.7, 1.71, 1.80, 21.3(d),
// reading racing-combinations).
func (b *bet) judgeRace() error {
	if err := b.only("a bet on a race", fieldType, fieldPlaces); err != nil {
		return err
	}
	kind, ok := b.rules.race.Type(b.kind)
	rows := b.rules.race.Rows()
	switch {
	case !ok:
		return fmt.Errorf("there is no bet %q on a race", b.kind)
	case len(b.places) != kind.Places || kind.Places > maxPlaces || rows > maxRows:
		return fmt.Errorf("rows for %d places of %s, which has %d", len(b.places), kind.ID, kind.Places)
	}
	for _, list := range b.places {
		if err := checkNumbers("rows", list, rows); err != nil {
			return err
		}
	}
	b.combos = forecasts(b.places, kind.Ordered)
	if len(b.combos) == 0 {
		return errors.New("no combination of distinct rows is among those named")
	}
	b.ways = uint64(len(b.combos))
	return nil
}

// forecasts lists the combinations of distinct rows.
func forecasts(places [][]byte, ordered bool) []forecast {
	var list []forecast
	var choose func(place int, f forecast)
	choose = func(place int, f forecast) {
		if place == len(places) {
			if !ordered {
				slices.Sort(f[:place])
			}
			if !slices.Contains(list, f) {
				list = append(list, f)
			}
			return
		}
		for _, row := range places[place] {
			if !slices.Contains(f[:place], row) {
				f[place] = row
				choose(place+1, f)
			}
		}
	}
	choose(0, forecast{})
	return list
}

// finish returns which rows came first, second and so on: by how many of their
// numbers were drawn, and among equals by who had so many first. When two rows hold
// every number drawn all the others are third, where the rulebook says so
// (tas-keno-2023 21.3(b), (c)).
func finish(race *rulebook.Race, numbers []byte) [][]byte {
	type runner struct {
		row            byte
		count, reached int
	}
	rows := make([]runner, race.Rows())
	for i := range rows {
		rows[i].row = byte(i + 1)
	}
	for at, n := range numbers {
		if row := (int(n) - 1) / race.RowNumbers(); row < len(rows) {
			rows[row].count++
			rows[row].reached = at
		}
	}
	slices.SortFunc(rows, func(a, b runner) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.reached, b.reached), cmp.Compare(a.row, b.row))
	})
	var order [][]byte
	var behind []byte // without a number
	for _, r := range rows {
		if r.count > 0 {
			order = append(order, []byte{r.row})
		} else {
			behind = append(behind, r.row)
		}
	}
	if len(order) == 2 && race.DeadHeatThird() {
		order = append(order, behind)
	}
	return order
}

// came reports whether a row took a place, counted from 0.
func came(order [][]byte, place int, row byte) bool {
	return place < len(order) && slices.Contains(order[place], row)
}

// right reports whether a forecast came true.
func (f forecast) right(kind *rulebook.RaceType, order [][]byte) bool {
	if kind.Within > 0 {
		for place := range kind.Within {
			if came(order, place, f[0]) {
				return true
			}
		}
		return false
	}
	if kind.Ordered {
		return f.inOrder(kind.Places, order)
	}
	// Three places have six orders, and one of them is enough.
	for _, turn := range [][maxPlaces]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		if turned := (forecast{f[turn[0]], f[turn[1]], f[turn[2]]}); turned.inOrder(kind.Places, order) {
			return true
		}
	}
	return false
}

func (f forecast) inOrder(places int, order [][]byte) bool {
	for place := range places {
		if !came(order, place, f[place]) {
			return false
		}
	}
	return true
}
