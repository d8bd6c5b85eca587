package timetable

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrClock means that the machine's clock cannot be trusted.
var ErrClock = errors.New("the machine's clock was set; start again when it is right")

// clockTolerance is how far a clock may be set at a time. What keeps clocks right
// moves them by less.
const clockTolerance = time.Minute

// SystemClock is the machine's clock, as long as nobody sets it. The time of
// records never falls, so that one record with a time of next year would hold up
// the games until then. A clock that is set by more than a minute, or a machine
// that slept, is therefore not followed: the time goes on evenly from before, and
// anybody who waits is told. Any number of goroutines may use it.
type SystemClock struct {
	now func() time.Time // with a monotonic reading

	mu   sync.Mutex // guards what follows
	read time.Time  // what now said last
	told time.Time  // what was told for it
	err  error      // the first setting that was not followed
}

// NewSystemClock returns the clock, as right as the machine's is now.
func NewSystemClock() *SystemClock { return newSystemClock(time.Now) }

func newSystemClock(now func() time.Time) *SystemClock {
	read := now()
	return &SystemClock{now: now, read: read, told: read.Round(0)}
}

// Now returns the machine's time, or what it would be if nobody had set it.
func (c *SystemClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	read := c.now()
	even := c.told.Add(read.Sub(c.read)) // The difference is that of the monotonic readings.
	wall := read.Round(0)                // Without it.
	if set := wall.Sub(even); c.err == nil && set.Abs() > clockTolerance {
		c.err = fmt.Errorf("timetable: from %v to %v: %w", even.UTC(), wall.UTC(), ErrClock)
	}
	c.read, c.told = read, wall
	if c.err != nil {
		c.told = even
	}
	return c.told
}

// Err returns why the clock is not followed any more, or nil while it is.
func (c *SystemClock) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// WaitUntil waits by the clock. It looks at it at least every second.
func (c *SystemClock) WaitUntil(ctx context.Context, t time.Time) error {
	for {
		left := t.Sub(c.Now())
		if err := c.Err(); err != nil {
			return err
		}
		if left <= 0 {
			return nil
		}
		timer := time.NewTimer(min(left, time.Second))
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
}
