package verify

import (
	"maps"
	"slices"
	"testing"

	"drawhouse/rulebook"
)

// TestWordsOfRulebooks: the checker knows every role and party that a rulebook may name, and no others.
func TestWordsOfRulebooks(t *testing.T) {
	t.Parallel()
	roles := slices.Concat(rulebook.WordsOf[rulebook.Staffing]("game"), rulebook.WordsOf[rulebook.Staffing]("venue"))
	if all := slices.Sorted(maps.Keys(filledBy)); !slices.Equal(all, slices.Sorted(slices.Values(roles))) {
		t.Errorf("the checker knows the roles %v, and rulebooks may name %v", all, roles)
	}
	parties := rulebook.WordsOf[rulebook.Signature]("role")
	if all := slices.Sorted(maps.Keys(signers)); !slices.Equal(all, slices.Sorted(slices.Values(parties))) {
		t.Errorf("the checker knows the parties %v, and rulebooks may name %v", all, parties)
	}
}
