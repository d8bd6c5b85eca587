package witness

import (
	"strings"
	"testing"

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

// FuzzParseCustodian reads any text as the two keys of a custodian: what is read has one name and two keys, and is
// written the same.
func FuzzParseCustodian(f *testing.F) {
	f.Add("one.example+00000000+BA==,one.example+00000000+AQ==")
	f.Add("a,b+c,d+e,")
	one, other := testCustodian(f, "one.example"), testCustodian(f, "other.example")
	f.Add(one.String() + "," + one.LinksKey)
	f.Add(one.String() + "," + other.LinksKey)
	f.Add(one.String() + "," + one.String())
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCustodian(text)
		if err != nil {
			return
		}
		if text != c.String()+","+c.LinksKey {
			t.Errorf("%q is %v with %s", text, c, c.LinksKey)
		}
		if journal.SameKey(c.String(), c.LinksKey) || !strings.HasPrefix(c.LinksKey, c.Name()+"+") {
			t.Errorf("%q is taken", text)
		}
	})
}

// FuzzParseCheckpoint reads any text as a checkpoint: what is read is written the same, before its extension lines.
func FuzzParseCheckpoint(f *testing.F) {
	f.Add("go.sum database tree\n35225469\nvt5T6GaLCXvyHFl9VUvvItR43XZxfLgftEcTyO3eJCQ=\n")
	f.Add("a\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\nmore\n")
	f.Add("\n\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := ParseCheckpoint(text); err == nil && !strings.HasPrefix(text, c.Marshal()) {
			t.Errorf("%q is %q", text, c.Marshal())
		}
	})
}
