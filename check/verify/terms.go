package verify

import (
	"fmt"
	"math/big"

	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// terms are what games are played under: a rulebook and one of its schedules. A
// ticket of many games is sold under those of its first one and graded in each
// game under those with which that game opened (reading schedule-in-force).
type terms struct {
	key      termsKey
	rules    *rules
	schedule *rulebook.Schedule

	wayCap  *big.Rat                 // most that a way can win, or nil
	catches []*rulebook.CatchTable   // of bets on numbers, by their place in the rulebook
	results []*rulebook.OutcomeTable // of calls and races
	lucky   *rulebook.SizeTable      // of the last number, by spots alone
	bonus   *rulebook.SizeTable      // of the bonus jackpot
	// luckyCatches are the prizes of the last number by matches, where there are such.
	luckyCatches *rulebook.CatchTable

	judged map[saleKind]money.Amount // what tickets cost that were found to be right
}

type termsKey struct {
	rulebook record.Hash
	schedule string
}

// String names the terms for people.
func (k termsKey) String() string {
	return fmt.Sprintf("%s of rulebook %x", k.schedule, k.rulebook[:4])
}

// termsOf returns the terms of an adopted rulebook and a schedule of it.
func (c *checker) termsOf(hash record.Hash, schedule string) (*terms, error) {
	key := termsKey{hash, schedule}
	if t := c.terms[key]; t != nil {
		return t, nil
	}
	r := c.rules[hash]
	if r == nil {
		return nil, fmt.Errorf("rulebook %x was not adopted", hash[:4])
	}
	s, ok := r.book.Schedule(schedule)
	if !ok {
		return nil, fmt.Errorf("the rulebook has no schedule %q", schedule)
	}
	t := &terms{key: key, rules: r, schedule: s,
		catches: make([]*rulebook.CatchTable, len(r.bets)), results: make([]*rulebook.OutcomeTable, len(r.bets))}
	if most, ok := s.WayCap(); ok {
		t.wayCap = ratOf(most)
	}
	for id, bet := range r.bets {
		t.catches[bet.index], _ = s.Catch(id)
		t.results[bet.index], _ = s.Outcome(id)
	}
	t.lucky, _ = s.Size(string(rulebook.FeatureLuckyLast))
	t.luckyCatches, _ = s.Catch(string(rulebook.FeatureLuckyLast))
	t.bonus, _ = s.Size(rulebook.UseBonusJackpot)
	c.terms[key] = t
	return t, nil
}

// firstTerms returns the terms with which a series begins. Those of a rulebook of bingo have no schedule: such a series
// has the trading days of a house without keno, and no games.
func (c *checker) firstTerms(b *record.SeriesBegun) (*terms, error) {
	book := c.adopted[b.Rulebook]
	if book == nil || book.Keno() || b.Schedule != record.NoSchedule || b.Series != houseSeries {
		return c.termsOf(b.Rulebook, b.Schedule)
	}
	return &terms{key: termsKey{b.Rulebook, b.Schedule}, rules: &rules{book: book, examples: len(book.Examples())}}, nil
}

// betRules returns what the terms say of a bet, which may have been sold under
// others.
func (t *terms) betRules(b *bet) (*betRules, error) {
	return t.rulesOf(b.rules)
}

func (t *terms) rulesOf(sold *betRules) (*betRules, error) {
	if sold.rules == t.rules {
		return sold, nil
	}
	rules := t.rules.bets[sold.id]
	if rules == nil || rules.form != sold.form {
		return nil, fmt.Errorf("%v has no bet %q as it was sold", t.key, sold.id)
	}
	return rules, nil
}

// change is terms that hold from a game on.
type change struct {
	from  uint32
	terms *terms
}

// termsAt returns the terms of the game of an ordinal, as announced so far: those
// of the last announcement that reaches it.
func (s *series) termsAt(ordinal uint32) *terms {
	for i := len(s.changes) - 1; i > 0; i-- {
		if s.changes[i].from <= ordinal {
			return s.changes[i].terms
		}
	}
	return s.changes[0].terms
}

// termsChanged checks an announcement: it is for games that have not opened, so
// that no ticket already sold for one finds it changed unannounced.
func (c *checker) termsChanged(b *record.TermsChanged) error {
	s := c.series[b.Series]
	if s == nil {
		return fault(CheckHouse, "series %d has not begun", b.Series)
	}
	if uint64(b.From) <= uint64(len(s.games)) {
		return fault(CheckHouse, "it changes the terms from game %d on, which has opened", b.From)
	}
	t, err := c.termsOf(b.Rulebook, b.Schedule)
	if err != nil {
		return fault(CheckHouse, "%v", err)
	}
	if err := c.guard(s.goesOn(t.rules)); err != nil {
		return err
	}
	if err := c.guard(c.sellsExamples(t)); err != nil {
		return err
	}
	s.changes = append(s.changes, change{b.From, t})
	return nil
}

// goesOn objects to rules under which the games of a series cannot go on: tickets of several games, jackpots and the
// prize fund outlast the change, and none of them says of which numbers, in which currency or by which clock it is.
func (s *series) goesOn(r *rules) error {
	now := s.rulesNow()
	switch {
	case r.of != now.of || r.draw != now.draw:
		return fault(CheckHouse, "it changes the terms to draws of %d of %d numbers, and the series draws %d of %d", r.draw,
			r.of, now.draw, now.of)
	case r.book.Currency() != now.book.Currency():
		return fault(CheckHouse, "it changes the terms to amounts in %s, and the series has %s", r.book.Currency(),
			now.book.Currency())
	case r.book.Zone() != now.book.Zone():
		return fault(CheckHouse, "it changes the terms to the clock of %s, and the series has that of %s", r.book.Zone(),
			now.book.Zone())
	case r.codes != now.codes:
		return fault(CheckHouse, "it changes the terms to tickets with codes of the form %s, and the series has %s (%s)",
			r.codes, now.codes, now.book.System().Clause)
	case r.jackpots == nil:
		return nil
	}
	for _, of := range r.jackpots.Pools {
		if s.pools[uint8(of.Spots)] == nil {
			return fault(CheckHouse, "it changes the terms to a jackpot of %d spots, and the series has none", of.Spots)
		}
	}
	return nil
}

// sellsExamples objects to terms whose rulebook has examples, in a house in which no series plays by examples now.
func (c *checker) sellsExamples(t *terms) error {
	if t.rules.examples == 0 {
		return nil
	}
	for _, s := range c.series {
		if s != nil && s.rulesNow().examples > 0 {
			return nil
		}
	}
	return fault(CheckHouse, "%d values of rulebook %x wait for a decision, and examples are not for sale",
		t.rules.examples,
		t.key.rulebook[:4])
}
