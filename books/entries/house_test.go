package entries

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"drawhouse/books"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/game"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook/rules"
)

// house writes the journal of a small house with its books, and is the reader of it.
type house struct {
	store.Reader // what is not asked of it
	t            testing.TB
	random       *rand.Rand
	fold         *books.Fold
	volumes      [][][]byte
	objects      map[string][]byte
	request      uint64
	now          record.Time
	books        []*books.Book // that close the house, in their order
	all          ledger.Balances
	closes       [][]ledger.Line // all balances at each close of a day of the house
}

// hostile is the name of a venue that programs would take for something else.
const hostile = "=date:2020-01-01 [2020-01-02]; Ünder, \"the\" Bridge"

// newHouse founds a house with a series and two venues.
func newHouse(t testing.TB, level uint8) *house {
	t.Helper()
	h := &house{t: t, random: rand.New(rand.NewPCG(3, 8)), fold: books.NewFold(), objects: map[string][]byte{},
		now: 1_794_600_000_000}
	h.begin(level)
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	h.write(&record.RulebookAdopted{ID: book.ID(), Hash: record.Hash(book.Hash()), Book: book.Canonical()})
	h.series(1)
	for venue, name := range map[uint32]string{1: "Corner Hotel", 2: hostile} {
		h.write(&record.VenueAdded{Venue: venue, Kind: "hotel", Name: name, Listed: fmt.Sprint("venue-", venue)})
		h.write(&record.TerminalAdded{Terminal: venue, Venue: venue, Channel: "writer"})
	}
	return h
}

// begin begins a volume.
func (h *house) begin(level uint8) {
	h.volumes = append(h.volumes, nil)
	h.write(&record.VolumeBegun{House: "house.example/keno", Volume: uint16(len(h.volumes)), Level: level, Build: "0.1.0",
		HouseKey: "house+1+key", DeviceKey: "device+1+key", SerialKey: record.Hash{9}, Reason: record.ReasonFound})
}

func (h *house) series(series uint8) {
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		h.t.Fatal(err)
	}
	h.write(&record.SeriesBegun{Series: series, Name: fmt.Sprint("keno-", series), Rulebook: record.Hash(book.Hash()),
		Schedule: "1"})
}

func (h *house) write(body record.Body, postings ...ledger.Posting) {
	h.t.Helper()
	h.now += 1000
	r := record.Record{Time: h.now, Postings: ledger.Merge(postings...), Body: body}
	data, err := record.Encode(r)
	if err != nil {
		h.t.Fatal(err)
	}
	last := len(h.volumes) - 1
	place := record.Place{Volume: uint16(last + 1), Seq: uint64(len(h.volumes[last]))}
	if err := h.fold.Add(place, r); err != nil {
		h.t.Fatal(err)
	}
	if err := h.all.Add(r.Postings); err != nil {
		h.t.Fatal(err)
	}
	h.volumes[last] = append(h.volumes[last], data)
}

func (h *house) open(series uint8, d day.Day) { h.write(&record.DayOpened{Series: series, Day: d}) }

// trade sells, settles and moves cash. The amounts are other ones each time.
func (h *house) trade(series uint8) {
	cents := func() money.Amount { return money.Amount(100 * (1 + h.random.IntN(5000))) }
	for range 3 {
		h.request++
		venue := 1 + uint32(h.random.IntN(2))
		sold := cents()
		h.write(&record.TicketSold{Request: record.Request{Terminal: venue, Number: h.request}, Session: 1, Method: "verbal",
			Series: series, Ordinal: 1, Ticket: []byte{0x83, 1, 2, 3}, Ways: 1, CostCents: sold, Claim: record.Hash{5},
			Tenders: []record.Tender{{Kind: record.TenderCash, Cents: sold}}},
			ledger.Debit(ledger.Cash, venue, sold), ledger.Credit(ledger.Unplayed, 0, sold))
		moved := cents()
		h.write(&record.BankMoved{Terminal: venue, Move: record.BankFloat, Cents: moved, By: 1, With: 2},
			ledger.Debit(ledger.Cash, venue, moved), ledger.Credit(ledger.Safe, venue, moved))
	}
	stakes := cents()
	fund := stakes * 3 / 4
	h.write(&record.GameClosed{Game: record.Game{Series: series, Day: day.MustParse("2026-11-15"), Number: 1}, Plays: 1,
		Ways: 1, StakesCents: stakes}, ledger.Debit(ledger.Unplayed, 0, stakes), ledger.Credit(ledger.PrizeFund, 0, fund-7),
		ledger.Credit(ledger.JackpotPrimary, ledger.Pool(series, 9), 7), ledger.Credit(ledger.Retained, 0, stakes-fund))
}

// shut closes a day of a series.
func (h *house) shut(series uint8, d day.Day) {
	h.t.Helper()
	closed := &record.DayClosed{Series: series, Day: d, Games: 1, StateForm: 1, State: record.Hash{2}}
	book := h.fold.Close(series, closed)
	data, err := book.Encode()
	if err != nil {
		h.t.Fatal(err)
	}
	if book.Closes() {
		h.books, h.closes = append(h.books, book), append(h.closes, h.all.Lines())
	}
	closed.Books = books.Hash(data)
	h.objects[game.BookName(series, d)] = data
	h.write(closed)
}

// name has the record that closed a day name another book.
func (h *house) name(at record.Place, book record.Hash) {
	r, err := record.Decode(h.volumes[at.Volume-1][at.Seq])
	if err != nil {
		h.t.Fatal(err)
	}
	closed, ok := r.Body.(*record.DayClosed)
	if !ok {
		h.t.Fatalf("record %v is %v", at, r.Kind())
	}
	closed.Books = book
	if h.volumes[at.Volume-1][at.Seq], err = record.Encode(r); err != nil {
		h.t.Fatal(err)
	}
}

// longHouse plays what is rare: a house that begins in the first form of books, a second series, volumes that begin in
// the middle of a day and right behind a close, a day on which nothing happens, and another series that closes the
// house, first with a Keno Day that is over for the series before it. The last day is open.
func longHouse(t testing.TB) *house {
	h := newHouse(t, record.LevelGuarded)
	d := day.MustParse("2026-10-29")
	h.open(1, d)
	h.trade(1)
	h.shut(1, d) // 10-29, of the first form
	h.open(1, d+1)
	h.trade(1)
	h.begin(record.LevelSeries)
	h.series(2)
	h.open(2, d+1)
	h.trade(2)
	h.shut(1, d+1) // 10-30
	h.begin(record.LevelSeries)
	h.open(1, d+2)
	h.shut(1, d+2) // 10-31, nothing was posted
	h.trade(2)
	h.shut(2, d+1) // closes no day of the house
	h.open(1, d+3)
	h.open(2, d+2)
	h.trade(1)
	h.trade(2)
	h.shut(1, d+3) // 11-01
	h.write(&record.SeriesLimited{Series: 1, LastDay: d + 4, Games: 480, Approval: "decision 17"})
	h.open(1, d+4)
	h.trade(1)
	h.shut(1, d+4) // 11-02, the last one of series 1
	h.trade(2)
	h.begin(record.LevelSeries)
	h.shut(2, d+2) // 10-31, closes the house on 11-02
	h.open(2, d+64)
	h.trade(2)
	h.shut(2, d+64) // 2027-01-01
	h.open(2, d+65)
	h.trade(2)
	return h
}

// numbers are those of the entries of longHouse.
var numbers = []string{"1/2026-10-29", "1/2026-10-30", "1/2026-10-31", "1/2026-11-01", "1/2026-11-02", "2/2026-10-31",
	"2/2027-01-01"}

func (h *house) Volumes(context.Context) (heads []store.Head, _ error) {
	for i, v := range h.volumes {
		heads = append(heads, store.Head{Volume: uint16(i + 1), Size: uint64(len(v))})
	}
	return heads, nil
}

func (h *house) Record(_ context.Context, at record.Place) ([]byte, error) {
	if int(at.Volume) > len(h.volumes) || at.Volume == 0 || at.Seq >= uint64(len(h.volumes[at.Volume-1])) {
		return nil, store.ErrNotFound
	}
	return h.volumes[at.Volume-1][at.Seq], nil
}

func (h *house) Records(_ context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	for seq := from; seq < to; seq++ {
		if err := fn(seq, h.volumes[volume-1][seq]); err != nil {
			return err
		}
	}
	return nil
}

func (h *house) Object(_ context.Context, name string) ([]byte, error) {
	if data, ok := h.objects[name]; ok {
		return data, nil
	}
	return nil, store.ErrNotFound
}
