package staff

import (
	"maps"
	"slices"
	"testing"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestRolesOfRulebooks: a rulebook may ask for the roles that the house can fill and for no others, centrally for
// games and at the venue for venues. Who approves the end of a Keno Day has a role of the central site.
func TestRolesOfRulebooks(t *testing.T) {
	t.Parallel()
	games, venues := rulebook.WordsOf[rulebook.Staffing]("game"), rulebook.WordsOf[rulebook.Staffing]("venue")
	asked := slices.Sorted(slices.Values(slices.Concat(games, venues)))
	if all := slices.Sorted(maps.Keys(fills)); !slices.Equal(all, asked) {
		t.Errorf("the house fills %v, and rulebooks may ask for %v and %v", all, games, venues)
	}
	for word, roles := range fills {
		for _, role := range roles {
			if role.AtVenue() != slices.Contains(venues, word) {
				t.Errorf("%s is filled by %s, which is had elsewhere", word, role)
			}
		}
	}
	var central []string
	for _, role := range record.Roles() {
		if !role.AtVenue() {
			central = append(central, string(role))
		}
	}
	if known := rulebook.WordsOf[rulebook.KenoDay]("approves"); !slices.Equal(known, central) {
		t.Errorf("a rulebook lets %v approve; the central site has %v", known, central)
	}
}
