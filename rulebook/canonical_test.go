package rulebook

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

func load(t testing.TB, file string) *Book {
	t.Helper()
	book, err := Load(file, []byte(readFile(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// TestCanonical shows that the form of a book does not depend on how its file was
// written, and reads back as the same book.
func TestCanonical(t *testing.T) {
	for _, file := range []string{"testdata/sound.yaml", "testdata/bingo.yaml"} {
		book := load(t, file)
		again, err := FromCanonical(book.Canonical())
		if err != nil {
			t.Fatal(err)
		}
		if again.Hash() != book.Hash() || !bytes.Equal(again.Canonical(), book.Canonical()) || len(Diff(book, again)) != 0 {
			t.Errorf("%s does not survive its canonical form", file)
		}
	}
	text := readFile(t, "testdata/sound.yaml")
	same := with(text, "title: Small Keno\nedition: 1", "edition: 1 # the first\ntitle: 'Small Keno'")
	same = with(same, "{id: cash, of: session, up_to: 10000}", "{up_to: 10000.00, id: cash, of: session, clause: \"20\"}")
	same = with(same, "barred: [licensee_staff]", "barred:\n      - licensee_staff")
	book, err := Load("same", []byte(same))
	if err != nil || book.Hash() != load(t, "testdata/sound.yaml").Hash() {
		t.Errorf("another way to write the same book has another hash: %v", err)
	}
}

// TestHashSeesEverything changes one value after another; each change must give a
// new hash and be shown by Diff.
func TestHashSeesEverything(t *testing.T) {
	book := load(t, "testdata/sound.yaml")
	for _, edit := range []string{
		"edition: 1\nkind|edition: 2\nkind",
		"clause: \"15\"|clause: \"15(a)\"",
		"clause: \"15\"|clause: \"15\", reading: rounding",
		"clause: \"15\"|clause: \"15\", example: true",
		"to: 2029-12-31|to: 2029-12-30",
		"sizes: 1-2}|sizes: 1 2}",
		"2: 8.50|2: 8.51",
		"cap: 50000|cap: 50000.01",
		"rate: 24.24|rate: 24.25",
		"[serial, numbers, stake]|[serial, stake, numbers]",
	} {
		old, fresh, _ := strings.Cut(edit, "|")
		changed, err := Load("changed", []byte(with(readFile(t, "testdata/sound.yaml"), old, fresh)))
		if err != nil {
			t.Fatal(err)
		}
		same := old == "sizes: 1-2}"
		if got := changed.Hash() == book.Hash(); got != same {
			t.Errorf("%s: same hash %v", edit, got)
		}
		if got := len(Diff(book, changed)) == 0; got != same {
			t.Errorf("%s: no difference shown: %v", edit, got)
		}
	}
}

// TestFromCanonicalRefuses shows that one book has one form.
func TestFromCanonicalRefuses(t *testing.T) {
	good := load(t, "testdata/bingo.yaml").Canonical()
	remake := func(edit func(m map[string]any)) []byte {
		var m map[string]any
		if err := cbor.Unmarshal(good, &m); err != nil {
			t.Fatal(err)
		}
		edit(m)
		mode, err := cbor.CoreDetEncOptions().EncMode()
		if err != nil {
			t.Fatal(err)
		}
		b, err := mode.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if !bytes.Equal(remake(func(map[string]any) {}), good) {
		t.Fatal("the form is not deterministic CBOR of maps")
	}
	bingo := func(m map[string]any, block string) map[any]any {
		return m["bingo"].(map[any]any)[block].(map[any]any)
	}
	for name, b := range map[string][]byte{
		"empty":             nil,
		"not CBOR":          []byte("rulebook: x"),
		"cut off":           good[:len(good)-1],
		"longer":            append(bytes.Clone(good), 0),
		"unknown key":       remake(func(m map[string]any) { m["colour"] = "pink" }),
		"empty value":       remake(func(m map[string]any) { bingo(m, "card")["unique_boxes"] = false }),
		"clause left out":   remake(func(m map[string]any) { delete(bingo(m, "card"), "clause") }),
		"negative amount":   remake(func(m map[string]any) { bingo(m, "promotion")["choice_over"] = -1 }),
		"negative count":    remake(func(m map[string]any) { bingo(m, "promotion")["notify_days"] = -1 }),
		"share over all":    remake(func(m map[string]any) { bingo(m, "session")["administration"] = 10001 }),
		"unknown word":      remake(func(m map[string]any) { bingo(m, "prizes")["shared"] = "by age" }),
		"contradiction":     remake(func(m map[string]any) { bingo(m, "card")["boxes_per_strip"] = 7 }),
		"day that is none":  remake(func(m map[string]any) { m["effective"].(map[any]any)["from"] = "2020-02-30" }),
		"key in small caps": remake(func(m map[string]any) { m["Title"] = m["title"]; delete(m, "title") }),
	} {
		book, err := FromCanonical(b)
		if book != nil || err == nil {
			t.Errorf("%s was taken", name)
		}
		var faults Faults
		if !errors.Is(err, ErrCanonical) && !errors.As(err, &faults) {
			t.Errorf("%s: %v is of no known kind", name, err)
		}
	}
}

// TestClauseOfTheBlock writes out the clause that a value inherits: it is the same
// book. The canonical form leaves it out, so that a clause field which the schema
// gains later cannot change the hash of a book that was written before it.
func TestClauseOfTheBlock(t *testing.T) {
	sound := readFile(t, "testdata/sound.yaml")
	withStep := func(clause string) *Book {
		book, err := Load("sound", []byte(with(sound, "ways: 4-, step: 0.10}", "ways: 4-, step: 0.10, step_clause: \""+clause+
			"\"}")))
		if err != nil {
			t.Fatal(err)
		}
		return book
	}
	plain, same, other := load(t, "testdata/sound.yaml"), withStep("9(d)"), withStep("9(x)")
	if same.Hash() != plain.Hash() || len(Diff(plain, same)) != 0 {
		t.Errorf("a clause that says what its block says makes another book: %v", Diff(plain, same))
	}
	if other.Hash() == plain.Hash() || len(Diff(plain, other)) != 1 {
		t.Errorf("another clause makes the same book: %v", Diff(plain, other))
	}
	for book, want := range map[*Book]string{plain: "9(d)", same: "9(d)", other: "9(x)"} {
		if got := book.Limits()[3].StepClause; got != want {
			t.Errorf("the step has the clause %q, want %q", got, want)
		}
	}
	file := plain.File()
	file.Keno.Limits[3].StepClause = "9(d)"
	if _, err := FromCanonical(canonical(&file)); !errors.Is(err, ErrCanonical) {
		t.Errorf("a form with the clause of the block written out: %v", err)
	}
}

// TestPinnedForm holds the encoding itself still: a change of it would change the
// hash of every book in every journal.
func TestPinnedForm(t *testing.T) {
	for file, want := range map[string]string{
		"testdata/sound.yaml": "02b5fcaccce7c50b2132903110c37acf64f431ff56120e942b46620f3c5dac8b",
		"testdata/bingo.yaml": "0b4da9fea5c3999f7a679c23374b73a02959aaeeb0246e5ed838882e196cfd69",
	} {
		if got := load(t, file).Hash().String(); got != want {
			t.Errorf("the hash of %s is\n%s, want\n%s\nIf the file did not change, the encoding did: journals hold hashes of books for ever.", file, got, want)
		}
	}
}

// TestRetired: a value that is retired keeps its place in the hash and is read from books of journals, and a file that
// writes it is warned.
func TestRetired(t *testing.T) {
	text := readFile(t, "testdata/bingo.yaml")
	text = strings.Replace(text, `prizes: {clause: "8", `, `prizes: {clause: "8", shared: equally, `, 1)
	text = strings.Replace(text, "  promotion:\n", "  irregular: {clause: \"9\"}\n  promotion:\n", 1)
	book := mustLoad(t, text)
	const was = "072ce08c8f0fc88755132b56e0aab17d1050db9689d7bcbcda43deb9ce56d851"
	if got := book.Hash().String(); got != was {
		t.Errorf("the hash is %s, and was %s before its values were retired", got, was)
	}
	if again, err := FromCanonical(book.Canonical()); err != nil || again.Hash() != book.Hash() {
		t.Errorf("the canonical form reads as %v", err)
	}
	warned := book.Warnings()
	if len(warned) != 2 || warned[0].Path != "bingo.prizes.shared" || warned[1].Path != "bingo.irregular" ||
		!strings.Contains(warned[0].Message, "winners always share equally") || warned[0].Line == 0 {
		t.Errorf("the warnings are %v", warned)
	}
}

// TestRetiredDuty: books of journals say what the State takes as they did before they had a tax.
func TestRetiredDuty(t *testing.T) {
	text := readFile(t, "testdata/sound.yaml")
	from := strings.Index(text, "  tax: ")
	to := from + strings.Index(text[from:], "\n")
	book := mustLoad(t, text[:from]+`  duty: {clause: "28", basis: gross_profit, rate: 20}`+text[to:])
	const was = "2ee83b02fdebd153328db8bf8eb4d79b5e800c1184eb7e8e0552432b96983fac"
	if got := book.Hash().String(); got != was {
		t.Errorf("the hash is %s, and was %s before the duty was retired", got, was)
	}
	if again, err := FromCanonical(book.Canonical()); err != nil || again.Hash() != book.Hash() {
		t.Errorf("the canonical form reads as %v", err)
	}
	if warned := book.Warnings(); len(warned) != 1 || warned[0].Path != "keno.duty" ||
		!strings.Contains(warned[0].Message, "tax says what the State takes") {
		t.Errorf("the warnings are %v", warned)
	}
}

func TestParseHash(t *testing.T) {
	hash := load(t, "testdata/bingo.yaml").Hash()
	if got, err := ParseHash(hash.String()); err != nil || got != hash {
		t.Errorf("ParseHash(%v) = %v, %v", hash, got, err)
	}
	for _, text := range []string{"", "12", strings.Repeat("g", 64), hash.String() + "00"} {
		if _, err := ParseHash(text); err == nil {
			t.Errorf("ParseHash(%q) is no error", text)
		}
	}
}

// FuzzFromCanonical holds the reader of journals to its promise: what it takes has
// exactly the form that it would write.
func FuzzFromCanonical(f *testing.F) {
	for _, file := range []string{"testdata/sound.yaml", "testdata/bingo.yaml"} {
		f.Add(load(f, file).Canonical())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		book, err := FromCanonical(b)
		if err == nil && !bytes.Equal(book.Canonical(), b) {
			t.Fatal("a book was taken whose form is another")
		}
	})
}

// TestKnownBooks returns a book that was read before, and keeps no more than its bound of
// them.
func TestKnownBooks(t *testing.T) {
	t.Parallel()
	var s shelf
	for i := range 3*shelfMost + 1 {
		book := &Book{hash: Hash{byte(i)}}
		if s.get(book.hash) != nil {
			t.Fatalf("book %d is known before it was read", i)
		}
		s.put(book.hash, book)
		if s.get(book.hash) != book || len(s.books) > shelfMost {
			t.Fatalf("after book %d the shelf has %d books", i, len(s.books))
		}
	}
}
