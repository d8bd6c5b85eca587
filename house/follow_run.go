package house

import (
	"context"
	"errors"
	"fmt"
	"time"

	"drawhouse/journal/store"
)

const (
	// looking is the time between two looks at a journal whose store wakes nobody, and
	// lookingWoken where the store does: a wake may get lost, and the writer's signs of
	// life wake nobody.
	looking      = 25 * time.Millisecond
	lookingWoken = 250 * time.Millisecond
)

// waker is a store that can wait for its own change.
type waker interface {
	Changed(ctx context.Context, known store.Head) (store.Head, error)
}

// Run follows the journal until the context ends, whose error it returns, or the
// journal diverges. With a patience it also returns, with ErrSilent, when the writer
// has given no sign of life for so long; Run may then be called again. A house that has been
// the writer does not wait for one that has left in good order.
//
// A store that cannot be read is no reason to stop: what was shown stays, Standing says
// how old it is, and the log is told.
func (f *Follower) Run(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pause, wake := looking, make(chan struct{}, 1)
	if w, ok := f.shared.(waker); ok {
		pause = lookingWoken
		f.house.Go(ctx, PartFollower, "hearing of the journal", func(ctx context.Context) { f.listen(ctx, w, wake) })
	}
	f.hear() // Nobody is blamed for what was not listened to.
	tick := time.NewTicker(pause)
	defer tick.Stop()
	failing, looked := false, time.Now()
	for {
		err := f.house.Contain(PartFollower, "following the journal", func() error { return f.look(ctx) })
		if time.Since(looked) > patience/2 || failing {
			f.hear() // Who has not looked has not been listening.
		}
		looked = time.Now()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case fatal(err):
			f.diverge(err)
			return err
		case err != nil && !failing:
			f.house.config.Log.Warn("the journal cannot be read now; what is shown gets older", "error", err)
		case err == nil && failing:
			f.house.config.Log.Info("the journal can be read again")
		}
		failing = err != nil
		if err == nil && f.eager && f.hasLeft() {
			return fmt.Errorf("house: %w: it has left", ErrSilent)
		}
		if err == nil && patience > 0 && f.silence() > patience {
			return fmt.Errorf("house: %w for %v", ErrSilent, f.silence().Round(time.Millisecond))
		}
		select {
		case <-wake:
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// fatal reports whether an error is one of the journal and not of the way to it.
func fatal(err error) bool {
	return errors.Is(err, ErrDiverged) || errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrNotFound) ||
		errors.Is(err, store.ErrClosed)
}

// listen wakes the follower when the store says that there is more.
func (f *Follower) listen(ctx context.Context, w waker, wake chan<- struct{}) {
	var known store.Head
	for ctx.Err() == nil {
		var head store.Head
		err := f.house.Contain(PartFollower, "waiting for the journal", func() (err error) {
			head, err = w.Changed(ctx, known)
			return err
		})
		if err != nil {
			// The follower looks by itself meanwhile.
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
			continue
		}
		known = head
		select {
		case wake <- struct{}{}:
		default: // It has not looked since the last one.
		}
	}
}

// look takes up what there is, and notes who writes.
func (f *Follower) look(ctx context.Context) error {
	now, err := moment(ctx, f.shared)
	if err != nil {
		return err
	}
	present, err := f.shared.Present(ctx)
	if err != nil {
		return err
	}
	f.note(now.head(), present)
	if err := f.advance(ctx, now); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.level = time.Now()
	return nil
}

// note notes what the store says. Whatever changes is a sign of life.
func (f *Follower) note(head store.Head, present store.Presence) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if head.Epoch != f.head.Epoch || head.Volume != f.head.Volume || head.Size != f.head.Size || present != f.present {
		f.heard = time.Now()
	}
	f.head, f.present = head, present
}

func (f *Follower) hear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.heard = time.Now()
}

func (f *Follower) silence() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return time.Since(f.heard)
}

// hasLeft reports whether the writer has left in good order.
func (f *Follower) hasLeft() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.present.Epoch == f.head.Epoch && f.present.Beat == 0
}

func (f *Follower) diverge(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.diverged = err
	f.house.hub.Close() // A screen that is cut off shows that it is.
}

// TakeOver makes the follower the writer. It must not run meanwhile. The writer that it
// followed is fenced from then on, whatever its state; if another one has taken over
// since, the error wraps store.ErrFenced, nothing has happened, and the follower may go
// on to follow.
//
// Whether the keys are those of the volume is looked at before anything else: a
// follower that cannot write must not stop one that can.
func (f *Follower) TakeOver(ctx context.Context) error {
	err := f.takeOver(ctx)
	if err != nil && f.isHanded() {
		// It has begun to write, and cannot do what comes before the first command: it rests.
		f.house.lane.Fail(f.house.lane.Epoch(), err)
	}
	return err
}

func (f *Follower) takeOver(ctx context.Context) error {
	h := f.house
	keys, err := f.keys(f.engine.State().Volume())
	if err != nil {
		return err
	}
	if err := keys.check(f.engine.State().Volume()); err != nil {
		return err
	}
	if err := h.proveKey(heldKey{keyOfHouse, keys.House, keys.HouseVerifier}); err != nil {
		return err // It could write nothing, and would rest at the first record.
	}
	h.useKeys(keys)
	if err := h.setAnew(f.wasOurs()); err != nil {
		return err
	}
	if h.group == nil {
		h.group = h.newGroup()
	}
	epoch := f.epoch()
	h.rest.try(epoch + 1)
	head, err := f.shared.TakeOverFrom(ctx, epoch)
	if err != nil {
		return err
	}
	return f.succeed(ctx, head)
}

// succeed brings the house to the head of a journal that was taken over, and lets it
// write.
func (f *Follower) succeed(ctx context.Context, head store.Head) error {
	now, err := moment(ctx, f.shared)
	if err != nil {
		return err
	}
	if last := now.head(); last.Epoch != head.Epoch || last.Volume != head.Volume || last.Size != head.Size {
		return fmt.Errorf("house: %w: taken over at %d:%d, found %d:%d", store.ErrFenced, head.Volume, head.Size,
			last.Volume, last.Size)
	}
	if err := f.advance(ctx, now); err != nil {
		if diverged(err) {
			f.diverge(err)
		}
		return err
	}
	// A volume may have begun since the keys were looked at.
	if err := f.house.checkKeys(f.engine.State()); err != nil {
		return err
	}
	f.engine.SignWith(f.house.keys().House)
	h := f.house
	if err := h.askStanding(ctx); err != nil {
		return err // Before it takes a command.
	}
	f.handed.Store(true)
	f.mu.Lock()
	f.writes = true
	f.mu.Unlock()
	h.kept.built = f.engine
	if !h.lane.Begin(f.shared, head, f.engine) {
		return errors.New("house: it was closed while it took over")
	}
	if err := h.prepare(ctx); err != nil {
		return err
	}
	h.rest.over()
	h.Clear(PartStorage, alarmJournal)
	h.agreement.ended()
	h.startAgreeing()
	h.startWitnessing()
	h.startSnapshots()
	return nil
}
