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

// People returns who works in the house and where, as of the last commit. It never changes.
func (h *House) People() *state.People { return h.viewed().People() }
