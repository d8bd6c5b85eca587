package verify

import (
	"slices"
	"sort"

	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
)

// ticketPaid checks a payment: each part is the prize of a play that won, whose
// game is settled and which was not paid before (vic-keno-2015 20(c), 21(d)).
func (c *checker) ticketPaid(b *record.TicketPaid) (postings, error) {
	term, err := c.request(CheckPayments, b.Request.Terminal, b.Request.Number)
	if err != nil {
		return nil, err
	}
	if err := term.enterSession(CheckPayments, b.Request.Terminal, b.Session); err != nil {
		return nil, err
	}
	if b.Ticket.Volume != c.house.Volume {
		return nil, fault(CheckPayments, "ticket %v is not of this volume", b.Ticket)
	}
	if err := c.checkStopped(b.Ticket.Seq); err != nil {
		return nil, err
	}
	var sum, majors money.Amount
	var payer *rules
	for _, part := range b.Parts {
		var major money.Amount
		if payer, major, err = c.payPart(b, part); err != nil {
			return nil, err
		}
		sum += part.Cents // What was won fits, so its parts do.
		majors += major
	}
	if b.MajorCents != majors {
		return nil, fault(CheckPayments, "it states %v of major prizes, and %v is right", b.MajorCents, majors)
	}
	if b.RefundCents != 0 {
		return nil, fault(CheckPayments, "it gives back %v of a void game, and none of the ticket's was", b.RefundCents)
	}
	to, unit, err := c.settles(CheckPayments, term, b.Request.Terminal, b.Tenders)
	if err != nil {
		return nil, err
	}
	if to == ledger.Cash {
		if err := c.payCash(term, sum, payer); err != nil {
			return nil, err
		}
	} else {
		term.visit.paid = append(term.visit.paid, inVisit{b.Ticket.Seq, sum})
		term.visit.majors += majors
	}
	c.lastPaid = lastPaid{c.seq + 1, b.Ticket, b.Request.Terminal}
	c.report.Payments++
	c.report.PaidCents += sum
	return postings{ledger.Debit(ledger.Prizes, 0, sum), ledger.Credit(to, unit, sum)}, nil
}

// lastPaid is the last payment: what a bonus that follows it belongs to.
type lastPaid struct {
	next     uint64 // the sequence number after it
	ticket   record.Place
	terminal uint32
}

// payPart checks the payment of one play and marks it as paid.
func (c *checker) payPart(b *record.TicketPaid, part record.PaidPart) (*rules, money.Amount, error) {
	ticket := b.Ticket
	s, g, won := c.findPrize(b.Series, ticket.Seq, part.Ordinal)
	switch {
	case won == nil && s != nil:
		return nil, 0, fault(CheckPayments, "ticket %v is paid for game %d of its series before that game is settled", ticket, part.Ordinal)
	case won == nil:
		return nil, 0, fault(CheckPayments, "ticket %v has no prize in game %d of its series", ticket, part.Ordinal)
	case !c.opens(ticket.Seq, won.claim, b.Opening[:]):
		return nil, 0, fault(CheckPayments, "its opening does not open the claim of ticket %v", ticket)
	case won.paid == won.cents:
		return nil, 0, fault(CheckPayments, "the prize of ticket %v in game %v was paid already by record %v", ticket, g.name, record.Place{Volume: c.house.Volume, Seq: won.by - 1})
	case won.cents-won.paid != part.Cents:
		return nil, 0, fault(CheckPayments, "it pays %v for ticket %v in game %v, and the prize is %v", part.Cents, ticket, g.name, won.cents-won.paid)
	}
	if err := c.checkPeriod(s, g); err != nil {
		return nil, 0, err
	}
	// A first payment is of the whole, and what comes later is no schedule's prize.
	major := won.major
	if won.paid > 0 {
		major = 0
	}
	won.paid, won.by = won.cents, c.seq+1
	return g.terms.rules, major, nil
}

// findPrize returns the play of a ticket in a game, if it won. If the game is
// still to be settled it returns the series alone.
func (c *checker) findPrize(id uint8, seq uint64, ordinal uint32) (*series, *game, *winner) {
	s := c.series[id]
	if s == nil {
		return nil, nil, nil
	}
	if uint64(ordinal) <= uint64(len(s.games)) && s.games[ordinal-1].stage == stageSettled {
		g := s.games[ordinal-1]
		if won := g.winnerAt(seq); won != nil {
			return s, g, won
		}
		return nil, nil, nil
	}
	if t := s.ticketAt(seq); t != nil && t.covers(ordinal) {
		return s, nil, nil
	}
	return nil, nil, nil
}

func (g *game) winnerAt(seq uint64) *winner {
	i := sort.Search(len(g.winners), func(i int) bool { return g.winners[i].seq >= seq })
	if i == len(g.winners) || g.winners[i].seq != seq {
		return nil
	}
	return &g.winners[i]
}

// unpaid adds up the prizes of the game that were not paid.
func (g *game) unpaid() money.Amount {
	var sum money.Amount
	for _, won := range g.winners {
		sum += won.cents - won.paid
	}
	return sum
}

// checkPeriod checks that a prize is paid at a venue within the months that it
// is payable there, counted from the game's Keno Day (21(d)(i)). Trading after
// midnight belongs to the Keno Day that is open.
func (c *checker) checkPeriod(s *series, g *game) error {
	period := g.terms.rules.payout.Period
	last, err := g.name.Day.AddMonths(12*period.Years + period.Months)
	if err == nil {
		last, err = last.AddDays(period.Days)
	}
	if err != nil {
		return fault(CheckPayments, "the last day to pay game %v: %v", g.name, err)
	}
	today := localDate(c.now, s.offset)
	if s.dayOpen {
		today = min(today, s.day)
	}
	if g.delayed && g.terms.rules.games.Delayed.PaidNextDay && today <= g.name.Day {
		return fault(CheckPayments, "it pays game %v of delayed start on its own Keno Day (%s)", g.name, g.terms.rules.games.Delayed.Clause)
	}
	if today > last {
		return fault(CheckPayments, "it pays game %v on %v, and the last day was %v (%s)", g.name, today, last, period.Clause)
	}
	return nil
}

// payCash checks that a payment by itself is one that may be in cash: within what the
// rulebook and the venue allow, and not from where on something else is issued
// (vic-keno-2015 21(d)(i), tas-keno-2023 13.7).
func (c *checker) payCash(term *terminal, sum money.Amount, r *rules) error {
	term.paidCash += sum
	own := slices.ContainsFunc(r.payout.Methods, func(m rulebook.PayoutMethod) bool { return m.Channel == term.channel })
	for _, m := range r.payout.Methods {
		limit := c.tills.limits[term.venue]
		switch {
		case m.ID == "cash" && own && m.Channel != term.channel:
			return fault(CheckPayments, "cash is not paid at terminals of its kind (%s)", r.payout.Clause)
		case m.ID == "cash" && m.Of == "session" && m.UpTo != nil && term.paidCash > m.UpTo.Amount():
			return fault(CheckPayments, "its session pays %v in cash, and %v is the most (%s)", term.paidCash, m.UpTo.Amount(), m.Clause)
		case m.ID == "cash" && m.VenueLimit && limit > 0 && term.paidCash > limit:
			return fault(CheckPayments, "its session pays %v in cash, and the venue's limit is %v (%s)", term.paidCash, limit, m.Clause)
		case m.From != nil && term.paidCash >= m.From.Amount() && limit == 0:
			return fault(CheckPayments, "its session pays %v in cash, and from %v on there is a %s (%s)", term.paidCash, m.From.Amount(), m.ID, m.Clause)
		}
	}
	return nil
}
