package timetable

import (
	"context"
	"errors"
	"fmt"
	"time"

	"drawhouse/day"
)

// House is what the timetable asks of the house. Every method is durable when it
// returns nil.
type House interface {
	View(ctx context.Context) (View, error)
	OpenDay(ctx context.Context, d day.Day, offsetSeconds int32) error
	CloseDay(ctx context.Context) error
	OpenGame(ctx context.Context, closes time.Time) error
	CloseGame(ctx context.Context) error
	// TurnGame closes and seals the open game and opens the next, all or nothing.
	TurnGame(ctx context.Context, closes time.Time) error
	DrawNumber(ctx context.Context, ordinal uint32) error
	FinishDraw(ctx context.Context, ordinal uint32) error
	SettleGame(ctx context.Context, ordinal uint32) error
}

// Clock tells the time and waits for it.
type Clock interface {
	Now() time.Time
	// WaitUntil returns at the time t, or earlier with the error of ctx.
	WaitUntil(ctx context.Context, t time.Time) error
}

// ErrNotYet says that a step cannot be made now and may be later, such as a draw
// that waits for a witness. It is tried again.
var ErrNotYet = errors.New("not yet")

// retryAfter is how long to wait before a step is tried again.
const retryAfter = time.Second

// Run makes the steps that are due until ctx ends or a step fails. A step that
// fails is not tried again: the house has said no to the timetable's own view of
// it, and a person has to look.
func Run(ctx context.Context, c Config, house House, clock Clock) error {
	if err := c.Check(); err != nil {
		return err
	}
	for {
		view, err := house.View(ctx)
		if err != nil {
			return fmt.Errorf("timetable: %w", err)
		}
		now := clock.Now()
		if behind := view.Written.Sub(now); behind > clockTolerance {
			// Records would all be of the same time, and the games would wait for it.
			return fmt.Errorf("timetable: the clock says %v, and the newest record is of %v: %w", now.UTC(), view.Written.UTC(), ErrClock)
		}
		plan := c.Next(view, now)
		if plan.Step == Wait {
			if err := clock.WaitUntil(ctx, plan.Until); err != nil {
				return err
			}
			continue
		}
		err = c.do(ctx, house, plan, now)
		if errors.Is(err, ErrNotYet) {
			if err := clock.WaitUntil(ctx, now.Add(retryAfter)); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("timetable: %v: %w", plan.Step, err)
		}
	}
}

func (c Config) do(ctx context.Context, house House, p Plan, now time.Time) error {
	switch p.Step {
	case OpenDay:
		return house.OpenDay(ctx, p.Day, c.Offset(now))
	case OpenGame:
		return house.OpenGame(ctx, p.Closes)
	case TurnGame:
		return house.TurnGame(ctx, p.Closes)
	case CloseGame:
		return house.CloseGame(ctx)
	case DrawNumber:
		return house.DrawNumber(ctx, p.Ordinal)
	case FinishDraw:
		return house.FinishDraw(ctx, p.Ordinal)
	case SettleGame:
		return house.SettleGame(ctx, p.Ordinal)
	case CloseDay:
		return house.CloseDay(ctx)
	}
	return nil
}
