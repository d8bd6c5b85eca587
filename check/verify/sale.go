package verify

import (
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// ticketSold checks a sale: who asked, for which game, at what price, and that it
// was paid for (vic-keno-2015 9(h), 11, 17(b)).
func (c *checker) ticketSold(b *record.TicketSold) (postings, error) {
	term, err := c.request(CheckRequests, b.Request.Terminal, b.Request.Number)
	if err != nil {
		return nil, err
	}
	if err := term.enterSession(CheckRequests, b.Request.Terminal, b.Session, b.Series); err != nil {
		return nil, err
	}
	s := c.series[b.Series]
	if s == nil {
		return nil, fault(CheckRequests, "series %d has not begun", b.Series)
	}
	if err := c.guard(c.checkLicensed(term, b.Series)); err != nil {
		return nil, err
	}
	if err := s.checkEnds(CheckRequests); err != nil {
		return nil, err
	}
	name, err := s.selling(b.Ordinal)
	if err != nil {
		return nil, err
	}
	if s.closure != 0 && c.now > s.closure {
		if err := c.guard(fault(CheckRequests, "it is sold after trading was announced to end")); err != nil {
			return nil, err
		}
	}
	form, err := c.formOf(b)
	if err != nil {
		return nil, fault(CheckRequests, "its ticket cannot be read: %v", err)
	}
	if form.day != name.Day || form.game != name.Number {
		return nil, fault(CheckRequests, "its ticket begins with game %v, and game %d of the series is %v",
			record.Game{Day: form.day, Number: form.game}, b.Ordinal, name)
	}
	if form.games-1 > ^uint32(0)-b.Ordinal {
		return nil, fault(CheckRequests, "its ticket has more games than there can be")
	}
	if err := s.checkEnd(b.Ordinal, form.games); err != nil {
		return nil, err
	}
	if err := c.checkAttended(s, b.Request.Terminal, term, form); err != nil {
		return nil, err
	}
	terms := s.termsAt(b.Ordinal)
	cost, err := c.price(terms, form,
		entry{term.channel, rulebook.Method(b.Method), b.Runner, c.playsForPool(s, b.Ordinal, form.games), term.listed})
	if err != nil {
		return nil, fault(CheckRequests, "%v", err)
	}
	if ways := form.ways(); ways != uint64(b.Ways) {
		return nil, fault(CheckRequests, "it counts %d ways in a game, and its bets have %d", b.Ways, ways)
	}
	if cost != b.CostCents {
		return nil, fault(CheckRequests, "%v",
			differs("cost", b.CostCents, cost, "it was sold for %v, and its bets cost %v", b.CostCents, cost))
	}
	if err := s.checkJackpots(form.bets, &c.counter); err != nil {
		return nil, err
	}
	if err := c.checkReplay(b); err != nil {
		return nil, err
	}
	if b.Replays != (record.Place{}) {
		c.link([]uint64{flat(b.Replays)}, c.here())
	}
	from, unit, err := c.checkTender(b, terms.rules, term)
	if err != nil {
		return nil, err
	}
	t := ticket{seq: c.here(), claim: b.Claim, first: b.Ordinal, last: b.Ordinal + form.games - 1, games: form.games,
		venue: term.venue, terminal: b.Request.Terminal, day: s.day, bets: form.bets}
	if err := s.checkAggregate(&t); err != nil {
		return nil, fault(CheckRequests, "%v", err)
	}
	s.noteReady(&t)
	s.runs = s.runs || t.runs()
	if !c.slow && areLines(t.bets) {
		t.fold()
	}
	s.tickets.add(t)
	c.tickets.sold.set(c.here())
	c.report.Tickets++
	c.report.SoldCents += cost
	if term.visit != nil {
		term.visit.runner = term.visit.runner || b.Runner
		term.visit.sold = append(term.visit.sold, inVisit{seq: c.here(), cents: cost, plays: betsOf(form)})
		c.tills.unsettled[c.here()] = b.Request.Terminal
	}
	c.tickets.due = append(c.tickets.due[:0], ledger.Debit(from, unit, cost), ledger.Credit(ledger.Unplayed, 0, cost))
	return c.tickets.due, nil
}

// betsOf returns the ids of the bets of a ticket, each once.
func betsOf(form *ticketForm) (ids []string) {
	for i := range form.bets {
		if !slices.Contains(ids, form.bets[i].id) {
			ids = append(ids, form.bets[i].id)
		}
	}
	return ids
}

// checkJackpots checks that the jackpots that a ticket plays for have begun.
func (s *series) checkJackpots(bets []bet, c *wayCounter) error {
	for i := range bets {
		if !bets[i].jackpot {
			continue
		}
		for _, w := range c.count(&bets[i], nil) {
			if bets[i].rules.jackpot.Has(w.spots) && s.pools[uint8(w.spots)] == nil {
				return fault(CheckRequests, "a way of %d spots plays for a jackpot that has not begun", w.spots)
			}
		}
	}
	return nil
}

// playsForPool reports whether one of so many games from an ordinal on plays for
// the bonus prize pool.
func (c *checker) playsForPool(s *series, first, games uint32) bool {
	for ordinal := first; ordinal-first < games && len(s.promotions) > 0; ordinal++ {
		if c.isPoolGame(s, ordinal) {
			return true
		}
	}
	return false
}

// checkReplay checks that a replay names a ticket that was sold, and that nothing
// else does. What of it was changed is the player's choice (vic-keno-2015
// 2(a).replay, reading replay-of-anything).
func (c *checker) checkReplay(b *record.TicketSold) error {
	replays := b.Replays != record.Place{}
	if replays != (rulebook.Method(b.Method) == rulebook.MethodReplay) {
		return fault(CheckRequests, "it is entered by %s and replays ticket %v", b.Method, b.Replays)
	}
	if replays && !c.tickets.sold.has(flat(b.Replays)) {
		return fault(CheckRequests, "it replays ticket %v, which was not sold before it", b.Replays)
	}
	if stop := c.tills.stopped[flat(b.Replays)]; replays && (stop.frozen || stop.disqualified) {
		return fault(CheckRequests, "it replays ticket %v, on which payment is stopped", b.Replays)
	}
	return nil
}

// checkTender checks that a sale was paid for in a way that is accepted, which ends
// its session, or that it is owed for until the session ends: credit is forbidden
// (11(b)). It returns the account that it is paid from.
func (c *checker) checkTender(b *record.TicketSold, r *rules, term *terminal) (ledger.Account, uint32, error) {
	for _, tender := range b.Tenders {
		if tender.Kind != record.TenderCash || !r.takesCash(term.channel, term.kind) {
			return 0, 0, fault(CheckRequests,
				"tender %d is not accepted at terminal %d", tender.Kind, b.Request.Terminal)
		}
	}
	if len(b.Tenders) == 0 && !r.sellsAt(term.channel, term.kind) {
		if err := c.guard(fault(CheckRequests,
			"it is sold in a session at terminal %d, where nothing pays for tickets", b.Request.Terminal)); err != nil {
			return 0, 0, err
		}
	}
	return c.settles(CheckRequests, term, b.Request.Terminal, b.Tenders)
}

// places is a set of places, a bit for each.
type places struct {
	volumes map[uint16][]uint64
	last    uint16 // the volume of bits, which are not in volumes
	bits    []uint64
}

// turn makes a volume the last.
func (p *places) turn(volume uint16) {
	if volume == p.last {
		return
	}
	if p.volumes == nil {
		p.volumes = make(map[uint16][]uint64)
	}
	p.volumes[p.last] = p.bits
	p.last, p.bits = volume, p.volumes[volume]
}

func (p *places) set(n uint64) {
	at := placeOf(n)
	p.turn(at.Volume)
	for uint64(len(p.bits)) <= at.Seq/64 {
		p.bits = append(p.bits, 0)
	}
	p.bits[at.Seq/64] |= 1 << (at.Seq % 64)
}

func (p *places) has(n uint64) bool {
	at := placeOf(n)
	bits := p.bits
	if at.Volume != p.last {
		bits = p.volumes[at.Volume]
	}
	return at.Seq/64 < uint64(len(bits)) && bits[at.Seq/64]>>(at.Seq%64)&1 == 1
}
