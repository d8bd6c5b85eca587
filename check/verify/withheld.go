package verify

import (
	"maps"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// brought is what a ticket brought into a session: prizes, bonuses, and the refund of what
// an earlier session had sold.
type brought struct {
	cents, majors money.Amount
	claim         record.Hash // that opens it
	series        uint8
	parts         []part // the same by origin
}

// and adds what the same ticket brought later.
func (b brought) and(more brought) brought {
	more.cents += b.cents
	more.majors += b.majors
	more.parts = slices.Concat(b.parts, more.parts)
	return more
}

// bring adds to what a ticket brought.
func (v *visit) bring(seq uint64, more brought) {
	if v.brought == nil {
		v.brought = map[uint64]brought{}
	}
	b := v.brought[seq]
	v.brought[seq] = b.and(more)
}

// exitVisit objects to the end of a session that hands out what a ticket has brought on
// which payment is stopped, or anything at a terminal that was shut out.
func (c *checker) exitVisit(b *record.SessionEnded) error {
	term := c.terminals[b.Request.Terminal]
	if term == nil || term.visit == nil {
		return nil
	}
	for _, seq := range slices.Sorted(maps.Keys(term.visit.brought)) {
		s, shut := c.tills.stopped[seq], c.people.shutOut(b.Request.Terminal)
		if !s.frozen && !s.disqualified && !shut {
			continue
		}
		if !slices.ContainsFunc(b.Tenders, func(t record.Settlement) bool {
			return t.Kind == record.TenderWithheld && flat(t.Instrument) == seq
		}) {
			if shut {
				return fault(CheckPayments, "terminal %d was shut out, and the session hands out the %v that %v has brought",
					b.Request.Terminal, term.visit.brought[seq].cents, placeOf(seq))
			}
			return fault(CheckPayments, "payment on %v is stopped, and the session hands out the %v that it has brought",
				placeOf(seq), term.visit.brought[seq].cents)
		}
	}
	return nil
}

// withhold checks that what is withheld is what a stopped ticket has brought, all of it.
// It takes the ticket out of what the session pays.
func (c *checker) withhold(e *ending, t *record.Settlement) error {
	seq := flat(t.Instrument)
	came := e.visit.brought[seq]
	switch s := c.tills.stopped[seq]; {
	case !s.frozen && !s.disqualified && !c.people.shutOut(e.Request.Terminal):
		return fault(CheckPayments, "the money of ticket %v is withheld, and nothing stops its payment", t.Instrument)
	case came.cents == 0 || came.cents != -t.Cents || e.withheld[seq]:
		return fault(CheckPayments, "%v of ticket %v are withheld, and it has brought %v", -t.Cents, t.Instrument,
			came.cents)
	}
	if e.withheld == nil {
		e.withheld = map[uint64]bool{}
	}
	e.withheld[seq] = true
	c.tills.withheld[seq] = c.tills.withheld[seq].and(came)
	e.visit.majors -= came.majors
	c.tills.machines[seq] -= e.visit.machine[seq]
	e.move(ledger.Withheld, 0, t.Cents)
	return nil
}

// dropWithheld takes what is withheld out of what was paid in the session: no rule about
// the means of paying counts it.
func (e *ending) dropWithheld() {
	held := func(in inVisit) bool { return e.withheld[in.seq] }
	e.visit.paid = slices.DeleteFunc(slices.Clone(e.visit.paid), held)
}

// handOut checks that what was withheld of a ticket is paid, whole.
func (c *checker) handOut(ticket record.Place, series uint8, cents money.Amount) (brought, error) {
	held := c.tills.withheld[flat(ticket)]
	if held.cents != cents || held.series != series {
		return held, fault(CheckPayments,
			"ticket %v is paid %v that was withheld, and %v was", ticket, cents, held.cents)
	}
	delete(c.tills.withheld, flat(ticket))
	return held, nil
}

// takePrizes checks that all prizes of what was withheld of a ticket are taken, and leaves the
// stakes.
func (c *checker) takePrizes(ticket record.Place, series uint8, cents money.Amount) error {
	held := c.tills.withheld[flat(ticket)]
	var won money.Amount
	var stakes []part
	for _, p := range held.parts {
		if p.id == originPrize {
			won += p.cents
		} else {
			stakes = append(stakes, p)
		}
	}
	if won != cents || held.series != series {
		return fault(CheckPayments, "%v of ticket %v that were withheld are forfeited, and its prizes among it are %v",
			cents, ticket, won)
	}
	held.cents, held.majors, held.parts = held.cents-won, 0, stakes
	if c.tills.withheld[flat(ticket)] = held; held.cents == 0 {
		delete(c.tills.withheld, flat(ticket))
	}
	return nil
}

// withheldCents returns what the ends of sessions have withheld and nobody was paid since.
func (t *tills) withheldCents() (held money.Amount) {
	for _, w := range t.withheld {
		held += w.cents
	}
	return held
}
