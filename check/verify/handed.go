package verify

import (
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// gives reports whether terminals of a kind hand something out.
func (r *rules) gives(term *terminal, id string) bool {
	h, bounded := r.book.HandsOut(term.channel)
	return !bounded || slices.Contains(h.Gives, id)
}

// machine reports whether a paper is the receipt of a terminal that takes cash and hands out none
// (vic-keno-2015 2(a).change-receipt, tas-keno-2023 1.59).
func (r *rules) machine(term *terminal, id string) bool {
	_, is := ledger.Paper(id)
	return is && id != originCard && r.gives(term, id) && !r.gives(term, originCash)
}

// checkHanded objects to a record by which a terminal hands out what terminals of its kind do
// not hand out (vic-keno-2015 2(a).self-service-terminal; tas-keno-2023 1.58, 1.59).
func (c *checker) checkHanded(body record.Body) error {
	hands := rowFor(body).hands
	if hands == nil {
		return nil
	}
	at, out := hands(c, body)
	term := c.terminals[at]
	if term == nil {
		return nil
	}
	for _, s := range c.series {
		if s == nil {
			continue
		}
		r := s.rulesNow()
		for _, id := range out {
			if !r.gives(term, id) {
				h, _ := r.book.HandsOut(term.channel)
				return fault(CheckPayments, "terminal %d, a %s, hands out %s (%s)", at, term.channel, id, h.Clause)
			}
		}
	}
	return nil
}

// cashOut returns the cash that a single act hands out.
func cashOut(tenders []record.Tender) (out []string) {
	for _, t := range tenders {
		if t.Cents < 0 {
			out = append(out, originCash)
		}
	}
	return out
}

// handedAtEnd returns what the end of a session hands out.
func (c *checker) handedAtEnd(b *record.SessionEnded) (at uint32, out []string) {
	at = b.Request.Terminal
	for _, t := range b.Tenders {
		switch {
		case t.Kind == record.TenderInstrument && t.Refund && c.takesBack(at, flat(t.Instrument)):
			// Nobody has paid for it yet, so that nothing comes back for it.
		case t.Kind == record.TenderInstrument && t.Refund:
			out = append(out, originCash) // The buyer gets cash back for it.
		case t.Cents >= 0 || t.Kind == record.TenderWithheld:
		case t.Kind == record.TenderCash:
			out = append(out, originCash)
		case t.Kind == record.TenderCard:
			out = append(out, originCard)
		case t.Kind == record.TenderCheque:
			out = append(out, "cheque")
		case t.Kind == record.TenderSiteCheque:
			out = append(out, "site_cheque")
		case t.Kind == record.TenderTransfer:
			out = append(out, "transfer")
		}
	}
	return at, out
}

// takesBack reports whether a paper was sold in the session that is open at a terminal.
func (c *checker) takesBack(at uint32, paper uint64) bool {
	term := c.terminals[at]
	return term != nil && term.visit != nil && term.visit.sells(paper)
}
