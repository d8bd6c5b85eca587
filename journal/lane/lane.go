package lane

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"drawhouse/core/contain"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

var (
	// ErrBusy means that too many commands wait already. This one was not
	// accepted, and may be sent again later.
	ErrBusy = errors.New("too many commands are waiting")

	// ErrStopped means that the lane was closed or has failed before the command
	// was handed to the store. Nothing of it happened.
	ErrStopped = errors.New("the lane has stopped")

	// ErrStuck means that the lane has worked on one group for too long: the store does
	// not answer.
	ErrStuck = errors.New("the lane has not moved")

	// ErrUnknown means that the command was decided and that it is not known
	// whether it is stored.
	ErrUnknown = errors.New("the outcome is unknown")

	// ErrPanicked means that a command panicked. Nothing of it is stored, and the lane has
	// stopped, because the command may have left the engine half changed. The command is
	// not to be sent again: it would panic again. The error of those who stood beside it
	// wraps ErrStopped, too, and theirs may be sent again.
	ErrPanicked = errors.New("a command panicked")
)

// Engine is what a lane needs of the state machine that it owns. All its methods
// are called by one goroutine.
type Engine interface {
	// Take hands over everything that was decided since the last Take as one
	// batch, whose epoch the lane fills in. A batch without entries means that
	// there is nothing. Its bytes never change again: followers keep them. An
	// error, such as one of the signer of checkpoints, stops the lane.
	Take() (store.Batch, error)
}

// Build makes an engine of what a store holds up to head, and returns an error
// if that does not come to the head's root.
type Build[E Engine] func(ctx context.Context, head store.Head, stored store.Reader) (E, error)

const (
	defaultQueue = 4096
	defaultGroup = 1024

	// firstQueue bounds the commands of DoFirst that wait. They come from the owner of
	// the lane alone, which has few procedures. A further one waits for a place.
	firstQueue = 64
)

// Queue is one of the three queues of a lane. Each has places of its own.
type Queue uint8

// The queues, in the order in which a lane takes commands from them.
const (
	First    Queue = iota // the owner's own procedures, see DoFirst
	Soon                  // see DoSoon
	Ordinary              // see Do
	queues
)

// Options are the bounds of a lane and its follower. The zero value is good.
type Options struct {
	// Queue is how many commands of Do and DoMany may wait to be decided, and as many of
	// DoSoon beside them; one more is answered with ErrBusy. Group is how many are decided into one
	// batch, give or take what
	// DoMany decides at once. Zero stands for 4096 and 1024.
	Queue, Group int

	// OnCommit is called with each batch when it is durable and before any of
	// its commands is answered, in the order of the journal. The next batch waits
	// for it, so it should hand over and return. It must not change the batch,
	// and must not call the lane.
	OnCommit func(store.Batch)

	// OnGroup is called with each group that was committed, when everybody in it is
	// answered, for metrics. The same holds as for OnCommit.
	OnGroup func(Group)

	// OnPanic is called when the lane has stopped because of a panic, for the log.
	OnPanic func(*Panic)
}

// Group is what was decided and committed together.
type Group struct {
	Commands        int
	By              [queues]int   // of the commands, how many came by each queue
	Batch           store.Batch   // without entries if the commands led to no record
	Decided, Stored time.Duration // how long deciding took, and the commit
}

// Lane runs commands on an engine of type E.
type Lane[E Engine] struct {
	store   store.Store
	engine  E
	options Options
	epoch   uint64

	// first, soon and queue are the commands that wait, and held is one of first that
	// waits for the batch before it; only the lane's goroutine has to do with that.
	first, soon, queue chan *command[E]
	held               *command[E]
	places             chan struct{} // has an element for each command in first
	waiting            atomic.Int64  // the weight of what is in queue
	begun              atomic.Int64  // when the group under way began, in Unix nanoseconds; 0 for none
	closing            chan struct{} // closed when nothing is accepted any more; guarded by accepting but in the goroutine
	done               chan struct{} // closed when everybody is answered; guarded by accepting but in the goroutine

	// accepting is held for reading while a command is put into a queue, so that
	// nothing enters them once they are emptied for the last time.
	accepting sync.RWMutex
	closed    bool  // guarded by accepting; nothing is accepted
	running   bool  // guarded by accepting; the goroutine was started
	ended     bool  // guarded by accepting; the owner has closed the lane, for good
	whole     bool  // guarded by accepting; see Engine
	err       error // guarded by accepting; why the lane stopped by itself, or waits
}

// Open takes the store over, builds the engine, and starts the lane. The context
// is that of opening; the lane runs until Close.
//
// An earlier lane on the same store, here or in another process, is fenced from
// then on.
func Open[E Engine](ctx context.Context, st store.Store, build Build[E], options Options) (*Lane[E], error) {
	head, err := st.TakeOver(ctx)
	if err != nil {
		return nil, fmt.Errorf("lane: %w", err)
	}
	engine, err := build(ctx, head, st)
	if err != nil {
		return nil, fmt.Errorf("lane: building the engine at %d:%d: %w", head.Volume, head.Size, err)
	}
	l := newLane[E](options)
	l.start(st, head, engine)
	return l, nil
}

func newLane[E Engine](options Options) *Lane[E] {
	if options.Queue <= 0 {
		options.Queue = defaultQueue
	}
	if options.Group <= 0 {
		options.Group = defaultGroup
	}
	return &Lane[E]{
		options: options,
		first:   make(chan *command[E], firstQueue),
		places:  make(chan struct{}, firstQueue),
		soon:    make(chan *command[E], options.Queue),
		queue:   make(chan *command[E], options.Queue),
		closing: make(chan struct{}),
		done:    make(chan struct{}),
	}
}

// start starts the lane's goroutine behind a head.
func (l *Lane[E]) start(st store.Store, head store.Head, engine E) {
	l.store, l.engine, l.epoch, l.running = st, engine, head.Epoch, true
	l.begun.Store(0)
	whole := false // A panic of the lane itself leaves nothing whole.
	contain.Go("the lane", func() (err error) {
		whole, err = l.loop(record.Place{Volume: head.Volume, Seq: head.Size})
		return err
	}, func(err error) { l.end(whole, err) })
}

// Close stops accepting commands, waits until those accepted are answered, and
// returns why the lane had stopped by itself, if it had. If the context ends
// first, its error is returned, and the lane goes on to its end without being
// waited for. Close may be called several times. The store stays open.
func (l *Lane[E]) Close(ctx context.Context) error {
	l.accepting.Lock()
	l.ended = true
	l.halt(nil)
	done := l.done
	l.accepting.Unlock()
	select {
	case <-done:
		return l.Err()
	case <-ctx.Done():
		return fmt.Errorf("lane: closing: %w", context.Cause(ctx))
	}
}

// Waiting returns how many commands wait to be decided, and how many of Do may.
func (l *Lane[E]) Waiting() (commands, most int) {
	return len(l.first) + len(l.soon) + len(l.queue), cap(l.queue)
}

// Alive returns why the lane takes no commands, or ErrStuck when the group under way
// began longer ago than patience. It does not enter the lane.
func (l *Lane[E]) Alive(patience time.Duration) error {
	l.accepting.RLock()
	defer l.accepting.RUnlock()
	if l.closed {
		return l.whyStopped()
	}
	if begun := l.begun.Load(); begun != 0 {
		if since := time.Since(time.Unix(0, begun)); since > patience {
			return fmt.Errorf("lane: %w for %v", ErrStuck, since.Round(time.Millisecond))
		}
	}
	return nil
}

// Done is closed when the lane has stopped and answered everybody. A lane that has begun
// again after that has another one.
func (l *Lane[E]) Done() <-chan struct{} {
	l.accepting.RLock()
	defer l.accepting.RUnlock()
	return l.done
}

// Err returns why the lane stopped by itself. It is nil while the lane runs and
// after it was closed in good order.
func (l *Lane[E]) Err() error {
	l.accepting.RLock()
	defer l.accepting.RUnlock()
	return l.err
}

// stop ends the accepting of commands for good, for a reason or, by Close, for none.
func (l *Lane[E]) stop(err error) {
	l.accepting.Lock()
	defer l.accepting.Unlock()
	l.halt(err)
}

// halt is stop for a caller who holds l.accepting.
func (l *Lane[E]) halt(err error) {
	l.closed = true
	select {
	case <-l.closing:
	default:
		close(l.closing)
		if !l.running {
			l.err = nil // It waits no longer.
			close(l.done)
		}
	}
	if l.err == nil {
		l.err = err
	}
}
