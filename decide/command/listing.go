package command

import (
	"fmt"

	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

func init() {
	register[ListVenue](act("operator", "list_venue", "list-venue", "/v1/operator/venues/lists",
		"Ask for a venue to sell the ready tickets that the rulebook lists for it alone, or not to",
		"list_elsewhere list_same list_unknown venue_unknown"))
}

// ListVenue gives a venue the ready tickets of one list of the rulebook.
type ListVenue struct {
	Venue uint32 `json:"venue" of:"venue"`
	List  string `json:"list,omitempty" doc:"Id of the list in the rulebook; absent for none."`
}

// Words implements Act.
func (c ListVenue) Words() string {
	if c.List == "" {
		return fmt.Sprintf("Take the ready tickets of its own from venue %d.", c.Venue)
	}
	return fmt.Sprintf("Let venue %d alone sell the ready tickets of the list %s.", c.Venue, c.List)
}

// Decide implements Command.
func (c ListVenue) Decide(s *state.State, e *Env) (Decision, error) {
	if _, known := s.Venue(c.Venue); !known {
		return Decision{}, &refusal.Refusal{Code: staff.VenueUnknown, Path: "venue",
			Sentence: fmt.Sprintf("There is no venue %d.", c.Venue)}
	}
	return plain(counter.ListVenue(s,
		record.VenueListed{Series: e.Series, Venue: c.Venue, Listed: c.List, By: e.By.Person}))
}
