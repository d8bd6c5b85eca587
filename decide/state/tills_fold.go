package state

import (
	"slices"

	"drawhouse/journal/record"
)

// moneyFolds are about sessions, papers, cards, stops, and customers whom the register forgets.
var moneyFolds = []folding{
	on((*State).endSession),
	on((*State).issuePaper),
	on((*State).expirePapers),
	on((*State).reissue),
	plain((*State).setUndelivered),
	on((*State).registerCard),
	on((*State).setCard),
	on((*State).notifyCard),
	plain((*State).freeze),
	on((*State).release),
	on((*State).disqualify),
	on((*State).reinstate),
	plain((*State).invalidate),
	on((*State).forfeit),
	plain(func(s *State, b *record.AnonymitySet) {
		s.tills.anonymous[b.Ticket] = b.Anonymous
		s.noted.held(b.Ticket)
	}),
	on((*State).setLimit),
	on((*State).license),
	on((*State).limitSeries),
	on((*State).moveBank),
	on((*State).countBank),
	plain((*State).nameHolidays),
	on((*State).refuseSale),
	on((*State).disputeRunner),
	on((*State).decideRunner),
	at((*State).promiseCheque),
	on((*State).handCheque),
	at(func(s *State, b *record.HolderErased, now record.Time) error { return s.tills.eraseHolder(b, now) }),
	at(func(s *State, b *record.PayeeErased, now record.Time) error { return s.tills.erasePayee(b, now) }),
}

func (s *State) issuePaper(b *record.InstrumentIssued) error {
	if _, ok := s.series[b.Series]; !ok {
		return cannot("series %d does not exist", b.Series)
	}
	terminal, err := s.issuer(b)
	if err != nil {
		return err
	}
	if b.Reason == record.IssuedForMoney {
		terminal.sellPaper(b)
	}
	in := InSession{Place: s.next, Cents: b.Cents, For: b.For}
	bought := b.Reason == record.IssuedForMoney
	if b.Reason == record.IssuedAsRefund {
		if in.Lots, bought, err = s.tills.replace(terminal.Open, b); err != nil {
			return err
		}
	}
	if terminal.in(issuedIn, in); terminal.Open != nil {
		s.tills.unsettled[s.next] = terminal.ID
	}
	p := &Paper{
		Place: s.next, ID: b.ID, Series: b.Series, Cents: b.Cents, Day: b.Day, LastDay: b.LastDay, Kept: b.Kept,
		Venue: terminal.Venue, Reason: b.Reason, Request: b.Request, Claim: b.Claim, GameType: b.GameType,
		Bought: bought,
	}
	if len(b.Particulars) > 0 {
		p.Payee = record.Hash(b.Particulars)
	}
	s.tills.papers.put(s.next, p)
	s.noted.paper(s.next)
	return nil
}

// issuer returns the terminal that issues a paper. One that is bought, or that the
// operator gives, answers a request; any other is part of the end of a session,
// whose record follows and answers.
func (s *State) issuer(b *record.InstrumentIssued) (*Terminal, error) {
	if b.Reason == record.IssuedForMoney || b.Reason == record.IssuedByOperator {
		return s.answerInSession(b.Request, b.Series, b.Session, len(b.Tenders) > 0 || b.Reason == record.IssuedByOperator)
	}
	terminal, ok := s.terminals[b.Request.Terminal]
	if !ok || b.Session != terminal.NextSession() || len(b.Tenders) > 0 {
		return nil, cannot("a paper in session %d of terminal %d", b.Session, b.Request.Terminal)
	}
	if terminal.Open == nil {
		terminal.Open = &Open{Number: b.Session, Series: b.Series}
		terminal.Session = b.Session
	}
	s.noted.terminal(terminal.ID)
	return terminal, nil
}

func (s *State) expirePapers(b *record.InstrumentsExpired) error {
	for _, x := range b.List {
		p := s.tills.papers.get(x.Instrument)
		if p == nil || p.ID != b.ID || p.Kept == 0 || b.Day <= p.Kept {
			return cannot("paper %v expires on %v as %s", x.Instrument, b.Day, b.ID)
		}
		if err := s.tills.use(x.Instrument, x.Cents); err != nil {
			return err
		}
	}
	return nil
}

func (s *State) reissue(b *record.PaperReissued) error {
	if b.Reason != record.ReissueContinuation { // A continuation is part of a payment.
		if _, err := s.answer(b.Request); err != nil {
			return err
		}
	}
	if b.Reason == record.ReissueCopy {
		s.tills.copied[b.Of] = append(s.tills.copied[b.Of], s.tills.sheets.of(b.Of))
	} else {
		delete(s.tills.copied, b.Of)
	}
	s.tills.sheets.put(b.Of, Sheet{Place: s.next, Request: b.Request, Claim: b.Claim, Reason: b.Reason})
	delete(s.tills.undelivered, b.Of)
	if b.Reason == record.ReissueDuplicate {
		delete(s.claims.lost, b.Of) // Who has the new sheet is its holder, and the lost one opens nothing.
		s.noted.held(b.Of)
	}
	return nil
}

func (s *State) setUndelivered(b *record.PaperUndelivered) {
	s.tills.undelivered[b.Paper] = true
}

func (s *State) registerCard(b *record.CardRegistered) error {
	if s.tills.cards.get(b.Card) != nil {
		return cannot("card %d is registered twice", b.Card)
	}
	s.tills.cards.put(b.Card, &Card{Number: b.Card, Place: s.next, Details: b.Details, Status: record.CardActive})
	s.tills.cardAt[s.next] = b.Card
	s.noted.card(b.Card)
	return nil
}

func (s *State) setCard(b *record.CardStatusSet) error {
	c := s.tills.cards.get(b.Card)
	if c == nil || c.Erased.Done() && b.Status != record.CardClosed {
		return cannot("card %d does not exist, or nobody knows who holds it any more", b.Card)
	}
	s.noted.card(b.Card)
	for id, t := range s.terminals { // What goes back there depends on it.
		if slices.Contains(t.Open.cards(), c.Place) {
			s.noted.terminal(id)
		}
	}
	return s.tills.cards.change(b.Card, func(c *Card) error {
		c.Status, c.Until, c.Barred = b.Status, b.Until, max(c.Barred, b.Until)
		return nil
	})
}

func (s *State) notifyCard(b *record.CardNotified) error {
	if s.tills.cards.get(b.Card) == nil {
		return cannot("card %d does not exist", b.Card)
	}
	return nil
}

func (s *State) freeze(b *record.PaymentFrozen) {
	for _, place := range b.Places {
		stop := s.tills.stops[place]
		stop.Frozen, stop.Reason, stop.Clause = true, b.Reason, b.Clause
		s.setStop(place, stop)
	}
}

func (s *State) release(b *record.PaymentReleased) error {
	for _, place := range b.Places {
		stop, ok := s.tills.stops[place]
		if !ok || !stop.Frozen {
			return cannot("paper %v is released and was not frozen", place)
		}
		stop.Frozen = false
		if !stop.Disqualified && !stop.Invalid {
			stop = Stop{}
		}
		s.setStop(place, stop)
	}
	return s.repay(b.Places, b.PaidCents)
}

func (s *State) disqualify(b *record.TicketDisqualified) error {
	stop := s.tills.stops[b.Ticket]
	if stop.Disqualified {
		return cannot("ticket %v is disqualified twice", b.Ticket)
	}
	stop.Disqualified, stop.Reason, stop.Clause = true, b.Reason, b.Clause
	s.setStop(b.Ticket, stop)
	return nil
}

func (s *State) reinstate(b *record.TicketReinstated) error {
	stop := s.tills.stops[b.Ticket]
	if !stop.Disqualified {
		return cannot("ticket %v is reinstated and was not disqualified", b.Ticket)
	}
	stop.Disqualified = false
	if !stop.Frozen && !stop.Invalid {
		stop = Stop{}
	}
	s.setStop(b.Ticket, stop)
	return nil
}

func (s *State) invalidate(b *record.TicketInvalidated) {
	stop := s.tills.stops[b.Ticket]
	stop.Invalid = true
	if stop.Reason == "" {
		stop.Reason = b.Reason
	}
	s.setStop(b.Ticket, stop)
}

func (s *State) forfeit(b *record.PrizeForfeited) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("series %d does not exist", b.Series)
	}
	if _, err := s.answer(b.Request); err != nil {
		return err
	}
	// Stakes are not forfeited; before the guards they were.
	return s.payParts(series, b.Ticket, b.Parts, !s.Guarded(), s.tills.forfeit)
}

func (s *State) setLimit(b *record.VenueLimitSet) error {
	v, ok := s.venues[b.Venue]
	if !ok {
		return cannot("venue %d does not exist", b.Venue)
	}
	v.CashLimit = b.Cents
	s.venues[b.Venue] = v
	s.noted.whole(allVenues)
	return nil
}
