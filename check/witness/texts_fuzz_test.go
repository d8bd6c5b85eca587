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

// FuzzParseLetGo reads any text as a game that people let go: what is read is said the same.
func FuzzParseLetGo(f *testing.F) {
	f.Add("vic-keno/2026-11-15/418")
	f.Add("a/b/2026-11-15/0")
	f.Add("vic-keno/2026-11-15/0418")
	f.Add("/2026-11-15/1")
	f.Fuzz(func(t *testing.T, text string) {
		if game, err := ParseLetGo(text); err == nil && letGoBy(game) != "--let-go "+text {
			t.Errorf("%q is %v", text, game)
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

// FuzzCheckTold reads any text as what a custodian answers that was told of a quorum: only its own signature is taken.
func FuzzCheckTold(f *testing.F) {
	c := testCosigner(f, "one.example")
	told := LinkRequest{Game: journal.Game{Series: "s", Day: "2026-11-15", Number: 1},
		Checkpoint: []byte(journal.Checkpoint{Origin: "h.example/log", Size: 3}.Marshal() + "\n— h.example/log AAAAAAAA\n")}
	line, err := c.CosignTold(told, 1)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(line))
	f.Add("")
	f.Fuzz(func(t *testing.T, answer string) {
		if err := c.CheckTold(told, []byte(answer)); (err == nil) != (answer == string(line)) &&
			!strings.Contains(answer, string(line)) {
			t.Errorf("%q is taken, or its own is not: %v", answer, err)
		}
	})
}
