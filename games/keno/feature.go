package keno

import (
	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// namedSide is a feature of a bet with the name that the rulebook has for it.
type namedSide struct {
	Side
	id rulebook.FeatureID
}

// sides returns the features in the order of the form.
func (f Features) sides() [2]namedSide {
	return [2]namedSide{{f.Multiplier, rulebook.FeatureMultiplier}, {f.LuckyLast, rulebook.FeatureLuckyLast}}
}

// stake returns the stake of s on each way of b.
func (s Side) stake(b *Bet) money.Amount {
	if s.Stake != 0 {
		return s.Stake
	}
	return b.Stake
}

// games returns how many games of a ticket s covers.
func (s Side) games(ticket int) int {
	if s.Games != 0 {
		return s.Games
	}
	return ticket
}

// checkFeatures refuses a feature that does not go with the bet.
//
//rule:vic-keno-2015 2(a).keno-bonus 11(i)(i) 11(j) 11(k)
//rule:tas-keno-2023 1.37 21.1(a)(ii) 21.4(d) 21.4(e)
func (s *sale) checkFeatures(b *part) *Refusal {
	var first *Refusal
	for _, side := range b.With.sides() {
		if !side.On {
			continue
		}
		r := s.checkFeature(b, side).Below("with." + string(side.id))
		if r != nil && (first == nil || before(r.Code, first.Code)) {
			first = r
		}
	}
	return first
}

func (s *sale) checkFeature(b *part, side namedSide) *Refusal {
	f, ok := s.book.Feature(side.id)
	if !ok {
		return refuse(FeatureNotSold, b.offer.Clause(), "", "There is no such feature here.")
	}
	sizes, bound := f.Sizes()
	switch {
	case !f.Allows(b.Bet.Bet):
		return refuse(FeatureNotWithBet, f.Clause(), "", "%s does not go with %s.", f.Name(), b.offer.Name())
	case f.RunOnly(b.Bet.Bet) && !b.Run:
		return refuse(FeatureOnlyRun, f.RunOnlyClause(), "",
			"%s goes with %s only when the prize becomes the next stake.", f.Name(), b.offer.Name())
	case b.Shape() == ShapeGroups && !f.Ways():
		return refuse(FeatureNotWays, f.Clause(), "", "%s does not go with a way bet.", f.Name())
	case bound && b.sizes.IsValid() && !sizes.Contains(b.sizes):
		return refuse(FeatureSize, f.SizesClause(), "",
			"%s goes with %s spots only, and the bet has %s.", f.Name(), listed(sizes), listed(b.sizes))
	case f.EqualStake() && side.stake(b.Bet) != b.Stake:
		return refuse(FeatureStake, f.EqualStakeClause(), "stake_cents",
			"The stake of %s is that of its bet, %v.", f.Name(), b.Stake)
	case side.Games > s.ticket.Games:
		return refuse(FeatureGames, f.FirstGamesClause(), "games", "%s is for %s of a ticket of %s.", f.Name(),
			figure.Count(side.Games, "game"), figure.Count(s.ticket.Games, "game"))
	case side.games(s.ticket.Games) < s.ticket.Games && !f.FirstGames():
		return refuse(FeatureGames, f.FirstGamesClause(), "games", "%s is for every game of the ticket.", f.Name())
	}
	return nil
}
