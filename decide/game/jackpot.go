package game

import (
	"fmt"

	"drawhouse/core/ledger"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// jackpotTerms returns the terms of a rulebook's jackpots, or nil if it has none.
func jackpotTerms(book *rulebook.Book, schedule string) (*jackpot.Terms, error) {
	if _, ok := book.Jackpots(); !ok {
		return nil, nil
	}
	return jackpot.NewTerms(book, schedule)
}

// OpenPools begins the jackpots that a rulebook has and the series does not.
//
//rule:casino-keno-div2 5.6
func OpenPools(s *state.State, series uint8) ([]record.PoolOpened, [][]ledger.Posting, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, nil, err
	}
	terms, err := jackpotTerms(current.Book, current.Schedule)
	if terms == nil || err != nil {
		return nil, nil, err
	}
	var opened []record.PoolOpened
	var postings [][]ledger.Posting
	for _, spots := range terms.Spots() {
		if _, ok := current.Pool(uint8(spots)); ok {
			continue
		}
		pool, move, err := terms.Open(series, spots)
		if err != nil {
			return nil, nil, err
		}
		opened = append(opened, record.PoolOpened{Series: series, Pool: poolRecord(pool)})
		postings = append(postings, ledger.Merge(movePostings(pool, move)...))
	}
	return opened, postings, nil
}

// ratesOf returns how the stakes of the next game will fill the jackpots.
func ratesOf(series *state.Series, book *rulebook.Book, schedule string) ([]record.PoolRate, error) {
	terms, err := jackpotTerms(book, schedule)
	if terms == nil || err != nil {
		return nil, err
	}
	var rates []record.PoolRate
	for _, spots := range terms.Spots() {
		pool, ok := series.Pool(uint8(spots))
		if !ok {
			return nil, fmt.Errorf("game: series %s has no jackpot of %d spots", series.Name, spots)
		}
		rate, err := terms.Rate(pool)
		if err != nil {
			return nil, err
		}
		rates = append(rates, record.PoolRate{Spots: uint8(spots), Primary: uint16(rate.Primary),
			Secondary: uint16(rate.Secondary), Seed: uint16(rate.Seed)})
	}
	return rates, nil
}

// contribute divides the stakes of the open game at the rates with which it opened.
func contribute(s *state.State, series *state.Series, g *state.Game) ([]record.Contribution, []ledger.Posting, error) {
	terms, err := jackpotTerms(s.BookOf(g), g.Schedule)
	if terms == nil || err != nil {
		return nil, nil, err
	}
	var list []record.Contribution
	var postings []ledger.Posting
	for i, stakes := range series.Open.JackpotStakes(g.Ordinal, terms) {
		pool, ok := series.Pool(stakes.Spots)
		if !ok || i >= len(g.Rates) || g.Rates[i].Spots != stakes.Spots {
			return nil, nil, fmt.Errorf("game: game %v has stakes on %d spots and no rate for them", g.Ref,
				stakes.Spots)
		}
		after, c, move, err := jackpot.Contribute(pool, stakes.Stakes, rateOf(g.Rates[i]))
		if err != nil {
			return nil, nil, err
		}
		list = append(list, record.Contribution{
			Spots: stakes.Spots, StakesCents: stakes.Stakes,
			Primary: record.Exact(c.Primary), Secondary: record.Exact(c.Secondary), Repaid: record.Exact(c.Repaid),
			Unseeded: record.Exact(pool.Seeded - after.Seeded),
		})
		postings = append(postings, movePostings(pool, move)...)
	}
	return list, postings, nil
}

func rateOf(r record.PoolRate) jackpot.Rate {
	return jackpot.Rate{Primary: rulebook.Percent(r.Primary), Secondary: rulebook.Percent(r.Secondary),
		Seed: rulebook.Percent(r.Seed)}
}

// movePostings books what an operation did to a jackpot, but for what its winners
// got: prizes are booked with the rest of their game.
func movePostings(p jackpot.Pool, m jackpot.Movement) []ledger.Posting {
	unit := ledger.Pool(p.Series, p.Spots)
	return []ledger.Posting{
		ledger.Credit(ledger.PrizeFund, 0, m.Fund),
		ledger.Credit(ledger.Operator, 0, m.Operator),
		ledger.Credit(ledger.JackpotPrimary, unit, m.Primary),
		ledger.Credit(ledger.JackpotSecondary, unit, m.Secondary),
		ledger.Credit(ledger.JackpotWaiting, unit, m.Waiting),
		ledger.Credit(ledger.JackpotAside, unit, m.Aside),
		ledger.Credit(ledger.Jurisdictions, 0, m.Elsewhere),
	}
}

func poolRecord(p jackpot.Pool) record.Pool {
	return record.Pool{
		Spots: p.Spots, Primary: record.Exact(p.Primary), Secondary: record.Exact(p.Secondary),
		Owed: record.Exact(p.Owed), Seeded: record.Exact(p.Seeded), Waiting: record.Exact(p.Waiting),
		Aside: record.Exact(p.Aside),
	}
}

// winPools makes the pools that were won ready for the next game, and returns them
// with the postings of the wins.
//
//rule:tas-keno-2023 7.4(f) 7.4(g)
//rule:casino-keno-div2 5.6
func winPools(terms *jackpot.Terms, won []jackpot.Won) ([]record.Pool, []ledger.Posting, error) {
	var pools []record.Pool
	var postings []ledger.Posting
	for _, w := range won {
		postings = append(postings, movePostings(w.Before, w.Move)...)
		next, move, err := terms.Next(w.After)
		if err != nil {
			return nil, nil, err
		}
		postings = append(postings, movePostings(next, move)...)
		pools = append(pools, poolRecord(next))
	}
	return pools, postings, nil
}

// The codes with which reports of other jurisdictions are refused.
const (
	NoReportDue  refusal.Code = "no_report_due"         // the game is not settled here, or all is known of it
	ReportsWait  refusal.Code = "reports_outstanding"   // not everybody has reported yet
	NothingToPay refusal.Code = "nothing_to_share"      // nobody has won
	EarlierWaits refusal.Code = "earlier_game_is_first" // jackpots are shared in the order of their games
)

// Report takes in what another jurisdiction says of a draw of a pooled jackpot.
//
//rule:vic-keno-2015 21(m)
func Report(s *state.State, series uint8, ordinal uint32, spots uint8,
	report jackpot.Report) (*record.JurisdictionReported, error) {
	current, g, terms, pending, err := pooled(s, series, ordinal)
	if err != nil {
		return nil, err
	}
	if _, ok := current.Pool(spots); !ok {
		return nil, &refusal.Refusal{Code: NoReportDue, Path: "spots",
			Sentence: fmt.Sprintf("There is no jackpot of %d spots.", spots)}
	}
	if _, _, err := terms.Gather(g.Participants, append(pending.Reported(spots), report)); err != nil {
		return nil, err
	}
	return &record.JurisdictionReported{Game: g.Ref, Spots: spots, Jurisdiction: report.Jurisdiction,
		GrowthCents: report.Growth, StakesCents: report.Stakes}, nil
}

func pooled(s *state.State, series uint8,
	ordinal uint32) (*state.Series, *state.Game, *jackpot.Terms, *state.Pending, error) {
	current, g, err := gameIn(s, series, ordinal, state.PhaseSettled)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	terms, err := jackpotTerms(s.BookOf(g), g.Schedule)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	for i, p := range current.Pending() {
		if p.Ordinal == ordinal && terms != nil {
			return current, g, terms, &current.Pending()[i], nil
		}
	}
	return nil, nil, nil, nil, &refusal.Refusal{Code: NoReportDue, Path: "game",
		Sentence: fmt.Sprintf("Game %d waits for no report.", g.Ref.Number)}
}

// Share settles a game a second time, with the pooled parts of its jackpots: now
// that everybody has reported, the winners here are owed their shares.
//
//rule:vic-keno-2015 24(d) 24(e) 24(f) 21(m)
func Share(s *state.State, series uint8, ordinal uint32) (Settled, error) {
	current, g, terms, pending, err := pooled(s, series, ordinal)
	if err != nil {
		return Settled{}, err
	}
	if first := current.Pending()[0]; first.Ordinal != ordinal {
		return Settled{}, &refusal.Refusal{Code: EarlierWaits, Path: "game",
			Sentence: fmt.Sprintf("The jackpots of game %d of the series come first.", first.Ordinal)}
	}
	won, err := shareEach(current, g, terms, pending)
	if err != nil {
		return Settled{}, err
	}
	if len(won) == 0 {
		return Settled{}, &refusal.Refusal{Code: NothingToPay, Path: "game",
			Sentence: fmt.Sprintf("Nobody has won a jackpot in game %d.", g.Ref.Number)}
	}
	again := g.Settled
	again.Revision++
	for _, w := range won {
		again.Awards = append(again.Awards[:len(again.Awards):len(again.Awards)], awardRecords(w.Awards)...)
	}
	return settleShares(s, current, g, again, won)
}

// shareEach returns what each jackpot of a game comes to, now that all is known.
func shareEach(series *state.Series, g *state.Game, terms *jackpot.Terms,
	pending *state.Pending) ([]jackpot.Won, error) {
	var won []jackpot.Won
	for _, drawn := range pending.Pools {
		elsewhere, missing, err := terms.Gather(g.Participants, pending.Reported(drawn.Spots))
		if err != nil {
			return nil, err
		}
		if len(missing) > 0 {
			return nil, &refusal.Refusal{Code: ReportsWait, Path: "game",
				Sentence: fmt.Sprintf("%s has not reported game %d.", missing[0], g.Ref.Number)}
		}
		winners := winnersOf(g, drawn.Spots)
		if len(winners) == 0 && elsewhere.Stakes == 0 {
			continue
		}
		w, err := terms.Growth(drawn, winners, elsewhere)
		if err != nil {
			return nil, err
		}
		pool, _ := series.Pool(drawn.Spots)
		if w.After, err = w.Apply(pool); err != nil {
			return nil, err
		}
		w.Before = pool
		won = append(won, w)
	}
	return won, nil
}

// winnersOf returns the ways that won the jackpot of one size.
func winnersOf(g *state.Game, spots uint8) []jackpot.Winner {
	var winners []jackpot.Winner
	for _, w := range g.Settled.JackpotWins {
		if w.Spots == spots {
			winners = append(winners, jackpot.Winner{Stake: w.StakeCents, Bonus: w.Bonus})
		}
	}
	return winners
}

// settleShares states what the winners of jackpots are owed in addition.
func settleShares(s *state.State, series *state.Series, g *state.Game, again record.GameSettled,
	won []jackpot.Won) (Settled, error) {
	if g.Base() > firstSettlement {
		return Settled{}, &refusal.Refusal{Code: SharedAlready, Path: "ordinal",
			Sentence: fmt.Sprintf("The result of game %d was corrected; nothing is added to its jackpots.",
				g.Ref.Number)}
	}
	if swept := series.Swept(g.Ordinal); swept != "" {
		return Settled{}, &refusal.Refusal{Code: PrizesSwept, Path: "ordinal",
			Sentence: fmt.Sprintf("What nobody had fetched of game %d has gone to %s; it is not settled again.",
				g.Ref.Number, swept)}
	}
	terms, err := s.TermsOf(g)
	if err != nil {
		return Settled{}, err
	}
	pools, postings, err := winPools(terms.Jackpots(), won)
	if err != nil {
		return Settled{}, err
	}
	raised, err := terms.Raise(jackpotWins(&g.Settled), state.Awards(&g.Settled), state.Awards(&again))
	if err != nil {
		return Settled{}, err
	}
	winners := raised.Encode(settle.Settlement{Series: series.ID, Ordinal: g.Ordinal, Revision: again.Revision})
	again.Pools, again.WinnersHash = pools, settle.HashWinners(winners)
	again.PrizesCents += raised.Prizes
	again.BreakageCents += raised.Breakage
	again.JackpotCents += raised.Shares
	return Settled{Record: &again, Winners: winners, Postings: ledger.Merge(append(postings,
		ledger.Credit(ledger.Prizes, 0, raised.Prizes),
		ledger.Credit(ledger.Breakage, 0, raised.Breakage))...)}, nil
}

func awardRecords(awards []jackpot.Award) []record.Award {
	list := make([]record.Award, len(awards))
	for i, a := range awards {
		list[i] = record.Award{Spots: a.Spots, Part: uint8(a.Part), AmountCents: a.Amount, StakesCents: a.Stakes}
	}
	return list
}

// jackpotWins returns the winning ways of a settlement in the form in which their
// prizes are computed.
func jackpotWins(settled *record.GameSettled) []settle.JackpotWin {
	wins := make([]settle.JackpotWin, len(settled.JackpotWins))
	for i, w := range settled.JackpotWins {
		wins[i] = settle.JackpotWin{
			Ticket: w.Ticket, Way: int(w.Way), Spots: w.Spots,
			Winner: jackpot.Winner{Stake: w.StakeCents, Bonus: w.Bonus}, Schedule: w.ScheduleCents,
		}
	}
	return wins
}
