package rulebook

import (
	"reflect"
	"strings"
	"testing"
)

// undecidedText is the sound book with two examples: a ready ticket, and who may play.
func undecidedText(t testing.TB) string {
	text := readFile(t, "testdata/sound.yaml")
	for was, is := range map[string]string{
		"    - clause: \"8(b)\"\n":               "    - clause: \"8(b)\"\n      example: true\n",
		"    clause: \"5\"\n    minimum_age: 18": "    clause: \"5\"\n    example: true\n    minimum_age: 18",
	} {
		if !strings.Contains(text, was) {
			t.Fatalf("the book does not say %q", was)
		}
		text = strings.Replace(text, was, is, 1)
	}
	return text + "status: [{clause: \"8\", open: [keno.catalogue]}]\n"
}

// TestExamples: a book with examples is not sold by; the refusal names them with their clauses, and has the words of an
// edition that takes them over. An edition that decides one leaves the other.
func TestExamples(t *testing.T) {
	if err := Sellable(load(t, "testdata/sound.yaml")); err != nil {
		t.Errorf("a book without examples: %v", err)
	}
	base := mustLoad(t, undecidedText(t))
	err := Sellable(base)
	if err == nil {
		t.Fatal("a book with examples can be sold by")
	}
	head := "rulebook: small-keno\nbase: " + base.Hash().String() + "\nedition: 2\n"
	accepts := "accepts: [keno.eligibility, keno.catalogue]"
	for _, want := range []string{"keno.eligibility (clause 5)", "keno.catalogue (clause 8(b))", head, accepts} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the refusal does not say %q:\n%v", want, err)
		}
	}
	for tail, left := range map[string]int{
		accepts:                       0,
		"accepts: [keno]":             0,
		"accepts: [keno.eligibility]": 1,
		`accepts: ["keno.catalogue[set-2 edition 1]", keno.eligibility]`:                                           0,
		"keno: {catalogue: [], eligibility: {minimum_age: 21}}":                                                    0,
		"keno: {eligibility: {minimum_age: 21}}\n":                                                                 1,
		"keno: {catalogue: [{clause: x, id: a, edition: 1, name: A, bet: plain, groups: [[1]], example: true}]}\n": 2,
	} {
		book, err := LoadOn("own.yaml", []byte(head+tail+"\n"), finderOf(base))
		if err != nil {
			t.Errorf("%s: %v", tail, err)
			continue
		}
		if got := len(book.Examples()); got != left {
			t.Errorf("%s leaves %v", tail, book.Examples())
		}
		if again, err := FromCanonical(book.Canonical()); err != nil || again.Hash() != book.Hash() ||
			len(again.Examples()) != left {
			t.Errorf("%s: the canonical form reads as %v", tail, err)
		}
	}
	for tail, says := range map[string]string{
		"accepts: [keno.limits]":  "accepts[0]: the base has no example at keno.limits",
		"accepts: [keno.nothing]": "accepts[0]: the base has no example at keno.nothing",
	} {
		if _, err := LoadOn("own.yaml", []byte(head+tail+"\n"), finderOf(base)); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", tail, err)
		}
	}
	if _, err := Load("whole.yaml", []byte(undecidedText(t)+"accepts: [keno.catalogue]\n")); err == nil ||
		!strings.Contains(err.Error(), "accepts: is for an edition") {
		t.Errorf("a whole book: %v", err)
	}
}

// TestDemonstrationOf: the edition of a demonstration changes no value, has no example left, and says what it is.
func TestDemonstrationOf(t *testing.T) {
	base := mustLoad(t, undecidedText(t))
	text, needed := DemonstrationOf(base)
	book, err := LoadOn("demonstration.yaml", []byte(text), finderOf(base))
	if err != nil || !needed || len(book.Examples()) > 0 || !strings.Contains(book.Title(), "demonstration") {
		t.Fatalf("%v %s", err, text)
	}
	for _, c := range Diff(base, book) {
		if !strings.HasSuffix(c.Path, ".example") && !isBelow(c.Path, "accepts") && c.Path != "title" && c.Path != "base" &&
			c.Path != "edition" {
			t.Errorf("it changes %s from %s to %s", c.Path, c.Old, c.New)
		}
	}
	if _, needed := DemonstrationOf(book); needed {
		t.Error("a book without examples needs an edition")
	}
}

// TestRemedy: a fault comes with a line to write.
func TestRemedy(t *testing.T) {
	for path, want := range map[string]string{
		"edition":                     "edition: 1",
		"editoin":                     "edition: 1",
		"kind":                        "kind: keno  # or bingo",
		"entirely_else":               "",
		"keno.limits[3].step":         "step: 1.00",
		"keno.limits[from $5.00].max": "max: 1.00",
		"keno.limits[3]":              `- {clause: "1", measure: stake}`,
		"keno.tables[0].catch.1.2":    "2: 1.00",
		"effective":                   `effective: {clause: "1", from: 2027-01-01}`,
		"keno.draw.devices":           "devices: [rng]  # or cage, witnessed",
		"keno.receipt.fields[0]": "- serial  # or bar_code, kind, numbers, groups, ways, stake, games, first_game, last_game, features, " +
			"feature_games, total, writer, terminal, time, keno_day",
		"rulebook":              `rulebook: "your own"`,
		"keno.payout.anonymous": "",
	} {
		if got := (Fault{Path: path}).Remedy(); got != want {
			t.Errorf("%s: write %q, want %q", path, got, want)
		}
	}
}

// TestEveryRemedyIsRead: the line that is offered for a key can be written as it stands.
func TestEveryRemedyIsRead(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(of reflect.Type)
	walk = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(of.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if seen[of] || isWord(of) {
			return
		}
		seen[of] = true
		for _, f := range fieldsOf(of) {
			at := of.FieldByIndex(f.index).Type
			if f.retired == "" {
				line := f.name + ": " + form(at, f.words) + others(pointed(at), f.words)
				r := newReport("line")
				root := parseYAML([]byte(line+"\n"), r)
				if root == nil {
					t.Fatalf("%s is not read: %v", line, r.sorted())
				}
				r.decode(root, reflect.New(of).Elem(), "")
				for _, fault := range r.sorted() {
					if fault.Message != "is missing" {
						t.Errorf("%s: %v", line, fault)
					}
				}
			}
			walk(at)
		}
	}
	walk(reflect.TypeFor[File]())
	if len(seen) < 40 {
		t.Errorf("only %d blocks were looked at", len(seen))
	}
}
