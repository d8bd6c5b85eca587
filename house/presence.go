package house

import (
	"context"
	"errors"
	"time"

	"drawhouse/store"
)

// beating is the time between two signs of life of a writer.
const beating = 500 * time.Millisecond

// Announce makes the house known to those who follow its journal, as the one that
// takes commands at an address, until the context ends. A house that finds that
// another one has taken over stops by that, also if nobody asks anything of it. What
// else goes wrong is told to the log, once: selling does not depend on it.
func (h *House) Announce(ctx context.Context, address string) {
	shared, ok := h.config.Store.(store.Shared)
	if !ok {
		return
	}
	tick := time.NewTicker(beating)
	defer tick.Stop()
	silent := false
	for beat := uint64(1); ctx.Err() == nil; beat++ {
		err := shared.Announce(ctx, store.Presence{Epoch: h.lane.Epoch(), Beat: beat, Address: address})
		if errors.Is(err, store.ErrFenced) {
			h.lane.Fail(err)
			return
		}
		if failed := err != nil; failed != silent && ctx.Err() == nil {
			if silent = failed; failed {
				h.config.Log.Warn("followers cannot be told that this house is there, and may take over", "error", err)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}
