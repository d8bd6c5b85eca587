package verify

import (
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// What a terminal sells in papers that stand for money, by the house's own bounds: for one
// paper, and for all of a Keno Day.
const (
	paperMost    money.Amount = 1000 * 100
	paperDayMost money.Amount = 10 * paperMost
)

// soldPapers are what a terminal has sold in papers on a day.
type soldPapers struct {
	on  day.Day
	sum money.Amount
}

// checkSoldPaper adds up the papers that a terminal sells, and objects to one that is sold
// with nobody on shift, unless the terminal takes cash by itself, or beyond the bounds.
func (c *checker) checkSoldPaper(term *terminal, r *rules, b *record.InstrumentIssued) error {
	if b.Reason != record.IssuedForMoney {
		return nil
	}
	if term.papers.on != b.Day {
		term.papers = soldPapers{on: b.Day}
	}
	term.papers.sum += b.Cents
	switch {
	case c.people.atPost(b.Request.Terminal) == 0 && !r.machine(term, b.ID):
		return fault(CheckPayments, "a %s is sold at terminal %d, where nobody is on shift", b.ID, b.Request.Terminal)
	case b.Cents > paperMost:
		return fault(CheckPayments, "a %s of %v is sold, and %v is the most", b.ID, b.Cents, paperMost)
	case term.papers.sum > paperDayMost:
		return fault(CheckPayments, "terminal %d sells papers for %v on %v, and %v is the most", b.Request.Terminal,
			term.papers.sum, b.Day, paperDayMost)
	}
	return nil
}
