package house

import (
	"context"

	"drawhouse/lane"
	"drawhouse/record"
	"drawhouse/staff"
	"drawhouse/state"
)

// Staff makes a change about people or places and returns its records, durable.
func (h *House) Staff(ctx context.Context, c staff.Command) ([]record.Body, error) {
	return lane.DoSoon(ctx, h.lane, func(m machine) ([]record.Body, error) { return m.Staff(h.now(), c) })
}

// People lets a function look at who works in the house and where, as far as that is
// durable. The function must not keep what it looks at.
func (h *House) People(look func(*state.People)) {
	h.index.mu.RLock()
	defer h.index.mu.RUnlock()
	look(h.index.people)
}
