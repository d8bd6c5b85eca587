package house

import (
	"context"
	"errors"
	"time"

	"drawhouse/lane"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/staff"
	"drawhouse/state"
)

// Staff makes a change about people or places and returns its records, durable.
func (h *House) Staff(ctx context.Context, c staff.Command) ([]record.Body, error) {
	return lane.Do(ctx, h.lane, func(m machine) ([]record.Body, error) { return m.Staff(h.now(), c) })
}

// People lets a function look at who works in the house and where, as far as that is
// durable. The function must not keep what it looks at.
func (h *House) People(look func(*state.People)) {
	h.index.mu.RLock()
	defer h.index.mu.RUnlock()
	look(h.index.people)
}

// player is the house as its timetable plays it. A game that cannot open because
// whoever watches over it has just left is none: the timetable looks again, and waits
// for somebody to come.
type player struct{ *House }

// OpenGame puts a game on sale, if somebody watches over it.
func (p player) OpenGame(ctx context.Context, closes time.Time) error {
	return attended(p.House.OpenGame(ctx, closes))
}

// TurnGame closes the game on sale and opens the next, if somebody watches over it.
func (p player) TurnGame(ctx context.Context, closes time.Time) error {
	return attended(p.House.TurnGame(ctx, closes))
}

func attended(err error) error {
	var refused *refusal.Refusal
	if errors.As(err, &refused) && refused.Code == staff.NoSupervisor {
		return nil
	}
	return err
}
