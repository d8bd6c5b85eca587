package verify

import (
	"bytes"
	"slices"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// checkNamed objects to a paper that names nobody where it must name a payee (tas-keno-2023
// 13.2), or names somebody where it is anybody's.
func (r *rules) checkNamed(b *record.InstrumentIssued) error {
	must := false
	for _, m := range r.payout.Methods {
		must = must || m.ID == b.ID && m.Payee
	}
	if must != (len(b.Particulars) > 0) {
		return fault(CheckPayments, "a %s is issued that names a payee: %v", b.ID, len(b.Particulars) > 0)
	}
	return nil
}

// checkAccount objects to money that goes to an account where nobody has named one: the rulebook
// says of which means it is true (vic-keno-2015 21(d)(i), 21(d)(iii)).
func checkAccount(book *rulebook.Book, named bool, paid ...string) error {
	for _, m := range book.Payout().Methods {
		if m.Account && !named && slices.Contains(paid, m.ID) {
			return fault(CheckPayments, "it pays by %s, and nobody has named an account (%s)", m.ID, m.Clause)
		}
	}
	return nil
}

// checkPayees objects to the end of a session that names another payee on a cheque, a transfer or
// a voucher than a paper names for which it pays (tas-keno-2023 13.2, 13.10).
func (c *checker) checkPayees(e *ending) error {
	var named [][]byte
	for i := range e.Tenders {
		if p := c.tills.papers[flat(e.Tenders[i].Instrument)]; p != nil &&
			e.Tenders[i].Kind == record.TenderInstrument && len(p.payee) > 0 {
			named = append(named, p.payee)
		}
	}
	var paid [][]byte
	for i := range e.Tenders {
		if len(e.Tenders[i].Particulars) > 0 {
			paid = append(paid, e.Tenders[i].Particulars)
		}
	}
	for _, p := range e.given {
		if len(p.payee) > 0 {
			paid = append(paid, p.payee)
		}
	}
	for _, who := range named {
		for _, payee := range paid {
			if !bytes.Equal(who, payee) {
				return fault(CheckPayments, "the session pays another payee than the paper names that it pays for")
			}
		}
	}
	return nil
}
