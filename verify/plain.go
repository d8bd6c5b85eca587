package verify

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"

	"drawhouse/day"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
)

// Nearly every record is a plain ticket: one bet on numbers without features, for
// cash, at the game that is open. This file takes them a quicker way, from their
// bytes to what is kept of them. It may only accept: whatever is not just as it
// expects is left to the checks that everything else goes through, which alone say
// what is wrong. TestAgreement and TestLyingHouse run every
// export both ways and compare.

// A plain ticket keeps its one bet as bits.
type plain struct {
	rules  *betRules // nil for a ticket that is not plain
	lo, hi uint64    // the spots: bit n of hi:lo is number n
	stake  money.Amount
}

// all returns the bets of a ticket, plain or not.
func (t *ticket) all() []bet {
	if t.plain.rules == nil {
		return t.bets
	}
	b := bet{id: t.plain.rules.id, rules: t.plain.rules, fields: 1<<fieldBet | 1<<fieldStake | 1<<fieldSpots, stake: t.plain.stake, ways: 1}
	for n := range 128 {
		if t.plain.has(n) {
			b.spots = append(b.spots, byte(n))
		}
	}
	b.jackpot = b.rules.jackpot.Has(len(b.spots))
	return []bet{b}
}

func (p *plain) has(n int) bool {
	if n < 64 {
		return p.lo>>n&1 == 1
	}
	return p.hi>>(n-64)&1 == 1
}

func (p *plain) spots() int { return bits.OnesCount64(p.lo) + bits.OnesCount64(p.hi) }

// rules returns the rulebook under which the ticket was sold.
func (t *ticket) rules() *rules {
	if t.plain.rules != nil {
		return t.plain.rules.rules
	}
	return t.bets[0].rules.rules
}

// fold makes a ticket of one bet without anything a plain one.
func (t *ticket) fold() {
	if len(t.bets) != 1 || t.bets[0].fields != 1<<fieldBet|1<<fieldStake|1<<fieldSpots {
		return
	}
	b := &t.bets[0]
	t.plain = plain{rules: b.rules, stake: b.stake}
	for _, n := range b.spots {
		if n < 64 {
			t.plain.lo |= 1 << n
		} else {
			t.plain.hi |= 1 << (n - 64)
		}
	}
	t.bets = nil
}

// A shape is all of a plain ticket that its price and its being sold depend on.
type shape struct {
	series  *series
	terms   *terms
	channel rulebook.Channel
	venue   rulebook.VenueKind
	method  uint8
	bet     uint8
	spots   uint8
	games   uint32
	stake   money.Amount
}

// shapes are those that were sold once, with what they cost. Methods and bets stand
// in it by their place among the words, which are few.
type shapes struct {
	costs map[shape]priced
	words []string
}

type priced struct {
	cost  money.Amount
	rules *betRules
}

const noWord = math.MaxUint8

func (s *shapes) word(text []byte) uint8 {
	for i, w := range s.words {
		if string(text) == w {
			return uint8(i)
		}
	}
	return noWord
}

// learn remembers the shape of a ticket that was found to be right, if it is plain.
func (s *shapes) learn(form *ticketForm, series *series, terms *terms, term *terminal, b *record.TicketSold) {
	t := ticket{bets: form.bets}
	t.fold()
	if t.plain.rules == nil || b.Runner {
		return
	}
	for _, text := range []string{b.Method, t.plain.rules.id} {
		if s.word([]byte(text)) == noWord {
			if len(s.words) == noWord {
				return
			}
			s.words = append(s.words, text)
		}
	}
	if s.costs == nil || len(s.costs) > maxShapes {
		s.costs = make(map[shape]priced)
	}
	s.costs[shape{series, terms, term.channel, term.kind, s.word([]byte(b.Method)), s.word([]byte(t.plain.rules.id)),
		uint8(t.plain.spots()), form.games, t.plain.stake}] = priced{b.CostCents, t.plain.rules}
}

// maxShapes bounds what is remembered; there are far fewer in a house.
const maxShapes = 1 << 16

// quick is a plain ticket as its bytes tell it.
type quick struct {
	at              record.Time
	venue, terminal uint32
	number          uint64
	session         uint32
	method, bet     []byte
	rulebook        []byte
	series          uint8
	ordinal         uint32
	day             day.Day
	game            uint16
	games           uint32
	stake, cost     money.Amount
	spots           []byte
	claim           []byte
}

// plainSold takes a plain ticket from the bytes of its record and reports whether it
// did. If not, nothing has happened.
func (c *checker) plainSold(data []byte) bool {
	var q quick
	if c.slow || !q.read(data) || q.at < c.now {
		return false
	}
	term, s := c.terminals[q.terminal], c.series[q.series]
	if term == nil || s == nil || term.visit != nil || len(c.tills.unpaid) > 0 || term.venue != q.venue || q.number <= term.number || q.session <= term.session ||
		!s.dayOpen || s.paused || len(s.promotions) > 0 || uint64(q.ordinal) != uint64(len(s.games)) {
		return false
	}
	g := s.games[q.ordinal-1]
	if g.stage != stageOpen || q.day != g.name.Day || q.game != g.name.Number || string(q.rulebook) != g.terms.rules.book.ID() {
		return false
	}
	known, ok := c.shapes.costs[shape{s, g.terms, term.channel, term.kind, c.shapes.word(q.method), c.shapes.word(q.bet), uint8(len(q.spots)), q.games, q.stake}]
	if !ok || known.cost != q.cost {
		return false
	}
	t := ticket{seq: c.here(), claim: record.Hash(q.claim), first: q.ordinal, last: q.ordinal + q.games - 1, games: q.games,
		venue: term.venue, day: s.day, plain: plain{rules: known.rules, stake: q.stake}}
	if !t.plain.mark(q.spots, g.terms.rules.of) || !c.books.postSale(term, q.cost) {
		return false
	}
	term.number, term.session, term.ended, term.paidCash = q.number, q.session, true, 0
	term.drawer += q.cost
	for _, done := range [...]*dayTally{term.tallyOf(q.series), &term.total} {
		done.Sales++
		done.Sold += q.cost
		done.Cash += q.cost
	}
	c.now = q.at
	s.tickets = append(s.tickets, t)
	c.sold.set(t.seq)
	c.report.Tickets++
	c.report.SoldCents += q.cost
	return true
}

// mark sets the spots, which must ascend from 1 to most.
func (p *plain) mark(spots []byte, most int) bool {
	last := 0
	for _, n := range spots {
		if int(n) <= last || int(n) > most {
			return false
		}
		last = int(n)
		if n < 64 {
			p.lo |= 1 << n
		} else {
			p.hi |= 1 << (n - 64)
		}
	}
	return true
}

// postSale books a sale: cash of the terminal's venue, and unplayed.
func (b *books) postSale(term *terminal, cost money.Amount) bool {
	cash, unplayed := b.account(ledger.Cash, term.venue), b.account(ledger.Unplayed, 0)
	was := *cash
	if cash.move(record.KindTicketSold, cost) != nil {
		return false
	}
	if unplayed.move(record.KindTicketSold, -cost) != nil {
		*cash = was
		return false
	}
	return true
}

// read reads the record of a plain ticket: in the one form that it has.
func (q *quick) read(data []byte) bool {
	r := quickReader{rest: data}
	r.is(0x85, byte(record.KindTicketSold), 1)
	q.at = record.Time(r.uint(math.MaxInt64))
	q.readPostings(&r)
	// The body: request, session, method, no runner, no replay.
	r.is(0x8c, 0x83)
	q.terminal = uint32(r.uint(math.MaxUint32))
	q.number = r.uint(math.MaxUint64)
	r.is(0x50)
	r.take(16)
	q.session = uint32(r.uint(math.MaxUint32))
	q.method = r.string(0x60)
	r.is(0xf4, 0x82, 0, 0)
	q.series = uint8(r.uint(math.MaxUint8))
	q.ordinal = uint32(r.uint(math.MaxUint32))
	q.readTicket(&r)
	r.is(1) // way
	cost := money.Amount(r.uint(math.MaxInt64))
	r.is(0x58, 32)
	q.claim = r.take(32)
	r.is(0x81, 0x82, byte(record.TenderCash))
	tendered := money.Amount(r.uint(math.MaxInt64))
	return !r.bad && len(r.rest) == 0 && cost == q.cost && tendered == q.cost && cost > 0 &&
		q.at > 0 && q.venue != 0 && q.terminal != 0 && q.number != 0 && q.session != 0 && q.series != 0 && q.ordinal != 0 &&
		q.stake > 0 && q.games > 0 && q.games <= maxGames && q.ordinal < maxOrdinal
}

// readPostings reads cash of a venue against unplayed.
func (q *quick) readPostings(r *quickReader) {
	r.is(0x82, 0x83, byte(ledger.Cash))
	q.venue = uint32(r.uint(math.MaxUint32))
	q.cost = money.Amount(r.uint(math.MaxInt64))
	r.is(0x83, byte(ledger.Unplayed), 0)
	// A negative number n is stored as -1-n.
	if credited := r.head(0x20); credited != uint64(q.cost)-1 {
		r.bad = true
	}
}

// readTicket reads the tree of a ticket with one bet of a name, a stake and spots.
func (q *quick) readTicket(r *quickReader) {
	r.is(0x85, 1)
	q.rulebook = r.string(0x60)
	r.is(0x82)
	q.day = day.Day(r.uint(math.MaxInt32))
	q.game = uint16(r.uint(math.MaxUint16))
	q.games = uint32(r.uint(math.MaxUint32))
	r.is(0x81, 0xa3, fieldBet)
	q.bet = r.string(0x60)
	r.is(fieldStake)
	q.stake = money.Amount(r.uint(maxStake))
	r.is(fieldSpots)
	q.spots = r.string(0x40)
}

// A quickReader reads CBOR heads in their shortest form. After the first thing that
// is not as expected it is bad, and everything it returns is zero.
type quickReader struct {
	rest []byte
	bad  bool
}

// is reads bytes that must stand there.
func (r *quickReader) is(want ...byte) {
	if r.bad = r.bad || !bytes.HasPrefix(r.rest, want); !r.bad {
		r.rest = r.rest[len(want):]
	}
}

// take reads so many bytes.
func (r *quickReader) take(n uint64) []byte {
	if r.bad = r.bad || uint64(len(r.rest)) < n; r.bad {
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// head reads the head of an item of a major type, given by its first byte.
func (r *quickReader) head(major byte) uint64 {
	if r.bad || len(r.rest) == 0 || r.rest[0]&0xe0 != major {
		r.bad = true
		return 0
	}
	n := uint64(r.rest[0] & 0x1f)
	r.rest = r.rest[1:]
	if n < 24 {
		return n
	}
	var least uint64
	switch b := r.rest; {
	case n == 24 && len(b) >= 1:
		n, least, r.rest = uint64(b[0]), 24, b[1:]
	case n == 25 && len(b) >= 2:
		n, least, r.rest = uint64(binary.BigEndian.Uint16(b)), 1<<8, b[2:]
	case n == 26 && len(b) >= 4:
		n, least, r.rest = uint64(binary.BigEndian.Uint32(b)), 1<<16, b[4:]
	case n == 27 && len(b) >= 8:
		n, least, r.rest = binary.BigEndian.Uint64(b), 1<<32, b[8:]
	default:
		r.bad = true
	}
	if r.bad = r.bad || n < least; r.bad {
		return 0
	}
	return n
}

func (r *quickReader) uint(most uint64) uint64 {
	n := r.head(0)
	r.bad = r.bad || n > most
	return n
}

// string reads a string of bytes or of text that is not empty.
func (r *quickReader) string(major byte) []byte {
	n := r.head(major)
	r.bad = r.bad || n == 0
	return r.take(n)
}

// countPlain adds a plain ticket that is in the game to its totals.
func (g *game) countPlain(p *plain) error {
	main, err := g.stakes.main.Add(p.stake)
	if err != nil {
		return err
	}
	rules, err := g.terms.rulesOf(p.rules)
	if err != nil {
		return err
	}
	g.plays++
	g.ways++
	g.stakes.main = main
	if spots := p.spots(); rules.jackpot.Has(spots) {
		g.onSizes[spots] += p.stake // No more than all stakes.
	}
	if g.fillsPool(rules.id) {
		g.pooled += p.stake
	}
	return nil
}

// gradePlain grades a plain ticket. One that may win a jackpot or a promotion goes
// the way of the others.
func (w *grader) gradePlain(t *ticket) error {
	p := &t.plain
	rules, err := w.terms.rulesOf(p.rules)
	if err != nil {
		return err
	}
	spots, matched := p.spots(), bits.OnesCount64(p.lo&w.lo)+bits.OnesCount64(p.hi&w.hi)
	table := w.terms.catches[rules.index]
	if table == nil || len(w.promotions) > 0 || matched == spots && rules.jackpot.Has(spots) {
		return w.gradeBets(t, t.all())
	}
	prize := table.Prize(spots, matched)
	if prize == 0 {
		return nil
	}
	w.play = winner{seq: t.seq, claim: t.claim}
	return w.pay(rules.id, stakeTimes{p.stake, 1, prize, table.Per()}, stakeTimes{}, 1)
}
