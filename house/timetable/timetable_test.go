package timetable

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"drawhouse/core/day"
)

var melbourne = mustZone("Australia/Melbourne")

func mustZone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return zone
}

var threeMinutes = Config{
	Interval: 3 * time.Minute, Lead: 5 * time.Second, Ball: 3 * time.Second,
	DayStart: 6 * time.Hour, Zone: melbourne, Numbers: 20,
}

func TestCheck(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"draw as long as the interval": func(c *Config) { c.Ball = (c.Interval - c.Lead) / 20 },
		"no interval":                  func(c *Config) { c.Interval = 0 },
		"no zone":                      func(c *Config) { c.Zone = nil },
		"day start tomorrow":           func(c *Config) { c.DayStart = 24 * time.Hour },
	} {
		c := threeMinutes
		change(&c)
		if err := c.Check(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	just := threeMinutes
	just.Ball = (just.Interval - just.Lead - 20) / 20
	if err := just.Check(); err != nil {
		t.Errorf("a draw that is just shorter than the interval: %v", err)
	}
}

func TestPlan(t *testing.T) {
	noon := time.Date(2026, 11, 15, 12, 0, 0, 0, melbourne)
	today := day.MustParse("2026-11-15")
	sealed := noon.Add(-10 * time.Second)
	for name, c := range map[string]struct {
		view View
		now  time.Time
		want string
	}{
		"first start":           {View{NumbersLeft: true}, noon, "open day 2026-11-15"},
		"day open, nothing yet": {View{Day: today, DayOpen: true, NumbersLeft: true}, noon, "open game until 12:03:00"},
		"on sale": {View{Day: today, DayOpen: true, NumbersLeft: true,
			Open: &Game{Ordinal: 4, Closes: noon.Add(time.Second)}}, noon, "wait until 12:00:01"},
		"close is due": {View{Day: today, DayOpen: true, NumbersLeft: true, Open: &Game{Ordinal: 4, Closes: noon}},
			noon, "turn game 4 until 12:03:00"},
		"close is a little late": {View{Day: today, DayOpen: true, NumbersLeft: true,
			Open: &Game{Ordinal: 4, Closes: noon.Add(-time.Minute)}}, noon, "turn game 4 until 12:02:00"},
		"close was missed": {View{Day: today, DayOpen: true, NumbersLeft: true,
			Open: &Game{Ordinal: 4, Closes: noon.Add(-20 * time.Minute)}}, noon, "turn game 4 until 12:04:00"},
		"no numbers left": {View{Day: today, DayOpen: true, Open: &Game{Ordinal: 4, Closes: noon}}, noon,
			"close game 4"},
		"day is over": {View{Day: today - 1, DayOpen: true, NumbersLeft: true,
			Open: &Game{Ordinal: 4, Closes: noon}}, noon, "close game 4"},
		"draw before sale": {View{Day: today, DayOpen: true, NumbersLeft: true, Open: &Game{Ordinal: 5, Closes: noon},
			Unsettled: []Game{{Ordinal: 4, SealedAt: sealed, Drawn: 1}}}, noon, "draw number 4"},
		"number not due": {View{DayOpen: true, Day: today,
			Unsettled: []Game{{Ordinal: 4, SealedAt: sealed, Drawn: 2}}}, noon, "wait until 12:00:01"},
		"all drawn": {View{DayOpen: true, Day: today,
			Unsettled: []Game{{Ordinal: 4, SealedAt: sealed, Drawn: 20}}}, noon, "finish draw 4"},
		"signed": {View{DayOpen: true, Day: today,
			Unsettled: []Game{{Ordinal: 4, SealedAt: sealed, Drawn: 20, Finished: true}}}, noon, "settle game 4"},
		"nobody watches": {View{Day: today, DayOpen: true, NumbersLeft: true, Unattended: true}, noon,
			"wait until 12:00:01"},
		"who watched leaves": {View{Day: today, DayOpen: true, NumbersLeft: true, Unattended: true,
			Open: &Game{Ordinal: 4, Closes: noon}}, noon, "close game 4"},
		"unattended at the end": {View{Day: today - 1, DayOpen: true, NumbersLeft: true, Unattended: true}, noon,
			"close day"},
		"day ends":               {View{Day: today - 1, DayOpen: true, NumbersLeft: true}, noon, "close day"},
		"numbers used":           {View{Day: today, DayOpen: true}, noon, "wait until 12:00:00"},
		"numbers used, day ends": {View{Day: today - 1, DayOpen: true}, noon, "close day"},
		"day ended early":        {View{Day: today, NumbersLeft: true}, noon, "wait until 06:00:00"},
		"next day":               {View{Day: today - 1, NumbersLeft: true}, noon, "open day 2026-11-15"},
		"the last day":           {View{Day: today - 1, LastDay: today, NumbersLeft: true}, noon, "open day 2026-11-15"},
		"after the last day":     {View{Day: today - 1, LastDay: today - 1, NumbersLeft: true}, noon, "wait until 12:01:00"},
		"the last day goes on": {View{Day: today - 1, DayOpen: true, LastDay: today - 1, NumbersLeft: true, GoesOn: true},
			noon, "open game until 12:03:00"},
	} {
		if got := describe(threeMinutes.Next(c.view, c.now)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func describe(p Plan) string {
	s := p.Step.String()
	if p.Ordinal != 0 {
		s += fmt.Sprintf(" %d", p.Ordinal)
	}
	if p.Day.IsValid() {
		s += " " + p.Day.String()
	}
	for _, at := range []time.Time{p.Until, p.Closes} {
		if !at.IsZero() {
			s += " until " + at.In(melbourne).Format("15:04:05")
		}
	}
	return s
}

func TestKenoDay(t *testing.T) {
	for local, want := range map[string]string{
		"2026-11-15 05:59:59": "2026-11-14",
		"2026-11-15 06:00:00": "2026-11-15",
		"2026-11-16 00:00:00": "2026-11-15",
		"2026-10-04 05:59:59": "2026-10-03", // clocks go forward at 2 a.m. on this day
		"2026-10-04 06:00:00": "2026-10-04",
		"2027-04-04 05:59:59": "2027-04-03", // and back at 3 a.m. on this one
		"2027-04-04 06:00:00": "2027-04-04",
	} {
		at, err := time.ParseInLocation("2006-01-02 15:04:05", local, melbourne)
		if err != nil {
			t.Fatal(err)
		}
		if got := threeMinutes.KenoDay(at).String(); got != want {
			t.Errorf("%s is in Keno Day %s, want %s", local, got, want)
		}
	}
}

// model is a house that keeps only what View shows, and refuses steps that are
// out of order.
type model struct {
	view    View
	clock   *fakeClock
	ordinal uint32
	games   int // of the day
	log     map[Step]int
	stop    func(*model) bool
}

var errStopped = errors.New("stopped")

func (m *model) View(context.Context) (View, error) {
	if m.stop(m) {
		return View{}, errStopped
	}
	m.view.NumbersLeft = m.games < 1000
	return m.view, nil
}

func (m *model) OpenDay(_ context.Context, d day.Day, _ int32) error {
	if m.view.DayOpen || d <= m.view.Day {
		return fmt.Errorf("day %v opens after %v", d, m.view.Day)
	}
	m.view.Day, m.view.DayOpen, m.games = d, true, 0
	m.log[OpenDay]++
	return nil
}

func (m *model) CloseDay(context.Context) error {
	if !m.view.DayOpen || m.view.Open != nil || len(m.view.Unsettled) > 0 {
		return errors.New("the day closes in the middle of a game")
	}
	m.view.DayOpen = false
	m.log[CloseDay]++
	return nil
}

func (m *model) OpenGame(_ context.Context, closes time.Time) error {
	if !m.view.DayOpen || m.view.Open != nil {
		return errors.New("a game opens beside another")
	}
	m.ordinal++
	m.games++
	m.view.Open = &Game{Ordinal: m.ordinal, Closes: closes}
	m.log[OpenGame]++
	return nil
}

func (m *model) CloseGame(context.Context) error {
	m.view.Open.SealedAt = m.clock.now
	m.view.Unsettled = append(m.view.Unsettled, *m.view.Open)
	m.view.Open = nil
	m.log[CloseGame]++
	return nil
}

func (m *model) TurnGame(ctx context.Context, closes time.Time) error {
	return errors.Join(m.CloseGame(ctx), m.OpenGame(ctx, closes))
}

func (m *model) DrawNumber(_ context.Context, ordinal uint32) error {
	if m.view.Unsettled[0].Ordinal != ordinal || m.view.Unsettled[0].Drawn == 20 {
		return errors.New("a number too many")
	}
	m.view.Unsettled[0].Drawn++
	m.log[DrawNumber]++
	return nil
}

func (m *model) FinishDraw(context.Context, uint32) error {
	m.view.Unsettled[0].Finished = true
	return nil
}

func (m *model) SettleGame(context.Context, uint32) error {
	m.view.Unsettled = m.view.Unsettled[1:]
	m.log[SettleGame]++
	return nil
}

// fakeClock jumps to the time that is waited for.
type fakeClock struct{ now time.Time }

func (c *fakeClock) Now() time.Time { return c.now }

func (c *fakeClock) WaitUntil(_ context.Context, t time.Time) error {
	c.now = t
	return nil
}

func TestADay(t *testing.T) {
	clock := &fakeClock{now: time.Date(2026, 11, 15, 6, 0, 0, 0, melbourne)}
	house := &model{clock: clock, log: map[Step]int{}, stop: func(m *model) bool { return m.log[OpenDay] == 3 }}
	if err := Run(t.Context(), threeMinutes, house, clock); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	// Two whole days: the last game of each closes at the day's first close after
	// six, so a day of 24 hours has 480 games.
	if got := house.log[SettleGame]; got != 960 {
		t.Errorf("two days have %d games", got)
	}
	if got := house.log[DrawNumber]; got != 960*20 {
		t.Errorf("%d numbers were drawn", got)
	}
	if house.log[CloseDay] != 2 {
		t.Errorf("%d days were closed", house.log[CloseDay])
	}
}

func TestADayStopsWhenItsNumbersAreUsedUp(t *testing.T) {
	fast := Config{Interval: 30 * time.Second, Ball: time.Second, DayStart: 6 * time.Hour, Zone: melbourne, Numbers: 20}
	clock := &fakeClock{now: time.Date(2026, 11, 15, 6, 0, 0, 0, melbourne)}
	house := &model{clock: clock, log: map[Step]int{}, stop: func(m *model) bool { return m.log[OpenDay] == 2 }}
	if err := Run(t.Context(), fast, house, clock); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	if got := house.log[SettleGame]; got != 1000 {
		t.Errorf("a day had %d games, its numbers are 0 to 999", got)
	}
	if got := clock.now.In(melbourne).Format("2006-01-02 15:04"); got != "2026-11-16 06:00" {
		t.Errorf("the next day opened at %s", got)
	}
}

func TestRunStopsAtAFailedStep(t *testing.T) {
	clock := &fakeClock{now: time.Date(2026, 11, 15, 6, 0, 0, 0, melbourne)}
	house := &model{clock: clock, log: map[Step]int{}, stop: func(*model) bool { return false }}
	house.view = View{Day: day.MustParse("2026-11-15"), DayOpen: true, Unsettled: []Game{{Ordinal: 9, Drawn: 3}}}
	house.view.Unsettled[0].Drawn = 19
	failing := &failAfter{House: house, left: 1}
	if err := Run(t.Context(), threeMinutes, failing, clock); err == nil || failing.left != 0 {
		t.Fatalf("Run after a failed step: %v", err)
	}
}

// failAfter fails the first settlement.
type failAfter struct {
	House
	left int
}

func (f *failAfter) SettleGame(context.Context, uint32) error {
	f.left--
	return errors.New("the house says no")
}

// TestRunsOut: thirty games before the last number it is said that the numbers do not last, if they do not.
func TestRunsOut(t *testing.T) {
	noon := time.Date(2026, 11, 15, 12, 0, 0, 0, melbourne)
	today := day.MustParse("2026-11-15")
	morning := threeMinutes.dayBegins(today + 1)
	on := func(numbers int, change func(*View)) View {
		v := View{Day: today, DayOpen: true, Numbers: numbers, Open: &Game{Closes: noon}}
		if change != nil {
			change(&v)
		}
		return v
	}
	for name, c := range map[string]struct {
		view View
		now  time.Time
		want bool
	}{
		"many are left":    {on(31, nil), noon, false},
		"few are left":     {on(30, nil), noon, true},
		"none is left":     {on(0, nil), noon, true},
		"no game is open":  {on(0, func(v *View) { v.Open = nil }), noon, true},
		"no day is open":   {on(0, func(v *View) { v.DayOpen = false }), noon, false},
		"trading ends":     {on(10, func(v *View) { v.ClosesAt = noon.Add(10 * threeMinutes.Interval) }), noon, false},
		"trading ends on":  {on(10, func(v *View) { v.ClosesAt = noon.Add(12 * threeMinutes.Interval) }), noon, true},
		"the day is over":  {on(10, func(v *View) { v.Open.Closes = morning.Add(-11 * threeMinutes.Interval) }), noon, false},
		"the day is short": {on(10, func(v *View) { v.Open.Closes = morning.Add(-12 * threeMinutes.Interval) }), noon, true},
	} {
		if got := threeMinutes.RunsOut(c.view, c.now); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
