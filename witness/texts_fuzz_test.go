package witness

import (
	"strings"
	"testing"

	"drawhouse/draw"
	"drawhouse/journal"
)

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

// FuzzParseSeed reads any text as the secret of a chain. Long chains take long to make, so
// what has many games is left out.
func FuzzParseSeed(f *testing.F) {
	f.Add(MarshalSeed(draw.ChainName{Custodian: "a.example", Series: "vic-keno", Day: "2026-11-15", First: 1, Games: 2}, journal.Hash{1}))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if i := strings.Index(text, "games "); i >= 0 && len(text) > i+9 && strings.Trim(text[i+6:i+9], "0123456789") == "" {
			return
		}
		if c, err := ParseSeed(text); err == nil && c == nil {
			t.Errorf("%q is no chain and no error", text)
		}
	})
}
