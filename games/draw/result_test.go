package draw

import (
	"bytes"
	"strings"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/journal"
)

func testResult(t testing.TB) Result {
	return Result{Device: "rng", Game: testGame, Revision: 1, Seal: journal.Hash{1, 2, 3},
		Numbers: mustSequence(t, ball.Keno, 42, 3, 17, 80, 1)}
}

func TestParseResult(t *testing.T) {
	r := testResult(t)
	if back, err := ParseResult(r.Marshal()); err != nil || back != r {
		t.Errorf("%+v: %v", back, err)
	}
	for what, change := range map[string]func(*Result){
		"no device":      func(r *Result) { r.Device = "" },
		"device":         func(r *Result) { r.Device = "RNG 2" },
		"long device":    func(r *Result) { r.Device = strings.Repeat("r", 17) },
		"game":           func(r *Result) { r.Game.Day = "today" },
		"revision":       func(r *Result) { r.Revision = 0 },
		"no numbers":     func(r *Result) { r.Numbers = mustSequence(t, ball.Keno) },
		"no universe":    func(r *Result) { r.Numbers = ball.Sequence{} },
		"device, 2 line": func(r *Result) { r.Device = "rng\nseries x" },
	} {
		bent := testResult(t)
		change(&bent)
		if bent.Check() == nil {
			t.Errorf("%s: passed", what)
		}
		if _, err := ParseResult(bent.Marshal()); err == nil {
			t.Errorf("%s: read", what)
		}
	}
}

func TestParseResultIsStrict(t *testing.T) {
	text := testResult(t).Marshal()
	for _, r := range [][2]string{
		{"draw/v1", "draw/v2"}, {"42 3 17", "42 03 17"}, {"42 3 17", "42  3 17"}, {"42 3 17", "42,3,17"},
		{"42 3 17", "42 3 42"},
		{"80 1\n", "81 1\n"}, {"80 1\n", "80 1 \n"}, {"80 1\n", "80 1\nmore 1\n"}, {"of 80", "of 90"}, {"of 80", "of 81"},
		{"of 80", "of 336"},
		{"game 417", "game 4294967713"}, {"revision 1", "revision 01"}, {"device rng\n", ""}, {"seal A", "seal "},
		{"\n", "\r\n"},
	} {
		bent := strings.Replace(text, r[0], r[1], 1)
		if bent == text {
			t.Fatalf("%q is not in the result", r[0])
		}
		back, err := ParseResult(bent)
		if r[0] == "of 80" && r[1] == "of 90" { // another universe is another result
			if err != nil || back == testResult(t) {
				t.Errorf("numbers of 90: %+v, %v", back, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("read with %q for %q", r[1], r[0])
		}
	}
}

func TestTamperingWithResults(t *testing.T) {
	signer, verifier := testKey(t, "device")
	msg, err := journal.SignNote(testResult(t).Marshal(), signer)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 * len(msg) {
		bent := bytes.Clone(msg)
		bent[i/8] ^= 1 << (i % 8)
		if r, _, err := OpenResult(bent, verifier); err == nil {
			t.Errorf("bit %d changed: %+v", i, r)
		}
	}
	_, other := testKey(t, "other")
	if _, _, err := OpenResult(msg, other); err == nil {
		t.Error("opened by another key")
	}
	note, err := journal.SignNote("something else\n", signer)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := OpenResult(note, verifier); err == nil {
		t.Error("another note of the device was opened as a result")
	}
}

func FuzzParseResult(f *testing.F) {
	r := testResult(f)
	f.Add(r.Marshal())
	r.Numbers = mustSequence(f, ball.Bingo, 90)
	f.Add(r.Marshal())
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseResult(text)
		if err != nil {
			return
		}
		if r.Marshal() != text || r.Check() != nil {
			t.Errorf("%q marshals back as %q: %v", text, r.Marshal(), r.Check())
		}
	})
}
