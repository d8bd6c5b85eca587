package verify

import (
	"maps"
	"slices"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The names of origins that are no papers.
const (
	originCash  = "cash"
	originChips = "chips"
	originPrize = "prize"
	originCard  = "player_card"
)

// A part of money that came from one place: what it is, what it was of, and the days to which
// a paper of it is good and kept.
type part struct {
	id         string
	of         uint64 // place of the paper or card, or of the ticket that won it
	cents      money.Amount
	last, kept day.Day
	play       string // the type of game that the paper is for; empty for any
	back       bool   // a prize that was staked and comes back
	paidFor    bool   // money was paid for the paper
}

// won is money that a ticket has won.
func won(ticket uint64, cents money.Amount) []part {
	if cents == 0 {
		return nil
	}
	return []part{{id: originPrize, of: ticket, cents: cents}}
}

// unstake takes stakes from a ticket, as what had paid for them: what was spent first comes
// back first, and the rest is cash.
func (c *checker) unstake(ticket uint64, cents money.Amount) []part {
	var back []part
	list := c.tills.paidBy[ticket]
	for len(list) > 0 && cents > 0 {
		first := list[0]
		if first.cents > cents {
			first.cents = cents
			list[0].cents -= cents
		} else {
			list = list[1:]
		}
		cents -= first.cents
		first.back = first.id == originPrize
		back = append(back, first)
	}
	if c.tills.paidBy[ticket] = list; len(list) == 0 {
		delete(c.tills.paidBy, ticket)
	}
	if cents > 0 {
		back = append(back, part{id: originCash, cents: cents})
	}
	return back
}

// staked says as what stakes of a ticket would go back, and takes nothing.
func (c *checker) staked(ticket uint64, cents money.Amount) []part {
	own, known := c.tills.paidBy[ticket]
	if !known {
		return []part{{id: originCash, cents: cents}}
	}
	c.tills.paidBy[ticket] = slices.Clone(own)
	back := c.unstake(ticket, cents)
	c.tills.paidBy[ticket] = own
	return back
}

// origin is what a rulebook says of an origin, and its place in the order of spending.
func (r *rules) origin(id string) (rulebook.Origin, int) {
	for i, o := range r.book.Origins() {
		if o.ID == id {
			return o, i
		}
	}
	return rulebook.Origin{}, len(r.book.Origins())
}

// leaves reports whether money of an origin leaves as something at a kind of venue.
func (r *rules) leaves(id, as string, at rulebook.VenueKind) (rulebook.Leave, bool) {
	o, _ := r.origin(id)
	for _, l := range o.Leaves {
		if l.As == as && !l.BoughtHereToday && (len(l.Venues) == 0 || slices.Contains(l.Venues, at)) {
			return l, true
		}
	}
	return rulebook.Leave{}, false
}

// bound reports whether money of an origin goes back as what it was.
func (r *rules) bound(id string) bool {
	o, _ := r.origin(id)
	return slices.ContainsFunc(o.Leaves, func(l rulebook.Leave) bool { return l.As == rulebook.Same })
}

// outInCash objects to money that an act by itself hands out in cash and that does not leave
// so, and returns how much of it counts against limits.
func (c *checker) outInCash(list []part, term *terminal, r *rules) (counts money.Amount, objection error) {
	for _, p := range list {
		way, ok := r.leaves(p.id, originCash, term.kind)
		if !ok || r.bound(p.id) {
			o, _ := r.origin(p.id)
			objection = fault(CheckPayments, "%v of %s are handed out in cash (%s)", p.cents, p.id, o.Clause)
		}
		if way.Counts {
			counts += p.cents
		}
	}
	return counts, objection
}

// backInCash objects to prizes that a ticket gives back in cash after they were staked, where the
// limit was used up before, and counts them. With what else it hands out, so much leaves as counts.
func (c *checker) backInCash(list []part, counts money.Amount, term *terminal, r *rules) error {
	sums := c.cameBack(list)
	for _, of := range slices.Sorted(maps.Keys(sums)) {
		most, bounded := c.togetherAt(term, r)
		if bounded && c.tills.counted[of]+sums[of] > most {
			return fault(CheckPayments,
				"%v of a prize of ticket %v come back in cash, and %v of it left before; %v is the most together (%s)",
				sums[of], placeOf(of), c.tills.counted[of], most, r.payout.Clause)
		}
		if err := c.guard(c.leavesRoom(counts, term, r, of)); err != nil {
			return err
		}
		c.tills.counted[of] += sums[of]
	}
	return nil
}

// cameBack adds up the prizes that were staked and come back, by the ticket that won them. Tickets
// that one session has paid, and whose prizes were staked there, are one.
func (c *checker) cameBack(list []part) map[uint64]money.Amount {
	sums := map[uint64]money.Amount{}
	for _, p := range list {
		if p.back && p.cents > 0 {
			sums[c.as(p.of)] += p.cents
		}
	}
	return sums
}

// as returns the ticket as which one counts.
func (c *checker) as(ticket uint64) uint64 {
	for c.tills.countsAs[ticket] != 0 {
		ticket = c.tills.countsAs[ticket]
	}
	return ticket
}

// oneOf returns the prizes of tickets which a session has paid, and which were staked in it: they are of one total
// (vic-keno-2015 2(a).total-prize-money).
func (c *checker) oneOf(e *ending) (prizes []uint64) {
	spent := map[uint64]bool{}
	for _, m := range e.Spent {
		if m.ID == originPrize {
			spent[flat(m.Of)] = true
		}
	}
	for _, seq := range slices.Sorted(maps.Keys(e.visit.brought)) {
		for _, p := range e.visit.brought[seq].parts {
			if p.id != originPrize || p.back || !spent[p.of] || e.withheld[seq] {
				continue
			}
			if of := c.as(p.of); !slices.Contains(prizes, of) {
				prizes = append(prizes, of)
			}
		}
	}
	return prizes
}

// togetherAt returns how much of a prize may leave in cash at a terminal, all times together, if
// the rulebook counts them so (vic-keno-2015 21(d)(i), reading staked-prize-comes-back).
func (c *checker) togetherAt(term *terminal, r *rules) (most money.Amount, bounded bool) {
	if way, ok := r.leaves(originPrize, originCash, term.kind); !ok || !way.Together {
		return 0, false
	}
	lower := func(to money.Amount) {
		if !bounded || to < most {
			most, bounded = to, true
		}
	}
	for _, m := range r.waysAt(term) {
		if m.Of == "session" && m.UpTo != nil {
			lower(m.UpTo.Amount())
		}
		if limit := c.tills.limits[term.venue]; m.VenueLimit && limit > 0 {
			lower(limit)
		}
	}
	return most, bounded
}

// countAll notes for all prizes that were staked in a session, or came back in it, how much of what
// left counted against limits.
func (c *checker) countAll(e *ending, counts money.Amount) error {
	if e.CountedCents != counts {
		says := fault(CheckPayments, "it says that %v count against limits, and %v do", e.CountedCents, counts)
		if err := c.newer(says); err != nil {
			return err
		}
	}
	one := c.oneOf(e)
	if len(one) > 1 { // even if nothing leaves: what has left of all of them counts for each
		if err := c.guard(c.leavesRoom(counts, e.term, e.rules, one...)); err != nil {
			return err
		}
	}
	if counts > 0 {
		for _, of := range c.countedFor(e) {
			if err := c.guard(c.leavesRoom(counts, e.term, e.rules, of)); err != nil {
				return err
			}
		}
	}
	for i, of := range one {
		if i > 0 {
			c.tills.countsAs[of] = one[0]
			c.tills.counted[one[0]] += c.tills.counted[of]
			delete(c.tills.counted, of)
		}
	}
	if counts > 0 {
		for _, of := range c.countedFor(e) {
			c.tills.counted[of] += counts
		}
	}
	return nil
}

// countedFor returns the prizes for which counts what leaves at the end of a session: those that came back in
// it, and those that were staked.
func (c *checker) countedFor(e *ending) []uint64 {
	there := map[uint64]bool{}
	for seq, in := range e.visit.brought {
		if !e.withheld[seq] {
			for of := range c.cameBack(in.parts) {
				there[of] = true
			}
		}
	}
	for _, m := range e.Spent {
		if m.ID == originPrize {
			there[c.as(flat(m.Of))] = true
		}
	}
	return slices.Sorted(maps.Keys(there))
}

// A purse is what a customer has at the end of a session.
type purse struct {
	parts    []part         // left, by origin
	tendered map[int]bool   // of the parts, those that the customer brought
	from     map[int]uint64 // of the others, the ticket that brought it
	cash     money.Amount   // that the customer pays, or owes on
	refunds  money.Amount   // of papers that their buyer gave back
	today    day.Day
}

func (p *purse) put(of part, ticket uint64, tendered bool) {
	if p.tendered == nil {
		p.tendered, p.from = map[int]bool{}, map[int]uint64{}
	}
	p.tendered[len(p.parts)], p.from[len(p.parts)] = tendered, ticket
	p.parts = append(p.parts, of)
}

// fill puts into the purse what tickets have brought and are not withheld. What was tendered
// is there already.
func (p *purse) fill(e *ending) {
	for _, seq := range slices.Sorted(maps.Keys(e.visit.brought)) {
		if e.withheld[seq] {
			continue
		}
		for _, of := range e.visit.brought[seq].parts {
			p.put(of, seq, false)
		}
	}
}

// take takes money out of the parts that fit, and returns what they lack.
func (p *purse) take(cents money.Amount, fits func(i int) bool) money.Amount {
	for i := range p.parts {
		if !fits(i) {
			continue
		}
		n := min(cents, p.parts[i].cents)
		p.parts[i].cents -= n
		cents -= n
	}
	return cents
}

// spends takes out of the purse what has paid for tickets, and notes it.
func (c *checker) spends(e *ending) error {
	cost, plays := map[uint64]money.Amount{}, map[uint64][]string{}
	for _, in := range e.visit.sold {
		cost[in.seq], plays[in.seq] = in.cents-e.visit.undone[in.seq], in.plays
	}
	listed, cash := map[uint64]money.Amount{}, maps.Clone(cost)
	last := map[uint64]int{} // the latest rank that has paid for a ticket
	for _, m := range e.Spent {
		seq := flat(m.Ticket)
		if _, sold := cost[seq]; !sold {
			return fault(CheckPayments, "%v of %s pay for ticket %v, which was not sold in the session", m.Cents, m.ID,
				m.Ticket)
		}
		listed[seq] += m.Cents
		if m.ID == originCash {
			c.tills.paidBy[seq] = append(c.tills.paidBy[seq], part{id: originCash, cents: m.Cents})
			continue
		}
		cash[seq] -= m.Cents
		lacks := m.Cents
		for i := range e.purse.parts {
			p := &e.purse.parts[i]
			if p.id != m.ID || p.of != flat(m.Of) || p.last != 0 && p.last < e.purse.today {
				continue
			}
			if p.cents > 0 && !p.plays(plays[seq]) {
				kind, _ := e.rules.book.Instrument(p.id)
				return fault(CheckPayments, "a %s for %s pays for ticket %v, which plays %s (%s)", p.id, p.play,
					m.Ticket, strings.Join(plays[seq], " and "), kind.GameTypesClause())
			}
			n := min(lacks, p.cents)
			if n > 0 {
				c.tills.paidBy[seq] = append(c.tills.paidBy[seq],
					part{id: p.id, of: p.of, cents: n, last: p.last, kept: p.kept, play: p.play, paidFor: p.paidFor})
			}
			p.cents -= n
			lacks -= n
		}
		if lacks > 0 {
			return fault(CheckPayments, "%v of %s %v pay for ticket %v, and the customer has %v of it", m.Cents, m.ID,
				m.Of, m.Ticket, m.Cents-lacks)
		}
		_, rank := e.rules.origin(m.ID)
		last[seq] = max(last[seq], rank)
	}
	for seq, sum := range listed {
		if sum != cost[seq] {
			return fault(CheckPayments, "ticket %v costs %v, and it is said that %v have paid for it", placeOf(seq),
				cost[seq], sum)
		}
	}
	for seq, cents := range cash {
		if cents > 0 { // cash is spent last
			_, last[seq] = e.rules.origin(originCash)
		}
	}
	for _, p := range e.purse.parts {
		_, rank := e.rules.origin(p.id)
		if p.cents == 0 || p.id == originCash || p.last != 0 && p.last < e.purse.today {
			continue
		}
		for seq, latest := range last {
			if rank < latest && p.plays(plays[seq]) {
				return fault(CheckPayments, "%v of %s are left, and money has paid that is spent later", p.cents, p.id)
			}
		}
	}
	return nil
}

// plays reports whether money pays for a ticket with some bets: what is for one type of game, for
// tickets of that one alone (vic-keno-2015 2(a).gift-voucher, 2(a).prepaid-voucher, 11(a)(ii)).
func (p *part) plays(bets []string) bool {
	for _, id := range bets {
		if p.play != "" && p.play != id {
			return false
		}
	}
	return true
}

// checkOrigins objects to the end of a session by which money becomes what the rulebook does
// not let it become (vic-keno-2015 12(c), 13, 14(a), 17(e), 21(d)(i), 21(j); tas-keno-2023
// 1.59, 1.76, 13.7; casino-keno-div2 4.1).
func (c *checker) checkOrigins(e *ending) error {
	if err := c.spends(e); err != nil {
		return err
	}
	if err := e.vouchersBack(); err != nil {
		return err
	}
	credited := maps.Clone(e.credited)
	for i, p := range e.purse.parts {
		if p.id != originCard || p.cents == 0 || e.purse.tendered[i] {
			continue
		}
		if credited[p.of] < p.cents && c.takes(p.of) {
			return fault(CheckPayments, "%v of card %d come back, and do not go to it", p.cents, c.tills.cardAt[p.of])
		}
		n := min(credited[p.of], p.cents)
		e.purse.parts[i].cents -= n
		credited[p.of] -= n
	}
	for i, p := range e.purse.parts {
		if p.cents > 0 && e.rules.bound(p.id) && p.id != originCard {
			o, _ := e.rules.origin(p.id)
			return fault(CheckPayments, "%v of %s, which ticket %v brought or the customer, become something else (%s)",
				p.cents, p.id, placeOf(e.purse.from[i]), o.Clause)
		}
	}
	if err := e.papersLive(); err != nil {
		return err
	}
	e.credited = credited
	if err := e.noCredit(); err != nil {
		return err
	}
	return c.checkOut(e)
}

// noCredit objects to money that goes to a card in a session whose customer did not pay all
// (vic-keno-2015 11(b)). What tickets gave back of the card's own money was paid before.
func (e *ending) noCredit() error {
	unpaid := slices.ContainsFunc(e.Tenders, func(t record.Settlement) bool { return t.Kind == record.TenderUnpaid })
	for _, cents := range e.credited {
		if unpaid && cents > 0 {
			return fault(CheckPayments, "%v go to a card, and the customer did not pay all (%s)", cents,
				e.rules.book.Credit().Clause)
		}
	}
	return nil
}

// takes reports whether a card takes money.
func (c *checker) takes(at uint64) bool {
	held := c.tills.cards[c.tills.cardAt[at]]
	return held != nil && held.status != record.CardClosed && c.now >= held.barred
}

// vouchersBack takes out of the purse what vouchers replace: each is for what its ticket gave
// back of such a voucher, and is good as long as that was.
func (e *ending) vouchersBack() error {
	for _, v := range e.visit.replaced {
		lacks := e.purse.take(v.paper.cents, func(i int) bool {
			p := e.purse.parts[i]
			return v.gives(p) && e.purse.from[i] == v.ticket && !e.purse.tendered[i] && e.lives(p, v.paper)
		})
		if lacks > 0 {
			return fault(CheckPayments, "%v go back as %s that is good to %v, and ticket %v gives back no such voucher",
				lacks, v.paper.id, v.paper.last, placeOf(v.ticket))
		}
	}
	return nil
}

// lives reports whether a paper is good as long as the money that it is for, to the same
// day or to today if that is over, and for the same type of game.
func (e *ending) lives(p part, as *paper) bool {
	way, _ := e.rules.leaves(p.id, as.id, e.term.kind)
	if p.id == as.id && e.rules.bound(p.id) {
		way, _ = e.rules.leaves(p.id, rulebook.Same, e.term.kind)
	}
	play := ""
	if slices.Contains(way.Keeps, "game_type") {
		play = p.play
	}
	if as.play != play {
		return false
	}
	if p.last == 0 || !slices.Contains(way.Keeps, "life") {
		return !as.odd
	}
	return as.last == max(p.last, e.purse.today) && as.kept == max(p.kept, e.purse.today)
}

// papersLive checks the lives of papers that are given in place of money: one that is for an
// earlier paper keeps its life, and any other has a life of its own.
func (e *ending) papersLive() error {
	left, cash := slices.Clone(e.purse.parts), e.purse.cash+e.purse.refunds
	for _, out := range e.given {
		need := out.cents
		for i := range left {
			way, ok := e.rules.leaves(left[i].id, out.id, e.term.kind)
			keeps := slices.Contains(way.Keeps, "life") && left[i].last != 0
			if !ok || keeps && !e.lives(left[i], out) || !keeps && out.odd {
				continue
			}
			n := min(need, left[i].cents)
			left[i].cents -= n
			need -= n
		}
		if need > 0 && out.odd || need > cash { // Cash has no life that a paper could keep.
			return fault(CheckPayments, "a %s of %v is good to %v, and nothing that the customer had is", out.id,
				out.cents, out.last)
		}
		cash -= need
	}
	return nil
}

// checkOut checks that what goes out may leave so, and that what counts is within the limits.
// Papers that were bought, and what goes to a card, leave as cash does.
func (c *checker) checkOut(e *ending) error {
	var bought money.Amount
	for _, in := range e.visit.issued {
		if in.bought {
			bought += in.cents
		}
	}
	for _, cents := range e.credited {
		bought += cents
	}
	for id, cents := range e.out {
		may := money.Amount(0)
		for _, p := range e.purse.parts {
			if _, ok := e.rules.leaves(p.id, id, e.term.kind); ok {
				may += p.cents
			}
		}
		// What was given back is the cash that it cost, and leaves as cash does.
		if _, ok := e.rules.leaves(originCash, id, e.term.kind); ok || id == originCash {
			may += e.purse.refunds
		}
		if cents > may {
			return fault(CheckPayments, "%v leave as %s, and %v may", cents, id, may)
		}
	}
	free := e.purse.cash + e.purse.refunds
	for _, p := range e.purse.parts {
		if way, ok := e.rules.leaves(p.id, originCash, e.term.kind); ok && !way.Counts {
			free += p.cents
		}
	}
	return c.checkPay(e, bought, free)
}

// waysAt returns the methods of a terminal: those of its kind, or if there are none those of all.
func (r *rules) waysAt(term *terminal) (all []rulebook.PayoutMethod) {
	ways := r.waysOf(term.kind)
	own := slices.ContainsFunc(ways, func(m rulebook.PayoutMethod) bool { return m.Channel == term.channel })
	for _, m := range ways {
		if own && m.Channel == term.channel || !own && m.Channel == "" {
			all = append(all, m)
		}
	}
	return all
}

// papersFor returns the papers of a session that nobody has paid for if it ends unpaid. Before
// record.LevelGuarded they stayed good.
func (v *visit) papersFor(level uint8) []inVisit {
	if level < record.LevelGuarded {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(v.issued), func(in inVisit) bool { return !in.bought })
}
