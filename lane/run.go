package lane

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"drawhouse/record"
	"drawhouse/store"
)

// run is the lane's goroutine. It alone touches the engine.
func (l *Lane[E]) run(next record.Place) {
	whole, err := l.loop(next)
	if err != nil {
		l.stop(err)
	}
	l.accepting.Lock()
	l.whole = whole
	l.accepting.Unlock()
	// Nothing is accepted any more, and what still waits does not happen.
	for c := l.poll(); c != nil; c = l.poll() {
		if c.begin() {
			c.answer <- l.stopped()
		}
	}
	close(l.done)
}

// loop runs whatever waits, commits it as one batch, and answers. next is where
// the journal's next record will stand. It returns why the lane has to stop, or
// nil when it is closed and everything is answered, and whether the engine is whole.
func (l *Lane[E]) loop(next record.Place) (whole bool, _ error) {
	var group []*command[E]
	for c := l.wait(); c != nil; c = l.wait() {
		var (
			batch store.Batch
			err   error
			begun = time.Now()
		)
		if group, err = l.decide(group[:0], c); err == nil {
			batch, err = l.take(next)
		}
		if err != nil {
			// Nothing was handed to the store.
			l.stop(err)
			answer(group, l.stopped())
			return false, err
		}
		decided := time.Now()
		if !isEmpty(&batch) {
			if err := l.commit(batch); err != nil {
				l.stop(err)
				answer(group, fmt.Errorf("lane: %w: %w", ErrUnknown, err))
				return true, err
			}
			next = record.Place{Volume: batch.Volume, Seq: batch.Size()}
		}
		stored := time.Since(decided)
		answer(group, nil)
		if l.options.OnGroup != nil {
			l.options.OnGroup(Group{Commands: len(group), Batch: batch, Decided: decided.Sub(begun), Stored: stored})
		}
		clear(group) // So that a long group does not keep its callers alive.
	}
	return true, nil
}

// decide runs a command and those that wait behind it, and returns the ones that
// ran, up to the first that left the engine broken.
func (l *Lane[E]) decide(group []*command[E], c *command[E]) ([]*command[E], error) {
	for weight := int64(0); c != nil; c = l.poll() {
		if c.between && len(group) > 0 {
			l.held = c // It begins the next group.
			break
		}
		if !c.begin() {
			continue // Its caller has taken it back.
		}
		group = append(group, c)
		if err := c.runOn(l.engine); err != nil {
			return group, err
		}
		if weight += max(c.weight, 1); weight >= int64(l.options.Group) {
			break
		}
	}
	return group, nil
}

// wait returns the next command, or nil when there will be none.
func (l *Lane[E]) wait() *command[E] {
	if c := l.poll(); c != nil {
		return c
	}
	select {
	case c := <-l.first:
		return c
	case c := <-l.queue:
		return l.taken(c)
	case <-l.closing:
		return l.poll() // What was accepted before the end is still there.
	}
}

// poll returns the next command, or nil if none waits now.
func (l *Lane[E]) poll() *command[E] {
	if c := l.held; c != nil {
		l.held = nil
		return c
	}
	select {
	case c := <-l.first:
		return c
	default:
	}
	select {
	case c := <-l.queue:
		return l.taken(c)
	default:
		return nil
	}
}

// taken notes that a command waits no longer.
func (l *Lane[E]) taken(c *command[E]) *command[E] {
	l.waiting.Add(-c.weight)
	return c
}

// runOn runs the command. One that panics leaves an engine that nobody can
// trust: the lane has to stop, and what the engine has gathered is not stored.
func (c *command[E]) runOn(engine E) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("lane: a command panicked: %v\n%s", r, debug.Stack())
		}
	}()
	c.run(engine)
	return nil
}

// take returns what the engine has gathered.
func (l *Lane[E]) take(next record.Place) (store.Batch, error) {
	b, err := l.engine.Take()
	if err != nil {
		return store.Batch{}, fmt.Errorf("lane: %w", err)
	}
	continues := b.Volume == next.Volume && b.From == next.Seq
	begins := b.Volume > next.Volume && b.From == 0
	if !isEmpty(&b) && !continues && !begins {
		// The store would refuse it, but would call it another writer's work.
		return store.Batch{}, fmt.Errorf("lane: the engine's batch is at %d:%d, the journal at %v", b.Volume, b.From, next)
	}
	b.Epoch = l.epoch
	return b, nil
}

// isEmpty reports whether there is nothing to store. Objects alone are not
// nothing: the store refuses them, and they are not lost unnoticed.
func isEmpty(b *store.Batch) bool { return len(b.Entries) == 0 && len(b.Objects) == 0 }

// commit makes a batch durable and shows it. No caller's context ends it: half a
// commit cannot be called back.
func (l *Lane[E]) commit(b store.Batch) error {
	if err := l.store.Append(context.Background(), b); err != nil {
		return err
	}
	if l.options.OnCommit != nil {
		l.options.OnCommit(b)
	}
	return nil
}

func answer[E Engine](group []*command[E], err error) {
	for _, c := range group {
		c.answer <- err
	}
}
