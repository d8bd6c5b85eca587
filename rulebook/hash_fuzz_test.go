package rulebook

import (
	"strings"
	"testing"
)

// FuzzParseHash reads any text as a hash, which has one spelling but for case.
func FuzzParseHash(f *testing.F) {
	f.Add(strings.Repeat("0f", 32))
	f.Add(strings.Repeat("0F", 32))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if h, err := ParseHash(text); err == nil && h.String() != strings.ToLower(text) {
			t.Errorf("%q is %v", text, h)
		}
	})
}
