package verify

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// settled is what the settlements of a game came to so far.
type settled struct {
	revision uint8
	prizes   money.Amount
	breakage money.Amount
	jackpots money.Amount
	// promotions are those that were won.
	promotions []record.PromotionWon
	// waits tells that a jackpot is shared with jurisdictions that had not reported
	// at the first settlement; grader and base are kept to go on from there.
	waits  bool
	grader *grader
	base   *outcome
	// By size: the reports of other jurisdictions, and as what the primary has been
	// shared.
	reports map[uint8][]report
	shared  map[uint8]record.Award
	// given are the sums set aside that were given to winners of the game.
	given []record.Award
	// awards are all that winners of jackpots share.
	awards []record.Award
}

// share remembers that the primary of a size has been shared.
func (s *settled) share(a record.Award) {
	if s.shared == nil {
		s.shared = make(map[uint8]record.Award)
	}
	s.shared[a.Spots] = a
}

// gameSettled grades every play of the game and compares: the totals that the
// record states, and the winners file play by play. A further revision shares the
// jackpots that were waiting for reports.
func (c *checker) gameSettled(b *record.GameSettled) (postings, error) {
	if c.corrections.of != nil {
		return c.gameCorrected(b)
	}
	if len(c.corrections.raising) > 0 {
		return c.gameRaised(b)
	}
	if b.Revision != 1 {
		return c.gameShared(b)
	}
	s, g, err := c.at(CheckSettlement, b.Game, stageDrawn)
	if err != nil {
		return nil, err
	}
	// Otherwise a game could be left without its result for ever.
	if g.ordinal > 1 && !s.games[g.ordinal-2].stage.over() {
		return nil, fault(CheckSettlement, "game %v is settled before game %v, which is %v", g.name,
			s.games[g.ordinal-2].name, s.games[g.ordinal-2].stage)
	}
	g.past, g.corrected = s.keepPast(g), 1
	w := newGrader(s, g, &c.counter)
	w.expect = min(b.Winners, g.plays)
	out, err := w.grade()
	if err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	if err := c.checkCarried(g, out); err != nil {
		return nil, err
	}
	base := out
	if len(s.sharedWith(g.ordinal)) > 0 || s.undecided(g.ordinal) != nil || len(out.wins) > 0 {
		base = out.clone()
	}
	due, err := c.settle(s, g, w, b, nil)
	if err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	g.setWinners(out.winners)
	g.stage, g.endedAt = stageSettled, c.ended()
	if g.past != nil {
		g.past.at = g.endedAt
	}
	w.series = nil
	if base != out {
		g.settled.grader, g.settled.base = w, base
	}
	if g.settled.waits {
		s.waiting = append(s.waiting, g)
	}
	s.forget(g.ordinal)
	for _, before := range g.along {
		before.waits = nil
	}
	s.carryOn(g, out.carried)
	s.tickets.dropSettled(g.ordinal)
	c.countSettlement(b, out)
	return append(due, ledger.Credit(ledger.Unplayed, 0, b.CarriedCents),
		ledger.Debit(ledger.PrizeFund, 0, b.CarriedCents)), nil
}

// gameShared checks a further settlement: the jackpots of the game are shared now
// that all have reported, or money that was set aside is given to their winners
// (tas-keno-2023 7.5). The record states the whole again.
func (c *checker) gameShared(b *record.GameSettled) (postings, error) {
	s, g, err := c.at(CheckSettlement, b.Game, stageSettled)
	if err != nil {
		return nil, err
	}
	switch {
	case b.Revision != g.settled.revision+1:
		return nil, fault(CheckSettlement, "it is revision %d, and the last was %d", b.Revision, g.settled.revision)
	case g.unclaimed.at != "":
		return nil, fault(CheckSettlement,
			"it is revision %d, and the prizes have gone to %s", b.Revision, g.unclaimed.at)
	case g.settled.grader == nil || g.corrected > 1:
		return nil, fault(CheckSettlement, "it is revision %d, and nothing was left to settle", b.Revision)
	}
	give, err := s.givenBy(g, b.Awards)
	if err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	if give == nil && !g.settled.waits {
		return nil, fault(CheckSettlement, "it is revision %d, and nothing was left to settle", b.Revision)
	}
	if before := s.undecided(g.ordinal); give == nil && before != nil {
		return nil, fault(CheckSettlement,
			"the jackpots of game %v are shared while those of game %v wait", g.name, before.name)
	}
	w := g.settled.grader
	w.out = g.settled.base.clone()
	due, err := c.settle(s, g, w, b, give)
	if err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	if give == nil && g.settled.waits {
		return nil, fault(CheckSettlement, "it comes before every jurisdiction has reported")
	}
	if give == nil {
		s.waiting = slices.DeleteFunc(s.waiting, func(w *game) bool { return w == g })
		s.dropDecided()
	}
	g.takePaid(w.out.winners)
	g.setWinners(w.out.winners)
	g.endedAt = c.ended()
	c.report.Revisions++
	return due, nil
}

// settle adds what jackpots bring to the outcome of a pass, compares all of it with
// the record, and returns the postings: what changes by this settlement.
func (c *checker) settle(s *series, g *game, w *grader, b *record.GameSettled, give *record.Award) (postings, error) {
	before := g.settled
	won, err := w.shareJackpots(s, g, give)
	if err != nil {
		return nil, err
	}
	out := w.out
	if won.jackpots, err = w.payWins(out.wins, won.awards); err != nil {
		return nil, err
	}
	promotions, err := w.sharePromotions()
	if err != nil {
		return nil, err
	}
	breakage, err := wholeCents(out.kept)
	if err != nil {
		return nil, err
	}
	if err := w.checkTotals(b, breakage, won); err != nil {
		return nil, err
	}
	if err := w.checkReductions(b.Reductions); err != nil {
		return nil, err
	}
	if err := won.check(s, b, out.wins); err != nil {
		return nil, err
	}
	if err := c.checkWinnersFile(b, s, g, more(g.allWinners(), out.winners)); err != nil {
		return nil, err
	}
	g.figures = bookFigures{Winners: b.Winners, Prizes: b.PrizesCents, Carried: b.CarriedCents,
		Breakage: b.BreakageCents,
		Jackpots: b.JackpotCents, Reduced: len(b.Reductions) > 0, Revisions: b.Revision}
	s.moveAgain(g)
	g.settled.revision, g.settled.prizes, g.settled.breakage, g.settled.waits = b.Revision, out.prizes, breakage, won.waits
	g.settled.awards = won.awards
	if before.revision == 0 {
		back, err := s.checkPromotions(b.Promotions, promotions)
		if err != nil {
			return nil, err
		}
		won.due = append(won.due, back...)
		g.settled.promotions = promotions
	} else if !slices.Equal(b.Promotions, g.settled.promotions) {
		return nil, fmt.Errorf("the promotions that were won are not those of its first settlement")
	}
	due := append(won.due,
		ledger.Credit(ledger.Prizes, 0, out.prizes-before.prizes),
		ledger.Credit(ledger.Breakage, 0, breakage-before.breakage))
	c.report.PrizesCents += out.prizes - before.prizes
	c.report.BreakageCents += breakage - before.breakage
	c.report.JackpotCents += won.jackpots - before.jackpots
	g.settled.jackpots = won.jackpots
	return balanced(due, ledger.PrizeFund), nil
}

// clone copies what later steps change.
func (o *outcome) clone() *outcome {
	copied := *o
	copied.winners = slices.Clone(o.winners)
	copied.kept = new(big.Rat).Set(o.kept)
	return &copied
}

// more returns what plays are owed beyond what they were owed before.
func more(before, now []winner) []winner {
	if len(before) == 0 && !slices.ContainsFunc(now, func(w winner) bool { return w.cents == 0 }) {
		return now
	}
	list := make([]winner, 0, len(now))
	for _, won := range now {
		for len(before) > 0 && before[0].seq < won.seq {
			before = before[1:]
		}
		if len(before) > 0 && before[0].seq == won.seq {
			won.cents -= before[0].cents
		}
		if won.cents != 0 {
			list = append(list, won)
		}
	}
	return list
}

// checkTotals compares what the record states with what the game came to.
func (w *grader) checkTotals(b *record.GameSettled, breakage money.Amount, won *jackpotResult) error {
	out, g := w.out, w.game
	majors, err := wholeCents(out.majors)
	if err != nil {
		return err
	}
	majorsLeft, err := wholeCents(out.majorsLeft)
	if err != nil {
		return err
	}
	alongPlays, alongWays, _ := g.playsAlong()
	var carried money.Amount
	for _, c := range out.carried {
		carried += c.Cents
	}
	for _, figure := range []struct {
		name        string
		stated, due any
	}{
		{"plays", b.Plays, g.plays},
		{"ways", b.Ways, g.ways},
		{"stakes", b.StakesCents, g.stakes.total()},
		{"winning plays", b.Winners, uint64(len(out.winners))},
		{"winning ways", b.WinningWays, out.winningWays},
		{"prizes", b.PrizesCents, out.prizes},
		{"kept by rounding", b.BreakageCents, breakage},
		{"carried", b.CarriedCents, carried},
		{"ways carried", b.CarriedWays, uint64(len(out.carried))},
		{"major prizes as won", b.MajorsCents, majors},
		{"major prizes as reduced", b.MajorsPaidCents, majorsLeft},
		{"times multiplied", int64(b.Multiplier), w.factor},
		{"of jackpots", b.JackpotCents, won.jackpots},
		{"as the draw that counts", b.Draw, g.draw()},
		{"plays of void games", b.DeferredPlays, alongPlays},
		{"ways of void games", b.DeferredWays, alongWays},
	} {
		if figure.stated != figure.due {
			return differs(figure.name, figure.stated, figure.due,
				"it states %v %s, and the game came to %v", figure.stated, figure.name, figure.due)
		}
	}
	return nil
}

// checkReductions compares the factors that the record states with those that
// were found: one for each limit that was exceeded, in the rulebook's order.
func (w *grader) checkReductions(stated []record.Reduction) error {
	for limit, r := range w.reductions {
		if r == nil {
			continue
		}
		if len(stated) == 0 || int(stated[0].Limit) != limit || r.factor.Cmp(factorOf(stated[0])) != 0 {
			return sentence("the major prizes are to be multiplied by %v under limit %d of the rulebook, and it states %v",
				r.factor, limit, stated)
		}
		stated = stated[1:]
	}
	if len(stated) > 0 {
		return fmt.Errorf("it reduces prizes by %d/%d under limit %d of the rulebook, which was not exceeded",
			stated[0].Num, stated[0].Den, stated[0].Limit)
	}
	return nil
}

// factorOf returns the factor of a reduction, whose divisor is not zero: it is
// greater than the dividend.
func factorOf(r record.Reduction) *big.Rat {
	return new(big.Rat).Quo(countRat(r.Num), countRat(r.Den))
}

// wholeCents rounds an exact sum down to a cent.
func wholeCents(x *big.Rat) (money.Amount, error) {
	whole := new(big.Int).Quo(x.Num(), x.Denom())
	if !whole.IsInt64() {
		return 0, fmt.Errorf("a sum of %v cents is more than can be stated", whole)
	}
	return money.Amount(whole.Int64()), nil
}

// checkWinnersFile compares the file of winners with those that were graded: the
// hash that the record pins, and then play by play, to say which one differs.
func (c *checker) checkWinnersFile(b *record.GameSettled, s *series, g *game, winners []winner) error {
	name := WinnersFile(s.id, g.ordinal, b.Revision)
	data, err := readWhole(c.src, name, maxWinnersFile)
	if err != nil {
		return err
	}
	if sha256.Sum256(data) != b.WinnersHash {
		return fmt.Errorf("%s does not have the hash that the record states", name)
	}
	if err := compareWinners(data, g, b, winners); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (c *checker) countSettlement(b *record.GameSettled, out *outcome) {
	c.report.Settled++
	c.report.Winners += uint64(len(out.winners))
	c.report.CarriedCents += b.CarriedCents
	if len(b.Reductions) > 0 {
		c.report.Reduced++
	}
}
