// Package timetable runs the games of a day by the clock: it opens days and
// games, closes them, draws number by number and settles, each through the
// lane that owns the house.
//
// What to do next is a pure function of the house's view and the time (Plan), so
// a house that was down for an hour, or killed between two numbers, goes on from
// where its journal ends: numbers that were drawn stay drawn. The clock only
// decides when to try a step; whether the step is valid is for the house to say
// (vic-keno-2015 18(b), 18(c)). TestPlan shows every step, TestADay a whole day.
package timetable

import (
	"errors"
	"fmt"
	"time"

	"drawhouse/core/day"
)

// Config is the rhythm of a series.
type Config struct {
	Interval time.Duration // from one close to the next
	Lead     time.Duration // from the seal to the first number
	Ball     time.Duration // from one number to the next
	DayStart time.Duration // local time of day at which a new Keno Day begins
	Zone     *time.Location
	Numbers  int // drawn in a game; 0 where none is played
}

// Check reports a rhythm in which a game could not be drawn before the next one
// closes.
func (c Config) Check() error {
	if c.Interval < time.Second || c.Lead < 0 || c.Ball < 0 || c.Numbers < 0 || c.Zone == nil {
		return errors.New("timetable: interval, lead, ball, numbers and zone must be given")
	}
	if c.DayStart < 0 || c.DayStart >= 24*time.Hour {
		return fmt.Errorf("timetable: day start %v is not a time of day", c.DayStart)
	}
	if show := c.Lead + time.Duration(c.Numbers)*c.Ball; show >= c.Interval {
		return fmt.Errorf("timetable: a draw takes %v, which is not less than the interval of %v", show, c.Interval)
	}
	return nil
}

// View is what the timetable needs to know of a series.
type View struct {
	Day         day.Day // the Keno Day that is open, or was last; day.None before the first
	DayOpen     bool
	LastDay     day.Day // with which the series ends; day.None where it does not
	NumbersLeft bool    // the day has a game number left for a further game
	Numbers     int     // how many it has left
	// Unattended says that nobody is there without whom no game may open, or that no sound device draws.
	Unattended bool
	Open       *Game
	Unsettled  []Game // closed, oldest first
	// Written is the time of the newest record of the house.
	Written time.Time
	// Paused says that nothing is sold or drawn for the time being, ClosesAt when
	// trading ends early, and GoesOn that the day has a further game to come.
	Paused   bool
	ClosesAt time.Time
	GoesOn   bool
}

// pauseWait is how long to wait before looking whether a pause is over.
const pauseWait = 500 * time.Millisecond

// endedWait is how long to wait before looking whether a series that has ended goes on after all.
const endedWait = time.Minute

// ends reports whether no further game of the day opens.
func (c Config) ends(v View, now time.Time) bool {
	if !v.NumbersLeft {
		return true
	}
	return !v.GoesOn && (c.KenoDay(now) > v.Day || !v.ClosesAt.IsZero() && !now.Before(v.ClosesAt))
}

// fewNumbers is how many numbers of games are left when it is told that they do not last.
const fewNumbers = 30

// RunsOut reports whether the numbers of games end soon, or have ended, before the open day does.
func (c Config) RunsOut(v View, now time.Time) bool {
	if !v.DayOpen || v.Numbers > fewNumbers {
		return false
	}
	ends := c.dayBegins(v.Day + 1)
	if !v.ClosesAt.IsZero() {
		ends = earlier(ends, v.ClosesAt)
	}
	last := now // close of the game with the last number
	if v.Open != nil {
		last = v.Open.Closes
	}
	return last.Add(time.Duration(v.Numbers) * c.Interval).Before(ends.Add(-c.Interval))
}

// Game is a game under way.
type Game struct {
	Ordinal  uint32
	Closes   time.Time
	SealedAt time.Time
	Drawn    int  // numbers drawn so far
	Finished bool // the device has signed them all
}

// Step is what to do next.
type Step uint8

// The steps.
const (
	Wait       Step = iota
	OpenDay         // begin Plan.Day
	OpenGame        // put a game on sale until Plan.Closes
	TurnGame        // close and seal the open game, and open the next until Plan.Closes
	CloseGame       // close and seal the open game, the last of its day
	DrawNumber      // draw the next number of Plan.Ordinal
	FinishDraw      // have the device sign the numbers of Plan.Ordinal
	SettleGame      // settle Plan.Ordinal
	CloseDay
	Look // find out what is due; no plan has this step
)

var stepNames = [...]string{
	Wait: "wait", OpenDay: "open day", OpenGame: "open game", TurnGame: "turn game", CloseGame: "close game",
	DrawNumber: "draw number", FinishDraw: "finish draw", SettleGame: "settle game", CloseDay: "close day",
	Look: "look at the series",
}

// String returns the step's name.
func (s Step) String() string { return stepNames[s] }

// Plan is the next step and, where it is Wait, until when.
type Plan struct {
	Step    Step
	Until   time.Time
	Ordinal uint32
	Day     day.Day
	Closes  time.Time
}

// attendance is how often the timetable looks whether somebody has come.
const attendance = time.Second

// Next returns the step that is due.
//
//rule:vic-keno-2015 18(b)
func (c Config) Next(v View, now time.Time) Plan {
	switch {
	case v.Paused:
		return Plan{Step: Wait, Until: now.Add(pauseWait)}
	case len(v.Unsettled) > 0:
		return c.nextOfDraw(v, now)
	case v.Open != nil:
		return c.nextOfSale(v, now)
	}
	return c.nextOfDay(v, now)
}

// nextOfDraw brings the oldest closed game to its settlement. The open game does
// not close before that, because its plays may depend on the result.
func (c Config) nextOfDraw(v View, now time.Time) Plan {
	game := v.Unsettled[0]
	switch due := game.SealedAt.Add(c.Lead + time.Duration(game.Drawn)*c.Ball); {
	case game.Finished:
		return Plan{Step: SettleGame, Ordinal: game.Ordinal}
	case game.Drawn == c.Numbers:
		return Plan{Step: FinishDraw, Ordinal: game.Ordinal}
	case now.Before(due):
		return Plan{Step: Wait, Until: due}
	}
	return Plan{Step: DrawNumber, Ordinal: game.Ordinal}
}

func (c Config) nextOfSale(v View, now time.Time) Plan {
	if now.Before(v.Open.Closes) {
		return Plan{Step: Wait, Until: v.Open.Closes}
	}
	if c.ends(v, now) || v.Unattended {
		return Plan{Step: CloseGame, Ordinal: v.Open.Ordinal}
	}
	return Plan{Step: TurnGame, Ordinal: v.Open.Ordinal, Closes: c.closeAfter(v.Open.Closes, now)}
}

// nextOfDay acts when no game is on sale and none is being drawn.
//
//rule:casino-keno-div2 1.0.keno-day 6.2
func (c Config) nextOfDay(v View, now time.Time) Plan {
	today := c.KenoDay(now)
	switch {
	case v.DayOpen && c.ends(v, now) && today > v.Day:
		return Plan{Step: CloseDay}
	case v.DayOpen && c.ends(v, now):
		// The day lasts its 24 hours, in which what was sold of later games can be cancelled. What
		// kept a further game away may go before that.
		return Plan{Step: Wait, Until: earlier(now.Add(pauseWait), c.dayBegins(v.Day+1))}
	case v.DayOpen && v.Unattended:
		return Plan{Step: Wait, Until: now.Add(attendance)}
	case v.DayOpen:
		return Plan{Step: OpenGame, Closes: now.Add(c.Interval)}
	case v.LastDay != day.None && today > v.LastDay:
		return Plan{Step: Wait, Until: now.Add(endedWait)}
	case today > v.Day:
		return Plan{Step: OpenDay, Day: today}
	}
	return Plan{Step: Wait, Until: c.dayBegins(v.Day + 1)}
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// closeAfter keeps the rhythm of closes, skipping those that were missed and one
// that would leave less than half an interval for sale.
func (c Config) closeAfter(last, now time.Time) time.Time {
	next := last.Add(c.Interval)
	if late := now.Add(c.Interval / 2).Sub(next); late > 0 {
		missed := int64((late + c.Interval - 1) / c.Interval)
		next = next.Add(time.Duration(missed) * c.Interval)
	}
	return next
}

// KenoDay returns the Keno Day that an instant belongs to: the local date on
// which its trading began.
//
//rule:vic-keno-2015 2(a).keno-day
//rule:tas-keno-2023 1.33
//rule:casino-keno-div2 1.0.keno-day
func (c Config) KenoDay(now time.Time) day.Day {
	local := now.In(c.Zone)
	d, err := day.Of(local.Year(), int(local.Month()), local.Day())
	if err != nil {
		return day.None
	}
	if local.Before(c.dayBegins(d)) {
		return d - 1
	}
	return d
}

// dayBegins returns the instant at which a Keno Day can begin: when local clocks
// show the time of day, also on days when they are set forward or back.
func (c Config) dayBegins(d day.Day) time.Time {
	year, month, dom := d.Date()
	return time.Date(year, time.Month(month), dom, 0, 0, 0, int(c.DayStart), c.Zone)
}

// Offset returns what local clocks add to UTC at an instant, in seconds.
func (c Config) Offset(now time.Time) int32 {
	_, offset := now.In(c.Zone).Zone()
	return int32(offset)
}
