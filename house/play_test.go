package house

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"drawhouse/core/ball"
	"drawhouse/decide/command"
	"drawhouse/games/draw"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// moodyDevice fails as a test wants before it draws.
type moodyDevice struct {
	Device
	mood func() error // may panic
}

type moodyDraw struct {
	Drawing
	device *moodyDevice
}

func (d *moodyDevice) Start(plan draw.Plan, seal journal.Seal, drawn ball.Sequence, recent []ball.Sequence) (Drawing,
	error) {
	if err := d.mood(); err != nil {
		return nil, err
	}
	drawing, err := d.Device.Start(plan, seal, drawn, recent)
	return moodyDraw{drawing, d}, err
}

func (d moodyDraw) Next(place int) (draw.Pick, error) {
	if err := d.device.mood(); err != nil {
		return draw.Pick{}, err
	}
	return d.Drawing.Next(place)
}

// exchange has another device draw.
func (b *bench) exchange(d Device) { b.house.drawWith(d) }

// playOn runs the games until wait says that it is enough.
func (b *bench) playOn(wait func(until time.Time) error) {
	b.t.Helper()
	b.clock.wait = wait
	if err := b.house.First().PlayOn(b.t.Context(), config); !errors.Is(err, errEnough) {
		b.t.Fatal(err)
	}
}

// alarmOn returns the alarm of a part, if it has one.
func (b *bench) alarmOn(part Part) (Alarm, bool) {
	for _, a := range b.house.Alarms() {
		if a.Part == part {
			return a, true
		}
	}
	return Alarm{}, false
}

// TestContained: a device that fails, says that it is away, or panics keeps its series
// waiting, with an alarm and longer and longer from try to try, and everything else goes on.
// When the device is back the game is drawn to its end and the alarm is over.
func TestContained(t *testing.T) {
	away := fmt.Errorf("no device: %w", timetable.ErrNotYet)
	for name, mood := range map[string]func() error{
		"an error": func() error { return errors.New("the device is cross") },
		"a panic":  func() error { panic("the device is cross") },
		"not yet":  func() error { return fmt.Errorf("the device is cross: %w", away) },
		"busy":     func() error { return fmt.Errorf("the device is cross: %w", lane.ErrBusy) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			device := &moodyDevice{Device: *b.house.device.Load(), mood: mood}
			b.exchange(device)
			var waits []time.Duration
			rounds, back := 0, false
			b.playOn(func(until time.Time) error {
				if back {
					if g := b.house.First().Games(3); len(g) == 3 {
						return errEnough // The game that stood still is settled: the next one has closed.
					}
					return nil
				}
				alarm, raised := b.alarmOn(SeriesPart(FirstSeries))
				if !raised {
					return nil
				}
				b.sell(1, 3) // Sales go on.
				if !strings.Contains(alarm.Sentence, "the device is cross") || alarm.Remedy == "" ||
					alarm.Since.After(b.clock.Now()) {
					t.Errorf("the alarm is %+v", alarm)
				}
				waits = append(waits, until.Sub(b.clock.Now()))
				if rounds++; rounds == 8 {
					device.mood, back = func() error { return nil }, true
				}
				return nil
			})
			if alarm, raised := b.alarmOn(SeriesPart(FirstSeries)); raised {
				t.Errorf("the device is back, and the alarm stays: %+v", alarm)
			}
			for i, wait := range waits {
				if wait < retryLeast || wait > retryMost || i > 0 && wait < waits[i-1] {
					t.Errorf("the waits between the tries are %v", waits)
				}
			}
			if grows := waits[len(waits)-1] == retryMost; grows != (name == "an error" || name == "a panic") {
				t.Errorf("the waits between the tries are %v", waits)
			}
			b.verify()
		})
	}
}

// TestPauseEndsTheAlarm: a series that is paused stands still because persons want it to.
func TestPauseEndsTheAlarm(t *testing.T) {
	b := newBench(t)
	b.exchange(&moodyDevice{Device: *b.house.device.Load(),
		mood: func() error { return errors.New("the device is cross") }})
	paused := 0
	b.playOn(func(time.Time) error {
		_, raised := b.alarmOn(SeriesPart(FirstSeries))
		switch {
		case paused > 1 && raised: // The first wait of the pause is where the house finds out.
			t.Error("the alarm stays through the pause")
			return errEnough
		case paused == 3:
			return errEnough
		case paused > 0:
			paused++
		case raised:
			must(t, command.Outcome(b.house.Do(t.Context(), command.Pause{Reason: "the device is repaired"},
				record.By{Person: 1})))
			paused = 1
		}
		return nil
	})
}

// TestStepPanics: a step of the timetable that panics on the lane stops the lane, is
// answered as what it is, and does not end the process. The house opens from what is
// durable, and goes on.
func TestStepPanics(t *testing.T) {
	b := newBench(t)
	b.playOn(func(time.Time) error { return errEnough })
	err := b.house.do(t.Context(), func(machine) error { panic("half changed") })
	if !errors.Is(err, lane.ErrPanicked) || errors.Is(err, lane.ErrStopped) {
		t.Errorf("the step is answered %v", err)
	}
	<-b.house.Done()
	if err := b.house.Err(); !errors.Is(err, lane.ErrPanicked) {
		t.Errorf("the lane stopped for %v", err)
	}
	// PlayOn waits for the lane, and neither ends nor blames the series.
	tries := 0
	b.playOn(func(time.Time) error {
		if tries++; tries == 100 {
			return errEnough
		}
		return nil
	})
	if _, raised := b.alarmOn(SeriesPart(FirstSeries)); raised {
		t.Error("the series is blamed for the lane")
	}
	must(t, b.store.Close())
	b.open()
	b.playOn(func(time.Time) error { return errEnough })
}

// TestClosedHouseEndsPlay: a house that was closed in good order is not waited for.
func TestClosedHouseEndsPlay(t *testing.T) {
	b := newBench(t)
	must(t, b.house.Close(context.Background()))
	if err := b.house.First().PlayOn(t.Context(), config); !errors.Is(err, lane.ErrStopped) {
		t.Errorf("PlayOn returned %v", err)
	}
}

// TestPanicHolds: a step that panics on the lane again after the journal was opened anew is
// not tried for longer and longer, because the house sells nothing while the journal is
// opened. Persons who change what is due do not wait for that.
func TestPanicHolds(t *testing.T) {
	b := newBench(t)
	b.playOn(func(time.Time) error {
		if len(b.house.First().Games(2)) == 2 {
			return errEnough // One is sealed.
		}
		return nil
	})
	due, err := timetable.Due(t.Context(), config, player{b.house.First()}, b.clock)
	must(t, err)
	for due.Step == timetable.Wait {
		b.clock.set(due.Until)
		due, err = timetable.Due(t.Context(), config, player{b.house.First()}, b.clock)
		must(t, err)
	}
	broken := fmt.Errorf("a step: %w", &lane.Panic{Value: "half changed"})
	b.house.First().took(due, broken)
	if !b.house.First().stands.until.IsZero() {
		t.Error("after the first panic the step is not tried")
	}
	b.house.First().took(due, fmt.Errorf("%w: %w", lane.ErrStopped, broken)) // The journal is opened anew.
	for _, want := range []time.Duration{heldLeast, 2 * heldLeast, 4 * heldLeast} {
		b.house.First().took(due, broken)
		if got := b.house.First().stands.until.Sub(b.clock.Now()); got != want {
			t.Errorf("the step is held for %v, want %v", got, want)
		}
	}
	for range 100 {
		b.house.First().took(due, broken)
	}
	if got := b.house.First().stands.until.Sub(b.clock.Now()); got != heldMost {
		t.Errorf("the step is held for %v, want %v", got, heldMost)
	}
	alarm, raised := b.alarmOn(SeriesPart(FirstSeries))
	if !raised || !strings.Contains(alarm.Sentence, "half changed") ||
		!strings.Contains(alarm.Remedy, "pause the series and void the game by two persons") {
		t.Errorf("the alarm is %+v", alarm)
	}
	if plan, err := b.house.First().playOnce(t.Context(), config); !errors.Is(err, errHeld) || plan.Step != due.Step {
		t.Errorf("the step is tried: %v, %v", plan, err)
	}
	must(t, command.Outcome(b.house.Do(t.Context(), command.Pause{Reason: "looking"}, record.By{Person: 1})))
	b.clock.wait = nil
	if plan, err := b.house.First().playOnce(t.Context(), config); err != nil || plan.Step != timetable.Wait {
		t.Errorf("the pause is not seen: %v, %v", plan, err)
	}
}

// TestStuckSeriesHasAWayOut walks what docs/RUNBOOK.md says of a series that stands still: a
// game that cannot be drawn keeps the series from going on; play is paused, the game is ended
// without a result by two persons, play is resumed, and the next game is drawn.
func TestStuckSeriesHasAWayOut(t *testing.T) {
	b := newBench(t)
	persons := b.appoint()
	stuck, healthy := true, *b.house.device.Load()
	b.exchange(&moodyDevice{Device: healthy, mood: func() error {
		if stuck {
			return errors.New("the device is cross")
		}
		return nil
	}})
	b.playOn(func(time.Time) error {
		b.sell(1, 3)
		if _, raised := b.alarmOn(SeriesPart(FirstSeries)); raised {
			return errEnough
		}
		return nil
	})
	game := b.house.First().Games(2)[1]
	must(t, command.Outcome(b.house.Do(t.Context(), command.Pause{Reason: "the device is looked at"},
		record.By{Person: persons.ann})))
	must(t, b.decide(persons, command.VoidGame{Ordinal: game.Ordinal, Reason: "the device failed", Clause: "18(b)"}))
	stuck = false
	must(t, command.Outcome(b.house.Do(t.Context(), command.Resume{}, record.By{Person: persons.ann})))
	b.goesOn(b.house.First().Games(2)[0])
	if g, _ := b.house.Game(game.Ref); !g.IsVoid() {
		t.Errorf("the game is %+v", g)
	}
	b.verify()
}
