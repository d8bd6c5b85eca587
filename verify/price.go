package verify

import (
	"errors"
	"fmt"

	"drawhouse/money"
	"drawhouse/rulebook"
)

// judge checks the bets of a ticket against the rulebook and returns what the
// ticket costs over all its games. It sets what grading needs of each bet.
func (r *rules) judge(t *ticketForm, channel rulebook.Channel, method rulebook.Method, c *wayCounter) (money.Amount, error) {
	if t.rulebook != r.book.ID() {
		return 0, fmt.Errorf("its ticket is under rulebook %q and its series under %q", t.rulebook, r.book.ID())
	}
	if t.games > uint32(r.games.Multi.Max) {
		return 0, fmt.Errorf("its ticket runs for %d games, and %d are the most", t.games, r.games.Multi.Max)
	}
	if _, ok := r.entry[entryWay{channel, method}]; !ok {
		return 0, fmt.Errorf("the rulebook knows no entry by %s at a terminal of kind %s", method, channel)
	}
	calls := 0
	for i := range t.bets {
		b := &t.bets[i]
		if err := r.judgeBet(b, t.games, c); err != nil {
			return 0, fmt.Errorf("bet %d: %w", i+1, err)
		}
		if err := r.judgeEntry(b, t.games, channel, method); err != nil {
			return 0, fmt.Errorf("bet %d: %w", i+1, err)
		}
		if b.rules.form == rulebook.FormCalls && b.rules.calls.OnePerGame {
			calls++
		}
	}
	if calls > 1 {
		return 0, errors.New("its ticket makes two calls in one game (9(c))")
	}
	cost, err := t.cost()
	if err != nil {
		return 0, err
	}
	return cost, r.checkLimits(t, channel)
}

func (r *rules) judgeBet(b *bet, games uint32, c *wayCounter) error {
	if b.rules = r.bets[b.id]; b.rules == nil {
		return fmt.Errorf("the rulebook has no bet %q", b.id)
	}
	b.id = b.rules.id // One string for all tickets.
	for _, field := range []int{fieldRun, fieldType, fieldPlaces, fieldLuckyLast} {
		if b.has(field) {
			return fmt.Errorf("%s has a feature (field %d) that this grader does not know, so it vouches for nothing", b.id, field)
		}
	}
	var err error
	switch b.rules.form {
	case rulebook.FormNumbers:
		err = b.judgeNumbers(c, r.of)
	case rulebook.FormCalls:
		err = b.judgeCalls(games)
	default:
		err = fmt.Errorf("bets of form %s are not known to this grader, so it vouches for nothing", b.rules.form)
	}
	if err != nil {
		return err
	}
	return b.judgeBonus(games)
}

// judgeNumbers checks a bet on numbers (vic-keno-2015 2(a).keno-classic,
// 2(a).combination, 2(a).combination-bet) and counts its ways.
func (b *bet) judgeNumbers(c *wayCounter, of int) error {
	switch {
	case b.calls != nil || b.has(fieldSpots) == b.has(fieldGroups):
		return errors.New("a bet on numbers has spots or groups, one of the two")
	case b.has(fieldGroups):
		if err := b.checkPlay(c, of); err != nil {
			return err
		}
	default:
		if b.totals != nil || b.marks != nil || b.has(fieldPlayAll) {
			return errors.New("ways are named without groups")
		}
		if err := checkNumbers("spots", b.spots, of); err != nil {
			return err
		}
		if !b.rules.sizes.Has(len(b.spots)) {
			return fmt.Errorf("%d spots are not sold", len(b.spots))
		}
		b.ways = 1
	}
	for _, w := range c.count(b, nil) {
		if b.rules.jackpot.Has(w.spots) {
			return fmt.Errorf("a way of %d spots plays for a jackpot, and no record keeps one", w.spots)
		}
	}
	return nil
}

// judgeCalls checks a bet on heads, tails or evens: one call for every game, or a
// series with a call for each (vic-keno-2015 2(a).heads-or-tails, 2(a).prepick).
func (b *bet) judgeCalls(games uint32) error {
	switch {
	case b.spots != nil || b.groups != nil || b.totals != nil || b.marks != nil || b.has(fieldPlayAll):
		return errors.New("a bet on calls has no numbers")
	case len(b.calls) == 0:
		return errors.New("it makes no call")
	case len(b.calls) > 1 && (len(b.calls) != int(games) || len(b.calls) > b.rules.calls.SeriesMax):
		return fmt.Errorf("%d calls for %d games", len(b.calls), games)
	}
	for _, call := range b.calls {
		if int(call) >= len(callNames) || callNames[call] == "" {
			return fmt.Errorf("call %d is not heads, tails or evens", call)
		}
	}
	b.ways = 1
	return nil
}

// judgeBonus checks the multiplier: a stake equal to the bet's, for all games or
// for the first ones (vic-keno-2015 11(j), 11(k)).
func (b *bet) judgeBonus(games uint32) error {
	if !b.has(fieldMultiplier) {
		return nil
	}
	stake, first := money.Amount(b.side[0]), uint32(b.side[1])
	feature := b.rules.bonus
	switch {
	case feature == nil || feature.RunOnly(b.id):
		return fmt.Errorf("%s may not be played with the multiplier", b.id)
	case b.groups != nil && !feature.Ways():
		return errors.New("the multiplier does not go with ways")
	case stake != 0 && stake != b.stake:
		return fmt.Errorf("the multiplier has a stake of %v beside %v", stake, b.stake)
	case first > games || first != 0 && first < games && !feature.FirstGames():
		return fmt.Errorf("the multiplier covers %d games of %d", first, games)
	}
	if sizes, bound := feature.Sizes(); bound && !sizes.Has(len(b.spots)) {
		return fmt.Errorf("the multiplier does not go with this number of spots")
	}
	b.bonus = first
	if first == 0 {
		b.bonus = games
	}
	return nil
}

// cost is the price over all games: a stake on each way in each game, and again
// in each game with the multiplier.
func (t *ticketForm) cost() (money.Amount, error) {
	var sum money.Amount
	for i := range t.bets {
		b := &t.bets[i]
		cost, err := b.stake.Mul(int64(b.ways) * (int64(t.games) + int64(b.bonus)))
		if err == nil {
			sum, err = sum.Add(cost)
		}
		if err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// ways counts the ways of all bets in one game.
func (t *ticketForm) ways() uint64 {
	sum := uint64(0)
	for i := range t.bets {
		sum += t.bets[i].ways
	}
	return sum
}

// inGame returns the ways that a bet has in a game of its ticket, counted from 0,
// and their stakes, the multiplier's included.
func (b *bet) inGame(game uint32) (ways uint64, stakes money.Amount) {
	stakes = b.stake * money.Amount(b.ways)
	if game < b.bonus {
		stakes *= 2
	}
	return b.ways, stakes
}
