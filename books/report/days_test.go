package report

import (
	"errors"
	"math/rand/v2"
	"testing"

	"drawhouse/books"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// trader writes the records of a small house for the books.
type trader struct {
	t       testing.TB
	random  *rand.Rand
	fold    *books.Fold
	place   record.Place
	now     record.Time
	request uint64
	ordinal uint32
	jackpot record.Exact
	days    []*books.Book
	records []record.Record // of volume 1
}

// venueOf says where the terminals stand.
var venueOf = map[uint32]uint32{1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5}

// someDays returns the books of some days on which about everything happens.
func someDays(t testing.TB, n int) []*books.Book {
	t.Helper()
	return daysOf(t, n, 5)
}

// daysOf returns the books of other days for another seed.
func daysOf(t testing.TB, n int, seed uint64) []*books.Book {
	t.Helper()
	return trade(t, n, seed).days
}

// trade trades for some days.
func trade(t testing.TB, n int, seed uint64) *trader {
	t.Helper()
	w := newTrader(t, seed)
	first := day.MustParse("2026-11-02")
	for d := first; d < first+day.Day(n); d++ {
		w.trade(d)
	}
	return w
}

// newTrader returns a house that was just founded.
func newTrader(t testing.TB, seed uint64) *trader {
	t.Helper()
	w := &trader{t: t, random: rand.New(rand.NewPCG(seed, 9)), fold: books.NewFold(), place: record.Place{Volume: 1},
		now: 1_794_600_000_000, jackpot: 5_000_000_000}
	w.write(&record.VolumeBegun{House: "house.example", Volume: 1, Level: record.Level, Reason: "founded"})
	for i, name := range []string{"Corner Hotel", "River Club", "Harbour Tavern", "Railway Hotel", "Golf Club"} {
		w.write(&record.VenueAdded{Venue: uint32(i + 1), Kind: "hotel", Name: name})
	}
	for terminal := uint32(1); terminal <= 6; terminal++ {
		w.write(&record.TerminalAdded{Terminal: terminal, Venue: venueOf[terminal], Channel: "writer"})
	}
	w.write(&record.HallOpened{Hall: 1, Venue: 3})
	w.write(&record.PoolOpened{Series: 1, Pool: record.Pool{Spots: 9, Primary: w.jackpot}},
		ledger.Debit(ledger.Operator, 0, 500_000), ledger.Credit(ledger.JackpotPrimary, ledger.Pool(1, 9), 500_000))
	return w
}

func (w *trader) write(body record.Body, postings ...ledger.Posting) {
	w.t.Helper()
	w.now += record.Time(1000 + w.random.IntN(20_000))
	r := record.Record{Time: w.now, Postings: ledger.Merge(postings...), Body: body}
	if err := w.fold.Add(w.place, r); err != nil {
		w.t.Fatal(err)
	}
	w.records = append(w.records, r)
	w.place.Seq++
}

// read is the reader of the records.
func (w *trader) read(place record.Place) (record.Record, error) {
	if place.Volume != 1 || place.Seq >= uint64(len(w.records)) {
		return record.Record{}, errors.New("there is none")
	}
	return w.records[place.Seq], nil
}

func (w *trader) ask() record.Request {
	w.request++
	return record.Request{Terminal: 1 + uint32(w.random.IntN(6)), Number: w.request}
}

// trade writes a day.
func (w *trader) trade(d day.Day) {
	w.write(&record.DayOpened{Series: 1, Day: d})
	for terminal := uint32(1); terminal <= 5; terminal++ {
		w.write(&record.ShiftBegun{Person: 10 + terminal, Role: record.RoleWriter, Venue: venueOf[terminal],
			Terminal: terminal})
		w.write(&record.BankMoved{Terminal: terminal, Move: record.BankFloat, Cents: 50_000, By: 1, With: 2},
			ledger.Debit(ledger.Cash, venueOf[terminal], 50_000), ledger.Credit(ledger.Safe, venueOf[terminal], 50_000))
	}
	for number := range uint16(12) {
		w.game(record.Game{Series: 1, Day: d, Number: number})
	}
	w.unusual(1)
	w.write(&record.VenueStated{Venue: 1, Number: uint32(len(w.days)) + 1, TakingsCents: 1000, CommissionCents: 100,
		TaxCents: 10, FloorCents: 60},
		ledger.Debit(ledger.VenueAccount, 1, 950), ledger.Debit(ledger.Commission, 1, 100),
		ledger.Debit(ledger.CommissionTax, 1, 10), ledger.Credit(ledger.Guarantees, 1, 60),
		ledger.Credit(ledger.VenueFunds, 1, 1000))
	w.write(&record.RemittanceReceived{Venue: 1, Cents: 400}, ledger.Debit(ledger.Bank, 0, 400),
		ledger.Credit(ledger.VenueAccount, 1, 400))
	for terminal := uint32(1); terminal <= 5; terminal++ {
		w.write(&record.ShiftEnded{Person: 10 + terminal, By: 10 + terminal})
	}
	closed := &record.DayClosed{Series: 1, Day: d, Games: 12}
	book := w.fold.Close(1, closed)
	if faults := book.Ties(); len(faults) > 0 {
		w.t.Fatalf("the book of %v does not tie: %q", d, faults)
	}
	w.days = append(w.days, book)
	w.write(closed)
}

// game writes a game with its sales, its settlement and a payment.
func (w *trader) game(game record.Game) {
	w.ordinal++
	w.write(&record.GameOpened{Game: game, Ordinal: w.ordinal})
	var stakes money.Amount
	for range 8 + w.random.IntN(30) {
		r, cost := w.ask(), money.Amount(100*(1+w.random.IntN(30)))
		stakes += cost
		w.write(&record.TicketSold{Request: r, Series: game.Series, Ordinal: w.ordinal, CostCents: cost},
			ledger.Debit(ledger.Cash, venueOf[r.Terminal], cost), ledger.Credit(ledger.Unplayed, 0, cost))
	}
	share, part := (stakes*75+99)/100, stakes*3/100
	w.jackpot += record.Exact(part) * exactPerCent
	w.write(&record.GameClosed{Game: game, Plays: 20, Ways: 25, StakesCents: stakes,
		Contributions: []record.Contribution{{Spots: 9, StakesCents: stakes, Primary: record.Exact(part) * exactPerCent}}},
		ledger.Debit(ledger.Unplayed, 0, stakes), ledger.Credit(ledger.PrizeFund, 0, share-part),
		ledger.Credit(ledger.JackpotPrimary, ledger.Pool(game.Series, 9), part),
		ledger.Credit(ledger.Retained, 0, stakes-share))
	prize := stakes * money.Amount(40+w.random.IntN(50)) / 100
	settled := &record.GameSettled{Game: game, Revision: 1, Winners: 6, PrizesCents: prize, BreakageCents: 7,
		Pools: []record.Pool{{Spots: 9, Primary: w.jackpot}}}
	postings := []ledger.Posting{ledger.Debit(ledger.PrizeFund, 0, prize+7), ledger.Credit(ledger.Prizes, 0, prize),
		ledger.Credit(ledger.Breakage, 0, 7)}
	if w.random.IntN(40) == 0 {
		won := money.Amount(w.jackpot / exactPerCent)
		settled.Awards, settled.JackpotCents, settled.PrizesCents = []record.Award{{Spots: 9, Part: record.PartPool,
			AmountCents: won, StakesCents: 100}}, won, prize+won
		w.jackpot = 0
		settled.Pools[0].Primary = 0
		postings = append(postings, ledger.Debit(ledger.JackpotPrimary, ledger.Pool(game.Series, 9), won),
			ledger.Credit(ledger.Prizes, 0, won))
	}
	w.write(settled, postings...)
	r, late := w.ask(), record.PaidPart{Ordinal: max(1, w.ordinal-uint32(w.random.IntN(20))), Cents: prize / 2}
	w.write(&record.TicketPaid{Request: r, Series: game.Series, Parts: []record.PaidPart{late}},
		ledger.Debit(ledger.Prizes, 0, prize/2), ledger.Credit(ledger.Cash, venueOf[r.Terminal], prize/2))
}

// unusual writes what a controller wants to look at.
func (w *trader) unusual(series uint8) {
	for range 1 + w.random.IntN(4) {
		r := w.ask()
		w.write(&record.TicketCancelled{Request: r, Series: series, Ticket: record.Place{Volume: 1, Seq: 40},
			RefundCents: 200},
			ledger.Debit(ledger.Unplayed, 0, 200), ledger.Credit(ledger.Cash, venueOf[r.Terminal], 200))
	}
	r := w.ask()
	w.write(&record.InstrumentIssued{Request: r, Series: series, ID: "gift_voucher", Cents: 5_000, Reason: record.IssuedForMoney},
		ledger.Debit(ledger.Cash, venueOf[r.Terminal], 5_000), ledger.Credit(ledger.Instruments, 2, 5_000))
	w.write(&record.PlayerEntered{Hall: 1, Session: 1, Player: 1, FeeCents: 2_000}, ledger.Debit(ledger.Cash, 3, 2_000),
		ledger.Credit(ledger.EntryFees, 0, 2_000))
	r = w.ask()
	w.write(&record.SessionEnded{Request: r, Session: 3, Series: series,
		Tenders: []record.Settlement{{Kind: record.TenderUnpaid, Cents: 1_000}}},
		ledger.Debit(ledger.VenueLosses, venueOf[r.Terminal], 1_000), ledger.Credit(ledger.Customer, r.Terminal, 1_000))
	w.write(&record.BankCounted{Terminal: 3, ExpectCents: 90_000, CountedCents: 89_550, By: 13, With: 2},
		ledger.Debit(ledger.OverShort, 2, 450), ledger.Credit(ledger.Cash, 2, 450))
	w.write(&record.VenueLimitSet{Venue: 2, Cents: 500_000, By: 1})
	w.write(&record.DrawVoided{Game: record.Game{Series: series, Day: day.MustParse("2026-11-02"), Number: 3}, Draw: 1,
		Reason: "a ball fell back", Clause: "11.4(c)", Approval: 4})
	w.write(&record.TicketDisqualified{Ticket: record.Place{Volume: 1, Seq: 77},
		Reason: "the holder works for the licensee", Clause: "6(a)", Deciders: []record.Decider{{Party: "licensee"}}})
	w.write(&record.PaymentReleased{Places: []record.Place{{Volume: 1, Seq: 78}}, Reason: "the code was read again",
		By: 1})
}
