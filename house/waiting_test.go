package house

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// TestTurn: one has the turn at a time, and who waits can give up.
func TestTurn(t *testing.T) {
	var (
		lock  turn
		all   sync.WaitGroup
		count int
	)
	for range 8 {
		all.Go(func() {
			for range 1000 {
				if err := lock.take(t.Context()); err != nil {
					t.Error(err)
					return
				}
				count++
				lock.give()
			}
		})
	}
	all.Wait()
	if count != 8000 {
		t.Errorf("%d of 8000: several had the turn at once", count)
	}
	if err := lock.take(t.Context()); err != nil {
		t.Fatal(err)
	}
	why := errors.New("nobody waits any more")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(why)
	if err := lock.take(ctx); !errors.Is(err, why) {
		t.Errorf("who gave up got %v", err)
	}
	lock.give()
	if err := lock.take(t.Context()); err != nil {
		t.Error(err)
	}
}
