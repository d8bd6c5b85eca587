package house

import (
	"errors"
	"fmt"
	"runtime/debug"

	"drawhouse/lane"
	"drawhouse/store"
)

// errPanicked is a panic that was caught outside of the lane.
var errPanicked = errors.New("the program panicked")

// afterPanic is what a person does about a panic that was caught.
const afterPanic = "The program has a defect: keep the log, which has the stack, and report it."

// caught logs a panic with its stack and returns it as an error.
func (h *House) caught(where string, r any) error {
	h.config.Log.Error("a panic was caught", "where", where, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
	return fmt.Errorf("house: %w in %s: %v", errPanicked, where, r)
}

// safely does something beside the commands of the lane. A panic in it is an error.
func (h *House) safely(where string, do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = h.caught(where, r)
		}
	}()
	return do()
}

// contained does something that may fail without anything else failing: an error or a
// panic raises an alarm, and the next time that it passes ends the alarm.
func (h *House) contained(part Part, key string, do func() error) error {
	err := h.safely(key, do)
	switch {
	case errors.Is(err, errPanicked):
		h.Raise(part, key, fmt.Sprintf("A panic was caught in %s: %s", key, reason(err)), afterPanic)
	case err == nil:
		h.Clear(part, key)
	}
	return err
}

// laneOptions are what the house wants to be told by its lane. What panics there must not
// stop the writing: the records are durable.
func (h *House) laneOptions() lane.Options {
	return lane.Options{
		OnCommit: func(b store.Batch) {
			if err := h.safely("following the journal", func() error { h.committed(b); return nil }); err != nil {
				// What follows may not see this batch, so that the alarm does not end by itself.
				h.Raise(PartReaders, "panic", "Readers may not see everything that is durable: "+reason(err), afterPanic+" Start the house again: readers are built from the journal.")
			}
		},
		OnGroup: func(g lane.Group) {
			_ = h.contained(PartReaders, "counting what is done", func() error {
				if h.config.OnGroup != nil {
					h.config.OnGroup(g)
				}
				return nil
			})
		},
		OnPanic: func(p *lane.Panic) {
			h.config.Log.Error("a command panicked; the journal is opened anew behind what is durable", "panic", p.Value, "stack", string(p.Stack))
			h.Raise(PartStorage, "panic", "A command panicked, and nothing of it was stored: "+reason(p), afterPanic+" The alarm ends with the next start.")
		},
	}
}
