package bingo

import (
	"strings"
	"testing"

	"drawhouse/core/ball"
)

func TestParseCalls(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"5 17\n90\n":                   "5 17 90",
		"5 # the first\n# none\n\t17 ": "5 17",
		"5 61 -61 17 61":               "5 17 61",
		"5 61 17 -5":                   "61 17",
	} {
		if got, err := ParseCalls(ball.Bingo, text); err != nil || got.String() != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"5\n0":       `line 2: "0" is not a number from 1 to 90, called or, with a hyphen, taken back`,
		"91":         `line 1: "91" is not`,
		"5 five":     `line 1: "five" is not`,
		"--5":        `line 1: "--5" is not`,
		"+5":         `line 1: "+5" is not`,
		"5 6\n\n5":   `line 3: 5: `,
		"5 -6":       `line 1: -6: bingo: 6 cannot be taken back: it was not called`,
		"5 -5 -5 6 ": `line 1: -5: bingo: 5 cannot be taken back`,
	} {
		if got, err := ParseCalls(ball.Bingo, text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
}

// FuzzParseCalls: what is read reads the same again.
func FuzzParseCalls(f *testing.F) {
	f.Add("5 17 -17 90 # remark\n61")
	f.Add("-1")
	f.Fuzz(func(t *testing.T, text string) {
		calls, err := ParseCalls(ball.Bingo, text)
		if err != nil {
			return
		}
		if again, err := ParseCalls(ball.Bingo, calls.String()); err != nil || again != calls {
			t.Errorf("%q is read as %v and again as %v, %v", text, calls, again, err)
		}
	})
}
