package rulebook

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// baseText is the sound book with statuses, and the example of a limit.
func baseText(t testing.TB) string {
	t.Helper()
	text := readFile(t, "testdata/sound.yaml")
	return text + `
status:
  - {clause: "3(z)", open: [keno.games.multi.max, keno.tables]}
  - {clause: "3(y)", fixed: [keno.games.multi]}
`
}

func mustLoad(t testing.TB, text string) *Book {
	t.Helper()
	book, err := Load("base.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func finderOf(books ...*Book) Finder {
	return func(hash Hash) (*Book, bool) {
		for _, b := range books {
			if b.Hash() == hash {
				return b, true
			}
		}
		return nil, false
	}
}

// TestEdition reads editions: what is open is changed, and a change of what is fixed is refused with its
// clause and its line.
func TestEdition(t *testing.T) {
	base := mustLoad(t, baseText(t))
	head := "rulebook: small-keno\nbase: " + base.Hash().String() + "\nedition: 2\n"
	book, err := LoadOn("own.yaml", []byte(head+"keno:\n  games:\n    multi: {max: 60}\n"), finderOf(base))
	if err != nil {
		t.Fatal(err)
	}
	if hash, ok := book.Base(); !ok || hash != base.Hash() || book.Edition() != 2 || book.ID() != base.ID() {
		t.Errorf("the edition is %s %d of %v", book.ID(), book.Edition(), hash)
	}
	paths := map[string]string{}
	for _, c := range Diff(base, book) {
		paths[c.Path] = c.New
	}
	if len(paths) != 3 || paths["keno.games.multi.max"] != "60" || paths["edition"] != "2" || paths["base"] == "" {
		t.Errorf("it changes %v", paths)
	}
	if again, err := FromCanonical(book.Canonical()); err != nil || again.Hash() != book.Hash() {
		t.Errorf("the canonical form reads as %v", err)
	}
	if err := CheckEdition(base, book); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		head + "keno: {games: {multi: {to_go_from: 10}}}\n":       "own.yaml:4:24: keno.games.multi.to_go_from: is fixed by clause 3(y); an edition",
		head + "keno:\n  eligibility: {minimum_age: 21}\n":        "own.yaml:5:17: keno.eligibility.minimum_age: is fixed by clause 5; an edition",
		head + "currency: NZD\n":                                  "own.yaml:4:1: currency: is fixed in the base",
		head + "status: []\n":                                     "status[3(z)]",
		strings.Replace(head, "small-keno", "large-keno", 1):      "rulebook: is fixed in the base",
		strings.Replace(head, "edition: 2", "edition: 1", 1):      "edition: is 1; it must be above 1",
		strings.Replace(head, base.Hash().String(), "00", 1):      `base: "00" is not a hash`,
		strings.Replace(head, "base: ", "base: f", 1)[:90] + "\n": "base: ",
		head + "keno: {games: {multi: {max: many}}}\n":            "keno.games.multi.max: \"many\" is not a whole number",
		head + "keno: {games: {multi: {max: 0}}}\n":               "keno.games.multi.max: ",
		head + "keno: {entry: [{channel: writer}]}\n":             "keno.entry[0].method: is missing",
	} {
		if _, err := LoadOn("own.yaml", []byte(text), finderOf(base)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
	if _, err := Load("own.yaml", []byte(head)); err == nil ||
		!strings.Contains(err.Error(), "no rulebook of this hash is at hand") {
		t.Errorf("without its base: %v", err)
	}
}

// TestStatus: every value of a book has one status, the longest path decides, and a path that is of no value
// is a fault.
func TestStatus(t *testing.T) {
	base := mustLoad(t, baseText(t))
	for path, want := range map[string]Status{
		"keno.games.multi.max": Open, "keno.games.multi.to_go_from": Fixed, "keno.games.numbering.first": Fixed,
		"keno.tables":                  Open,
		"keno.eligibility.minimum_age": Fixed, "title": Fixed,
	} {
		if got, _ := base.StatusOf(path); got != want {
			t.Errorf("%s is %s", path, got)
		}
	}
	if _, clause := base.StatusOf("keno.games.multi.max"); clause != "3(z)" {
		t.Errorf("the right comes from %q", clause)
	}
	all := base.Statuses()
	if len(all) != len(flatten(&base.file).leaves) {
		t.Errorf("%d values have a status", len(all))
	}
	for old, want := range map[string]string{
		"keno.games.multi.max, ": "", "keno.games.multi.max": "there is no value keno.games.multi.most",
	} {
		replaced := map[string]string{"keno.games.multi.max, ": "", "keno.games.multi.max": "keno.games.multi.most"}[old]
		_, err := Load("b", []byte(strings.Replace(baseText(t), old, replaced, 1)))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", old, err)
		}
	}
}

// TestExampleInOpenList: an item of a list that is open and is an example is called so.
func TestExampleInOpenList(t *testing.T) {
	book := mustLoad(t, strings.Replace(baseText(t), "      id: last-1\n", "      id: last-1\n      example: true\n", 1))
	if got, clause := book.StatusOf("keno.tables[last-1].size.2"); got != Example || clause != "3(z)" {
		t.Errorf("it is %s by %q", got, clause)
	}
}

// TestExampleReplaced: an edition that writes a block which is an example makes it the operator's.
func TestExampleReplaced(t *testing.T) {
	text := strings.Replace(readFile(t, "testdata/sound.yaml"), "  eligibility:\n", "  eligibility:\n    example: true\n",
		1)
	base := mustLoad(t, text)
	if got, _ := base.StatusOf("keno.eligibility.minimum_age"); got != Example {
		t.Fatalf("the age is %s", got)
	}
	own := "rulebook: small-keno\nbase: " + base.Hash().String() + "\nedition: 2\nkeno: {eligibility: {minimum_age: 21}}\n"
	book, err := LoadOn("own.yaml", []byte(own), finderOf(base))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := book.StatusOf("keno.eligibility.minimum_age"); got != Fixed {
		t.Errorf("the age of the edition is %s", got)
	}
}

// FuzzLoadEdition holds the reader of editions to its promises for any text.
func FuzzLoadEdition(f *testing.F) {
	base := mustLoad(f, baseText(f))
	head := "rulebook: small-keno\nbase: " + base.Hash().String() + "\nedition: 2\n"
	for _, tail := range []string{"", "keno: {games: {multi: {max: 60}}}\n", "keno: {tables: []}\n",
		"keno: {jackpots: {pools: [{}]}}\n", "effective: {from: 2021-01-01}\n"} {
		f.Add(head + tail)
	}
	f.Fuzz(func(t *testing.T, text string) {
		book, err := LoadOn("fuzz", []byte(text), finderOf(base))
		if err != nil {
			if faults, ok := err.(Faults); !ok || len(faults) == 0 || book != nil { //nolint:errorlint // It is returned bare.
				t.Fatalf("refused with %T: %v", err, err)
			}
			return
		}
		if read, err := Read([]byte(text), finderOf(base)); len(text) <= MaxText &&
			(err != nil || read.Hash() != book.Hash()) {
			t.Fatalf("it is read as %v, %v", read, err)
		}
		if hash, ok := book.Base(); ok && hash == base.Hash() {
			if err := CheckEdition(base, book); err != nil {
				t.Fatal(err)
			}
		}
		if again, err := FromCanonical(book.Canonical()); err != nil || again.Hash() != book.Hash() {
			t.Fatalf("the canonical form reads as %v, %v", again, err)
		}
	})
}

// TestFixedFaultsComeFirst: a change of what the base fixes is reported before all that follows from it.
func TestFixedFaultsComeFirst(t *testing.T) {
	base := mustLoad(t, baseText(t))
	text := fmt.Sprintf("rulebook: %s\nbase: %v\nedition: 2\nkeno:\n  eligibility: {minimum_age: 16}\n  numbers: {draw: 1}\n",
		base.ID(), base.Hash())
	_, err := LoadOn("own.yaml", []byte(text), finderOf(base))
	var faults Faults
	if !errors.As(err, &faults) || len(faults) < 3 {
		t.Fatalf("%v: want two changes of fixed values, and what follows from them", err)
	}
	for i, path := range []string{"keno.eligibility.minimum_age", "keno.numbers.draw"} {
		if faults[i].Path != path || !strings.HasPrefix(faults[i].Message, "is fixed by clause ") {
			t.Errorf("fault %d is %v, want that %s is fixed", i+1, faults[i], path)
		}
	}
}
