package books

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// journal writes days of trade with everything that books count.
type journal struct {
	t       testing.TB
	random  *rand.Rand
	fold    *Fold
	place   record.Place
	records []record.Record
	request uint64
	ordinal uint32
	books   []*Book
}

func newJournal(t testing.TB, seed uint64) *journal { return newJournalAt(t, seed, record.Level) }

// newJournalAt begins a journal of a level.
func newJournalAt(t testing.TB, seed uint64, level uint8) *journal {
	j := &journal{t: t, random: rand.New(rand.NewPCG(seed, 1)), fold: NewFold(), place: record.Place{Volume: 1}}
	j.write(&record.VolumeBegun{House: "books.example", Volume: 1, Level: level})
	for terminal := uint32(1); terminal <= 4; terminal++ {
		j.write(&record.TerminalAdded{Terminal: terminal, Venue: 1 + terminal%2, Channel: "writer"})
	}
	j.write(&record.PoolOpened{Series: 1, Pool: record.Pool{Spots: 7, Primary: 50_000}})
	return j
}

func (j *journal) write(body record.Body, postings ...ledger.Posting) {
	j.t.Helper()
	r := record.Record{Time: record.Time(j.place.Seq) + 1, Postings: ledger.Merge(postings...), Body: body}
	j.records = append(j.records, r)
	if err := j.fold.Add(j.place, r); err != nil {
		j.t.Fatal(err)
	}
	j.place.Seq++
}

func (j *journal) ask() record.Request {
	j.request++
	return record.Request{Terminal: 1 + uint32(j.random.IntN(4)), Number: j.request}
}

// trade writes a day of some games.
func (j *journal) trade(d day.Day) {
	j.write(&record.DayOpened{Series: 1, Day: d})
	for number := range uint16(3) {
		j.ordinal++
		game := record.Game{Series: 1, Day: d, Number: number}
		j.write(&record.GameOpened{Game: game, Ordinal: j.ordinal})
		stakes := money.Amount(0)
		for range 1 + j.random.IntN(20) {
			r, cost := j.ask(), money.Amount(100*(1+j.random.IntN(9)))
			stakes += cost
			j.write(&record.TicketSold{Request: r, Series: 1, Ordinal: j.ordinal, CostCents: cost},
				ledger.Debit(ledger.Cash, 1+r.Terminal%2, cost), ledger.Credit(ledger.Unplayed, 0, cost))
		}
		fund := stakes * 75 / 100
		j.write(&record.GameClosed{Game: game, Plays: 1, Ways: 1, StakesCents: stakes,
			Contributions: []record.Contribution{{Spots: 7, Primary: 12_345}}},
			ledger.Debit(ledger.Unplayed, 0, stakes), ledger.Credit(ledger.PrizeFund, 0, fund),
			ledger.Credit(ledger.Retained, 0, stakes-fund))
		prize := fund / 2
		j.write(&record.GameSettled{Game: game, Revision: 1, Winners: 1, PrizesCents: prize},
			ledger.Debit(ledger.PrizeFund, 0, prize), ledger.Credit(ledger.Prizes, 0, prize))
		r := j.ask()
		j.write(&record.TicketPaid{Request: r, Series: 1, Parts: []record.PaidPart{{Ordinal: j.ordinal, Cents: prize}}},
			ledger.Debit(ledger.Prizes, 0, prize), ledger.Credit(ledger.Cash, 1+r.Terminal%2, prize))
	}
	r := j.ask()
	j.write(&record.TicketCancelled{Request: r, Series: 1, Ticket: record.Place{Volume: 1, Seq: 9}, RefundCents: 200},
		ledger.Debit(ledger.Unplayed, 0, 200), ledger.Credit(ledger.Cash, 1+r.Terminal%2, 200))
	closed := &record.DayClosed{Series: 1, Day: d, Games: 3}
	j.books = append(j.books, j.fold.Close(1, closed))
	j.write(closed)
}

func days(t testing.TB, n int) *journal { return daysAt(t, n, record.Level) }

func daysAt(t testing.TB, n int, level uint8) *journal {
	j := newJournalAt(t, 7, level)
	first := day.MustParse("2026-11-15")
	for i := range n {
		j.trade(first + day.Day(i))
	}
	return j
}

// TestDaysAddUp holds the books of some days against each other and against the
// postings of all records, in both forms.
func TestDaysAddUp(t *testing.T) {
	for _, level := range []uint8{record.LevelGuarded, record.LevelSeries} {
		j := daysAt(t, 5, level)
		var ledgers ledger.Balances
		place := record.Place{Volume: 1}
		for i, b := range j.books {
			if b.First != place || !b.Closes() {
				t.Errorf("day %d begins at %v, want %v, and closes the house: %v", i, b.First, place, b.Closes())
			}
			for ; place.Seq < b.End.Seq; place.Seq++ {
				if err := ledgers.Add(j.records[place.Seq].Postings); err != nil {
					t.Fatal(err)
				}
			}
			var before *Book
			if i > 0 {
				before = j.books[i-1]
			}
			addsUp(t, b, before, &ledgers)
			if len(b.Games) != 3 || len(b.Events) == 0 || len(b.Venues) != 2 {
				t.Errorf("day %d: %d games, %d events, %d venues", i, len(b.Games), len(b.Events), len(b.Venues))
			}
		}
		// What a game leaves in the jackpot is what all games before it have put in.
		last := j.books[4].Games[2]
		if want := record.Exact(50_000 + 15*12_345); len(last.Pools) != 1 || last.Pools[0].Primary != want {
			t.Errorf("the jackpot ends at %+v, want %d", last.Pools, want)
		}
	}
}

// addsUp holds a book against the one before it and the postings of all records.
func addsUp(t *testing.T, b, before *Book, ledgers *ledger.Balances) {
	t.Helper()
	var opening, closing money.Amount
	for k, balance := range b.Accounts {
		if k > 0 && compareBalances(b.Accounts[k-1], balance) >= 0 {
			t.Errorf("%v: accounts out of order", b.Day)
		}
		opening += balance.Opening
		closing += balance.Closing()
		if before != nil && balance.Opening != unitOf(before, balance).Closing() {
			t.Errorf("%v: %v/%d opens at %v", b.Day, balance.Account, balance.Unit, balance.Opening)
		}
	}
	for _, balance := range b.Merged() {
		if got := ledgers.OfUnit(balance.Account, balance.Unit); got != balance.Closing() {
			t.Errorf("%v: %v/%d closes at %v, the ledger has %v", b.Day, balance.Account, balance.Unit, balance.Closing(), got)
		}
	}
	if opening != 0 || closing != 0 {
		t.Errorf("%v: the balances come to %v and %v", b.Day, opening, closing)
	}
	total := b.Total()
	if cash := b.Account(ledger.Cash); total.Cash != cash.Debits-cash.Credits ||
		total.Sold-total.Paid-total.GivenBack != total.Cash {
		t.Errorf("%v: %+v and cash of %+v", b.Day, total, cash)
	}
}

func unitOf(b *Book, like Balance) Balance {
	for _, balance := range b.Accounts {
		if compareBalances(balance, like) == 0 {
			return balance
		}
	}
	return Balance{}
}

// TestBooksAreARebuild makes the books again from the records.
func TestBooksAreARebuild(t *testing.T) {
	j := days(t, 3)
	again, n := NewFold(), 0
	for seq, r := range j.records {
		place := record.Place{Volume: 1, Seq: uint64(seq)}
		if closed, ok := r.Body.(*record.DayClosed); ok {
			want, err := j.books[n].Encode()
			if err != nil {
				t.Fatal(err)
			}
			got, err := again.Close(1, closed).Encode()
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("day %d comes to another book: %v", n, err)
			}
			n++
		}
		if err := again.Add(place, r); err != nil {
			t.Fatal(err)
		}
	}
	if n != 3 {
		t.Errorf("%d days", n)
	}
}

func TestForm(t *testing.T) {
	for level, form := range map[uint8]uint8{record.LevelGuarded: formOne, record.LevelSeries: FormSeries} {
		j := daysAt(t, 1, level)
		data, err := j.books[0].Encode()
		if err != nil {
			t.Fatal(err)
		}
		if b, err := Decode(data); err != nil || b.Form != form || len(b.Accounts) != len(j.books[0].Accounts) {
			t.Errorf("level %d: form %d, %v", level, form, err)
		}
		for name, bad := range map[string][]byte{"nothing": nil, "cut": data[:len(data)-1],
			"longer": append(bytes.Clone(data), 0)} {
			if _, err := Decode(bad); !errors.Is(err, ErrForm) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	later := Book{Form: FormSeries + 1}
	if data, err := later.Encode(); err != nil {
		t.Error(err)
	} else if _, err := Decode(data); !errors.Is(err, ErrForm) {
		t.Errorf("a form that is not known: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, level := range []uint8{record.LevelGuarded, record.LevelSeries} {
		data, err := daysAt(f, 1, level).books[0].Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Decode(data)
		if err != nil {
			return
		}
		if again, err := b.Encode(); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%x decodes and encodes as %x, %v", data, again, err)
		}
	})
}
