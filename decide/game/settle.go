package game

import (
	"drawhouse/core/ball"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
)

// Settled is what the settlement of a game makes: the record with its postings, the
// winners file that the record pins, and before it the prizes that run on.
type Settled struct {
	Carried  []record.PrizesCarried
	Record   *record.GameSettled
	Postings []ledger.Posting
	Winners  []byte
}

// firstSettlement is the revision of a settlement that corrects no other.
const firstSettlement = 1

// Settle finds what every ticket of a drawn game has won, under the terms that were
// current when the game opened for sale.
//
//rule:vic-keno-2015 20(a)
func Settle(s *state.State, series uint8, ordinal uint32) (Settled, error) {
	current, game, err := gameIn(s, series, ordinal, state.PhaseDrawn)
	if err != nil {
		return Settled{}, err
	}
	terms, err := s.TermsOf(game)
	if err != nil {
		return Settled{}, err
	}
	outcome, err := outcomeOf(s, current, game, game.Numbers)
	if err != nil {
		return Settled{}, err
	}
	winners := outcome.Encode(settle.Settlement{Series: series, Ordinal: ordinal, Revision: firstSettlement})
	settled := settlement(game, outcome)
	settled.WinnersHash = settle.HashWinners(winners)
	postings := append(prizePostings(outcome), offerPostings(current, outcome)...)
	if len(outcome.Won) > 0 {
		pools, moved, err := winPools(terms.Jackpots(), outcome.Won)
		if err != nil {
			return Settled{}, err
		}
		settled.Pools = pools
		postings = append(postings, moved...)
	}
	return Settled{carriedPrizes(game.Ref, outcome), settled, ledger.Merge(postings...), winners}, nil
}

// outcomeOf finds what a game that is not settled comes to by some numbers.
func outcomeOf(s *state.State, series *state.Series, g *state.Game, numbers ball.Sequence) (*settle.Outcome, error) {
	terms, err := s.TermsOf(g)
	if err != nil {
		return nil, err
	}
	pots := settle.Pots{Pools: series.Pools(), Pooled: series.SharesLater(g)}
	outcome, err := settle.Pass(series.Open, g.Ordinal, numbers, terms, pots)
	if err != nil {
		return nil, err
	}
	return outcome, outcome.Grant(series.Open, g.Ordinal, numbers.Set(), terms,
		offersIn(s.BookOf(g), series, g.Ordinal))
}

// settlement states an outcome.
func settlement(game *state.Game, outcome *settle.Outcome) *record.GameSettled {
	settled := &record.GameSettled{
		Game: game.Ref, Revision: firstSettlement, Draw: game.Draw,
		Plays: outcome.Plays, Ways: outcome.Ways, StakesCents: outcome.Stakes,
		DeferredPlays: outcome.Deferred.Plays, DeferredWays: outcome.Deferred.Ways,
		Winners: outcome.Winners(), WinningWays: outcome.WinningWays,
		PrizesCents: outcome.Prizes, BreakageCents: outcome.Breakage,
		CarriedCents: outcome.CarriedOn, CarriedWays: outcome.CarriedWays,
		MajorsCents: outcome.Majors, MajorsPaidCents: outcome.MajorsPaid,
		Multiplier: uint8(outcome.Factor), JackpotCents: outcome.Jackpots,
	}
	for _, r := range outcome.Reductions {
		settled.Reductions = append(settled.Reductions, record.Reduction{Limit: uint8(r.Limit), Num: r.Num, Den: r.Den})
	}
	for _, o := range outcome.Offers {
		settled.Promotions = append(settled.Promotions, record.PromotionWon{
			Number: o.Number, AmountCents: o.Amount, StakesCents: o.Stakes, Ways: o.Ways, PaidCents: o.Paid,
		})
	}
	for _, won := range outcome.Won {
		settled.Awards = append(settled.Awards, awardRecords(won.Awards)...)
	}
	for _, w := range outcome.JackpotWins {
		settled.JackpotWins = append(settled.JackpotWins, record.JackpotWin{
			Ticket: w.Ticket, Way: uint32(w.Way), Spots: w.Spots,
			StakeCents: w.Winner.Stake, Bonus: w.Winner.Bonus, ScheduleCents: w.Schedule,
		})
	}
	return settled
}

// carriedPrizes lists the prizes that run on, in records of a bounded size.
func carriedPrizes(ref record.Game, outcome *settle.Outcome) []record.PrizesCarried {
	var all []record.PrizesCarried
	for c := range outcome.Carries() {
		if n := len(all); n == 0 || len(all[n-1].List) == record.MostCarried {
			all = append(all, record.PrizesCarried{Game: ref})
		}
		last := &all[len(all)-1]
		last.List = append(last.List, record.Carried{Ticket: c.Ticket, Run: c.Run, Cents: c.Amount})
	}
	return all
}

// prizePostings owes the prizes to the winners. What runs on is a stake again, and
// theirs until the next game closes. What rounding kept back stays with the players,
// apart from the rest of the fund so that it can be seen. Shares of jackpots come
// from the jackpots, whose own postings say so, and the rest from the fund.
func prizePostings(outcome *settle.Outcome) []ledger.Posting {
	var promoted money.Amount // has its own money set aside
	for _, o := range outcome.Offers {
		promoted += o.Paid
	}
	return []ledger.Posting{
		ledger.Debit(ledger.PrizeFund, 0, outcome.Prizes+outcome.CarriedOn+outcome.Breakage-outcome.Jackpots-promoted),
		ledger.Credit(ledger.Prizes, 0, outcome.Prizes),
		ledger.Credit(ledger.Unplayed, 0, outcome.CarriedOn),
		ledger.Credit(ledger.Breakage, 0, outcome.Breakage),
	}
}
