package money

import "testing"

// FuzzParseRounding reads any text as the name of a rounding, which has one spelling.
func FuzzParseRounding(f *testing.F) {
	for _, text := range []string{"floor", "ceil", "half-up", "half-even", "Floor", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if r, err := ParseRounding(text); err == nil && r.String() != text {
			t.Errorf("%q is %v", text, r)
		}
	})
}
