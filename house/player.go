package house

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/games/draw/cage"
	"drawhouse/house/timetable"
)

// player is the house as its timetable plays it. The timetable looks at the house and
// then makes a step; in between somebody may have left, or the operator may have paused
// play, declared a draw void or closed the day. A step that was overtaken so is not the
// timetable's mistake: it looks again.
type player struct{ *Line }

// overtaking are the refusals of steps that somebody was faster than.
var overtaking = []refusal.Code{
	staff.NoSupervisor, game.IsPaused, game.GameNotReady, game.NoGameOpen, game.GameIsOpen,
	game.DayNotOpen, game.DayIsOpen, game.DayIsPast, game.GamesUnsettled, cage.NotRectified,
}

func overtaken(err error) error {
	var refused *refusal.Refusal
	if errors.As(err, &refused) && slices.Contains(overtaking, refused.Code) {
		return fmt.Errorf("%w: %w", timetable.ErrNotYet, err)
	}
	return err
}

// OpenDay begins a Keno Day.
func (p player) OpenDay(ctx context.Context, d day.Day, offsetSeconds int32) error {
	return overtaken(p.Line.OpenDay(ctx, d, offsetSeconds))
}

// CloseDay ends the Keno Day.
func (p player) CloseDay(ctx context.Context) error { return overtaken(p.Line.CloseDay(ctx)) }

// OpenGame puts a game on sale.
func (p player) OpenGame(ctx context.Context, closes time.Time) error {
	return overtaken(p.Line.OpenGame(ctx, closes))
}

// CloseGame closes the game on sale.
func (p player) CloseGame(ctx context.Context) error { return overtaken(p.Line.CloseGame(ctx)) }

// TurnGame closes the game on sale and opens the next.
func (p player) TurnGame(ctx context.Context, closes time.Time) error {
	return overtaken(p.Line.TurnGame(ctx, closes))
}

// DrawNumber draws the next number of a game.
func (p player) DrawNumber(ctx context.Context, ordinal uint32) error {
	return overtaken(p.sealRefused(p.Line.DrawNumber(ctx, ordinal)))
}

// FinishDraw has the device sign the numbers of a game.
func (p player) FinishDraw(ctx context.Context, ordinal uint32) error {
	return overtaken(p.sealRefused(p.Line.FinishDraw(ctx, ordinal)))
}

// SettleGame settles a drawn game.
func (p player) SettleGame(ctx context.Context, ordinal uint32) error {
	return overtaken(p.Line.SettleGame(ctx, ordinal))
}
