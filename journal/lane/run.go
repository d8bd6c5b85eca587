package lane

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// end is the end of the lane's goroutine, which alone touches the engine.
func (l *Lane[E]) end(whole bool, err error) {
	if err != nil {
		l.stop(err)
		if p := new(Panic); errors.As(err, &p) {
			_ = told(l.options.OnPanic, p) // It has stopped already.
		}
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
		l.begun.Store(begun.UnixNano())
		if group, err = l.decide(group[:0], c); err == nil {
			batch, err = l.takeSafely(next)
		}
		if err != nil {
			// Nothing was handed to the store.
			l.stop(err)
			l.answerStopped(group, err)
			return false, err
		}
		decided := time.Now()
		var shown error
		if !isEmpty(&batch) {
			if err := l.commit(batch); err != nil {
				l.stop(err)
				answer(group, fmt.Errorf("lane: %w: %w", ErrUnknown, err))
				return true, err
			}
			next = record.Place{Volume: batch.Volume, Seq: batch.Size()}
			shown = told(l.options.OnCommit, batch)
		}
		stored := time.Since(decided)
		l.begun.Store(0)
		answer(group, nil)
		if shown == nil {
			shown = told(l.options.OnGroup,
				Group{Commands: len(group), By: byQueue(group), Batch: batch, Decided: decided.Sub(begun),
					Stored: stored})
		}
		if shown != nil {
			return false, shown // The readers may have half of the batch.
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
		return l.taken(c)
	case c := <-l.soon:
		return l.taken(c)
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
	for _, queue := range [...]chan *command[E]{l.first, l.soon, l.queue} {
		select {
		case c := <-queue:
			return l.taken(c)
		default:
		}
	}
	return nil
}

// taken notes that a command waits no longer.
func (l *Lane[E]) taken(c *command[E]) *command[E] {
	l.waiting.Add(-c.weight)
	if c.queue == First {
		<-l.places
	}
	return c
}

// byQueue counts the commands of a group by the queues that they came by.
func byQueue[E Engine](group []*command[E]) (by [queues]int) {
	for _, c := range group {
		by[c.queue]++
	}
	return by
}

// runOn runs the command. One that panics leaves an engine that nobody can
// trust: the lane has to stop, and what the engine has gathered is not stored. So it is with one that could not be
// signed when something of it was written.
func (c *command[E]) runOn(engine E) (err error) {
	defer func() {
		r := recover()
		if cause, ok := r.(error); ok && errors.Is(cause, journal.ErrUnsigned) {
			err = fmt.Errorf("lane: %w", cause) // No defect: the engine gives up, as where Take cannot sign.
		} else if r != nil {
			c.panicked = true
			err = panicked(r)
		}
	}()
	c.run(engine)
	return nil
}

// panicked returns what was recovered from a panic as an error.
func panicked(r any) *Panic { return &Panic{Value: fmt.Sprint(r), Stack: debug.Stack()} }

// A Panic is why a lane has stopped: ErrPanicked with its particulars.
type Panic struct {
	Value string
	Stack []byte // for the log
	// InStore says that the store panicked and no command. What was decided may be stored
	// or not: those who asked for it are told ErrUnknown.
	InStore bool
}

// Error says what panicked, and with what.
func (p *Panic) Error() string {
	if p.InStore {
		return fmt.Sprintf("lane: the store panicked: %s", p.Value)
	}
	return fmt.Sprintf("lane: %v: %s", ErrPanicked, p.Value)
}

// Unwrap returns ErrPanicked if it was a command that panicked.
func (p *Panic) Unwrap() error {
	if p.InStore {
		return nil
	}
	return ErrPanicked
}

// answerStopped answers a group of which nothing was handed to the store. The command that
// panicked is told so, and the others that the lane has stopped.
func (l *Lane[E]) answerStopped(group []*command[E], err error) {
	stopped := l.stopped()
	for _, c := range group {
		if c.panicked {
			c.answer <- err
			continue
		}
		c.answer <- stopped
	}
}

// takeSafely is take for an engine that may panic in it. No command of the group is to
// blame for that, as far as anybody knows.
func (l *Lane[E]) takeSafely(next record.Place) (b store.Batch, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked(r)
		}
	}()
	return l.take(next)
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
		return store.Batch{}, fmt.Errorf("lane: the engine's batch is at %d:%d, the journal at %v", b.Volume, b.From,
			next)
	}
	b.Epoch = l.epoch
	return b, nil
}

// isEmpty reports whether there is nothing to store. Objects alone are not
// nothing: the store refuses them, and they are not lost unnoticed.
func isEmpty(b *store.Batch) bool { return len(b.Entries) == 0 && len(b.Objects) == 0 }

// commit makes a batch durable. No caller's context ends it: half a
// commit cannot be called back.
// A store that panics has stored or has not: that is not known.
func (l *Lane[E]) commit(b store.Batch) (err error) {
	defer func() {
		if r := recover(); r != nil {
			p := panicked(r)
			p.InStore = true
			err = p
		}
	}()
	return l.store.Append(context.Background(), b)
}

// told calls a follower. One that panics does not keep the callers from their answers,
// because what they asked for is done. The lane stops behind them: nobody knows what the
// follower has seen.
func told[T any](follower func(T), of T) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked(r)
		}
	}()
	if follower != nil {
		follower(of)
	}
	return nil
}

func answer[E Engine](group []*command[E], err error) {
	for _, c := range group {
		c.answer <- err
	}
}
