package house

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/core/contain"
	"drawhouse/journal/lane"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

// brittleStore panics where a test wants.
type brittleStore struct {
	store.Shared
	at atomic.Value // the name of the method
}

func (s *brittleStore) breaks(method string) {
	if s.at.Load() == method {
		panic("the store panics in " + method)
	}
}

func (s *brittleStore) Announce(ctx context.Context, p store.Presence) error {
	s.breaks("Announce")
	return s.Shared.Announce(ctx, p)
}

func (s *brittleStore) Volumes(ctx context.Context) ([]store.Head, error) {
	s.breaks("Volumes")
	return s.Shared.Volumes(ctx)
}

func (s *brittleStore) Present(ctx context.Context) (store.Presence, error) {
	s.breaks("Present")
	return s.Shared.Present(ctx)
}

// eventually waits for a condition.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: never", what)
		}
	}
}

// has reports whether a house has an alarm of a part whose sentence has some words.
func has(h *House, part Part, words string) bool {
	for _, a := range h.Alarms() {
		if a.Part == part && strings.Contains(a.Sentence, words) && a.Remedy != "" {
			return true
		}
	}
	return false
}

// TestPanicsBesideTheLane has everything panic that works beside the commands. Each is an
// alarm with a line of the log that has the stack, the house goes on selling, and the alarm
// ends when the part works again.
func TestPanicsBesideTheLane(t *testing.T) {
	b := closedBench(t)
	b.said = &heard{}
	b.snapshots = Snapshots{File: filepath.Join(b.dir, "snapshot"), Every: 1}
	var broken atomic.Bool
	b.onGroup = func(lane.Group) {
		if broken.Load() {
			panic("the counter panics")
		}
	}
	st, err := sqlite.Open(t.Context(), b.dir, 1)
	must(t, err)
	keys, err := KeysOf(t.Context(), st, filepath.Join(b.dir, "keys"), "bench.example", b.random)
	must(t, err)
	brittle := &brittleStore{Shared: st}
	brittle.at.Store("")
	b.openWith(brittle, keys)
	b.run(func(time.Time) error { return errEnough })
	ctx, cancel := context.WithCancel(t.Context())
	announced := make(chan struct{})
	go func() { defer close(announced); b.house.Announce(ctx, "here") }()
	defer func() { cancel(); <-announced }()

	for method, part := range map[string]Part{"Announce": PartFollower, "Volumes": PartSnapshots} {
		brittle.at.Store(method)
		eventually(t, method+" raises an alarm", func() bool {
			b.house.kept.due()
			return has(b.house, part, "panics in "+method)
		})
		b.sell(1, 3)
		brittle.at.Store("")
		eventually(t, method+" ends its alarm", func() bool {
			b.house.kept.due()
			return !has(b.house, part, "panics in")
		})
	}

	broken.Store(true)
	b.sell(1, 3)
	eventually(t, "a counter raises an alarm", func() bool { return has(b.house, PartReaders, "the counter panics") })
	broken.Store(false)
	b.sell(1, 3)
	eventually(t, "a counter ends its alarm", func() bool { return !has(b.house, PartReaders, "the counter panics") })

	if said := b.said.String(); strings.Count(said, "a panic was caught") < 3 ||
		!strings.Contains(said, "contain_test.go") {
		t.Errorf("the log has no stacks:\n%s", said)
	}
	if err := b.house.Err(); err != nil {
		t.Errorf("the lane has stopped: %v", err)
	}
}

// TestReadersPanic: what is durable is answered though those who show it panic, the alarm
// says so, and the lane goes on.
func TestReadersPanic(t *testing.T) {
	b := newBench(t)
	b.run(func(time.Time) error { return errEnough })
	whole := b.house.past
	b.house.past = nil
	b.sell(1, 3)
	b.house.past = whole
	if !has(b.house, PartReaders, "Readers may not see everything") {
		t.Errorf("alarms %+v", b.house.Alarms())
	}
	if err := b.house.Err(); err != nil {
		t.Errorf("the lane has stopped: %v", err)
	}
}

// TestFollowerPanics: a follower that panics while it looks raises an alarm, goes on
// looking, and is level again when that passes.
func TestFollowerPanics(t *testing.T) {
	b := newBench(t)
	b.run(func(time.Time) error { return errEnough })
	f := b.follow(t, false)
	brittle := &brittleStore{Shared: f.shared}
	brittle.at.Store("Present")
	f.shared = brittle
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx, 0) }()
	eventually(t, "the follower raises an alarm", func() bool { return has(f.House(), PartFollower, "panics in Present") })
	brittle.at.Store("")
	eventually(t, "the follower ends its alarm", func() bool { return len(f.House().Alarms()) == 0 })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the follower ended with %v", err)
	}
	f.look()
	f.same(b)
}

// TestAgreeingPanics: asking witnesses for a result is tried again after a panic.
func TestAgreeingPanics(t *testing.T) {
	b := newBench(t)
	err := b.house.Contain(PartWitness, "asking for the journal to be cosigned", func() error { panic("no witness") })
	if !errors.Is(err, contain.ErrPanicked) || !has(b.house, PartWitness, "no witness") {
		t.Errorf("%v, alarms %+v", err, b.house.Alarms())
	}
	must(t, b.house.Contain(PartWitness, "asking for the journal to be cosigned", func() error { return nil }))
	if len(b.house.Alarms()) != 0 {
		t.Errorf("alarms %+v", b.house.Alarms())
	}
}

// TestWorkGoesOn: work beside the house that panics raises an alarm and is begun again. The
// alarm ends with the work. The log has the stack of the first, second and fourth panic, and
// not of each.
func TestWorkGoesOn(t *testing.T) {
	t.Parallel()
	b := closedBench(t)
	b.said = &heard{}
	b.open()
	begun, ends := make(chan int), make(chan bool)
	n := 0
	ended := b.house.Go(t.Context(), PartInterface, "counting sheep", func(context.Context) {
		n++
		begun <- n
		if <-ends {
			panic("a wolf")
		}
	})
	for i := 1; i <= 2; i++ {
		<-begun
		ends <- true
		eventually(t, "the panic is an alarm", func() bool {
			alarm, ok := b.alarmOn(PartInterface)
			return ok && alarm.Count == uint64(i) && strings.Contains(alarm.Sentence, "a wolf")
		})
	}
	<-begun
	ends <- false
	<-ended
	if alarm, ok := b.alarmOn(PartInterface); ok {
		t.Errorf("the alarm outlives the work: %+v", alarm)
	}
	for range 1000 {
		_ = b.house.safely("eating grass", func() error { panic("a wolf again") })
	}
	if lines := strings.Count(b.said.String(), "where=\"eating grass\""); lines != 10 {
		t.Errorf("the log has %d lines of 1000 panics in one place", lines)
	}
}
