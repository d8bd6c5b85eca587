package lane

import (
	"context"
	"fmt"
	"runtime/debug"

	"drawhouse/record"
)

// run is the lane's goroutine. It alone touches the engine.
func (l *Lane[E]) run(next record.Place) {
	if err := l.loop(next); err != nil {
		l.stop(err)
	}
	// Nothing is accepted any more, and what still waits does not happen.
	for c := l.poll(); c != nil; c = l.poll() {
		if c.begin() {
			c.answer <- l.stopped()
		}
	}
	close(l.done)
}

// loop runs whatever waits, commits it as one batch, and answers. It returns why
// the lane has to stop, or nil when it is closed and everything is answered.
func (l *Lane[E]) loop(next record.Place) error {
	var group []*command[E]
	for c := l.wait(); c != nil; c = l.wait() {
		group = group[:0]
		for ; c != nil; c = l.pollUnless(len(group) >= l.options.Group) {
			if !c.begin() {
				continue // Its caller has taken it back.
			}
			group = append(group, c)
			if err := c.runOn(l.engine); err != nil {
				l.stop(err)
				answer(group, l.stopped())
				return err
			}
		}
		if err := l.commit(&next); err != nil {
			l.stop(err)
			answer(group, fmt.Errorf("lane: %w: %w", ErrUnknown, err))
			return err
		}
		answer(group, nil)
		clear(group)
	}
	return nil
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
		return c
	case <-l.closing:
		return l.poll() // What was accepted before the end is still there.
	}
}

// poll returns the next command, or nil if none waits now.
func (l *Lane[E]) poll() *command[E] {
	select {
	case c := <-l.first:
		return c
	default:
	}
	select {
	case c := <-l.queue:
		return c
	default:
		return nil
	}
}

// pollUnless is poll unless the group is full.
func (l *Lane[E]) pollUnless(full bool) *command[E] {
	if full {
		return nil
	}
	return l.poll()
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

// commit makes durable what the engine has gathered, if anything, and shows it.
// next is where the journal's next record will stand.
func (l *Lane[E]) commit(next *record.Place) error {
	b, err := l.engine.Take()
	if err != nil {
		return fmt.Errorf("lane: taking a batch from the engine: %w", err)
	}
	if len(b.Entries) == 0 && len(b.Objects) == 0 {
		return nil
	}
	b.Epoch = l.epoch
	continues := b.Volume == next.Volume && b.From == next.Seq
	begins := b.Volume > next.Volume && b.From == 0
	if !continues && !begins {
		// The store would refuse it, but would call it another writer's work.
		return fmt.Errorf("lane: the engine's batch is at %d:%d, the journal at %v", b.Volume, b.From, *next)
	}
	// No caller's context ends an append: half a commit cannot be called back.
	if err := l.store.Append(context.Background(), b); err != nil {
		return err
	}
	*next = record.Place{Volume: b.Volume, Seq: b.Size()}
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
