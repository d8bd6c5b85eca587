package counter

import (
	"maps"
	"slices"
	"testing"

	"drawhouse/rulebook"
)

// TestPartiesOfRulebooks: a rulebook may name the parties for which roles of the house speak, and no others.
func TestPartiesOfRulebooks(t *testing.T) {
	t.Parallel()
	all := slices.Sorted(maps.Keys(partyRoles))
	for field, known := range map[string][]string{"claims.signatures.role": rulebook.WordsOf[rulebook.Signature]("role"),
		"disqualify.by": rulebook.WordsOf[rulebook.Disqualify]("by")} {
		if !slices.Equal(slices.Sorted(slices.Values(known)), all) {
			t.Errorf("%s may be %v, and the house knows %v", field, known, all)
		}
	}
}
