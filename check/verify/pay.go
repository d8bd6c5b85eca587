package verify

import (
	"slices"
	"sort"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// ticketPaid checks a payment: each part is the prize of a play that won, whose
// game is settled and which was not paid before (vic-keno-2015 20(c), 21(d)).
func (c *checker) ticketPaid(b *record.TicketPaid) (postings, error) {
	term, err := c.request(CheckPayments, b.Request.Terminal, b.Request.Number)
	if err == nil {
		err = c.checkKeyed(CheckPayments, b.Request.Terminal)
	}
	if err != nil {
		return nil, err
	}
	if err := term.enterSession(CheckPayments, b.Request.Terminal, b.Session, b.Series); err != nil {
		return nil, err
	}
	if err := c.checkStopped(flat(b.Ticket)); err != nil {
		return nil, err
	}
	var sum, majors, back, held money.Amount
	var parts []part
	var payer *rules
	var claim record.Hash
	for _, part := range b.Parts {
		if part.Ordinal == 0 {
			was, err := c.handOut(b.Ticket, b.Series, part.Cents)
			if err != nil {
				return nil, err
			}
			if !c.opens(flat(b.Ticket), was.claim, b.Opening[:]) {
				return nil, fault(CheckPayments, "its opening does not open the claim of ticket %v", b.Ticket)
			}
			payer = c.series[b.Series].rulesNow()
			claim, held, sum, majors = was.claim, part.Cents, sum+part.Cents, majors+was.majors
			parts = append(parts, was.parts...)
			continue
		}
		paid, err := c.payPart(b, part)
		if err != nil {
			return nil, err
		}
		payer, claim = paid.by, paid.claim
		sum += part.Cents // What was won fits, so its parts do.
		majors += paid.major
		back += paid.refund
	}
	if b.MajorCents != majors {
		return nil, fault(CheckPayments, "it states %v of major prizes, and %v is right", b.MajorCents, majors)
	}
	if b.RefundCents != back {
		return nil, fault(CheckPayments, "it gives back %v of void games, and %v is right", b.RefundCents, back)
	}
	to, unit, err := c.settles(CheckPayments, term, b.Request.Terminal, b.Tenders)
	if err != nil {
		return nil, err
	}
	parts = append(parts, won(flat(b.Ticket), sum-back-held)...)
	// What the session itself has sold, nobody has paid for yet.
	own := to != ledger.Cash && c.level >= record.LevelGuarded &&
		c.tills.unsettled[flat(b.Ticket)] == b.Request.Terminal
	switch {
	case back == 0:
	case own:
		term.visit.undo(flat(b.Ticket), back)
	default:
		parts = append(parts, c.unstake(flat(b.Ticket), back)...)
	}
	if to == ledger.Cash {
		counts, objection := c.outInCash(parts, term, payer)
		if c.level < record.LevelGuarded {
			counts = sum - back // A refund is no prize (reading refunds-are-not-prizes).
		}
		if err := c.guard(objection); err != nil {
			return nil, err
		}
		if err := c.backInCash(parts, counts, term, payer); err != nil {
			return nil, err
		}
		if err := c.payCash(term, counts, payer); err != nil {
			return nil, err
		}
	} else {
		came := sum
		if own {
			came -= back
		}
		term.visit.paid = append(term.visit.paid, inVisit{seq: flat(b.Ticket), cents: sum - back, none: came == 0})
		term.visit.majors += majors
		if came > 0 {
			term.visit.bring(flat(b.Ticket),
				brought{cents: came, majors: majors, claim: claim, series: b.Series, parts: parts})
		}
		if err := c.checkMachine(term, payer); err != nil {
			return nil, err
		}
		if err := c.guard(c.machinePays(term, payer, flat(b.Ticket), came)); err != nil {
			return nil, err
		}
	}
	c.tickets.lastPaid = lastPaid{next: c.here() + 1, ticket: b.Ticket, terminal: b.Request.Terminal,
		kept: c.series[b.Series].keepsPaper(flat(b.Ticket))}
	c.tickets.presented.set(flat(b.Ticket))
	c.report.Payments++
	c.report.PaidCents += sum - back - held // What was withheld was counted when it came.
	c.report.RefundedCents += back
	return postings{
		ledger.Debit(ledger.Prizes, 0, sum-back-held), ledger.Debit(ledger.Refunds, 0, back),
		ledger.Debit(ledger.Withheld, 0, held), ledger.Credit(to, unit, sum),
	}, nil
}

// lastPaid is the last payment: what a bonus and another sheet that follow it belong to.
type lastPaid struct {
	next     uint64 // the place after it
	ticket   record.Place
	terminal uint32
	bonus    uint64 // the place of the bonus that followed, or 0
	kept     bool   // the writer keeps the paper, and games are to come: another sheet must follow
}

// keepsPaper reports whether the writer keeps the paper of a ticket that is paid while games of it
// are to come (casino-keno-div2 8.5).
func (s *series) keepsPaper(seq uint64) bool {
	t := s.tickets.at(seq)
	if t == nil || t.last < t.first || !s.rulesNow().payout.KeepsTicket {
		return false // One that was cancelled before its first game has none to come.
	}
	return int(t.last) > len(s.games) || !s.games[t.last-1].stage.over()
}

// checkContinued objects to whatever follows the payment of a ticket whose paper the writer keeps,
// and is not the sheet on which its games go on: the player would have nothing to show.
func (c *checker) checkContinued(body record.Body) error {
	if p := c.tickets.lastPaid; !p.kept || !p.goesOn(c.here()) {
		return nil
	}
	switch b := body.(type) {
	case *record.BonusAllocated:
		return nil // It belongs to the payment too.
	case *record.PaperReissued:
		if b.Reason == record.ReissueContinuation {
			return nil
		}
	}
	return fault(CheckPayments, "the writer keeps the paper of ticket %v, and no sheet follows on which its games go on",
		c.tickets.lastPaid.ticket)
}

// goesOn reports whether a place is that of the sheet on which the games of a ticket go on:
// it follows the payment, or the bonus of the payment.
func (p lastPaid) goesOn(here uint64) bool {
	return here == p.next || p.bonus != 0 && here == p.bonus+1
}

// paidPart is what one part of a payment comes to.
type paidPart struct {
	by     *rules
	claim  record.Hash
	major  money.Amount // of it, prizes of ways that are paid otherwise
	refund money.Amount // of it, stakes of a void game
}

// payPart checks the payment of one play and marks it as paid.
func (c *checker) payPart(b *record.TicketPaid, part record.PaidPart) (paidPart, error) {
	ticket := b.Ticket
	s, g := c.settledGame(b.Series, part.Ordinal)
	if g == nil {
		if s != nil && s.isIn(flat(ticket), part.Ordinal) {
			return paidPart{}, fault(CheckPayments,
				"ticket %v is paid for game %d of its series before that game is settled", ticket, part.Ordinal)
		}
		return paidPart{}, fault(CheckPayments, "ticket %v has no prize in game %d of its series", ticket, part.Ordinal)
	}
	won, back := g.winnerAt(flat(ticket)), g.refundOf(flat(ticket))
	due := owed(won, back)
	late := c.checkPeriod(s, g)
	if err := g.checkUnclaimed(); err != nil {
		late = err
	}
	if late != nil && due.refund > 0 && c.level >= record.LevelGuarded {
		due.prize, won, late = 0, nil, nil // A stake that goes back stays the player's; what was won has to be claimed.
	}
	switch {
	case won == nil && back == nil:
		return paidPart{}, fault(CheckPayments, "ticket %v has no prize in game %d of its series", ticket, part.Ordinal)
	case due.prize+due.refund == 0:
		return paidPart{}, fault(CheckPayments,
			"the prize of ticket %v in game %v was paid already by record %v", ticket, g.name, placeOf(due.by-1))
	case !c.opens(flat(ticket), due.claim, b.Opening[:]):
		return paidPart{}, fault(CheckPayments, "its opening does not open the claim of ticket %v", ticket)
	case due.prize+due.refund != part.Cents:
		return paidPart{}, fault(CheckPayments,
			"it pays %v for ticket %v in game %v, and the prize is %v", part.Cents, ticket, g.name,
			due.prize+due.refund)
	}
	if late != nil {
		return paidPart{}, late
	}
	if w := c.unagreed(g.endedAt); w != nil {
		return paidPart{}, fault(CheckPayments,
			"ticket %v is paid for game %v, to whose result %s has not agreed", ticket, g.name, w.name)
	}
	paid := paidPart{by: g.terms.rules, claim: due.claim, refund: due.refund}
	if won != nil {
		// Of what comes later no more can be of major prizes than there is.
		paid.major = min(won.major, due.prize)
		c.pay(g, won)
	}
	if back != nil {
		back.by = c.here() + 1
	}
	return paid, nil
}

// dues are what a ticket is still owed for a game, and by which record it was paid
// last.
type dues struct {
	claim         record.Hash
	prize, refund money.Amount
	by            uint64
}

// owed returns what is left of a prize and a refund, each of which may be none.
func owed(won *winner, back *refund) dues {
	var d dues
	if won != nil {
		d.claim, d.prize, d.by = won.claim, won.left(), won.by
	}
	if back != nil {
		d.claim = back.claim
		if back.by == 0 {
			d.refund = back.cents
		}
		d.by = max(d.by, back.by)
	}
	return d
}

// settledGame returns the game of an ordinal if it is settled or void. If it is not
// it returns the series alone.
func (c *checker) settledGame(id uint8, ordinal uint32) (*series, *game) {
	s := c.series[id]
	if s == nil || ordinal == 0 || uint64(ordinal) > uint64(len(s.games)) || !s.games[ordinal-1].stage.over() {
		return s, nil
	}
	return s, s.games[ordinal-1]
}

// isIn reports whether a ticket is in a game that is still to be settled.
func (s *series) isIn(seq uint64, ordinal uint32) bool {
	t := s.tickets.at(seq)
	return t != nil && t.covers(ordinal)
}

// winnerAt returns the play of a ticket if it won, or nil.
func (g *game) winnerAt(seq uint64) *winner {
	if won := g.openAt(seq); won != nil {
		return won
	}
	for won := range g.paid.all() {
		if won.seq == seq {
			return &won
		}
	}
	return nil
}

// openAt is winnerAt for plays on which something may be owed.
func (g *game) openAt(seq uint64) *winner {
	i := sort.Search(len(g.winners), func(i int) bool { return g.winners[i].seq >= seq })
	if i == len(g.winners) || g.winners[i].seq != seq {
		return nil
	}
	return &g.winners[i]
}

// checkPeriod checks that a prize is paid at a venue within the months that it
// is payable there, counted from the Keno Day of its wins (21(d)(i)). Trading after
// midnight belongs to the Keno Day that is open.
func (c *checker) checkPeriod(s *series, g *game) error {
	period := g.terms.rules.payout.Period
	last, err := g.wonOn().AddMonths(12*period.Years + period.Months)
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
		return fault(CheckPayments, "it pays game %v of delayed start on its own Keno Day (%s)", g.name,
			g.terms.rules.games.Delayed.Clause)
	}
	if today > last {
		return fault(CheckPayments, "it pays game %v on %v, and the last day was %v (%s)", g.name, today, last,
			period.Clause)
	}
	return nil
}

// waysOf returns the ways of paying at a kind of venue: where any names it, those alone
// (tas-keno-2023 13.7(b)(i)).
func (r *rules) waysOf(kind rulebook.VenueKind) []rulebook.PayoutMethod {
	named, common := []rulebook.PayoutMethod{}, []rulebook.PayoutMethod{}
	for _, m := range r.payout.Methods {
		switch {
		case len(m.Venues) == 0:
			common = append(common, m)
		case slices.Contains(m.Venues, kind):
			named = append(named, m)
		}
	}
	if len(named) == 0 {
		return common
	}
	return named
}

// payCash checks that a payment by itself is one that may be in cash: within what the
// rulebook and the venue allow, and not from where on something else is issued
// (vic-keno-2015 21(d)(i), tas-keno-2023 13.7).
func (c *checker) payCash(term *terminal, sum money.Amount, r *rules) error {
	term.paidCash += sum
	ways := r.waysOf(term.kind)
	own := slices.ContainsFunc(ways, func(m rulebook.PayoutMethod) bool { return m.Channel == term.channel })
	if !slices.ContainsFunc(ways, func(m rulebook.PayoutMethod) bool { return m.ID == "cash" }) {
		return fault(CheckPayments, "cash is not paid at venues of its kind (%s)", r.payout.Clause)
	}
	for _, m := range ways {
		limit := c.tills.limits[term.venue]
		switch {
		case m.ID == "cash" && own && m.Channel != term.channel:
			return fault(CheckPayments, "cash is not paid at terminals of its kind (%s)", r.payout.Clause)
		case m.ID == "cash" && m.Of == "session" && m.UpTo != nil && term.paidCash > m.UpTo.Amount():
			return fault(CheckPayments, "its session pays %v in cash, and %v is the most (%s)", term.paidCash,
				m.UpTo.Amount(), m.Clause)
		case m.ID == "cash" && m.VenueLimit && limit > 0 && term.paidCash > limit:
			return fault(CheckPayments, "its session pays %v in cash, and the venue's limit is %v (%s)", term.paidCash,
				limit, m.Clause)
		case m.From != nil && term.paidCash >= m.From.Amount() && limit == 0:
			return fault(CheckPayments, "its session pays %v in cash, and from %v on there is a %s (%s)", term.paidCash,
				m.From.Amount(), m.ID, m.Clause)
		}
	}
	return nil
}
