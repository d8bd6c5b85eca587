package engine

import (
	"testing"

	"drawhouse/game"
)

// TestNoDrawToVoid shows that a draw without a number is none: it is begun, not
// declared void.
func TestNoDrawToVoid(t *testing.T) {
	r := newRigUnder(t, "no draw to void", "casino-keno-div2")
	r.openDay("2026-11-15")
	must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
	wantRefusal(t, r.engine.VoidDraw(r.tick(), series, 1, broken), game.GameNotReady)
	r.begin(1, 1)
	must(t, r.engine.VoidDraw(r.tick(), series, 1, broken))
	r.check()
}
