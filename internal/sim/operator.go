package sim

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
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
			return w.approved("designate", command.DesignateGame{Ordinal: next + 1 + uint32(r.IntN(3))})
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
	if w.plan.Balls {
		can = append(can, func() error { return w.correct(r) }, func() error { return w.correct(r) })
	}
	return can[r.IntN(len(can))]()
}

// approved has something done that two persons want: one asks, the other consents, and the
// first does it. The house may be killed between any two of these.
func (w *world) approved(what string, act command.Act) error {
	var request uint32
	first, second, err := w.administrators()
	if err == nil {
		request, err = w.house.First().Ask(context.Background(), first, act)
	}
	if asked, _ := w.house.People().Approval(request); slices.Equal(asked.Roles, []record.Role{record.RoleInspector}) {
		second = inspector
	}
	if err == nil {
		_, err = w.house.Do(context.Background(), command.Change{Command: staff.Consent{
			By: second, Approval: request, Content: command.Content(1, act), Granted: true,
		}}, record.By{})
	}
	if err == nil {
		_, err = w.house.Operate(context.Background(), first, request)
	}
	return w.refused(what, err)
}

// administrators returns two of them, who come into the house when they are first
// needed.
func (w *world) administrators() (first, second uint32, err error) {
	for {
		all := w.house.People().Persons()
		all = slices.DeleteFunc(all, func(p state.Person) bool { return !p.HasAny(record.RoleAdministrator) })
		if len(all) > 1 {
			return all[0].ID, all[1].ID, nil
		}
		add := staff.AddPerson{Details: record.Hash{byte(len(all)) + 1},
			Grants: []state.Grant{{Role: record.RoleAdministrator}}}
		if _, err := w.house.Do(context.Background(), command.Change{Command: add}, record.By{}); err != nil {
			return 0, 0, err
		}
	}
}

func (w *world) changeTerms(r *rand.Rand, next uint32) error {
	schedules := w.book.Schedules()
	return w.approved("change terms", command.ChangeTerms{
		From: next + uint32(r.IntN(3)), Rulebook: w.book.Hash().String(),
		Schedule: schedules[r.IntN(len(schedules))].ID(), Reference: "A1",
	})
}

func (w *world) nameParticipants(r *rand.Rand, next uint32) error {
	names := [][]string{{"act"}, {"act", "qld"}, nil}[r.IntN(3)]
	return w.approved("name participants", command.NameParticipants{From: next + uint32(r.IntN(2)), Names: names})
}

func (w *world) changePromotion(r *rand.Rand) error {
	if w.audit.promotions == 0 {
		return nil
	}
	c := command.ChangePromotion{Number: 1 + uint32(r.IntN(int(w.audit.promotions))), Ended: r.IntN(3) == 0,
		Paused: r.IntN(2) == 0, Reference: "A3"}
	return w.approved("change promotion", c)
}

func (w *world) movePool(r *rand.Rand, jackpots rulebook.Jackpots) error {
	spots := uint8(jackpots.Pools[r.IntN(len(jackpots.Pools))].Spots)
	move := []string{rulebook.MoveLend, rulebook.MoveReallocate, rulebook.MoveSetAside}[r.IntN(3)]
	amount := money.Amount(100 * (1 + r.IntN(500_000)))
	if secondary := -w.audit.balances[account{ledger.JackpotSecondary,
		ledger.Pool(1, spots)}]; move != rulebook.MoveLend && secondary > 0 {
		amount = 1 + money.Amount(r.Int64N(int64(secondary)))
	}
	return w.approved(move, command.MovePool{Spots: spots, Move: move, Cents: amount.Cents(), Reference: "A2"})
}

// promote offers a prize beyond the schedules, of at most what there is to offer.
func (w *world) promote(r *rand.Rand, next uint32) error {
	from := ledger.PrizeFund
	if policy, ok := w.book.Promotions(); ok && policy.BonusPool {
		from = ledger.BonusPool
	}
	has := -w.audit.balances[account{from, 0}]
	b := command.BeginPromotion{Name: "Lucky week", From: next + uint32(r.IntN(2)),
		Cents: 1 + r.Int64N(max(1, int64(has))), Reference: "A4"}
	if items := w.book.Items(); len(items) > 0 && r.IntN(3) == 0 {
		b.Item = items[r.IntN(len(items))].ID
		b.Den, b.Prizes = 10, []command.BonusPrize{{Num: 3, Cents: b.Cents, Count: 1}}
	} else {
		// Few spots and fewer matches, so that it is won.
		bets := slices.DeleteFunc(w.book.Bets(), func(b *rulebook.Bet) bool { return b.Form() != rulebook.FormNumbers })
		b.Bet, b.Spots = bets[r.IntN(len(bets))].ID(), uint8(1+r.IntN(5))
		b.Matched = uint8(r.IntN(2))
	}
	return w.approved("begin promotion", b)
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
		if err := w.approved("share", command.ShareJackpots{Ordinal: ordinal}); err != nil {
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
	rep := command.ReportJackpot{Ordinal: ordinal, Spots: spots, Jurisdiction: name,
		GrowthCents: int64(r.IntN(1_000_000))}
	if r.IntN(3) == 0 {
		rep.StakesCents = int64(100 * (1 + r.IntN(9)))
	}
	if r.IntN(10) == 0 {
		return nil
	}
	return w.approved("report", rep)
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
	clause, err := rules.First(w.book.ID())
	if err != nil {
		return err
	}
	if r.IntN(3) > 0 {
		draw := max(1, w.audit.games[ordinal-1].draw)
		return w.approved("void draw",
			command.VoidDraw{Ordinal: ordinal, Draw: draw, Reason: "a ball was seen twice", Clause: clause})
	}
	return w.approved("void game", command.VoidGame{Ordinal: ordinal, Reason: "a ball was seen twice", Clause: clause})
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
	return w.refused("pause", command.Outcome(w.house.Do(context.Background(), command.Pause{Reason: "a storm"},
		record.By{Person: 1})))
}

func (w *world) resume() error {
	if !w.audit.paused {
		return nil
	}
	if err := w.up(); err != nil {
		return err
	}
	if err := w.refused("resume", command.Outcome(w.house.Do(context.Background(), command.Resume{},
		record.By{Person: 1}))); err != nil || !w.audit.paused {
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
