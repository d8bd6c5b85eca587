package state

import (
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Debt is what the customer of a session left unpaid. Nobody can say for which of the tickets
// and papers of the session the rest was paid, so that all of them wait for it.
type Debt struct {
	End   record.Place // of the session
	Venue uint32       // that bears the loss
	Cents money.Amount
	// For are the tickets that were sold in the session, and the papers that were bought in it.
	For []record.Place
}

// Debt returns the debt of the session in which a ticket or paper was sold, if it was not paid
// late.
func (s *State) Debt(place record.Place) (Debt, bool) {
	d, ok := s.tills.debts[place]
	return d, ok
}

// Debts returns the debts of the sessions in which tickets and papers were sold, each once.
func (s *State) Debts(places []record.Place) []Debt {
	var all []Debt
	for _, place := range places {
		d, ok := s.tills.debts[place]
		if ok && !slices.ContainsFunc(all, func(e Debt) bool { return e.End == d.End }) {
			all = append(all, d)
		}
	}
	return all
}

// owe notes what a session leaves unpaid.
func (s *State) owe(open *Open, venue uint32, cents money.Amount) {
	d := Debt{End: s.next, Venue: venue, Cents: cents, For: Places(open.Sold)}
	for _, in := range open.Issued {
		if p := s.tills.papers.get(in.Place); p != nil && p.Reason == record.IssuedForMoney {
			d.For = append(d.For, in.Place)
		}
	}
	for _, place := range d.For {
		s.tills.debts[place] = d
	}
}

// repay takes the debts of tickets and papers that are paid for late. Before there were late
// payments two persons let tickets be paid all the same: these are owed for no longer, and
// whatever else the session sold is.
func (s *State) repay(places []record.Place, cents money.Amount) error {
	debts := s.Debts(places)
	var sum money.Amount
	for _, d := range debts {
		sum += d.Cents
		for _, place := range d.For {
			delete(s.tills.debts, place)
		}
		if cents > 0 {
			continue
		}
		if d.For = slices.DeleteFunc(slices.Clone(d.For),
			func(p record.Place) bool { return slices.Contains(places, p) }); len(d.For) == 0 {
			continue
		}
		for _, place := range d.For {
			s.tills.debts[place] = d
		}
	}
	if cents > 0 && sum != cents {
		return cannot("%v are paid late for tickets that %v are owed for", cents, sum)
	}
	return nil
}
