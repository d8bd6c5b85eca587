package verify

import (
	"bytes"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Lengths of time as records count them.
const (
	hourMillis = 60 * 60 * 1000
	dayMillis  = 24 * hourMillis
)

// cheques are those that customers wait for, graded from the records alone.
type cheques struct {
	holidays []day.Day
	// awaited are those that the next records must promise, by their means; ended is the
	// end of the session that they are of.
	awaited map[string]promise
	ended   record.Place
	due     map[uint64]promise // by the place of the promise
}

// A promise is what the record of a cheque must say.
type promise struct {
	terminal, venue uint32
	cents           money.Amount
	due             record.Time
	tickets         []record.Place
	payee           []byte
}

// awaitCheques notes which cheques a session that ends has to promise: those for whose
// means the rulebook sets a time (tas-keno-2023 13.8(a)).
func (c *checker) awaitCheques(e *ending) {
	for _, m := range e.rules.waysOf(e.term.kind) {
		paid := e.out[m.ID]
		if m.WithinHours == 0 || paid == 0 {
			continue
		}
		p := promise{terminal: e.Request.Terminal, venue: e.term.venue, cents: paid,
			due: c.endOfHours(m.WithinHours, e.series.offset)}
		for i := range e.Tenders {
			if e.Tenders[i].Cents < 0 && len(e.Tenders[i].Particulars) > 0 {
				p.payee = e.Tenders[i].Particulars // A session has one payee.
			}
		}
		for _, in := range e.visit.paid {
			if !in.none {
				p.tickets = append(p.tickets, placeOf(in.seq))
			}
		}
		if c.tills.cheques.awaited == nil {
			c.tills.cheques.awaited = map[string]promise{}
		}
		c.tills.cheques.awaited[m.ID], c.tills.cheques.ended = p, placeOf(c.here())
	}
}

// endOfHours returns when so many hours are over that begin now. Hours that would end on a
// day without business end with the next day that has some.
func (c *checker) endOfHours(hours int, offset int32) record.Time {
	end := c.now + record.Time(hours)*hourMillis
	date := localDate(end, offset)
	if c.isBusiness(date) {
		return end
	}
	for !c.isBusiness(date) {
		date++
	}
	epoch := localDate(0, 0)
	return record.Time(date+1-epoch)*dayMillis - record.Time(offset)*1000
}

// isBusiness reports whether business is done on a day. The first day of the calendar was a
// Monday.
func (c *checker) isBusiness(d day.Day) bool {
	const saturday, sunday = 6, 0
	return d%7 != saturday && d%7 != sunday && !slices.Contains(c.tills.cheques.holidays, d)
}

// checkPromised checks that a cheque is promised at once: nothing stands between the end of
// the session and the record that says until when.
func (c *checker) checkPromised(body record.Body) error {
	if _, ok := body.(*record.ChequePromised); !ok && len(c.tills.cheques.awaited) > 0 {
		return fault(CheckPayments, "a session ended by cheque, and the next record does not say until when it must be there")
	}
	return nil
}

// chequePromised checks a promise against the session that ended just before it.
func (c *checker) chequePromised(b *record.ChequePromised) error {
	held := &c.tills.cheques
	p, ok := held.awaited[b.Means]
	switch {
	case !ok || b.End != held.ended || b.Terminal != p.terminal:
		return fault(CheckPayments, "no session that ended at %v, at terminal %d, has a cheque by %s to promise", b.End,
			b.Terminal, b.Means)
	case b.Cents != p.cents || !slices.Equal(b.Tickets, p.tickets):
		return fault(CheckPayments, "a cheque of %v for tickets %v is promised, and one of %v for %v is right", b.Cents,
			b.Tickets, p.cents, p.tickets)
	case b.Due != p.due:
		return fault(CheckPayments, "a cheque is promised until %v, and %v is right", b.Due.Time(), p.due.Time())
	}
	if !bytes.Equal(b.Payee, p.payee) {
		err := fault(CheckPayments, "a cheque is promised to another payee than the end of the session names, or to nobody")
		if err := c.guard(err); err != nil {
			return err
		}
		p.payee = b.Payee
	}
	delete(held.awaited, b.Means)
	if held.due == nil {
		held.due = map[uint64]promise{}
	}
	held.due[c.here()] = p
	return nil
}

// chequeHanded checks that a cheque was due, and that it was handed over by somebody of the
// venue or of the central site.
func (c *checker) chequeHanded(b *record.ChequeHanded) error {
	promised, ok := c.tills.cheques.due[flat(b.Cheque)]
	if !ok {
		return fault(CheckPayments, "cheque %v is handed over, and none is due", b.Cheque)
	}
	who := c.people.person(b.By)
	if who == nil || who.erased || !slices.ContainsFunc(who.duties, func(d duty) bool {
		switch d.role {
		case record.RoleWriter, record.RoleSenior:
			return d.venue == promised.venue
		case record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative:
			return true
		}
		return false
	}) {
		return fault(CheckHouse, "person %d hands over a cheque of venue %d", b.By, promised.venue)
	}
	delete(c.tills.cheques.due, flat(b.Cheque))
	return nil
}
