package engine

import (
	"testing"

	"drawhouse/game"
	"drawhouse/record"
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

// TestVoidAfterAPromotion declares a game void whose stakes fed the bonus prize pool.
// What they added must still be there, so no promotion takes it while the game is
// under way.
func TestVoidAfterAPromotion(t *testing.T) {
	r := newRigUnder(t, "void after a promotion", "tas-keno-2023")
	r.openDay("2026-11-15")
	r.sell(1, 1, bet("standard", []int{1, 2, 3}, 1_000_00))
	must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
	r.begin(1, 5)
	offer := record.PromotionBegun{Series: series, Name: "Bonus draw", From: 3, AmountCents: 8_00, Approval: "decision 1", Bet: "standard", Spots: 1, Matched: 1}
	wantRefusal(t, r.engine.BeginPromotion(r.tick(), offer), game.GameNotReady)
	must(t, r.engine.VoidGame(r.tick(), series, 1, broken))
	r.check()
	wantRefusal(t, r.engine.BeginPromotion(r.tick(), offer), game.PoolTooSmall)
	r.sell(1, 1, bet("standard", []int{1, 2, 3}, 1_000_00))
	r.play()
	offer.From = 4
	must(t, r.engine.BeginPromotion(r.tick(), offer))
	r.check()
}
