// Package staff decides what people may do in a house and what may not happen
// without them.
//
// It has two halves. Decide turns what somebody wants to change about people,
// venues and terminals into records, or says why not: who may do it is a table
// (acting.go), and what needs two persons is another (Actions). The checks say
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

// The codes with which a change is refused.
const (
	NotAllowed      refusal.Code = "not_allowed"      // the person has no role for it
	PersonUnknown   refusal.Code = "person_unknown"   // there is no such person, or not any more
	VenueUnknown    refusal.Code = "venue_unknown"    // there is no such venue
	VenueWrong      refusal.Code = "venue_wrong"      // there is no such kind of venue, or another one has the name
	NameWrong       refusal.Code = "name_wrong"       // such a name cannot be
	AreaUnknown     refusal.Code = "area_unknown"     // the venue has no such area
	TerminalUnknown refusal.Code = "terminal_unknown" // there is no such terminal
	OperatorUnknown refusal.Code = "operator_unknown" // there is no such operator
	RoleUnknown     refusal.Code = "role_unknown"     // there is no such role
	RoleHeld        refusal.Code = "role_held"        // the person has the role already
	RoleNotHeld     refusal.Code = "role_not_held"    // the person does not have the role
	LastOfRole      refusal.Code = "last_of_role"     // the house would be without an administrator
	AreaExists      refusal.Code = "area_exists"      // the venue has the area already
	HoursWrong      refusal.Code = "hours_wrong"      // such hours cannot be
	KeyWrong        refusal.Code = "key_wrong"        // such a key cannot be
	KeyRevoked      refusal.Code = "key_revoked"      // the terminal has no key any more
	ReasonMissing   refusal.Code = "reason_missing"   // it needs a reason
	ChannelUnknown  refusal.Code = "channel_unknown"  // there is no such kind of terminal
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
