package sim

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"drawhouse/game"
	"drawhouse/jackpot"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
)

// operate lets the operator do one of the things that the rulebook has.
func (w *world) operate(r *rand.Rand) error {
	if err := w.up(); err != nil {
		return err
	}
	next := uint32(len(w.audit.games)) + 1
	can := []func() error{func() error { return w.changeTerms(r, next) }}
	if w.book.Games().Delayed.Allowed {
		can = append(can, func() error {
			return w.refused("designate", w.house.Designate(context.Background(), next+1+uint32(r.IntN(3))))
		})
	}
	if _, ok := w.book.Promotions(); ok {
		can = append(can, func() error { return w.promote(r, next) }, func() error { return w.changePromotion(r) })
	}
	if jackpots, ok := w.book.Jackpots(); ok && jackpots.Pooled {
		can = append(can, func() error { return w.nameParticipants(r, next) })
	} else if ok && len(jackpots.Moves) > 0 {
		can = append(can, func() error { return w.movePool(r, jackpots) })
	}
	return can[r.IntN(len(can))]()
}

func (w *world) changeTerms(r *rand.Rand, next uint32) error {
	schedules := w.book.Schedules()
	return w.refused("change terms", w.house.ChangeTerms(context.Background(), record.TermsChanged{
		Series: 1, From: next + uint32(r.IntN(3)), Rulebook: record.Hash(w.book.Hash()), Schedule: schedules[r.IntN(len(schedules))].ID(), Approval: "A1",
	}))
}

func (w *world) nameParticipants(r *rand.Rand, next uint32) error {
	names := [][]string{{"act"}, {"act", "qld"}, nil}[r.IntN(3)]
	return w.refused("name participants", w.house.NameParticipants(context.Background(), record.ParticipantsNamed{Series: 1, From: next + uint32(r.IntN(2)), Names: names}))
}

func (w *world) changePromotion(r *rand.Rand) error {
	if w.audit.promotions == 0 {
		return nil
	}
	c := record.PromotionChanged{Series: 1, Number: 1 + uint32(r.IntN(int(w.audit.promotions))), Ended: r.IntN(3) == 0, Paused: r.IntN(2) == 0, Approval: "A3"}
	return w.refused("change promotion", w.house.ChangePromotion(context.Background(), c))
}

func (w *world) movePool(r *rand.Rand, jackpots rulebook.Jackpots) error {
	spots := uint8(jackpots.Pools[r.IntN(len(jackpots.Pools))].Spots)
	move := []string{rulebook.MoveLend, rulebook.MoveReallocate, rulebook.MoveSetAside}[r.IntN(3)]
	amount := money.Amount(100 * (1 + r.IntN(500_000)))
	if secondary := -w.audit.balances[account{ledger.JackpotSecondary, ledger.Pool(1, spots)}]; move != rulebook.MoveLend && secondary > 0 {
		amount = 1 + money.Amount(r.Int64N(int64(secondary)))
	}
	return w.refused(move, w.house.MovePool(context.Background(), spots, move, amount, "A2"))
}

// promote offers a prize beyond the schedules, of at most what there is to offer.
func (w *world) promote(r *rand.Rand, next uint32) error {
	from := ledger.PrizeFund
	if policy, ok := w.book.Promotions(); ok && policy.BonusPool {
		from = ledger.BonusPool
	}
	has := -w.audit.balances[account{from, 0}]
	b := record.PromotionBegun{
		Series: 1, Name: "Lucky week", From: next + uint32(r.IntN(2)), AmountCents: 1 + money.Amount(r.Int64N(max(1, int64(has)))), Approval: "A4",
	}
	if items := w.book.Items(); len(items) > 0 && r.IntN(3) == 0 {
		b.Item = items[r.IntN(len(items))].ID
		b.Den, b.Prizes = 10, []record.BonusPrize{{Num: 3, Cents: b.AmountCents, Count: 1}}
	} else {
		// Few spots and fewer matches, so that it is won.
		bets := slices.DeleteFunc(w.book.Bets(), func(b *rulebook.Bet) bool { return b.Form() != rulebook.FormNumbers })
		b.Bet, b.Spots = bets[r.IntN(len(bets))].ID(), uint8(1+r.IntN(5))
		b.Matched = uint8(r.IntN(2))
	}
	return w.refused("begin promotion", w.house.BeginPromotion(context.Background(), b))
}

// report lets other jurisdictions tell of the oldest game of which they have not, late
// and not always all of them, and shares the jackpot if that was enough. A game that is
// shared with nobody may have waited for an earlier one, and is shared on the way.
func (w *world) report(r *rand.Rand) error {
	if err := w.up(); err != nil {
		return err
	}
	jackpots, ok := w.book.Jackpots()
	if !ok || !jackpots.Pooled {
		return nil
	}
	for ; int(w.reported) < len(w.audit.games); w.reported++ {
		ordinal := w.reported + 1
		if w.audit.games[ordinal-1].void != nil {
			continue
		}
		if w.audit.games[ordinal-1].settled == nil {
			return nil
		}
		names := w.audit.participants(ordinal)
		for _, name := range names {
			for _, pool := range jackpots.Pools {
				if err := w.reportOf(r, ordinal, name, uint8(pool.Spots)); err != nil {
					return err
				}
			}
		}
		before := w.figures["operator: share refused"]
		if err := w.refused("share", w.house.ShareJackpots(context.Background(), ordinal)); err != nil {
			return err
		}
		if len(names) == 0 {
			continue
		}
		if before == w.figures["operator: share refused"] || r.IntN(2) == 0 {
			w.reported++ // The game is done with, or somebody gives up waiting.
		}
		return nil
	}
	return nil
}

// reportOf lets one jurisdiction tell of one jackpot. One time in ten it does not.
func (w *world) reportOf(r *rand.Rand, ordinal uint32, name string, spots uint8) error {
	rep := jackpot.Report{Jurisdiction: name, Growth: money.Amount(r.IntN(1_000_000))}
	if r.IntN(3) == 0 {
		rep.Stakes = money.Amount(100 * (1 + r.IntN(9)))
	}
	if r.IntN(10) == 0 {
		return nil
	}
	return w.refused("report", w.house.Report(context.Background(), ordinal, spots, rep))
}

// void declares the draw that is under way, or its game, void. If none is, it waits
// for the next.
func (w *world) void(r *rand.Rand) error {
	for range 40 {
		if g, _ := w.audit.newest(); g != nil && w.underDraw() != 0 {
			break
		}
		if err := w.until(w.clock.real().Add(10 * time.Minute)); err != nil {
			return err
		}
	}
	ordinal := w.underDraw()
	if ordinal == 0 {
		return nil
	}
	if err := w.up(); err != nil {
		return err
	}
	v := game.Void{Reason: "a ball was seen twice", Clause: "11.2", Approval: 7}
	if r.IntN(3) > 0 {
		return w.refused("void draw", w.house.VoidDraw(context.Background(), ordinal, v))
	}
	return w.refused("void game", w.house.VoidGame(context.Background(), ordinal, v))
}

// underDraw returns the game that is sealed and not over, or 0.
func (w *world) underDraw() uint32 {
	for i, g := range w.audit.games {
		if g.sealed && !g.isOver() {
			return uint32(i + 1)
		}
	}
	return 0
}

// pause stops sale and draws for some hours.
func (w *world) pause(r *rand.Rand) error {
	if w.audit.paused {
		return nil
	}
	if err := w.up(); err != nil {
		return err
	}
	w.pauseEnds = w.clock.real().Add(time.Duration(1+r.IntN(300)) * time.Minute)
	return w.refused("pause", w.house.Pause(context.Background(), "a storm", 1))
}

func (w *world) resume() error {
	if !w.audit.paused {
		return nil
	}
	if err := w.up(); err != nil {
		return err
	}
	if err := w.refused("resume", w.house.Resume(context.Background(), 1)); err != nil || !w.audit.paused {
		return err
	}
	return w.resume()
}

// refused takes what the operator is told. A refusal is an answer like another, and a
// house that is down is started again; everything else is a breach.
func (w *world) refused(what string, err error) error {
	switch code := codeOf(err); {
	case err == nil:
		w.figures["operator: "+what]++
	case code != "":
		w.figures["operator: "+what+" refused"]++
		w.figures["refusal of "+what+": "+string(code)]++
	case isDown(err):
		return w.restart()
	default:
		return breach("answer", "%s is answered with %v", what, err)
	}
	return nil
}
