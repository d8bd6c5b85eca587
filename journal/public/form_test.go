package public

import (
	"strings"
	"testing"
)

// TestFormsAreWhole: every kind has its place among the forms, every line says what it holds, and nothing is said of a
// line that no entry has.
func TestFormsAreWhole(t *testing.T) {
	said, listed := map[string]bool{}, map[Kind]bool{}
	take := func(kind Kind, lines []Line) {
		for _, l := range lines {
			own := string(kind) + " " + l.Key
			if _, ok := meanings[own]; ok {
				said[own] = true
			} else {
				said[l.Key] = true
			}
			if l.Says == "" || l.Value == "" || strings.Contains(l.Says, "|") {
				t.Errorf("%s: the line %s is %q, %q", kind, l.Key, l.Value, l.Says)
			}
		}
	}
	take("", CommonLines())
	for _, f := range Forms() {
		listed[f.Kind] = true
		take(f.Kind, f.Lines)
		if len(f.Records) == 0 {
			t.Errorf("no record brings an entry %s", f.Kind)
		}
	}
	for kind := range kinds {
		if !listed[kind] {
			t.Errorf("%s is not among the forms", kind)
		}
	}
	for key := range meanings {
		if !said[key] {
			t.Errorf("it is said what %q holds, and no entry has that line", key)
		}
	}
}
