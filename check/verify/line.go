package verify

import (
	"fmt"
	"math/bits"

	"drawhouse/core/money"
)

// Nearly every bet is on numbers and has nothing but a stake and spots. Tickets of
// such bets alone are kept as lines, which take a tenth of the room, and grading one
// is two words and two counts of bits. What is decided is the same: tests verify every
// journal with lines and, by RunSlowly, without, and compare.

// A line is such a bet.
type line struct {
	rules  *betRules // of the rulebook under which it was sold
	lo, hi uint64    // the spots: bit n of hi:lo is number n
	stake  money.Amount
}

// lineFields are the fields that a line may have. That its spots were picked mattered
// when it was sold, and does not any more.
const lineFields = 1<<fieldBet | 1<<fieldStake | 1<<fieldSpots | 1<<fieldPicked

// areLines reports whether bets can be kept as lines. A bet with one of the other
// forms has a field of its own.
func areLines(bets []bet) bool {
	for i := range bets {
		if bets[i].fields&^lineFields != 0 || !bets[i].has(fieldSpots) {
			return false
		}
	}
	return true
}

// newLine makes a line of a bet that was found to be right.
func newLine(b *bet) line {
	l := line{rules: b.rules, stake: b.stake}
	l.lo, l.hi = bitsOf(b.spots)
	return l
}

// bitsOf returns numbers below 128 as bits.
func bitsOf(numbers []byte) (lo, hi uint64) {
	for _, n := range numbers {
		if n < 64 {
			lo |= 1 << n
		} else {
			hi |= 1 << (n - 64)
		}
	}
	return lo, hi
}

func (l *line) spots() int { return bits.OnesCount64(l.lo) + bits.OnesCount64(l.hi) }

// bet returns the bet that the line is.
func (l *line) bet() bet {
	b := bet{id: l.rules.id, rules: l.rules, fields: 1<<fieldBet | 1<<fieldStake | 1<<fieldSpots, stake: l.stake,
		ways: 1}
	for lo := l.lo; lo != 0; lo &= lo - 1 {
		b.spots = append(b.spots, byte(bits.TrailingZeros64(lo)))
	}
	for hi := l.hi; hi != 0; hi &= hi - 1 {
		b.spots = append(b.spots, byte(64+bits.TrailingZeros64(hi)))
	}
	b.jackpot = b.rules.jackpot.Has(len(b.spots))
	return b
}

// fold makes lines of the bets of a ticket.
func (t *ticket) fold() {
	t.line = newLine(&t.bets[0])
	if rest := t.bets[1:]; len(rest) > 0 {
		t.more = make([]line, len(rest))
		for i := range rest {
			t.more[i] = newLine(&rest[i])
		}
	}
	t.bets = nil
}

// isLines reports whether the ticket is kept as lines.
func (t *ticket) isLines() bool { return t.line.rules != nil }

// all returns the bets of a ticket, whether it is kept as lines or not.
func (t *ticket) all() []bet {
	if !t.isLines() {
		return t.bets
	}
	bets := []bet{t.line.bet()}
	for i := range t.more {
		bets = append(bets, t.more[i].bet())
	}
	return bets
}

// rules returns the rulebook under which the ticket was sold.
func (t *ticket) rules() *rules {
	if t.isLines() {
		return t.line.rules.rules
	}
	return t.bets[0].rules.rules
}

// countLines adds a ticket of lines that is in the game to its totals.
func (g *game) countLines(t *ticket) error {
	if err := g.countLine(&t.line); err != nil {
		return err
	}
	for i := range t.more {
		if err := g.countLine(&t.more[i]); err != nil {
			return err
		}
	}
	g.plays++
	g.ways += 1 + uint64(len(t.more))
	return nil
}

func (g *game) countLine(l *line) error {
	main, err := g.stakes.main.Add(l.stake)
	if err != nil {
		return err
	}
	rules, err := g.terms.rulesOf(l.rules)
	if err != nil {
		return err
	}
	g.stakes.main = main
	if spots := l.spots(); rules.jackpot.Has(spots) {
		g.onSizes[spots] += l.stake // No more than all stakes.
	}
	if g.fillsPool(rules.id) {
		g.pooled += l.stake
	}
	return nil
}

// gradeLines adds the prizes of a ticket of lines to its play.
func (w *grader) gradeLines(t *ticket) error {
	w.play = winner{seq: t.seq, claim: t.claim}
	l := &t.line
	for i := 0; ; i++ {
		if err := w.gradeLine(l, position{ticket: t, game: w.as.ordinal - t.first, way: uint64(i)}); err != nil {
			return fmt.Errorf("ticket %v, bet %d: %w", placeOf(t.seq), i+1, err)
		}
		if i == len(t.more) {
			return nil
		}
		l = &t.more[i]
	}
}

// gradeLine adds the prize of a line to its play. One that may win a jackpot or a
// promotion goes the way of other bets.
func (w *grader) gradeLine(l *line, at position) error {
	rules, err := w.terms.rulesOf(l.rules)
	if err != nil {
		return err
	}
	spots, matched := l.spots(), bits.OnesCount64(l.lo&w.lo)+bits.OnesCount64(l.hi&w.hi)
	table := w.terms.catches[rules.index]
	if table == nil || len(w.promotions) > 0 || matched == spots && rules.jackpot.Has(spots) {
		b := l.bet()
		return w.gradeBet(&b, at)
	}
	return w.pay(rules.id, stakeTimes{l.stake, 1, table.Prize(spots, matched), table.Per()}, stakeTimes{}, 1)
}
