package rulebook

import "testing"

// TestChangeWords says changes in words.
func TestChangeWords(t *testing.T) {
	for want, c := range map[string]Change{
		"tables classic-1, 8 spots, 5 matched: $7.00 instead of $6.00 (S.1).": {"keno.tables[classic-1].catch.8.5", "$6.00",
			"$7.00", "S.1"},
		"tables last, 2 spots: $9.00, where nothing was said.": {"keno.tables[last].size.2",
			"", "$9.00", ""},
		"limits stake plain ways 1-3, max: nothing is said any more, where it was $5.00 (9).": {"keno.limits[stake plain ways 1-3].max", "$5.00", "", "9"},
		"games, multi, to go from: 10 instead of 50.": {"keno.games.multi.to_go_from",
			"50", "10", ""},
		"status 3.8(c), open: keno.prorating[all].cap, where nothing was said (3.8(c)).": {"status[3.8(c)].open", "",
			"keno.prorating[all].cap", "3.8(c)"},
		"patterns four_corners, cells, top: 1, 5 instead of 1, 4 (2.2).": {"bingo.patterns[four_corners].cells.top", "1, 4",
			"1, 5", "2.2"},
	} {
		if got := c.Words(); got != want {
			t.Errorf("%s: %s", c.Path, got)
		}
	}
	for path, want := range map[string]bool{"keno.a.clause": true, "keno.a.max_clause": true, "keno.a.reading": true,
		"clause": true, "keno.a.max": false} {
		if got := (Change{Path: path}).IsCitation(); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
