package verify

import (
	"slices"

	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
)

// An ending is the end of a session under check: what went in and out by each means.
type ending struct {
	*record.SessionEnded
	term     *terminal
	visit    visit
	series   *series
	rules    *rules
	vouchers money.Amount // used whole, without change
	// exchanged is what papers brought that only some venues turn into money.
	exchanged money.Amount
	out       map[string]money.Amount // by the rulebook's name of the means
	withheld  map[uint64]bool         // tickets whose money stays in the house
	due       postings
}

// sessionEnded checks how a session was settled (vic-keno-2015 11(a), 11(b), 21(d)(i);
// tas-keno-2023 12.1, 13; casino-keno-div2 4.1, 8.11).
func (c *checker) sessionEnded(b *record.SessionEnded) (postings, error) {
	term, err := c.request(CheckPayments, b.Request.Terminal, b.Request.Number)
	if err == nil {
		err = c.unwound(b)
	}
	if err != nil {
		return nil, err
	}
	if err := term.enterSession(CheckPayments, b.Request.Terminal, b.Session); err != nil {
		return nil, err
	}
	e := &ending{SessionEnded: b, term: term, out: map[string]money.Amount{}}
	if term.visit != nil {
		e.visit = *term.visit
	}
	term.visit, term.ended = nil, true
	for _, s := range c.series {
		if s != nil {
			e.series, e.rules = s, s.termsAt(uint32(len(s.games))).rules
			break
		}
	}
	if e.series == nil {
		return nil, fault(CheckPayments, "a session ends where no series has begun")
	}
	if b.Day != e.series.day {
		return nil, fault(CheckPayments, "it is of %v, and the Keno Day is %v", b.Day, e.series.day)
	}
	e.papersOut(c)
	var sum money.Amount
	for i := range b.Tenders {
		if err := c.tendered(e, &b.Tenders[i]); err != nil {
			return nil, err
		}
		sum += b.Tenders[i].Cents
	}
	e.dropWithheld()
	if owed := c.books.account(ledger.Customer, b.Request.Terminal).balance; owed != sum {
		return nil, fault(CheckPayments, "the customer owes %v, and the tenders come to %v", owed, sum)
	}
	if stakes := sumOf(e.visit.sold); e.vouchers > stakes {
		return nil, fault(CheckPayments, "vouchers of %v pay for tickets of %v, and give no change", e.vouchers, stakes)
	}
	if err := c.fundedBy(e); err != nil {
		return nil, err
	}
	if err := c.checkPay(e); err != nil {
		return nil, err
	}
	c.linkSession(e)
	c.awaitCheques(e)
	return append(e.due, ledger.Credit(ledger.Customer, b.Request.Terminal, sum)), nil
}

// unwound checks the end of a session at a terminal that was shut out: one that was open is
// ended by two persons, nothing leaves the house, and what comes is cash.
func (c *checker) unwound(b *record.SessionEnded) error {
	shut := c.checkKeyed(CheckPayments, b.Request.Terminal)
	if shut == nil {
		return nil
	}
	if c.terminals[b.Request.Terminal].visit == nil {
		return shut
	}
	for _, t := range b.Tenders {
		if t.Kind != record.TenderWithheld && t.Kind != record.TenderUnpaid && (t.Kind != record.TenderCash || t.Cents < 0) {
			return fault(CheckPayments, "terminal %d was shut out, and its session ends with a tender of kind %d and %v", b.Request.Terminal, t.Kind, t.Cents)
		}
	}
	return nil
}

// cashOf returns what the end of a session takes in cash.
func cashOf(b *record.SessionEnded) (sum money.Amount) {
	for _, t := range b.Tenders {
		if t.Kind == record.TenderCash {
			sum += t.Cents
		}
	}
	return sum
}

// papersOut counts the papers that the end has issued: they stand before it, with its
// request.
func (e *ending) papersOut(c *checker) {
	for seq := c.here(); seq > 0; seq-- {
		p := c.tills.papers[seq-1]
		if p == nil || c.tills.endings[seq-1] != (requestKey{e.Request.Terminal, e.Request.Number}) {
			return
		}
		if !c.tills.refunds[seq-1] {
			e.out[p.id] += p.cents
		}
	}
}

// tendered checks one payment.
func (c *checker) tendered(e *ending, t *record.Settlement) error {
	accepts := func(id string) bool { return e.rules.accepts(id, e.term) }
	switch t.Kind {
	case record.TenderCash:
		if t.Cents < 0 {
			e.out["cash"] -= t.Cents
		} else if !accepts("cash") {
			return fault(CheckPayments, "cash does not pay at terminal %d", e.Request.Terminal)
		}
		e.move(ledger.Cash, e.term.venue, t.Cents)
	case record.TenderChips:
		if t.Cents < 0 || !accepts("chips") {
			return fault(CheckPayments, "chips do not pay at terminal %d", e.Request.Terminal)
		}
		e.move(ledger.Chips, e.term.venue, t.Cents)
	case record.TenderInstrument:
		return c.paperUsed(e, t, accepts)
	case record.TenderCard:
		return c.cardUsed(e, t)
	case record.TenderCheque:
		e.out["cheque"] -= t.Cents
		e.move(ledger.Bank, 0, t.Cents)
	case record.TenderTransfer:
		e.out["transfer"] -= t.Cents
		e.move(ledger.Bank, 0, t.Cents)
	case record.TenderSiteCheque:
		e.out["site_cheque"] -= t.Cents
		e.move(ledger.SiteCheques, e.term.venue, t.Cents)
	case record.TenderWithheld:
		return c.withhold(e, t)
	case record.TenderUnpaid:
		for _, in := range e.visit.sold {
			if !c.tills.stopped[in.seq].frozen { // One that is frozen already stays so.
				c.tills.unpaid = append(c.tills.unpaid, in.seq)
			}
		}
		e.move(ledger.VenueLosses, e.term.venue, t.Cents)
	}
	return nil
}

func (e *ending) move(account ledger.Account, unit uint32, cents money.Amount) {
	e.due = append(e.due, ledger.Debit(account, unit, cents))
}

// accepts reports whether something pays for tickets at a terminal.
func (r *rules) accepts(id string, term *terminal) bool {
	for _, t := range r.book.Tenders() {
		if t.Channel == term.channel && (len(t.Venues) == 0 || slices.Contains(t.Venues, term.kind)) {
			return slices.Contains(t.Accept, id)
		}
	}
	return false
}

// paperUsed checks a paper that is used: it is out, whole, in time, and opened.
func (c *checker) paperUsed(e *ending, t *record.Settlement, accepts func(string) bool) error {
	p := c.tills.papers[flat(t.Instrument)]
	if p == nil || p.cents != t.Cents {
		return fault(CheckPayments, "paper %v is not out with %v", t.Instrument, t.Cents)
	}
	if err := c.checkStopped(flat(t.Instrument)); err != nil {
		return err
	}
	kind, _ := e.rules.book.Instrument(p.id)
	today := e.series.today(c.now)
	switch {
	case !c.opens(flat(t.Instrument), p.claim, t.Opening):
		return fault(CheckPayments, "its opening does not open the claim of paper %v", t.Instrument)
	case p.last != 0 && today > p.last:
		return fault(CheckPayments, "paper %v was good to %v (%s)", t.Instrument, p.last, kind.Clause)
	case t.Refund && (!kind.RefundSameVenueDay || !p.bought || p.venue != e.term.venue || p.day != today):
		return fault(CheckPayments, "paper %v is given back elsewhere or on another day (%s)", t.Instrument, kind.Clause)
	case !t.Refund && !accepts(p.id) && (!kind.CashBack || len(kind.CashBackVenues) > 0 && !slices.Contains(kind.CashBackVenues, e.term.kind)):
		return fault(CheckPayments, "a %s does not pay at terminal %d", p.id, e.Request.Terminal)
	case !t.Refund && !kind.CashBack:
		e.vouchers += t.Cents
	}
	if len(kind.CashBackVenues) > 0 {
		e.exchanged += t.Cents
	}
	delete(c.tills.papers, flat(t.Instrument))
	unit, _ := ledger.Paper(p.id)
	e.move(ledger.Instruments, unit, t.Cents)
	return nil
}

// cardUsed checks what goes from a card or to it. There is no credit (11(b)).
func (c *checker) cardUsed(e *ending, t *record.Settlement) error {
	number := c.tills.cardAt[flat(t.Instrument)]
	held := c.tills.cards[number]
	if held == nil || t.Cents > held.cents {
		return fault(CheckPayments, "card %d has not %v", number, t.Cents)
	}
	if t.Cents > 0 && len(e.visit.sold) > 0 && (held.status == record.CardClosed || held.status == record.CardExcluded && c.now < held.until) {
		return fault(CheckPayments, "the holder of card %d may not play", number)
	}
	if plays := t.Cents < 0 || len(e.visit.sold) > 0; plays && (held.status == record.CardClosed || c.now < held.barred) {
		if err := c.guard(fault(CheckPayments, "card %d is closed, or its holder is excluded, and it is used", number)); err != nil {
			return err
		}
	}
	held.cents -= t.Cents
	unit, _ := ledger.Paper("player_card")
	e.move(ledger.Instruments, unit, t.Cents)
	return nil
}

// fundedBy notes which vouchers and cards have paid for which tickets.
func (c *checker) fundedBy(e *ending) error {
	left := map[uint64]money.Amount{}
	for _, in := range e.visit.sold {
		left[in.seq] = in.cents
	}
	var vouchers money.Amount
	for _, f := range e.Funded {
		if left[flat(f.Ticket)] < f.Cents {
			return fault(CheckPayments, "%v of %s pay for ticket %v of the session", f.Cents, f.ID, f.Ticket)
		}
		left[flat(f.Ticket)] -= f.Cents
		if f.Card == 0 {
			vouchers += f.Cents
		}
		c.tills.funded[flat(f.Ticket)] = append(c.tills.funded[flat(f.Ticket)], f)
	}
	if vouchers != e.vouchers {
		return fault(CheckPayments, "vouchers of %v were used, and %v are said to have paid", e.vouchers, vouchers)
	}
	return nil
}

// checkPay checks that what went out went by means that the rulebook allows for as much.
func (c *checker) checkPay(e *ending) error {
	var total money.Amount
	for _, cents := range e.out {
		total += cents
	}
	if total == 0 {
		return nil
	}
	policy := e.rules.payout
	ways := e.rules.waysOf(e.term.kind)
	own := slices.ContainsFunc(ways, func(m rulebook.PayoutMethod) bool { return m.Channel == e.term.channel })
	var bounded money.Amount
	var known []string
	most := total
	for _, m := range ways {
		if own && m.Channel != e.term.channel || !own && m.Channel != "" {
			continue // It is of another kind of terminal.
		}
		if err := e.checkMeans(&m, total); err != nil {
			return err
		}
		if m.Of == "session" && m.UpTo != nil {
			most = min(most, m.UpTo.Amount())
		}
		limit := c.tills.limits[e.term.venue]
		if m.VenueLimit && limit > 0 {
			most = min(most, limit)
		}
		if m.From != nil && total-e.exchanged >= m.From.Amount() && limit == 0 && policy.CashAtLeast != nil {
			most = min(most, policy.CashAtLeast.Amount()) // The venue has not said that it pays more.
		}
		if m.VenueLimit || m.Of == "session" && m.UpTo != nil {
			bounded += e.out[m.ID]
		}
		known = append(known, m.ID)
	}
	if bounded > most {
		return fault(CheckPayments, "it pays %v in cash and receipts, and %v is the most (%s)", bounded, most, policy.Clause)
	}
	for id := range e.out {
		if slices.Contains(known, id) {
			continue
		}
		return fault(CheckPayments, "it pays by %s, which is no way of paying here (%s)", id, policy.Clause)
	}
	return nil
}

// checkMeans checks one means of paying.
func (e *ending) checkMeans(m *rulebook.PayoutMethod, total money.Amount) error {
	paid := e.out[m.ID]
	if m.Of == "ticket" && m.UpTo != nil {
		for _, in := range e.visit.paid {
			if in.cents > m.UpTo.Amount() {
				return fault(CheckPayments, "a ticket is paid %v, and %v is the most at this terminal (%s)", in.cents, m.UpTo.Amount(), m.Clause)
			}
		}
	}
	if m.From != nil && total-e.exchanged >= m.From.Amount() && paid+e.out["cash"] != total {
		return fault(CheckPayments, "of %v what is not in cash goes by %s (%s)", total, m.ID, m.Clause)
	}
	switch {
	case paid == 0:
		return nil
	case m.From != nil && total < m.From.Amount() || m.Over != nil && total <= m.Over.Amount():
		return fault(CheckPayments, "%v of %v goes by %s, which is for more (%s)", paid, total, m.ID, m.Clause)
	case m.MajorOrClaim && paid > e.visit.majors:
		return fault(CheckPayments, "%v goes by %s, and major prizes come to %v (%s)", paid, m.ID, e.visit.majors, m.Clause)
	case m.Exchange && (paid > e.exchanged || len(e.visit.paid) > 0):
		return fault(CheckPayments, "%v goes by %s, and vouchers of %v are exchanged (%s)", paid, m.ID, e.exchanged, m.Clause)
	case m.Exclusion && !e.Checked:
		return fault(CheckPayments, "it pays by %s, and nobody looked up whether the payee is excluded (%s)", m.ID, m.Clause)
	}
	return nil
}
