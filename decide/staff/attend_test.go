package staff

import (
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// TestAttendance goes through what may not happen without people or displays.
func TestAttendance(t *testing.T) {
	sell := func(c Sale) func(*rig) error {
		return func(r *rig) error { c.Series = 1; return CheckSale(r.s, r.now, c) }
	}
	game := func(r *rig) error { return CheckGame(r.s, r.now, 1) }
	area := func(r *rig) {
		r.must(AddArea{Venue: 1, Area: 1, Name: "Bar"})
		r.apply(&record.TerminalPlaced{Terminal: 1, Area: 1})
		r.onDuty(record.RoleSenior, 1, 0)
	}
	display := func(screen record.Screen, working bool) func(*rig) {
		return func(r *rig) { r.must(ReportDisplay{Venue: 1, Area: 1, Screen: screen, Working: working}) }
	}
	for _, c := range []struct {
		name, book string
		prepare    []func(*rig)
		check      func(*rig) error
		code       refusal.Code
		clause     string
	}{
		{"game, nobody", "vic-keno-2015", nil, game, NoSupervisor, "7(a)"},
		{"game, a senior", "vic-keno-2015", []func(*rig){func(r *rig) { r.onDuty(record.RoleSenior, 1, 0) }}, game,
			NoSupervisor, "7(a)"},
		{"game, a supervisor not on duty", "vic-keno-2015", []func(*rig){func(r *rig) { r.person(record.RoleSupervisor, 0) }},
			game, NoSupervisor, "7(a)"},
		{"game, a supervisor", "vic-keno-2015", []func(*rig){func(r *rig) { r.onDuty(record.RoleSupervisor, 0, 0) }}, game,
			"", ""},
		{"game, who leaves", "vic-keno-2015", []func(*rig){func(r *rig) {
			r.must(Leave{r.onDuty(record.RoleSupervisor, 0,
				0)})
		}}, game, NoSupervisor, "7(a)"},
		{"game, an operative of another State", "vic-keno-2015",
			[]func(*rig){func(r *rig) { r.onDuty(record.RoleOperative, 0, 0) }}, game, NoSupervisor, "7(a)"},
		{"game, an operative", "tas-keno-2023", []func(*rig){func(r *rig) { r.onDuty(record.RoleOperative, 0, 0) }}, game, "",
			""},
		{"game, a supervisor of another State", "tas-keno-2023",
			[]func(*rig){func(r *rig) { r.onDuty(record.RoleSupervisor, 0, 0) }}, game, NoSupervisor, "4.1"},
		{"game, nobody in the casino", "casino-keno-div2", nil, game, NoSupervisor, "7.8"},
		{"game, somebody in the casino", "casino-keno-div2",
			[]func(*rig){func(r *rig) { r.onDuty(record.RoleSupervisor, 0, 0) }}, game, "", ""},

		{"sale, no senior", "vic-keno-2015", nil, sell(Sale{Terminal: 1}), NoSenior, "7(b)"},
		{"sale, a writer", "vic-keno-2015", []func(*rig){func(r *rig) { r.onDuty(record.RoleWriter, 1, 1) }},
			sell(Sale{Terminal: 1}), NoSenior, "7(b)"},
		{"sale, the senior of another venue", "vic-keno-2015",
			[]func(*rig){func(r *rig) { r.onDuty(record.RoleSenior, 2, 0) }}, sell(Sale{Terminal: 1}), NoSenior, "7(b)"},
		{"sale, a senior", "vic-keno-2015", []func(*rig){func(r *rig) { r.onDuty(record.RoleSenior, 1, 0) }},
			sell(Sale{Terminal: 1}), "", ""},
		{"sale, a senior at the terminal", "vic-keno-2015", []func(*rig){func(r *rig) { r.onDuty(record.RoleSenior, 1, 1) }},
			sell(Sale{Terminal: 2}), "", ""},
		{"sale, no senior writer", "tas-keno-2023", nil, sell(Sale{Terminal: 1}), NoSenior, "4.2"},
		{"sale, no writer", "casino-keno-div2", nil, sell(Sale{Terminal: 1}), NoWriter, "3.13"},
		{"sale, a writer at another terminal", "casino-keno-div2",
			[]func(*rig){func(r *rig) { r.onDuty(record.RoleWriter, 2, 3) }}, sell(Sale{Terminal: 1}), NoWriter, "3.13"},
		{"sale, a writer signed on", "casino-keno-div2", []func(*rig){func(r *rig) { r.onDuty(record.RoleWriter, 1, 1) }},
			sell(Sale{Terminal: 1}), "", ""},

		{"display, never reported", "tas-keno-2023", []func(*rig){area}, sell(Sale{Terminal: 1}), NoDisplay, "9.6"},
		{"display, works", "tas-keno-2023", []func(*rig){area, display(record.ScreenDraw, true)}, sell(Sale{Terminal: 1}), "",
			""},
		{"display, fails", "tas-keno-2023", []func(*rig){area, display(record.ScreenDraw, true),
			display(record.ScreenDraw, false)}, sell(Sale{Terminal: 1}), NoDisplay, "9.6"},
		{"display, of another area", "tas-keno-2023", []func(*rig){area, display(record.ScreenDraw, true)},
			sell(Sale{Terminal: 2}), NoDisplay, "9.6"},
		{"display, no race", "tas-keno-2023", []func(*rig){area, display(record.ScreenDraw, true)},
			sell(Sale{Terminal: 1, Race: true}), NoDisplay, "21.3(a)"},
		{"display, a race", "tas-keno-2023", []func(*rig){area, display(record.ScreenDraw, true),
			display(record.ScreenRace, true)}, sell(Sale{Terminal: 1, Race: true}), "", ""},
		{"a display does not sell", "tas-keno-2023", nil, sell(Sale{Terminal: 4}), NotASeller, ""},

		{"key revoked", "vic-keno-2015", []func(*rig){func(r *rig) { r.must(RevokeTerminal{Terminal: 1, Reason: "stolen"}) }},
			sell(Sale{Terminal: 1}), KeyRevoked, ""},
	} {
		r := newRig(t, c.book)
		for _, prepare := range c.prepare {
			prepare(r)
		}
		wantCode(t, c.name, c.check(r), c.code, c.clause)
	}
}

// TestLockedIsNotPresent: who is locked by a person watches over no game and no venue, from
// the lock to its end; guesses of strangers change nothing; and who is locked may go home
// though a game runs.
func TestLockedIsNotPresent(t *testing.T) {
	r := newRig(t, "vic-keno-2015")
	boss, relief := r.person(record.RoleAdministrator, 0), r.person(record.RoleSupervisor, 0)
	supervisor, senior := r.onDuty(record.RoleSupervisor, 0, 0), r.onDuty(record.RoleSenior, 1, 0)
	r.person(record.RoleSenior, 1)
	for name, c := range map[string]struct {
		person uint32
		check  func() error
		code   refusal.Code
		clause string
	}{
		"supervisor": {supervisor, func() error { return CheckGame(r.s, r.now, 1) }, NoSupervisor, "7(a)"},
		"senior":     {senior, func() error { return CheckSale(r.s, r.now, Sale{Terminal: 2, Series: 1}) }, NoSenior, "7(b)"},
	} {
		wantCode(t, name+" before the lock", c.check(), "", "")
		r.must(Lock{Person: c.person, Until: r.now + 60_000, Reason: "5 wrong passwords"})
		wantCode(t, name+" guessed at", c.check(), "", "")
		r.must(Lock{boss, c.person, r.now + 60_000, "anger"})
		wantCode(t, name+" at the lock", c.check(), c.code, c.clause)
		r.now += 59_999
		wantCode(t, name+" before its end", c.check(), c.code, c.clause)
		r.now++
		wantCode(t, name+" at its end", c.check(), "", "")
		r.must(Lock{boss, c.person, record.Forever, "anger"})
		wantCode(t, name+" for ever", c.check(), c.code, c.clause)
		r.must(Lock{boss, c.person, 0, "a mistake"})
		wantCode(t, name+" let in again", c.check(), "", "")
	}
	r.openGame()
	wantCode(t, "the last leaves a game", r.do(End{supervisor, supervisor}), GameRuns, "7(a)")
	r.must(Lock{boss, supervisor, record.Forever, "anger"})
	r.must(Begin{Person: relief, Grant: state.Grant{Role: record.RoleSupervisor}})
	wantCode(t, "the other leaves a game to who is locked", r.do(End{relief, relief}), GameRuns, "7(a)")
	wantCode(t, "who is locked goes home", r.do(End{supervisor, supervisor}), "", "")
	wantCode(t, "a game of the other", CheckGame(r.s, r.now, 1), "", "")
}

// TestPlayersWhoWorkHere: the licensee's people never play, a venue's not on duty.
func TestPlayersWhoWorkHere(t *testing.T) {
	r := newRig(t, "vic-keno-2015")
	senior := r.onDuty(record.RoleSenior, 1, 0)
	writer := r.person(record.RoleWriter, 1)
	check := func(player uint32) error { return CheckSale(r.s, r.now, Sale{Terminal: 2, Series: 1, Player: player}) }
	wantCode(t, "a supervisor", check(r.person(record.RoleSupervisor, 0)), StaffBarred, "6(a)")
	wantCode(t, "an inspector, of the State", check(r.person(record.RoleInspector, 0)), "", "")
	wantCode(t, "a senior on duty", check(senior), StaffBarred, "6(b)")
	wantCode(t, "a writer at home", check(writer), "", "")
	r.must(Begin{Person: writer, Grant: state.Grant{Role: record.RoleWriter, Venue: 1}, Terminal: 1})
	wantCode(t, "a writer on duty", check(writer), StaffBarred, "6(b)")
	r.must(End{By: writer, Person: writer})
	wantCode(t, "a writer after the shift", check(writer), "", "")
	wantCode(t, "nobody", check(99), PersonUnknown, "")

	tas := newRig(t, "tas-keno-2023")
	tas.must(AddArea{Venue: 1, Area: 1, Name: "Bar"})
	tas.apply(&record.TerminalPlaced{Terminal: 2, Area: 1})
	tas.must(ReportDisplay{Venue: 1, Area: 1, Screen: record.ScreenDraw, Working: true})
	wantCode(t, "rules that bar nobody", CheckSale(tas.s, tas.now,
		Sale{Terminal: 2, Series: 1, Player: tas.onDuty(record.RoleSenior, 1, 0)}), "", "")
}

// TestTradingHours looks at every limit of hours: the first minute is in, the last
// is out, over midnight and over the end of the week, by local clocks.
func TestTradingHours(t *testing.T) {
	const offset = 11 * 3600
	venue := state.Premises{HasHours: true, Hours: []record.Trading{
		{Weekday: 1, From: 10 * 60, To: 22 * 60},
		{Weekday: 6, From: 18 * 60, To: 26 * 60},
	}}
	zone := time.FixedZone("", offset)
	for text, want := range map[string]bool{
		"2026-11-16 09:59:59": false, // Monday: below
		"2026-11-16 10:00:00": true,  // at
		"2026-11-16 10:00:01": true,
		"2026-11-16 21:59:59": true,
		"2026-11-16 22:00:00": false,
		"2026-11-17 12:00:00": false, // no hours on Tuesday
		"2026-11-14 17:59:59": false, // Saturday
		"2026-11-14 18:00:00": true,
		"2026-11-15 01:59:59": true, // into Sunday
		"2026-11-15 02:00:00": false,
	} {
		at, err := time.ParseInLocation(time.DateTime, text, zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := Trades(venue, offset, record.Of(at)); got != want {
			t.Errorf("at %s it trades: %v", text, got)
		}
	}
	if !Trades(state.Premises{}, 0, monday) || Trades(state.Premises{HasHours: true}, 0, monday) {
		t.Error("a venue that never said trades always, and one without hours never")
	}
}

// TestTradingHoursTwin holds the hours against a reading of the calendar, minute by
// minute through a week.
func TestTradingHoursTwin(t *testing.T) {
	venue := state.Premises{HasHours: true, Hours: []record.Trading{
		{Weekday: 0, From: 0, To: 1}, {Weekday: 2, From: 100, To: 1540}, {Weekday: 3, From: 30, To: 60},
		{Weekday: 6, From: 1439, To: 1500},
	}}
	begin := time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)
	for at := begin; at.Before(begin.AddDate(0, 0, 7)); at = at.Add(time.Minute) {
		want := false
		for _, h := range venue.Hours {
			for _, back := range []int{0, 1} { // hours that began today, or yesterday
				midnight := time.Date(at.Year(), at.Month(), at.Day()-back, 0, 0, 0, 0, time.UTC)
				since := int(at.Sub(midnight).Minutes())
				want = want || midnight.Weekday() == time.Weekday(h.Weekday) && since >= int(h.From) && since < int(h.To)
			}
		}
		if got := Trades(venue, 0, record.Of(at)); got != want {
			t.Fatalf("at %v it trades: %v, want %v", at, got, want)
		}
	}
}

// TestHoursBindSaleAndCancellation: a cancellation outside hours has a clause, and a
// sale, which no rule binds, has none.
func TestHoursBindSaleAndCancellation(t *testing.T) {
	for id, clause := range map[string]string{"vic-keno-2015": "17(a)(iii)", "tas-keno-2023": "8.1",
		"casino-keno-div2": "none"} {
		r := newRig(t, id)
		r.must(SetHours{Venue: 1, Hours: []record.Trading{{Weekday: 1, From: 13 * 60, To: 14 * 60}}}) // an hour too late
		code := NotTrading
		if clause == "none" {
			code, clause = "", ""
		}
		wantCode(t, id+", cancellation", CheckCancel(r.s, r.now, 1, 1), code, clause)
		r.now += record.Time(time.Hour.Milliseconds())
		wantCode(t, id+", in hours", CheckCancel(r.s, r.now, 1, 1), "", "")
		r.must(RevokeTerminal{Terminal: 1, Reason: "stolen"})
		wantCode(t, id+", revoked", CheckCancel(r.s, r.now, 1, 1), KeyRevoked, "")
	}
	r := newRig(t, "vic-keno-2015")
	r.onDuty(record.RoleSenior, 1, 0)
	r.must(SetHours{Venue: 1})
	wantCode(t, "sale", CheckSale(r.s, r.now, Sale{Terminal: 1, Series: 1}), NotTrading, "")
}

// TestCrew: the crew is enough to play every rulebook, and none of it can be spared.
func TestCrew(t *testing.T) {
	for _, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		book, err := rules.Book(id)
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t, id)
		r.apply(Crew(book, []record.VenueAdded{{Venue: 1}, {Venue: 2}}, []record.TerminalAdded{
			{Terminal: 1, Venue: 1, Channel: "writer"}, {Terminal: 2, Venue: 1, Channel: "sst"},
			{Terminal: 3, Venue: 2, Channel: "writer"},
		}, Unnamed)...)
		wantCode(t, id, CheckGame(r.s, r.now, 1), "", "")
		for terminal := uint32(1); terminal <= 3; terminal++ {
			wantCode(t, id, CheckSale(r.s, r.now, Sale{Terminal: terminal, Series: 1, Race: true}), "", "")
		}
		for _, person := range r.s.People().Persons() {
			r.must(End{By: person.ID, Person: person.ID})
		}
		if CheckGame(r.s, r.now, 1) == nil || CheckSale(r.s, r.now, Sale{Terminal: 1, Series: 1}) == nil {
			t.Errorf("%s is played by nobody", id)
		}
	}
}
