package house

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"drawhouse/journal/store"
)

const (
	// beating is the time between two signs of life of a writer.
	beating = 500 * time.Millisecond

	// probing is how many signs of life there are to one look at the connection that
	// writes, and probeMost how long the look may take.
	probing   = 4
	probeMost = 10 * time.Second

	// listening is how long somebody who wants to write listens for another writer.
	listening = 3 * time.Second

	// leaving is how long the last sign of life may take.
	leaving = time.Second
)

// presence is what a writer says of itself.
type presence struct {
	beat atomic.Uint64
}

// prober is a store whose connection that writes can be lost while nothing is written.
type prober interface {
	// Probe returns why nothing could be written by the connection. A connection that is
	// at work is not disturbed.
	Probe(ctx context.Context) error
}

// Announce makes the house known to those who follow its journal, as the one that
// takes commands at an address, until the context ends. A house that finds that
// another one has taken over stops by that, also if nobody asks anything of it, and so
// does one whose connection is lost. What else goes wrong is told to the log, once:
// selling does not depend on it.
func (h *House) Announce(ctx context.Context, address string) {
	shared, ok := h.config.Store.(store.Shared)
	if !ok {
		return
	}
	epoch, silent := h.lane.Epoch(), false
	tick := time.NewTicker(beating)
	defer tick.Stop()
	for n := 1; ctx.Err() == nil; n++ {
		err := h.Contain(PartFollower, "giving signs of life", func() error { return h.beat(ctx, shared, epoch, address) })
		if errors.Is(err, store.ErrFenced) {
			h.lane.Fail(epoch, err)
			return
		}
		if failed := err != nil; failed != silent && ctx.Err() == nil {
			if silent = failed; failed {
				h.config.Log.Warn("followers cannot be told that this house is there, and may take over", "error", err)
			}
		}
		if n%probing == 0 && !h.probe(ctx, epoch) {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// beat gives a sign of life.
func (h *House) beat(ctx context.Context, shared store.Shared, epoch uint64, address string) error {
	return shared.Announce(ctx, store.Presence{Epoch: epoch, Beat: h.present.beat.Add(1), Address: address})
}

// probe looks at the connection that writes, and stops the lane if it is lost: nothing is
// under way, so that the house can rejoin its journal before anybody wants to buy.
func (h *House) probe(ctx context.Context, epoch uint64) bool {
	p, ok := h.config.Store.(prober)
	if !ok {
		return true
	}
	probing, cancel := context.WithTimeout(ctx, probeMost)
	defer cancel()
	err := p.Probe(probing)
	if err == nil || ctx.Err() != nil {
		return true
	}
	h.lane.Fail(epoch, fmt.Errorf("house: the connection that writes is lost: %w", err))
	return false
}

// leave says that the writer has left in good order, so that the next one need not listen
// for it. If that fails the next one listens.
func (h *House) leave(ctx context.Context, epoch uint64) {
	shared, ok := h.config.Store.(store.Shared)
	if !ok || epoch == 0 || h.present.beat.Load() == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, leaving)
	defer cancel()
	_ = shared.Announce(ctx, store.Presence{Epoch: epoch})
}

// whilePresent gives signs of life in an epoch until the function that it returns is
// called. They are those of a writer that takes no commands.
func (h *House) whilePresent(epoch uint64) (stop func()) {
	shared, ok := h.config.Store.(store.Shared)
	if !ok {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := h.Go(ctx, PartFollower, "giving signs of life while the journal is read", func(ctx context.Context) {
		for ctx.Err() == nil {
			_ = h.beat(ctx, shared, epoch, "") // What is written next finds out whether it matters.
			select {
			case <-time.After(beating):
			case <-ctx.Done():
			}
		}
	})
	return func() {
		cancel()
		<-done
	}
}

// Writer listens whether somebody writes a journal now, and returns who. It takes a few
// seconds unless the last writer has left in good order.
func Writer(ctx context.Context, shared store.Shared) (who store.Presence, alive bool, err error) {
	head, who, err := whoWrites(ctx, shared)
	if err != nil || head.Epoch == 0 || who.Epoch == 0 || who.Epoch == head.Epoch && who.Beat == 0 {
		return who, false, err
	}
	tick := time.NewTicker(beating / 2)
	defer tick.Stop()
	for began := time.Now(); time.Since(began) < listening; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return who, false, context.Cause(ctx)
		}
		now, present, err := whoWrites(ctx, shared)
		if err != nil {
			return who, false, err
		}
		left := present.Epoch == now.Epoch && present.Beat == 0
		if !left && (present != who || now.Epoch != head.Epoch || now.Volume != head.Volume || now.Size != head.Size) {
			return present, true, nil
		}
		if left {
			return present, false, nil
		}
	}
	return who, false, nil
}

func whoWrites(ctx context.Context, shared store.Shared) (store.Head, store.Presence, error) {
	head, err := shared.Head(ctx)
	if err != nil {
		return store.Head{}, store.Presence{}, err
	}
	present, err := shared.Present(ctx)
	return head, present, err
}
