package state

import (
	"testing"

	"drawhouse/journal/record"
)

// TestEveryKindIsApplied shows that the state knows what each kind of record does.
func TestEveryKindIsApplied(t *testing.T) {
	for _, kind := range record.Kinds() {
		if !folds.Has(kind) {
			t.Errorf("nothing applies %v: add a row to the folds", kind)
		}
	}
}
