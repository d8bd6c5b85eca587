package verify

import (
	"cmp"
	"maps"
	"slices"

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
	parts, counts := r.handsOut(term)
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
	back := c.cameBack(parts)
	if limit, together := c.togetherAt(term, r); together {
		room := counts
		for of, cents := range back {
			before := c.tills.counted[of] // and what others hand out that may end before
			for _, o := range c.lyingBeside(term, r, of) {
				before += o.counts
			}
			room -= max(0, cents-max(0, limit-before))
		}
		most = min(most, room)
		c.tills.lying[term] = len(back) > 0
	}
	if counts <= most {
		for _, of := range slices.Sorted(maps.Keys(back)) {
			if err := c.guard(c.leavesRoom(counts, term, r, of)); err != nil {
				return err
			}
		}
		return nil
	}
	return c.guard(fault(CheckPayments,
		"%v are due at a %s, and its papers are for at most %v (%s)", counts, term.channel, most, h.Clause))
}

// handsOut returns what tickets have brought to a terminal and does not go back as what it was, and how much of
// it counts against limits.
func (r *rules) handsOut(term *terminal) (parts []part, counts money.Amount) {
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
	return parts, counts
}

// lies is what lies of prizes in the open session of a terminal that hands out its papers alone, all that counts
// when it ends, and the limit under which the prizes must have room then.
type lies struct{ cents, counts, limit money.Amount }

// lyingBeside returns what lies of prizes at terminals other than one.
func (c *checker) lyingBeside(at *terminal, r *rules, prizes ...uint64) (list []lies) {
	for term, there := range c.tills.lying {
		if !there || term.visit == nil {
			delete(c.tills.lying, term) // Its session has ended, or gave back what lay there.
			continue
		}
		limit, bounded := c.togetherAt(term, r)
		if !bounded || term == at {
			continue
		}
		parts, counts := r.handsOut(term)
		back, o := c.cameBack(parts), lies{counts: counts, limit: limit}
		for _, of := range prizes {
			o.cents += back[of]
		}
		if o.cents > 0 {
			list = append(list, o)
		}
	}
	// A report names the same one each time.
	slices.SortFunc(list, func(a, b lies) int {
		return cmp.Or(cmp.Compare(a.limit, b.limit), cmp.Compare(a.cents, b.cents), cmp.Compare(a.counts, b.counts))
	})
	return list
}

// leavesRoom objects if so much leaves at a terminal, and counts for prizes that are one, that what lies of them in
// open sessions of terminals which hand out their papers alone could not leave any more: these sessions could not
// end, whichever of them ends last (vic-keno-2015 2(a).self-service-terminal, 21(d)(i)).
func (c *checker) leavesRoom(leaves money.Amount, at *terminal, r *rules, prizes ...uint64) error {
	list := c.lyingBeside(at, r, prizes...)
	var before money.Amount
	for _, of := range prizes {
		before += c.tills.counted[of]
	}
	for _, o := range list {
		before += o.counts
	}
	for _, o := range list {
		if others := before - o.counts; others+leaves+o.cents > o.limit {
			return fault(CheckPayments,
				"%v of a prize of ticket %v lie at a terminal that must hand them out, and %v with %v that count before leave no room under %v (%s)",
				o.cents, placeOf(prizes[0]), leaves, others, o.limit, r.payout.Clause)
		}
	}
	return nil
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
		return fault(CheckPayments, "%v are paid at a %s for ticket %v in all, and %v is the most (%s)", sum,
			term.channel, placeOf(seq), m.UpTo.Amount(), m.Clause)
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
			if s == nil || s.id != term.series {
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
