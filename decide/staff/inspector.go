package staff

import (
	"slices"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// This file keeps the inspector independent. An inspector is not of the house: the role
// reads the whole journal, signs claims and consents to what the central site does. So
// nobody makes an inspector alone, nobody is made one by their own doing, and an inspector
// has no other role, under which they would check themselves (tas-keno-2023 14.4, 15.2).
// Nor is one got rid of by who is checked: to dismiss, lock or let back in an inspector takes
// two, unless the inspector leaves, or locks the own number, by their own act.

// The codes about inspectors.
const (
	InspectorByTwo refusal.Code = "inspector_by_two" // two persons appoint, dismiss or lock an inspector
	InspectorAlone refusal.Code = "inspector_alone"  // an inspector has no other role
	InspectorOwn   refusal.Code = "inspector_own"    // an inspector's password is the inspector's alone
)

// The actions about inspectors.
const (
	ActionAppoint = "appoint_inspector" // makes somebody one
	ActionDismiss = "dismiss_inspector" // takes the role away
	ActionLock    = "lock_inspector"    // keeps one from signing on, or lets one again
)

// houseLockMost is for how long the house by itself may keep an inspector from signing on,
// after wrong passwords: the one lock that comes over an inspector without two persons ends by
// itself. It is longer than any such lock, whose end somebody else's clock has said.
const houseLockMost = time.Hour

// Appoint returns the record that makes a person an inspector, as by asked and with
// consented. A trial knows neither, and passes 0 for both.
func Appoint(s *state.State, by, with, id uint32) (*record.RoleGranted, error) {
	if err := authorise(s, by, record.KindRoleGranted); err != nil {
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

// Dismiss returns the record that takes the role from an inspector who is not on duty, as by
// asked and another person consented.
func Dismiss(s *state.State, by, id uint32) (*record.RoleWithdrawn, error) {
	grant := state.Grant{Role: record.RoleInspector}
	if err := mayWithdraw(s, by, id, grant); err != nil {
		return nil, err
	}
	return &record.RoleWithdrawn{Person: id, Role: grant.Role, By: by}, nil
}

// LockInspector returns the record that keeps an inspector from signing on until somebody lets
// the inspector again, or that does so, as by asked and another person consented.
func LockInspector(s *state.State, by, id uint32, locked bool, reason string) (*record.LockSet, error) {
	person, err := lockable(s, by, id, reason)
	if err != nil {
		return nil, err
	}
	if !person.Has(record.RoleInspector, 0) {
		return nil, refuse(RoleNotHeld, "", "person",
			"Person %d is no inspector, and locked or unlocked by one person.", id)
	}
	set := &record.LockSet{Person: id, Reason: reason, By: by}
	if locked {
		set.Until = record.Forever
	}
	return set, nil
}

// leaves reports whether somebody gives the role of an inspector up: the one withdrawal that
// takes no administrator.
func (c WithdrawRole) leaves() bool { return c.By == c.Person && c.Role == record.RoleInspector }

// checkWithdrawn refuses one person who would take the role from an inspector. A house that
// nobody administers yet may still put its founding right.
func (c WithdrawRole) checkWithdrawn(s *state.State) error {
	if c.Role != record.RoleInspector || c.leaves() || c.By == 0 && !HasAdministrator(s.People()) {
		return nil
	}
	return refuse(InspectorByTwo, "", "role",
		"An inspector is dismissed by two persons: one asks for it, and another consents. An inspector may leave alone.")
}

// checkLocked refuses one person who would lock an inspector, or let back in one who was
// locked for good. The house locks for wrong passwords, for a time that ends by itself and
// that one person may cut short.
func (c Lock) checkLocked(p state.Person, now record.Time) error {
	atMost := max(p.Locked, now+record.Time(houseLockMost.Milliseconds()))
	switch {
	case !p.Has(record.RoleInspector, 0):
		return nil
	case c.By == c.Person && c.Until != 0:
		return nil
	case c.By == 0 && p.Locked <= c.Until && c.Until <= atMost:
		return nil
	case c.By != 0 && c.Until == 0 && p.Locked != record.Forever:
		return nil
	}
	return refuse(InspectorByTwo, "", "person",
		"Person %d is an inspector, whom two persons lock or let back in: one asks for it, and another consents. An inspector may lock the own number.", c.Person)
}

// checkAlone refuses a role beside that of an inspector.
func checkAlone(held []state.Grant, g state.Grant) error {
	for _, other := range held {
		if (other.Role == record.RoleInspector) != (g.Role == record.RoleInspector) {
			return refuse(InspectorAlone, "", "role",
				"An inspector has no other role, and the person is %s already.", other.Role)
		}
	}
	return nil
}

// mayHold refuses a role that one person may not give, or not to who has others. The house
// itself has an inspector at its founding, before anybody is there who could consent.
func mayHold(s *state.State, by uint32, held []state.Grant, g state.Grant) error {
	if g.Role == record.RoleInspector && (by != 0 || HasAdministrator(s.People())) {
		return refuse(InspectorByTwo, "", "role",
			"An inspector is appointed by two persons: one asks for it, and another consents.")
	}
	return checkAlone(held, g)
}

// CheckInvited refuses to have somebody else set the password of an inspector who has one:
// anybody who could, could be the inspector.
func CheckInvited(p state.Person) error {
	if p.Has(record.RoleInspector, 0) && p.Secret != (record.Hash{}) {
		return refuse(InspectorOwn, "", "person",
			"Person %d is an inspector with a password, which nobody else sets. Two persons dismiss the inspector, and appoint anew.", p.ID)
	}
	return nil
}
