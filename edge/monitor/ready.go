package monitor

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"drawhouse/house"
	"drawhouse/journal/record"
)

// A Check is one thing that a house needs to sell. Its name is stable, for alarms.
type Check struct {
	Name string
	Do   func(ctx context.Context) error
}

// patience is how long all checks may take together: anybody who asks wants to know now.
const patience = 3 * time.Second

// Readiness is what a house needs, in the order in which it is looked at.
type Readiness struct {
	house    House
	checks   []Check
	stopping atomic.Bool
}

// Failure is the first check that failed.
type Failure struct {
	Check string
	Err   error
}

// Error names the check first.
func (f *Failure) Error() string { return f.Check + ": " + f.Err.Error() }

// Unwrap returns why.
func (f *Failure) Unwrap() error { return f.Err }

// errStopping is why a house that was told to stop is not ready: a load balancer is to
// send nobody to it any more.
var errStopping = errors.New("the house was told to stop")

// NewReadiness returns the checks of a house. Further ones, such as of the disk, are
// done after its own. A house is ready while it can sell: a device or a witness that is
// away is an alarm, and no reason to send the terminals elsewhere.
func NewReadiness(h House, more ...Check) *Readiness {
	r := &Readiness{house: h}
	r.checks = append([]Check{
		{"stopping", func(context.Context) error {
			if r.stopping.Load() {
				return errStopping
			}
			return nil
		}},
		{"lane", func(ctx context.Context) error { _, err := writing(h.Condition(ctx)); return err }},
		{"store", func(ctx context.Context) error {
			s, err := writing(h.Condition(ctx))
			if err != nil {
				return err
			}
			return h.Ping(ctx, s.Next)
		}},
		{"books", func(ctx context.Context) error {
			s, err := writing(h.Condition(ctx))
			if err == nil && s.Trial != 0 {
				err = fmt.Errorf("the balances add up to %d cents and not to nothing", s.Trial)
			}
			return err
		}},
		{"feed", func(context.Context) error { return h.FeedErr() }},
		{"clock", func(context.Context) error { return h.ClockErr() }},
	}, more...)
	return r
}

// writing passes over that a house follows a journal which another one writes: its lane
// waits, and that is as it should be. Whether it follows is a check of its own.
func writing(c house.Condition, err error) (house.Condition, error) {
	if errors.Is(err, house.ErrFollows) {
		return house.Condition{}, nil
	}
	return c, err
}

// House is what is watched; *house.House is one.
type House interface {
	Condition(ctx context.Context) (house.Condition, error)
	Waiting() (commands, most int)
	Ping(ctx context.Context, next record.Place) error
	FeedErr() error
	ClockErr() error
	Alarms() []house.Alarm
	SeriesIDs() []uint8
	Contain(part house.Part, key string, do func() error) error
	Witnesses() []house.WitnessSigns
	Streams() int
}

// Stopping has the house say from now on that it is not ready.
func (r *Readiness) Stopping() { r.stopping.Store(true) }

// Names returns the names of the checks, in their order.
func (r *Readiness) Names() []string {
	var names []string
	for _, c := range r.checks {
		names = append(names, c.Name)
	}
	return names
}

// Check returns the first failure, or nil when the house is ready.
func (r *Readiness) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, c := range r.checks {
		if err := c.Do(ctx); err != nil {
			return &Failure{c.Name, err}
		}
	}
	return nil
}

// Alarms returns the alarms of the house. They are no part of readiness.
func (r *Readiness) Alarms() []house.Alarm { return r.house.Alarms() }
