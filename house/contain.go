package house

import (
	"context"
	"errors"
	"fmt"
	"time"

	"drawhouse/core/contain"
	"drawhouse/journal/lane"
	"drawhouse/journal/store"
)

// afterPanic is what a person does about a panic that was caught.
const afterPanic = "The program has a defect: keep the log, which has the stack, and report it."

// caught tells the log of a panic outside of the lane. The stack is told of the first, the
// second, the fourth and so on in one place: somebody may be able to have a request panic as
// often as he likes.
func (h *House) caught(p *contain.Panic) error {
	if n := h.config.Alarms.panicked(p.Where); n&(n-1) == 0 {
		h.config.Log.Error("a panic was caught", "where", p.Where, "times", n, "panic", p.Value, "stack",
			string(p.Stack))
	}
	return fmt.Errorf("house: %w", p)
}

// safely does something beside the commands of the lane. A panic in it is an error.
func (h *House) safely(where string, do func() error) error {
	err := contain.Do(where, do)
	if p := new(contain.Panic); errors.As(err, &p) {
		return h.caught(p)
	}
	return err
}

// Contain does something that may fail without anything else failing: a panic raises an
// alarm and is returned as an error, and the next time that it passes ends the alarm.
func (h *House) Contain(part Part, key string, do func() error) error {
	err := h.safely(key, do)
	switch {
	case errors.Is(err, contain.ErrPanicked):
		h.raisePanic(part, key, err, "")
	case err == nil:
		h.Clear(part, key)
	}
	return err
}

// raisePanic raises the alarm of a panic, with what else there is to say of it.
func (h *House) raisePanic(part Part, key string, err error, rest string) {
	h.Raise(part, key, fmt.Sprintf("A panic was caught in %s: %s", key, reason(err)), afterPanic+rest)
}

// Panicked raises the alarm that something panicked which was asked for from outside, and
// goes on. What it panicked with may be anything that was sent, and stands in the log alone.
func (h *House) Panicked(part Part, p *contain.Panic) {
	_ = h.caught(p)
	h.Raise(part, p.Where, "The program panicked at: "+p.Where+". Nothing else was touched.",
		afterPanic+" The alarm ends with the next start.")
}

// Go does work beside the house, until the context ends, on a goroutine of its own. Work that
// panics raises an alarm, and is begun again after a while: a defect does not end what the
// house needs done. The alarm stays until the work ends, for somebody to see it. What Go
// returns is closed then.
func (h *House) Go(ctx context.Context, part Part, key string, work func(context.Context)) <-chan struct{} {
	ended := make(chan struct{})
	contain.Go(key, func() error {
		for pause := retryLeast; ; pause = min(2*pause, retryMost) {
			err := h.safely(key, func() error { work(ctx); return nil })
			if err == nil {
				h.Clear(part, key)
				return nil
			}
			h.raisePanic(part, key, err, " It was begun again.")
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(pause):
			}
		}
	}, func(error) { close(ended) })
	return ended
}

// laneOptions are what the house wants to be told by its lane. What panics there must not
// stop the writing: the records are durable.
func (h *House) laneOptions() lane.Options {
	return lane.Options{
		OnCommit: func(b store.Batch) {
			if err := h.safely("following the journal", func() error { h.committed(b); return nil }); err != nil {
				// What follows may not see this batch, so that the alarm does not end by itself.
				h.Raise(PartReaders, "panic", "Readers may not see everything that is durable: "+reason(err),
					afterPanic+" Start the house again: readers are built from the journal.")
			}
		},
		OnGroup: func(g lane.Group) {
			_ = h.Contain(PartReaders, "counting what is done", func() error {
				h.logGames(g)
				if h.config.OnGroup != nil {
					h.config.OnGroup(g)
				}
				return nil
			})
		},
		OnPanic: func(p *lane.Panic) {
			h.config.Log.Error("a panic stopped the lane; the journal is opened anew behind what is durable",
				"in_store", p.InStore, "panic", p.Value, "stack", string(p.Stack))
			sentence := "A command panicked, and nothing of it was stored: "
			if p.InStore {
				sentence = "The storage panicked, and the house has read again what was stored: "
			}
			h.Raise(PartStorage, "panic", sentence+reason(p), afterPanic+" The alarm ends with the next start.")
		},
	}
}
