package staff

import (
	"encoding/json"
	"slices"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// OtherVenue is the code for somebody who works at another venue than the one it is about.
const OtherVenue refusal.Code = "venue_other"

// overall are the roles that see every venue.
func overall() []record.Role { return append(Central(), record.RoleInspector) }

// WorksAt reports whether a person has something to do with a venue: a role there, or one of
// the central site, or of the regulator.
func WorksAt(p state.Person, venue uint32) bool {
	return p.HasAny(overall()...) || slices.ContainsFunc(p.Grants,
		func(g state.Grant) bool { return g.Venue != 0 && g.Venue == venue })
}

// CheckWorksAt refuses somebody of another venue than that of a terminal.
func CheckWorksAt(p *state.People, person state.Person, terminal uint32) error {
	if post, ok := p.Post(terminal); ok && !WorksAt(person, post.Venue) {
		return refuse(OtherVenue, "", "person",
			"Person %d does not work at venue %d, where terminal %d stands.", person.ID, post.Venue, terminal)
	}
	return nil
}

// venuesOf returns the venues that a request is of: that of the terminal which it names, that whose cash is carried, or
// those at which the person works who asked. A request of the central site about no terminal
// is of no venue.
func venuesOf(p *state.People, asked record.ApprovalRequested) []uint32 {
	var about struct {
		Terminal uint32 `json:"terminal"`
		Venue    uint32 `json:"venue"`
	}
	if asked.Says != "" && json.Unmarshal([]byte(asked.Says), &about) == nil {
		if post, ok := p.Post(about.Terminal); ok {
			return []uint32{post.Venue}
		}
		if slices.Contains(cashActions, asked.Action) {
			return []uint32{about.Venue}
		}
	}
	var venues []uint32
	person, _ := p.Person(asked.By)
	for _, g := range person.Grants {
		if g.Venue == 0 {
			return nil
		}
		venues = append(venues, g.Venue)
	}
	return venues
}

// HasFor reports whether a person has one of some roles for a request: in the whole house,
// or at a venue that the request is of. A senior of one venue who writes at another is no
// senior there.
func HasFor(p *state.People, person state.Person, asked record.ApprovalRequested, roles []record.Role) bool {
	venues := venuesOf(p, asked)
	return slices.ContainsFunc(person.Grants, func(g state.Grant) bool {
		return slices.Contains(roles, g.Role) && (g.Venue == 0 || len(venues) == 0 || slices.Contains(venues, g.Venue))
	})
}

// Concerns reports whether a request is for somebody to see: everything for the central site
// and the regulator, and for others the own ones and those that they may decide on.
func Concerns(p *state.People, person state.Person, asked record.ApprovalRequested) bool {
	return person.HasAny(overall()...) || asked.By == person.ID || HasFor(p, person, asked, asked.Roles)
}
