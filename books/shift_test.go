package books

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// TestShiftOverTheClose follows a writer over the close of a day: each day's book has its
// own part of the shift, with what was paid late, left unpaid, banked and counted.
func TestShiftOverTheClose(t *testing.T) {
	j := newJournal(t, 3)
	first := day.MustParse("2026-11-15")
	game := record.Game{Series: 1, Day: first}
	j.write(&record.DayOpened{Series: 1, Day: first})
	j.write(&record.GameOpened{Game: game, Ordinal: 1})
	j.write(&record.ShiftBegun{Person: 12, Role: record.RoleWriter, Venue: 2, Terminal: 1})
	began := j.records[len(j.records)-1].Time
	j.write(&record.BankMoved{Terminal: 1, Move: record.BankFloat, Cents: 50_000, By: 12, With: 13},
		ledger.Debit(ledger.Cash, 2, 50_000), ledger.Credit(ledger.Safe, 2, 50_000))
	j.write(&record.TicketSold{Request: record.Request{Terminal: 1, Number: 1}, Series: 1, Ordinal: 1, CostCents: 700},
		ledger.Debit(ledger.Cash, 2, 700), ledger.Credit(ledger.Unplayed, 0, 700))
	j.write(&record.TicketSold{Request: record.Request{Terminal: 2, Number: 1}, Series: 1, Ordinal: 1, CostCents: 300},
		ledger.Debit(ledger.Cash, 1, 300), ledger.Credit(ledger.Unplayed, 0, 300))
	j.write(&record.SessionEnded{Request: record.Request{Terminal: 1, Number: 2}, Session: 1,
		Tenders: []record.Settlement{{Kind: record.TenderUnpaid, Cents: 250}}},
		ledger.Debit(ledger.VenueLosses, 2, 250), ledger.Credit(ledger.Customer, 1, 250))
	closed := &record.DayClosed{Series: 1, Day: first}
	book := j.fold.Close(1, closed)
	j.write(closed)
	want := Shift{
		Person: 12, Role: record.RoleWriter, Terminal: 1, Venue: 2, From: began,
		Tally: Tally{Sales: 1, Sold: 700, Cash: 700, Unpaid: 250, Other: 250}, Brought: 50_000,
	}
	if len(book.Shifts) != 1 || book.Shifts[0] != want {
		t.Errorf("the first day has %+v", book.Shifts)
	}
	if len(book.Venues) != 2 || book.Venues[1].Tally.Unpaid != 250 {
		t.Errorf("the loss of venue 2 is missing: %+v", book.Venues)
	}

	j.write(&record.TicketPaid{Request: record.Request{Terminal: 1, Number: 3}, Series: 1,
		Parts: []record.PaidPart{{Ordinal: 1, Cents: 900}}},
		ledger.Debit(ledger.Prizes, 0, 900), ledger.Credit(ledger.Cash, 2, 900))
	j.write(&record.BankCounted{Terminal: 1, ExpectCents: 49_800, CountedCents: 49_750, By: 12, With: 13},
		ledger.Credit(ledger.Cash, 2, 50), ledger.Debit(ledger.OverShort, 2, 50))
	j.write(&record.BankMoved{Terminal: 1, Move: record.BankDrop, Cents: 49_750, By: 12, With: 13},
		ledger.Debit(ledger.Safe, 2, 49_750), ledger.Credit(ledger.Cash, 2, 49_750))
	j.write(&record.ShiftEnded{Person: 12, By: 12})
	ended := j.records[len(j.records)-1].Time
	j.write(&record.TicketSold{Request: record.Request{Terminal: 1, Number: 4}, Series: 1, Ordinal: 1, CostCents: 100},
		ledger.Debit(ledger.Cash, 2, 100), ledger.Credit(ledger.Unplayed, 0, 100))
	book = j.fold.Close(1, &record.DayClosed{Series: 1, Day: first + 1})
	want = Shift{
		Person: 12, Role: record.RoleWriter, Terminal: 1, Venue: 2, From: began, To: ended,
		Tally: Tally{Payments: 1, Paid: 900, Late: 1, LatePaid: 900, Cash: -900}, Dropped: 49_750, Counts: 1, Over: -50,
	}
	if len(book.Shifts) != 1 || book.Shifts[0] != want {
		t.Errorf("the second day has %+v", book.Shifts)
	}
	if len(book.Events) != 1 || book.Events[0].Class != ClassTill || book.Events[0].Person != 12 ||
		book.Events[0].Cents != -50 {
		t.Errorf("the events are %+v", book.Events)
	}
}
