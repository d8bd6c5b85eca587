package rules

import (
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"drawhouse/rulebook"
)

var rewrite = flag.Bool("rewrite", false, "write what the tests find into the files that they compare with")

// everyBook runs a test for each rulebook that is built in.
func everyBook(t *testing.T, test func(t *testing.T, book *rulebook.Book)) {
	t.Helper()
	for _, id := range IDs() {
		t.Run(id, func(t *testing.T) {
			book, err := Book(id)
			if err != nil {
				t.Fatal(err)
			}
			test(t, book)
		})
	}
}

func TestBooks(t *testing.T) {
	want := []string{"casino-keno-div2", "gr-kino-bonus", "mi-club-keno", "nsw-bingo-2019", "sc-bingo-1996",
		"tas-keno-2023", "vic-keno-2015"}
	if got := IDs(); !slices.Equal(got, want) {
		t.Errorf("the rulebooks are %v, want %v", got, want)
	}
	everyBook(t, func(t *testing.T, book *rulebook.Book) {
		again, err := Book(book.ID())
		if err != nil || again != book {
			t.Errorf("a second call returns another book: %v", err)
		}
		if restored, err := rulebook.FromCanonical(book.Canonical()); err != nil || restored.Hash() != book.Hash() {
			t.Errorf("the canonical form does not read back: %v", err)
		}
	})
	_, err := Book("nowhere")
	if err == nil || !strings.Contains(err.Error(),
		`no rulebook "nowhere" is built in; there are casino-keno-div2, gr-kino-bonus, mi-club-keno, nsw-bingo-2019`) {
		t.Errorf("an unknown rulebook: %v", err)
	}
}

const pinAdvice = `
A rulebook's hash is in every journal that was kept under it: a changed hash is a
changed rule. Look at the difference first (git diff of the book, or drawhouse
rulebook diff) and be sure that each change is meant and has its clause. A change
of what the rules say raises the book's edition. Then update the pins:
    go test ./rulebook/rules -run TestPins -rewrite`

// TestPins fails when a rulebook changes.
func TestPins(t *testing.T) {
	found := map[string]string{}
	everyBook(t, func(t *testing.T, book *rulebook.Book) { found[book.ID()] = book.Hash().String() })
	if *rewrite {
		writePins(t, found)
		return
	}
	for _, id := range IDs() {
		if found[id] != pins[id] {
			t.Errorf("%s has the hash\n%s and is pinned to\n%s%s", id, found[id], pins[id], pinAdvice)
		}
	}
	if len(pins) != len(found) {
		t.Errorf("there are %d pins for %d rulebooks", len(pins), len(found))
	}
}

func writePins(t *testing.T, pins map[string]string) {
	old, err := os.ReadFile("pins.go")
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(old), "var pins")
	var b strings.Builder
	b.WriteString(head + "var pins = map[string]string{\n")
	for _, id := range slices.Sorted(maps.Keys(pins)) {
		fmt.Fprintf(&b, "%q: %q,\n", id, pins[id])
	}
	b.WriteString("}\n")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("pins.go", text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestWarnings: what deserves a warning does not belong in a book that is built in. A jackpot
// that is paid in place of the schedule's prize can always be shared into less than that: of
// each such pool, and of nothing else, there is a warning.
func TestWarnings(t *testing.T) {
	everyBook(t, func(t *testing.T, book *rulebook.Book) {
		pools := 0
		if book.Kind() == rulebook.KindKeno {
			if j, ok := book.Jackpots(); ok && j.Pays == rulebook.PaysSubstitution {
				pools = len(j.Pools) * len(book.Schedules())
			}
		}
		for _, w := range book.Warnings() {
			if !strings.Contains(w.Message, "winners who share") {
				t.Error(w)
			}
		}
		if len(book.Warnings()) != pools {
			t.Errorf("%d warnings of %d pools", len(book.Warnings()), pools)
		}
	})
}

// TestCitations holds every clause and reading that a book cites to the index of
// its document.
func TestCitations(t *testing.T) {
	everyBook(t, func(t *testing.T, book *rulebook.Book) {
		index, err := Clauses(book.ID())
		if err != nil {
			t.Fatal(err)
		}
		readings, err := ReadingsOf(book.ID())
		if err != nil {
			t.Fatal(err)
		}
		clauses, decided := map[string]bool{}, map[string]bool{}
		for _, c := range index.Clauses {
			clauses[c.ID] = true
		}
		for _, r := range readings.Readings {
			decided[r.ID] = true
		}
		cited := 0
		eachCite(reflect.ValueOf(book.File()), func(field, text string) {
			cited++
			for _, id := range strings.Fields(text) {
				if field == "reading" && !decided[id] || field != "reading" && !clauses[id] {
					t.Errorf("the %s %q is not in the index of %s", field, id, book.ID())
				}
			}
		})
		if cited < 20 {
			t.Errorf("only %d citations were found", cited)
		}
	})
}

// eachCite calls f with every clause and reading of a file.
func eachCite(v reflect.Value, f func(field, text string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			eachCite(v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachCite(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			switch {
			case !field.IsExported():
			case name == "reading" || name == "clause" || strings.HasSuffix(name, "_clause"):
				if text := v.Field(i).String(); text != "" {
					f(strings.TrimPrefix(name[strings.LastIndex(name, "_")+1:], "_"), text)
				}
			default:
				eachCite(v.Field(i), f)
			}
		}
	}
}
