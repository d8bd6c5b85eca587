package verify

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// A promotion is a prize beyond the schedules (vic-keno-2015 16, tas-keno-2023
// 5.11, 17.2).
type promotion struct {
	record.PromotionBegun
	paused, over bool
	left         money.Amount // that nobody has won
	counts       []uint32     // of its random prizes, those left
	presented    map[uint64]bool
}

// on reports whether a game plays for a promotion on draws. One that opened while a system was being succeeded plays
// for nothing from the bonus prize pool.
func (p *promotion) on(ordinal uint32, succeeding bool) bool {
	return p.Bet != "" && !p.paused && !p.over && p.From <= ordinal && (p.Last == 0 || ordinal <= p.Last) &&
		!(p.Pool && succeeding)
}

// succeeding tells that a game of a series which opens now plays for no prize from the bonus prize pool: its rules
// pause such games from the begin of a successor's series until no series of the system before it goes on
// (tas-keno-2023 17.4(a)).
func (c *checker) succeeding(s *series) bool {
	var before, after bool
	for _, other := range c.series {
		if other == nil || !other.rulesNow().pausesPool() {
			continue
		}
		if other.rulesNow().book.System().Plays == rulebook.PlaysSuccessor {
			after = true
		} else {
			before = before || !other.isOver()
		}
	}
	return before && after && s.termsAt(uint32(len(s.games))+1).rules.pausesPool()
}

func (r *rules) pausesPool() bool { return r.promotions != nil && r.promotions.TransitionPauses }

// source returns the account from which the money of a promotion comes.
func (p *promotion) source() ledger.Account {
	if p.Pool {
		return ledger.BonusPool
	}
	return ledger.PrizeFund
}

// giveBack returns money to where it came from.
func (s *series) giveBack(p *promotion, cents money.Amount) {
	if p.Pool {
		s.bonusPool += record.Exact(cents) * exactCent
	}
}

// promotionBegun checks an offer: the rulebook of the games for which it is knows it, and there is the money. Money is
// set aside at once, so that it is the rulebook of today which says where it may come from (vic-keno-2015 16(a)).
func (c *checker) promotionBegun(b *record.PromotionBegun) (postings, error) {
	s := c.series[b.Series]
	if s == nil {
		return nil, fault(CheckPromotions, "series %d has not begun", b.Series)
	}
	r := s.termsAt(max(b.From, uint32(len(s.games))+1)).rules
	if err := s.checkPromotion(b, r); err != nil {
		return nil, fault(CheckPromotions, "%v", err)
	}
	if err := c.guard(s.rulesNow().sourceOf(b)); err != nil {
		return nil, err
	}
	p := &promotion{PromotionBegun: *b, left: b.AmountCents, presented: make(map[uint64]bool)}
	for _, prize := range b.Prizes {
		p.counts = append(p.counts, prize.Count)
	}
	if b.Pool {
		s.bonusPool -= record.Exact(b.AmountCents) * exactCent
	}
	s.promotions = append(s.promotions, p)
	return postings{ledger.Debit(p.source(), 0, b.AmountCents),
		ledger.Credit(ledger.Promotions, b.Number, b.AmountCents)}, nil
}

// sourceOf objects to an offer whose money the rules do not let come from where it comes from.
func (r *rules) sourceOf(b *record.PromotionBegun) error {
	switch policy := r.promotions; {
	case policy == nil || !b.Pool && !policy.FromFund:
		return fault(CheckPromotions, "its money is from the prize fund, and the rulebook gives none of that")
	case b.Pool && !policy.BonusPool:
		return fault(CheckPromotions, "its money is from a bonus prize pool, and the rulebook has none")
	}
	return nil
}

func (s *series) checkPromotion(b *record.PromotionBegun, r *rules) error {
	switch policy := r.promotions; {
	case uint64(b.Number) != uint64(len(s.promotions))+1:
		return fmt.Errorf("it is promotion %d of its series, and the next is %d", b.Number, len(s.promotions)+1)
	case policy == nil:
		return fmt.Errorf("the rulebook has no promotions")
	case b.From <= s.closed():
		return fmt.Errorf("it is for game %d of the series, which has closed", b.From)
	case !policy.BonusPool && !policy.FromFund:
		return fmt.Errorf("the rulebook offers no prizes beyond its schedules")
	case b.Pool && down(s.bonusPool) < b.AmountCents:
		return fmt.Errorf("it takes %v from the bonus prize pool, which holds %v", b.AmountCents, down(s.bonusPool))
	case b.Pool && slices.Contains(policy.PoolExcludes, b.Bet):
		return fmt.Errorf("%s is outside the bonus prize pool", b.Bet)
	case b.Item != "" && !policy.SetBetRandom:
		return fmt.Errorf("the rulebook has no prizes that fall on ready tickets")
	case b.Bet != "" && (r.bets[b.Bet] == nil || r.bets[b.Bet].form != rulebook.FormNumbers ||
		!r.bets[b.Bet].sizes.Has(int(b.Spots))):
		return fmt.Errorf("no %s of %d spots is sold", b.Bet, b.Spots)
	}
	if b.Item != "" && !slices.ContainsFunc(r.book.Items(),
		func(i rulebook.ItemFile) bool { return i.ID == b.Item && i.BonusPrize }) {
		return fmt.Errorf("the catalogue has no ready ticket %q with bonus prizes", b.Item)
	}
	return nil
}

// promotionOf returns a promotion that is not over.
func (c *checker) promotionOf(id uint8, number uint32) (*series, *promotion, error) {
	s := c.series[id]
	if s == nil || number == 0 || uint64(number) > uint64(len(s.promotions)) {
		return nil, nil, fault(CheckPromotions, "series %d has no promotion %d", id, number)
	}
	p := s.promotions[number-1]
	if p.over {
		return nil, nil, fault(CheckPromotions, "promotion %d is over", number)
	}
	return s, p, nil
}

// promotionChanged pauses a promotion, lets it go on, or ends it: what is left of it
// goes back to where it came from.
func (c *checker) promotionChanged(b *record.PromotionChanged) (postings, error) {
	s, p, err := c.promotionOf(b.Series, b.Number)
	if err != nil {
		return nil, err
	}
	p.paused = b.Paused
	if !b.Ended {
		return nil, nil
	}
	left := p.left
	p.over, p.left = true, 0
	s.giveBack(p, left)
	return postings{ledger.Debit(ledger.Promotions, b.Number, left), ledger.Credit(p.source(), 0, left)}, nil
}

// isPoolGame reports whether a game plays for a prize from the bonus prize pool: one that has opened as it did then,
// another one as it is now.
func (c *checker) isPoolGame(s *series, ordinal uint32) bool {
	var succeeding bool
	if uint64(ordinal) <= uint64(len(s.games)) {
		succeeding = s.games[ordinal-1].succeeding
	} else {
		succeeding = c.succeeding(s)
	}
	return slices.ContainsFunc(s.promotions, func(p *promotion) bool { return p.Pool && p.on(ordinal, succeeding) })
}

// fillBonusPool returns what a game gives to the bonus prize pool: a part of the
// stakes on bets that play for it and on their multiplier (tas-keno-2023 17.1(b),
// 17.4(b), reading bonus-pool-base).
func (s *series) fillBonusPool(g *game) (record.Exact, postings, error) {
	r := g.terms.rules
	if r.promotions == nil || !r.promotions.BonusPool {
		return 0, nil, nil
	}
	product, err := g.pooled.Mul(int64(r.book.PrizeFund().Bonus))
	if err != nil {
		return 0, nil, err
	}
	part, was := record.Exact(product), s.bonusPool
	if s.bonusPool += part; s.bonusPool > maxExact {
		return 0, nil, fmt.Errorf("no bonus prize pool can hold %d parts of a cent", s.bonusPool)
	}
	return part, postings{ledger.Credit(ledger.BonusPool, 0, down(s.bonusPool)-down(was))}, nil
}

// A promoWin is a number of ways of a ticket that met the conditions of a promotion.
type promoWin struct {
	promotion *promotion
	ticket    uint64
	claim     record.Hash
	stake     money.Amount
	count     uint64
}

// meetPromotions puts down ways that meet the conditions of promotions: of the bet,
// with so many spots and matches, and at least the stake.
func (w *grader) meetPromotions(b *bet, at position, ways waysOf) {
	for _, p := range w.promotions {
		if p.Bet == b.id && int(p.Spots) == ways.spots && int(p.Matched) == ways.matched && b.stake >= p.LeastCents {
			w.out.promoted = append(w.out.promoted, promoWin{p, at.ticket.seq, at.ticket.claim, b.stake, ways.count})
		}
	}
}

// sharePromotions shares each promotion that was won in proportion to the stakes
// without features, each share a prize of its own that is rounded like one
// (vic-keno-2015 16(b), (c), 24(h); readings promotional-first, promotional-share).
func (w *grader) sharePromotions() ([]record.PromotionWon, error) {
	var list []record.PromotionWon
	for _, p := range w.promotions {
		won := record.PromotionWon{Number: p.Number, AmountCents: w.game.settled.offered(p)}
		for _, win := range w.out.promoted {
			if win.promotion == p {
				won.Ways += win.count
				stakes, err := win.stake.Mul(int64(win.count))
				if err == nil {
					won.StakesCents, err = won.StakesCents.Add(stakes)
				}
				if err != nil {
					return nil, err
				}
			}
		}
		if won.Ways == 0 {
			continue
		}
		for _, win := range w.out.promoted {
			if win.promotion == p {
				paid, err := w.payPromoted(win, won)
				if err != nil {
					return nil, err
				}
				won.PaidCents += paid
			}
		}
		list = append(list, won)
	}
	return list, nil
}

// offered returns what a promotion offers to a game: at a further settlement what it
// offered at the first.
func (s *settled) offered(p *promotion) money.Amount {
	for _, won := range s.promotions {
		if won.Number == p.Number {
			return won.AmountCents
		}
	}
	return p.left
}

// payPromoted adds the shares of winning ways to their play, and returns them.
func (w *grader) payPromoted(win promoWin, won record.PromotionWon) (money.Amount, error) {
	x := new(big.Rat).Mul(ratOf(won.AmountCents), ratOf(win.stake))
	cents, err := w.terms.rules.rounding.of(x.Quo(x, ratOf(won.StakesCents)))
	if err == nil {
		cents, err = cents.Mul(int64(win.count))
	}
	if err != nil || cents == 0 {
		return 0, err
	}
	play := w.out.playOf(win.ticket, win.claim)
	play.cents += cents
	w.out.prizes += cents
	return cents, nil
}

// checkPromotions compares the promotions that the record says were won, ends them,
// and returns their postings: what is not paid goes back.
func (s *series) checkPromotions(stated, won []record.PromotionWon) (postings, error) {
	if !slices.Equal(stated, won) {
		return nil, sentence("the promotions %v are won by it, and %v is right", stated, won)
	}
	var due postings
	for _, w := range won {
		p := s.promotions[w.Number-1]
		p.over, p.left = true, 0
		rest := w.AmountCents - w.PaidCents
		s.giveBack(p, rest)
		due = append(due, ledger.Debit(ledger.Promotions, w.Number, w.AmountCents))
		if p.Pool {
			due = append(due, ledger.Credit(ledger.BonusPool, 0, rest))
		}
	}
	return due, nil
}

// A ready is a ready ticket with bonus prizes that was sold.
type ready struct {
	items       []string
	first, last uint32
}

// noteReady remembers a ready ticket on which a bonus may fall when it is presented.
func (s *series) noteReady(t *ticket) {
	var items []string // A ready ticket is not plain.
	for i := range t.bets {
		b := &t.bets[i]
		if b.has(fieldItem) && b.rules.rules.items[b.item].BonusPrize {
			items = append(items, b.item.id)
		}
	}
	if len(items) > 0 {
		s.ready[t.seq] = ready{items, t.first, t.last}
	}
}

// bonusAllocated checks what fell on a ready ticket that was presented: that it was
// paid just before, on the Keno Day of its last game, for the first time, and that
// the bytes give the prize (tas-keno-2023 5.11, reading set-bet-bonus-allocation).
func (c *checker) bonusAllocated(b *record.BonusAllocated) (postings, error) {
	s, p, err := c.promotionOf(b.Series, b.Number)
	if err != nil {
		return nil, err
	}
	t, known := s.ready[flat(b.Ticket)]
	term := c.terminals[b.Terminal]
	switch {
	case !known || !slices.Contains(t.items, p.Item):
		return nil, fault(CheckPromotions, "ticket %v is not a ready ticket of promotion %d", b.Ticket, b.Number)
	case p.paused:
		return nil, fault(CheckPromotions, "promotion %d is paused", b.Number)
	case term == nil || c.tickets.lastPaid != (lastPaid{next: c.here(), ticket: b.Ticket, terminal: b.Terminal,
		kept: c.tickets.lastPaid.kept}):
		return nil, fault(CheckPromotions,
			"it does not follow a payment of ticket %v at terminal %d", b.Ticket, b.Terminal)
	case p.presented[flat(b.Ticket)]:
		return nil, fault(CheckPromotions, "ticket %v was presented for promotion %d before", b.Ticket, b.Number)
	case uint64(t.last) > uint64(len(s.games)) || !s.dayOpen || s.games[t.last-1].name.Day != s.day:
		return nil, fault(CheckPromotions, "ticket %v is not presented on the Keno Day of its last game", b.Ticket)
	case !s.playedFor(p, t):
		return nil, fault(CheckPromotions, "no game of ticket %v is one of promotion %d", b.Ticket, b.Number)
	}
	prize, ok := p.fallsOn(b.Bytes)
	if !ok {
		return nil, fault(CheckPromotions, "its bytes decide nothing")
	}
	if !s.hasWon(flat(b.Ticket), t.first) {
		err := fault(CheckPromotions, "ticket %v has won nothing, and takes no part in promotion %d", b.Ticket, b.Number)
		if err := c.guard(err); err != nil {
			return nil, err
		}
	}
	for i, other := range s.promotions {
		if other.presented[flat(b.Ticket)] {
			err := fault(CheckPromotions, "ticket %v had its chance in promotion %d, and takes no part in promotion %d",
				b.Ticket,
				i+1, b.Number)
			if err := c.guard(err); err != nil {
				return nil, err
			}
		}
	}
	if err := c.guard(c.checkBonus(p, term, s.rulesNow(), flat(b.Ticket))); err != nil {
		return nil, err
	}
	var cents money.Amount
	if prize >= 0 {
		cents = p.Prizes[prize].Cents
		p.counts[prize]--
		p.left -= cents
	}
	if b.Cents != cents {
		return nil, fault(CheckPromotions, "its bytes give %v, and it pays %v", cents, b.Cents)
	}
	p.presented[flat(b.Ticket)], c.tickets.lastPaid.bonus = true, c.here()
	to, unit := ledger.Cash, term.venue
	if term.visit != nil {
		to, unit = ledger.Customer, b.Terminal
		term.visit.paid = append(term.visit.paid, inVisit{seq: flat(b.Ticket), cents: cents})
		came := term.visit.brought[flat(b.Ticket)] // The payment just before it.
		term.visit.bring(flat(b.Ticket),
			brought{cents: cents, claim: came.claim, series: came.series, parts: won(flat(b.Ticket), cents)})
		_ = c.machinePays(term, s.rulesNow(), flat(b.Ticket), cents) // checkBonus has objected.
		if err := c.checkMachine(term, s.rulesNow()); err != nil {
			return nil, err
		}
	} else if err := c.guard(c.payCash(term, cents, s.rulesNow())); err != nil {
		return nil, err
	}
	return postings{ledger.Debit(ledger.Promotions, b.Number, cents), ledger.Credit(to, unit, cents)}, nil
}

// playedFor reports whether a game of a ready ticket, all of which have opened, is one of a promotion.
func (s *series) playedFor(p *promotion, t ready) bool {
	last := t.last
	if p.Last != 0 {
		last = min(last, p.Last)
	}
	for ordinal := max(t.first, p.From); ordinal <= last; ordinal++ {
		if !p.Pool || !s.games[ordinal-1].succeeding {
			return true
		}
	}
	return false
}

// hasWon reports whether a ticket has won a prize since its first game (tas-keno-2023 5.11). A stake that goes
// back is none.
func (s *series) hasWon(seq uint64, first uint32) bool {
	return slices.ContainsFunc(s.games[first-1:], func(g *game) bool {
		won := g.winnerAt(seq)
		return won != nil && won.cents > 0
	})
}

// checkBonus objects to a ticket that was paid where the largest bonus which may fall on it is more than
// the terminal pays for a ticket, or for a session in cash (tas-keno-2023 13.7). What fell is not asked:
// a terminal that sees it first could be chosen by it.
func (c *checker) checkBonus(p *promotion, term *terminal, r *rules, seq uint64) error {
	var most money.Amount
	for i, prize := range p.Prizes {
		if p.counts[i] > 0 {
			most = max(most, prize.Cents)
		}
	}
	if most == 0 {
		return nil
	}
	if term.visit == nil {
		paid := term.paidCash
		err := c.payCash(term, most, r)
		term.paidCash = paid
		return err
	}
	if m, ok := r.boundsTicket(term); ok && c.tills.paidByMachines(seq)+most > m.UpTo.Amount() {
		return fault(CheckPayments, "a bonus of up to %v falls on ticket %v at a %s, which pays %v for a ticket at most (%s)",
			most, placeOf(seq), term.channel, m.UpTo.Amount(), m.Clause)
	}
	return nil
}

// fallsOn returns the prize that random bytes give, or -1 for none, as the mapping
// is published: of each word of eight bytes, the highest first, one at the end of
// the range that would make some cases likelier is passed over; the first that
// counts is taken modulo the number of cases, and the first cases are the first
// prize's, the next the second's. A prize of which none is left is none.
func (p *promotion) fallsOn(bytes []byte) (prize int, ok bool) {
	den := uint64(p.Den)
	for ; len(bytes) >= 8; bytes = bytes[8:] {
		word := binary.BigEndian.Uint64(bytes)
		// 2^64 mod den, without 2^64.
		if over := (^uint64(0)%den + 1) % den; over > 0 && word >= -over {
			continue
		}
		at := word % den
		for i, b := range p.Prizes {
			if at < uint64(b.Num) {
				if p.counts[i] == 0 {
					return -1, true
				}
				return i, true
			}
			at -= uint64(b.Num)
		}
		return -1, true
	}
	return 0, false
}

// bonusMoved checks that the bonus prize pool of a series that ends goes whole to its
// successor, between games and with no bonus game left that it could be won in. Both pools
// stand in one account, rounded down each: what their fractions make together comes from
// the prize fund (tas-keno-2023 17.4(c)).
func (c *checker) bonusMoved(b *record.BonusMoved) (postings, error) {
	old, s := c.series[b.From], c.series[b.Series]
	if old == nil || s == nil || old == s || old.unsettled() != nil || s.unsettled() != nil {
		return nil, fault(CheckPromotions,
			"the bonus prize pool of series %d cannot go to series %d now", b.From, b.Series)
	}
	if err := c.guard(movedTo(CheckPromotions, old, s)); err != nil {
		return nil, err
	}
	if policy := s.termsAt(uint32(len(s.games)) + 1).rules.promotions; policy == nil || !policy.Moves {
		return nil, fault(CheckPromotions,
			"the rulebook of series %d takes no bonus prize pool of another system", b.Series)
	}
	for _, p := range old.promotions {
		if p.Pool && !p.over {
			return nil, fault(CheckPromotions, "promotion %d of series %d is not over", p.Number, b.From)
		}
	}
	if b.Amount != old.bonusPool {
		return nil, fault(CheckPromotions, "%v",
			differs("bonus prize pool", b.Amount, old.bonusPool,
				"it moves %d parts of a cent, and the pool holds %d", b.Amount, old.bonusPool))
	}
	before := down(old.bonusPool) + down(s.bonusPool)
	s.bonusPool += old.bonusPool
	old.bonusPool = 0
	return balanced(postings{ledger.Credit(ledger.BonusPool, 0, down(s.bonusPool)-before)}, ledger.PrizeFund), nil
}
