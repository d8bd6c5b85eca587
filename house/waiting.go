package house

import (
	"context"
	"fmt"
	"sync"
)

// turn is a lock for what takes long, such as a draw that waits for a witness. Who waits
// for it gives up with the context, which nobody can at a mutex. The zero turn is free.
type turn struct {
	once sync.Once
	free chan struct{}
}

// take waits for the turn, or returns why the context has ended.
func (t *turn) take(ctx context.Context) error {
	t.once.Do(func() { t.free = make(chan struct{}, 1) })
	select {
	case t.free <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("house: a draw is under way: %w", context.Cause(ctx))
	}
}

// give lets the next have the turn.
func (t *turn) give() { <-t.free }
