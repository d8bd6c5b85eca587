package verify

import (
	"slices"

	"drawhouse/journal/record"
)

// checkExit objects to a record by which money leaves that is stopped: payment on the
// ticket, paper or card is frozen, the entry is disqualified, a claim form for it is open,
// or a session at another terminal has not paid for it.
func (c *checker) checkExit(body record.Body) error {
	row := rowFor(body)
	if row.counter != nil {
		if venue := row.counter(c, body); venue != 0 && c.closed(venue) {
			return fault(CheckPayments, "it is done at venue %d, which is closed: it has no hours", venue)
		}
	}
	if row.exit != nil {
		return row.exit(c, body)
	}
	return nil
}

func (c *checker) exitPaid(b *record.TicketPaid) error {
	if err := c.checkParts(b.Series, b.Parts, b.PaidBy, b.Clause); err != nil {
		return err
	}
	if b.RefundCents > 0 && b.RefundCents == b.Amount() {
		return c.exitHere(b.Ticket, b.Request.Terminal) // Nothing was won: a void game gives back what it costs.
	}
	return c.exitOf(b.Ticket, b.Request.Terminal)
}

func (c *checker) exitCancelled(b *record.TicketCancelled) error {
	if form := c.tills.forms.under[flat(b.Ticket)]; form != 0 {
		return fault(CheckPayments, "ticket %v is cancelled, and it is claimed on form %d", b.Ticket, form)
	}
	if err := c.checkLost(flat(b.Ticket)); err != nil {
		return err
	}
	if b.CarriedCents == 0 {
		return c.exitHere(b.Ticket, b.Request.Terminal) // The session that sold it takes it back.
	}
	return c.exitOf(b.Ticket, b.Request.Terminal)
}

func (c *checker) exitForfeited(b *record.PrizeForfeited) error {
	if err := c.checkParts(b.Series, b.Parts, 0, ""); err != nil {
		return err
	}
	if err := c.exitOf(b.Ticket, b.Request.Terminal); err != nil {
		return err
	}
	return c.checkStopped(flat(b.Ticket))
}

func (c *checker) exitPromised(b *record.ChequePromised) error {
	for _, ticket := range b.Tickets {
		if err := c.exitOf(ticket, b.Terminal); err != nil {
			return err
		}
	}
	return nil
}

// closed reports whether a venue has said that it never trades.
func (c *checker) closed(venue uint32) bool {
	hours, said := c.people.trading(venue)
	return said && len(hours) == 0
}

// counterAt returns the venue at whose counter something is done that a closed venue does not do, or 0.
// A session that is open there is ended, with the papers that its end issues.
func (c *checker) counterAt(terminal uint32, settles bool) uint32 {
	term := c.terminals[terminal]
	if term == nil || settles && term.visit != nil {
		return 0
	}
	return term.venue
}

// exitOf checks a ticket or paper whose money leaves at a terminal. A prize of what the open session
// itself has sold, and nobody has paid for, does not leave (vic-keno-2015 21(k), tas-keno-2023 1.12,
// casino-keno-div2 4.1).
func (c *checker) exitOf(place record.Place, at uint32) error {
	if open := c.tills.unsettled[flat(place)]; c.level >= record.LevelGuarded && open != 0 && open == at {
		return fault(CheckPayments, "%v is of the session that is open at terminal %d, and is not paid for", place,
			open)
	}
	return c.exitHere(place, at)
}

// exitHere is exitOf for what goes back into the session that has sold it.
func (c *checker) exitHere(place record.Place, at uint32) error {
	if c.people.shutOut(at) {
		return fault(CheckPayments, "terminal %d was shut out", at)
	}
	if open := c.tills.unsettled[flat(place)]; open != 0 && open != at {
		return fault(CheckPayments, "%v is of the session that is open at terminal %d, and its money leaves at terminal %d",
			place, open, at)
	}
	return c.exitTickets([]record.Place{place})
}

// exitTickets checks that payment on none of some tickets, papers or cards is stopped.
func (c *checker) exitTickets(places []record.Place) error {
	for _, place := range places {
		if s := c.tills.stopped[flat(place)]; s.frozen || s.disqualified {
			return fault(CheckPayments, "payment on %v is stopped", place)
		}
	}
	return nil
}

// exitSession checks what a session is settled with, and that it keeps what tickets have
// brought on which payment is stopped.
func (c *checker) exitSession(b *record.SessionEnded) error {
	if err := c.exitVisit(b); err != nil {
		return err
	}
	for i := range b.Tenders {
		t := &b.Tenders[i]
		var err error
		switch {
		case t.Kind == record.TenderInstrument:
			err = c.exitHere(t.Instrument, b.Request.Terminal) // It costs there what it brings.
		case t.Kind == record.TenderCard && t.Cents > 0:
			err = c.exitTickets([]record.Place{t.Instrument})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// exitClaim checks that no part of a claim is stopped when it is allowed, and when it is paid.
func (c *checker) exitClaim(claim uint32) error {
	if claim == 0 || int(claim) > len(c.tills.forms.list) {
		return nil // The claim itself is checked elsewhere.
	}
	lodged := c.tills.forms.list[claim-1].lodged
	for _, p := range lodged.Parts {
		if p.At == otherPlace {
			continue // It is of no game of the house.
		}
		if err := c.checkByHand(lodged.Series, p.Ordinal, 0, ""); err != nil {
			return err
		}
	}
	return c.exitParts(lodged)
}

// exitParts checks what is claimed on a form, which the operator pays.
func (c *checker) exitParts(b *record.ClaimLodged) error {
	var of []record.Place
	for _, p := range b.Parts {
		of = append(of, p.Of)
	}
	return c.exitBank(of)
}

// exitBank checks what is paid at no terminal: no session that is open pays for it later
// (vic-keno-2015 11(b), 21(k), tas-keno-2023 16.1).
func (c *checker) exitBank(places []record.Place) error {
	for _, place := range places {
		if open := c.tills.unsettled[flat(place)]; open != 0 {
			return fault(CheckPayments, "%v is of the session that is open at terminal %d, and is not paid for", place,
				open)
		}
	}
	return c.exitTickets(places)
}

// link notes what was bought with what tickets and papers brought, so that a stop reaches
// it.
func (c *checker) link(from []uint64, to ...uint64) {
	for _, source := range from {
		c.tills.links[source] = append(c.tills.links[source], to...)
	}
}

// linkSession links what a session bought to what paid for it: the tickets that it paid and
// the papers that it used.
func (c *checker) linkSession(e *ending) {
	var tickets, sources, bought []uint64
	for _, in := range e.visit.paid {
		if !e.withheld[in.seq] {
			tickets = append(tickets, in.seq)
		}
	}
	sources = slices.Clone(tickets)
	for i := range e.Tenders {
		t := &e.Tenders[i]
		switch {
		case t.Kind == record.TenderInstrument:
			sources = append(sources, flat(t.Instrument))
		case t.Kind == record.TenderCard && t.Cents < 0:
			c.link(tickets, flat(t.Instrument))
		}
	}
	for _, in := range slices.Concat(e.visit.sold, e.visit.issued) {
		bought = append(bought, in.seq)
		delete(c.tills.unsettled, in.seq)
	}
	c.link(sources, bought...)
	for _, in := range e.visit.cancelled {
		if came := e.visit.brought[in.seq]; came.cents > 0 && !e.withheld[in.seq] {
			c.link([]uint64{in.seq}, slices.DeleteFunc(slices.Clone(bought), func(seq uint64) bool { return seq == in.seq })...)
		}
	}
}

// cameOf returns everything that came of a ticket or paper and is not frozen.
func (c *checker) cameOf(seq uint64) (left []uint64) {
	seen := map[uint64]bool{seq: true}
	for queue := []uint64{seq}; len(queue) > 0; queue = queue[1:] {
		for _, next := range c.tills.links[queue[0]] {
			if seen[next] {
				continue
			}
			seen[next] = true
			queue = append(queue, next)
			if !c.tills.stopped[next].frozen {
				left = append(left, next)
			}
		}
	}
	return left
}

// checkReached checks that a stop reaches what came of what it stops: a freeze at once, and
// a disqualification with the next record.
func (c *checker) checkReached(body record.Body) error {
	awaited := c.tills.unreached
	c.tills.unreached = nil
	b, freezes := body.(*record.PaymentFrozen)
	if !freezes {
		if len(awaited) > 0 {
			return c.guard(fault(CheckPayments,
				"an entry is disqualified, and the next record does not freeze %v, which came of it",
				placeOf(awaited[0])))
		}
		return nil
	}
	for _, place := range b.Places {
		awaited = append(awaited, c.cameOf(flat(place))...)
	}
	for _, seq := range awaited {
		if !slices.Contains(b.Places, placeOf(seq)) {
			return c.guard(fault(CheckPayments,
				"payment is frozen, and not on %v, which came of what is stopped", placeOf(seq)))
		}
	}
	return nil
}
