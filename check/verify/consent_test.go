package verify

import (
	"slices"
	"testing"

	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// TestPartiesAreTheHouses holds who may agree on what against the house's own table: the two
// are written apart, and may not differ.
func TestPartiesAreTheHouses(t *testing.T) {
	for name, action := range staff.Actions() {
		who := partiesTo(name)
		if !sameRoles(who.ask, action.Asks) || !sameRoles(who.consent, action.Consents) {
			t.Errorf("%s is for %v and %v to agree on, in the house for %v and %v", name, who.ask, who.consent, action.Asks,
				action.Consents)
		}
	}
}

func sameRoles(a, b []record.Role) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
