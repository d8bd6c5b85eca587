package house

import (
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/state"
)

// stops are the tickets and papers on which nothing is paid for the time being, folded
// from durable records as the state folds them, so that readers need not ask the lane.
type stops map[record.Place]state.Stop

// fold takes in a record that stops payment, or lets it go on.
func (s stops) fold(body record.Body) {
	switch b := body.(type) {
	case *record.PaymentFrozen:
		for _, place := range b.Places {
			s.change(place, func(stop *state.Stop) { stop.Frozen, stop.Reason, stop.Clause = true, b.Reason, b.Clause })
		}
	case *record.PaymentReleased:
		for _, place := range b.Places {
			s.change(place, func(stop *state.Stop) { stop.Frozen = false })
		}
	case *record.TicketDisqualified:
		s.change(b.Ticket, func(stop *state.Stop) { stop.Disqualified, stop.Reason, stop.Clause = true, b.Reason, b.Clause })
	case *record.TicketReinstated:
		s.change(b.Ticket, func(stop *state.Stop) { stop.Disqualified = false })
	case *record.TicketInvalidated:
		s.change(b.Ticket, func(stop *state.Stop) { stop.Invalid = true })
	}
}

// withheld is what the ends of sessions have kept of what tickets brought, and owe to their
// holders, folded as the stops are.
type withheld map[record.Place]money.Amount

// fold takes in a record that withholds money, or hands it out.
func (w withheld) fold(body record.Body) {
	switch b := body.(type) {
	case *record.SessionEnded:
		for _, t := range b.Tenders {
			if t.Kind == record.TenderWithheld {
				w[t.Instrument] -= t.Cents
			}
		}
	case *record.TicketPaid:
		if b.Withheld() > 0 {
			delete(w, b.Ticket)
		}
	case *record.PrizeForfeited:
		if b.Withheld() > 0 {
			delete(w, b.Ticket)
		}
	}
}

// change changes the stop of a ticket and forgets one that stops nothing.
func (s stops) change(place record.Place, to func(*state.Stop)) {
	stop := s[place]
	to(&stop)
	if stop.Frozen || stop.Disqualified || stop.Invalid {
		s[place] = stop
		return
	}
	delete(s, place)
}

// stop returns why a ticket is not paid, or the zero stop, and what was withheld of it.
func (x *index) stop(place record.Place) (state.Stop, money.Amount) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.stops[place], x.withheld[place]
}
