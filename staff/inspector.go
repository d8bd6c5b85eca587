package staff

import (
	"slices"

	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/state"
)

// This file keeps the inspector independent. An inspector is not of the house: the role
// reads the whole journal, signs claims and consents to what the central site does. So
// nobody makes an inspector alone, nobody is made one by their own doing, and an inspector
// has no other role, under which they would check themselves (tas-keno-2023 14.4, 15.2).

// The codes about inspectors.
const (
	InspectorByTwo refusal.Code = "inspector_by_two" // two others appoint an inspector
	InspectorAlone refusal.Code = "inspector_alone"  // an inspector has no other role
	InspectorOwn   refusal.Code = "inspector_own"    // an inspector's password is the inspector's alone
)

// ActionAppoint is the action that makes somebody an inspector.
const ActionAppoint = "appoint_inspector"

// Appoint returns the record that makes a person an inspector, as by asked and with
// consented. A trial knows neither, and passes 0 for both.
func Appoint(s *state.State, by, with, id uint32) (*record.RoleGranted, error) {
	if err := authorise(s, by, "person"); err != nil {
		return nil, err
	}
	person, err := living(s.People(), id)
	if err != nil {
		return nil, err
	}
	grant := state.Grant{Role: record.RoleInspector}
	switch {
	case id == by || id == with:
		return nil, refuse(InspectorByTwo, "", "person", "Nobody is made an inspector by their own request or consent.")
	case slices.Contains(person.Grants, grant):
		return nil, refuse(RoleHeld, "", "role", "Person %d has the role %s already.", id, grant.Role)
	}
	if err := checkAlone(person.Grants, grant); err != nil {
		return nil, err
	}
	return &record.RoleGranted{Person: id, Role: grant.Role, By: by}, nil
}

// checkAlone refuses a role beside that of an inspector.
func checkAlone(held []state.Grant, g state.Grant) error {
	for _, other := range held {
		if (other.Role == record.RoleInspector) != (g.Role == record.RoleInspector) {
			return refuse(InspectorAlone, "", "role", "An inspector has no other role, and the person is %s already.", other.Role)
		}
	}
	return nil
}

// mayHold refuses a role that one person may not give, or not to who has others. The house
// itself has an inspector at its founding, before anybody is there who could consent.
func mayHold(s *state.State, by uint32, held []state.Grant, g state.Grant) error {
	if g.Role == record.RoleInspector && (by != 0 || HasAdministrator(s.People())) {
		return refuse(InspectorByTwo, "", "role", "An inspector is appointed by two persons: one asks for it, and another consents.")
	}
	return checkAlone(held, g)
}

// CheckInvited refuses to have somebody else set the password of an inspector who has one:
// whoever could, could be the inspector.
func CheckInvited(p state.Person) error {
	if p.Has(record.RoleInspector, 0) && p.Secret != (record.Hash{}) {
		return refuse(InspectorOwn, "", "person", "Person %d is an inspector with a password, which nobody else sets. Withdraw the role, and have it given anew by two persons.", p.ID)
	}
	return nil
}
