package game

import (
	"cmp"
	"fmt"
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

// The codes with which a promotion is refused.
const (
	NoPromotions     refusal.Code = "no_promotions"        // the rulebook offers no such prizes
	PromotionUnknown refusal.Code = "promotion_unknown"    // there is none, or it is over
	BetOutside       refusal.Code = "bet_outside"          // the bet does not qualify
	PoolTooSmall     refusal.Code = "pool_too_small"       // the bonus prize pool has less
	ConditionInvalid refusal.Code = "condition_invalid"    // nothing can ever meet it
	ItemUnknown      refusal.Code = "item_unknown"         // the catalogue has no such ready ticket
	FundTooSmall     refusal.Code = "prize_fund_too_small" // the prize fund has less
	ChangeUnclear    refusal.Code = "change_unclear"       // it is to be paused and ended at once
	PoolEmpty        refusal.Code = "pool_empty"           // the pool has nothing to move
	NotReconciled    refusal.Code = "not_reconciled"       // pools and accounts do not agree
	OfferedStill     refusal.Code = "offered_still"        // a bonus game of the series is not over
)

// BeginPromotion offers a prize beyond the schedules. Its money is set aside at
// once, from the prize fund or from the bonus prize pool as the rulebook says that the games are played by now. Its
// conditions are met in games from b.From on, and are those of the rulebook of that game.
//
//rule:vic-keno-2015 16(a) 20(e)
//rule:tas-keno-2023 11.4 17.2 17.3
func BeginPromotion(s *state.State, b record.PromotionBegun) (*record.PromotionBegun, []ledger.Posting, error) {
	series, err := seriesOf(s, b.Series)
	if err != nil {
		return nil, nil, err
	}
	policy, ok := series.Book.Promotions()
	if !ok || !policy.FromFund && !policy.BonusPool {
		return nil, nil, &refusal.Refusal{Code: NoPromotions,
			Sentence: fmt.Sprintf("%s offers no prizes beyond its schedules.", series.Book.ID())}
	}
	if b.Approval == "" {
		return nil, nil, &refusal.Refusal{Code: ApprovalMissing, Path: "approval", Clause: approvalClause(policy),
			Sentence: fmt.Sprintf("A promotion needs the reference of %s.", approvalBy(policy))}
	}
	if err := checkAhead(series, b.From); err != nil {
		return nil, nil, err
	}
	book, _ := s.Terms(series, b.From)
	offers, ok := book.Promotions()
	if !ok || !offers.FromFund && !offers.BonusPool {
		return nil, nil, &refusal.Refusal{Code: NoPromotions, Path: "from",
			Sentence: fmt.Sprintf("Game %d is played by %s, which offers no prizes beyond its schedules.", b.From, book.ID())}
	}
	if err := checkCondition(book, offers, &b); err != nil {
		return nil, nil, err
	}
	b.Number = uint32(len(series.Promotions())) + 1
	b.Pool = policy.BonusPool
	from, has := ledger.PrizeFund, -s.Balances().Of(ledger.PrizeFund)
	if b.Pool {
		if err := checkBetween(s, b.Series, "money of the bonus prize pool is set aside"); err != nil {
			return nil, nil, err
		}
		from, has = ledger.BonusPool, series.BonusPool().Cents() // The account is that of all series.
	}
	if has < b.AmountCents {
		code := FundTooSmall
		if b.Pool {
			code = PoolTooSmall
		}
		return nil, nil, &refusal.Refusal{Code: code, Path: "amount", Clause: policy.Quoted(),
			Sentence: fmt.Sprintf("There is %v to offer, not %v.", has, b.AmountCents)}
	}
	return &b, []ledger.Posting{ledger.Debit(from, 0, b.AmountCents),
		ledger.Credit(ledger.Promotions, b.Number, b.AmountCents)}, nil
}

// approvalBy says in words whose approval a promotion takes.
//
//rule:tas-keno-2023 17.3
func approvalBy(policy rulebook.Promotions) string {
	if policy.ChangeNeeds == "" {
		return "its approval"
	}
	return "its approval by the " + policy.ChangeNeeds
}

// approvalClause returns the clause that asks for the approval of a promotion.
//
//rule:tas-keno-2023 17.3
func approvalClause(policy rulebook.Promotions) string {
	return cmp.Or(rulebook.Quoted(policy.ChangeNeedsClause), policy.Quoted())
}

// checkCondition refuses conditions that nothing can meet, and bets that do not
// qualify.
//
//rule:tas-keno-2023 17.2 5.11
func checkCondition(book *rulebook.Book, policy rulebook.Promotions, b *record.PromotionBegun) error {
	if b.Item != "" {
		if !policy.SetBetRandom {
			return &refusal.Refusal{Code: NoPromotions, Path: "item", Clause: policy.Quoted(),
				Sentence: "Ready tickets get no prizes at random."}
		}
		item, ok := book.Item(b.Item)
		if !ok {
			return &refusal.Refusal{Code: ItemUnknown, Path: "item",
				Sentence: fmt.Sprintf("The catalogue has no ready ticket %q.", b.Item)}
		}
		if !item.BonusPrize {
			return &refusal.Refusal{Code: BetOutside, Path: "item", Clause: item.Quoted(),
				Sentence: fmt.Sprintf("%s takes no part in bonus prizes.", item.Name)}
		}
		return nil
	}
	bet, ok := book.Bet(b.Bet)
	if !ok || bet.Form() != rulebook.FormNumbers {
		return &refusal.Refusal{Code: ConditionInvalid, Path: "bet",
			Sentence: fmt.Sprintf("There is no bet on numbers called %q.", b.Bet)}
	}
	if slices.Contains(policy.PoolExcludes, b.Bet) {
		return &refusal.Refusal{Code: BetOutside, Path: "bet", Clause: policy.Quoted(),
			Sentence: fmt.Sprintf("%s does not qualify for bonus prizes.", bet.Name())}
	}
	if _, draw := book.Numbers(); int(b.Matched) > min(int(b.Spots), draw) || !bet.Sizes().Has(int(b.Spots)) {
		return &refusal.Refusal{Code: ConditionInvalid, Path: "matched",
			Sentence: fmt.Sprintf("No way of %s matches %d of %d.", bet.Name(), b.Matched, b.Spots)}
	}
	return nil
}

// ChangePromotion pauses a promotion, lets it go on, or ends it and gives its money
// back. What accrues for others goes on meanwhile.
//
//rule:tas-keno-2023 17.3 17.4(b)
func ChangePromotion(s *state.State, c record.PromotionChanged) (*record.PromotionChanged, []ledger.Posting, error) {
	series, err := seriesOf(s, c.Series)
	if err != nil {
		return nil, nil, err
	}
	policy, _ := series.Book.Promotions()
	p, ok := series.Promotion(c.Number)
	if !ok || p.Over {
		return nil, nil, &refusal.Refusal{Code: PromotionUnknown, Path: "promotion",
			Sentence: fmt.Sprintf("Promotion %d is over, or there is none.", c.Number)}
	}
	if c.Approval == "" {
		return nil, nil, &refusal.Refusal{Code: ApprovalMissing, Path: "approval", Clause: approvalClause(policy),
			Sentence: fmt.Sprintf("A change of a promotion needs the reference of %s.", approvalBy(policy))}
	}
	if c.Paused && c.Ended {
		return nil, nil, &refusal.Refusal{Code: ChangeUnclear, Path: "paused", Clause: policy.Quoted(),
			Sentence: fmt.Sprintf("Promotion %d is paused or it is ended, not both.", c.Number)}
	}
	if !c.Ended {
		return &c, nil, nil
	}
	left := p.Remaining()
	return &c, ledger.Merge(ledger.Debit(ledger.Promotions, p.Number, left), ledger.Credit(sourceOf(p), 0, left)), nil
}

// MigrateBonus brings what the bonus prize pool of a series that ends holds to that of its
// successor, once the pools were found to be what the account says. Bonus games of the
// series that ends are over by then: what they had is in its pool again.
//
//rule:tas-keno-2023 17.4(c)
func MigrateBonus(s *state.State, from, into uint8, reference string) (*record.BonusMoved, []ledger.Posting, error) {
	old, err := seriesOf(s, from)
	if err != nil {
		return nil, nil, err
	}
	current, err := seriesOf(s, into)
	if err != nil {
		return nil, nil, err
	}
	policy, ok := current.Book.Promotions()
	if !ok || !policy.Moves {
		return nil, nil, &refusal.Refusal{Code: NoPromotions, Path: "from",
			Sentence: fmt.Sprintf("%s takes no bonus prize pool of another system.", current.Book.ID())}
	}
	if err := checkBonusMove(s, old, current, rulebook.Quoted(policy.MovesClause), reference); err != nil {
		return nil, nil, err
	}
	moved := &record.BonusMoved{Series: into, From: from, Amount: record.Exact(old.BonusPool()), Approval: reference}
	// Of two fractions of a cent in the prize fund one cent may become whole.
	_, risen := jackpot.Join(old.BonusPool(), current.BonusPool())
	return moved, ledger.Merge(moveFromFund(risen)...), nil
}

// checkBonusMove refuses a move that is not approved, that has nothing to move, or whose
// pools are not reconciled.
//
//rule:tas-keno-2023 17.4(c)
func checkBonusMove(s *state.State, old, current *state.Series, clause, reference string) error {
	if reference == "" {
		return &refusal.Refusal{Code: ApprovalMissing, Path: "approval", Clause: clause,
			Sentence: "The bonus prize pool moves with the reference of an approval."}
	}
	if err := checkMove(old, current, clause); err != nil {
		return err
	}
	for _, id := range []uint8{old.ID, current.ID} {
		if err := checkBetween(s, id, "money of the bonus prize pool is moved"); err != nil {
			return err
		}
	}
	for _, p := range old.Promotions() {
		if p.Pool && !p.Over {
			return &refusal.Refusal{Code: OfferedStill, Path: "from", Clause: clause,
				Sentence: fmt.Sprintf("Promotion %d of the series that ends is not over; end it first.", p.Number)}
		}
	}
	if old.BonusPool() <= 0 {
		return &refusal.Refusal{Code: PoolEmpty, Path: "from", Clause: clause,
			Sentence: "The bonus prize pool of that series is empty."}
	}
	var pools money.Amount
	for series := range s.AllSeries() {
		pools += series.BonusPool().Cents()
	}
	if account := -s.Balances().Of(ledger.BonusPool); account != pools {
		return &refusal.Refusal{Code: NotReconciled, Path: "from", Clause: clause,
			Sentence: fmt.Sprintf("The bonus prize pools hold %v, and their account %v.", pools, account)}
	}
	return nil
}

// sourceOf returns the account that the money of a promotion came from.
func sourceOf(p *state.Promotion) ledger.Account {
	if p.Pool {
		return ledger.BonusPool
	}
	return ledger.PrizeFund
}

// offersIn returns the promotions that can be won in a game.
func offersIn(book *rulebook.Book, series *state.Series, ordinal uint32) []settle.Offer {
	var offers []settle.Offer
	policy, _ := book.Promotions()
	for _, p := range series.Promotions() {
		if p.Item == "" && p.On(ordinal) {
			offers = append(offers, state.OfferOf(&p.PromotionBegun, policy.Clause))
		}
	}
	return offers
}

// offerPostings pays promotions that were won from what was set aside for them, and
// gives what rounding left back to where it came from.
func offerPostings(series *state.Series, outcome *settle.Outcome) []ledger.Posting {
	var postings []ledger.Posting
	for _, o := range outcome.Offers {
		p, _ := series.Promotion(o.Number)
		postings = append(postings, ledger.Debit(ledger.Promotions, o.Number, o.Amount),
			ledger.Credit(sourceOf(p), 0, o.Amount-o.Paid))
	}
	return postings
}

// bonusShare returns what the stakes of a game add to the bonus prize pool: a part
// of those on bets and features that are not outside of it.
//
//rule:tas-keno-2023 17.1(b) 17.2 17.4(b)
func bonusShare(book *rulebook.Book, series *state.Series, ordinal uint32,
	totals settle.Totals) (jackpot.Exact, error) {
	policy, _ := book.Promotions()
	fund := book.PrizeFund()
	if !policy.BonusPool || fund.Bonus == 0 {
		return 0, nil
	}
	counts := func(name string) bool { return !slices.Contains(policy.PoolExcludes, name) }
	// Keno Xtra feeds the pool although it cannot win from it; Lucky Last does neither.
	stakes := series.Open.StakesOn(ordinal, counts) + totals.Multiplier
	if counts("lucky_last") {
		stakes += totals.LuckyLast
	}
	if _, err := jackpot.ExactOf(stakes); err != nil {
		return 0, err
	}
	return jackpot.Exact(stakes) * jackpot.Exact(fund.Bonus), nil
}

// bonusPostings books what was added to the bonus prize pool. As with jackpots, the
// fractions of a cent are in the prize fund until they make a whole one.
func bonusPostings(series *state.Series, added jackpot.Exact) []ledger.Posting {
	before := series.BonusPool()
	cents := (before + added).Cents() - before.Cents()
	return moveFromFund(cents)
}

func moveFromFund(cents money.Amount) []ledger.Posting {
	return []ledger.Posting{ledger.Debit(ledger.PrizeFund, 0, cents), ledger.Credit(ledger.BonusPool, 0, cents)}
}
