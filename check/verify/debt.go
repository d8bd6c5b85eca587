package verify

import (
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// A debt is what a session left unpaid, which all that it sold waits for.
type debt struct {
	venue uint32
	cents money.Amount
	seqs  []uint64
}

// owes notes that a session leaves something unpaid.
func (c *checker) owes(e *ending, cents money.Amount) {
	d := &debt{venue: e.term.venue, cents: cents}
	for _, in := range e.visit.sold {
		d.seqs = append(d.seqs, in.seq)
	}
	for _, in := range e.visit.issued {
		if in.bought {
			d.seqs = append(d.seqs, in.seq)
		}
	}
	for _, seq := range d.seqs {
		c.tills.debts[seq] = d
	}
}

// paymentReleased checks that payment was stopped, and that what a session left unpaid was paid
// late, whole, before anything that it sold is paid again (vic-keno-2015 11(b), 17(d), 21(k);
// tas-keno-2023 16.1, 16.2). An earlier program let it be paid all the same.
func (c *checker) paymentReleased(b *record.PaymentReleased) (postings, error) {
	var due postings
	var owed money.Amount
	for _, place := range b.Places {
		d := c.tills.debts[flat(place)]
		if d == nil {
			continue
		}
		if b.PaidCents == 0 && c.level < record.LevelGuarded {
			delete(c.tills.debts, flat(place))
			continue
		}
		owed += d.cents
		due = append(due, ledger.Debit(ledger.Safe, d.venue, d.cents),
			ledger.Credit(ledger.VenueLosses, d.venue, d.cents))
		for _, seq := range d.seqs {
			delete(c.tills.debts, seq)
		}
	}
	if owed != b.PaidCents {
		return nil, fault(CheckPayments, "%v are owed for what is released, and %v were paid late", owed, b.PaidCents)
	}
	return due, c.stop(b.Places, func(s *stops) bool { was := s.frozen; s.frozen = false; return was })
}
