package verify

import (
	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// A saleKind is all of a ticket of a line or two that its price and its being sold
// depend on, apart from which numbers it has. A house sells some thousand kinds, so that
// each is judged once under the same terms.
type saleKind struct {
	channel rulebook.Channel
	method  rulebook.Method
	runner  bool
	pool    bool
	games   uint32
	lines   [2]lineKind
}

type lineKind struct {
	rules  *betRules // nil for none
	stake  money.Amount
	spots  uint8
	picked uint8
}

// maxKinds bounds what is remembered; there are far fewer in a house.
const maxKinds = 1 << 16

// price judges a ticket under the terms of its first game and returns what it costs,
// see judge.
func (c *checker) price(t *terms, form *ticketForm, e entry) (money.Amount, error) {
	kind, ok := t.kindOf(form, e)
	if c.slow || !ok {
		return t.judge(form, e, &c.counter)
	}
	if cost, known := t.judged[kind]; known && form.setAs(&kind, t.rules.of) {
		return cost, nil
	}
	cost, err := t.judge(form, e, &c.counter)
	if err == nil {
		if t.judged == nil || len(t.judged) >= maxKinds {
			t.judged = make(map[saleKind]money.Amount)
		}
		t.judged[kind] = cost
	}
	return cost, err
}

// kindOf returns the kind of a ticket, if it is one of a line or two.
func (t *terms) kindOf(form *ticketForm, e entry) (saleKind, bool) {
	kind := saleKind{channel: e.channel, method: e.method, runner: e.runner, pool: e.pool, games: form.games}
	if len(form.bets) > len(kind.lines) || !areLines(form.bets) || form.rulebook != t.rules.book.ID() {
		return saleKind{}, false
	}
	for i := range form.bets {
		b := &form.bets[i]
		rules := t.rules.bets[b.id]
		if rules == nil || len(b.spots) > int(ball.Keno) {
			return saleKind{}, false
		}
		kind.lines[i] = lineKind{rules, b.stake, uint8(len(b.spots)), uint8(b.picked)}
	}
	return kind, true
}

// setAs sets what grading needs of each bet of a ticket of a kind that was found to be
// right, as judge does, and reports whether its numbers are right as well.
func (t *ticketForm) setAs(kind *saleKind, most int) bool {
	for i := range t.bets {
		b, rules := &t.bets[i], kind.lines[i].rules
		if checkNumbers("spots", b.spots, most) != nil {
			return false
		}
		b.id, b.rules, b.ways, b.jackpot = rules.id, rules, 1, rules.jackpot.Has(len(b.spots))
	}
	return true
}
