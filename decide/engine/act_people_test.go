package engine_test

import (
	"errors"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// TestAppointInspector: an administrator asks, another person consents, and only then is
// there an inspector, who is nobody of the two, and who is locked, let back in and dismissed
// in the same way; the second opinion agrees.
func TestAppointInspector(t *testing.T) {
	book, err := rules.Book("tas-keno-2023")
	need(t, err)
	date := day.MustParse("2026-11-15")
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(date),
		Seed: t.Name()})
	need(t, err)
	add := func(by uint32, grants ...state.Grant) uint32 {
		id := core.Engine.State().People().NextPerson()
		need(t, core.Staff(staff.AddPerson{By: by, Details: record.Hash{byte(id)}, Grants: grants}))
		return id
	}
	admin := add(0, state.Grant{Role: record.RoleAdministrator})
	supervisor := add(0, state.Grant{Role: record.RoleSupervisor})
	somebody := add(admin)
	refused := func(what string, err error, code refusal.Code) {
		t.Helper()
		var r *refusal.Refusal
		if !errors.As(err, &r) || r.Code != code {
			t.Errorf("%s: %v, want %s", what, err, code)
		}
	}
	now := core.Engine.State().Now()
	for what, c := range map[string]struct {
		by, person uint32
		code       refusal.Code
	}{
		"for oneself": {admin, admin, staff.InspectorByTwo}, "for who supervises": {admin, supervisor, staff.InspectorAlone},
		"for nobody": {admin, 9999, staff.PersonUnknown}, "by a supervisor": {supervisor, somebody, staff.NotAllowed},
	} {
		_, err := core.Engine.Ask(now, command.As(1, c.by), command.AppointInspector{Person: c.person})
		refused(what, err, c.code)
	}
	act := command.AppointInspector{Person: somebody}
	number, err := core.Engine.Ask(now, command.As(1, admin), act)
	need(t, err)
	_, err = core.Engine.Operate(now, command.As(1, admin), number)
	refused("before the consent", err, staff.ApprovalNotGiven)
	need(t, core.Staff(staff.Consent{By: supervisor, Approval: number, Content: command.Content(1, act), Granted: true}))
	_, err = core.Engine.Operate(now, command.As(1, admin), number)
	need(t, err)
	if p, _ := core.Engine.State().People().Person(somebody); !p.Has(record.RoleInspector, 0) {
		t.Errorf("appointed, the person has %v", p.Grants)
	}
	for _, act := range []command.Act{
		command.LockInspector{Person: somebody, Locked: true, Reason: "leave"},
		command.LockInspector{Person: somebody, Reason: "back"},
		command.DismissInspector{Person: somebody},
	} {
		_, err := core.Engine.Ask(now, command.As(1, supervisor), act)
		refused("by a supervisor", err, staff.NotAllowed)
		number, err := core.Engine.Ask(now, command.As(1, admin), act)
		need(t, err)
		_, err = core.Engine.Operate(now, command.As(1, admin), number)
		refused("before the consent", err, staff.ApprovalNotGiven)
		need(t, core.Staff(staff.Consent{By: supervisor, Approval: number, Content: command.Content(1, act), Granted: true}))
		_, err = core.Engine.Operate(now, command.As(1, admin), number)
		need(t, err)
	}
	if p, _ := core.Engine.State().People().Person(somebody); p.Has(record.RoleInspector, 0) || p.Locked != 0 {
		t.Errorf("let back in and dismissed, the person has %v and is locked until %v", p.Grants, p.Locked)
	}
	_, err = core.Engine.Ask(now, command.As(1, admin), command.DismissInspector{Person: somebody})
	refused("who is none any more", err, staff.RoleNotHeld)
	report, err := core.Verify()
	need(t, err)
	if report.Failure != nil {
		t.Error(report.Failure)
	}
}
