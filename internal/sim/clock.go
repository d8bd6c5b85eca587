package sim

import (
	"context"
	"errors"
	"sync"
	"time"
)

// errWaiting is how the timetable is told that it is somebody else's turn.
var errWaiting = errors.New("sim: nothing is due yet")

// clock is the house's clock. It does not run: the world moves it. It may be wrong,
// and then shows another time than it is.
type clock struct {
	mu    sync.Mutex // guards what follows
	now   time.Time  // as it really is
	wrong time.Duration
	until time.Time // what was waited for last, by the clock's own time
}

// Now implements timetable.Clock.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now.Add(c.wrong)
}

// WaitUntil implements timetable.Clock. It never waits: who would have to is told
// so, and the world comes back when it is time.
func (c *clock) WaitUntil(_ context.Context, t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !t.After(c.now.Add(c.wrong)) {
		return nil
	}
	c.until = t
	return errWaiting
}

// pass lets time go by.
func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// reach goes on to a time, if it lies ahead.
func (c *clock) reach(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.now) {
		c.now = t
	}
}

// set makes the clock wrong by some time; 0 puts it right.
func (c *clock) set(wrong time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrong = wrong
}

// due returns when, really, the clock will show what was waited for last.
func (c *clock) due() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.until.Add(-c.wrong)
}

func (c *clock) real() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}
