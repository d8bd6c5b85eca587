package books

import (
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// TestTies shows that the book of a day on which papers are sold and bingo is played ties, and that it does not if any
// of its figures is another one.
func TestTies(t *testing.T) {
	today := day.MustParse("2026-11-15")
	fresh := func() *Book {
		j := newJournal(t, 3)
		j.write(&record.HallOpened{Hall: 1, Venue: 2})
		j.write(&record.InstrumentIssued{Request: record.Request{Terminal: 1, Number: 1}, Series: 1, ID: "gift_voucher",
			Cents: 5700, Reason: record.IssuedForMoney},
			ledger.Debit(ledger.Cash, 2, 5700), ledger.Credit(ledger.Instruments, 2, 5700))
		j.write(&record.PlayerEntered{Hall: 1, Session: 4, Player: 1, FeeCents: 2500},
			ledger.Debit(ledger.Cash, 2, 2500), ledger.Credit(ledger.EntryFees, 0, 2500))
		j.write(&record.BingoSettled{Game: record.BingoGame{Hall: 1, Session: 4, Game: 1}},
			ledger.Debit(ledger.Operator, 0, 900), ledger.Credit(ledger.HallPrizes, 0, 900))
		j.write(&record.BingoPaid{Game: record.BingoGame{Hall: 1, Session: 4, Game: 1}},
			ledger.Debit(ledger.HallPrizes, 0, 900), ledger.Credit(ledger.Cash, 2, 900))
		j.write(&record.CashCarried{Venue: 2, Move: record.CashBrought, Cents: 5000},
			ledger.Debit(ledger.Safe, 2, 5000), ledger.Credit(ledger.VenueFunds, 2, 5000))
		j.write(&record.CashCarried{Venue: 2, Move: record.CashBanked, Cents: 700},
			ledger.Debit(ledger.VenueFunds, 2, 700), ledger.Credit(ledger.Safe, 2, 700),
			ledger.Debit(ledger.Bank, 0, 700), ledger.Credit(ledger.VenueAccount, 2, 700))
		j.write(&record.BankMoved{Terminal: 1, Move: record.BankFill, Cents: 300},
			ledger.Debit(ledger.Cash, 2, 300), ledger.Credit(ledger.Safe, 2, 300))
		j.trade(today)
		return j.books[0]
	}
	flow := func(b *Book, account ledger.Account, kind record.Kind) *Flow {
		for i := range b.Accounts {
			for n := range b.Accounts[i].Flows {
				if f := &b.Accounts[i].Flows[n]; b.Accounts[i].Account == account && f.Kind == kind {
					return f
				}
			}
		}
		t.Fatalf("no %v moves %v", kind, account)
		return nil
	}
	book := fresh()
	if faults := book.Ties(); len(faults) > 0 {
		t.Errorf("the book does not tie: %q", faults)
	}
	if want := (Room{Hall: 1, Session: 4, Venue: 2, Players: 1, Fees: 2500, Won: 900, Paid: 900,
		Cash: 1600}); len(book.Rooms) != 1 || book.Rooms[0] != want {
		t.Errorf("the session of bingo is %+v", book.Rooms)
	}
	for name, change := range map[string]struct {
		edit func(*Book)
		says string
	}{
		"an opening balance":        {func(b *Book) { b.Accounts[0].Opening++ }, "opening balances together"},
		"a movement":                {func(b *Book) { b.Accounts[0].Debits++ }, "debits of cash of venue 1"},
		"cash of a terminal":        {func(b *Book) { b.Terminals[0].Tally.Cash++ }, "tills of venue 2"},
		"a voucher at a terminal":   {func(b *Book) { b.Terminals[0].Tally.Papers -= 5700 }, "what came in at terminal 1"},
		"sales of a venue":          {func(b *Book) { b.Venues[0].Tally.Sold-- }, "sold at venue 1"},
		"cash of bingo":             {func(b *Book) { b.Rooms[0].Cash-- }, "tills of venue 2"},
		"fees of bingo":             {func(b *Book) { b.Rooms[0].Fees++ }, "fees of bingo"},
		"a prize of bingo":          {func(b *Book) { b.Rooms[0].Won++ }, "prizes of bingo"},
		"a prize of bingo and paid": {func(b *Book) { b.Rooms[0].Paid++ }, "prizes of bingo that were paid"},
		"cash from the safe":        {func(b *Book) { flow(b, ledger.Safe, record.KindBankMoved).Credits++ }, "safe of venue 2 and its tills"},
		"cash carried":              {func(b *Book) { flow(b, ledger.Safe, record.KindCashCarried).Debits++ }, "into the safe of venue 2"},
		"what a venue brought":      {func(b *Book) { flow(b, ledger.VenueFunds, record.KindCashCarried).Credits++ }, "into the safe of venue 2"},
		"cash that was banked":      {func(b *Book) { flow(b, ledger.VenueAccount, record.KindCashCarried).Credits++ }, "cash that venues banked: $7.00"},
		"stakes of a game":          {func(b *Book) { b.Games[0].Stakes++ }, "stakes of games"},
	} {
		b := fresh()
		change.edit(b)
		if faults := strings.Join(b.Ties(), "; "); !strings.Contains(faults, change.says) {
			t.Errorf("%s: %q, want %q", name, faults, change.says)
		}
	}
	if faults := book.Follows(nil); len(faults) > 0 {
		t.Errorf("the first day: %q", faults)
	}
	next := fresh()
	if faults := strings.Join(next.Follows(book), "; "); !strings.Contains(faults, "opens with") {
		t.Errorf("a day that begins anew: %q", faults)
	}
}
