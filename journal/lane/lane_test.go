package lane_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/store"
	"drawhouse/journal/store/storetest"
)

// gate is a store whose appends wait for the test: it sends each batch to at and
// goes on as the test then says.
type gate struct {
	*storetest.Faulty
	disk *storetest.Disk
	at   chan store.Batch
	then chan storetest.Fault
}

func newGate() *gate {
	g := &gate{disk: storetest.NewDisk(), at: make(chan store.Batch), then: make(chan storetest.Fault)}
	g.Faulty = storetest.NewFaulty(storetest.OpenMemory(g.disk), func(b store.Batch) storetest.Fault {
		g.at <- b
		return <-g.then
	})
	return g
}

// pass lets the append that waits go on, and returns how many records it had.
func (g *gate) pass(fault storetest.Fault) int {
	b := <-g.at
	g.then <- fault
	synctest.Wait()
	return len(b.Entries)
}

// answer is what a call that runs beside the test returned.
type answer struct {
	total int
	err   error
}

// beside makes a call and returns where its answer will be. When it returns, the
// call has gone as far as it can.
func beside(call func() (int, error)) <-chan answer {
	answers := make(chan answer, 1)
	go func() {
		total, err := call()
		answers <- answer{total, err}
	}()
	synctest.Wait()
	return answers
}

func adding(t *testing.T, l *lane.Lane[*counter], n int) <-chan answer {
	return beside(func() (int, error) { return add(t.Context(), l, n) })
}

// unanswered fails if a call has returned already.
func unanswered(t *testing.T, what string, answers <-chan answer) {
	t.Helper()
	select {
	case a := <-answers:
		t.Errorf("%s was answered too early: %+v", what, a)
	default:
	}
}

// expect fails unless a call has returned this.
func expect(t *testing.T, what string, answers <-chan answer, total int, err error) {
	t.Helper()
	select {
	case a := <-answers:
		if a.total != total || !errors.Is(a.err, err) {
			t.Errorf("%s: %d, %v; want %d, %v", what, a.total, a.err, total, err)
		}
	default:
		t.Errorf("%s is not answered; want %d, %v", what, total, err)
	}
}

// start opens a lane on a store.
func start(t *testing.T, st store.Store, options lane.Options) *lane.Lane[*counter] {
	t.Helper()
	l, err := lane.Open(t.Context(), st, buildCounter, options)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestAnsweredWhenDurable: no answer before its commit, and none held up by a
// later one. What arrives during a commit is the next batch.
func TestAnsweredWhenDurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		l := start(t, g, lane.Options{})
		one := adding(t, l, 1)
		two := adding(t, l, 2)
		three := adding(t, l, 3)
		unanswered(t, "the first", one)
		if n := g.pass(storetest.NoFault); n != 1 {
			t.Errorf("the first batch has %d records, want 1", n)
		}
		expect(t, "the first", one, 1, nil)
		unanswered(t, "the second", two)
		unanswered(t, "the third", three)
		if n := g.pass(storetest.NoFault); n != 2 {
			t.Errorf("the second batch has %d records, want 2", n)
		}
		expect(t, "the second", two, 3, nil)
		expect(t, "the third", three, 6, nil)
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestRefusalsWait: a refusal and a question may rest on records of their batch
// that are not durable yet, and wait for them.
func TestRefusalsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		l := start(t, g, lane.Options{})
		expect(t, "a refusal with nothing before it", adding(t, l, -1), 0, errRefused)

		one := adding(t, l, 1)
		two := adding(t, l, 2) // These three wait for the first commit,
		refused := adding(t, l, -1)
		asked := beside(func() (int, error) { return total(t.Context(), l) })
		g.pass(storetest.NoFault) // and are decided after it.
		expect(t, "the first", one, 1, nil)
		unanswered(t, "the refusal", refused)
		unanswered(t, "the question", asked)
		g.pass(storetest.NoFault)
		expect(t, "the second", two, 3, nil)
		expect(t, "the refusal", refused, 0, errRefused)
		expect(t, "the question", asked, 3, nil)

		one = adding(t, l, 1)
		two = adding(t, l, 2)
		refused = adding(t, l, -1)
		g.pass(storetest.NoFault)
		asked = beside(func() (int, error) { return total(t.Context(), l) })
		g.pass(storetest.BeforeCommit)
		expect(t, "what was stored", one, 4, nil)
		expect(t, "what was lost", two, 0, lane.ErrUnknown)
		expect(t, "a refusal that saw what was lost", refused, 0, lane.ErrUnknown)
		expect(t, "a question that never ran", asked, 0, lane.ErrStopped)
		<-l.Done()
	})
}

// TestFailedCommit: the lane stops for good, its batch is unknown, what was not
// handed over did not happen, and a new lane goes on from what is stored.
func TestFailedCommit(t *testing.T) {
	for _, c := range []struct {
		fault  storetest.Fault
		stored int
	}{{storetest.BeforeCommit, 1}, {storetest.AfterCommit, 3}} {
		synctest.Test(t, func(t *testing.T) {
			g := newGate()
			l := start(t, g, lane.Options{})
			one := adding(t, l, 1)
			g.pass(storetest.NoFault)
			expect(t, "the first", one, 1, nil)

			two, four := adding(t, l, 2), adding(t, l, 4)
			g.pass(c.fault)
			expect(t, "the second", two, 0, lane.ErrUnknown)
			expect(t, "the third", four, 0, lane.ErrStopped)
			<-l.Done()
			if err := l.Err(); !errors.Is(err, storetest.ErrFault) {
				t.Errorf("the lane stopped for %v", err)
			}
			expect(t, "one after the end", adding(t, l, 8), 0, lane.ErrStopped)
			if err := l.Close(t.Context()); !errors.Is(err, storetest.ErrFault) {
				t.Errorf("closing what has failed: %v", err)
			}

			l = start(t, g, lane.Options{})
			if got, err := total(t.Context(), l); err != nil || got != c.stored {
				t.Errorf("fault %d: the next lane begins at %d, %v; want %d", c.fault, got, err, c.stored)
			}
			next := adding(t, l, 10)
			g.pass(storetest.NoFault)
			expect(t, "the next lane", next, c.stored+10, nil)
			if err := l.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBusy: beyond the queue's room nothing is accepted, and what was refused
// never runs.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		l := start(t, g, lane.Options{Queue: 3, Group: 2})
		var accepted []<-chan answer
		for range 4 { // One being committed, three waiting.
			accepted = append(accepted, adding(t, l, 1))
		}
		for range 4 {
			expect(t, "one too many", adding(t, l, 100), 0, lane.ErrBusy)
		}
		for _, want := range []int{1, 2, 1} {
			if n := g.pass(storetest.NoFault); n != want {
				t.Errorf("a batch of %d, want %d", n, want)
			}
		}
		for i, answers := range accepted {
			expect(t, fmt.Sprint("accepted ", i), answers, i+1, nil)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestDoMany: a command that decides several things counts as so many where the queue
// and the batch are bounded, and one that is above the bounds by itself still runs.
func TestDoMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		l := start(t, g, lane.Options{Queue: 3, Group: 2})
		many := func(count int) <-chan answer {
			return beside(func() (int, error) {
				return lane.DoMany(t.Context(), l, count, func(c *counter) (int, error) { return c.add(0, 0, 1) })
			})
		}
		committing, waiting := many(100), many(2)
		expect(t, "two where there is room for one", many(2), 0, lane.ErrBusy)
		last := many(1)
		expect(t, "one too many", many(1), 0, lane.ErrBusy)
		for _, want := range []int{1, 1, 1} {
			if n := g.pass(storetest.NoFault); n != want {
				t.Errorf("a batch of %d, want %d", n, want)
			}
		}
		for i, answers := range []<-chan answer{committing, waiting, last} {
			expect(t, fmt.Sprint("accepted ", i), answers, i+1, nil)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestDoFirst: it runs before all that waits, though that came earlier.
func TestDoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		l := start(t, g, lane.Options{Group: 1})
		var order []string
		named := func(name string, do func(context.Context, *lane.Lane[*counter], func(*counter) (int, error)) (int,
			error)) <-chan answer {
			return beside(func() (int, error) {
				return do(t.Context(), l, func(c *counter) (int, error) {
					order = append(order, name)
					return c.add(0, 0, 1)
				})
			})
		}
		var all []<-chan answer
		for _, name := range []string{"committed", "waiting", "waiting too"} {
			all = append(all, named(name, lane.Do[*counter, int]))
		}
		for _, name := range []string{"close", "draw"} {
			all = append(all, named(name, lane.DoFirst[*counter, int]))
		}
		for range all {
			g.pass(storetest.NoFault)
		}
		if got := strings.Join(order, ", "); got != "committed, close, draw, waiting, waiting too" {
			t.Errorf("ran %s", got)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestDoBetween: it is the first of its batch, however much is being decided, and
// finds all that came before it durable. What waits behind it is of its batch.
func TestDoBetween(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		l := start(t, g, lane.Options{})
		one := adding(t, l, 1) // It is being committed, and the others wait.
		var inside <-chan answer
		two := beside(func() (int, error) {
			return lane.DoFirst(t.Context(), l, func(c *counter) (int, error) {
				inside = between(t, l, 4) // It arrives while its group is decided.
				return c.add(0, 0, 2)
			})
		})
		three := adding(t, l, 8)
		g.pass(storetest.NoFault)
		expect(t, "the first", one, 1, nil)
		if n := g.pass(storetest.NoFault); n != 1 {
			t.Errorf("a batch of %d before the one between, want 1", n)
		}
		expect(t, "the second", two, 3, nil)
		unanswered(t, "the one between", inside)
		if n := g.pass(storetest.NoFault); n != 2 {
			t.Errorf("the batch of the one between has %d, want 2", n)
		}
		expect(t, "the one between", inside, 7, nil)
		expect(t, "the one behind it", three, 15, nil)

		one = adding(t, l, 1)
		last := between(t, l, 2)
		g.pass(storetest.BeforeCommit)
		expect(t, "what failed", one, 0, lane.ErrUnknown)
		expect(t, "the one between, after a failure", last, 0, lane.ErrStopped)
		<-l.Done()
	})
}

// between adds a number between two batches.
func between(t *testing.T, l *lane.Lane[*counter], n int) <-chan answer {
	answers := make(chan answer, 1)
	queued := make(chan struct{})
	go func() {
		close(queued)
		total, err := lane.DoBetween(t.Context(), l, func(c *counter) (int, error) { return c.add(0, 0, n) })
		answers <- answer{total, err}
	}()
	<-queued
	time.Sleep(time.Millisecond) // The bubble's clock moves when everybody waits.
	return answers
}

// TestContextEnds: what still waits is taken back and never runs; what is
// decided stays so, and its caller is told that it may have happened.
func TestContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		l := start(t, g, lane.Options{Group: 1})
		gone := errors.New("the terminal hung up")
		ctx, cancel := context.WithCancelCause(t.Context())
		one := beside(func() (int, error) { return add(ctx, l, 1) })
		two := beside(func() (int, error) { return add(ctx, l, 2) })
		cancel(gone)
		synctest.Wait()
		if a := <-one; !errors.Is(a.err, lane.ErrUnknown) || !errors.Is(a.err, gone) {
			t.Errorf("committing: %v, want ErrUnknown and the cause", a.err)
		}
		if a := <-two; errors.Is(a.err, lane.ErrUnknown) || !errors.Is(a.err, gone) {
			t.Errorf("waiting: %v, want the cause alone", a.err)
		}
		if _, err := add(ctx, l, 8); errors.Is(err, lane.ErrUnknown) || !errors.Is(err, gone) {
			t.Errorf("ended before it began: %v", err)
		}
		g.pass(storetest.NoFault)
		if got, err := total(t.Context(), l); err != nil || got != 1 {
			t.Errorf("total %d, %v; want 1", got, err)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestCloseDrains: what was accepted is answered, and nothing else is accepted.
func TestCloseDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		l := start(t, g, lane.Options{Group: 2})
		var accepted []<-chan answer
		for range 6 {
			accepted = append(accepted, adding(t, l, 1))
		}
		closed := beside(func() (int, error) { return 0, l.Close(t.Context()) })
		unanswered(t, "Close", closed)
		expect(t, "one after Close", adding(t, l, 100), 0, lane.ErrStopped)
		for _, want := range []int{1, 2, 2, 1} {
			unanswered(t, "Close", closed)
			if n := g.pass(storetest.NoFault); n != want {
				t.Errorf("a batch of %d, want %d", n, want)
			}
		}
		expect(t, "Close", closed, 0, nil)
		for i, answers := range accepted {
			expect(t, fmt.Sprint("accepted ", i), answers, i+1, nil)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Errorf("closing twice: %v", err)
		}
	})
}

// TestStoreHangs: callers get away by their contexts, others are refused, and
// Close need not be waited for.
func TestStoreHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		l := start(t, g, lane.Options{Queue: 1, Group: 1})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var calls []<-chan answer
		for range 2 {
			calls = append(calls, beside(func() (int, error) { return add(ctx, l, 1) }))
		}
		expect(t, "one too many", adding(t, l, 1), 0, lane.ErrBusy)
		if err := l.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("closing while the store hangs: %v", err)
		}
		synctest.Wait()
		for i, want := range []error{lane.ErrUnknown, context.DeadlineExceeded} {
			expect(t, fmt.Sprint("call ", i), calls[i], 0, want)
		}
		g.pass(storetest.NoFault)
		<-l.Done()
		if got, err := storedTotal(t.Context(), g.disk); err != nil || got != 1 {
			t.Errorf("stored %d, %v; want the 1 that was decided", got, err)
		}
	})
}

// TestFollowers: batches are shown in order, without holes, durable, and before
// their answers.
func TestFollowers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := storetest.NewDisk()
		var mu sync.Mutex // guards what follows
		var shown uint64
		shownTotal := 0
		l := start(t, storetest.OpenMemory(disk), lane.Options{OnCommit: func(b store.Batch) {
			mu.Lock()
			defer mu.Unlock()
			if b.From != shown || b.Volume != 1 || b.Epoch != 1 {
				t.Errorf("shown %d:%d of epoch %d after %d", b.Volume, b.From, b.Epoch, shown)
			}
			shown = b.Size()
			f, err := parseFact(b.Entries[len(b.Entries)-1].Data)
			if err != nil {
				t.Error(err)
			}
			shownTotal = f.total
			if stored, err := storedTotal(t.Context(), disk); err != nil || stored != shownTotal {
				t.Errorf("shown %d when %d was stored, %v", shownTotal, stored, err)
			}
		}})
		var clients sync.WaitGroup
		for range 20 {
			clients.Go(func() {
				for range 50 {
					got, err := add(t.Context(), l, 1)
					mu.Lock()
					if err != nil || shownTotal < got {
						t.Errorf("answered %d, %v, before it was shown", got, err)
					}
					mu.Unlock()
				}
			})
		}
		clients.Wait()
		if err := l.Close(t.Context()); err != nil || shown != 1000 {
			t.Errorf("%d records shown, %v; want 1000", shown, err)
		}
	})
}

// TestPanic: the batch before it is stored and answered, its own never is.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		var panicked *lane.Panic
		l := start(t, g, lane.Options{OnPanic: func(p *lane.Panic) { panicked = p }})
		one, two := adding(t, l, 1), adding(t, l, 2)
		broken := beside(func() (int, error) {
			return lane.Do(t.Context(), l, func(*counter) (int, error) { panic("broken invariant") })
		})
		later := adding(t, l, 4)
		g.pass(storetest.NoFault)
		expect(t, "the batch before", one, 1, nil)
		expect(t, "the same batch", two, 0, lane.ErrStopped)
		if a := <-broken; !errors.Is(a.err, lane.ErrPanicked) || errors.Is(a.err, lane.ErrStopped) {
			t.Errorf("the one that panicked is answered %v: it might be sent again", a.err)
		}
		expect(t, "the one behind it", later, 0, lane.ErrStopped)
		<-l.Done()
		if err := l.Err(); !errors.Is(err, lane.ErrPanicked) || !strings.Contains(err.Error(), "broken invariant") {
			t.Errorf("the lane stopped for %v", err)
		}
		if panicked == nil || !strings.Contains(string(panicked.Stack), "lane_test.go") {
			t.Errorf("the log is told of %+v", panicked)
		}
		if got, err := storedTotal(t.Context(), g.disk); err != nil || got != 1 {
			t.Errorf("stored %d, %v; want 1", got, err)
		}
	})
}

// brittleStore panics in its appends, before they are done or after it.
type brittleStore struct {
	store.Store
	stores bool
}

func (s brittleStore) Append(ctx context.Context, b store.Batch) error {
	if s.stores {
		if err := s.Store.Append(ctx, b); err != nil {
			return err
		}
	}
	panic("broken storage")
}

// TestStorePanics: a store that panics has stored or has not, and the process goes on. Who
// asked is told that nobody knows, and anybody who is told of panics may panic, too.
func TestStorePanics(t *testing.T) {
	for _, stores := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			disk, told := storetest.NewDisk(), new(lane.Panic)
			l := start(t, brittleStore{storetest.OpenMemory(disk), stores}, lane.Options{OnPanic: func(p *lane.Panic) {
				told = p
				panic("broken log")
			}})
			_, err := add(t.Context(), l, 3)
			if !errors.Is(err, lane.ErrUnknown) || errors.Is(err, lane.ErrPanicked) {
				t.Errorf("who asked is answered %v", err)
			}
			<-l.Done()
			if l.Err() == nil || !told.InStore || !strings.Contains(string(told.Stack), "lane_test.go") {
				t.Errorf("the lane stopped for %v, told %+v", l.Err(), told)
			}
			want := map[bool]int{true: 3}[stores]
			if got, err := storedTotal(t.Context(), disk); err != nil || got != want {
				t.Errorf("stored %d, %v; want %d", got, err, want)
			}
		})
	}
}

// TestFollowerPanics: anybody who measures or follows the lane may panic; what is durable is
// answered as done, and the lane stops behind it instead of ending the process.
func TestFollowerPanics(t *testing.T) {
	for name, options := range map[string]lane.Options{
		"OnCommit": {OnCommit: func(store.Batch) { panic("a follower") }},
		"OnGroup":  {OnGroup: func(lane.Group) { panic("a follower") }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk := storetest.NewDisk()
				l := start(t, storetest.OpenMemory(disk), options)
				if got, err := add(t.Context(), l, 3); got != 3 || err != nil {
					t.Errorf("what is durable is answered %d, %v", got, err)
				}
				<-l.Done()
				if err := l.Err(); !errors.Is(err, lane.ErrPanicked) {
					t.Errorf("the lane stopped for %v", err)
				}
				if _, err := add(t.Context(), l, 1); !errors.Is(err, lane.ErrStopped) {
					t.Errorf("a lane that has stopped answered %v", err)
				}
				if got, err := storedTotal(t.Context(), disk); got != 3 || err != nil {
					t.Errorf("stored %d, %v", got, err)
				}
			})
		})
	}
}

// TestTakePanics: an engine that panics while it hands over has given nothing to the store,
// and nobody is told that his command is to blame.
func TestTakePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := storetest.NewDisk()
		build := func(context.Context, store.Head, store.Reader) (takePanics, error) { return takePanics{}, nil }
		l, err := lane.Open(t.Context(), storetest.OpenMemory(disk), build, lane.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = lane.Do(t.Context(), l, func(takePanics) (int, error) { return 1, nil })
		if !errors.Is(err, lane.ErrStopped) || !errors.Is(err, lane.ErrPanicked) {
			t.Errorf("answered %v", err)
		}
		<-l.Done()
	})
}

// takePanics is an engine that cannot hand over.
type takePanics struct{}

func (takePanics) Take() (store.Batch, error) { panic("nothing to take") }

// TestFencedLane: of two lanes on one store the older one stops at its next
// commit.
func TestFencedLane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := storetest.NewDisk()
		old := start(t, storetest.OpenMemory(disk), lane.Options{})
		if _, err := add(t.Context(), old, 1); err != nil {
			t.Fatal(err)
		}
		successor := start(t, storetest.OpenMemory(disk), lane.Options{})
		expect(t, "the older lane", adding(t, old, 10), 0, lane.ErrUnknown)
		<-old.Done()
		if err := old.Err(); !errors.Is(err, store.ErrFenced) {
			t.Errorf("the older lane stopped for %v", err)
		}
		if got, err := add(t.Context(), successor, 1); err != nil || got != 2 {
			t.Errorf("the successor: %d, %v", got, err)
		}
		if err := successor.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// spoilt is an engine whose batches are spoilt from the second on.
type spoilt struct {
	*counter
	spoil func(*store.Batch) error
}

func (s spoilt) Take() (store.Batch, error) {
	b, err := s.counter.Take()
	if b.From > 0 {
		err = s.spoil(&b)
	}
	return b, err
}

// TestSpoiltEngine: a fault of the engine stops the lane before anything is
// handed to the store, and is not taken for another writer's work. Objects
// without a record are left to the store to refuse.
func TestSpoiltEngine(t *testing.T) {
	unsigned := errors.New("the key does not sign")
	for _, c := range []struct {
		spoil func(*store.Batch) error
		want  error
		words string
	}{
		{func(b *store.Batch) error { b.From++; return nil }, lane.ErrStopped,
			"the engine's batch is at 1:2, the journal at 1:1"},
		{func(b *store.Batch) error { b.Volume++; return nil }, lane.ErrStopped,
			"the engine's batch is at 2:1, the journal at 1:1"},
		{func(*store.Batch) error { return unsigned }, lane.ErrStopped, unsigned.Error()},
		{func(b *store.Batch) error { b.Entries, b.Objects = nil, []store.Object{{Name: "o"}}; return nil }, store.ErrBatch,
			"there are no entries"},
	} {
		synctest.Test(t, func(t *testing.T) {
			disk := storetest.NewDisk()
			build := func(ctx context.Context, head store.Head, stored store.Reader) (spoilt, error) {
				counter, err := buildCounter(ctx, head, stored)
				return spoilt{counter, c.spoil}, err
			}
			l, err := lane.Open(t.Context(), storetest.OpenMemory(disk), build, lane.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				_, err = lane.Do(t.Context(), l, func(s spoilt) (int, error) { return s.add(0, 0, 1) })
			}
			<-l.Done()
			if !errors.Is(err, c.want) || errors.Is(err, store.ErrFenced) || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%v, want %v with %q", err, c.want, c.words)
			}
			if got, err := storedTotal(t.Context(), disk); err != nil || got != 1 {
				t.Errorf("stored %d, %v; want 1", got, err)
			}
		})
	}
}

// TestOpenFails: a store that cannot be taken over and an engine that cannot be
// built leave no lane.
func TestOpenFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := storetest.OpenMemory(storetest.NewDisk())
		if err := closed.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := lane.Open(t.Context(), closed, buildCounter, lane.Options{}); !errors.Is(err, store.ErrClosed) {
			t.Errorf("on a closed store: %v", err)
		}
		unbuilt := errors.New("the root differs")
		build := func(context.Context, store.Head, store.Reader) (*counter, error) { return nil, unbuilt }
		if _, err := lane.Open(t.Context(), storetest.OpenMemory(storetest.NewDisk()), build, lane.Options{}); !errors.Is(err,
			unbuilt) {
			t.Errorf("with an engine that is not built: %v", err)
		}
	})
}

// TestVolumeChanges: an engine may begin a volume, and the next lane goes on in
// it.
func TestVolumeChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := storetest.NewDisk()
		l := start(t, storetest.OpenMemory(disk), lane.Options{})
		var places []string
		for volume := range uint16(3) {
			_, err := lane.Do(t.Context(), l, func(c *counter) (int, error) {
				if volume > 0 {
					c.journal.BeginVolume(1 + volume)
				}
				return c.add(0, 0, 1)
			})
			if err != nil {
				t.Fatal(err)
			}
			head, err := storetest.OpenMemory(disk).Head(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			places = append(places, fmt.Sprintf("%d:%d", head.Volume, head.Size))
		}
		if !slices.Equal(places, []string{"1:1", "2:1", "3:1"}) {
			t.Errorf("heads %v", places)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestUnsignedCommand: a command whose record the key does not sign stops the lane as one that cannot hand over, and
// is not to blame.
func TestUnsignedCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := start(t, storetest.OpenMemory(storetest.NewDisk()), lane.Options{
			OnPanic: func(p *lane.Panic) { t.Errorf("told of a panic: %v", p) }})
		_, err := lane.Do(t.Context(), l, func(*counter) (int, error) {
			panic(fmt.Errorf("the seal: %w", journal.ErrUnsigned))
		})
		if !errors.Is(err, lane.ErrStopped) || errors.Is(err, lane.ErrPanicked) || !errors.Is(err, journal.ErrUnsigned) {
			t.Errorf("answered %v", err)
		}
		<-l.Done()
		if err := l.Err(); !errors.Is(err, journal.ErrUnsigned) {
			t.Errorf("the lane stopped for %v", err)
		}
	})
}
