package command_test

import (
	"errors"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// TestNobodyConsentsInVain: a Keno Day whose hours are not over is asked to be closed where somebody could
// consent to that, and nobody else consents. A book that cannot be written is found before anything is.
func TestNobodyConsentsInVain(t *testing.T) {
	book, err := rules.Book("casino-keno-div2")
	if err != nil {
		t.Fatal(err)
	}
	begin := day.MustParse("2026-11-15")
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(begin),
		Seed: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	if err := core.OpenDay(begin); err != nil {
		t.Fatal(err)
	}
	now := core.Engine.State().Now()
	add := func(role record.Role) uint32 {
		t.Helper()
		id := core.Engine.State().People().NextPerson()
		if err := core.Staff(staff.AddPerson{Details: record.Hash{byte(id)},
			Grants: []state.Grant{{Role: role}}}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	code := func(err error) refusal.Code {
		if r, ok := errors.AsType[*refusal.Refusal](err); ok {
			return r.Code
		}
		if err != nil {
			t.Fatal(err)
		}
		return ""
	}
	first, second := add(record.RoleAdministrator), add(record.RoleAdministrator)
	act := command.CloseDay{Day: begin.String()}
	var inspector uint32 // The house has one.
	for _, p := range core.Engine.State().People().Persons() {
		if p.HasAny(record.RoleInspector) {
			inspector = p.ID
		}
	}
	asked, err := core.Engine.Ask(now, command.As(1, first), act)
	if err != nil {
		t.Fatal(err)
	}
	consent := func(by uint32) error {
		return core.Staff(staff.Consent{By: by, Approval: asked, Content: command.Content(1, act), Granted: true})
	}
	if err := consent(second); code(err) != game.DayNotOver {
		t.Errorf("an administrator consents: %v", err)
	}
	if err := consent(inspector); err != nil {
		t.Errorf("the inspector consents: %v", err)
	}
	failing := errors.New("no book")
	env := command.As(1, first)
	env.Now, env.With, env.CloseBook = now, inspector,
		func(*record.DayClosed) (command.Object, error) { return command.Object{}, failing }
	if _, err := act.Decide(core.Engine.State(), &env); !errors.Is(err, failing) {
		t.Errorf("a book that cannot be written: %v", err)
	}
}
