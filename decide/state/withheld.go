package state

import (
	"maps"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Withheld is what a ticket brought into a customer session and its holder did not get at
// the end, because payment on the ticket was stopped meanwhile.
type Withheld struct {
	Ticket record.Place
	Cents  money.Amount
	Majors money.Amount // of it, major prizes
	Lots   []Lot        // the same by origin
}

// Brought returns what each ticket brings into the session: prizes, bonuses and refunds, in
// the order in which the tickets came. A refund of what the session itself has sold brings
// nothing: the two cancel out, and nobody has paid for it yet.
func (o *Open) Brought() []Withheld {
	var all []Withheld
	if o == nil {
		return nil
	}
	for _, in := range slices.Concat(o.Paid, o.Cancelled) {
		if in.Cents == in.Own {
			continue
		}
		i := slices.IndexFunc(all, func(w Withheld) bool { return w.Ticket == in.Place })
		if i < 0 {
			i, all = len(all), append(all, Withheld{Ticket: in.Place})
		}
		all[i].Cents += in.Cents - in.Own
		all[i].Majors += in.Majors
		all[i].Lots = append(all[i].Lots, in.Lots...)
	}
	return all
}

// Without returns the tickets of a list of the session whose money is not withheld.
func Without(list []InSession, withheld []Withheld) []InSession {
	return slices.DeleteFunc(slices.Clone(list), func(in InSession) bool {
		return slices.ContainsFunc(withheld, func(w Withheld) bool { return w.Ticket == in.Place })
	})
}

// Withholding returns what the end of the session that is open at a terminal has to
// withhold: what tickets have brought on which payment is stopped now, and everything that
// they have brought to a terminal that was shut out.
func (s *State) Withholding(terminal uint32) []Withheld {
	t, ok := s.terminals[terminal]
	if !ok {
		return nil
	}
	if s.ShutOut(terminal) {
		return t.Open.Brought()
	}
	return slices.DeleteFunc(t.Open.Brought(), func(w Withheld) bool { return !s.tills.stops[w.Ticket].Stops() })
}

// ShutOut reports whether the key of a terminal was taken away.
func (s *State) ShutOut(terminal uint32) bool {
	post, ok := s.People().Post(terminal)
	return ok && post.Revoked
}

// Stops reports whether nothing is paid.
func (s Stop) Stops() bool { return s.Frozen || s.Disqualified }

// Withheld returns what sessions have withheld of what a ticket brought.
func (s *State) Withheld(ticket record.Place) (Withheld, bool) {
	w, ok := s.tills.withheld[ticket]
	return w, ok
}

// AllWithheld returns what sessions have withheld, by ticket.
func (s *State) AllWithheld() []Withheld {
	all := slices.Collect(maps.Values(s.tills.withheld))
	slices.SortFunc(all, func(a, b Withheld) int { return comparePlaces(a.Ticket, b.Ticket) })
	return all
}

// withhold keeps what a ticket brought into a session that ends. It returns the tickets
// whose money is kept.
func (t *tills) withhold(open *Open, tenders []record.Settlement) ([]Withheld, error) {
	var kept []Withheld
	brought := open.Brought()
	for i := range tenders {
		if tenders[i].Kind != record.TenderWithheld {
			continue
		}
		at := slices.IndexFunc(brought, func(w Withheld) bool { return w.Ticket == tenders[i].Instrument })
		if at < 0 || brought[at].Cents != -tenders[i].Cents {
			return nil, cannot("%v of ticket %v are withheld, and it has not brought that much", -tenders[i].Cents,
				tenders[i].Instrument)
		}
		more := brought[at]
		brought = slices.Delete(brought, at, at+1)
		kept = append(kept, more)
		held := t.withheld[more.Ticket]
		sum, err := held.Cents.Add(more.Cents)
		if err != nil {
			return nil, err
		}
		t.withheld[more.Ticket] = Withheld{more.Ticket, sum, held.Majors + more.Majors,
			slices.Concat(held.Lots, more.Lots)}
		t.noted.held(more.Ticket)
	}
	return kept, nil
}

// handOut takes what was withheld, whole.
func (t *tills) handOut(ticket record.Place, cents money.Amount) error {
	held, ok := t.withheld[ticket]
	if !ok || held.Cents != cents {
		return cannot("ticket %v is paid %v that was withheld, and %v was", ticket, cents, held.Cents)
	}
	delete(t.withheld, ticket)
	t.noted.held(ticket)
	return nil
}

// forfeit takes the prizes out of what was withheld. Stakes stay there: they are no prize.
func (t *tills) forfeit(ticket record.Place, cents money.Amount) error {
	held, ok := t.withheld[ticket]
	if won := held.Prizes(); !ok || won != cents {
		return cannot("%v of ticket %v that were withheld are forfeited, and its prizes among it are %v", cents, ticket,
			won)
	}
	held.Cents, held.Majors = held.Cents-cents, 0
	held.Lots = slices.DeleteFunc(slices.Clone(held.Lots), func(l Lot) bool { return l.ID == OriginPrize })
	t.noted.held(ticket)
	if delete(t.withheld, ticket); held.Cents > 0 {
		t.withheld[ticket] = held
	}
	return nil
}

// Prizes returns what of it was won.
func (w Withheld) Prizes() (sum money.Amount) {
	for _, l := range w.Lots {
		if l.ID == OriginPrize {
			sum += l.Cents
		}
	}
	return sum
}

// setStop notes why a ticket or paper is not paid. Readers of the terminals in whose open
// sessions it is are told: what the customer there gets has changed.
func (s *State) setStop(ticket record.Place, stop Stop) {
	s.tills.setStop(ticket, stop)
	s.noted.held(ticket)
	for id, t := range s.terminals {
		if slices.ContainsFunc(t.Open.Brought(), func(w Withheld) bool { return w.Ticket == ticket }) {
			s.noted.terminal(id)
		}
	}
}
