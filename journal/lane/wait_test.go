package lane_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"drawhouse/journal/lane"
	"drawhouse/journal/store"
	"drawhouse/journal/store/storetest"
)

// TestWaits asks a lane that waits, and then begins: what it refused before it takes
// then.
func TestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reason := errors.New("somebody else writes")
		st := storetest.OpenMemory(storetest.NewDisk())
		l := lane.Wait[*counter](reason, lane.Options{})
		if _, err := lane.Do(t.Context(), l, func(c *counter) (int, error) { return 0, nil }); !errors.Is(err,
			lane.ErrStopped) || !errors.Is(err, reason) {
			t.Fatalf("a lane that waits answered %v", err)
		}
		if l.Epoch() != 0 {
			t.Errorf("a lane that waits writes in epoch %d", l.Epoch())
		}
		select {
		case <-l.Done():
			t.Error("a lane that waits is done")
		default:
		}
		head, err := st.TakeOver(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		engine, err := buildCounter(t.Context(), head, st)
		if err != nil {
			t.Fatal(err)
		}
		if !l.Begin(st, head, engine) {
			t.Fatal("the lane did not begin")
		}
		if err := l.Err(); err != nil || l.Epoch() != head.Epoch {
			t.Errorf("a lane that has begun is in epoch %d, and says %v", l.Epoch(), err)
		}
		if _, err := lane.Do(t.Context(), l, func(c *counter) (int, error) { return 0, nil }); err != nil {
			t.Errorf("a lane that has begun answered %v", err)
		}
		outside := errors.New("found outside")
		l.Fail(head.Epoch+1, errors.New("of another epoch"))
		if err := l.Err(); err != nil {
			t.Errorf("a fault of another epoch stopped the lane: %v", err)
		}
		l.Fail(head.Epoch, outside)
		<-l.Done()
		if err := l.Close(t.Context()); !errors.Is(err, outside) {
			t.Errorf("a lane that failed was closed with %v", err)
		}
	})
}

// TestClosedWhileItWaits closes a lane that never had an engine.
func TestClosedWhileItWaits(t *testing.T) {
	l := lane.Wait[*counter](errors.New("somebody else writes"), lane.Options{})
	if err := l.Close(t.Context()); err != nil {
		t.Errorf("closing says %v", err)
	}
	if l.Begin(storetest.OpenMemory(storetest.NewDisk()), store.Head{}, nil) {
		t.Error("a lane that was closed began")
	}
	if _, err := lane.Do(t.Context(), l, func(c *counter) (int, error) { return 0, nil }); !errors.Is(err,
		lane.ErrStopped) {
		t.Errorf("a lane that was closed answered %v", err)
	}
}

// TestRests has a lane fail, rest, and begin again on what is stored. Nothing that waited
// happens later, and the old epoch is over.
func TestRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := storetest.NewDisk()
		fault := storetest.NoFault
		st := storetest.NewFaulty(storetest.OpenMemory(disk), func(store.Batch) storetest.Fault { return fault })
		l, err := lane.Open(t.Context(), st, buildCounter, lane.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for i, f := range []storetest.Fault{storetest.BeforeCommit, storetest.AfterCommit, storetest.BeforeCommit} {
			fault = f
			if _, err := add(t.Context(), l, 1); !errors.Is(err, lane.ErrUnknown) {
				t.Fatalf("a commit that fails is answered %v", err)
			}
			fault = storetest.NoFault
			if f == storetest.AfterCommit {
				want++
			}
			resting := errors.New("no disk")
			if !l.Rest(resting) {
				t.Fatal("the lane does not rest")
			}
			select {
			case <-l.Done():
				t.Error("a lane that rests is done")
			default:
			}
			if engine, whole := l.Engine(); !whole || engine == nil {
				t.Error("the engine of a failed commit is not whole")
			}
			if _, err := add(t.Context(), l, 1); !errors.Is(err, lane.ErrStopped) || !errors.Is(err, resting) {
				t.Errorf("a lane that rests answered %v", err)
			}
			head, err := st.TakeOver(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			engine, err := buildCounter(t.Context(), head, st)
			if err != nil {
				t.Fatal(err)
			}
			if !l.Begin(st, head, engine) || l.Begin(st, head, engine) {
				t.Fatal("the lane did not begin once")
			}
			want++
			if got, err := add(t.Context(), l, 1); err != nil || got != want {
				t.Errorf("round %d: %d, %v; want %d", i, got, err, want)
			}
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if l.Rest(errors.New("later")) {
			t.Error("a lane that was closed rests")
		}
	})
}
