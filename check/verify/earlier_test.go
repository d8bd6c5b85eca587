package verify_test

import (
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// signedAt signs the checkpoint of the first records of a house.
func (h *house) signedAt(size int, signer journal.Signer) []byte {
	h.t.Helper()
	tree := journal.NewTree()
	for _, data := range h.data[:size] {
		tree.Append(data)
	}
	signed, err := journal.SignCheckpoint(journal.Checkpoint{Origin: origin, Size: uint64(size), Root: tree.Root()},
		signer)
	if err != nil {
		h.t.Fatal(err)
	}
	return signed
}

// TestEarlierCheckpoints brings checkpoints of every size to the export of an
// honest house, and those of its true past to one that wrote its history anew.
func TestEarlierCheckpoints(t *testing.T) {
	honest := newHouse(t, lies{}).tell()
	var all [][]byte
	for size := len(honest.data); size >= 0; size-- {
		all = append(all, honest.signedAt(size, honest.signer))
	}
	report := verify.Run(honest.files(), verify.Options{Checkpoints: all})
	if !report.OK() || report.Earlier != uint64(len(all)) {
		t.Fatalf("%d of %d checkpoints were met: %v", report.Earlier, len(all), report.Failure)
	}

	// The ticket of another customer, sold for the same money, agrees with itself.
	anew := newHouse(t, change("miss", func(b *record.TicketSold) { b.Claim[0]++ })).tell()
	if report := verify.Run(anew.files(), verify.Options{}); !report.OK() {
		t.Fatal(report.Failure)
	}
	other, _ := key(t, origin, 9)
	miss := int(honest.places["miss"])
	for _, c := range []struct {
		name   string
		signed []byte
		want   string // empty: it holds
	}{
		{"before the change", honest.signedAt(miss, honest.signer), ""},
		{"just after it", honest.signedAt(miss+1, honest.signer), "written anew"},
		{"at the end", honest.signed(), "written anew"},
		{"of another key", honest.signedAt(miss, other), "earlier checkpoint 1"},
		{"no checkpoint", []byte("paper"), "earlier checkpoint 1"},
	} {
		report := verify.Run(anew.files(), verify.Options{Checkpoints: [][]byte{c.signed}})
		switch {
		case c.want == "" && !report.OK():
			t.Errorf("%s: %v", c.name, report.Failure)
		case c.want != "" && (report.OK() || !strings.Contains(report.Failure.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, report.Failure, c.want)
		}
	}

	short := newHouse(t, skip("day closed")).tell()
	if report := verify.Run(short.files(), verify.Options{Checkpoints: [][]byte{honest.signed()}}); report.OK() {
		t.Error("an export that ends before a checkpoint is accepted")
	}
}

// TestRulebookOfTheHouse lets a house adopt a rulebook of its own making under
// the official name: it grades as well, so the report must tell it.
func TestRulebookOfTheHouse(t *testing.T) {
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	known := verify.Options{Rulebooks: []record.Hash{record.Hash(book.Hash())}}
	honest := reportText(t, verify.Run(newHouse(t, lies{}).tell().files(), known))
	if !strings.Contains(honest, "rules: vic-keno-2015 "+book.Hash().String()+", as known here") {
		t.Errorf("the report is\n%s", honest)
	}

	own, err := rulebook.FromCanonical([]byte(strings.Replace(string(book.Canonical()), book.Title(),
		strings.ToUpper(book.Title()), 1)))
	if err != nil {
		t.Fatal(err)
	}
	lie := change("rulebook", func(b *record.RulebookAdopted) {
		b.Hash, b.Book = record.Hash(own.Hash()),
			own.Canonical()
	})
	lie.change["series"] = func(r *record.Record) { r.Body.(*record.SeriesBegun).Rulebook = record.Hash(own.Hash()) }
	for _, label := range []string{"open 1", "open 2"} {
		lie.change[label] = func(r *record.Record) { r.Body.(*record.GameOpened).Rulebook = record.Hash(own.Hash()) }
	}
	report := verify.Run(newHouse(t, lie).tell().files(), known)
	if text := reportText(t, report); !report.OK() || !strings.Contains(text, "NOT known here") {
		t.Errorf("the report is\n%s", text)
	}
}
