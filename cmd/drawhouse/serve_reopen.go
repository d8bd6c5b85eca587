package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/store"
)

const (
	// reopenFirst and reopenMost are the first and the longest time between two attempts to
	// open the journal again.
	reopenFirst = time.Second
	reopenMost  = 30 * time.Second

	// unheard is how long a house that was taken over from listens for the writer that took
	// over, where --takeover does not say. A command that begins a volume takes over as well,
	// says when it is done, and may be killed before.
	unheard = 10 * time.Second
)

// openHouse opens a house. A token that is away at the start is waited for: it would count the PIN of every further
// start as a try, if the PIN is wrong.
func openHouse(ctx context.Context, config house.Config) (*house.House, error) {
	for pause := reopenFirst; ; pause = min(2*pause, reopenMost) {
		h, err := house.Open(ctx, config)
		if !errors.Is(err, journal.ErrUnsigned) {
			return h, err
		}
		config.Log.Error("the key of the house does not sign, and the start waits for it", "error", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// live has the house write, follow and rest, until it is told to stop or its server ends,
// and then brings everything to an end in good order. Nothing that the storage does ends
// the process.
func (r *running) live(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.house.Go(ctx, house.PartInterface, "waiting for the servers", func(ctx context.Context) {
		select {
		case err := <-r.served:
			cancel(&serverError{err})
		case <-ctx.Done():
		}
	})
	stopKeeping := r.LastCheckpoint.keepOf(r.house)
	defer stopKeeping() // When everything is closed, and nothing comes any more.
	if r.Follow {
		r.follow(ctx)
	}
	for ctx.Err() == nil {
		if err := r.play(ctx); err != nil {
			return r.end(err)
		}
		if ctx.Err() == nil {
			r.rejoin(ctx)
		}
	}
	if failed := new(serverError); errors.As(context.Cause(ctx), &failed) {
		return r.end(failed)
	}
	r.log.Info("stopping", "within", r.StopWithin)
	return r.end(nil)
}

// serverError means that a server has stopped.
type serverError struct{ err error }

func (e *serverError) Error() string { return fmt.Sprintf("the server has stopped: %v", e.err) }

// Unwrap returns why.
func (e *serverError) Unwrap() error { return e.err }

// rejoin has a house whose lane has stopped open its journal again, until it writes or the
// context ends. The log is told of every reason once, and not of every attempt.
func (r *running) rejoin(ctx context.Context) {
	reason := r.house.Rest()
	if reason == nil {
		return // It was closed.
	}
	r.log.Error("the journal cannot be written; this house takes no commands, shows what is durable, and opens the journal again", "error", reason)
	began, said := time.Now(), ""
	for pause := reopenFirst; ctx.Err() == nil; pause = min(2*pause, reopenMost) {
		err := r.house.Rejoin(ctx)
		switch {
		case err == nil:
			r.log.Warn("this house writes its journal again", "after", time.Since(began).Round(time.Millisecond))
			return
		case errors.Is(err, store.ErrFenced):
			r.log.Warn("another process writes this journal now, and this house follows it", "error", err)
			if r.follow(ctx) {
				return
			}
			pause, said = reopenFirst, ""
		case isHopeless(err):
			r.rest(ctx, err)
			return
		case withoutNumbers(err) != said && ctx.Err() == nil:
			said = withoutNumbers(err)
			r.log.Error("the journal cannot be opened again; this house tries on", "error", err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// isHopeless reports whether trying again is of no use, or worse.
func isHopeless(err error) bool {
	return errors.Is(err, house.ErrDiverged) || errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrUnsynced)
}

// rest waits for somebody to stop a house that must not go on by itself.
func (r *running) rest(ctx context.Context, err error) {
	remedy := "Do not start it on this journal. Find out who has changed the journal; restore it from a backup or a standby, and hold it against a checkpoint that was kept elsewhere (docs/RUNBOOK.md, A house that rests)."
	if errors.Is(err, store.ErrUnsynced) {
		remedy = "Look at the disk and its cables; exchange the disk if it fails. Then start the house again: it goes on where its journal ends (docs/RUNBOOK.md, A house that rests)."
	}
	r.log.Error("THIS HOUSE DOES NOT GO ON BY ITSELF, and takes no commands", "error", err, "remedy", remedy)
	<-ctx.Done()
}

var numbers = regexp.MustCompile(`[0-9]+`)

// withoutNumbers returns an error without ports and times, which are others each time.
func withoutNumbers(err error) string { return numbers.ReplaceAllString(err.Error(), "") }

// patience is how long this house, when it follows, listens for the writer.
func (r *running) patience() time.Duration {
	if r.Takeover > 0 || r.Follow {
		return r.Takeover
	}
	return unheard
}

// mayTakeOver reports whether this house may be the writer after the one that it follows.
// Without --takeover it succeeds nobody who takes commands somewhere and is only silent: a
// person has put that house in the place of this one.
func (r *running) mayTakeOver(f *house.Follower) bool {
	return r.Takeover > 0 || f.Standing().Writer.Address == ""
}

// follow follows the journal that another process writes, until this house has taken over,
// which it reports, or has to rest, or the context ends.
func (r *running) follow(ctx context.Context) (writes bool) {
	silent := false
	for ctx.Err() == nil {
		f := r.house.Follower()
		err := f.Run(ctx, r.patience())
		switch {
		case ctx.Err() != nil:
			return false
		case !errors.Is(err, house.ErrSilent):
			r.rest(ctx, err)
			return false
		case !r.mayTakeOver(f):
			if !silent {
				r.log.Error("the house that has taken over is silent, and this one was not told to succeed it (--takeover)",
					"writer", f.Standing().Writer.Address)
			}
			silent = true
			continue
		}
		err = r.takeOver(ctx, f)
		if err == nil {
			return true
		}
		if ctx.Err() == nil {
			r.log.Error("this house has not taken over", "error", err)
		}
		select {
		case <-r.house.Done():
			return false // It has begun to write, and could not go on.
		case <-ctx.Done():
		default: // Another follower was faster, or this one cannot: it goes on as it was.
		}
	}
	return false
}

// takeOver makes the house the writer, and says how long that took.
func (r *running) takeOver(ctx context.Context, f *house.Follower) error {
	writer, began := f.Standing().Writer, time.Now()
	r.log.Warn("the writer is silent: taking over", "writer", writer.Address, "epoch", writer.Epoch, "after",
		r.patience())
	if err := r.house.Contain(house.PartFollower, "taking over", func() error { return f.TakeOver(ctx) }); err != nil {
		return err
	}
	r.log.Warn("this house writes now", "took", time.Since(began).Round(time.Millisecond), "address", r.at)
	return nil
}
