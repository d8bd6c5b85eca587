package timetable

import (
	"context"
	"errors"
	"fmt"
	"time"

	"drawhouse/core/day"
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

// Run makes the steps that are due until ctx ends or a step fails. A step that is not
// possible yet is tried again. What becomes of a step that fails is for the caller.
func Run(ctx context.Context, c Config, house House, clock Clock) error {
	if err := c.Check(); err != nil {
		return err
	}
	for {
		plan, err := Once(ctx, c, house, clock)
		if err != nil && plan.Step != Wait && errors.Is(err, ErrNotYet) {
			err = clock.WaitUntil(ctx, clock.Now().Add(retryAfter))
		}
		if err != nil {
			return err
		}
	}
}

// Due looks at the house and returns the step that is due. An error comes with the step
// Look.
func Due(ctx context.Context, c Config, house House, clock Clock) (Plan, error) {
	view, err := house.View(ctx)
	if err != nil {
		return Plan{Step: Look}, fmt.Errorf("timetable: %w", err)
	}
	now := clock.Now()
	if behind := view.Written.Sub(now); behind > clockTolerance {
		// Records would all be of the same time, and the games would wait for it.
		return Plan{Step: Look}, fmt.Errorf("timetable: the clock says %v, and the newest record is of %v: %w",
			now.UTC(), view.Written.UTC(), ErrClock)
	}
	return c.Next(view, now), nil
}

// Once makes the step that is due, or waits until one is. It returns the plan that it
// followed: an error with a plan that is Wait is one of the clock that waits, and an error
// with the step Look one of looking.
func Once(ctx context.Context, c Config, house House, clock Clock) (Plan, error) {
	plan, err := Due(ctx, c, house, clock)
	if err != nil {
		return plan, err
	}
	if plan.Step == Wait {
		return plan, clock.WaitUntil(ctx, plan.Until)
	}
	if err := c.do(ctx, house, plan, clock.Now()); err != nil {
		return plan, fmt.Errorf("timetable: %v: %w", plan.Step, err)
	}
	return plan, nil
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
