package house

import (
	"context"
	"time"

	"drawhouse/jackpot"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
)

// The methods below are the operator's. What they decide lies between games, or
// ahead of them, so each runs before everything that waits, like a step of the
// timetable.

// AdoptRulebook brings a rulebook into the journal, so that terms can name it.
func (h *House) AdoptRulebook(ctx context.Context, book *rulebook.Book) error {
	return h.do(ctx, func(m machine) error { return m.AdoptRulebook(h.now(), book) })
}

// ChangeTerms announces the rulebook and the schedule from a game on.
func (h *House) ChangeTerms(ctx context.Context, c record.TermsChanged) error {
	return h.do(ctx, func(m machine) error { return m.ChangeTerms(h.now(), c) })
}

// Designate announces a game of delayed start.
func (h *House) Designate(ctx context.Context, ordinal uint32) error {
	return h.do(ctx, func(m machine) error { return m.Designate(h.now(), Series, ordinal) })
}

// NameParticipants says who shares the jackpots from a game on.
func (h *House) NameParticipants(ctx context.Context, p record.ParticipantsNamed) error {
	return h.do(ctx, func(m machine) error { return m.NameParticipants(h.now(), p) })
}

// Report takes in what another jurisdiction says of a pooled jackpot.
func (h *House) Report(ctx context.Context, ordinal uint32, spots uint8, report jackpot.Report) error {
	return h.do(ctx, func(m machine) error { return m.Report(h.now(), Series, ordinal, spots, report) })
}

// ShareJackpots settles the pooled part of a game's jackpots.
func (h *House) ShareJackpots(ctx context.Context, ordinal uint32) error {
	return h.do(ctx, func(m machine) error { return m.ShareJackpots(h.now(), Series, ordinal) })
}

// MovePool moves jackpot money between games, as approved.
func (h *House) MovePool(ctx context.Context, spots uint8, move string, amount money.Amount, approval string) error {
	return h.do(ctx, func(m machine) error { return m.MovePool(h.now(), Series, spots, move, amount, approval) })
}

// BeginPromotion offers a prize beyond the schedules.
func (h *House) BeginPromotion(ctx context.Context, b record.PromotionBegun) error {
	return h.do(ctx, func(m machine) error { return m.BeginPromotion(h.now(), b) })
}

// ChangePromotion pauses a promotion, lets it go on, or ends it.
func (h *House) ChangePromotion(ctx context.Context, c record.PromotionChanged) error {
	return h.do(ctx, func(m machine) error { return m.ChangePromotion(h.now(), c) })
}

// Pause stops sale and draws of the games.
func (h *House) Pause(ctx context.Context, reason string, by uint32) error {
	return h.do(ctx, func(m machine) error { return m.Pause(h.now(), Series, reason, by) })
}

// Resume ends a pause.
func (h *House) Resume(ctx context.Context, by uint32) error {
	return h.do(ctx, func(m machine) error { return m.Resume(h.now(), Series, by) })
}

// AnnounceClosure tells players that trading ends early.
func (h *House) AnnounceClosure(ctx context.Context, at time.Time, by uint32) error {
	return h.do(ctx, func(m machine) error { return m.AnnounceClosure(h.now(), Series, record.Of(at), by) })
}
