package live

import (
	"testing"

	"drawhouse/journal/record"
)

// TestPublicKindsAreTranslated shows that the feed tells of each public kind of record, and of
// no others.
func TestPublicKindsAreTranslated(t *testing.T) {
	for _, kind := range record.Kinds() {
		if translations.Has(kind) != kind.Public() {
			t.Errorf("%v: public is %v, and the feed translates it: %v", kind, kind.Public(), translations.Has(kind))
		}
	}
}
