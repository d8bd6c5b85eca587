package house

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/house/timetable"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// evening is a second series of games by the rulebook of the first.
func (b *bench) evening2() command.BeginSeries {
	book := b.house.First().Book()
	return command.BeginSeries{Name: "evening-keno", Rulebook: book.Hash().String(), Schedule: book.Schedules()[0].ID(),
		Interval: 300, Reference: "letter 9"}
}

// buy sells a ticket of a series, or says why not.
func (b *bench) buy(series uint8, inSession bool) (Sold, error) {
	b.t.Helper()
	b.number++
	request, err := keno.ParseRequest([]byte(`{"v":1,"rulebook":"` + b.rules +
		`","first":"open","games":1,"bets":[{"bet":"classic","spots":{"pick":4},"stake_cents":100}]}`))
	must(b.t, err)
	code, err := serial.NewClaimCode(b.random)
	must(b.t, err)
	sold, err := b.house.Sell(b.t.Context(), record.Request{Terminal: 1, Number: b.number},
		Order{Series: series, Terminal: 1, Method: rulebook.MethodVerbal, Ticket: request, InSession: inSession},
		code.Hash(1, b.number), 0)
	if err == nil {
		b.sold, b.codes[sold.Place] = append(b.sold, sold), code
	}
	return sold, err
}

// endSession ends the session at the terminal with cash.
func (b *bench) endSession() Settled {
	b.t.Helper()
	b.number++
	ended, err := b.house.EndSession(b.t.Context(),
		counter.SessionEnd{Request: record.Request{Terminal: 1, Number: b.number}, Now: b.house.now()})
	must(b.t, err)
	return ended
}

func (b *bench) refuses(err error, code refusal.Code) {
	b.t.Helper()
	var refused *refusal.Refusal
	if !errors.As(err, &refused) || refused.Code != code {
		b.t.Errorf("want %s, got %v", code, err)
	}
}

// TestTwoSeries runs two series of games beside one another: each has its days and games, a customer session
// is about the games of one series, and the second opinion follows both.
func TestTwoSeries(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	two := b.appoint()
	if _, err := b.house.Line(2); err == nil {
		t.Fatal("there is a second series already")
	}
	must(t, b.decide(two, b.evening2()))
	licence := command.LicenseVenue{Venue: 1, Series: 2, Sells: true, Reference: "letter 10"}
	must(t, b.decide(two, licence))
	b.refuses(b.decide(two, licence), counter.LicenceKnown)
	if ids := b.house.SeriesIDs(); !slices.Equal(ids, []uint8{1, 2}) {
		t.Fatalf("the series are %v", ids)
	}
	var refused []error
	lines := b.house.Lines()
	for settled := 0; settled < 8; {
		for _, l := range lines {
			if _, err := timetable.Once(t.Context(), l.rhythm(config), player{l}, b.clock); err != nil &&
				!errors.Is(err, timetable.ErrNotYet) {
				t.Fatal(err)
			}
		}
		settled = 0
		for _, l := range lines {
			now, err := l.Course(t.Context())
			must(t, err)
			for _, g := range l.Games(4) {
				if g.IsSettled() {
					settled++
				}
			}
			if now.OnSale == 0 || len(b.sold) >= 40 {
				continue
			}
			_, err = b.buy(l.id, true)
			must(t, err)
			_, mixed := b.buy(3-l.id, true)
			refused = append(refused, mixed)
			if ended := b.endSession(); ended.End.Series != l.id && l.id != FirstSeries {
				t.Errorf("a session of series %d ends as one of series %d", l.id, ended.End.Series)
			}
		}
	}
	for _, err := range refused {
		b.refuses(err, counter.SessionOpen)
	}
	first, second := b.house.First().Games(100), must1(b.house.Line(2)).Games(100)
	if first[0].Ref.Series != 1 || second[0].Ref.Series != 2 || len(refused) == 0 {
		t.Errorf("%d games of %v, %d of %v", len(first), first[0].Ref, len(second), second[0].Ref)
	}
	if b.payAll() == 0 {
		t.Error("nobody has won anything")
	}
	report := b.verify()
	if !report.OK() || !slices.Equal(report.Series, []string{"vic-keno", "evening-keno"}) {
		t.Fatalf("the second opinion: %v, %+v", report.Series, report.Failure)
	}
	b.open()
	if again := must1(b.house.Line(2)).Games(100); len(again) != len(second) || again[0].Numbers != second[0].Numbers {
		t.Errorf("after a start there are %d games of the second series, and were %d", len(again), len(second))
	}
}

// TestLicence ends the sale of a series at a venue: what was sold there is paid, and nothing more is sold.
func TestLicence(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	two := b.appoint()
	must(t, b.decide(two, b.evening2()))
	for name, c := range map[string]struct {
		licence command.LicenseVenue
		code    refusal.Code
	}{
		"no venue":    {command.LicenseVenue{Venue: 99, Series: 2, Sells: true, Reference: "a"}, staff.VenueUnknown},
		"no series":   {command.LicenseVenue{Venue: 1, Series: 3, Sells: true, Reference: "a"}, counter.SeriesUnknown},
		"no decision": {command.LicenseVenue{Venue: 1, Series: 2, Sells: true}, counter.LicenceReference},
		"none to end": {command.LicenseVenue{Venue: 1, Series: 2, Reference: "a"}, counter.LicenceKnown},
	} {
		t.Log(name)
		b.refuses(b.decide(two, c.licence), c.code)
	}
	for _, l := range b.house.Lines() {
		for now := must1(l.Course(t.Context())); now.OnSale == 0; now = must1(l.Course(t.Context())) {
			if _, err := timetable.Once(t.Context(), l.rhythm(config), player{l}, b.clock); err != nil {
				must(t, err)
			}
		}
	}
	_, err := b.buy(2, false)
	b.refuses(err, counter.Unlicensed)
	_, err = b.buy(1, false)
	must(t, err)
	must(t, b.decide(two, command.LicenseVenue{Venue: 1, Series: 2, Sells: true, Reference: "letter 10"}))
	must(t, b.decide(two, command.LicenseVenue{Venue: 1, Series: 1, Reference: "letter 11"}))
	if at := must1(b.house.Counter(t.Context(), 1)); !slices.Equal(at.Sells, []uint8{2}) {
		t.Errorf("the venue sells %v", at.Sells)
	}
	_, err = b.buy(1, false)
	b.refuses(err, counter.Unlicensed)
	_, err = b.buy(2, false)
	must(t, err)
	for b.house.First().Games(4)[0].Ordinal < 3 {
		if _, err := timetable.Once(t.Context(), config, player{b.house.First()}, b.clock); err != nil {
			must(t, err)
		}
	}
	b.payAll()
	if report := b.verify(); !report.OK() {
		t.Fatalf("the second opinion: %+v", report.Failure)
	}
}

// TestPaperOfAnotherSeries: a customer session takes papers for its own games.
func TestPaperOfAnotherSeries(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	two := b.appoint()
	must(t, b.decide(two, b.evening2()))
	must(t, b.decide(two, command.LicenseVenue{Venue: 1, Series: 2, Sells: true, Reference: "letter 10"}))
	for _, l := range b.house.Lines() {
		for must1(l.Course(t.Context())).OnSale == 0 {
			_, err := timetable.Once(t.Context(), l.rhythm(config), player{l}, b.clock)
			must(t, err)
		}
	}
	grant := state.Grant{Role: record.RoleWriter, Venue: 1}
	made, err := b.house.Do(t.Context(), command.Change{Command: staff.AddPerson{By: two.admin, Details: record.Hash{9},
		Grants: []state.Grant{grant}}}, record.By{})
	must(t, err)
	_, err = b.house.Do(t.Context(), command.Change{Command: staff.Begin{Person: staff.NumberOf(made), Terminal: 1,
		Grant: grant}}, record.By{})
	must(t, err)
	receipt := func(series uint8) counter.PresentedPaper {
		b.number++
		code := must1(serial.NewClaimCode(b.random))
		paper, err := b.house.IssuePaper(t.Context(), counter.PaperOrder{
			Request: record.Request{Terminal: 1, Number: b.number}, Series: series, ID: "change_receipt", Cents: 100,
			Claim: record.Hash(code.Hash(1, b.number)), Reason: record.IssuedForMoney,
		})
		must(t, err)
		return counter.PresentedPaper{Place: paper.Place, Code: code}
	}
	for _, series := range b.house.SeriesIDs() {
		own, other := receipt(series), receipt(3-series)
		_, err := b.buy(series, true)
		must(t, err)
		b.number++
		end := counter.SessionEnd{Request: record.Request{Terminal: 1, Number: b.number}, Now: b.house.now(),
			Papers: []counter.PresentedPaper{other}}
		_, err = b.house.EndSession(t.Context(), end)
		b.refuses(err, counter.PaperOther)
		end.Papers[0] = own
		_, err = b.house.EndSession(t.Context(), end)
		must(t, err)
	}
	if report := b.verify(); !report.OK() {
		t.Fatalf("the second opinion: %+v", report.Failure)
	}
}

func must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestPlayAll plays a series that begins while the house runs.
func TestPlayAll(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	persons := b.appoint()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	begun := make(chan error, 1)
	go func() { begun <- b.decide(persons, b.evening2()) }()
	b.clock.wait = func(time.Time) error {
		if l, err := b.house.Line(2); err == nil && len(l.Games(2)) == 2 {
			cancel(errEnough)
		}
		return nil
	}
	if err := b.house.PlayAll(ctx, config); !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	must(t, <-begun)
}

// TestSeriesRefused asks for series that cannot stand beside the first.
func TestSeriesRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	two := b.appoint()
	must(t, b.decide(two, command.AdoptRulebook{ID: "tas-keno-2023",
		Hash: must1(rules.Book("tas-keno-2023")).Hash().String(), Reference: "letter 3"}))
	for name, c := range map[string]struct {
		change func(*command.BeginSeries)
		code   refusal.Code
	}{
		"no decision":         {func(a *command.BeginSeries) { a.Reference = "" }, game.ApprovalMissing},
		"too often":           {func(a *command.BeginSeries) { a.Interval = 9 }, game.SeriesInterval},
		"too seldom":          {func(a *command.BeginSeries) { a.Interval = 24*60*60 + 1 }, game.SeriesInterval},
		"a name for no seal":  {func(a *command.BeginSeries) { a.Name = "Evening Keno" }, game.SeriesName},
		"the name of another": {func(a *command.BeginSeries) { a.Name = "vic-keno" }, game.SeriesKnown},
		"no such schedule":    {func(a *command.BeginSeries) { a.Schedule = "schedule-9" }, game.ScheduleUnknown},
		"no such rulebook": {func(a *command.BeginSeries) { a.Rulebook = rulebook.Hash{1}.String() },
			game.RulebookUnknown},
		"another time zone": {func(a *command.BeginSeries) {
			a.Rulebook, a.Schedule = must1(rules.Book("tas-keno-2023")).Hash().String(),
				must1(rules.Book("tas-keno-2023")).Schedules()[0].ID()
		}, game.ZoneOther},
	} {
		act := b.evening2()
		c.change(&act)
		t.Log(name)
		b.refuses(b.decide(two, act), c.code)
	}
	for _, interval := range []uint32{10, 24 * 60 * 60} {
		act := b.evening2()
		act.Name, act.Interval = act.Name+string(rune('a'+len(b.house.SeriesIDs()))), interval
		must(t, b.decide(two, act))
	}
}

// TestRhythm gives a series with little time between two games a shorter show.
func TestRhythm(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	act := b.evening2()
	act.Interval = 10
	must(t, b.decide(b.appoint(), act))
	rhythm := must1(b.house.Line(2)).rhythm(config)
	if err := rhythm.Check(); err != nil || rhythm.Interval != 10*time.Second {
		t.Errorf("%+v: %v", rhythm, err)
	}
	if same := b.house.First().rhythm(config); same != config {
		t.Errorf("the first series has the rhythm %+v", same)
	}
}

// TestDeviceOfEachSeries draws one series by the generator and another by a ball machine: the game of the second waits
// for the machine, while games of the first are drawn, also after a restart that names no device.
func TestDeviceOfEachSeries(t *testing.T) {
	t.Parallel()
	b := closedBench(t)
	b.rules = "casino-keno-div2"
	b.open()
	two := b.appoint()
	must(t, b.decide(two, b.evening2()))
	b.house.config.Draws, b.house.config.DrawsOf = record.DeviceGenerator, map[uint8]record.Device{2: record.DeviceCage}
	must(t, b.house.chooseDevices(t.Context()))
	for range 2 {
		for {
			at := b.clock.now
			for _, l := range b.house.Lines() {
				if _, err := timetable.Once(t.Context(), l.rhythm(config), player{l}, b.clock); err != nil &&
					!errors.Is(err, timetable.ErrNotYet) {
					t.Fatal(err)
				}
			}
			if slices.ContainsFunc(b.house.First().Games(100), func(g Game) bool { return g.IsSettled() }) {
				break
			}
			if b.clock.now.Sub(at) > time.Hour {
				t.Fatal("no game of the first series is drawn")
			}
		}
		second := must1(b.house.Line(2))
		if games := second.Games(100); len(games) == 0 || games[0].Numbers.Len() != 0 {
			t.Fatalf("the second series has %+v", games)
		}
		if cage, err := second.Cage(t.Context()); err != nil || cage.Waits.Ordinal == 0 {
			t.Fatalf("no game waits for the ball machine: %+v, %v", cage, err)
		}
		must(t, b.house.Close(t.Context()))
		b.open()
	}
}
