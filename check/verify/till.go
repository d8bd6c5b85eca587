package verify

import (
	"maps"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// tills are the papers that stand for money and are out, the cards, and what may not
// be paid: graded here from the records alone.
type tills struct {
	papers      map[uint64]*paper // by place
	cards       map[uint32]*card
	cardAt      map[uint64]uint32
	sheets      map[uint64]sheets // of tickets and papers that have another sheet
	stopped     map[uint64]stops
	withheld    map[uint64]brought // of tickets, by the ends of sessions
	undelivered map[uint64]bool
	paidBy      map[uint64][]part // what has paid for tickets, where it was not cash alone
	// by ticket: what counted against limits where its prize was there and was staked, or came back
	counted  map[uint64]money.Amount
	countsAs map[uint64]uint64       // tickets whose prizes are of one total with those of another
	machines map[uint64]money.Amount // by ticket: what terminals have paid on it that pay so much for one and no more
	lying    map[*terminal]bool      // terminals that give their papers alone, to whose session staked prizes came back
	limits   map[uint32]money.Amount // of venues, in cash
	unpaid   []uint64                // tickets that the next record must freeze
	debts    map[uint64]*debt        // of tickets and papers whose sessions ended unpaid
	overdue  map[uint64]bool         // papers that the next records must let expire
	unswept  map[sweepKey]string     // games whose prizes the next records must take somewhere
	// endings are the requests of papers that a session's end issued, and refunds those
	// of them that go back for vouchers.
	endings map[uint64]requestKey
	refunds map[uint64]bool
	// unsettled is what was sold or issued in a session that is open, by its terminal.
	unsettled map[uint64]uint32
	links     map[uint64][]uint64 // what was bought with what a ticket or paper brought
	// unreached is what came of an entry that was just disqualified: the next record must
	// freeze it.
	unreached []uint64
	forms     forms
	payees    map[record.Hash]bool // whom the register was to forget
	cheques   cheques
}

// requestKey names a request.
type requestKey struct {
	terminal uint32
	number   uint64
}

// A paper stands for money.
type paper struct {
	id         string
	rules      *rules
	series     uint8
	cents      money.Amount
	day        day.Day
	last, kept day.Day
	venue      uint32
	bought     bool
	paidFor    bool // it was bought, or replaces what was
	odd        bool // its life is that of an earlier paper
	claim      record.Hash
	payee      []byte // commits to whom it names
	play       string // the type of game that it is for; empty for any
}

type card struct {
	cents   money.Amount
	status  record.CardStatus
	until   record.Time
	barred  record.Time // end of the longest exclusion
	details record.Hash
	erased  bool // the register was to forget who held it
}

type stops struct{ frozen, disqualified, invalid bool }

func newTills() tills {
	return tills{
		papers: map[uint64]*paper{}, cards: map[uint32]*card{}, cardAt: map[uint64]uint32{},
		sheets: map[uint64]sheets{}, unsettled: map[uint64]uint32{}, links: map[uint64][]uint64{},
		stopped: map[uint64]stops{}, undelivered: map[uint64]bool{}, paidBy: map[uint64][]part{},
		counted: map[uint64]money.Amount{}, countsAs: map[uint64]uint64{}, limits: map[uint32]money.Amount{},
		withheld: map[uint64]brought{}, endings: map[uint64]requestKey{}, refunds: map[uint64]bool{},
		debts: map[uint64]*debt{}, payees: map[record.Hash]bool{}, machines: map[uint64]money.Amount{},
		lying: map[*terminal]bool{},
	}
}

// A visit is a customer session that has not ended.
type visit struct {
	sold, paid, cancelled, issued []inVisit
	majors                        money.Amount
	runner                        bool                    // a runner brought an entry
	brought                       map[uint64]brought      // by ticket
	undone                        map[uint64]money.Amount // of tickets, what they gave back in the session that sold them
	machine                       map[uint64]money.Amount // of tickets, what the session added to tills.machines
	replaced                      []replacement
}

type inVisit struct {
	seq    uint64
	cents  money.Amount
	bought bool     // a paper, for money
	plays  []string // the bets of a ticket that was sold, by their ids
	none   bool     // a ticket that brought nothing: the session itself had sold it, and took it back
}

// A replacement is a voucher that is given for what a ticket gives back.
type replacement struct {
	paper  *paper
	ticket uint64
	of     uint64 // the earlier paper; 0 where the record does not say
}

// gives reports whether money that the ticket brought is what the voucher may be for.
func (r *replacement) gives(p part) bool { return p.id == r.paper.id && (r.of == 0 || p.of == r.of) }

func sumOf(list []inVisit) (sum money.Amount) {
	for _, in := range list {
		sum += in.cents
	}
	return sum
}

// settles says what is on the other side of an act: its own tender, which is cash and
// ends the session, or the customer's account until the session ends.
func (c *checker) settles(check Check, term *terminal, id uint32,
	tenders []record.Tender) (ledger.Account, uint32, error) {
	if len(tenders) == 0 {
		if term.visit == nil {
			term.visit = new(visit)
		}
		term.ended = false
		return ledger.Customer, id, nil
	}
	for _, tender := range tenders {
		if tender.Kind != record.TenderCash {
			return 0, 0, fault(check, "tender %d is none of a single act", tender.Kind)
		}
	}
	if term.visit != nil {
		return 0, 0, fault(check, "it has a tender, and a session is open at terminal %d", id)
	}
	term.ended = true
	return ledger.Cash, term.venue, nil
}

// checkStopped refuses what is done with a ticket or paper on which payment is stopped.
func (c *checker) checkStopped(seq uint64) error {
	if err := c.checkClaimable(seq); err != nil {
		return err
	}
	if c.tills.undelivered[seq] {
		return fault(CheckPayments, "%v was not handed over", placeOf(seq))
	}
	return c.checkLost(seq)
}

// checkLost objects to what was paid as lost: its holder is known by a form, and the paper
// fetches nothing more (vic-keno-2015 23(a), tas-keno-2023 15.1, casino-keno-div2 8.12).
func (c *checker) checkLost(seq uint64) error {
	if form := c.tills.forms.lost[seq]; form != 0 {
		return c.guard(fault(CheckPayments, "%v was paid as lost on form %d", placeOf(seq), form))
	}
	return nil
}

// checkClaimable refuses a claim form for what is stopped or has another form. The holder of
// a ticket that a terminal says was not handed over may claim it.
func (c *checker) checkClaimable(seq uint64) error {
	if s := c.tills.stopped[seq]; s.frozen || s.disqualified {
		return fault(CheckPayments, "payment on %v is stopped", placeOf(seq))
	}
	if form := c.tills.forms.under[seq]; form != 0 {
		return fault(CheckPayments, "%v is claimed on form %d", placeOf(seq), form)
	}
	return nil
}

// today is the date that counts at a venue: that of the Keno Day while one is open.
func (s *series) today(at record.Time) day.Day {
	date := localDate(at, s.offset)
	if s.dayOpen {
		return min(date, s.day)
	}
	return date
}

// checkFrozen checks that what was not paid for is frozen at once (tas-keno-2023 16.2).
func (c *checker) checkFrozen(body record.Body) error {
	if _, ok := body.(*record.PaymentFrozen); !ok && len(c.tills.unpaid) > 0 {
		return fault(CheckPayments, "tickets were not paid for, and the next record does not freeze them")
	}
	return nil
}

// fallDue notes the papers whose time is over as a Keno Day begins.
func (c *checker) fallDue(s *series) {
	book := s.rulesNow().book
	due := map[uint64]bool{}
	for seq, p := range c.tills.papers {
		kind, ok := book.Instrument(p.id)
		if _, known := destinations[kind.ExpiresTo]; ok && known && p.series == s.id && p.kept != 0 && s.day > p.kept &&
			c.tills.forms.under[seq] == 0 && !c.unpaidFor(seq) {
			due[seq] = true
		}
	}
	c.tills.overdue = due
}

// unpaidFor reports whether a paper is of a session that is open: nobody has paid for it, so that its
// money is nobody's yet. Before record.LevelGuarded it expired all the same.
func (c *checker) unpaidFor(seq uint64) bool {
	return c.level >= record.LevelGuarded && c.tills.unsettled[seq] != 0
}

// checkExpired checks that all papers whose time is over expire at once: nothing but the
// tax of months stands between the opening of the day and the records that say so (vic-keno-2015 12(d), 13,
// 14(c); tas-keno-2023 14.1).
func (c *checker) checkExpired(body record.Body) error {
	if len(c.tills.overdue) == 0 || turnOf(body) <= turnPapers {
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(c.tills.overdue)))
	return fault(CheckPayments,
		"the time of %d papers was over as the day began, and the next record does not let %v expire", len(c.tills.overdue),
		placeOf(first))
}

// cardRegistered checks that cards have numbers in their order.
func (c *checker) cardRegistered(b *record.CardRegistered) error {
	if next := uint32(len(c.tills.cards)) + 1; b.Card != next {
		return fault(CheckPayments, "card %d is registered, and the next is %d", b.Card, next)
	}
	c.tills.cards[b.Card], c.tills.cardAt[c.here()] = &card{status: record.CardActive, details: b.Details}, b.Card
	return nil
}

// cardStatusSet checks that a card is there, and that an exclusion lasts.
func (c *checker) cardStatusSet(b *record.CardStatusSet) error {
	held := c.tills.cards[b.Card]
	if held == nil || held.status == record.CardExcluded && c.now < held.until && b.Status == record.CardActive {
		return fault(CheckPayments, "card %d does not exist or is excluded", b.Card)
	}
	if held.erased && b.Status != record.CardClosed {
		return fault(CheckPayments, "card %d is to be used again, and nobody knows its holder", b.Card)
	}
	objection := held.exclusionEnds(b, c.now)
	held.status, held.until, held.barred = b.Status, b.Until, max(held.barred, b.Until)
	return c.guard(objection)
}

func (c *checker) ticketReinstated(b *record.TicketReinstated) error {
	return c.stop([]record.Place{b.Ticket},
		func(s *stops) bool { was := s.disqualified; s.disqualified = false; return was })
}

// ticketInvalidated takes in that a change of the rules has made a ticket invalid. The rules must know that, and the
// ticket must have a game that has not closed (vic-keno-2015 17(f)).
func (c *checker) ticketInvalidated(b *record.TicketInvalidated) error {
	if err := c.guard(c.mayBeInvalid(flat(b.Ticket))); err != nil {
		return err
	}
	s := c.tills.stopped[flat(b.Ticket)]
	s.invalid = true
	c.tills.stopped[flat(b.Ticket)] = s
	return nil
}

func (c *checker) mayBeInvalid(seq uint64) error {
	for _, s := range c.series {
		if s == nil {
			continue
		}
		t := s.tickets.at(seq)
		switch {
		case t == nil:
			continue
		case len(s.rulesNow().cancel.RuleChange) == 0:
			return fault(CheckHouse, "ticket %v is made invalid by a change of the rules, and they know no such ticket",
				placeOf(seq))
		case t.last <= s.closed():
			return fault(CheckHouse, "ticket %v is made invalid, and every game of it has closed", placeOf(seq))
		}
		return nil
	}
	return fault(CheckHouse, "ticket %v is made invalid, and has no game to come", placeOf(seq))
}

func (c *checker) anonymitySet(b *record.AnonymitySet) error { return c.ofHouse(b.Ticket) }

func (c *checker) holidaysNamed(b *record.HolidaysNamed) error {
	c.tills.cheques.holidays = b.Days
	return nil
}

// exclusionEnds objects to a status by which an exclusion would end before its time,
// whatever status the card has had since.
func (h *card) exclusionEnds(b *record.CardStatusSet, now record.Time) error {
	if now < h.barred && (b.Status == record.CardActive || b.Status == record.CardExcluded && b.Until < h.barred) {
		return fault(CheckPayments, "card %d is excluded to %v, and becomes %s before that", b.Card, h.barred.Time(),
			b.Status)
	}
	return nil
}

// ofHouse checks that a ticket or paper is one of this volume.
func (c *checker) ofHouse(place record.Place) error {
	if !c.tickets.sold.has(flat(place)) && c.tills.papers[flat(place)] == nil {
		return fault(CheckPayments, "%v is no ticket or paper before it", place)
	}
	return nil
}

func (c *checker) stop(list []record.Place, change func(*stops) bool) error {
	for _, place := range list {
		s := c.tills.stopped[flat(place)]
		if !change(&s) {
			return fault(CheckPayments, "%v is not stopped so that this can be", place)
		}
		c.tills.stopped[flat(place)] = s
	}
	return nil
}

// paymentFrozen checks that what was not paid for is frozen, whatever else is.
func (c *checker) paymentFrozen(b *record.PaymentFrozen) error {
	for _, seq := range c.tills.unpaid {
		if !slices.Contains(b.Places, placeOf(seq)) {
			return fault(CheckPayments, "ticket %v was not paid for and is not frozen", placeOf(seq))
		}
	}
	c.tills.unpaid = nil
	return c.stop(b.Places, func(s *stops) bool { was := s.frozen; s.frozen = true; return !was })
}

// ticketDisqualified checks that everybody has spoken whom the rulebook names
// (vic-keno-2015 26(a), tas-keno-2023 20.1).
func (c *checker) ticketDisqualified(b *record.TicketDisqualified) error {
	for _, s := range c.series {
		if s == nil || !c.tickets.sold.has(flat(b.Ticket)) {
			continue
		}
		for _, party := range s.termsAt(uint32(len(s.games))).rules.book.Disqualify().By {
			if !slices.ContainsFunc(b.Deciders, func(d record.Decider) bool {
				return d.Party == party && (d.Reference != "" || c.speaks(d.Person, party))
			}) {
				return fault(CheckPayments, "the %s has not disqualified ticket %v", party, b.Ticket)
			}
		}
		break
	}
	c.tills.unreached = c.cameOf(flat(b.Ticket))
	return c.stop([]record.Place{b.Ticket},
		func(s *stops) bool { was := s.disqualified; s.disqualified = true; return !was })
}

// paperIssued checks a paper: its life, and what was given for it.
func (c *checker) paperIssued(b *record.InstrumentIssued) (postings, error) {
	s, term := c.series[b.Series], c.terminals[b.Request.Terminal]
	if s == nil || term == nil {
		return nil, fault(CheckPayments, "series %d or terminal %d does not exist", b.Series, b.Request.Terminal)
	}
	r := s.termsAt(uint32(len(s.games))).rules
	kind, ok := r.book.Instrument(b.ID)
	unit, has := ledger.Paper(b.ID)
	if !ok || !has || b.Day != s.today(c.now) {
		return nil, fault(CheckPayments, "there is no paper %s, or it is not of %v", b.ID, b.Day)
	}
	alone := issuedAlone(b)
	unlike := checkLife(&kind, b)
	if unlike != nil && (alone || c.level < record.LevelGuarded) {
		return nil, unlike // Otherwise the end of its session says for what it is given.
	}
	if b.Reason != record.IssuedAsRefund && !c.isFor(&kind, b.GameType) {
		return nil, fault(CheckPayments,
			"a %s is for the type of game %q (%s)", b.ID, b.GameType, kind.GameTypesClause())
	}
	if err := c.guard(c.checkSoldPaper(term, r, b)); err != nil {
		return nil, err
	}
	if b.Reason == record.IssuedForMoney && kind.Sold {
		if err := c.guard(c.checkLicensed(term, b.Series)); err != nil {
			return nil, err
		}
	}
	if alone {
		if _, err := c.request(CheckPayments, b.Request.Terminal, b.Request.Number); err != nil {
			return nil, err
		}
		if err := c.checkKeyed(CheckPayments, b.Request.Terminal); err != nil {
			return nil, err
		}
	}
	if err := term.enterSession(CheckPayments, b.Request.Terminal, b.Session, b.Series); err != nil {
		return nil, err
	}
	from, of, err := c.givenFor(term, r, &kind, b)
	if err != nil {
		return nil, err
	}
	if !alone {
		c.tills.endings[c.here()] = requestKey{b.Request.Terminal, b.Request.Number}
	}
	issued := &paper{
		id: b.ID, rules: r, series: b.Series, cents: b.Cents, day: b.Day, last: b.LastDay, kept: b.Kept,
		venue:  term.venue,
		bought: b.Reason == record.IssuedForMoney, paidFor: b.Reason == record.IssuedForMoney, odd: unlike != nil,
		claim: b.Claim, payee: b.Particulars, play: b.GameType,
	}
	if err := c.guard(r.checkNamed(b)); err != nil {
		return nil, err
	}
	if b.Reason == record.IssuedAsRefund {
		c.tills.refunds[c.here()] = true
		if err := term.visit.refundVoucher(b, issued); err != nil {
			return nil, err
		}
	}
	c.tills.papers[c.here()] = issued
	if term.visit != nil {
		term.visit.issued = append(term.visit.issued, inVisit{seq: c.here(), cents: b.Cents, bought: issued.bought})
		c.tills.unsettled[c.here()] = b.Request.Terminal
	}
	return postings{ledger.Debit(from, of, b.Cents), ledger.Credit(ledger.Instruments, unit, b.Cents)}, nil
}

// givenFor checks what is given for a paper, and returns the account that it is on. The operator gives a
// paper for nothing, and outside of sessions.
func (c *checker) givenFor(term *terminal, r *rules, kind *rulebook.Instrument,
	b *record.InstrumentIssued) (ledger.Account, uint32, error) {
	switch {
	case b.Reason == record.IssuedByOperator:
		if term.visit != nil || len(b.Tenders) > 0 {
			return 0, 0, fault(CheckPayments, "the operator gives a paper in a session, or for money")
		}
		if o, _ := r.origin(b.ID); !r.bound(b.ID) {
			// Whatever is not given back as it is, is money, and nobody has paid for it.
			if err := c.guard(fault(CheckPayments,
				"the operator gives a %s, which stands for money that was paid (%s)", b.ID, o.Clause)); err != nil {
				return 0, 0, err
			}
		}
		term.ended = true
		return ledger.Operator, 0, nil
	case b.Reason == record.IssuedForMoney && !kind.Sold && !r.machine(term, b.ID):
		return 0, 0, fault(CheckPayments, "a %s is not bought (%s)", b.ID, kind.Clause)
	}
	return c.settles(CheckPayments, term, b.Request.Terminal, b.Tenders)
}

// isFor reports whether a kind of paper is made out for a type of game, or for none where the
// rulebook names none (vic-keno-2015 2(a).gift-voucher, 2(a).prepaid-voucher). In journals of before
// that no paper names one.
func (c *checker) isFor(kind *rulebook.Instrument, play string) bool {
	if len(kind.GameTypes()) == 0 || c.level < record.LevelGuarded {
		return play == ""
	}
	return slices.Contains(kind.GameTypes(), play)
}

// checkLife checks to which day a paper is good: by months to the day with the same
// number or the month's last, and by days from the day of issue.
func checkLife(kind *rulebook.Instrument, b *record.InstrumentIssued) error {
	if kind.Life == nil {
		if b.LastDay != 0 || b.Kept != 0 {
			return fault(CheckPayments, "a %s has no end", b.ID)
		}
		return nil
	}
	good := lifeFrom(b.Day, kind.Life)
	kept := good
	if kind.FormLife != nil {
		kept = lifeFrom(b.Day, kind.FormLife)
	}
	if good == 0 || kept == 0 || b.Kept != kept || b.LastDay != good &&
		(!kind.ShorterLife || b.LastDay > good || b.LastDay < b.Day) {
		return fault(CheckPayments, "a %s of %v is good to %v and kept to %v, and %v and %v are right (%s)", b.ID,
			b.Day, b.LastDay, b.Kept, good, kept, kind.Clause)
	}
	return nil
}

// lifeFrom returns the last day of a time that begins on a day, or the zero day for one
// that never ends.
func lifeFrom(from day.Day, l *rulebook.Life) day.Day {
	if l == nil {
		return 0
	}
	end, err := from.AddMonths(12*l.Years + l.Months)
	if err == nil {
		end, err = end.AddDays(l.Days)
	}
	if err != nil {
		return 0
	}
	return end
}

// livesAsAgreed reports whether a paper is good for as long as two persons agreed, so many days or
// the time of the rulebook if they named none, and for the type of game, the first of the
// rulebook if they named none.
func (c *checker) livesAsAgreed(b *record.InstrumentIssued, days int, play string) bool {
	s := c.series[b.Series]
	if s == nil {
		return false
	}
	kind, ok := s.termsAt(uint32(len(s.games))).rules.book.Instrument(b.ID)
	if play == "" && len(kind.GameTypes()) > 0 && c.level >= record.LevelGuarded {
		play = kind.GameTypes()[0]
	}
	if !ok || b.GameType != play {
		return false
	}
	if days > 0 {
		end, err := b.Day.AddDays(days)
		return err == nil && b.LastDay == end
	}
	return b.LastDay == lifeFrom(b.Day, kind.Life)
}

// refundVoucher checks that a voucher goes back for what a voucher had paid (17(e)), and notes
// whether money was paid for that one.
func (v *visit) refundVoucher(b *record.InstrumentIssued, issued *paper) error {
	again := replacement{paper: issued, ticket: flat(b.For)}
	for _, earlier := range b.Replaces {
		again.of = flat(earlier)
	}
	var left money.Amount
	issued.paidFor = true
	for _, p := range v.brought[again.ticket].parts {
		if again.gives(p) {
			left += p.cents
			issued.paidFor = issued.paidFor && p.paidFor
		}
	}
	for _, r := range v.replaced {
		if r.ticket == again.ticket && r.paper.id == b.ID && (again.of == 0 || r.of == again.of) {
			left -= r.paper.cents
		}
	}
	if left < b.Cents {
		return fault(CheckPayments, "%v go back as %s, which has not paid for ticket %v", b.Cents, b.ID, b.For)
	}
	v.replaced = append(v.replaced, again)
	return nil
}

// destinations are the accounts of what nobody has used.
var destinations = map[string]ledger.Account{"prize_fund": ledger.PrizeFund, "treasurer": ledger.Treasurer,
	"forfeited": ledger.Forfeited}

// cardNotified checks that a holder is told of tickets which the card has paid for
// (vic-keno-2015 22(a)).
func (c *checker) cardNotified(b *record.CardNotified) error {
	if c.tills.cards[b.Card] == nil {
		return fault(CheckPayments, "card %d was not registered", b.Card)
	}
	for _, ticket := range b.Tickets {
		if !slices.ContainsFunc(c.tills.paidBy[flat(ticket)],
			func(p part) bool { return p.id == originCard && c.tills.cardAt[p.of] == b.Card }) {
			return fault(CheckPayments, "the holder of card %d is told of ticket %v, which the card has not paid for",
				b.Card, ticket)
		}
		if err := c.newer(c.checkWaits(flat(ticket))); err != nil {
			return err
		}
	}
	return nil
}

// checkWaits checks that a prize of a ticket waits for somebody to fetch it: none that was
// paid, or that a claim form has.
func (c *checker) checkWaits(ticket uint64) error {
	if err := c.checkClaimable(ticket); err != nil {
		return err
	}
	if c.tills.withheld[ticket].cents > 0 {
		return nil
	}
	for _, s := range c.series {
		if s == nil {
			continue // There is no such series.
		}
		for _, g := range s.games {
			if won := g.openAt(ticket); won != nil && won.left() > 0 {
				return nil
			}
		}
	}
	return fault(CheckPayments, "a holder is told of ticket %v, for which no prize waits", placeOf(ticket))
}

// papersExpired checks papers whose time is over (vic-keno-2015 12(d), 13, 14(c);
// tas-keno-2023 14.1).
func (c *checker) papersExpired(b *record.InstrumentsExpired) (postings, error) {
	s := c.series[b.Series]
	if s == nil || !s.dayOpen || b.Day != s.day {
		return nil, fault(CheckPayments, "papers expire on %v, which is not the Keno Day", b.Day)
	}
	kind, _ := s.termsAt(uint32(len(s.games))).rules.book.Instrument(b.ID) // One of no rulebook goes nowhere.
	to, known := destinations[b.To]
	unit, _ := ledger.Paper(b.ID)
	if !known || kind.ExpiresTo != b.To {
		return nil, fault(CheckPayments, "the money of a %s goes to %s (%s)", b.ID, kind.ExpiresTo, kind.Clause)
	}
	var sum money.Amount
	for _, x := range b.List {
		p := c.tills.papers[flat(x.Instrument)]
		if p == nil || p.id != b.ID || p.cents != x.Cents || p.kept == 0 || b.Day <= p.kept ||
			c.tills.forms.under[flat(x.Instrument)] != 0 || c.unpaidFor(flat(x.Instrument)) {
			return nil, fault(CheckPayments, "paper %v does not expire on %v with %v", x.Instrument, b.Day, x.Cents)
		}
		delete(c.tills.papers, flat(x.Instrument))
		delete(c.tills.overdue, flat(x.Instrument))
		sum += x.Cents
	}
	return postings{ledger.Debit(ledger.Instruments, unit, sum), ledger.Credit(to, 0, sum)}, nil
}

// prizeForfeited checks that prizes of somebody under age go to the Crown
// (tas-keno-2023 13.11).
func (c *checker) prizeForfeited(b *record.PrizeForfeited) (postings, error) {
	if _, err := c.request(CheckPayments, b.Request.Terminal, b.Request.Number); err != nil {
		return nil, err
	}
	var sum money.Amount
	held := b.Withheld()
	for _, part := range b.Parts {
		if part.Ordinal == 0 {
			if err := c.takePrizes(b.Ticket, b.Series, part.Cents); err != nil {
				return nil, err
			}
			if c.series[b.Series].rulesNow().book.Eligibility().UnderagePrizes == "" {
				return nil, fault(CheckPayments, "these rules know no forfeit")
			}
			sum += part.Cents
			continue
		}
		_, g := c.settledGame(b.Series, part.Ordinal)
		var won *winner
		if g != nil {
			won = g.winnerAt(flat(b.Ticket))
		}
		if won == nil || won.left() != part.Cents {
			return nil, fault(CheckPayments,
				"ticket %v has no prize of %v in game %d of its series", b.Ticket, part.Cents, part.Ordinal)
		}
		if err := g.checkUnclaimed(); err != nil {
			return nil, err
		}
		if g.terms.rules.book.Eligibility().UnderagePrizes == "" {
			return nil, fault(CheckPayments, "these rules know no forfeit")
		}
		c.pay(g, won)
		c.tickets.presented.set(flat(b.Ticket))
		sum += part.Cents
	}
	return postings{ledger.Debit(ledger.Prizes, 0, sum-held), ledger.Debit(ledger.Withheld, 0, held),
		ledger.Credit(ledger.Crown, 0, sum)}, nil
}

func (c *checker) bankMoved(b *record.BankMoved) (postings, error) {
	term := c.terminals[b.Terminal]
	if term == nil || !c.people.known(b.By) || !c.people.known(b.With) {
		return nil, fault(CheckHouse, "terminal %d or one of two persons does not exist", b.Terminal)
	}
	cents := b.Cents
	if b.Move == record.BankDrop {
		cents = -cents
	}
	return postings{ledger.Debit(ledger.Cash, term.venue, cents), ledger.Credit(ledger.Safe, term.venue, cents)}, nil
}

func (c *checker) bankCounted(b *record.BankCounted) (postings, error) {
	term := c.terminals[b.Terminal]
	if term == nil || !c.people.known(b.By) || !c.people.known(b.With) {
		return nil, fault(CheckHouse, "terminal %d or one of two persons does not exist", b.Terminal)
	}
	if term.visit != nil || term.drawer != b.ExpectCents {
		return nil, fault(CheckHouse, "the bank of terminal %d should have %v", b.Terminal, term.drawer)
	}
	over := b.CountedCents - b.ExpectCents
	return postings{ledger.Debit(ledger.Cash, term.venue, over), ledger.Credit(ledger.OverShort, term.venue, over)}, nil
}

// bank follows the cash of the terminal.
func (t *terminal) bank(moved []ledger.Posting) {
	for _, p := range moved {
		if p.Account == ledger.Cash {
			t.drawer += p.Cents
		}
	}
}
