package house

import (
	"maps"

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

// withheld is what the ends of sessions have kept of what tickets brought, folded as the
// stops are. What was handed out later is among the payments of the ticket, which the index
// does not have.
type withheld map[record.Place]money.Amount

// fold takes in a record that withholds money.
func (w withheld) fold(body record.Body) {
	if b, ok := body.(*record.SessionEnded); ok {
		for _, t := range b.Tenders {
			if t.Kind == record.TenderWithheld {
				w[t.Instrument] -= t.Cents
			}
		}
	}
}

// formParts are what claim forms say of tickets, folded as the stops are.
type formParts struct {
	lodged map[uint32]*record.ClaimLodged // forms that may still be paid
	under  map[record.Place]bool          // tickets of these
	lost   map[record.Place]bool          // tickets that were paid as lost
	paid   map[record.Place]map[uint32]money.Amount
}

func newFormParts() formParts {
	return formParts{map[uint32]*record.ClaimLodged{}, map[record.Place]bool{}, map[record.Place]bool{}, map[record.Place]map[uint32]money.Amount{}}
}

// fold takes in a record about a claim form.
func (f *formParts) fold(body record.Body) {
	switch b := body.(type) {
	case *record.ClaimLodged:
		f.lodged[b.Claim] = b
		for _, p := range b.Parts {
			f.under[p.Of] = true
		}
	case *record.ClaimDecided:
		if b.Outcome != record.ClaimAllowed {
			f.end(b.Claim)
		}
	case *record.ClaimPaid:
		form := f.lodged[b.Claim]
		for _, p := range form.Parts {
			if p.IsPaper() {
				continue
			}
			if f.paid[p.Of] == nil {
				f.paid[p.Of] = map[uint32]money.Amount{}
			}
			f.paid[p.Of][p.Ordinal] += p.Cents
			if form.Reason == record.ClaimLost {
				f.lost[p.Of] = true
			}
		}
		f.end(b.Claim)
	}
}

// end forgets a form that cannot be paid any more.
func (f *formParts) end(claim uint32) {
	for _, p := range f.lodged[claim].Parts {
		delete(f.under, p.Of)
	}
	delete(f.lodged, claim)
}

// claimed returns what was paid for a ticket on claim forms, by game, and whether a form
// keeps it from being paid at a venue.
func (x *index) claimed(ticket record.Place) (paid map[uint32]money.Amount, kept bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return maps.Clone(x.forms.paid[ticket]), x.forms.under[ticket] || x.forms.lost[ticket]
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
