package witness

import "testing"

// FuzzParseVerifier reads any text as the key of a witness, which has one spelling.
func FuzzParseVerifier(f *testing.F) {
	f.Add("witness.example+00000000+BA==")
	f.Add("++")
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := ParseVerifier(text); err == nil && v.String() != text {
			t.Errorf("%q is %v", text, v)
		}
	})
}
