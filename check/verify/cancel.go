package verify

import (
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// ticketCancelled checks a cancellation: by whom, where and when it may be, what
// goes back, and what prizes that were running on are paid (vic-keno-2015 17,
// tas-keno-2023 8, casino-keno-div2 6; readings cancel-the-whole-rest,
// let-it-run-cancelled).
func (c *checker) ticketCancelled(b *record.TicketCancelled) (postings, error) {
	term, err := c.request(CheckPayments, b.Request.Terminal, b.Request.Number)
	if err != nil {
		return nil, err
	}
	if err := term.enterSession(CheckPayments, b.Request.Terminal, b.Session, b.Series); err != nil {
		return nil, err
	}
	s, t, err := c.cancelling(b)
	if err != nil {
		return nil, err
	}
	if err := c.checkConsent(b, s, term); err != nil {
		return nil, err
	}
	if stop := c.tills.stopped[flat(b.Ticket)]; stop.frozen || stop.disqualified {
		return nil, c.checkStopped(flat(b.Ticket))
	}
	if err := s.checkCancellable(t, term); err != nil && !c.tills.stopped[flat(b.Ticket)].invalid {
		return nil, err
	}
	kept := max(t.first-1, s.closed())
	if kept >= t.last {
		return nil, fault(CheckPayments, "ticket %v has no game that has not closed", b.Ticket)
	}
	if b.Kept != kept {
		return nil, fault(CheckPayments,
			"ticket %v keeps its games up to %d of the series, and %d is the last that has closed", b.Ticket, b.Kept,
			kept)
	}
	refund, carried := t.givesBack(kept + 1)
	unwon := money.Amount(0)
	if c.level >= record.LevelGuarded && carried > 0 && s.unwon(t, kept+1) {
		refund, carried, unwon = refund+carried, 0, carried // It has won nothing and is a stake still.
	}
	if b.UnwonCents != unwon {
		return nil, fault(CheckPayments,
			"it says that %v of ticket %v had run through void games alone, and %v had", b.UnwonCents, b.Ticket, unwon)
	}
	if b.RefundCents != refund || b.CarriedCents != carried {
		return nil, fault(CheckPayments, "it gives back %v and %v that ran on, and for ticket %v %v and %v are right",
			b.RefundCents, b.CarriedCents, b.Ticket, refund, carried)
	}
	if err := s.release(b, t, kept+1); err != nil {
		return nil, err
	}
	to, unit, err := c.settles(CheckPayments, term, b.Request.Terminal, b.Tenders)
	if err != nil {
		return nil, err
	}
	if to != ledger.Cash {
		term.visit.cancelled = append(term.visit.cancelled, inVisit{seq: flat(b.Ticket), cents: refund + carried})
		own := c.tills.unsettled[flat(b.Ticket)] == b.Request.Terminal // Nobody has paid for it yet.
		if own {
			term.visit.undo(flat(b.Ticket), refund)
		}
		came, parts := carried, won(flat(b.Ticket), carried)
		if !own {
			came += refund
			parts = append(parts, c.unstake(flat(b.Ticket), refund)...)
		}
		if came > 0 { // What runs in a game that is being drawn brings nothing now.
			term.visit.bring(flat(b.Ticket), brought{cents: came, claim: t.claim, series: b.Series, parts: parts})
		}
		if err := c.checkMachine(term, s.rulesNow()); err != nil {
			return nil, err
		}
		if err := c.guard(c.machinePays(term, s.rulesNow(), flat(b.Ticket), carried)); err != nil {
			return nil, err
		}
	} else if err := c.cashBack(b, term, s.rulesNow()); err != nil {
		return nil, err
	}
	t.last = kept
	c.tickets.givenBack.set(flat(b.Ticket))
	if kept < t.first {
		c.tickets.allBack.set(flat(b.Ticket))
	}
	c.report.Cancelled++
	c.report.RefundedCents += refund
	c.report.PaidCents += carried
	sum := refund + carried
	return postings{ledger.Debit(ledger.Unplayed, 0, sum), ledger.Credit(to, unit, sum)}, nil
}

// cashBack checks what a cancellation by itself hands out in cash.
func (c *checker) cashBack(b *record.TicketCancelled, term *terminal, r *rules) error {
	parts := append(won(flat(b.Ticket), b.CarriedCents), c.unstake(flat(b.Ticket), b.RefundCents)...)
	counts, objection := c.outInCash(parts, term, r)
	if c.level < record.LevelGuarded {
		// What had been won is paid as a prize; a refund is none (reading
		// refunds-are-not-prizes).
		counts = b.CarriedCents
	}
	if err := c.guard(objection); err != nil || counts == 0 {
		return err
	}
	if err := c.backInCash(parts, counts, term, r); err != nil {
		return err
	}
	return c.payCash(term, counts, r)
}

// undo notes what a ticket gives back in the session that sold it.
func (v *visit) undo(ticket uint64, cents money.Amount) {
	if v.undone == nil {
		v.undone = map[uint64]money.Amount{}
	}
	v.undone[ticket] += cents
}

// cancelling returns the ticket that is cancelled and its series.
func (c *checker) cancelling(b *record.TicketCancelled) (*series, *ticket, error) {
	s := c.series[b.Series]
	if s == nil {
		return nil, nil, fault(CheckPayments, "ticket %v is not of a series that has begun", b.Ticket)
	}
	t := s.tickets.at(flat(b.Ticket))
	if t == nil {
		return nil, nil, fault(CheckPayments, "ticket %v has no game that has not closed", b.Ticket)
	}
	if !c.voids(b) && !c.opens(flat(b.Ticket), t.claim, b.Opening[:]) {
		return nil, nil, fault(CheckPayments, "its opening does not open the claim of ticket %v", b.Ticket)
	}
	return s, t, nil
}

// voids reports whether a cancellation takes back a ticket that was not handed over.
// Nobody holds its code; two persons void it.
func (c *checker) voids(b *record.TicketCancelled) bool {
	return b.Opening == record.Hash{} && c.tills.undelivered[flat(b.Ticket)]
}

// checkConsent checks who has agreed to a cancellation: the holder, at a terminal with a
// key and where the rulebook asks for it within the hours of the venue (vic-keno-2015
// 17(a)(iii), tas-keno-2023 8.1); or a second person, to voiding just this ticket.
func (c *checker) checkConsent(b *record.TicketCancelled, s *series, term *terminal) error {
	if c.voids(b) {
		used := c.people.lastUsed()
		if used.before != c.here() || used.content != contentOf(actionVoid, b.Ticket.String()) {
			return fault(CheckPayments,
				"ticket %v was not handed over and is void, and the record before it does not use a second person's consent to that", b.Ticket)
		}
		if !c.worksAt(used.by, b.Request.Terminal) {
			return fault(CheckPayments,
				"ticket %v is void at terminal %d by person %d, who is neither on shift there nor a senior of the venue", b.Ticket,
				b.Request.Terminal, used.by)
		}
		return nil
	}
	if err := c.checkKeyed(CheckPayments, b.Request.Terminal); err != nil {
		return err
	}
	if policy := s.rulesNow().cancel; policy.TradingHours && !c.trades(term.venue, s.offset) {
		return fault(CheckPayments, "it is cancelled at venue %d outside its hours (%s)", term.venue,
			policy.HoursClause)
	}
	return nil
}

// checkCancellable holds a cancellation to the rulebook under which the ticket was
// sold: same venue, same Keno Day, and not once a long ticket has gone too far
// (vic-keno-2015 17(a), (c); reading two-hundred-first-game).
func (s *series) checkCancellable(t *ticket, term *terminal) error {
	policy := s.policyOf(t)
	switch {
	case policy.SameVenue && term.venue != t.venue:
		return fault(CheckPayments, "it is cancelled at venue %d and was sold at venue %d (%s)", term.venue, t.venue,
			policy.VenueClause)
	case policy.SameDay && (!s.dayOpen || s.day != t.day):
		return fault(CheckPayments, "it is cancelled after %v, the Keno Day of its sale (%s)", t.day, policy.DayClause)
	}
	if policy.LastGame > 0 && t.games > uint32(policy.LastGame) {
		if ordinal := uint64(t.first) + uint64(policy.LastGame); ordinal <= uint64(len(s.games)) &&
			len(s.games[ordinal-1].numbers) > 0 {
			return fault(CheckPayments, "it is cancelled after the first number of its game %d (%s)", policy.LastGame+1,
				policy.LastGameClause)
		}
	}
	return nil
}

// policyOf returns when a ticket may be given back: by the rulebook under which it
// was sold.
func (s *series) policyOf(t *ticket) rulebook.Cancellation { return t.rules().cancel }

// givesBack returns the stakes of a ticket in its games from an ordinal on, and
// what it had won and was to stake in them.
func (t *ticket) givesBack(from uint32) (refund, carried money.Amount) {
	bets := t.all()
	for ordinal := from; ordinal <= t.last; ordinal++ {
		for k := range bets {
			_, s := bets[k].inGame(ordinal - t.first)
			refund += s.total() - s.carried
			carried += s.carried
		}
	}
	return refund, carried
}

// release takes the ticket's stakes on calls off what all tickets stake together,
// and compares with what the record says of it.
func (s *series) release(b *record.TicketCancelled, t *ticket, from uint32) error {
	var due, stated releases
	for _, e := range t.exposures(from) {
		due.add(e.bet+"/"+callNames[e.call], e.ordinal, e.ordinal, e.cents)
		s.called[e.ordinal][e.call] -= e.cents
	}
	for _, r := range b.Released {
		if r.First < from || r.Last > t.last {
			return fault(CheckPayments, "it releases %v on %s in games %d to %d, and the ticket gives up games %d to %d",
				r.Cents, r.Outcome, r.First, r.Last, from, t.last)
		}
		stated.add(r.Outcome, r.First, r.Last, r.Cents)
	}
	if outcome, ordinal, ok := due.differs(stated); ok {
		return fault(CheckPayments, "it releases %v on %s in game %d of the series, and %v is right",
			stated[outcome][ordinal], outcome, ordinal, due[outcome][ordinal])
	}
	return nil
}

// releases are stakes by outcome and game.
type releases map[string]map[uint32]money.Amount

func (r *releases) add(outcome string, first, last uint32, cents money.Amount) {
	if *r == nil {
		*r = make(releases)
	}
	games := (*r)[outcome]
	if games == nil {
		games = make(map[uint32]money.Amount)
		(*r)[outcome] = games
	}
	for ordinal := first; ordinal <= last && ordinal >= first; ordinal++ {
		games[ordinal] += cents
	}
}

// differs returns an outcome and a game in which two releases are not the same.
func (r releases) differs(other releases) (string, uint32, bool) {
	for _, pair := range [2][2]releases{{r, other}, {other, r}} {
		for outcome, games := range pair[0] {
			for ordinal, cents := range games {
				if pair[1][outcome][ordinal] != cents {
					return outcome, ordinal, true
				}
			}
		}
	}
	return "", 0, false
}
