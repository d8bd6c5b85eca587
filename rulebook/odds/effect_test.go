package odds_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"drawhouse/rulebook"
	"drawhouse/rulebook/odds"
	"drawhouse/rulebook/rules"
)

// TestEffect holds the sentences of a change against the odds of both rulebooks.
func TestEffect(t *testing.T) {
	before, err := rules.Book("casino-keno-div2")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../rules/casino-keno-div2/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, fresh, want string }{
		{"title: Casino", "title: Another casino", ""},
		{"1: {1: 3}", "1: {1: 2}",
			"standard 1: returns 50.0000% instead of 75.0000%, pays at most $2.00 for $1.00 instead of $3.00 for $1.00."},
		{"cap: 1000000", "cap: 2000000",
			"standard, the most that the major prizes of a game come to: $2,000,000.00 instead of $1,000,000.00."},
		{"way_cap: ", "way_cap: 1", "the most that a way wins: "},
		{"      sizes: 4-10", "      sizes: 5-10", "special 4: no longer offered; it returned 75.0531%."},
	} {
		text := strings.Replace(string(data), c.old, c.fresh, 1)
		if strings.Contains(c.want, "no longer") {
			text = strings.Replace(text, "        4: {4: 245}"+"\n", "", 1)
		}
		if text == string(data) {
			t.Fatalf("the rulebook does not say %q", c.old)
		}
		after, err := rulebook.Load("after", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		lines, err := odds.Effect(before, after)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && len(lines) > 0 || c.want != "" &&
			!slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, c.want) }) {
			t.Errorf("%q does %q", c.fresh, lines)
		}
		if back, err := odds.Effect(after, before); err != nil || len(back) != len(lines) {
			t.Errorf("the other way %q does %q, %v", c.fresh, back, err)
		}
	}
}
