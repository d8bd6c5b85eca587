package rulebook

import (
	"errors"
	"strings"
	"testing"
)

// TestSyntaxFaults shows what is refused before any value is read.
func TestSyntaxFaults(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "f:1:1: the file is empty"},
		{"comments only", "# nothing\n", "f:1:1: the file is empty"},
		{"not a mapping", "- 1\n- 2\n", "f:1:1: a rulebook is a mapping of keys to values"},
		{"one word", "keno\n", "f:1:1: a rulebook is a mapping of keys to values"},
		{"not UTF-8", "title: \xff\n", "f:1:1: the file is not UTF-8 text"},
		{"unclosed list", "title: [a\n", "f:1:8: sequence end token ']' not found"},
		{"tab for indentation", "keno:\n\tnumbers: 1\n", "f:2:1: this text is not YAML and is not allowed in a rulebook"},
		{"two documents", "title: a\n---\ntitle: b\n", "f:3:1: a rulebook is one document; this is a second one"},
		{"anchor and alias", "title: &a x\nzone: *a\n",
			"f:1:8: anchors are not allowed in a rulebook\nf:2:7: aliases are not allowed in a rulebook"},
		{"merge", "<<: {title: x}\n", "f:1:1: merge keys are not allowed in a rulebook"},
		{"tag", "title: !!str x\n", "f:1:8: tags are not allowed in a rulebook"},
		{"directive", "%YAML 1.2\n---\ntitle: x\n", "f:1:1: directives are not allowed in a rulebook"},
		{"question mark", "? title\n: x\n", "f:1:1: keys behind a question mark are not allowed in a rulebook"},
		{"nested lists", "title: " + strings.Repeat("[", maxDepth+1) + "\n", "f:1:40: nested deeper than 32 levels"},
		{"nested items", "title:\n" + strings.Repeat("- ", maxDepth+1) + "\n", "f:2:65: nested deeper than 32 levels"},
		{"too many words", strings.Repeat("a: b\n", maxTokens), "f:16667:4: the file has more than 50000 words"},
		{"too many bytes", strings.Repeat("#", maxBytes+1),
			"f:1:1: the file has 1048577 bytes; a rulebook has at most 1048576"},
	} {
		t.Run(c.name, func(t *testing.T) {
			book, err := Load("f", []byte(c.text))
			if book != nil || err == nil || err.Error() != c.want {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

// TestDecodeFaults shows how strictly values are read.
func TestDecodeFaults(t *testing.T) {
	runFaultCases(t, "testdata/sound.yaml", []faultCase{
		{"key twice", []string{"title: Small Keno\n", "title: Small Keno\n«title: Again\n"},
			[]string{`title: is written twice`}},
		{"unknown key", []string{"title: Small Keno\n", "title: Small Keno\n«titel: Again\n"},
			[]string{`titel: is not a key here; the keys are accepts, base, bingo, currency, edition, effective, format, keno, kind, rulebook, status, title, zone`}},
		{"missing key", []string{"title: Small Keno\n", "", "rulebook: small", "«rulebook: small"},
			[]string{`title: is missing`}},
		{"missing block", []string{"  eligibility:\n    clause: \"5\"\n    minimum_age: 18\n    barred: [licensee_staff]\n",
			"", "keno:\n", "«keno:\n"},
			[]string{`keno.eligibility: is missing`}},
		{"null", []string{"title: Small Keno", "«title:"}, []string{`title: has no value`}},
		{"tilde", []string{"title: Small Keno", "«title: ~"}, []string{`title: has no value`}},
		{"list for a word", []string{"title: Small Keno", "«title: [a]"}, []string{`title: must be a single value`}},
		{"mapping for a date", []string{"to: 2029-12-31", "«to: {day: 1}"}, []string{`effective.to: must be a single value`}},
		{"word for a mapping", []string{"receipt: {clause: \"25\", fields: [serial, numbers, stake]}", "«receipt: none"},
			[]string{`keno.receipt: must be a mapping with the keys clause, example, fields, reading`}},
		{"word for a map", []string{"size: {2: 100, 3: 500}", "«size: none", "- clause: \"10(e)\"", "- «clause: \"10(e)\"",
			"lucky_last: last-1, bonus_jackpot: extra-1}\n      fills",
			"lucky_last: last-1, «bonus_jackpot: extra-1}\n      fills",
			"lucky_last: last-1, bonus_jackpot: extra-1}\n  jackpots",
			"lucky_last: last-1, «bonus_jackpot: extra-1}\n  jackpots"},
			[]string{`keno.tables[4]: has 0 of catch, outcome and size; a table has one of them`,
				`keno.tables[4].size: must be a mapping`,
				`keno.schedules[0].uses.bonus_jackpot: the table "extra-1" must pay by spots alone (size)`,
				`keno.schedules[1].uses.bonus_jackpot: the table "extra-1" must pay by spots alone (size)`}},
		{"word for a key", []string{"size: {2: 100, 3: 500}", "size: {2: 100, 3: 500, «four: 9}"},
			[]string{`keno.tables[4].size.four: the key "four" is not a whole number`}},
		{"yes", []string{"by: [operator]}", "by: [operator], «reinstate: yes}"},
			[]string{`keno.disqualify.reinstate: "yes" is neither true nor false`}},
		{"hexadecimal", []string{"minimum_age: 18", "«minimum_age: 0x12"},
			[]string{`keno.eligibility.minimum_age: "0x12" is not a whole number`}},
		{"leading zero", []string{"minimum_age: 18", "«minimum_age: 018"},
			[]string{`keno.eligibility.minimum_age: "018" is not a whole number`}},
		{"underscore", []string{"minimum_age: 18", "«minimum_age: 1_8"},
			[]string{`keno.eligibility.minimum_age: "1_8" is not a whole number`}},
		{"fraction", []string{"minimum_age: 18", "«minimum_age: 18.0"},
			[]string{`keno.eligibility.minimum_age: "18.0" is not a whole number`}},
		{"negative", []string{"minimum_age: 18", "«minimum_age: -18"},
			[]string{`keno.eligibility.minimum_age: "-18" is not 0 to 1000000000`}},
		{"clause as a number", []string{"clause: \"15\"", "clause: 15"}, nil},
		{"clause as a fraction", []string{"clause: \"15\"", "clause: 15.10"}, nil},
		{"empty word in a list", []string{"by: [operator]}", "by: [operator, «'']}"},
			[]string{`keno.disqualify.by[1]: is empty`}},
	})
}

// TestClauseText shows that a clause which looks like a number keeps its text.
func TestClauseText(t *testing.T) {
	text := with(readFile(t, "testdata/sound.yaml"), `clause: "15"`, `clause: 15.10`)
	book, err := Load("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, clause := book.Rounding(); clause != "15.10" {
		t.Errorf("the clause 15.10 reads as %q", clause)
	}
}

// FuzzLoad holds the loader to its promises for any text: no panic, an error that
// lists faults, and a book that survives its canonical form.
func FuzzLoad(f *testing.F) {
	for _, file := range []string{"testdata/sound.yaml", "testdata/bingo.yaml"} {
		f.Add([]byte(readFile(f, file)))
	}
	f.Add([]byte("keno:\n  bets:\n    - {id: a, sizes: 1-80}\n  limits: [{ways: 1-}]\n  tables: [{catch: {1: {1: 1}}}]\n"))
	f.Add([]byte("keno: {numbers: {of: 80, draw: 79}, multiplier: {rows: {0: 1}}, catalogue: [{groups: [[1,2]], bet: a}]}"))
	f.Add([]byte("bingo: {patterns: [{cells: {top: [1]}}], card: {pages: [0]}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		book, err := Load("fuzz", data)
		if err != nil {
			if faults := (Faults)(nil); !errors.As(err, &faults) || len(faults) == 0 || book != nil {
				t.Fatalf("refused with %T: %v", err, err)
			}
			return
		}
		again, err := FromCanonical(book.Canonical())
		if err != nil || again.Hash() != book.Hash() {
			t.Fatalf("the canonical form reads as %v, %v", again, err)
		}
	})
}
