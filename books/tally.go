package books

import (
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Total returns what was done everywhere.
func (b *Book) Total() (sum Tally) {
	for i := range b.Venues {
		sum.Add(&b.Venues[i].Tally)
	}
	return sum
}

// Add adds what was done somewhere else.
func (t *Tally) Add(u *Tally) {
	t.Sales += u.Sales
	t.Sold += u.Sold
	t.Payments += u.Payments
	t.Paid += u.Paid
	t.Cancelled += u.Cancelled
	t.GivenBack += u.GivenBack
	t.Bonuses += u.Bonuses
	t.Cash += u.Cash
	t.Late += u.Late
	t.LatePaid += u.LatePaid
	t.Unpaid += u.Unpaid
	t.Issued += u.Issued
	t.Papers += u.Papers
	t.InPlace += u.InPlace
	t.Other += u.Other
}

// count counts what was done at terminals, and on whose shift.
func (f *Fold) count(of uint8, d *open, r record.Record) {
	terminal, done, ok := d.done(r)
	if !ok || f.level < record.LevelSeries && r.Kind() == record.KindInstrumentIssued {
		return
	}
	for _, p := range r.Postings {
		switch {
		case p.Account == ledger.Cash:
			done.Cash += p.Cents
		case f.level >= record.LevelSeries && isTendered(r.Kind(), p.Account):
			done.Other += p.Cents
		}
	}
	tallyOf(f.day(theHouse).terminals, spotOf(terminal, of)).Add(&done)
	if of != theHouse {
		tallyOf(d.terminals, spotOf(terminal, of)).Add(&done)
	}
	f.lately.add(r.Time, f.terminals[terminal], &done)
	if shift := f.shiftAt(terminal); shift != nil {
		shift.Tally.Add(&done)
	}
}

// isTendered reports whether what a record of a counter moves on an account came in or went out in place of cash. A
// paper that is issued is what was sold, and no tender.
func isTendered(kind record.Kind, a ledger.Account) bool {
	switch a {
	case ledger.Instruments:
		return kind != record.KindInstrumentIssued
	case ledger.Chips, ledger.SiteCheques, ledger.Bank, ledger.VenueLosses, ledger.Withheld:
		return true
	}
	return false
}

// done returns what a record does at a terminal, its cash apart. What customers leave
// unpaid is the loss of the venue on the trading day.
//
//rule:tas-keno-2023 1.13 16.3
func (d *open) done(r record.Record) (terminal uint32, done Tally, ok bool) {
	switch b := r.Body.(type) {
	case *record.TicketSold:
		return b.Request.Terminal, Tally{Sales: 1, Sold: b.CostCents}, true
	case *record.TicketPaid:
		// What an earlier session withheld was counted there.
		done = Tally{Payments: 1, Paid: b.Amount() - b.Withheld(), LatePaid: d.late(b)}
		if done.LatePaid > 0 {
			done.Late = 1
		}
		return b.Request.Terminal, done, true
	case *record.TicketCancelled:
		return b.Request.Terminal, Tally{Cancelled: 1, GivenBack: b.RefundCents + b.CarriedCents}, true
	case *record.BonusAllocated:
		return b.Terminal, Tally{Bonuses: b.Cents}, true
	case *record.SessionEnded:
		return b.Request.Terminal, Tally{Unpaid: unpaid(b)}, true
	case *record.InstrumentIssued:
		if b.Reason == record.IssuedByOperator {
			return 0, Tally{}, false // The customer has given nothing for it.
		}
		done = Tally{Issued: 1, Papers: b.Cents}
		if b.Reason == record.IssuedForWinnings {
			done.InPlace = b.Cents
		}
		return b.Request.Terminal, done, true
	}
	return 0, Tally{}, false
}

// late returns what of a payment are prizes of games that earlier trading days opened.
func (d *open) late(b *record.TicketPaid) (sum money.Amount) {
	for _, part := range b.Parts {
		if _, today := d.games[part.Ordinal]; !today && part.Ordinal != 0 {
			sum += part.Cents
		}
	}
	return sum
}

// unpaid returns what a customer who has left did not pay.
func unpaid(b *record.SessionEnded) money.Amount { return tendered(b, record.TenderUnpaid) }

// tendered returns what the tenders of a kind come to.
func tendered(b *record.SessionEnded, kind record.TenderKind) (sum money.Amount) {
	for _, t := range b.Tenders {
		if t.Kind == kind {
			sum += t.Cents
		}
	}
	return sum
}

func tallyOf[K comparable](tallies map[K]*Tally, id K) *Tally {
	t, ok := tallies[id]
	if !ok {
		t = new(Tally)
		tallies[id] = t
	}
	return t
}
