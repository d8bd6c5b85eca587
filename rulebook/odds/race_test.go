package odds

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
	"testing"
)

var kenoField = Field{Rows: 8, RowNumbers: 10, DeadHeatThird: true}

// forecasts are the bet types of Keno Racing.
var forecasts = []struct {
	name string
	Forecast
	plain *big.Rat // without the dead heat
	heat  *big.Rat // given the dead heat
}{
	{"win", Forecast{Places: 1}, ratio(1, 8), ratio(1, 8)},
	{"place", Forecast{Places: 1, Within: 3}, ratio(3, 8), ratio(1, 1)},
	{"quinella", Forecast{Places: 2}, ratio(1, 28), ratio(1, 28)},
	{"exact quinella", Forecast{Places: 2, Ordered: true}, ratio(1, 56), ratio(1, 56)},
	{"trio", Forecast{Places: 3}, ratio(1, 56), ratio(3, 28)},
	{"trifecta", Forecast{Places: 3, Ordered: true}, ratio(1, 336), ratio(1, 56)},
}

func TestRaceOfKeno(t *testing.T) {
	heat := new(big.Rat).SetFrac(big.NewInt(28), kenoDraw.Outcomes())
	for _, f := range forecasts {
		got, err := kenoDraw.Race(kenoField, f.Forecast)
		if err != nil {
			t.Fatal(err)
		}
		want := new(big.Rat).Sub(f.heat, f.plain)
		want.Add(want.Mul(want, heat), f.plain)
		wantRat(t, f.name, got, want)

		level := kenoField
		level.DeadHeatThird = false
		got, err = kenoDraw.Race(level, f.Forecast)
		if err != nil {
			t.Fatal(err)
		}
		wantRat(t, f.name+" without the rule", got, f.plain)
	}
}

// places ranks the rows of a race by its definition: by count, then by who reached
// the count first. It returns the place of every row; rows that are level share
// a place.
func places(field Field, order []int) []int {
	counts, reached := make([]int, field.Rows), make([]int, field.Rows)
	for i, n := range order {
		row := (n - 1) / field.RowNumbers
		counts[row]++
		reached[row] = i
	}
	rows := sequence(field.Rows)
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(counts[b-1], counts[a-1]), cmp.Compare(reached[a-1], reached[b-1]))
	})
	place := make([]int, field.Rows)
	for i, row := range rows {
		place[row-1] = i + 1
	}
	if field.DeadHeatThird && counts[rows[0]-1] == field.RowNumbers && counts[rows[1]-1] == field.RowNumbers &&
		len(order) == 2*field.RowNumbers {
		for _, row := range rows[2:] {
			place[row-1] = 3
		}
	}
	return place
}

// wins grades the combination of rows 1, 2, ... to the number of the forecast: an
// ordered one needs each row in its place, an unordered one needs every place
// taken by one of its rows, and one within some places needs each row there.
func wins(f Forecast, place []int) bool {
	for i := range f.Places {
		switch {
		case f.Within > 0 && place[i] > f.Within:
			return false
		case f.Ordered && place[i] != i+1:
			return false
		case f.Within == 0 && !slices.Contains(place[:f.Places], i+1):
			return false
		}
	}
	return true
}

// TestSmallRacesByEnumeration runs every race of small fields ball by ball: each
// order of each draw once.
func TestSmallRacesByEnumeration(t *testing.T) {
	for _, c := range []struct {
		Field
		take int
	}{
		{Field{3, 2, true}, 4}, {Field{4, 2, true}, 4}, {Field{4, 1, true}, 2}, {Field{3, 2, true}, 5},
		{Field{3, 1, true}, 3},
	} {
		d := Draw{c.Rows * c.RowNumbers, c.take}
		for _, f := range forecasts {
			races, won := 0, 0
			eachOrder(d.of, d.take, func(order []int) {
				races++
				if wins(f.Forecast, places(c.Field, order)) {
					won++
				}
			})
			got, err := d.Race(c.Field, f.Forecast)
			if err != nil {
				t.Fatal(err)
			}
			wantRat(t, f.name, got, ratio(won, races))
		}
	}
}

// eachOrder calls visit with every list of size distinct numbers from 1 to of.
func eachOrder(of, size int, visit func([]int)) {
	order := make([]int, 0, size)
	var extend func()
	extend = func() {
		if len(order) == size {
			visit(order)
			return
		}
		for n := 1; n <= of; n++ {
			if !slices.Contains(order, n) {
				order = append(order, n)
				extend()
				order = order[:len(order)-1]
			}
		}
	}
	extend()
}

func TestRaceRefuses(t *testing.T) {
	for _, c := range []struct {
		d     Draw
		field Field
		f     Forecast
		want  string
	}{
		{kenoDraw, Field{7, 10, true}, Forecast{Places: 1}, "7 rows of 10"},
		{Draw{80, 19}, kenoField, Forecast{Places: 3}, "ties"},
		{kenoDraw, kenoField, Forecast{Places: 4}, "ties"},
		{kenoDraw, kenoField, Forecast{}, "0 of 8 rows"},
		{kenoDraw, kenoField, Forecast{Places: 1, Ordered: true, Within: 3}, "no order"},
		{Draw{2, 2}, Field{2, 1, true}, Forecast{Places: 3}, "3 of 2 rows"},
	} {
		if _, err := c.d.Race(c.field, c.f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Race(%v, %v) of %v: %v, want an error with %q", c.field, c.f, c.d, err, c.want)
		}
	}
}
