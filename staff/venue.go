package staff

import (
	"encoding/json"
	"slices"

	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/state"
)

// OtherVenue is the code for somebody who works at another venue than the one it is about.
const OtherVenue refusal.Code = "venue_other"

// overall are the roles that see every venue.
func overall() []record.Role { return append(Central(), record.RoleInspector) }

// WorksAt reports whether a person has something to do with a venue: a role there, or one of
// the central site, or of the regulator.
func WorksAt(p state.Person, venue uint32) bool {
	return p.HasAny(overall()...) || slices.ContainsFunc(p.Grants, func(g state.Grant) bool { return g.Venue != 0 && g.Venue == venue })
}

// CheckWorksAt refuses somebody of another venue than that of a terminal.
func CheckWorksAt(p *state.People, person state.Person, terminal uint32) error {
	if post, ok := p.Post(terminal); ok && !WorksAt(person, post.Venue) {
		return refuse(OtherVenue, "", "person", "Person %d does not work at venue %d, where terminal %d stands.", person.ID, post.Venue, terminal)
	}
	return nil
}

// venuesOf returns the venues that a request is of: that of the terminal which it names, or
// those at which the person works who asked. A request of the central site about no terminal
// is of no venue.
func venuesOf(p *state.People, asked record.ApprovalRequested) []uint32 {
	var about struct {
		Terminal uint32 `json:"terminal"`
	}
	if asked.Says != "" && json.Unmarshal([]byte(asked.Says), &about) == nil {
		if post, ok := p.Post(about.Terminal); ok {
			return []uint32{post.Venue}
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

// Concerns reports whether a request is for somebody to see: the own ones, and of others
// those that the person may decide on at a venue where the person works.
func Concerns(p *state.People, person state.Person, asked record.ApprovalRequested) bool {
	switch venues := venuesOf(p, asked); {
	case person.HasAny(overall()...) || asked.By == person.ID:
		return true
	case !person.HasAny(asked.Roles...):
		return false
	default:
		return len(venues) == 0 || slices.ContainsFunc(venues, func(venue uint32) bool { return WorksAt(person, venue) })
	}
}
