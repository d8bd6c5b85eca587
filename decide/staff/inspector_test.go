package staff

import (
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// TestNobodyMakesAnInspectorAlone: one person gives every role but that of an inspector, to
// anybody and in any way; the house itself has one only while nobody administers it.
func TestNobodyMakesAnInspectorAlone(t *testing.T) {
	r := newRig(t, "tas-keno-2023")
	inspects := []state.Grant{{Role: record.RoleInspector}}
	founded := r.person(record.RoleInspector, 0)
	admin := r.person(record.RoleAdministrator, 0)
	r.must(AddPerson{By: admin, Details: record.Hash{1}})
	bare := r.s.People().NextPerson() - 1
	for name, c := range map[string]struct {
		do   Command
		code refusal.Code
	}{
		"to oneself":              {GrantRole{admin, admin, inspects[0]}, InspectorByTwo},
		"to another":              {GrantRole{admin, bare, inspects[0]}, InspectorByTwo},
		"with the person":         {AddPerson{By: admin, Details: record.Hash{1}, Grants: inspects}, InspectorByTwo},
		"by a house with people":  {GrantRole{0, bare, inspects[0]}, InspectorByTwo},
		"a role for an inspector": {GrantRole{admin, founded, state.Grant{Role: record.RoleOperative}}, InspectorAlone},
		"a venue's for an inspector": {GrantRole{admin, founded, state.Grant{Role: record.RoleWriter, Venue: 1}},
			InspectorAlone},
		"another role": {GrantRole{admin, bare, state.Grant{Role: record.RoleOperative}}, ""},
	} {
		_, err := Decide(r.s, r.now, c.do)
		wantCode(t, name, err, c.code, "")
	}
	r = newRig(t, "tas-keno-2023")
	wantCode(t, "founded with two roles", r.do(AddPerson{Details: record.Hash{1},
		Grants: []state.Grant{{Role: record.RoleInspector}, {Role: record.RoleOperative}}}), InspectorAlone, "")
}

// TestAppoint: two others make an inspector of somebody who is nothing else.
func TestAppoint(t *testing.T) {
	r := newRig(t, "tas-keno-2023")
	inspector := r.person(record.RoleInspector, 0)
	admin, operative := r.person(record.RoleAdministrator, 0), r.person(record.RoleOperative, 0)
	r.must(AddPerson{By: admin, Details: record.Hash{1}})
	bare := r.s.People().NextPerson() - 1
	for name, c := range map[string]struct {
		by, with, person uint32
		code             refusal.Code
	}{
		"by two others":           {admin, operative, bare, ""},
		"tried out":               {0, 0, bare, ""},
		"who asked":               {admin, operative, admin, InspectorByTwo},
		"who consented":           {admin, bare, bare, InspectorByTwo},
		"who is an inspector":     {admin, operative, inspector, RoleHeld},
		"who is something else":   {admin, inspector, operative, InspectorAlone},
		"nobody":                  {admin, operative, 99, PersonUnknown},
		"by who may not any more": {operative, admin, bare, NotAllowed},
	} {
		_, err := Appoint(r.s, c.by, c.with, c.person)
		wantCode(t, name, err, c.code, "")
	}
}

// TestInspectorsPassword: once an inspector has a password nobody else sets another.
func TestInspectorsPassword(t *testing.T) {
	r := newRig(t, "tas-keno-2023")
	inspector, admin := r.person(record.RoleInspector, 0), r.person(record.RoleAdministrator, 0)
	writer := r.person(record.RoleWriter, 1)
	r.must(Invite{admin, inspector})
	wantCode(t, "the first", r.do(SetPassword{admin, inspector, record.Hash{1}}), "", "")
	wantCode(t, "by another", r.do(SetPassword{admin, inspector, record.Hash{2}}), InspectorOwn, "")
	wantCode(t, "an invitation", r.do(Invite{admin, inspector}), InspectorOwn, "")
	wantCode(t, "by the inspector", r.do(SetPassword{inspector, inspector, record.Hash{3}}), "", "")
	r.must(Invite{admin, writer})
	wantCode(t, "a writer's", r.do(SetPassword{admin, writer, record.Hash{1}}), "", "")
	wantCode(t, "a writer's by the same invitation", r.do(SetPassword{admin, writer, record.Hash{2}}), NotInvited, "")
	r.must(WithdrawRole{inspector, inspector, state.Grant{Role: record.RoleInspector}})
	r.must(Invite{admin, inspector})
	wantCode(t, "of who is none any more", r.do(SetPassword{admin, inspector, record.Hash{4}}), "", "")
}

// TestNobodyRemovesAnInspectorAlone: an inspector loses the role, or is kept out, by two
// persons or by the own act, and by nobody else; wrong passwords keep one out for a while.
func TestNobodyRemovesAnInspectorAlone(t *testing.T) {
	const hour = record.Time(3_600_000)
	role := state.Grant{Role: record.RoleInspector}
	for name, c := range map[string]struct {
		locked record.Time // until then, before
		do     func(admin, inspector uint32, now record.Time) Command
		code   refusal.Code
	}{
		"dismissed by one": {0, func(a, i uint32, _ record.Time) Command { return WithdrawRole{a, i, role} },
			InspectorByTwo},
		"dismissed by the house": {0, func(_, i uint32, _ record.Time) Command { return WithdrawRole{0, i, role} },
			InspectorByTwo},
		"leaves": {0, func(_, i uint32, _ record.Time) Command { return WithdrawRole{i, i, role} }, ""},
		"takes another's role": {0, func(a, i uint32, _ record.Time) Command {
			return WithdrawRole{i, a, state.Grant{Role: record.RoleAdministrator}}
		}, NotAllowed},
		"locked by one": {0, func(a, i uint32,
			_ record.Time) Command {
			return Lock{a, i, record.Forever, "leave"}
		}, InspectorByTwo},
		"locked by one for a minute": {0, func(a, i uint32,
			now record.Time) Command {
			return Lock{a, i, now + 60_000, "leave"}
		}, InspectorByTwo},
		"locks the own number": {0, func(_, i uint32,
			_ record.Time) Command {
			return Lock{i, i, record.Forever, "my card is gone"}
		}, ""},
		"locks another": {0, func(a, i uint32,
			_ record.Time) Command {
			return Lock{i, a, record.Forever, "leave"}
		}, NotAllowed},
		"wrong passwords": {0, func(_, i uint32,
			now record.Time) Command {
			return Lock{0, i, now + hour, "guessing"}
		}, ""},
		"wrong passwords for too long": {0, func(_, i uint32,
			now record.Time) Command {
			return Lock{0, i, now + hour + 1, "guessing"}
		}, InspectorByTwo},
		"wrong passwords of a locked": {record.Forever,
			func(_, i uint32, _ record.Time) Command { return Lock{0, i, record.Forever, "guessing"} }, ""},
		"guesses at a locked one": {record.Forever,
			func(_, i uint32, now record.Time) Command { return Lock{0, i, now + 1, "guessing"} }, ""},
		"unlocked by the house": {record.Forever,
			func(_, i uint32, _ record.Time) Command { return Lock{0, i, 0, "again"} }, InspectorByTwo},
		"unlocked by one": {record.Forever,
			func(a, i uint32, _ record.Time) Command { return Lock{a, i, 0, "again"} }, InspectorByTwo},
		"unlocked by one, of guesses": {monday + hour,
			func(a, i uint32, _ record.Time) Command { return Lock{a, i, 0, "again"} }, ""},
		"erased by one": {0, func(a, i uint32,
			_ record.Time) Command {
			return Erase{By: a, Person: i, Reason: "left"}
		}, ApprovalUnknown},
	} {
		r := newRig(t, "tas-keno-2023")
		inspector, admin := r.person(record.RoleInspector, 0), r.person(record.RoleAdministrator, 0)
		r.person(record.RoleAdministrator, 0)
		if c.locked != 0 {
			r.apply(&record.LockSet{Person: inspector, Until: c.locked, Reason: "before", By: admin})
		}
		wantCode(t, name, r.do(c.do(admin, inspector, r.now)), c.code, "")
		if p, _ := r.s.People().Person(inspector); c.locked == record.Forever && p.Locked != record.Forever {
			t.Errorf("%s: who was locked for good is locked until %v", name, p.Locked)
		}
	}
}

// TestDismissAndLock: what two persons have agreed on about an inspector is done to an
// inspector, who is there and off duty.
func TestDismissAndLock(t *testing.T) {
	r := newRig(t, "tas-keno-2023")
	inspector, admin := r.person(record.RoleInspector, 0), r.person(record.RoleAdministrator, 0)
	operative := r.person(record.RoleOperative, 0)
	dismissed := func(by, id uint32) error { _, err := Dismiss(r.s, by, id); return err }
	locked := func(by, id uint32, reason string) error {
		_, err := LockInspector(r.s, by, id, true, reason)
		return err
	}
	wantCode(t, "dismissed", dismissed(admin, inspector), "", "")
	wantCode(t, "a trial", dismissed(0, inspector), "", "")
	wantCode(t, "by who may not", dismissed(operative, inspector), NotAllowed, "")
	wantCode(t, "who is none", dismissed(admin, operative), RoleNotHeld, "")
	wantCode(t, "nobody", dismissed(admin, 99), PersonUnknown, "")
	wantCode(t, "locked", locked(admin, inspector, "leave"), "", "")
	wantCode(t, "for no reason", locked(admin, inspector, ""), ReasonMissing, "")
	wantCode(t, "one who is none", locked(admin, operative, "leave"), RoleNotHeld, "")
	free, err := LockInspector(r.s, admin, inspector, false, "back")
	if err != nil || free.Until != 0 {
		t.Errorf("let back in: %+v, %v", free, err)
	}
	r.must(Begin{Person: inspector, Grant: state.Grant{Role: record.RoleInspector}})
	wantCode(t, "on duty", dismissed(admin, inspector), OnShift, "")
}
