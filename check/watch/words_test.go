package watch_test

import (
	"fmt"
	"strings"
	"testing"

	"drawhouse/check/watch"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// TestWords says what each kind of entry says.
func TestWords(t *testing.T) {
	a := newAuthor(t).told()
	for _, entry := range a.entries {
		e, err := public.Parse(entry)
		a.must(err)
		if words := watch.Words(e); !strings.HasSuffix(words, ".") || strings.Contains(words, "does not know") ||
			strings.Contains(words, "entry of") || strings.Contains(words, "a note without") {
			t.Errorf("%s: %s", e.Kind, words)
		}
	}
	key, hash := a.keys["w1.example"].vkey, journal.LeafHash(nil).String()
	of := "series vic-keno\nday 2026-11-15\ngame 7\n"
	named := fmt.Sprintf("journal keno.example/v1 5 %s\nfrom 0\n", hash)
	for lines, want := range map[string]string{
		"volume-begun\nvolume 2\nreason restore\nhouse-key " + key + "\ndevice-key " + key + "\n" + named: `Volume 2 of the journal begins, for the reason "restore".`,
		"series-begun\nseries vic-keno\nrulebook " + hash + "\nschedule 1\n":                              "The series vic-keno begins, by schedule 1 of rulebook " + hash + ".",
		"terms\nseries vic-keno\nfirst 9\nrulebook " + hash + "\nschedule 2\n":                            "From game no. 9 of vic-keno on schedule 2 of rulebook " + hash + " counts.",
		"device\nseries vic-keno\ndevice cage\n":                                                          `From now on vic-keno is drawn by the device "cage".`,
		"witnesses\nrequired " + key + "\n":                                                               "The house needs the cosignatures of: w1.example. It asks for those of: nobody.",
		"draw-void\n" + of + "draw 1\nclause 11.4(a)\n":                                                   "Game 7 of vic-keno on 2026-11-15 loses draw 1, which does not count, by clause 11.4(a).",
		"game-void\n" + of + "draw 1\nclause 11.6\ndeferred no\nrefund-cents 1200\n":                      "Game 7 of vic-keno on 2026-11-15 has no result, by clause 11.6; $12.00 goes back.",
		"result-corrected\n" + of + "revision 2\nclause 9\nnumbers 1 2 3\n":                               "Game 7 of vic-keno on 2026-11-15 is settled anew with the numbers 1 2 3, by clause 9.",
		"kind-of-later\nwhat else\n":                                                                      `An entry of the kind "kind-of-later", which this program does not know.`,
	} {
		kind, rest, _ := strings.Cut(lines, "\n")
		e, err := public.Parse([]byte("drawhouse/log/v1\nkind " + kind + "\ntime 1\nrecord 1:1\n" + rest))
		a.must(err)
		if got := watch.Words(e); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
}
