// Package staff decides what people may do in a house and what may not happen
// without them.
//
// It has two halves. Decide turns what somebody wants to change about people,
// venues and terminals into records, or says why not: who may do it is a table
// (actings), and what needs two persons is another (Actions). The checks say
// whether a sale, a cancellation or a game may go ahead with the people and displays
// that are there (vic-keno-2015 6, 7; tas-keno-2023 4, 9.6; casino-keno-div2 3.13,
// 7.8). What a rulebook asks for is data; which of the house's roles fills it is in
// fills.
//
// The names that a rulebook has for people differ, and the house has one set of
// roles. TestAttendance shows every check below, at and above its limit,
// TestAuthority who may do what, TestApprovals what two persons must agree on.
package staff

import (
	"fmt"
	"slices"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// The codes with which changes of every kind are refused. Others stand with what they refuse.
const (
	NotAllowed    refusal.Code = "not_allowed"    // the person has no role for it
	PersonUnknown refusal.Code = "person_unknown" // there is no such person, or not any more
	ReasonMissing refusal.Code = "reason_missing" // it needs a reason
)

// A Command is something that somebody wants to change about people or places. Its
// types are those of this package.
type Command interface {
	decide(s *state.State, now record.Time) ([]record.Body, error)
}

// Decide returns the records of a change, or why it may not be made.
func Decide(s *state.State, now record.Time, c Command) ([]record.Body, error) {
	return c.decide(s, now)
}

// authorise refuses a change to a person who has no role for it: for records of the kind that
// the change writes. Person 0 is the house itself: its founding, its own observations, and its
// first administrator.
func authorise(s *state.State, by uint32, kind record.Kind) error {
	if by == 0 {
		return nil
	}
	person, ok := s.People().Person(by)
	if !ok || person.Erased {
		return unknownPerson(by)
	}
	if roles := MayAct(kind, false); !person.HasAny(roles...) {
		return refuse(NotAllowed, "", "person", "Person %d may not do that; it takes %s.", by, oneOf(roles))
	}
	return nil
}

// oneOf names roles for a sentence.
func oneOf(roles []record.Role) string { return "the role " + eitherOf(roles) }

// living returns a person of the house who is not erased.
func living(p *state.People, id uint32) (state.Person, error) {
	person, ok := p.Person(id)
	if !ok || person.Erased {
		return state.Person{}, unknownPerson(id)
	}
	return person, nil
}

func unknownPerson(id uint32) error {
	return refuse(PersonUnknown, "", "person", "There is no person %d.", id)
}

func refuse(code refusal.Code, clause, path, format string, args ...any) error {
	return &refusal.Refusal{Code: code, Clause: clause, Path: path, Sentence: fmt.Sprintf(format, args...)}
}

// checkGrant refuses a role that there is not, or not there.
func checkGrant(s *state.State, g state.Grant) error {
	if !slices.Contains(record.Roles(), g.Role) {
		return refuse(RoleUnknown, "", "role", "There is no role %q.", g.Role)
	}
	if _, ok := s.People().Premises(g.Venue); g.Role.AtVenue() && !ok {
		return refuse(VenueUnknown, "", "venue",
			"The role %s is had at a venue, and there is no venue %d.", g.Role, g.Venue)
	}
	if !g.Role.AtVenue() && g.Venue != 0 {
		return refuse(VenueUnknown, "", "venue", "The role %s is had in the whole house and not at a venue.", g.Role)
	}
	return nil
}
