package engine

import (
	"encoding/hex"

	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
)

// The methods below do commands as if two persons had agreed on them, for tests of what comes
// of them.

func (e *Engine) done(now record.Time, series uint8, approval uint32, c command.Command) error {
	env := command.As(series, 1)
	env.Approval = approval
	return command.Outcome(e.Do(now, c, env))
}

func (e *Engine) VoidDraw(now record.Time, series uint8, ordinal uint32, v game.Void) error {
	current, _ := e.state.Series(series)
	g, _ := current.Game(ordinal)
	return e.done(now, series, v.Approval, command.VoidDraw{Ordinal: ordinal, Draw: g.Draw, Reason: v.Reason,
		Clause: v.Clause})
}

func (e *Engine) VoidGame(now record.Time, series uint8, ordinal uint32, v game.Void) error {
	act := command.VoidGame{Ordinal: ordinal, Reason: v.Reason, Clause: v.Clause}
	if v.Refund {
		act.Fate = game.FateRefund
	}
	return e.done(now, series, v.Approval, act)
}

func (e *Engine) Pause(now record.Time, series uint8, reason string, by uint32) error {
	return command.Outcome(e.Do(now, command.Pause{Reason: reason}, command.As(series, by)))
}

func (e *Engine) Resume(now record.Time, series uint8, by uint32) error {
	return command.Outcome(e.Do(now, command.Resume{}, command.As(series, by)))
}

func (e *Engine) Report(now record.Time, series uint8, ordinal uint32, spots uint8, r jackpot.Report) error {
	return e.done(now, series, 1, command.ReportJackpot{
		Ordinal: ordinal, Spots: spots, Jurisdiction: r.Jurisdiction, GrowthCents: r.Growth.Cents(),
		StakesCents: r.Stakes.Cents(),
	})
}

func (e *Engine) ShareJackpots(now record.Time, series uint8, ordinal uint32) error {
	return e.done(now, series, 1, command.ShareJackpots{Ordinal: ordinal})
}

func (e *Engine) MovePool(now record.Time, series, spots uint8, move string, amount money.Amount,
	approval string) error {
	return e.done(now, series, 1, command.MovePool{Spots: spots, Move: move, Cents: amount.Cents(), Reference: approval})
}

func (e *Engine) GiveAside(now record.Time, series uint8, ordinal uint32, spots uint8, amount money.Amount,
	approval string) error {
	return e.done(now, series, 1, command.GiveAside{Ordinal: ordinal, Spots: spots, Cents: amount.Cents(),
		Reference: approval})
}

func (e *Engine) MigratePools(now record.Time, from, into uint8, approval string) error {
	return e.done(now, into, 1, command.MigratePools{From: from, Reference: approval})
}

func (e *Engine) MigrateBonus(now record.Time, from, into uint8, approval string) error {
	return e.done(now, into, 1, command.MigrateBonus{From: from, Reference: approval})
}

func (e *Engine) NameParticipants(now record.Time, p record.ParticipantsNamed) error {
	return e.done(now, p.Series, 1, command.NameParticipants{From: p.From, Names: p.Names})
}

func (e *Engine) ChangeTerms(now record.Time, c record.TermsChanged) error {
	return e.done(now, c.Series, 1, command.ChangeTerms{From: c.From, Rulebook: hex.EncodeToString(c.Rulebook[:]),
		Schedule: c.Schedule, Reference: c.Approval})
}

func (e *Engine) BeginPromotion(now record.Time, b record.PromotionBegun) error {
	act := command.BeginPromotion{
		Name: b.Name, From: b.From, Last: b.Last, Cents: b.AmountCents.Cents(), Reference: b.Approval,
		Bet: b.Bet, Spots: b.Spots, Matched: b.Matched, LeastCents: b.LeastCents.Cents(), Item: b.Item, Den: b.Den,
	}
	for _, p := range b.Prizes {
		act.Prizes = append(act.Prizes, command.BonusPrize{Cents: p.Cents.Cents(), Num: p.Num, Count: p.Count})
	}
	return e.done(now, b.Series, 1, act)
}

func (e *Engine) ChangePromotion(now record.Time, c record.PromotionChanged) error {
	return e.done(now, c.Series, 1, command.ChangePromotion{Number: c.Number, Paused: c.Paused, Ended: c.Ended,
		Reference: c.Approval})
}

func (e *Engine) Designate(now record.Time, series uint8, ordinal uint32) error {
	return e.done(now, series, 1, command.DesignateGame{Ordinal: ordinal})
}

func (e *Engine) BeginSeries(now record.Time, c command.BeginSeries) error {
	return e.done(now, 1, 1, c)
}

func (e *Engine) TakeInPools(now record.Time, b record.PoolsTakenIn) error {
	return e.done(now, b.Series, 1, command.TakeInPools{System: b.System, JackpotCents: b.JackpotCents.Cents(),
		BonusCents: b.BonusCents.Cents(), Reference: b.Approval})
}
