package engine

import (
	"testing"

	"drawhouse/decide/game"
	"drawhouse/journal/record"
)

// TestDayShortened holds the closing of a Keno Day by hand against the 24 hours that the
// rules fix: just before they are over, when they are, and after. A rulebook that leaves the
// period to the operator fixes nothing.
func TestDayShortened(t *testing.T) {
	const hours = 24 * 60 * 60 * 1000
	for _, c := range []struct {
		book  string
		lasts record.Time
		bad   bool
	}{
		{"casino-keno-div2", 0, true},
		{"casino-keno-div2", hours - 1, true},
		{"casino-keno-div2", hours, false},
		{"casino-keno-div2", hours + 1, false},
		{"vic-keno-2015", 0, false},
		{"tas-keno-2023", 0, false},
	} {
		r := newRigUnder(t, "shortened", c.book)
		r.openDay("2026-11-15")
		s := r.engine.State()
		current, _ := s.Series(series)
		err := game.CheckShortened(s, series, current.OpenedAt+c.lasts, 2, 1)
		if !c.bad {
			must(t, err)
			continue
		}
		wantRefusal(t, err, game.DayNotOver)
		// Nobody in this house could consent, so that it is not asked for either.
		wantRefusal(t, game.CheckShortened(s, series, current.OpenedAt+c.lasts, 2, 0), game.DayNotOver)
	}
}
