package witness

import (
	"strings"
	"testing"
)

// FuzzCheckAsk holds whatever somebody may send against a key: what was not signed for
// the house, the question and the time is refused.
func FuzzCheckAsk(f *testing.F) {
	signer, _, verifier := testKey(f, "inspector.example")
	header, err := SignAsk(signer, "keno.example", "/v1/journal", 1000)
	if err != nil {
		f.Fatal(err)
	}
	if err := CheckAsk(header, verifier, "keno.example", "/v1/journal", 1000+askWindow); err != nil {
		f.Error(err)
	}
	if AskedBy(header) != "inspector.example" {
		f.Errorf("asked by %q", AskedBy(header))
	}
	f.Add(header, "keno.example", "/v1/journal", int64(1000))
	f.Add(header, "keno.example", "/v1/journal", int64(1001+askWindow))
	f.Add(strings.Repeat("A", maxAsk+1), "", "", int64(0))
	f.Add("inspector.example ", "keno.example", "", int64(0))
	f.Fuzz(func(t *testing.T, sent, house, target string, now int64) {
		if CheckAsk(sent, verifier, house, target, now) != nil {
			return
		}
		if sent[strings.Index(sent, " "):] != header[strings.Index(header, " "):] || house != "keno.example" ||
			target != "/v1/journal" || now < 1000-askWindow || now > 1000+askWindow {
			t.Errorf("%q passes for %s of %s at %d", sent, target, house, now)
		}
	})
}
