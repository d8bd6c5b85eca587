package verify

import (
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// checkMachine objects to a session at a terminal that hands out its papers alone, if these may
// not be for all that tickets have brought there: it could not end, and the money reach nobody
// (vic-keno-2015 2(a).self-service-terminal, 21(d)(i); tas-keno-2023 13.7(c)). What the session
// has sold is not taken off: it may come back.
func (c *checker) checkMachine(term *terminal, r *rules) error {
	h, bounded := r.book.HandsOut(term.channel)
	if !bounded || term.visit == nil {
		return nil
	}
	var parts []part
	var counts money.Amount
	for _, b := range term.visit.brought {
		for _, p := range b.parts {
			if r.bound(p.id) {
				continue // It goes back as what it was.
			}
			parts = append(parts, p)
			if way, ok := r.leaves(p.id, originCash, term.kind); ok && way.Counts {
				counts += p.cents
			}
		}
	}
	most := counts
	for _, m := range r.waysAt(term) {
		if !r.gives(term, m.ID) {
			continue
		}
		if m.Of == "session" && m.UpTo != nil {
			most = min(most, m.UpTo.Amount())
		}
		if limit := c.tills.limits[term.venue]; m.VenueLimit && limit > 0 {
			most = min(most, limit)
		}
	}
	if limit, together := c.togetherAt(term, r); together {
		room := counts
		for of, cents := range c.cameBack(parts) {
			room -= max(0, cents-max(0, limit-c.tills.counted[of]))
		}
		most = min(most, room)
	}
	if counts <= most {
		return nil
	}
	return c.guard(fault(CheckPayments, "%v are due at a %s, and its papers are for at most %v (%s)", counts, term.channel, most, h.Clause))
}

// machinePays adds what a terminal pays on a ticket, where it pays so much for one and no more, and objects
// to more than that: one payment or several, it is for each ticket (tas-keno-2023 13.7(c)).
func (c *checker) machinePays(term *terminal, r *rules, seq uint64, cents money.Amount) error {
	m, ok := r.boundsTicket(term)
	if !ok || cents == 0 {
		return nil
	}
	if term.visit.machine == nil {
		term.visit.machine = map[uint64]money.Amount{}
	}
	term.visit.machine[seq] += cents
	c.tills.machines[seq] += cents
	if sum := c.tills.machines[seq]; sum > m.UpTo.Amount() {
		return fault(CheckPayments, "%v are paid at a %s for ticket %v in all, and %v is the most (%s)", sum, term.channel, placeOf(seq), m.UpTo.Amount(), m.Clause)
	}
	return nil
}

// boundsTicket returns the way by which a terminal pays so much for a ticket and no more, if it has one.
func (r *rules) boundsTicket(term *terminal) (rulebook.PayoutMethod, bool) {
	for _, m := range r.waysAt(term) {
		if m.Of == "ticket" && m.UpTo != nil && m.Channel == term.channel {
			return m, true
		}
	}
	return rulebook.PayoutMethod{}, false
}

// limitSet takes in the limit of a venue. It is not below what an open session owes at a terminal
// that can give it in no other way.
func (c *checker) limitSet(b *record.VenueLimitSet) error {
	if !c.hasVenue(b.Venue) {
		return fault(CheckHouse, "venue %d was not added", b.Venue)
	}
	c.tills.limits[b.Venue] = b.Cents
	for _, term := range c.terminals {
		if term.venue != b.Venue || term.visit == nil {
			continue
		}
		for _, s := range c.series {
			if s == nil {
				continue
			}
			if err := c.checkMachine(term, s.rulesNow()); err != nil {
				return err
			}
		}
	}
	return nil
}

// paidByMachines returns what terminals have paid on a ticket that pay so much for one and no more.
func (t *tills) paidByMachines(seq uint64) money.Amount { return t.machines[seq] }
