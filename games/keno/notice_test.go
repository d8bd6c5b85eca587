package keno_test

import (
	"strings"
	"testing"

	"drawhouse/games/keno"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestNoticesSayEveryLimit holds the notices of all keno rulebooks against their limits:
// every line bounds something, none repeats another, and a line of another kind of
// terminal is not among them.
func TestNoticesSayEveryLimit(t *testing.T) {
	for _, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		book, err := rules.Book(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, channel := range book.EntryKinds().Channels {
			seen := map[string]bool{}
			for _, n := range keno.Notices(book, channel) {
				text := n.String()
				if seen[text] || n.Clause == "" || n.Min == 0 && n.Max == 0 && n.Step == 0 || strings.Contains(text, "  ") {
					t.Errorf("%s %s: %q by %q", id, channel, text, n.Clause)
				}
				seen[text] = true
			}
			if len(seen) == 0 {
				t.Errorf("%s %s: the notice is empty", id, channel)
			}
		}
	}
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	const most = "A ticket: at most $1,000.00"
	has := func(channel rulebook.Channel) bool {
		for _, n := range keno.Notices(book, channel) {
			if n.String() == most {
				return true
			}
		}
		return false
	}
	if has(rulebook.ChannelWriter) || !has("sst") {
		t.Errorf("%q is for self-service terminals", most)
	}
}
