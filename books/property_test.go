package books

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
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
		switch r.Body.(type) {
		case *record.DayClosed, *record.DayOpened, *record.SeriesBegun, *record.SeriesLimited, *record.VolumeBegun,
			*record.LevelRaised: // They say which book has what.
		default:
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
func slowBook(records []record.Record, first, end uint64, like Balance) (b Balance) {
	b.Account, b.Unit, b.Series = like.Account, like.Unit, like.Series
	for seq, r := range records[:end] {
		for _, p := range r.Postings {
			switch {
			case p.Account != like.Account || p.Unit != like.Unit || slowSeries(records, r) != like.Series:
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

// slowSeries returns the series of a record. Nothing here is posted to jackpots.
func slowSeries(records []record.Record, r record.Record) uint8 {
	if ended, ok := r.Body.(*record.SessionEnded); ok && ended.Series == 0 {
		return 1
	}
	if paid, ok := r.Body.(*record.ClaimPaid); ok {
		for _, lodged := range records {
			if form, ok := lodged.Body.(*record.ClaimLodged); ok && form.Claim == paid.Claim && lodged.Time < r.Time {
				return form.Series
			}
		}
		return 0
	}
	series, _ := r.Series()
	return series
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
		add(&record.VolumeBegun{Volume: 1, Level: record.LevelSeries}, nil)
		first := uint64(0)
		for n := range rapid.IntRange(1, 3).Draw(rt, "days") {
			for range rapid.IntRange(0, 30).Draw(rt, "records") {
				add(rapid.SampledFrom(bodies).Draw(rt, "body"), drawPostings(rt))
			}
			closed := &record.DayClosed{Series: 1, Day: day.MustParse("2026-11-15") + day.Day(n)}
			book := fold.Close(1, closed)
			if book.First.Seq != first || book.House.Seq != first || book.End.Seq != uint64(len(records)) {
				rt.Fatalf("the book is of %v, %v to %v, want %d to %d", book.First, book.House, book.End, first, len(records))
			}
			checkSlowly(rt, book.Accounts, records, first)
			checkSold(rt, book, records, first)
			same(rt, book, again.Close(1, closed))
			first = uint64(len(records))
			add(closed, nil)
		}
	})
}

// TestRandomSeries lets several series begin, open and close days, and end, in any order. The books that close the
// house follow each other without a gap and have every line of every series; the books of a series alone do the same
// for the series; and both are what a slow count of all records gives.
func TestRandomSeries(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		fold := NewFold()
		var records []record.Record
		add := func(body record.Body, postings []ledger.Posting) {
			r := record.Record{Time: record.Time(len(records)) + 1, Postings: postings, Body: body}
			if err := fold.Add(record.Place{Volume: 1, Seq: uint64(len(records))}, r); err != nil {
				rt.Fatal(err)
			}
			records = append(records, r)
		}
		add(&record.VolumeBegun{Volume: 1, Level: record.LevelSeries}, nil)
		type days struct {
			day, last day.Day
			open      bool
			first     uint64
		}
		all := []*days{}
		house := uint64(0)
		begin := func() {
			one := &days{day: day.MustParse("2026-11-14"), last: day.MustParse("2099-12-31"), first: uint64(len(records))}
			if len(all) == 0 {
				one.first = 0
			}
			all = append(all, one)
			add(&record.SeriesBegun{Series: uint8(len(all))}, nil)
		}
		begin()
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			at := rapid.IntRange(0, len(all)-1).Draw(rt, "series")
			series, one := uint8(at+1), all[at]
			over := !one.open && one.day >= one.last
			switch step := rapid.IntRange(0, 6).Draw(rt, "step"); {
			case step == 0 && len(all) < 3:
				begin()
			case step == 1 && !one.open && !over:
				one.day, one.open = one.day+1, true
				add(&record.DayOpened{Series: series, Day: one.day}, nil)
			case step == 2 && !over:
				one.last = one.day + day.Day(rapid.IntRange(0, 2).Draw(rt, "more"))
				add(&record.SeriesLimited{Series: series, LastDay: one.last}, nil)
			case step == 3 && one.open:
				book := fold.Close(series, &record.DayClosed{Series: series, Day: one.day})
				closer := slices.IndexFunc(all, func(d *days) bool {
					newest := slices.MaxFunc(all, func(a, b *days) int { return cmp.Compare(a.day, b.day) }).day
					return d.open || d.day < d.last && newest <= d.last
				})
				if book.Closes() != (closer == at) {
					rt.Fatalf("series %d closes the house: %v; want series %d", series, book.Closes(), closer+1)
				}
				if book.Closes() {
					if book.House.Seq != house {
						rt.Fatalf("the day of the house begins at %v, want %d", book.House, house)
					}
					checkSlowly(rt, book.Accounts, records, house)
					checkWhole(rt, book.Accounts, records)
					house = uint64(len(records))
				}
				alone := book.Alone()
				if alone.First.Seq != one.first {
					rt.Fatalf("the day of series %d begins at %v, want %d", series, alone.First, one.first)
				}
				for _, l := range alone.Accounts {
					if l.Series != series {
						rt.Fatalf("series %d alone has %+v", series, l)
					}
				}
				checkSlowly(rt, alone.Accounts, records, one.first)
				checkSold(rt, alone, records, one.first)
				if faults := book.Ties(); len(faults) > 0 {
					rt.Fatalf("the book does not tie: %q", faults)
				}
				same(rt, book, book)
				one.first, one.open = uint64(len(records)), false
				add(&record.DayClosed{Series: series, Day: one.day}, nil)
			case step == 4:
				cents := money.Amount(rapid.Int64Range(1, 9999).Draw(rt, "cents"))
				add(&record.BankMoved{Terminal: 3, Move: record.BankFloat, Cents: cents},
					ledger.Merge(ledger.Debit(ledger.Cash, 1, cents), ledger.Credit(ledger.Safe, 1, cents)))
			default:
				cents := money.Amount(rapid.Int64Range(1, 9999).Draw(rt, "cents"))
				add(&record.TicketSold{Request: record.Request{Terminal: 3}, Series: series, CostCents: cents},
					ledger.Merge(ledger.Debit(ledger.Cash, 0, cents), ledger.Credit(ledger.Unplayed, 0, cents)))
			}
		}
	})
}

// checkWhole holds the closing balances of all lines against the postings of all records.
func checkWhole(rt *rapid.T, lines []Balance, records []record.Record) {
	sums := map[unit]money.Amount{}
	for _, r := range records {
		for _, p := range r.Postings {
			sums[unit{slowSeries(records, r), p.Account, p.Unit}] += p.Cents
		}
	}
	for _, l := range lines {
		sums[unit{l.Series, l.Account, l.Unit}] -= l.Closing()
	}
	for u, left := range sums {
		if left != 0 {
			rt.Fatalf("the book lacks %v on %+v", left, u)
		}
	}
}

// trial returns what all accounts come to.
func (f *Fold) trial() (sum money.Amount) {
	for _, a := range f.accounts {
		sum += a.balance
	}
	return sum
}

// checkSlowly holds lines against a slow count of the records from the first one of a day on.
func checkSlowly(rt *rapid.T, lines []Balance, records []record.Record, first uint64) {
	for _, b := range lines {
		want := slowBook(records, first, uint64(len(records)), b)
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
}

// checkSold holds what was sold for a series against its records from the first one of a day on.
func checkSold(rt *rapid.T, book *Book, records []record.Record, first uint64) {
	var sold money.Amount
	for _, r := range records[first:] {
		if b, ok := r.Body.(*record.TicketSold); ok && b.Series == book.Series {
			sold += b.CostCents
		}
	}
	if total := book.Alone().Total(); total.Sold != sold {
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
