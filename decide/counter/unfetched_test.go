package counter_test

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/decide/counter"
	"drawhouse/house"
)

// TestUnfetchedWithheld lists what the end of a session has kept until somebody fetches it, and
// never among what moves: no time ends it.
func TestUnfetchedWithheld(t *testing.T) {
	story := "house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\nnext T1\npay A at T1\nfreeze A\nsettle T1 -> withheld -$15.00\n"
	core, places := told(t, "vic-keno-2015", story)
	list := house.WithheldOf(core.Engine.State(), counter.UnfetchedSearch{})
	if len(list) != 1 || list[0] != (counter.Unfetched{Ticket: places["A"], Cents: 15_00, Withheld: true}) {
		t.Errorf("%+v wait", list)
	}
	if list := house.WithheldOf(core.Engine.State(),
		counter.UnfetchedSearch{Due: day.MustParse("2100-01-01")}); len(list) != 0 {
		t.Errorf("%+v move", list)
	}
	core, _ = told(t, "vic-keno-2015", story+"release A\npay A at T1\n")
	if list := counter.UnfetchedWithheld(core.Engine.State()); len(list) != 0 {
		t.Errorf("%+v wait, and were paid", list)
	}
}
