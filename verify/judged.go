package verify

import (
	"drawhouse/ball"
	"drawhouse/money"
	"drawhouse/rulebook"
)

// A lineKind is all of a ticket of one line that its price and its being sold depend
// on, apart from which numbers it has. A house sells a few hundred kinds, so that each
// is judged once under the same terms.
type lineKind struct {
	rules   *betRules
	channel rulebook.Channel
	method  rulebook.Method
	runner  bool
	pool    bool
	spots   uint8
	picked  uint8
	games   uint32
	stake   money.Amount
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
	if cost, known := t.judged[kind]; known && checkNumbers("spots", form.bets[0].spots, t.rules.of) == nil {
		b := &form.bets[0]
		b.id, b.rules, b.ways, b.jackpot = kind.rules.id, kind.rules, 1, kind.rules.jackpot.Has(len(b.spots))
		return cost, nil
	}
	cost, err := t.judge(form, e, &c.counter)
	if err == nil {
		if t.judged == nil || len(t.judged) >= maxKinds {
			t.judged = make(map[lineKind]money.Amount)
		}
		t.judged[kind] = cost
	}
	return cost, err
}

// kindOf returns the kind of a ticket, if it is one of a line.
func (t *terms) kindOf(form *ticketForm, e entry) (lineKind, bool) {
	b := &form.bets[0]
	rules := t.rules.bets[b.id]
	if len(form.bets) != 1 || !areLines(form.bets) || rules == nil || form.rulebook != t.rules.book.ID() || len(b.spots) > int(ball.Keno) {
		return lineKind{}, false
	}
	return lineKind{rules: rules, channel: e.channel, method: e.method, runner: e.runner, pool: e.pool,
		spots: uint8(len(b.spots)), picked: uint8(b.picked), games: form.games, stake: b.stake}, true
}
