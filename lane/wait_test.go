package lane_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"drawhouse/lane"
	"drawhouse/store"
	"drawhouse/store/storetest"
)

// TestWaits asks a lane that waits, and then begins: what it refused before it takes
// then.
func TestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reason := errors.New("somebody else writes")
		st := storetest.OpenMemory(storetest.NewDisk())
		l := lane.Wait[*counter](reason, lane.Options{})
		if _, err := lane.Do(t.Context(), l, func(c *counter) (int, error) { return 0, nil }); !errors.Is(err, lane.ErrStopped) || !errors.Is(err, reason) {
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
		l.Fail(outside)
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
	if _, err := lane.Do(t.Context(), l, func(c *counter) (int, error) { return 0, nil }); !errors.Is(err, lane.ErrStopped) {
		t.Errorf("a lane that was closed answered %v", err)
	}
}
