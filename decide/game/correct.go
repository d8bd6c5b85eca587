package game

import (
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// The codes with which the correction of a result is refused.
const (
	NotByHand        refusal.Code = "official_record"   // a computer recorded the numbers, and they are the official ones
	NumbersMalformed refusal.Code = "numbers_malformed" // they are not those of a draw
	NothingCorrected refusal.Code = "nothing_corrected" // they are those that count already
	ClauseUnknown    refusal.Code = "clause_unknown"    // the rulebook has no such clause
	ClaimsOpen       refusal.Code = "claims_open"       // claim forms keep prizes of the game
	PrizesRanOn      refusal.Code = "prizes_ran_on"     // prizes that would change have been played on
	// SharedAlready: jackpots of the game are shared with other jurisdictions, which have been told, or what they
	// were by right hangs on an earlier game that was corrected since. The first is for good, and no rulebook of
	// the house has both a ball machine and shared jackpots; the sentence about the second says the way on.
	SharedAlready refusal.Code = "shared_already"
	PastMissing   refusal.Code = "past_missing" // the state before the settlement is not at hand
)

// Correction says which numbers were drawn in a game whose result was entered wrongly.
type Correction struct {
	Numbers  []int
	Reason   string
	Clause   string
	Approval uint32
}

// Corrected is what a correction makes: the record of it, and the settlement that
// follows it at once. Then come the settlements of later games whose winners shared a
// jackpot that the correction changes, in the order of the games.
type Corrected struct {
	Record  *record.ResultCorrected
	Settled Settled
	Later   []Later
}

// Pasts are states of games as they were drawn and not settled, by the ordinals of the games.
type Pasts map[uint32]*state.State

// LooksBack returns the games whose past the correction of a settled game needs: the game itself, and later ones
// of which more was paid than won, for more may be won there by the correction.
func LooksBack(at func(ordinal uint32) (*state.Game, bool), ordinal uint32) (games []*state.Game) {
	g, ok := at(ordinal)
	for ; ok && g.Settled.Revision != 0; g, ok = at(ordinal) {
		if len(games) == 0 || g.Corrected().OverpaidCents > 0 {
			games = append(games, g)
		}
		ordinal++
	}
	return games
}

// Later is the settlement of a later game.
type Later struct {
	Ordinal uint32
	Settled Settled
}

// Correct settles a game anew by the numbers that were drawn. The balls are the official
// record of a draw at a machine and not what people keyed; where a computer drew, its
// own record is, and nothing can be corrected.
//
// The past of the game is what played in it, and for which jackpots. A ticket that was paid keeps
// what it was paid: one that
// has won more is owed the difference, and what one has won less the operator has lost.
//
//rule:casino-keno-div2 11.1
func Correct(s *state.State, before Pasts, series uint8, ordinal uint32, c Correction) (Corrected, error) {
	current, g, err := gameIn(s, series, ordinal, state.PhaseSettled)
	if err != nil {
		return Corrected{}, err
	}
	numbers, err := checkCorrection(s, current, g, c)
	if err != nil {
		return Corrected{}, err
	}
	past, err := newPast(before[g.Ordinal], series, g)
	if err != nil {
		return Corrected{}, err
	}
	was, err := past.settle(g.Numbers)
	if err != nil {
		return Corrected{}, err
	}
	is, err := past.settle(numbers)
	if err != nil {
		return Corrected{}, err
	}
	if err := checkUnmoved(g, was.outcome, is.outcome); err != nil {
		return Corrected{}, err
	}
	overpaid, err := past.overpaid(s, g, is.outcome, nil)
	if err != nil {
		return Corrected{}, err
	}
	return correct(s, &laterGames{series: current, book: s.BookOf(g), pasts: before}, g, c, numbers, was, is, overpaid)
}

// checkCorrection refuses what cannot be corrected, and returns the right numbers.
func checkCorrection(s *state.State, series *state.Series, g *state.Game, c Correction) (ball.Sequence, error) {
	book := s.BookOf(g)
	of, draw := book.Numbers()
	numbers, err := ball.NewSequence(ball.Universe(of), c.Numbers...)
	refuse := func(code refusal.Code, path, format string, args ...any) (ball.Sequence, error) {
		return ball.Sequence{}, &refusal.Refusal{Code: code, Path: path,
			Clause: rulebook.Quoted(book.Draw().OfficialClause), Sentence: fmt.Sprintf(format, args...)}
	}
	over := lastStep(book, g, series.Day)
	switch swept := series.Swept(g.Ordinal); {
	case g.Device != record.DeviceCage:
		return refuse(NotByHand, "ordinal",
			"Game %d was drawn by a computer, whose record of the numbers is the official one.", g.Ref.Number)
	case !book.Draw().Official:
		return refuse(NotByHand, "ordinal",
			"%s does not make the balls the official record of game %d, and what was keyed stands.", book.ID(), g.Ref.Number)
	case checkClause(book, c.Clause) != nil:
		return ball.Sequence{}, checkClause(book, c.Clause)
	case err != nil || numbers.Len() != draw:
		return refuse(NumbersMalformed, "numbers", "A draw is %d different numbers from 1 to %d.", draw, of)
	case slices.Equal(numbers.Numbers(), g.Numbers.Numbers()):
		return refuse(NothingCorrected, "numbers", "These are the numbers that count in game %d.", g.Ref.Number)
	case swept != "":
		return refuse(PrizesSwept, "ordinal",
			"What nobody had fetched of game %d has gone to %s; it is not settled again.", g.Ref.Number, swept)
	case over != nil:
		return ball.Sequence{}, &refusal.Refusal{Code: PrizesSwept, Path: "ordinal", Clause: over.Quoted(),
			Sentence: fmt.Sprintf(
				"The time for prizes of game %d is over, and nobody could fetch what it would have won. It is not settled again.",
				g.Ref.Number)}
	case series.Claimed(g.Ordinal) != 0:
		return refuse(ClaimsOpen, "ordinal",
			"Prizes of game %d are under claim forms. Decide those first.", g.Ref.Number)
	case series.SharesLater(g) || slices.ContainsFunc(g.Settled.Awards,
		func(a record.Award) bool { return a.Part == uint8(jackpot.PartAside) }):
		return refuse(SharedAlready, "ordinal",
			"Jackpots of game %d are shared with others, or were shared since it was settled.", g.Ref.Number)
	case g.IsRaised():
		// What its winners share hangs on the earlier game whose correction raised it.
		later := laterGames{series: series, book: book}
		return numbers, later.checkKnown(g)
	}
	return numbers, nil
}

// lastStep returns what has become of the prizes of a game for good by a Keno Day, or nil.
//
//rule:casino-keno-div2 9.2
func lastStep(book *rulebook.Book, g *state.Game, today day.Day) *rulebook.Unclaimed {
	steps := book.Unclaimed()
	if len(steps) == 0 {
		return nil
	}
	step := &steps[len(steps)-1]
	if last, err := step.After.Last(g.WonOn()); err == nil && today <= last {
		return nil
	}
	return step
}

// checkClause refuses a clause that the rulebook of a game does not have: what is decided
// comes under a text that players can look up. Of a rulebook of the operator these are the clauses
// that its values name.
func checkClause(book *rulebook.Book, clause string) error {
	if rules.Has(book.ID(), clause) || book.Cites(clause) {
		return nil
	}
	return &refusal.Refusal{Code: ClauseUnknown, Path: "clause", Clause: rulebook.Quoted(book.Draw().OfficialClause),
		Sentence: fmt.Sprintf("%s has no clause %q. Name the one that this comes under.", book.ID(), clause)}
}

// past is a game as it was before it was settled.
type past struct {
	state  *state.State
	series *state.Series
	game   *state.Game
	terms  *settle.Terms
	known  []ball.Sequence // what was taken for its result since
}

func newPast(before *state.State, series uint8, g *state.Game) (*past, error) {
	if before == nil {
		return nil, &refusal.Refusal{Code: PastMissing, Path: "ordinal",
			Sentence: "The journal up to this game has to be read first."}
	}
	then, was, err := gameIn(before, series, g.Ordinal, state.PhaseDrawn)
	if err != nil {
		return nil, err
	}
	terms, err := before.TermsOf(was)
	if err != nil {
		return nil, err
	}
	known, err := g.Results()
	return &past{before, then, was, terms, known}, err
}

// graded is what a game comes to by some numbers, with the jackpots after it and what
// the operator put into them.
type graded struct {
	outcome  *settle.Outcome
	pools    map[uint8]record.Pool // of all sizes
	operator money.Amount
}

// settle finds what the game comes to by some numbers.
func (p *past) settle(numbers ball.Sequence) (*graded, error) {
	outcome, err := outcomeOf(p.state, p.series, p.game, numbers)
	if err != nil {
		return nil, err
	}
	g := &graded{outcome: outcome, pools: map[uint8]record.Pool{}}
	for _, pool := range p.series.Pools() {
		g.pools[pool.Spots] = poolRecord(pool)
	}
	if len(outcome.Won) == 0 {
		return g, nil
	}
	pools, postings, err := winPools(p.terms.Jackpots(), outcome.Won)
	if err != nil {
		return nil, err
	}
	for _, pool := range pools {
		g.pools[pool.Spots] = pool
	}
	for _, posting := range postings {
		if posting.Account == ledger.Operator {
			g.operator -= posting.Cents
		}
	}
	return g, nil
}

// overpaid adds up what tickets were paid beyond what they have won by the right
// numbers, and by what of jackpots was added since. A person who was paid has won by one of the results that were
// taken for right.
func (p *past) overpaid(s *state.State, g *state.Game, is *settle.Outcome, added *settle.Raised) (money.Amount, error) {
	paid := map[record.Place]money.Amount{}
	for _, numbers := range p.known {
		outcome, err := outcomeOf(p.state, p.series, p.game, numbers)
		if err != nil {
			return 0, err
		}
		for ticket := range outcome.All() {
			paid[ticket] = s.Paid(ticket, g.Ordinal)
		}
	}
	for ticket, won := range is.All() {
		if _, known := paid[ticket]; known {
			paid[ticket] = max(paid[ticket]-won, 0)
		}
	}
	for ticket, more := range added.All() {
		if _, known := paid[ticket]; known {
			paid[ticket] = max(paid[ticket]-more, 0)
		}
	}
	var sum money.Amount
	for cents := range maps.Values(paid) {
		var err error
		if sum, err = sum.Add(cents); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// checkUnmoved refuses a correction of what cannot be undone: a prize that ran on was
// staked again, and a promotion that was won is over.
func checkUnmoved(g *state.Game, was, is *settle.Outcome) error {
	switch {
	case was.Prizes != g.Settled.PrizesCents && !g.IsRaised():
		return fmt.Errorf("game: game %v was settled at %v, and comes to %v from its past", g.Ref,
			g.Settled.PrizesCents, was.Prizes)
	case !slices.Equal(slices.Collect(was.Carries()), slices.Collect(is.Carries())):
		return &refusal.Refusal{Code: PrizesRanOn, Path: "numbers",
			Sentence: fmt.Sprintf(
				"Prizes of game %d have run on into games that were played since, and would be others.", g.Ref.Number)}
	case !slices.EqualFunc(was.Offers, is.Offers, sameOffer):
		return &refusal.Refusal{Code: PrizesRanOn, Path: "numbers",
			Sentence: fmt.Sprintf("Promotions that ended with game %d would not have been won as they were.",
				g.Ref.Number)}
	}
	return nil
}

func sameOffer(a, b settle.OfferWon) bool {
	return a.Number == b.Number && a.Amount == b.Amount && a.Stakes == b.Stakes && a.Ways == b.Ways && a.Paid == b.Paid
}

// correct states the correction and the settlement, with the difference that they make.
func correct(s *state.State, later *laterGames, g *state.Game, c Correction, numbers ball.Sequence, was, is *graded,
	overpaid money.Amount) (Corrected, error) {
	series := later.series
	pools, moved, topped, err := correctPools(later, g, was, is)
	if err != nil {
		return Corrected{}, err
	}
	raised, earned, err := later.settle(s)
	if err != nil {
		return Corrected{}, err
	}
	borne, err := borneIn(g)
	if err != nil {
		return Corrected{}, err
	}
	corrected := &record.ResultCorrected{
		Game: g.Ref, Revision: g.Settled.Revision + 1, Reason: c.Reason, Clause: c.Clause, Approval: c.Approval,
		OverpaidCents: overpaid, ToppedCents: topped, Earned: earned, Day: series.Day,
	}
	for _, n := range numbers.Numbers() {
		corrected.Numbers = append(corrected.Numbers, uint8(n))
	}
	settled := settlement(g, is.outcome)
	winners := is.outcome.Encode(settle.Settlement{Series: series.ID, Ordinal: g.Ordinal, Revision: corrected.Revision})
	settled.Revision, settled.Pools, settled.WinnersHash = corrected.Revision, pools, settle.HashWinners(winners)
	lost := overpaid - series.Overpaid(g.Ordinal)
	postings := append(moved,
		ledger.Credit(ledger.Prizes, 0, is.outcome.Prizes-g.Settled.PrizesCents+lost),
		ledger.Credit(ledger.Breakage, 0, is.outcome.Breakage-g.Settled.BreakageCents),
		ledger.Credit(ledger.Operator, 0, is.operator-was.operator),
		ledger.Debit(ledger.Overpaid, 0, lost+topped-borne))
	var rest money.Amount
	for _, p := range postings {
		rest += p.Cents
	}
	postings = append(postings, ledger.Credit(ledger.PrizeFund, 0, rest))
	return Corrected{corrected, Settled{Record: settled, Postings: ledger.Merge(postings...), Winners: winners},
		raised}, nil
}

// correctPools moves the jackpots as they stand by what the right numbers change: one
// that nobody should have won has its money again, and one that somebody should have won
// gives it. Where later games have shared it since, the change goes to their winners first
// (see laterGames). The operator adds what a jackpot then lacks of the value that is
// guaranteed.
//
//rule:casino-keno-div2 5.6
func correctPools(later *laterGames, g *state.Game, was,
	is *graded) (pools []record.Pool, postings []ledger.Posting, topped money.Amount, err error) {
	series := later.series
	for _, now := range series.Pools() {
		old, right := was.pools[now.Spots], is.pools[now.Spots]
		if old == right {
			continue
		}
		if err := later.checkChanged(g); err != nil {
			return nil, nil, 0, err
		}
		by, err := later.move(g, now.Spots, poolChange(old, right))
		if err != nil {
			return nil, nil, 0, err
		}
		after := by.apply(now)
		if lacking := min(resetOf(later.book, now.Spots), now.Primary.Cents()) - after.Primary.Cents(); lacking > 0 {
			topped += lacking
			after.Primary += jackpot.Exact(lacking) * jackpot.Exact(state.ExactPerCent)
		}
		if err := after.Check(); err != nil {
			return nil, nil, 0, later.refuse(SharedAlready, "numbers",
				"The jackpot of %d spots has moved on too far: %v.", now.Spots, err)
		}
		if after == now {
			continue // Winners of later games have all of the change.
		}
		pools = append(pools, poolRecord(after))
		unit := ledger.Pool(series.ID, now.Spots)
		postings = append(postings,
			ledger.Credit(ledger.JackpotPrimary, unit, after.Primary.Cents()-now.Primary.Cents()),
			ledger.Credit(ledger.JackpotSecondary, unit, after.Secondary.Cents()-now.Secondary.Cents()),
			ledger.Credit(ledger.JackpotWaiting, unit, after.Waiting.Cents()-now.Waiting.Cents()),
			ledger.Credit(ledger.JackpotAside, unit, after.Aside.Cents()-now.Aside.Cents()))
	}
	return pools, postings, topped, nil
}

// resetOf returns the value that a rulebook guarantees for a jackpot.
func resetOf(book *rulebook.Book, spots uint8) money.Amount {
	jackpots, _ := book.Jackpots()
	for _, pool := range jackpots.Pools {
		if pool.Spots == int(spots) && pool.Reset != nil {
			return pool.Reset.Amount()
		}
	}
	return 0
}
