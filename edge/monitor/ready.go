package monitor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"drawhouse/core/contain"
	"drawhouse/house"
	"drawhouse/journal/record"
)

// A Purpose is what checks are asked for. A node that may not do one thing may do another.
type Purpose string

// The purposes of a house.
const (
	// Sell: requests of terminals and people may be sent to this node. A balancer asks this.
	Sell Purpose = "sell"
	// Draw: games may be drawn now. A house that may not draw goes on selling.
	Draw Purpose = "draw"
	// Alarms: nothing needs a person. A house with alarms may sell and draw.
	Alarms Purpose = "alarms"
)

// The purposes of a witness and of a device.
const (
	// Cosign: the witness can write down what it signs.
	Cosign Purpose = "cosign"
	// Answer: the device can write down what it draws.
	Answer Purpose = "answer"
)

// A Check is one thing that must hold. Its name is stable, for alarms.
type Check struct {
	Name string
	For  []Purpose
	Says string // what it means that it holds
	// Remedy is what to do when it does not hold. Every check that is asked for alarms has one, unless the alarms that
	// it tells of have their own.
	Remedy string
	Do     func(ctx context.Context) error
}

// A Result is what became of a check.
type Result struct {
	Check  string
	Err    error  // nil if it holds
	Remedy string // what to do where it does not
}

// patience is how long a check may take: anybody who asks wants to know now.
const patience = 3 * time.Second

// Readiness is the one home of the checks of a process, in the order in which they are told.
type Readiness struct {
	first    Purpose // what /readyz asks
	purposes []Purpose
	checks   []Check
	more     func() []Check       // checks that come and go
	alarms   func() []house.Alarm // nil for a process without any
	role     func() string        // nil for a process without any
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

// The errors of checks.
var (
	// errStopping is why a process that was told to stop is not ready: a balancer is to send nobody to it any more.
	errStopping = errors.New("it was told to stop")
	errSlow     = fmt.Errorf("the check gave no answer within %v", patience)
)

// NewChecks returns the checks of a process that is no house, by the purpose that it has. The first is that it was not
// told to stop.
func NewChecks(of Purpose, checks ...Check) *Readiness {
	r := &Readiness{first: of, purposes: []Purpose{of}, more: func() []Check { return nil }}
	r.Add(Check{"stopping", []Purpose{of}, "The process was not told to stop.", "", func(context.Context) error {
		if r.stopping.Load() {
			return errStopping
		}
		return nil
	}})
	r.Add(checks...)
	return r
}

// both are checks without which a house neither sells nor draws.
var both = []Purpose{Sell, Draw}

// NewReadiness returns the checks of a house. Further ones, such as of the disk, come behind its own.
func NewReadiness(h House, more ...Check) *Readiness {
	r := NewChecks(Sell)
	r.purposes, r.checks[0].For = []Purpose{Sell, Draw, Alarms}, both
	r.Add(
		Check{"writer", both, "This node writes the journal: it neither follows nor rests.", "",
			func(context.Context) error { return writes(h.Standing()) }},
		Check{"lane", both, "The lane decides commands.", "",
			func(ctx context.Context) error { _, err := writing(h.Condition(ctx)); return err }},
		Check{"store", both, "The store answers, and ends no earlier than the journal.", "", func(ctx context.Context) error {
			s, err := writing(h.Condition(ctx))
			if err != nil {
				return err
			}
			return h.Ping(ctx, s.Next)
		}},
		Check{"clock", both, "The clock was not set while the house ran.", "",
			func(context.Context) error { return h.ClockErr() }},
		Check{"books", []Purpose{Sell}, "The balances add up to nothing.", "", func(ctx context.Context) error {
			s, err := writing(h.Condition(ctx))
			if err == nil && s.Trial != 0 {
				err = fmt.Errorf("the balances add up to %d cents and not to nothing", s.Trial)
			}
			return err
		}},
		Check{"feed", []Purpose{Sell}, "Screens can follow the journal.", "",
			func(context.Context) error { return h.FeedErr() }},
		Check{"device", []Purpose{Draw}, "The draw device answers and accepts seals, and its key signs if a token holds it.", "",
			func(context.Context) error { return stopsDraws(h.Alarms(), isDevice) }},
		Check{"witnesses", []Purpose{Draw}, "Every witness without which no game is drawn has cosigned when it was last asked.", "",
			func(context.Context) error { return missing(h.Witnesses()) }},
		Check{"games", []Purpose{Draw}, "No series and no bingo room stands still.", "",
			func(context.Context) error {
				return stopsDraws(h.Alarms(), func(p house.Part) bool { return !isDevice(p) })
			}},
		Check{"following", []Purpose{Alarms}, "A follower keeps up with the journal, which has one past. It holds at a writer.",
			"If the journals differ, take this node off and begin it anew from the writer's store; else see why its database does not answer, by its log.",
			func(context.Context) error { return keepsUp(h.Standing()) }},
	)
	r.Add(more...)
	r.more = func() []Check { return partChecks(h) }
	r.alarms = func() []house.Alarm { return h.Alarms() }
	r.role = func() string { return roleOf(h.Standing()) }
	return r
}

// Own returns the checks that are always there, in their order.
func (r *Readiness) Own() []Check { return slices.Clone(r.checks) }

// Add adds checks. It is called before anybody asks.
func (r *Readiness) Add(checks ...Check) { r.checks = append(r.checks, checks...) }

// writing passes over that a house follows a journal which another one writes: its lane
// waits, and that is as it should be. Whether it writes is a check of its own.
func writing(c house.Condition, err error) (house.Condition, error) {
	if errors.Is(err, house.ErrFollows) {
		return house.Condition{}, nil
	}
	return c, err
}

// writes returns why a house does not write.
func writes(s house.Standing) error {
	switch {
	case s.Resting != nil:
		return fmt.Errorf("this node rests: %w", s.Resting)
	case s.Follows && s.Writer.Address != "":
		return fmt.Errorf("this node follows; %s takes the commands", s.Writer.Address)
	case s.Follows:
		return errors.New("this node follows another one, which takes the commands")
	}
	return nil
}

// followedWithin is how long a follower may not know whether it shows everything.
const followedWithin = 10 * time.Second

// keepsUp returns why what a follower shows may not be the journal.
func keepsUp(s house.Standing) error {
	if s.Follows && s.Diverged == nil && s.Lag.Behind > followedWithin {
		return fmt.Errorf("the journal could not be followed for %v", s.Lag.Behind.Round(time.Millisecond))
	}
	return s.Diverged
}

func isDevice(p house.Part) bool { return p == house.PartDevice || p == house.PartKeys }

// stopsDraws returns the alarms of some parts that keep games from being drawn.
func stopsDraws(alarms []house.Alarm, of func(house.Part) bool) error {
	var errs []error
	for _, a := range alarms {
		if a.StopsDraws() && of(a.Part) {
			errs = append(errs, errors.New(a.Sentence))
		}
	}
	return errors.Join(errs...)
}

// missing returns which witnesses did not sign without which no game is drawn.
func missing(witnesses []house.WitnessSigns) error {
	var errs []error
	for _, w := range witnesses {
		if w.Draws && w.Err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", w.Name, w.Err))
		}
	}
	return errors.Join(errs...)
}

// partChecks returns a check for each part of a house: that it has no alarm.
func partChecks(h House) []Check {
	alarms := h.Alarms()
	parts := house.Parts(h.SeriesIDs())
	for _, a := range alarms {
		if !slices.Contains(parts, a.Part) { // such as a bingo room
			parts = append(parts, a.Part)
		}
	}
	var checks []Check
	for _, part := range parts {
		var said, remedies []string
		for _, a := range alarms {
			if a.Part != part {
				continue
			}
			said = append(said, a.Sentence)
			if !slices.Contains(remedies, a.Remedy) {
				remedies = append(remedies, a.Remedy)
			}
		}
		checks = append(checks, Check{string(part), []Purpose{Alarms}, "This part has no alarm.", strings.Join(remedies, "\n"),
			func(context.Context) error {
				if len(said) == 0 {
					return nil
				}
				return errors.New(strings.Join(said, "\n"))
			}})
	}
	return checks
}

// House is what is watched; *house.House is one.
type House interface {
	Condition(ctx context.Context) (house.Condition, error)
	Standing() house.Standing
	Waiting() (commands, most int)
	Ping(ctx context.Context, next record.Place) error
	FeedErr() error
	ClockErr() error
	Alarms() []house.Alarm
	SeriesIDs() []uint8
	Contain(part house.Part, key string, do func() error) error
	Witnesses() []house.WitnessSigns
	KeysSign() []house.KeySigns
	Streams() int
}

// Stopping has the process say from now on that it is not ready.
func (r *Readiness) Stopping() { r.stopping.Store(true) }

// Purposes returns what the checks are asked for.
func (r *Readiness) Purposes() []Purpose { return slices.Clone(r.purposes) }

// Checks returns the checks of a purpose, in their order.
func (r *Readiness) Checks(of Purpose) []Check {
	var list []Check
	for _, c := range append(slices.Clone(r.checks), r.more()...) {
		if slices.Contains(c.For, of) {
			list = append(list, c)
		}
	}
	return list
}

// Ask does the checks of a purpose at once, so that one which hangs keeps nobody from the others, and returns what
// became of each.
func (r *Readiness) Ask(ctx context.Context, of Purpose) []Result {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	checks := r.Checks(of)
	results := make([]Result, len(checks))
	answers := make([]chan error, len(checks))
	for i, c := range checks {
		answers[i] = make(chan error, 1)
		contain.Go("check "+c.Name, func() error { return c.Do(ctx) }, func(err error) { answers[i] <- err })
	}
	for i, c := range checks {
		results[i].Check, results[i].Remedy = c.Name, c.Remedy
		select {
		case results[i].Err = <-answers[i]:
		case <-ctx.Done():
			results[i].Err = errSlow
			select {
			case results[i].Err = <-answers[i]: // It was in time, and was not looked at before.
			default:
			}
		}
	}
	return results
}

// firstFailure returns the first check that does not hold.
func firstFailure(results []Result) error {
	for _, one := range results {
		if one.Err != nil {
			return &Failure{one.Check, one.Err}
		}
	}
	return nil
}

// Check returns the first failure of what /readyz asks, or nil.
func (r *Readiness) Check(ctx context.Context) error { return firstFailure(r.Ask(ctx, r.first)) }
