package verify

import (
	"fmt"
	"slices"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// checkLimits holds a ticket to the bounds on money (vic-keno-2015 11(c)-(h),
// tas-keno-2023 12.2, 21.1-21.3, casino-keno-div2 4.2, 5.4) in the order of the
// rulebook. Bounds over all tickets of a game are checkAggregate's.
func (r *rules) checkLimits(t *ticketForm, e entry) error {
	for i := range r.limits {
		l := &r.limits[i]
		if l.Measure == rulebook.MeasureAggregate || l.Pool != nil && *l.Pool != e.pool ||
			l.Channels != nil && !slices.Contains(l.Channels, e.channel) {
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

// limitCovers reports whether the conditions of a limit hold for a bet. A mystery
// pick of a bet with jackpots is bound as if it were for one and as if it were for
// none, whatever was picked (reading mystery-and-jackpot-limits).
func limitCovers(l *rulebook.Limit, b *bet) bool {
	either := b.picked == pickedMystery && b.rules.jackpot.Len() > 0
	return (l.Bets == nil || slices.Contains(l.Bets, b.id)) &&
		l.Ways.Has(int(b.ways)) && (l.Jackpot == nil || either || *l.Jackpot == b.jackpot)
}

// measured returns the amount of a bet that a limit bounds. A prize that runs on
// is staked by nobody, so that only its first game counts (vic-keno-2015 11(g)).
func measured(l *rulebook.Limit, b *bet, games uint32) money.Amount {
	ways, entries, bonuses := int64(1), int64(1), int64(min(b.bonus, 1))
	switch l.Measure {
	case rulebook.MeasureBetGame, rulebook.MeasureGame:
		ways = int64(b.ways)
	case rulebook.MeasureEntry:
		ways = int64(b.ways)
		if !b.has(fieldRun) {
			entries, bonuses = int64(games), int64(b.bonus)
		}
	}
	main, bonus := b.stake*money.Amount(ways*entries), b.stake*money.Amount(ways*bonuses)
	lucky := b.lucky * money.Amount(entries)
	switch l.Part {
	case rulebook.PartMultiplier:
		return bonus
	case rulebook.PartLuckyLast:
		return lucky
	case rulebook.PartAll:
		return main + bonus + lucky
	}
	return main
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

// calledIn is what all tickets together have staked on each call in a game.
type calledIn [len(callNames)]money.Amount

// An exposure is a stake on a call in one game that a limit over all tickets
// bounds.
type exposure struct {
	limit   *rulebook.Limit
	bet     string
	ordinal uint32
	call    byte
	cents   money.Amount
}

// exposures lists what a ticket stakes on calls that the rulebook bounds over all
// tickets, in its games from an ordinal on (tas-keno-2023 21.2(c), reading
// heads-or-tails-limit). What a prize that runs on will be is not known, so that
// only its first game is counted.
func (t *ticket) exposures(from uint32) []exposure {
	var list []exposure
	for i := range t.bets {
		b := &t.bets[i]
		if len(b.calls) == 0 {
			continue
		}
		for ordinal := max(from, t.first); ordinal <= t.last; ordinal++ {
			game := ordinal - t.first
			if b.has(fieldRun) && game > 0 {
				break
			}
			if limit := b.rules.rules.aggregate(b.id, callNames[b.call(game)]); limit != nil {
				list = append(list, exposure{limit, b.id, ordinal, b.call(game), b.stake})
			}
		}
	}
	return list
}

// aggregate returns the bound on a call of a bet over all tickets, or nil.
func (r *rules) aggregate(bet, call string) *rulebook.Limit {
	for i := range r.limits {
		l := &r.limits[i]
		if l.Measure == rulebook.MeasureAggregate && l.Max != nil && (l.Bets == nil || slices.Contains(l.Bets, bet)) &&
			(l.Outcomes == nil || slices.Contains(l.Outcomes, call)) {
			return l
		}
	}
	return nil
}

// checkAggregate adds a ticket that is sold to what all tickets have staked on its
// calls, in every game that it covers, and reports a bound that it passes.
func (s *series) checkAggregate(t *ticket) error {
	for _, e := range t.exposures(t.first) {
		game := s.called[e.ordinal]
		if game == nil {
			game = new(calledIn)
			s.called[e.ordinal] = game
		}
		if game[e.call] += e.cents; game[e.call] > e.limit.Max.Amount() {
			return fmt.Errorf("all tickets together stake %v on %s in game %d of the series, and %v is the most (%s)",
				game[e.call], callNames[e.call], e.ordinal, e.limit.Max.Amount(), e.limit.Clause)
		}
	}
	return nil
}
