package engine

import (
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// TestForeseeOpening: a request to open a Keno Day says which prizes it would sweep and which
// papers would expire, before anybody consents, and a day of a mistyped year is not asked for.
func TestForeseeOpening(t *testing.T) {
	r := newRig(t, "foresee")
	r.openDay("2026-11-15")
	for range 6 {
		r.sell(1, 1, oneSpot)
		r.play()
	}
	must(t, r.engine.CloseGame(r.tick(), series))
	r.take()
	current, _ := r.engine.State().Series(series)
	r.drawAndSettle(current.Newest().Ordinal)
	must(t, r.engine.CloseDay(r.tick(), series))
	made, err := r.engine.Do(r.tick(), command.Change{Command: staff.AddPerson{Details: record.Hash{1},
		Grants: []state.Grant{{Role: record.RoleAdministrator}}}}, command.Env{})
	must(t, err)
	boss := staff.NumberOf(made)
	_, err = r.engine.Ask(r.tick(), command.As(series, boss), command.OpenDay{Day: "2027-11-16", OffsetSeconds: 39600})
	wantRefusal(t, err, game.DayNotNow)
	r.now += 300 * dayMillis
	_, err = r.engine.Ask(r.tick(), command.As(series, boss), command.OpenDay{Day: "2027-09-12", OffsetSeconds: 39600})
	wantRefusal(t, err, game.DayNotNow)
	number, err := r.engine.Ask(r.tick(), command.As(series, boss),
		command.OpenDay{Day: "2027-09-11", OffsetSeconds: 39600})
	must(t, err)
	asked, _ := r.engine.State().People().Approval(number)
	before := r.engine.State().Hash()
	p, err := r.engine.Foresee(r.tick(), command.Env{Series: series}, asked.ApprovalRequested)
	must(t, err)
	if p.Refused != nil || p.Does != "Open Keno Day 2027-09-11, where clocks are 39600 seconds ahead of UTC." {
		t.Errorf("%+v", p)
	}
	if all := strings.Join(p.Effects, "\n"); !strings.Contains(all, "Unclaimed prizes of $") ||
		!strings.Contains(all, "treasurer") {
		t.Errorf("the request does not say what it sweeps: %q", all)
	}
	if r.engine.State().Hash() != before {
		t.Error("a look ahead has changed the state")
	}
}
