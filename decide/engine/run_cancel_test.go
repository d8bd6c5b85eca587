package engine

import (
	"testing"

	"drawhouse/journal/record"
)

// TestCancelWhileTheRunIsDrawn gives a ticket back while all that it plays runs in a
// game that is closed and not drawn. Nothing goes back, and what it wins there is
// due and does not run on.
func TestCancelWhileTheRunIsDrawn(t *testing.T) {
	r := newRig(t, "cancelled run")
	r.openDay("2026-11-15")
	var places []record.Place
	for _, call := range []string{"heads", "tails", "evens"} {
		_, answer := r.sell(1, 3, `{"bet":"heads_or_tails","calls":["`+call+`"],"run":true,"stake_cents":100}`)
		places = append(places, answer.Place)
	}
	must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
	r.take()
	for _, place := range places {
		_, err := r.back(r.cancel(1, place))
		must(t, err)
	}
	r.take()
	g := r.drawAndSettle(1)
	if g.Settled.Winners != 1 || g.Settled.CarriedWays != 0 || g.Settled.PrizesCents == 0 {
		t.Errorf("%d winners of %v, and %d prizes run on", g.Settled.Winners, g.Settled.PrizesCents, g.Settled.CarriedWays)
	}
	r.check()
}
