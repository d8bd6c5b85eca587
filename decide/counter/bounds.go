package counter

import (
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// The rulebooks state no bound for what a paper that is bought is worth. These are the
// house's own: what one paper is worth at most, and what the papers come to that a terminal
// sells on a Keno Day. Package verify holds journals to the same amounts.
const (
	MostPaper    money.Amount = 1_000_00
	MostPaperDay money.Amount = 10_000_00
)

// The codes of these bounds.
const (
	PaperTooMuch    refusal.Code = "paper_too_much" // one paper is worth more than a terminal sells
	PaperDayTooMuch refusal.Code = "paper_day"      // the terminal has sold papers for so much on this day
)

// CheckPaperSale refuses a paper that a terminal sells with nobody on shift, unless it takes cash by itself and
// the paper is its receipt, or for more than
// the house lets a terminal sell. What two persons have agreed on, and what the end of a
// session gives in place of money that it owes, has bounds of its own.
func CheckPaperSale(s *state.State, r record.Record) error {
	b, ok := r.Body.(*record.InstrumentIssued)
	if !ok || b.Reason != record.IssuedForMoney {
		return nil
	}
	terminal, _ := s.Terminal(b.Request.Terminal)
	post, _ := s.People().Post(b.Request.Terminal)
	sold := terminal.SoldPapers(b.Day)
	switch {
	case post.Person == 0 && !sellsAlone(s, terminal, b):
		return staff.NobodyAt(b.Request.Terminal, "", "a paper is sold by somebody")
	case b.Cents > MostPaper:
		return refuse(PaperTooMuch, "", "cents", "A paper is sold for at most %v.", MostPaper)
	case sold+b.Cents > MostPaperDay:
		return refuse(PaperDayTooMuch, "", "cents",
			"Terminal %d has sold papers for %v today, and sells them for at most %v on a day.", b.Request.Terminal,
			sold, MostPaperDay)
	}
	return nil
}

// sellsAlone reports whether a paper is the receipt that a terminal gives by itself for the cash
// that a customer has put in.
func sellsAlone(s *state.State, terminal state.Terminal, b *record.InstrumentIssued) bool {
	series, ok := s.Series(b.Series)
	return ok && ownReceipt(series.Book, terminal.Channel, b.ID)
}
