package odds

import (
	"fmt"
	"math/big"
)

// Field is the field of a race: rows of equally many numbers that are placed by
// how many of their numbers are drawn, and among equals by which reached its
// count first.
type Field struct {
	Rows       int
	RowNumbers int
	// DeadHeatThird says that, when two rows hold every number drawn, all the
	// other rows are third.
	DeadHeatThird bool
}

// Forecast is a bet on a race: that the rows named are placed first, second and so
// on to Places, in the order named if Ordered; or, with Within, that they are
// all among the first Within.
type Forecast struct {
	Places  int
	Ordered bool
	Within  int
}

// reach returns the last place that the forecast is about.
func (f Forecast) reach() int { return max(f.Places, f.Within) }

// Race returns the probability that one combination of a forecast wins.
//
// The rows are exchangeable: renaming them changes neither the probability of a
// draw nor who is placed before whom. So any two combinations of one kind are
// equally likely, and a probability is one over how many there are. That needs
// an order without ties as far as the forecast reaches. Rows tie only if both
// are without a number; with more numbers drawn than one row holds a second row
// has one, and with at least as many as two rows hold a third one has, save
// for the dead heat, in which two rows are drawn whole and the rest is level.
func (d Draw) Race(field Field, f Forecast) (*big.Rat, error) {
	switch {
	case field.Rows*field.RowNumbers != d.of:
		return nil, fmt.Errorf("odds: %d rows of %d are not the %d numbers of the draw", field.Rows, field.RowNumbers,
			d.of)
	case d.take < 2*field.RowNumbers || f.reach() > 3:
		return nil, fmt.Errorf("odds: a forecast of %d places has ties in a draw of %d numbers from rows of %d",
			f.reach(), d.take, field.RowNumbers)
	case f.Places < 1 || f.reach() > field.Rows:
		return nil, fmt.Errorf("odds: %d of %d rows cannot be forecast", f.Places, field.Rows)
	case f.Ordered && f.Within > f.Places:
		return nil, fmt.Errorf("odds: a forecast within %d places has no order", f.Within)
	}
	p := plainRace(field.Rows, f)
	if !field.DeadHeatThird || d.take != 2*field.RowNumbers || f.reach() < 3 {
		return p, nil
	}
	// p + heat x (in the heat - p)
	heat := d.share(choose(field.Rows, 2))
	gain := new(big.Rat).Sub(deadHeat(field.Rows, f), p)
	return p.Add(p, gain.Mul(gain, heat)), nil
}

// plainRace is the probability where every row has a place of its own.
func plainRace(rows int, f Forecast) *big.Rat {
	ways := choose(f.reach(), f.Places).big()
	all := choose(rows, f.Places).big()
	p := new(big.Rat).SetFrac(ways, all)
	if f.Ordered {
		orders := new(big.Int).MulRange(1, int64(f.Places))
		p.Quo(p, new(big.Rat).SetInt(orders))
	}
	return p
}

// deadHeat is the probability, given a dead heat, of a forecast that reaches the
// third place. All rows but two are third, so every combination that has the
// first two right wins, and every row is among the first three.
func deadHeat(rows int, f Forecast) *big.Rat {
	if f.Within > f.Places {
		return big.NewRat(1, 1)
	}
	p := plainRace(rows, Forecast{Places: 2, Ordered: f.Ordered})
	if f.Ordered {
		return p
	}
	// An unordered forecast holds several pairs that may be the first two.
	pairs := choose(f.Places, 2).big()
	return p.Mul(p, new(big.Rat).SetInt(pairs))
}
