package verify

import (
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// corrections are the settlements that must come next because a result was corrected.
type corrections struct {
	of *record.ResultCorrected // the correction whose settlement must come
	// raising are the games that must be settled again behind it, in their order.
	raising []*raise
}

// due reports whether a settlement must come.
func (c *corrections) due() bool { return c.of != nil || len(c.raising) > 0 }

// checkDone refuses an end at which a settlement must come.
func (c *corrections) checkDone() error {
	if len(c.raising) > 0 {
		return fault(CheckSettlement, "game %v is not settled again: a correction changes a jackpot that it has shared",
			c.raising[0].game.name)
	}
	if c.of != nil {
		return fault(CheckSettlement, "the result of game %v is corrected, and the game is not settled anew", c.of.Game)
	}
	return nil
}

// past is a game as it was just before its first settlement: what played in it, and for
// which jackpots. It is kept of games at a ball machine, whose result may turn out to
// have been entered wrongly: some hundred bytes a ticket, until its prizes have gone
// where nobody fetches them.
type past struct {
	series series
	game   game
	at     uint64 // where it was settled first
}

// keepPast keeps what a correction of a game's result would have to be graded by.
func (s *series) keepPast(g *game) *past {
	if g.device.kind != record.DeviceCage {
		return nil
	}
	p := &past{series: *s, game: *g}
	p.series.tickets = openTickets{}
	for t := range s.tickets.all() {
		if t.covers(g.ordinal) {
			again := *t
			again.bets = slices.Clone(t.bets) // Runs change in them.
			p.series.tickets.add(again)
		}
	}
	p.game.along = nil
	for _, before := range g.along {
		again := *before
		again.waits = slices.Clone(before.waits)
		p.game.along = append(p.game.along, &again)
	}
	p.series.promotions = nil
	for _, offered := range s.promotions {
		again := *offered
		p.series.promotions = append(p.series.promotions, &again)
	}
	p.series.pools = clonePools(s.pools)
	return p
}

func clonePools(pools map[uint8]*pool) map[uint8]*pool {
	cloned := make(map[uint8]*pool, len(pools))
	for spots, p := range pools {
		cloned[spots] = &pool{Pool: p.Pool, later: slices.Clone(p.later)}
	}
	return cloned
}

// regraded is what a game of the past comes to by some numbers.
type regraded struct {
	w          *grader
	out        *outcome
	won        *jackpotResult
	breakage   money.Amount
	promotions []record.PromotionWon
	pools      map[uint8]*pool // after it
	base       *outcome        // before jackpots
}

// grade grades the game by some numbers. The past stays as it is.
func (p *past) grade(numbers []byte, counter *wayCounter) (*regraded, error) {
	s, g := p.series, p.game
	s.pools = clonePools(p.series.pools)
	g.numbers, g.drawn, g.settled = numbers, drawnNumbers{}, settled{}
	for _, n := range numbers {
		g.drawn[n] = true
	}
	r := &regraded{w: newGrader(&s, &g, counter), pools: s.pools}
	var err error
	if r.out, err = r.w.grade(); err != nil {
		return nil, err
	}
	r.base = r.out.clone()
	if r.won, err = r.w.shareJackpots(&s, &g, nil); err != nil {
		return nil, err
	}
	if r.won.jackpots, err = r.w.payWins(r.out.wins, r.won.awards); err != nil {
		return nil, err
	}
	if r.promotions, err = r.w.sharePromotions(); err != nil {
		return nil, err
	}
	r.breakage, err = wholeCents(r.out.kept)
	return r, err
}

// operator returns what the operator put into the jackpots.
func (r *regraded) operator() (sum money.Amount) {
	for _, p := range r.won.due {
		if p.Account == ledger.Operator {
			sum += p.Cents
		}
	}
	return sum
}

// resultCorrected checks that a result may be corrected: only where people keyed what a
// machine drew, for the balls are the official record there and the computer's own
// everywhere else (casino-keno-div2 11.1).
func (c *checker) resultCorrected(b *record.ResultCorrected) error {
	s, g, err := c.at(CheckSettlement, b.Game, stageSettled)
	if err != nil {
		return err
	}
	switch {
	case g.device.kind != record.DeviceCage || g.past == nil:
		return fault(CheckSettlement, "the numbers of game %v were not keyed by people, and nothing makes others official",
			g.name)
	case c.level >= record.LevelGuarded && !g.terms.rules.book.Draw().Official:
		return fault(CheckSettlement, "it corrects game %v, and its rulebook does not make the balls the official record",
			g.name)
	case b.Revision != g.settled.revision+1 || g.isRaised() && (c.level < record.LevelGuarded || g.settled.base == nil):
		return fault(CheckSettlement, "it corrects revision %d of game %v, whose last settlement was %d", b.Revision,
			g.name, g.settled.revision)
	case g.unclaimed.at != "":
		return fault(CheckSettlement, "it corrects game %v, whose prizes have gone to %s", g.name, g.unclaimed.at)
	case c.level >= record.LevelGuarded && g.isOver(s.day):
		return fault(CheckSettlement, "it corrects game %v on %v, when nobody can claim a prize of it any more", g.name,
			s.day)
	case slices.ContainsFunc(slices.Collect(maps.Values(g.unclaimed.kept)), func(k kept) bool { return k.open }):
		return fault(CheckSettlement, "it corrects game %v, of which claim forms are open", g.name)
	case len(s.sharedWith(g.ordinal)) > 0 || s.undecided(g.ordinal+1) != nil ||
		slices.ContainsFunc(g.settled.awards, func(a record.Award) bool { return a.Part == record.PartAside }):
		return fault(CheckSettlement, "it corrects game %v, whose jackpots are shared with others", g.name)
	case len(b.Numbers) != g.terms.rules.draw || slices.Max(b.Numbers) > byte(g.terms.rules.of):
		return fault(CheckSettlement, "it corrects game %v to %v, which is no draw", g.name, b.Numbers)
	case slices.Equal(b.Numbers, g.numbers):
		return fault(CheckSettlement, "it corrects game %v to the numbers that count already", g.name)
	}
	if g.isRaised() {
		if err := s.checkJackpotsKnown(g); err != nil {
			return fault(CheckJackpots, "%v", err)
		}
	}
	if b.Day != s.day {
		err := fault(CheckSettlement, "it records what was won in game %v on %v, and the Keno Day is %v", g.name, b.Day,
			s.day)
		if err := c.guard(err); err != nil {
			return err
		}
	}
	c.corrections.of = b
	return nil
}

// isRaised reports whether a settled game was settled again, and not because it was corrected: its winners
// share more of a jackpot.
func (g *game) isRaised() bool { return g.settled.revision != g.corrected }

// borne returns what the operator bears of what winners of a settled game keep.
func (g *game) borne() (sum money.Amount, err error) {
	for _, a := range g.settled.awards {
		if a.Part != record.PartKept {
			continue
		}
		cents, err := paidOf(a, g.settled.base.wins)
		if err == nil {
			sum, err = sum.Add(cents)
		}
		if err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// checkCorrecting checks that nothing stands between a correction and its settlement.
func (c *checker) checkCorrecting(body record.Body) error {
	b, isSettled := body.(*record.GameSettled)
	if len(c.corrections.raising) > 0 && (!isSettled || b.Game != c.corrections.raising[0].game.name) {
		return fault(CheckSettlement,
			"it stands where game %v is to be settled again: the correction changes a jackpot that it has shared",
			c.corrections.raising[0].game.name)
	}
	if c.corrections.of == nil {
		return nil
	}
	if isSettled && b.Game == c.corrections.of.Game && b.Revision == c.corrections.of.Revision {
		return nil
	}
	return fault(CheckSettlement, "it stands between the correction of game %v and the settlement by the right numbers",
		c.corrections.of.Game)
}

// gameCorrected grades a game anew by the right numbers, every play of it, and compares.
// Who was paid keeps it: what a ticket was paid beyond what it has won is the operator's
// loss, and no cent of it is taken from anybody else.
func (c *checker) gameCorrected(b *record.GameSettled) (postings, error) {
	fix := c.corrections.of
	c.corrections.of = nil
	s, g, err := c.at(CheckSettlement, b.Game, stageSettled)
	if err != nil {
		return nil, err
	}
	was, err := g.past.grade(g.numbers, &c.counter)
	if err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	is, err := g.past.grade(fix.Numbers, &c.counter)
	if err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	if err := c.checkRegraded(s, g, b, was, is); err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	lost := g.overpaidBy(is.out.winners)
	if fix.OverpaidCents != lost {
		return nil, fault(CheckSettlement, "%v",
			differs("overpaid", fix.OverpaidCents, lost,
				"it states %v as paid and not won, and %v is right", fix.OverpaidCents, lost))
	}
	due, err := c.correctPools(s, g, b.Pools, was, is, fix.ToppedCents)
	if err != nil {
		return nil, fault(CheckJackpots, "%v", err)
	}
	borne, err := g.borne()
	if err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	more, before := lost-g.overpaid, g.settled
	due = append(due,
		ledger.Credit(ledger.Prizes, 0, is.out.prizes-before.prizes+more),
		ledger.Credit(ledger.Breakage, 0, is.breakage-before.breakage),
		ledger.Debit(ledger.Operator, 0, is.operator()-was.operator()),
		ledger.Debit(ledger.Overpaid, 0, more+fix.ToppedCents-borne))
	c.report.PrizesCents += is.out.prizes - before.prizes
	c.report.BreakageCents += is.breakage - before.breakage
	c.report.JackpotCents += is.won.jackpots - before.jackpots
	c.report.Corrected++
	if err := c.checkEarned(fix.Earned); err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	for _, r := range c.corrections.raising {
		r.game.recorded = fix.Day
	}
	g.recorded = fix.Day
	g.takeOver(b, fix.Numbers, is, lost)
	g.endedAt = c.ended()
	s.moveAgain(g)
	return balanced(due, ledger.PrizeFund), nil
}

// checkRegraded compares a settlement with what the right numbers come to. What ran on
// from the game, and promotions that it ended, cannot be undone and must be the same.
func (c *checker) checkRegraded(s *series, g *game, b *record.GameSettled, was, is *regraded) error {
	same := func(a, b carry) bool { return a.Carried == b.Carried }
	switch {
	case was.out.prizes != g.settled.prizes && !g.isRaised():
		return fmt.Errorf("the past of game %v comes to prizes of %v, and it was settled at %v", g.name, was.out.prizes,
			g.settled.prizes)
	case !slices.EqualFunc(was.out.carried, is.out.carried, same):
		return fmt.Errorf("other prizes of game %v run on by the right numbers, and they have been played", g.name)
	case !slices.Equal(was.promotions, is.promotions) || !slices.Equal(b.Promotions, is.promotions):
		return fmt.Errorf("other promotions are won in game %v by the right numbers, and they are over", g.name)
	}
	if err := is.w.checkTotals(b, is.breakage, is.won); err != nil {
		return err
	}
	if err := is.w.checkReductions(b.Reductions); err != nil {
		return err
	}
	if err := checkWins(b.JackpotWins, is.out.wins); err != nil {
		return err
	}
	if stated, due := inOrder(b.Awards), inOrder(is.won.awards); !slices.Equal(stated, due) {
		return sentence("its winners of jackpots share %v, and %v is right", stated, due)
	}
	return c.checkWinnersFile(b, s, g, is.out.winners)
}

// overpaidBy adds up what was paid for a game beyond what its tickets have won by
// another list of winners.
func (g *game) overpaidBy(winners []winner) (sum money.Amount) {
	now := &game{winners: winners}
	for _, paid := range slices.Concat(g.allWinners(), g.outplayed) {
		won := money.Amount(0)
		if w := now.winnerAt(paid.seq); w != nil {
			won = w.cents
		}
		sum += max(paid.paid-won, 0)
	}
	return sum
}

// takeOver makes the right numbers, and who has won by them, those of the game.
func (g *game) takeOver(b *record.GameSettled, numbers []byte, is *regraded, lost money.Amount) {
	before := slices.Concat(g.allWinners(), g.outplayed)
	g.setWinners(is.out.winners)
	g.outplayed = nil
	for _, paid := range before {
		if paid.paid == 0 {
			continue
		}
		if now := g.winnerAt(paid.seq); now != nil {
			now.paid, now.by = paid.paid, paid.by
		} else {
			g.outplayed = append(g.outplayed, paid)
		}
	}
	g.numbers, g.drawn = numbers, is.w.game.drawn
	g.overpaid, g.corrected = lost, b.Revision
	g.settled.revision, g.settled.prizes, g.settled.breakage, g.settled.jackpots = b.Revision, is.out.prizes, is.breakage,
		is.won.jackpots
	g.settled.awards, g.settled.grader, g.settled.base = is.won.awards, is.w, is.base
	is.w.series = nil
	g.figures = bookFigures{Winners: b.Winners, Prizes: b.PrizesCents, Carried: b.CarriedCents,
		Breakage: b.BreakageCents,
		Jackpots: b.JackpotCents, Reduced: len(b.Reductions) > 0, Revisions: b.Revision}
}

// correctPools moves the jackpots, as they stand now, by the difference that the right
// numbers make to them. Where others have won one since, the difference is theirs, from
// the level of guards on. Where a jackpot has not so much beyond the value that is
// guaranteed (casino-keno-div2 5.6), the operator adds what is lacking.
func (c *checker) correctPools(s *series, g *game, stated []record.Pool, was, is *regraded,
	topped money.Amount) (postings, error) {
	var due postings
	var added money.Amount
	for _, spots := range s.sizes {
		old, right := was.pools[spots], is.pools[spots]
		if old == nil || right == nil || old.Pool == right.Pool {
			continue
		}
		if g := s.unsettled(); g != nil {
			return nil, fmt.Errorf("it changes the jackpot of %d spots while game %v is %v", spots, g.name, g.stage)
		}
		p := s.pools[spots]
		before := p.Pool
		grown := right.Primary - old.Primary
		if c.level >= record.LevelGuarded {
			same := right.Pool
			same.Primary = old.Primary
			err := s.checkJackpotsKnown(g)
			if err == nil {
				grown, err = c.raiseLater(s, g, spots, grown, same == old.Pool)
			}
			if err != nil {
				return nil, err
			}
		}
		p.Primary += grown
		p.Secondary += right.Secondary - old.Secondary
		p.Owed += right.Owed - old.Owed
		p.Seeded += right.Seeded - old.Seeded
		p.Waiting += right.Waiting - old.Waiting
		p.correctLots(before, was.won.awards, is.won.awards)
		p.Aside += right.Aside - old.Aside
		least := money.Amount(0)
		if file := is.w.terms.rules.pool(spots); file != nil && file.Reset != nil {
			least = min(file.Reset.Amount(), down(before.Primary))
		}
		for down(p.Primary) < least || p.Primary < 0 {
			lacking := max(least-down(p.Primary), up(-p.Primary))
			p.Primary += record.Exact(lacking) * exactCent
			added += lacking
		}
		if err := p.bounded(); err != nil {
			return nil, err
		}
		if p.Pool == before && c.level >= record.LevelGuarded {
			continue
		}
		if len(stated) == 0 || stated[0] != p.Pool {
			return nil, sentence("it leaves the jackpots as %v, and %s is next", stated, describe(p.Pool))
		}
		stated = stated[1:]
		due = append(due, moved(s.id, before, p.Pool)...)
	}
	switch {
	case len(stated) > 0:
		return nil, fmt.Errorf("it states %s, which the right numbers do not change", describe(stated[0]))
	case added != topped:
		return nil, sentence("the operator adds %v to jackpots that lack it, and it states %v", added, topped)
	}
	return due, nil
}
