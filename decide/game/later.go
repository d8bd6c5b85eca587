package game

import (
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// laterGames are the games after a game whose result is corrected, as far as the
// correction changes what their winners share of jackpots.
type laterGames struct {
	series *state.Series
	book   *rulebook.Book // of the game that is corrected
	pasts  Pasts
	// By ordinal: what winners share now, and how much more the operator bears of it.
	awards map[uint32][]jackpot.Award
	borne  map[uint32]money.Amount
}

// change is the difference that a correction makes to a jackpot.
type change struct {
	primary, secondary, owed, seeded, waiting, aside record.Exact
}

func poolChange(old, right record.Pool) change {
	return change{
		right.Primary - old.Primary, right.Secondary - old.Secondary, right.Owed - old.Owed,
		right.Seeded - old.Seeded, right.Waiting - old.Waiting, right.Aside - old.Aside,
	}
}

// apply returns a jackpot with the change.
func (c change) apply(p jackpot.Pool) jackpot.Pool {
	p.Primary += jackpot.Exact(c.primary)
	p.Secondary += jackpot.Exact(c.secondary)
	p.Owed += jackpot.Exact(c.owed)
	p.Seeded += jackpot.Exact(c.seeded)
	p.Waiting += jackpot.Exact(c.waiting)
	p.Aside += jackpot.Exact(c.aside)
	return p
}

// isCents reports whether the change is one of whole cents in the primary alone: then it is
// known to the cent what later winners would have shared.
func (c change) isCents() bool {
	return c == change{primary: c.primary} && c.primary%state.ExactPerCent == 0
}

func (l *laterGames) refuse(code refusal.Code, path, format string, args ...any) error {
	return &refusal.Refusal{Code: code, Path: path, Clause: rulebook.Quoted(l.book.Draw().OfficialClause),
		Sentence: fmt.Sprintf(format, args...)}
}

// checkChanged refuses to change jackpots while a draw is for them, and where it is no
// longer known what the jackpots of the game were by right.
func (l *laterGames) checkChanged(g *state.Game) error {
	if waiting := l.series.Unsettled(); len(waiting) > 0 {
		// What its draw is for was fixed at its seal.
		return l.refuse(GamesUnsettled, "ordinal",
			"The correction changes a jackpot for which game %d is being drawn. Wait until it is settled.",
			waiting[0].Ref.Number)
	}
	return l.checkKnown(g)
}

// checkKnown refuses where the jackpots for which a game was drawn are others by right: a game before
// it was corrected since. Corrected back, that game leaves them as they were at the draw.
func (l *laterGames) checkKnown(g *state.Game) error {
	for ordinal := uint32(1); ordinal < g.Ordinal; ordinal++ {
		if brief, _ := l.series.Brief(ordinal); !brief.Corrected {
			continue
		}
		before, _ := l.series.Game(ordinal)
		if before.Base() > firstSettlement && g.SealPlace.Before(before.SettledPlace) &&
			!slices.Equal(before.Numbers.Numbers(), before.Entered.Numbers()) {
			return l.refuse(SharedAlready, "ordinal",
				"Game %d (Keno Day %v) was corrected after this game was drawn, and both change jackpots. Correct that game back, then this one, then that one again.", before.Ref.Number, before.Ref.Day)
		}
	}
	return nil
}

// move takes the change of a jackpot through the later games that have shared it, and
// returns what is left of the change for the jackpot as it stands. The stakes of later games
// filled it as they did: their rates were fixed when the games opened.
//
//rule:casino-keno-div2 5.9 5.14
func (l *laterGames) move(g *state.Game, spots uint8, by change) (change, error) {
	for ordinal := g.Ordinal + 1; by != (change{}); ordinal++ {
		later, ok := l.series.Game(ordinal)
		if !ok {
			break
		}
		awards, known := l.awards[ordinal]
		if !known {
			awards = state.Awards(&later.Settled)
		}
		if !slices.ContainsFunc(awards, func(a jackpot.Award) bool {
			return a.Spots == spots &&
				a.Part == jackpot.PartPool
		}) {
			continue
		}
		if err := l.checkLater(later, spots, by); err != nil {
			return change{}, err
		}
		again, err := jackpot.ShareAgain(awards, spots, winnersOf(later, spots),
			money.Amount(by.primary/state.ExactPerCent))
		if err != nil {
			return change{}, err
		}
		l.put(ordinal, again)
		by.primary = record.Exact(again.Left) * state.ExactPerCent
	}
	return by, nil
}

func (l *laterGames) put(ordinal uint32, again jackpot.Again) {
	if l.awards == nil {
		l.awards, l.borne = map[uint32][]jackpot.Award{}, map[uint32]money.Amount{}
	}
	l.awards[ordinal] = again.Awards
	l.borne[ordinal] += again.Borne
}

// checkLater refuses a correction that would change the prizes of a later game which cannot
// be settled again.
func (l *laterGames) checkLater(later *state.Game, spots uint8, by change) error {
	number := later.Ref.Number
	switch swept := l.series.Swept(later.Ordinal); {
	case swept != "":
		return l.refuse(PrizesSwept, "ordinal",
			"The correction changes a jackpot of game %d, and what nobody had fetched of that game has gone to %s.",
			number, swept)
	case l.series.Claimed(later.Ordinal) != 0:
		return l.refuse(ClaimsOpen, "ordinal",
			"The correction changes a jackpot of game %d, of which prizes are under claim forms. Decide those first.",
			number)
	case l.series.SharesLater(later) || !by.isCents():
		return l.refuse(SharedAlready, "ordinal",
			"The correction changes the jackpot of %d spots, which game %d has shared in a way that cannot be shared again.",
			spots, number)
	}
	return nil
}

// borneIn returns what the operator bears of what winners of a game keep. A correction of that game
// takes it over: it states anew what was paid and not won.
func borneIn(g *state.Game) (sum money.Amount, err error) {
	for _, award := range state.Awards(&g.Settled) {
		if award.Part != jackpot.PartKept {
			continue
		}
		for _, w := range winnersOf(g, award.Spots) {
			share, err := award.Share(w)
			if err != nil {
				return 0, err
			}
			if sum, err = sum.Add(share); err != nil {
				return 0, err
			}
		}
	}
	return sum, nil
}

// earned returns what of the money that a later game has overpaid is won now that its winners share other awards.
func (l *laterGames) earned(s *state.State, g *state.Game, awards []jackpot.Award) (money.Amount, error) {
	overpaid := l.series.Overpaid(g.Ordinal)
	if overpaid == 0 {
		return 0, nil
	}
	past, err := newPast(l.pasts[g.Ordinal], l.series.ID, g)
	if err != nil {
		return 0, err
	}
	won, err := past.settle(g.Numbers)
	if err != nil {
		return 0, err
	}
	var first []jackpot.Award
	for _, w := range won.outcome.Won {
		first = append(first, w.Awards...)
	}
	added, err := past.terms.Raise(jackpotWins(&g.Settled), first, awards)
	if err != nil {
		return 0, err
	}
	left, err := past.overpaid(s, g, won.outcome, added)
	return overpaid - left, err
}

// settle states what winners of later games share now, and what of the money that those games have overpaid
// they have won by that. Each settlement adds to the one before: its winners file has what is owed in addition.
//
//rule:casino-keno-div2 5.10 11.1
func (l *laterGames) settle(s *state.State) (all []Later, earned []record.Earned, err error) {
	for _, ordinal := range slices.Sorted(maps.Keys(l.awards)) {
		g, _ := l.series.Game(ordinal)
		terms, err := s.TermsOf(g)
		if err != nil {
			return nil, nil, err
		}
		raised, err := terms.Raise(jackpotWins(&g.Settled), state.Awards(&g.Settled), l.awards[ordinal])
		if err != nil {
			return nil, nil, err
		}
		won, err := l.earned(s, g, l.awards[ordinal])
		if err != nil {
			return nil, nil, err
		}
		if won != 0 {
			earned = append(earned, record.Earned{Game: g.Ref, Cents: won})
		}
		again := g.Settled
		again.Revision++
		again.Awards, again.Pools = awardRecords(l.awards[ordinal]), nil
		again.PrizesCents += raised.Prizes
		again.BreakageCents += raised.Breakage
		again.JackpotCents += raised.Shares
		winners := raised.Encode(settle.Settlement{Series: l.series.ID, Ordinal: ordinal, Revision: again.Revision})
		again.WinnersHash = settle.HashWinners(winners)
		all = append(all, Later{ordinal, Settled{Record: &again, Winners: winners, Postings: ledger.Merge(
			ledger.Credit(ledger.Prizes, 0, raised.Prizes-won),
			ledger.Credit(ledger.Breakage, 0, raised.Breakage),
			ledger.Debit(ledger.Overpaid, 0, l.borne[ordinal]-won),
			ledger.Debit(ledger.PrizeFund, 0, raised.Prizes+raised.Breakage-l.borne[ordinal]))}})
	}
	return all, earned, nil
}
