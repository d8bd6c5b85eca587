package verify

import (
	"fmt"
	"slices"

	"drawhouse/money"
	"drawhouse/rulebook"
)

// checkLimits holds a ticket to the bounds on money (vic-keno-2015 11(c)-(h)) in
// the order of the rulebook. Bounds over all tickets of a game are not among
// those of the games that this grader knows, and a game is never one of a bonus
// prize pool, for no record says so.
func (r *rules) checkLimits(t *ticketForm, channel rulebook.Channel) error {
	for i := range r.limits {
		l := &r.limits[i]
		if l.Measure == rulebook.MeasureAggregate || l.Pool != nil && *l.Pool ||
			l.Channels != nil && !slices.Contains(l.Channels, channel) {
			continue
		}
		if err := checkLimit(l, t); err != nil {
			return err
		}
	}
	return nil
}

// checkLimit checks one limit: bet by bet, or on the sum over the bets that it
// covers. No amount here is more than the cost of the ticket, which fits.
func checkLimit(l *rulebook.Limit, t *ticketForm) error {
	var sum money.Amount
	for i := range t.bets {
		b := &t.bets[i]
		if !limitCovers(l, b) {
			continue
		}
		amount := measured(l, b, t.games)
		if l.Measure == rulebook.MeasureStake || l.Measure == rulebook.MeasureBetGame {
			if err := bound(l, amount); err != nil {
				return err
			}
			continue
		}
		sum += amount
	}
	return bound(l, sum)
}

// limitCovers reports whether the conditions of a limit hold for a bet.
func limitCovers(l *rulebook.Limit, b *bet) bool {
	// No way that plays for a jackpot is sold, so none is here.
	return (l.Bets == nil || slices.Contains(l.Bets, b.id)) &&
		l.Ways.Has(int(b.ways)) && (l.Jackpot == nil || !*l.Jackpot)
}

// measured returns the amount of a bet that a limit bounds.
func measured(l *rulebook.Limit, b *bet, games uint32) money.Amount {
	main, bonus := int64(1), int64(0)
	if b.bonus > 0 {
		bonus = 1
	}
	switch l.Measure {
	case rulebook.MeasureBetGame, rulebook.MeasureGame:
		main *= int64(b.ways)
		bonus *= int64(b.ways)
	case rulebook.MeasureEntry:
		main = int64(b.ways) * int64(games)
		bonus = int64(b.ways) * int64(b.bonus)
	}
	switch l.Part {
	case rulebook.PartMultiplier:
		main = 0
	case rulebook.PartAll:
	case rulebook.PartLuckyLast:
		main, bonus = 0, 0
	default:
		bonus = 0
	}
	return b.stake * money.Amount(main+bonus)
}

// bound reports an amount that a limit refuses. Nothing staked is not bounded.
func bound(l *rulebook.Limit, amount money.Amount) error {
	switch {
	case amount == 0:
	case l.Min != nil && amount < l.Min.Amount():
		return fmt.Errorf("%s of %v is below the minimum of %v (%s)", l.Measure, amount, l.Min.Amount(), l.Clause)
	case l.Max != nil && amount > l.Max.Amount():
		return fmt.Errorf("%s of %v is above the maximum of %v (%s)", l.Measure, amount, l.Max.Amount(), l.Clause)
	case l.Step != nil && l.Step.Amount() > 0 && amount%l.Step.Amount() != 0:
		return fmt.Errorf("%s of %v is not in steps of %v (%s)", l.Measure, amount, l.Step.Amount(), l.Clause)
	}
	return nil
}
