package verify

import (
	"drawhouse/ledger"
	"drawhouse/record"
	"drawhouse/rulebook"
)

// ticketSold checks a sale: who asked, for which game, at what price, and that it
// was paid for (vic-keno-2015 9(h), 11, 17(b)).
func (c *checker) ticketSold(b *record.TicketSold) (postings, error) {
	term, err := c.request(CheckRequests, b.Request.Terminal, b.Request.Number)
	if err != nil {
		return nil, err
	}
	if err := term.enterSession(CheckRequests, b.Request.Terminal, b.Session); err != nil {
		return nil, err
	}
	s := c.series[b.Series]
	if s == nil {
		return nil, fault(CheckRequests, "series %d has not begun", b.Series)
	}
	g, err := s.selling(b.Ordinal)
	if err != nil {
		return nil, err
	}
	form, err := readTicket(b.Ticket)
	if err != nil {
		return nil, fault(CheckRequests, "its ticket cannot be read: %v", err)
	}
	if form.day != g.name.Day || form.game != g.name.Number {
		return nil, fault(CheckRequests, "its ticket begins with game %v, and game %d of the series is %v", record.Game{Day: form.day, Number: form.game}, b.Ordinal, g.name)
	}
	if form.games-1 > ^uint32(0)-b.Ordinal {
		return nil, fault(CheckRequests, "its ticket has more games than there can be")
	}
	cost, err := s.rules.judge(&form, term.channel, rulebook.Method(b.Method), &c.counter)
	if err != nil {
		return nil, fault(CheckRequests, "%v", err)
	}
	if ways := form.ways(); ways != uint64(b.Ways) {
		return nil, fault(CheckRequests, "it counts %d ways in a game, and its bets have %d", b.Ways, ways)
	}
	if cost != b.CostCents {
		return nil, fault(CheckRequests, "it was sold for %v, and its bets cost %v", b.CostCents, cost)
	}
	if err := c.checkTender(b, s, term); err != nil {
		return nil, err
	}
	s.tickets = append(s.tickets, ticket{seq: c.seq, claim: b.Claim, first: b.Ordinal, last: b.Ordinal + form.games - 1, bets: form.bets})
	c.report.Tickets++
	c.report.SoldCents += cost
	return postings{ledger.Debit(ledger.Cash, term.venue, cost), ledger.Credit(ledger.Unplayed, 0, cost)}, nil
}

// checkTender checks that a sale was paid for, in a way that is accepted, and
// ends the session. That the tenders come to the cost is part of the record's
// form; that there are any is not, and credit is forbidden (11(b)).
func (c *checker) checkTender(b *record.TicketSold, s *series, term *terminal) error {
	if len(b.Tenders) == 0 {
		return fault(CheckRequests, "nothing was paid for it")
	}
	for _, tender := range b.Tenders {
		if tender.Kind != record.TenderCash || !s.rules.takesCash(term.channel, term.kind) {
			return fault(CheckRequests, "tender %d is not accepted at terminal %d", tender.Kind, b.Request.Terminal)
		}
	}
	term.ended = true
	return nil
}
