package lane

import (
	"context"
	"fmt"
	"sync/atomic"
)

// command is a function that waits to be run.
type command[E Engine] struct {
	run   func(E)
	begun atomic.Bool // see begin
	queue Queue       // by which it came
	// between says that the command is run with nothing pending, see DoBetween.
	between bool
	// panicked says that run did not come to its end. The lane's goroutine sets it before
	// it answers.
	panicked bool
	// weight is what the command counts in the bounds of the lane, see DoMany.
	weight int64
	// answer receives nil when the result of run stands, or why there is none. It
	// has room for the one answer, so that nobody waits for a caller who left.
	answer chan error
}

// begin reports whether the command is the asker's to run, or to take back. It
// is true for the one that asks first, the lane or the caller, and for nobody else.
func (c *command[E]) begin() bool { return c.begun.CompareAndSwap(false, true) }

// Do runs f on the lane's engine and returns its result once everything that f
// can have seen or made is durable. An error of f is a refusal: f must then have
// left the engine as it was. f runs alone with the engine, and must not keep it
// nor call the lane.
//
// Do returns ErrBusy, ErrStopped or ErrUnknown where these apply. If the context
// ends before f was run, its error is returned and f never runs; if it ends
// later, the error wraps ErrUnknown too.
func Do[E Engine, R any](ctx context.Context, l *Lane[E], f func(E) (R, error)) (R, error) {
	return do(ctx, l, &command[E]{queue: Ordinary, weight: 1}, f)
}

// DoMany is Do for a function that decides several things at once, such as the sales
// that a venue's controller has gathered. It counts as that many commands in the
// bounds of the queue and of a batch, so that these bound the time that a command
// waits, no matter who sends what. One that is above the bounds by itself is run alone.
func DoMany[E Engine, R any](ctx context.Context, l *Lane[E], count int, f func(E) (R, error)) (R, error) {
	return do(ctx, l, &command[E]{queue: Ordinary, weight: int64(max(count, 1))}, f)
}

// DoSoon is Do for what must not wait behind sales, such as a payment or an act of
// staff: it is run before everything that waits in Do, and has places of its own. When
// these are taken it returns ErrBusy.
func DoSoon[E Engine, R any](ctx context.Context, l *Lane[E], f func(E) (R, error)) (R, error) {
	return do(ctx, l, &command[E]{queue: Soon}, f)
}

// DoFirst is Do for the procedures of the lane's owner, such as the close of a game by
// the timetable: it is run before everything that waits in DoSoon and Do. It has places
// of its own, waits for one, and never returns ErrBusy. Nothing that a client can ask for
// as often as it likes may use it.
func DoFirst[E Engine, R any](ctx context.Context, l *Lane[E], f func(E) (R, error)) (R, error) {
	return do(ctx, l, &command[E]{queue: First}, f)
}

// DoBetween is DoFirst for what must be the first of its batch, such as the
// beginning of a volume: when f runs, everything that was decided before it is
// durable and was shown to OnCommit.
func DoBetween[E Engine, R any](ctx context.Context, l *Lane[E], f func(E) (R, error)) (R, error) {
	return do(ctx, l, &command[E]{queue: First, between: true}, f)
}

func do[E Engine, R any](ctx context.Context, l *Lane[E], c *command[E], f func(E) (R, error)) (R, error) {
	var (
		none, result R
		refusal      error
	)
	if err := ctx.Err(); err != nil {
		return none, fmt.Errorf("lane: %w", context.Cause(ctx))
	}
	c.run = func(e E) { result, refusal = f(e) }
	c.answer = make(chan error, 1)
	if err := l.enter(ctx, c); err != nil {
		return none, err
	}
	if err := c.wait(ctx); err != nil {
		return none, err
	}
	return result, refusal
}

// enter puts a command into its queue. One of the owner's waits for a place first.
func (l *Lane[E]) enter(ctx context.Context, c *command[E]) error {
	if c.queue == First {
		l.accepting.RLock()
		closing := l.closing
		l.accepting.RUnlock()
		select {
		case l.places <- struct{}{}:
		case <-ctx.Done():
			return fmt.Errorf("lane: %w", context.Cause(ctx))
		case <-closing:
			return l.stopped()
		}
	}
	err := l.accept(c)
	if err != nil && c.queue == First {
		<-l.places
	}
	return err
}

// accept puts a command into its queue, if there is room. In first there always is: the
// command has a place.
func (l *Lane[E]) accept(c *command[E]) error {
	l.accepting.RLock()
	defer l.accepting.RUnlock()
	if l.closed {
		return l.whyStopped()
	}
	queue := [...]chan *command[E]{First: l.first, Soon: l.soon, Ordinary: l.queue}[c.queue]
	if waiting := l.waiting.Add(c.weight); c.queue != Ordinary || waiting <= int64(l.options.Queue) ||
		waiting == c.weight {
		select {
		case queue <- c:
			return nil
		default:
		}
	}
	l.waiting.Add(-c.weight)
	return fmt.Errorf("lane: %w", ErrBusy)
}

// stopped returns ErrStopped with the reason.
func (l *Lane[E]) stopped() error {
	l.accepting.RLock()
	defer l.accepting.RUnlock()
	return l.whyStopped()
}

// whyStopped is stopped for a caller who holds l.accepting.
func (l *Lane[E]) whyStopped() error {
	if l.err != nil {
		return fmt.Errorf("lane: %w: %w", ErrStopped, l.err)
	}
	return fmt.Errorf("lane: %w", ErrStopped)
}

// wait returns nil when the result of the command stands.
func (c *command[E]) wait(ctx context.Context) error {
	select {
	case err := <-c.answer:
		return err
	case <-ctx.Done():
	}
	if c.begin() {
		return fmt.Errorf("lane: %w", context.Cause(ctx))
	}
	select {
	case err := <-c.answer: // It came at the same moment, and is worth more.
		return err
	default:
		return fmt.Errorf("lane: %w: %w", ErrUnknown, context.Cause(ctx))
	}
}
