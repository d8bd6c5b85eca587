package engine_test

import (
	"errors"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// TestBankActs: a bank's float and count are signed by who asked and who consented, and
// the second opinion finds both in the journal.
func TestBankActs(t *testing.T) {
	book, err := rules.Book("tas-keno-2023")
	need(t, err)
	date := day.MustParse("2026-11-15")
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(date),
		Seed: t.Name()})
	need(t, err)
	need(t, core.OpenDay(date))
	need(t, core.OpenGame())
	var signs [2]uint32
	for i, role := range []record.Role{record.RoleWriter, record.RoleSenior} {
		signs[i] = core.Engine.State().People().NextPerson()
		need(t, core.Staff(staff.AddPerson{Details: record.Hash{byte(i + 1)}, Grants: []state.Grant{{Role: role, Venue: 1}}}))
	}
	now := core.Engine.State().Now()
	_, err = core.Engine.Ask(now, command.As(1, signs[0]), command.MoveBank{Terminal: 1, Move: "lend", Cents: 100_00})
	if refused, ok := errors.AsType[*refusal.Refusal](err); !ok || refused.Code != command.OutOfBounds ||
		refused.Path != "move" {
		t.Errorf("a move that there is not: %v", err)
	}
	for _, act := range []command.Act{command.MoveBank{Terminal: 1, Move: "float", Cents: 100_00},
		command.CountBank{Terminal: 1, Cents: 99_50}} {
		number, err := core.Engine.Ask(now, command.As(1, signs[0]), act)
		need(t, err)
		content := command.Content(1, act)
		if core.Staff(staff.Consent{By: signs[0], Approval: number, Content: content, Granted: true}) == nil {
			t.Errorf("%s: one person signs twice", command.ActionOf(act))
		}
		need(t, core.Staff(staff.Consent{By: signs[1], Approval: number, Content: content, Granted: true}))
		_, err = core.Engine.Operate(now, command.As(1, signs[0]), number)
		need(t, err)
	}
	bank, _ := counter.BankOf(core.Engine.State(), 1)
	if bank.Drawer != 99_50 {
		t.Errorf("the drawer has %v", bank.Drawer)
	}
	need(t, core.CloseGame())
	need(t, core.Draw(1, nil))
	need(t, core.CloseDay())
	report, err := core.Verify()
	need(t, err)
	if report.Failure != nil {
		t.Error(report.Failure)
	}
}

func need(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
