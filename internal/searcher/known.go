package searcher

import (
	"strings"

	"drawhouse/internal/honest"
)

// known are findings that the book and a rulebook read differently, with why the house stays
// as it is. docs/SECOND-BOOK.md lists them with the text that decides.
var known = []struct {
	rulebook string
	goal     honest.Goal
	clause   string
	has      string // part of what is said
	why      string
}{
	{"tas-keno-2023", honest.OverLimit, "13.7(b)", "without a central site voucher",
		"reading boundary-at-2999: a player may take all of it in cash where the venue's limit allows it"},
}

// isKnown reports whether a finding is one of those.
func isKnown(rulebook string, f Finding) bool {
	for _, k := range known {
		if k.rulebook == rulebook && k.goal == f.Goal && k.clause == f.Clause && strings.Contains(f.What, k.has) {
			return true
		}
	}
	return false
}
