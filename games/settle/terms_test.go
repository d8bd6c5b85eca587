package settle

import (
	"os"
	"strings"
	"testing"

	"drawhouse/rulebook"
)

// editedBook loads a rulebook with some text of it changed, again and again: old,
// new, old, new.
func editedBook(t testing.TB, id string, edits ...string) *rulebook.Book {
	t.Helper()
	data, err := os.ReadFile("../../rulebook/rules/" + id + "/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(edits); i += 2 {
		if !strings.Contains(text, edits[i]) {
			t.Fatalf("the book has no %q", edits[i])
		}
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	book, err := rulebook.Load("book.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// TestNewTermsRefusesWhatCodesCannotHold: races and series beyond what a way has
// bits for.
func TestNewTermsRefusesWhatCodesCannotHold(t *testing.T) {
	for name, c := range map[string]struct {
		id, schedule string
		edits        []string
		want         string
	}{
		"a race of 16 rows": {"tas-keno-2023", "settlement",
			[]string{"rows: 8\n        row_numbers: 10", "rows: 16\n        row_numbers: 5"}, "races 16 rows"},
		"a race of 10 rows": {"tas-keno-2023", "settlement",
			[]string{"rows: 8\n        row_numbers: 10", "rows: 10\n        row_numbers: 8"}, ""},
		"a series of 17 games": {"vic-keno-2015", "schedule-1", []string{"series_max: 5", "series_max: 17"},
			"calls 17 games"},
		"a series of 16 games": {"vic-keno-2015", "schedule-1", []string{"series_max: 5", "series_max: 16"}, ""},
		"a prize times ten": {"vic-keno-2015", "schedule-1", []string{"10: 250000}", "10: 1073742}"},
			"10 times, is more than can be settled exactly"},
		"the most, times ten": {"vic-keno-2015", "schedule-1", []string{"10: 250000}", "10: 1073741}"}, ""},
		"a forecast of 9 rows": {"tas-keno-2023", "settlement",
			[]string{"rows: 8\n        row_numbers: 10", "rows: 10\n        row_numbers: 8", "name: Trio\n            places: 3",
				"name: Trio\n            places: 9"}, "forecasts 9 places"},
		"prizes for other cents": {"vic-keno-2015", "schedule-1",
			[]string{"id: heads-or-tails\n      per: 1.00", "id: heads-or-tails\n      per: 0.03"}, ""},
	} {
		terms, err := NewTerms(editedBook(t, c.id, c.edits...), c.schedule)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		// Half a cent wins a whole number of units wherever a prize runs.
		if err == nil && c.id == "vic-keno-2015" && terms.calls["heads_or_tails"].scale%2 != 0 {
			t.Errorf("%s: %d units", name, terms.units)
		}
	}
}

// TestNewTermsRefuses edits a rulebook so that it cannot be settled exactly.
func TestNewTermsRefuses(t *testing.T) {
	data, err := os.ReadFile("../../rulebook/rules/casino-keno-div2/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	// No prize may be above the cap on a way, so a book with a larger one has none.
	uncapped := strings.Replace(string(data), "      way_cap: 250000\n      way_cap_clause: \"8.6\"\n", "", 1)
	for name, c := range map[string]struct{ schedule, old, new, want string }{
		"nothing wrong":     {"approved", "", "", ""},
		"no such schedule":  {"first", "", "", `no schedule "first"`},
		"19 numbers":        {"approved", "draw: 20", "draw: 19", "draws 19 of 80"},
		"a prize too large": {"approved", "10: 250000}", "10: 25000000}", "more than can be settled exactly"},
		"no common measure": {"approved", "id: special\n      per: 1.00", "id: special\n      per: 9999.97",
			"common measure"},
		"another stake":      {"approved", "id: special\n      per: 1.00", "id: special\n      per: 0.50", ""},
		"a cap beyond count": {"approved", "cap: 1000000", "cap: 90000000000000000", ""},
	} {
		text := uncapped
		if !strings.Contains(text, c.old) {
			t.Errorf("%s: the book has no %q", name, c.old)
		}
		book, err := rulebook.Load("book.yaml", []byte(strings.Replace(text, c.old, c.new, 1)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		terms, err := NewTerms(book, c.schedule)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if (terms == nil) != (err != nil) {
			t.Errorf("%s: terms %v beside %v", name, terms, err)
		}
	}
}

// TestUnits settles tables that state prizes for different stakes.
func TestUnits(t *testing.T) {
	data, err := os.ReadFile("../../rulebook/rules/casino-keno-div2/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "id: special\n      per: 1.00", "id: special\n      per: 0.30", 1)
	book, err := rulebook.Load("book.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	terms, err := NewTerms(book, "approved")
	if err != nil || terms.units != 300 {
		t.Fatal(terms, err)
	}
	// $245 for $0.30 on $0.20 are $163.33 and a third of a cent; $3 for $1 on
	// $0.05 are $0.15.
	h := &house{terms: terms}
	out := settleWays(t, h, []Way{onSpots("special", kenoSet(1, 4), 20), onSpots("standard", kenoSet(1, 1), 5)})
	if out.Prizes != 16_333+15 || out.Breakage != 0 {
		t.Errorf("%+v", out)
	}
	// Two such thirds are less than a cent, three are one.
	out = settleWays(t, h, []Way{onSpots("special", kenoSet(1, 4), 20), onSpots("special", kenoSet(1, 4), 20),
		onSpots("special", kenoSet(1, 4), 20)})
	if out.Prizes != 3*16_333 || out.Breakage != 1 {
		t.Errorf("%+v", out)
	}
}
