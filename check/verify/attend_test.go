package verify_test

import (
	"fmt"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/journal/record"
)

// TestUnattended lets the house sell and play where the rules do not let it: without
// those who must be there, without displays, outside hours, at a terminal that was shut
// out.
func TestUnattended(t *testing.T) {
	story, race, pool, runs := (*house).tell, (*house).tellRace, (*house).tellPool, (*house).tellRuns
	first := func(label string, body record.Body) lies {
		return before(label, func(h *house) { h.add("first", body) })
	}
	dark := func(screen record.Screen) record.Body {
		return &record.DisplayReported{Venue: 7, Area: 1, Screen: screen, Reason: "silence"}
	}
	never := &record.HoursSet{Venue: 7}
	// The story is told on a Sunday from 06:00 in Melbourne on.
	later := &record.HoursSet{Venue: 7, Hours: []record.Trading{{Weekday: 0, From: 7 * 60, To: 24 * 60},
		{Weekday: 6, From: 18 * 60, To: 30 * 60}}}
	// From the level of the guards on who is locked by a person is not there.
	locked := func(label string, person uint32) lies {
		return before(label, func(h *house) {
			h.add("raised", &record.LevelRaised{Level: record.LevelGuarded, Build: "test"})
			for id, g := range map[uint32]record.RoleGranted{90: {Role: record.RoleSupervisor},
				91: {Role: record.RoleSenior, Venue: 7}} {
				g.Person = id
				h.add(fmt.Sprintf("relief %d", id), &record.PersonAdded{Person: id, Details: record.Hash{1}})
				h.add(fmt.Sprintf("role %d", id), &g)
			}
			h.add("lock", &record.LockSet{Person: person, Until: record.Forever, Reason: "anger", By: 90})
		})
	}
	guarded := func(label string, body record.Body) lies {
		return before(label, func(h *house) {
			h.add("raised", &record.LevelRaised{Level: record.LevelGuarded, Build: "test"})
			h.add("first", body)
		})
	}
	for _, d := range []struct {
		damage
		tell func(*house) *house
	}{
		{damage{"a game under a supervisor who is locked", locked("open 2", 1), verify.CheckPeople, "open 2",
			"everybody who is on duty as supervisor is locked"}, story},
		{damage{"a sale under a senior who is locked", locked("five spots", 2), verify.CheckRequests, "five spots",
			"everybody who is on duty as senior_terminal_operator is locked"}, story},
		{damage{"a game without a supervisor", skip("crew 3"), verify.CheckPeople, "open 1",
			"nobody who stays is on duty as supervisor"}, story},
		{damage{"a game that its supervisor leaves", first("open 2", &record.ShiftEnding{Person: 1}), verify.CheckPeople,
			"open 2", "nobody who stays is on duty"}, story},
		{damage{"a game after the supervisor left", first("open 2", &record.ShiftEnded{Person: 1, By: 1}), verify.CheckPeople,
			"open 2", "nobody who stays is on duty"}, story},
		{damage{"a sale without a senior", skip("crew 6"), verify.CheckRequests, "five spots",
			"nobody is on duty as senior_terminal_operator (7(b))"}, story},
		{damage{"a sale after the senior left", first("miss", &record.ShiftEnded{Person: 2, By: 2}), verify.CheckRequests,
			"miss", "nobody is on duty"}, story},
		{damage{"a sale at a venue that never trades", first("five spots", never), verify.CheckRequests, "five spots",
			"outside its hours"}, story},
		{damage{"a sale before the venue opens", first("five spots", later), verify.CheckRequests, "five spots",
			"outside its hours"}, story},
		{damage{"a sale at a terminal that was shut out",
			first("five spots", &record.TerminalRevoked{Terminal: 70, Reason: "stolen"}), verify.CheckRequests, "five spots",
			"was shut out"}, story},
		{damage{"a sale at a display", change("terminal", func(b *record.TerminalAdded) { b.Channel = "display" }),
			verify.CheckRequests, "five spots", "which shows and does not sell"}, story},
		{damage{"one key for two terminals", before("five spots", func(h *house) {
			h.add("its own", &record.TerminalKeyed{Terminal: 70, Key: [32]byte{1}})
			h.add("another's", &record.TerminalKeyed{Terminal: 71, Key: [32]byte{1}})
		}), verify.CheckPeople, "another's", "would sign with one key"}, story},
		{damage{"a payment at a terminal that was shut out",
			first("pay five spots", &record.TerminalRevoked{Terminal: 70, Reason: "stolen"}), verify.CheckPayments,
			"pay five spots", "was shut out"}, story},
		{damage{"a payment after the senior left", guarded("pay five spots", &record.ShiftEnded{Person: 2, By: 2}),
			verify.CheckPayments, "pay five spots", "where nobody is on duty as senior_terminal_operator (7(b))"}, story},
		{damage{"a cancellation after the senior left", guarded("cancelled", &record.ShiftEnded{Person: 2, By: 2}),
			verify.CheckPayments, "cancelled", "where nobody is on duty as senior_terminal_operator (7(b))"}, runs},
		{damage{"a cancellation outside hours", first("cancelled", never), verify.CheckPayments, "cancelled",
			"outside its hours (17(a)(iii))"}, runs},
		{damage{"a cancellation at a terminal that was shut out",
			first("cancelled", &record.TerminalRevoked{Terminal: 70, Reason: "stolen"}), verify.CheckPayments, "cancelled",
			"was shut out"}, runs},
		{damage{"a ticket that names no writer", skip("crew 6"), verify.CheckRequests, "one", "no writer has signed on"},
			pool},
		{damage{"a sale that nobody can follow", first("lucky", dark(record.ScreenDraw)), verify.CheckRequests, "lucky",
			"no display of draws that works (9.6)"}, race},
		{damage{"a race that nobody can follow", first("lucky", dark(record.ScreenRace)), verify.CheckRequests, "trifecta",
			"no display of races that works (21.3(a))"}, race},
		{damage{"a sale in no area", skip("crew 10"), verify.CheckRequests, "lucky", "no display of draws that works"}, race},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := d.tell(newHouse(t, d.lies))
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
	for name, allowed := range map[string]struct {
		lies
		tell func(*house) *house
	}{
		"a senior who will leave": {first("miss", &record.ShiftEnding{Person: 2}), story},
		"hours that began on Saturday": {first("five spots",
			&record.HoursSet{Venue: 7, Hours: []record.Trading{{Weekday: 6, From: 18 * 60, To: 31 * 60}}}), story},
		"a race display that is silent": {first("eight", dark(record.ScreenRace)), race},
	} {
		t.Run(name, func(t *testing.T) {
			if report := runBothWays(t, allowed.tell(newHouse(t, allowed.lies)).files(), verify.Options{}); !report.OK() {
				t.Error(report.Failure)
			}
		})
	}
}

// TestUnattendedLater sells two tickets of a kind. What was right for the first is asked
// again for the second, with which something has changed in between.
func TestUnattendedLater(t *testing.T) {
	for _, d := range []struct {
		name    string
		between record.Body
		reason  string
	}{
		{"the senior left", &record.ShiftEnded{Person: 2, By: 2}, "nobody is on duty"},
		{"the venue does not trade", &record.HoursSet{Venue: 7}, "outside its hours"},
		{"the terminal was shut out", &record.TerminalRevoked{Terminal: 70, Reason: "stolen"}, "was shut out"},
		{"play is paused", &record.PlayPaused{Series: series, Reason: "silence", By: 1}, "while play is paused"},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := newHouse(t, lies{})
			h.found()
			h.open(1)
			h.sell("first", 1, 1, 1, 1, 100, classic(100, 1, 2, 3))
			h.add("between", d.between)
			h.sell("second", 2, 1, 1, 1, 100, classic(100, 4, 5, 6))
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), verify.CheckRequests, h.places, "second", d.reason)
		})
	}
}
