package engine

import (
	"fmt"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
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

// TestAFullDrawStands shows that a game has its result with its last number, in
// every rulebook, and that only a draw which is declared void leaves it without one.
func TestAFullDrawStands(t *testing.T) {
	for _, book := range []string{"casino-keno-div2", "vic-keno-2015", "tas-keno-2023"} {
		r := newRigUnder(t, "a full draw stands", book)
		r.openDay("2026-11-15")
		must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
		r.begin(1, 20)
		broken := brokenUnder(t, book)
		wantRefusal(t, r.engine.VoidGame(r.tick(), series, 1, broken), game.ResultStands)
		must(t, r.engine.VoidDraw(r.tick(), series, 1, broken))
		must(t, r.engine.VoidGame(r.tick(), series, 1, broken))
		r.check()
	}
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
	broken := brokenUnder(t, "tas-keno-2023")
	offer := record.PromotionBegun{Series: series, Name: "Bonus draw", From: 3, AmountCents: 8_00, Approval: "decision 1",
		Bet: "standard", Spots: 1, Matched: 1}
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

// TestTwoPlaysAreNoMajorPrize lets a way be in a game twice, because a void game is
// played along with it. Whether a prize is a major one is asked of each play.
func TestTwoPlaysAreNoMajorPrize(t *testing.T) {
	r := newRigUnder(t, "two plays", "casino-keno-div2")
	r.openDay("2026-11-15")
	var all []Answer
	for spot := 1; spot <= 80; spot += 4 {
		_, answer := r.sell(1, 2, fmt.Sprintf(`{"bet":"standard","spots":[%d],"stake_cents":6000}`, spot))
		all = append(all, answer)
	}
	must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
	r.begin(1, 3)
	must(t, r.engine.VoidGame(r.tick(), series, 1, broken))
	r.play()
	paid := 0
	for _, answer := range all {
		claimed, err := r.pay(r.claimThrough(1, answer.Place, 2))
		if err != nil {
			wantRefusal(t, err, counter.NoPrize)
			r.numbers[1]--
			continue
		}
		rec, err := record.Decode(claimed.Data)
		must(t, err)
		b := rec.Body.(*record.TicketPaid)
		if paid++; b.Amount() <= 200_00 || b.Amount()/2 >= 200_00 || b.MajorCents != 0 {
			t.Errorf("%v is paid for two plays, %v of it as major prizes from $200.00 on", b.Amount(), b.MajorCents)
		}
		r.take()
	}
	if paid == 0 {
		t.Error("nobody has won")
	}
	r.check()
}

// brokenUnder is broken, with a clause that the rulebook has.
func brokenUnder(t *testing.T, book string) game.Void {
	t.Helper()
	v := broken
	var err error
	v.Clause, err = rules.First(book)
	must(t, err)
	return v
}

// TestVoidUnderAClause: what is declared void comes under a clause of the game's own rulebook,
// and nobody can ask for it under another, however far the game is.
func TestVoidUnderAClause(t *testing.T) {
	r := newRigUnder(t, "void under a clause", "vic-keno-2015")
	first, _ := r.administrators()
	r.openDay("2026-11-15")
	for closed := range 2 {
		for _, clause := range []string{"11.3", "19.3", "", "18(b) "} {
			_, err := r.engine.Ask(r.tick(), command.As(series, first),
				command.VoidGame{Ordinal: 1, Reason: "no power", Clause: clause})
			wantRefusal(t, err, game.ClauseUnknown)
			_, err = r.engine.Ask(r.tick(), command.As(series, first),
				command.VoidDraw{Ordinal: 1, Draw: 1, Reason: "no power", Clause: clause})
			wantRefusal(t, err, game.ClauseUnknown)
		}
		_, err := r.engine.Ask(r.tick(), command.As(series, first), command.VoidGame{Ordinal: 1, Clause: "18(b)"})
		wantRefusal(t, err, game.ReasonMissing)
		_, err = r.engine.Ask(r.tick(), command.As(series, first),
			command.VoidGame{Ordinal: 1, Reason: "two\nlines", Clause: "18(b)"})
		wantRefusal(t, err, command.OutOfBounds)
		_, err = r.engine.Ask(r.tick(), command.As(series, first),
			command.VoidGame{Ordinal: 1, Reason: "no power", Clause: "18(b)"})
		must(t, err)
		if closed == 0 {
			must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
		}
	}
}
