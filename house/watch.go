package house

import (
	"context"
	"fmt"
	"sync"
	"time"

	"drawhouse/check/witness/wire"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Condition is how a house stands, for those who watch over it.
type Condition struct {
	Next    record.Place // of the next record
	Written time.Time    // when the last one was made
	OnSale  bool
	// Tickets are those in the games on sale, and Ways what they play there.
	Tickets, Ways uint64
	// Unsettled are the games that are closed and have no result yet.
	Unsettled int
	// Trial is what all balances add up to; anything but nothing is a fault.
	Trial money.Amount
}

// stuckAfter is how long the lane may work on one group before the house is not ready.
const stuckAfter = 3 * time.Second

// Condition returns how the house stands as of the last commit, or why its lane takes no
// commands. It does not enter the lane, so that those who watch hold nobody up.
func (h *House) Condition(context.Context) (Condition, error) {
	if err := h.lane.Alive(stuckAfter); err != nil {
		return Condition{}, err
	}
	return h.viewed().condition, nil
}

// Waiting returns how many commands wait for the lane, and how many may.
func (h *House) Waiting() (commands, most int) { return h.lane.Waiting() }

// Streams returns how many clients follow the feed.
func (h *House) Streams() int { return h.hub.Streams() }

// FeedErr returns why readers cannot follow the journal any more, if so.
func (h *House) FeedErr() error { return h.hub.Err() }

// ClockErr returns why the house's clock cannot be trusted, if it knows.
func (h *House) ClockErr() error {
	if c, ok := h.config.Clock.(interface{ Err() error }); ok {
		return c.Err()
	}
	return nil
}

// Ping asks the store how far its journal goes, and holds the answer against what was
// last written: what is durable is there.
func (h *House) Ping(ctx context.Context, next record.Place) error {
	head, err := h.config.Store.Head(ctx)
	if err != nil {
		return err
	}
	if head.Volume < next.Volume || head.Volume == next.Volume && head.Size < next.Seq {
		return fmt.Errorf("house: the store ends at %d:%d, and the journal was at %v", head.Volume, head.Size, next)
	}
	return nil
}

// DeviceErr returns why the device could not draw now, as far as that can be known
// without a draw.
func (h *House) DeviceErr(ctx context.Context) error {
	if d, ok := h.config.Device.(interface{ Ping(context.Context) error }); ok {
		return d.Ping(ctx)
	}
	return nil
}

// WitnessSigns is what is known of a witness.
type WitnessSigns struct {
	Name     string
	Key      string // of its cosignatures
	Required bool
	Draws    bool      // no game is drawn without it: it is required, or watches the public log alone
	At       time.Time // of its last cosignature in this process; zero for none
	Err      error     // why it did not sign when it was asked last
	Since    time.Time // when it first did not
}

// witnessSigns remembers what became of asking witnesses.
type witnessSigns struct {
	mu  sync.Mutex // guards all
	all map[string]WitnessSigns
}

// note takes in that a witness has signed, or why not, and reports whether that is a
// reason that was not known.
func (w *witnessSigns) note(name string, at time.Time, err error) (news bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[string]WitnessSigns{}
	}
	signs := w.all[name]
	switch {
	case err == nil:
		signs.At, signs.Since = at, time.Time{}
	case signs.Err == nil:
		signs.Since, news = at, true
	default:
		news = signs.Err.Error() != err.Error()
	}
	signs.Err = err
	w.all[name] = signs
	return news
}

// Witnesses returns what is known of each witness, in the order in which they are
// configured.
func (h *House) Witnesses() []WitnessSigns {
	h.signs.mu.Lock()
	defer h.signs.mu.Unlock()
	var all []WitnessSigns
	for _, m := range h.config.Witnesses.Members {
		signs := h.signs.all[m.Witness.Name()]
		signs.Name, signs.Key, signs.Required = m.Witness.Name(), m.Witness.String(), m.Policy == wire.Required
		signs.Draws = signs.Required || m.Policy == wire.LogOnly
		all = append(all, signs)
	}
	return all
}
