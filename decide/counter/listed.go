package counter

import (
	"slices"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes about ready tickets of one venue.
const (
	ListUnknown   refusal.Code = "list_unknown"   // the rulebook lists no ready ticket under the id
	ListElsewhere refusal.Code = "list_elsewhere" // another venue has the list
	ListSame      refusal.Code = "list_same"      // the venue has the list, or has none as it is
)

// ListVenue gives a venue the ready tickets that the rulebook lists for it alone, or takes them away with an
// empty id. They are sold at one venue.
//
//rule:vic-keno-2015 2(a).customised-superplay
func ListVenue(s *state.State, b record.VenueListed) (*record.VenueListed, error) {
	series, err := seriesOf(s, b.Series)
	if err != nil {
		return nil, err
	}
	if venue, _ := s.Venue(b.Venue); venue.Listed == b.Listed {
		return nil, refuse(ListSame, "", "list", "Venue %d has this list already, or has none.", b.Venue)
	}
	if b.Listed == "" {
		return &b, nil
	}
	items := series.Book.Items()
	i := slices.IndexFunc(items, func(item rulebook.ItemFile) bool { return item.Venue == b.Listed })
	if i < 0 {
		return nil, refuse(ListUnknown, "", "list", "The rulebook lists no ready ticket under %q.", b.Listed)
	}
	if other, taken := s.ListedAs(b.Listed); taken {
		return nil, refuse(ListElsewhere, items[i].Quoted(), "list", "Venue %d has the list %s.", other.ID, b.Listed)
	}
	return &b, nil
}
