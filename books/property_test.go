package books

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// everyKind returns a body of every kind that a journal can hold.
func everyKind(t testing.TB) []record.Body {
	paths, err := filepath.Glob("../journal/record/testdata/goldens/*.hex")
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d records, %v", len(paths), err)
	}
	var bodies []record.Body
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data, err := hex.DecodeString(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := record.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if _, closes := r.Body.(*record.DayClosed); !closes {
			bodies = append(bodies, r.Body)
		}
	}
	return bodies
}

// drawPostings draws balanced postings: some amounts, and what brings them to nothing.
func drawPostings(rt *rapid.T) []ledger.Posting {
	accounts := []ledger.Account{ledger.Unplayed, ledger.PrizeFund, ledger.Prizes, ledger.Retained, ledger.Breakage,
		ledger.Refunds}
	var list []ledger.Posting
	sum := money.Amount(0)
	for range rapid.IntRange(0, 4).Draw(rt, "postings") {
		cents := money.Amount(rapid.Int64Range(-100_000, 100_000).Draw(rt, "cents"))
		if rapid.Bool().Draw(rt, "cash") {
			list = append(list, ledger.Debit(ledger.Cash, rapid.Uint32Range(1, 3).Draw(rt, "venue"), cents))
		} else {
			list = append(list, ledger.Debit(rapid.SampledFrom(accounts).Draw(rt, "account"), 0, cents))
		}
		sum += cents
	}
	return ledger.Merge(append(list, ledger.Credit(ledger.Bank, 0, sum))...)
}

// slowBook adds up the accounts of a day the long way: every record of the journal anew,
// for each account by itself.
func slowBook(records []record.Record, first, end uint64, of ledger.Account, at uint32) (b Balance) {
	b.Account, b.Unit = of, at
	for seq, r := range records[:end] {
		for _, p := range r.Postings {
			switch {
			case p.Account != of || p.Unit != at:
			case uint64(seq) < first:
				b.Opening += p.Cents
			case p.Cents > 0:
				b.Debits += p.Cents
			default:
				b.Credits -= p.Cents
			}
		}
	}
	return b
}

// TestRandomJournals writes journals of records of every kind in any order. After every
// record the trial balance is nothing; at the close of every day the book is, account by
// account, what a slow count of all records gives, and its flows come to its movements;
// and another fold of the same records makes the same books.
func TestRandomJournals(t *testing.T) {
	bodies := everyKind(t)
	rapid.Check(t, func(rt *rapid.T) {
		fold, again := NewFold(), NewFold()
		var records []record.Record
		add := func(body record.Body, postings []ledger.Posting) {
			r := record.Record{Time: record.Time(len(records)) + 1, Postings: postings, Body: body}
			place := record.Place{Volume: 1, Seq: uint64(len(records))}
			records = append(records, r)
			if err := fold.Add(place, r); err != nil {
				rt.Fatal(err)
			}
			if trial := fold.trial(); trial != 0 {
				rt.Fatalf("after record %d, %v, the accounts come to %v", place.Seq, r.Kind(), trial)
			}
			if err := again.Add(place, r); err != nil {
				rt.Fatal(err)
			}
		}
		first := uint64(0)
		for n := range rapid.IntRange(1, 3).Draw(rt, "days") {
			for range rapid.IntRange(0, 30).Draw(rt, "records") {
				add(rapid.SampledFrom(bodies).Draw(rt, "body"), drawPostings(rt))
			}
			closed := &record.DayClosed{Series: 1, Day: day.MustParse("2026-11-15") + day.Day(n)}
			book := fold.Close(1, closed)
			checkSlowly(rt, book, records, first)
			same(rt, book, again.Close(1, closed))
			first = uint64(len(records))
			add(closed, nil)
		}
	})
}

// trial returns what all accounts come to.
func (f *Fold) trial() (sum money.Amount) {
	for _, a := range f.accounts {
		sum += a.balance
	}
	return sum
}

func checkSlowly(rt *rapid.T, book *Book, records []record.Record, first uint64) {
	if book.First.Seq != first || book.End.Seq != uint64(len(records)) {
		rt.Fatalf("the book is of %v to %v, want %d to %d", book.First, book.End, first, len(records))
	}
	for _, b := range book.Accounts {
		want := slowBook(records, first, book.End.Seq, b.Account, b.Unit)
		if b.Opening != want.Opening || b.Debits != want.Debits || b.Credits != want.Credits {
			rt.Fatalf("the book has %+v, want %+v", b, want)
		}
		for i, f := range b.Flows {
			if i > 0 && f.Kind <= b.Flows[i-1].Kind {
				rt.Fatalf("flows out of order: %+v", b.Flows)
			}
			want.Debits -= f.Debits
			want.Credits -= f.Credits
		}
		if want.Debits != 0 || want.Credits != 0 {
			rt.Fatalf("the flows of %v leave %v and %v", b.Account, want.Debits, want.Credits)
		}
	}
	var sold money.Amount
	for _, r := range records[first:] {
		if b, ok := r.Body.(*record.TicketSold); ok && b.Series == 1 {
			sold += b.CostCents
		}
	}
	if total := book.Total(); total.Sold != sold {
		rt.Fatalf("the book has sales of %v, want %v", total.Sold, sold)
	}
}

func same(rt *rapid.T, a, b *Book) {
	x, err := a.Encode()
	if err != nil {
		rt.Fatal(err)
	}
	y, err := b.Encode()
	if err != nil {
		rt.Fatal(err)
	}
	if !bytes.Equal(x, y) {
		rt.Fatalf("two folds of the same records differ:\n%+v\n%+v", a, b)
	}
	back, err := Decode(x)
	if err != nil || len(back.Accounts) != len(a.Accounts) {
		rt.Fatalf("the book does not come back: %v", err)
	}
}
