package state

import (
	"cmp"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Cheque is one that a customer was promised and does not have yet.
type Cheque struct {
	Place   record.Place // of the promise
	Venue   uint32       // that draws it
	Means   string       // as the rulebook names it
	Cents   money.Amount
	Asked   record.Time
	Due     record.Time
	Tickets []record.Place // that were paid in the session
	Payee   record.Hash    // in whose favour it is drawn; the zero hash where the promise does not say
}

// Cheque returns a cheque that was promised and not handed over, by the place of the
// promise.
func (s *State) Cheque(place record.Place) (Cheque, bool) { return valueOf(s.tills.cheques[place]) }

// Cheques returns all cheques that were promised and not handed over, the one that is due
// first before the others.
func (s *State) Cheques() []Cheque {
	all := make([]Cheque, 0, len(s.tills.cheques))
	for _, c := range s.tills.cheques {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Cheque) int {
		return cmp.Or(cmp.Compare(a.Due, b.Due),
			comparePlaces(a.Place, b.Place))
	})
	return all
}

// Holidays returns the public holidays, ascending. The caller must not change them.
func (s *State) Holidays() []day.Day { return s.tills.holidays }

// IsHoliday reports whether a day is a public holiday.
func (s *State) IsHoliday(d day.Day) bool {
	_, found := slices.BinarySearch(s.tills.holidays, d)
	return found
}

func (s *State) nameHolidays(b *record.HolidaysNamed) {
	s.tills.holidays = b.Days
	s.noted.whole(allCheques)
}

// promiseCheque notes a cheque. The session that it is of has just ended at its terminal.
func (s *State) promiseCheque(b *record.ChequePromised, at record.Time) error {
	terminal, ok := s.terminals[b.Terminal]
	if !ok || terminal.Answer != b.End {
		return cannot("a cheque of session end %v is promised, which is not the last act of terminal %d", b.End,
			b.Terminal)
	}
	c := &Cheque{Place: s.next, Venue: terminal.Venue, Means: b.Means, Cents: b.Cents, Asked: at, Due: b.Due,
		Tickets: b.Tickets}
	if len(b.Payee) > 0 {
		c.Payee = record.Hash(b.Payee)
	}
	s.tills.cheques[s.next] = c
	s.noted.whole(allCheques)
	return nil
}

func (s *State) handCheque(b *record.ChequeHanded) error {
	if _, ok := s.tills.cheques[b.Cheque]; !ok {
		return cannot("cheque %v is handed over, and was not promised or is handed over already", b.Cheque)
	}
	delete(s.tills.cheques, b.Cheque)
	s.noted.whole(allCheques)
	return nil
}
