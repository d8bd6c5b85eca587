package verify

import (
	"maps"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
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
	given     []*paper                // papers that it gives in place of money
	credited  map[uint64]money.Amount // what goes to cards, by their places
	purse     purse
	withheld  map[uint64]bool // tickets whose money stays in the house
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
	if err := term.enterSession(CheckPayments, b.Request.Terminal, b.Session, seriesOfEnd(b)); err != nil {
		return nil, err
	}
	e := &ending{SessionEnded: b, term: term, out: map[string]money.Amount{}, credited: map[uint64]money.Amount{}}
	if term.visit != nil {
		e.visit = *term.visit
	}
	term.visit, term.ended = nil, true
	if e.series = c.series[seriesOfEnd(b)]; e.series == nil {
		return nil, fault(CheckPayments, "a session of series %d ends, which has not begun", seriesOfEnd(b))
	}
	e.rules = e.series.rulesNow()
	if b.Day != e.series.day {
		return nil, fault(CheckPayments, "it is of %v, and the Keno Day is %v", b.Day, e.series.day)
	}
	if err := c.checkRunner(e); err != nil {
		return nil, err
	}
	e.purse.today = e.series.today(c.now)
	e.papersOut(c)
	if err := c.guard(c.checkPayees(e)); err != nil {
		return nil, err
	}
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
	if err := c.guard(checkAccount(e.rules.book, b.Account, slices.Collect(maps.Keys(e.out))...)); err != nil {
		return nil, err
	}
	if c.level >= record.LevelGuarded {
		e.purse.fill(e)
		err = c.checkOrigins(e)
	} else {
		err = c.checkFunded(e)
	}
	if err != nil {
		return nil, err
	}
	c.linkSession(e)
	c.awaitCheques(e)
	return append(e.due, ledger.Credit(ledger.Customer, b.Request.Terminal, sum)), nil
}

// seriesOfEnd returns the series of the games that a session was about.
func seriesOfEnd(b *record.SessionEnded) uint8 {
	if b.Series == 0 {
		return houseSeries
	}
	return b.Series
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
		if t.Kind != record.TenderWithheld && t.Kind != record.TenderUnpaid &&
			(t.Kind != record.TenderCash || t.Cents < 0) {
			return fault(CheckPayments, "terminal %d was shut out, and its session ends with a tender of kind %d and %v",
				b.Request.Terminal, t.Kind, t.Cents)
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
			e.given = append(e.given, p)
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
		} else {
			e.purse.cash += t.Cents
		}
		e.move(ledger.Cash, e.term.venue, t.Cents)
	case record.TenderChips:
		if t.Cents < 0 || !accepts("chips") {
			return fault(CheckPayments, "chips do not pay at terminal %d", e.Request.Terminal)
		}
		e.purse.put(part{id: originChips, cents: t.Cents}, 0, true)
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
		for _, in := range slices.Concat(e.visit.sold, e.visit.papersFor(c.level)) {
			if !c.tills.stopped[in.seq].frozen { // One that is frozen already stays so.
				c.tills.unpaid = append(c.tills.unpaid, in.seq)
			}
		}
		c.owes(e, t.Cents)
		e.purse.cash += t.Cents
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
	if p.series != e.series.id {
		return fault(CheckPayments, "paper %v is of series %d, and the session of series %d", t.Instrument, p.series,
			e.series.id)
	}
	kind, _ := e.rules.book.Instrument(p.id)
	today := e.series.today(c.now)
	switch own := t.Refund && e.visit.sells(flat(t.Instrument)); {
	case !c.opens(flat(t.Instrument), p.claim, t.Opening):
		return fault(CheckPayments, "its opening does not open the claim of paper %v", t.Instrument)
	case own: // Nobody has paid for it yet.
		e.purse.refunds += t.Cents
	case p.last != 0 && today > p.last:
		return fault(CheckPayments, "paper %v was good to %v (%s)", t.Instrument, p.last, kind.Clause)
	case t.Refund && (!e.rules.returns(p.id) || !p.bought || p.venue != e.term.venue || p.day != today):
		return fault(CheckPayments, "paper %v is given back elsewhere or on another day (%s)", t.Instrument,
			kind.Clause)
	case !t.Refund && !accepts(p.id) && !e.rules.turned(p.id, e.term.kind):
		return fault(CheckPayments, "a %s does not pay at terminal %d", p.id, e.Request.Terminal)
	case t.Refund:
		e.purse.refunds += t.Cents
	default:
		e.purse.put(part{id: p.id, of: flat(t.Instrument), cents: p.cents, last: p.last, kept: p.kept, play: p.play,
			paidFor: p.paidFor}, 0, true)
		if e.rules.bound(p.id) {
			e.vouchers += t.Cents
		}
	}
	if !t.Refund && !accepts(p.id) && len(e.visit.sold) > 0 {
		if err := c.guard(fault(CheckPayments, "a %s does not pay for tickets at terminal %d, where tickets were sold",
			p.id, e.Request.Terminal)); err != nil {
			return err
		}
	}
	if e.rules.exchanges(p.id) {
		e.exchanged += t.Cents
	}
	delete(c.tills.papers, flat(t.Instrument))
	unit, _ := ledger.Paper(p.id)
	e.move(ledger.Instruments, unit, t.Cents)
	return nil
}

// sells reports whether the session itself has sold a paper.
func (v *visit) sells(seq uint64) bool {
	return slices.ContainsFunc(v.issued, func(in inVisit) bool { return in.seq == seq && in.bought })
}

// cardUsed checks what goes from a card or to it. There is no credit (11(b)).
func (c *checker) cardUsed(e *ending, t *record.Settlement) error {
	number := c.tills.cardAt[flat(t.Instrument)]
	held := c.tills.cards[number]
	if held == nil || t.Cents > held.cents {
		return fault(CheckPayments, "card %d has not %v", number, t.Cents)
	}
	if t.Cents > 0 && len(e.visit.sold) > 0 &&
		(held.status == record.CardClosed || held.status == record.CardExcluded && c.now < held.until) {
		return fault(CheckPayments, "the holder of card %d may not play", number)
	}
	if plays := t.Cents < 0 || len(e.visit.sold) > 0; plays &&
		(held.status == record.CardClosed || c.now < held.barred) {
		if err := c.guard(fault(CheckPayments,
			"card %d is closed, or its holder is excluded, and it is used", number)); err != nil {
			return err
		}
	}
	if held.cents -= t.Cents; t.Cents > 0 {
		e.purse.put(part{id: originCard, of: flat(t.Instrument), cents: t.Cents}, 0, true)
	} else {
		e.credited[flat(t.Instrument)] -= t.Cents
	}
	unit, _ := ledger.Paper("player_card")
	e.move(ledger.Instruments, unit, t.Cents)
	return nil
}

// checkFunded checks a session in a part of the journal from before it said what has paid for
// its tickets: it named vouchers and cards, and all that went out counted.
func (c *checker) checkFunded(e *ending) error {
	if stakes := sumOf(e.visit.sold); e.vouchers > stakes {
		return fault(CheckPayments, "vouchers of %v pay for tickets of %v, and give no change", e.vouchers, stakes)
	}
	left := map[uint64]money.Amount{}
	for _, in := range e.visit.sold {
		left[in.seq] = in.cents
	}
	var vouchers money.Amount
	for _, f := range e.Funded {
		seq := flat(f.Ticket)
		if left[seq] < f.Cents {
			return fault(CheckPayments, "%v of %s pay for ticket %v of the session", f.Cents, f.ID, f.Ticket)
		}
		left[seq] -= f.Cents
		if f.Card == 0 {
			vouchers += f.Cents
		}
		need := f.Cents
		for i := range e.purse.parts {
			p := &e.purse.parts[i]
			n := min(need, p.cents)
			if p.id != f.ID || n == 0 {
				continue
			}
			c.tills.paidBy[seq] = append(c.tills.paidBy[seq],
				part{id: p.id, of: p.of, cents: n, last: p.last, kept: p.kept, paidFor: p.paidFor})
			p.cents -= n
			need -= n
		}
		if need > 0 {
			c.tills.paidBy[seq] = append(c.tills.paidBy[seq], part{id: f.ID, cents: need})
		}
	}
	if vouchers != e.vouchers {
		return fault(CheckPayments, "vouchers of %v were used, and %v are said to have paid", e.vouchers, vouchers)
	}
	return c.checkPay(e, 0, 0)
}

// returns reports whether a paper is given back by who bought it.
func (r *rules) returns(id string) bool {
	o, _ := r.origin(id)
	return slices.ContainsFunc(o.Leaves, func(l rulebook.Leave) bool { return l.As == originCash && l.BoughtHereToday })
}

// turned reports whether a kind of venue turns a paper into something else.
func (r *rules) turned(id string, at rulebook.VenueKind) bool {
	o, _ := r.origin(id)
	return slices.ContainsFunc(o.Leaves, func(l rulebook.Leave) bool {
		_, ok := r.leaves(id, l.As, at)
		return ok && l.As != rulebook.Same
	})
}

// exchanges reports whether only some kinds of venue turn a paper into cash.
func (r *rules) exchanges(id string) bool {
	o, _ := r.origin(id)
	return slices.ContainsFunc(o.Leaves, func(l rulebook.Leave) bool { return l.As == originCash && len(l.Venues) > 0 })
}

// checkPay checks that what went out went by means that the rulebook allows for as much. What
// was bought counts with it; what is free does not count against limits.
func (c *checker) checkPay(e *ending, bought, free money.Amount) error {
	var total money.Amount
	for _, cents := range e.out {
		total += cents
	}
	if total+bought == 0 {
		if c.level < record.LevelGuarded {
			return nil
		}
		return c.countAll(e, 0)
	}
	policy := e.rules.payout
	free = max(0, free-e.otherwise(total))
	bounded := bought
	var known []string
	most := total + bought
	for _, m := range e.rules.waysAt(e.term) {
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
	if room, ok := c.room(e); ok {
		most = min(most, room)
	}
	if bounded-free > most {
		return fault(CheckPayments, "it pays %v in cash and receipts, and %v is the most (%s)", bounded-free, most,
			policy.Clause)
	}
	for id := range e.out {
		if slices.Contains(known, id) {
			continue
		}
		return fault(CheckPayments, "it pays by %s, which is no way of paying here (%s)", id, policy.Clause)
	}
	if c.level < record.LevelGuarded {
		return nil
	}
	return c.countAll(e, max(0, bounded-free))
}

// otherwise returns what leaves neither in cash nor by a means from whose amount on nothing else carries
// what was won: it is of vouchers that are exchanged (tas-keno-2023 13.7(b)(ii)).
func (e *ending) otherwise(total money.Amount) money.Amount {
	for _, m := range e.rules.waysAt(e.term) {
		if m.From != nil && total-e.exchanged >= m.From.Amount() {
			return total - e.out[m.ID] - e.out["cash"]
		}
	}
	return 0
}

// room returns how much of what counts may leave where prizes come back that were staked: each
// as far as what left before leaves room for it.
func (c *checker) room(e *ending) (room money.Amount, ok bool) {
	back := c.cameBack(e.purse.parts)
	limit, bounded := c.togetherAt(e.term, e.rules)
	if !bounded || len(back) == 0 {
		return 0, false
	}
	for _, p := range e.purse.parts {
		if way, ok := e.rules.leaves(p.id, originCash, e.term.kind); ok && way.Counts {
			room += p.cents
		}
	}
	for of, cents := range back {
		if left := max(0, limit-c.tills.counted[of]); cents > left {
			room -= cents - left
		}
	}
	return room, true
}

// checkMeans checks one means of paying.
func (e *ending) checkMeans(m *rulebook.PayoutMethod, total money.Amount) error {
	paid := e.out[m.ID]
	if m.Of == "ticket" && m.UpTo != nil {
		for _, in := range e.visit.paid {
			if in.cents > m.UpTo.Amount() {
				return fault(CheckPayments, "a ticket is paid %v, and %v is the most at this terminal (%s)", in.cents,
					m.UpTo.Amount(), m.Clause)
			}
		}
	}
	if m.From != nil && total-e.exchanged >= m.From.Amount() && total-paid-e.out["cash"] > e.exchanged {
		return fault(CheckPayments, "of %v what is not in cash goes by %s (%s)", total, m.ID, m.Clause)
	}
	switch {
	case paid == 0:
		return nil
	case m.From != nil && total < m.From.Amount() || m.Over != nil && total <= m.Over.Amount():
		return fault(CheckPayments, "%v of %v goes by %s, which is for more (%s)", paid, total, m.ID, m.Clause)
	case m.MajorOrClaim && paid > e.visit.majors:
		return fault(CheckPayments, "%v goes by %s, and major prizes come to %v (%s)", paid, m.ID, e.visit.majors,
			m.Clause)
	case m.Exchange && (paid > e.exchanged || len(e.visit.paid) > 0):
		return fault(CheckPayments, "%v goes by %s, and vouchers of %v are exchanged (%s)", paid, m.ID, e.exchanged,
			m.Clause)
	case m.Exclusion && !e.Checked:
		return fault(CheckPayments, "it pays by %s, and nobody looked up whether the payee is excluded (%s)", m.ID,
			m.Clause)
	}
	return nil
}
