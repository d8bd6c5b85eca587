package main

import (
	"strings"
	"testing"
)

const listOfParts = "drawhouse 1.0.0 go1.26 linux/amd64\ncommit abc of today\nprogram 11 drawhouse\npart 22 draw\npart 33 settle\nrulebook 44 vic\nmodule h1:55= example.org/m@v1\n"

// TestVerifyParts compares lists of parts.
func TestVerifyParts(t *testing.T) {
	t.Parallel()
	ours, err := parseParts(listOfParts)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"the same":           {"", "", ""},
		"under another name": {"11 drawhouse", "11 drawhouse.new", ""},
		"another program":    {"program 11", "program 12", "program differs: 11 here, 12 in the list"},
		"another source":     {"22 draw", "23 draw", "part draw differs: 22 here, 23 in the list"},
		"a part less":        {"part 33 settle\n", "", "part settle is in this program and not in the list"},
		"a part more":        {"part 33", "part 99 back\npart 33", "part back is in the list and not in this program"},
		"a module's version": {"m@v1", "m@v2",
			"module example.org/m@v1 is in this program and not in the list|module example.org/m@v2 is in the list and not in this program"},
		"program before part": {"program 11 drawhouse\npart 22", "program 12 drawhouse\npart 23",
			"program differs: 11 here, 12 in the list|part draw differs: 22 here, 23 in the list"},
	} {
		theirs, err := parseParts(strings.Replace(listOfParts, c.old, c.new, 1))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(compareParts(ours, theirs), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// FuzzParseParts reads any list: it is refused, or compares as the same with itself.
func FuzzParseParts(f *testing.F) {
	f.Add(listOfParts)
	f.Add("program 1 a\nprogram 2 b\n")
	f.Add("part 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		parts, err := parseParts(text)
		if err == nil && (parts["program"] == "" || len(compareParts(parts, parts)) != 0) {
			t.Errorf("%q was read as %v", text, parts)
		}
	})
}
