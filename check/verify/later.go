package verify

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// A raise is what a correction of an earlier game changes in a settled game: what its
// winners share, and how much more the operator bears of that. Its settlement must follow
// the one of the corrected game.
type raise struct {
	game   *game
	awards []record.Award
	borne  money.Amount
	earned money.Amount // as the correction states it
}

// checkEarned takes over what a correction states of money that later games have overpaid and that is won now.
// Whether it is right shows when each is settled again.
func (c *checker) checkEarned(stated []record.Earned) error {
	for _, r := range c.corrections.raising {
		if len(stated) > 0 && stated[0].Game == r.game.name {
			r.earned, stated = stated[0].Cents, stated[1:]
		}
	}
	if len(stated) > 0 {
		return fmt.Errorf("it states what is earned in game %v, which is not settled again in its turn", stated[0].Game)
	}
	return nil
}

// checkJackpotsKnown faults a correction that changes jackpots, or what winners share of them, where a
// game before it was corrected after this one was settled: the jackpots that this one was drawn for
// were others by right.
func (s *series) checkJackpotsKnown(g *game) error {
	for _, before := range s.games[:g.ordinal-1] {
		if before.past != nil && before.corrected > 1 && before.endedAt > g.past.at &&
			!slices.Equal(before.numbers, before.past.game.numbers) {
			return fmt.Errorf("what winners of jackpots share in game %v hangs on game %v before it, which was corrected since",
				g.name, before.name)
		}
	}
	return nil
}

// raiseLater follows a change of the primary of a size through the games after a corrected
// one. Where winners shared it, the change is theirs (casino-keno-div2 5.9, 5.14); what is
// left for later ones is the rest of their shares. It returns the change of the primary as
// it stands. Whole says that nothing else of the jackpot changes.
func (c *checker) raiseLater(s *series, g *game, spots uint8, by record.Exact, whole bool) (record.Exact, error) {
	for _, later := range s.games[g.ordinal:] {
		if later.stage != stageSettled || by == 0 && whole {
			continue
		}
		r := c.raiseOf(later)
		i := slices.IndexFunc(r.awards, func(a record.Award) bool { return a.Spots == spots && a.Part == record.PartPool })
		if i < 0 {
			continue
		}
		open := func(k kept) bool { return k.open }
		switch {
		case later.unclaimed.at != "":
			return 0, fmt.Errorf("it changes a jackpot of game %v, whose prizes have gone to %s", later.name,
				later.unclaimed.at)
		case slices.ContainsFunc(slices.Collect(maps.Values(later.unclaimed.kept)), open):
			return 0, fmt.Errorf("it changes a jackpot of game %v, of which claim forms are open", later.name)
		case !whole || by%exactCent != 0 || later.settled.base == nil || len(s.sharedWith(later.ordinal)) > 0:
			return 0, fmt.Errorf("it changes a jackpot of game %v, which cannot be shared again", later.name)
		}
		left, err := r.shareAgain(i, money.Amount(by/exactCent))
		if err != nil {
			return 0, err
		}
		if !slices.Contains(c.corrections.raising, r) {
			c.corrections.raising = append(c.corrections.raising, r)
		}
		if by, err = exactOf(left); err != nil {
			return 0, err
		}
	}
	slices.SortFunc(c.corrections.raising, func(a, b *raise) int { return int(a.game.ordinal) - int(b.game.ordinal) })
	return by, nil
}

// raiseOf returns what the winners of a game share so far.
func (c *checker) raiseOf(g *game) *raise {
	for _, r := range c.corrections.raising {
		if r.game == g {
			return r
		}
	}
	return &raise{game: g, awards: slices.Clone(g.settled.awards)}
}

// shareAgain makes one pool of a game larger, or smaller by a negative amount, and returns
// how much more of it its winners leave. They keep what they had: a further award makes up
// what the right pool lacks for any of them, and is the operator's to bear.
func (r *raise) shareAgain(at int, by money.Amount) (money.Amount, error) {
	was := r.awards[at]
	is := was
	is.AmountCents += by
	had := record.Award{Spots: was.Spots, Part: record.PartKept, StakesCents: was.StakesCents}
	keeps := had
	rest := slices.Clone(r.awards)
	rest[at] = is
	rest = slices.DeleteFunc(rest, func(a record.Award) bool {
		if a.Spots == was.Spots && a.Part == record.PartKept {
			had = a
			return true
		}
		return false
	})
	if is.AmountCents < 0 {
		return 0, fmt.Errorf("it leaves %v in the jackpot of %d spots for game %v", is.AmountCents, was.Spots,
			r.game.name)
	}
	wins := r.game.settled.base.wins
	for i := range wins {
		if wins[i].spots != was.Spots {
			continue
		}
		before, err := wins[i].shares([]record.Award{was, had})
		if err != nil {
			return 0, err
		}
		now, err := wins[i].shares([]record.Award{is})
		if err != nil {
			return 0, err
		}
		lacks := new(big.Rat).Mul(ratOf(before-now), new(big.Rat).Quo(ratOf(was.StakesCents), ratOf(wins[i].stake)))
		whole, err := wholeCents(lacks)
		if err != nil {
			return 0, err
		}
		if ratOf(whole).Cmp(lacks) < 0 {
			whole++
		}
		keeps.AmountCents = max(keeps.AmountCents, whole)
	}
	var paid [4]money.Amount
	for i, a := range []record.Award{was, is, had, keeps} {
		var err error
		if paid[i], err = paidOf(a, wins); err != nil {
			return 0, err
		}
	}
	if keeps.AmountCents > 0 {
		rest = append(rest, keeps)
	}
	r.awards, r.borne = rest, r.borne+paid[3]-paid[2]
	return (is.AmountCents - paid[1]) - (was.AmountCents - paid[0]), nil
}

// gameRaised checks the further settlement of a game that shared a jackpot which the
// correction of an earlier game changes. It states the whole again, with the right awards,
// and nothing is taken from a winner.
func (c *checker) gameRaised(b *record.GameSettled) (postings, error) {
	r := c.corrections.raising[0]
	c.corrections.raising = c.corrections.raising[1:]
	s, g := c.series[b.Game.Series], r.game
	w := g.settled.grader
	w.out = g.settled.base.clone()
	won := &jackpotResult{awards: r.awards}
	var err error
	if won.jackpots, err = w.payWins(w.out.wins, won.awards); err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	promotions, err := w.sharePromotions()
	if err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	breakage, err := wholeCents(w.out.kept)
	if err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	switch {
	case b.Revision != g.settled.revision+1:
		return nil, fault(CheckSettlement, "it is revision %d, and the last was %d", b.Revision, g.settled.revision)
	case !slices.Equal(b.Promotions, promotions):
		return nil, fault(CheckSettlement, "the promotions that were won are not those of its first settlement")
	case len(b.Pools) > 0:
		return nil, fault(CheckJackpots,
			"it states %s, and the correction has moved the jackpots", describe(b.Pools[0]))
	}
	if err := c.checkRaised(s, g, b, w, won, breakage); err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	before := g.settled
	g.takePaid(w.out.winners)
	lost := g.overpaidBy(w.out.winners)
	if earned := g.overpaid - lost; r.earned != earned {
		return nil, fault(CheckSettlement,
			"of what was overpaid in game %v, %v is won now, and the correction states %v",
			g.name, earned, r.earned)
	}
	g.setWinners(w.out.winners)
	g.endedAt, g.overpaid = c.ended(), lost
	g.settled.revision, g.settled.prizes, g.settled.breakage, g.settled.jackpots = b.Revision, w.out.prizes, breakage,
		won.jackpots
	g.settled.awards = r.awards
	g.figures.Prizes, g.figures.Breakage, g.figures.Jackpots, g.figures.Revisions = b.PrizesCents, b.BreakageCents,
		b.JackpotCents, b.Revision
	s.moveAgain(g)
	c.report.PrizesCents += w.out.prizes - before.prizes
	c.report.BreakageCents += breakage - before.breakage
	c.report.JackpotCents += won.jackpots - before.jackpots
	c.report.Revisions++
	return balanced(postings{
		ledger.Credit(ledger.Prizes, 0, w.out.prizes-before.prizes-r.earned),
		ledger.Credit(ledger.Breakage, 0, breakage-before.breakage),
		ledger.Debit(ledger.Overpaid, 0, r.borne-r.earned),
	}, ledger.PrizeFund), nil
}

func (c *checker) checkRaised(s *series, g *game, b *record.GameSettled, w *grader, won *jackpotResult,
	breakage money.Amount) error {
	if err := w.checkTotals(b, breakage, won); err != nil {
		return err
	}
	if err := w.checkReductions(b.Reductions); err != nil {
		return err
	}
	if err := checkWins(b.JackpotWins, w.out.wins); err != nil {
		return err
	}
	if stated, due := inOrder(b.Awards), inOrder(won.awards); !slices.Equal(stated, due) {
		return sentence("its winners of jackpots share %v, and %v is right", stated, due)
	}
	return c.checkWinnersFile(b, s, g, more(g.allWinners(), w.out.winners))
}
