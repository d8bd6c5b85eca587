package books

import (
	"testing"

	"drawhouse/journal/record"
)

// TestUnusualKindsAreEvents shows that the books say what each kind of record is about that a
// controller wants to look at, and of no others.
func TestUnusualKindsAreEvents(t *testing.T) {
	for _, kind := range record.Kinds() {
		if events.Has(kind) != kind.Unusual() {
			t.Errorf("%v: unusual is %v, and the books have words for it: %v", kind, kind.Unusual(), events.Has(kind))
		}
	}
}
