package staff

import (
	"testing"

	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/state"
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
		"to oneself":                 {GrantRole{admin, admin, inspects[0]}, InspectorByTwo},
		"to another":                 {GrantRole{admin, bare, inspects[0]}, InspectorByTwo},
		"with the person":            {AddPerson{By: admin, Details: record.Hash{1}, Grants: inspects}, InspectorByTwo},
		"by a house with people":     {GrantRole{0, bare, inspects[0]}, InspectorByTwo},
		"a role for an inspector":    {GrantRole{admin, founded, state.Grant{Role: record.RoleOperative}}, InspectorAlone},
		"a venue's for an inspector": {GrantRole{admin, founded, state.Grant{Role: record.RoleWriter, Venue: 1}}, InspectorAlone},
		"another role":               {GrantRole{admin, bare, state.Grant{Role: record.RoleOperative}}, ""},
	} {
		_, err := Decide(r.s, r.now, c.do)
		wantCode(t, name, err, c.code, "")
	}
	r = newRig(t, "tas-keno-2023")
	wantCode(t, "founded with two roles", r.do(AddPerson{Details: record.Hash{1}, Grants: []state.Grant{{Role: record.RoleInspector}, {Role: record.RoleOperative}}}), InspectorAlone, "")
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
	wantCode(t, "the first", r.do(SetPassword{admin, inspector, record.Hash{1}}), "", "")
	wantCode(t, "by another", r.do(SetPassword{admin, inspector, record.Hash{2}}), InspectorOwn, "")
	wantCode(t, "by the inspector", r.do(SetPassword{inspector, inspector, record.Hash{3}}), "", "")
	wantCode(t, "a writer's", r.do(SetPassword{admin, writer, record.Hash{1}}), "", "")
	wantCode(t, "a writer's again", r.do(SetPassword{admin, writer, record.Hash{2}}), "", "")
	r.must(WithdrawRole{admin, inspector, state.Grant{Role: record.RoleInspector}})
	wantCode(t, "of who is none any more", r.do(SetPassword{admin, inspector, record.Hash{4}}), "", "")
}
