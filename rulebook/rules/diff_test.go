package rules

import (
	"testing"

	"drawhouse/rulebook"
)

// TestDiff compares every rulebook with every other one: whatever lists the schema has,
// their items have names, and none differs from itself.
func TestDiff(t *testing.T) {
	for _, from := range IDs() {
		for _, to := range IDs() {
			a, err := Book(from)
			if err != nil {
				t.Fatal(err)
			}
			b, err := Book(to)
			if err != nil {
				t.Fatal(err)
			}
			if changes := rulebook.Diff(a, b); (len(changes) == 0) != (from == to) {
				t.Errorf("from %s to %s: %d changes", from, to, len(changes))
			}
		}
	}
}
