package game

import (
	"drawhouse/ledger"
	"drawhouse/record"
	"drawhouse/settle"
	"drawhouse/state"
)

// Settled is what the settlement of a game makes: the record with its postings,
// and the winners file that the record pins.
type Settled struct {
	Record   *record.GameSettled
	Postings []ledger.Posting
	Winners  []byte
}

// firstSettlement is the revision of a settlement that corrects no other.
const firstSettlement = 1

// Settle finds what every ticket of a drawn game has won, under the schedule that
// was current when the game closed.
//
//rule:vic-keno-2015 20(a)
func Settle(s *state.State, series uint8, ordinal uint32) (Settled, error) {
	current, game, err := gameIn(s, series, ordinal, state.PhaseDrawn)
	if err != nil {
		return Settled{}, err
	}
	terms, err := settle.NewTerms(current.Book, game.Closed.Schedule)
	if err != nil {
		return Settled{}, err
	}
	outcome, err := settle.Pass(current.Open, ordinal, game.Numbers, terms)
	if err != nil {
		return Settled{}, err
	}
	winners := outcome.Encode(settle.Settlement{Series: series, Ordinal: ordinal, Revision: firstSettlement})
	settled := &record.GameSettled{
		Game: game.Ref, Revision: firstSettlement,
		Plays: outcome.Plays, Ways: outcome.Ways, StakesCents: outcome.Stakes,
		Winners: outcome.Winners(), WinningWays: outcome.WinningWays,
		PrizesCents: outcome.Prizes, BreakageCents: outcome.Breakage,
		MajorsCents: outcome.Majors, MajorsPaidCents: outcome.MajorsPaid,
		WinnersHash: settle.HashWinners(winners),
	}
	for _, r := range outcome.Reductions {
		settled.Reductions = append(settled.Reductions, record.Reduction{Limit: uint8(r.Limit), Num: r.Num, Den: r.Den})
	}
	return Settled{settled, prizePostings(outcome), winners}, nil
}

// prizePostings owes the prizes to the winners. What rounding kept back stays
// with the players, apart from the rest of the fund so that it can be seen.
func prizePostings(outcome *settle.Outcome) []ledger.Posting {
	return ledger.Compact(
		ledger.Debit(ledger.PrizeFund, 0, outcome.Prizes+outcome.Breakage),
		ledger.Credit(ledger.Prizes, 0, outcome.Prizes),
		ledger.Credit(ledger.Breakage, 0, outcome.Breakage),
	)
}
