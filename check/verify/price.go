package verify

import (
	"errors"
	"fmt"
	"slices"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// An entry is how a ticket came to be sold.
type entry struct {
	channel rulebook.Channel
	method  rulebook.Method
	runner  bool
	pool    bool   // a game of it is one of a bonus prize pool
	listed  string // the id of its venue in catalogues; empty for none
}

// judge checks the bets of a ticket against the rulebook and returns what the
// ticket costs over all its games. It sets what grading needs of each bet.
func (t *terms) judge(form *ticketForm, e entry, c *wayCounter) (money.Amount, error) {
	r := t.rules
	if form.rulebook != r.book.ID() {
		return 0, fmt.Errorf("its ticket is under rulebook %q and its first game under %q", form.rulebook, r.book.ID())
	}
	if form.games > uint32(r.games.Multi.Max) {
		return 0, fmt.Errorf("its ticket runs for %d games, and %d are the most", form.games, r.games.Multi.Max)
	}
	if _, ok := r.entry[entryWay{e.channel, e.method}]; !ok {
		return 0, fmt.Errorf("the rulebook knows no entry by %s at a terminal of kind %s", e.method, e.channel)
	}
	calls := 0
	for i := range form.bets {
		b := &form.bets[i]
		if err := t.judgeBet(b, form.games, c); err != nil {
			return 0, fmt.Errorf("bet %d: %w", i+1, err)
		}
		if err := r.judgeEntry(b, form.games, e); err != nil {
			return 0, fmt.Errorf("bet %d: %w", i+1, err)
		}
		if b.rules.form == rulebook.FormCalls && b.rules.calls.OnePerGame {
			calls++
		}
	}
	if calls > 1 {
		return 0, errors.New("its ticket makes two calls in one game (9(c))")
	}
	if err := judgePicks(form.bets, e.channel); err != nil {
		return 0, err
	}
	cost, err := form.cost()
	if err != nil {
		return 0, err
	}
	return cost, r.checkLimits(form, e)
}

func (t *terms) judgeBet(b *bet, games uint32, c *wayCounter) error {
	if b.rules = t.rules.bets[b.id]; b.rules == nil {
		return fmt.Errorf("the rulebook has no bet %q", b.id)
	}
	b.id = b.rules.id // One string for all tickets.
	var err error
	switch b.rules.form {
	case rulebook.FormNumbers:
		err = b.judgeNumbers(c, t)
	case rulebook.FormCalls:
		err = b.judgeCalls(games)
	case rulebook.FormRace:
		err = b.judgeRace()
	default:
		err = fmt.Errorf("bets of form %s are not known to this grader, so it vouches for nothing", b.rules.form)
	}
	if err != nil {
		return err
	}
	if err := b.judgeBonus(games, c); err != nil {
		return err
	}
	return b.judgeLucky(games)
}

// only reports a field that the form of a bet has no use for.
func (b *bet) only(what string, fields ...int) error {
	allowed := uint32(1<<fieldBet | 1<<fieldStake | 1<<fieldMultiplier | 1<<fieldLuckyLast | 1<<fieldPicked | 1<<fieldItem)
	for _, field := range fields {
		allowed |= 1 << field
	}
	if b.fields&^allowed != 0 {
		return fmt.Errorf("%s has fields of another form of bet", what)
	}
	return nil
}

// judgeNumbers checks a bet on numbers (vic-keno-2015 2(a).keno-classic,
// 2(a).combination, 2(a).combination-bet; tas-keno-2023 1.78; casino-keno-div2
// 3.8C) and counts its ways.
func (b *bet) judgeNumbers(c *wayCounter, t *terms) error {
	of := t.rules.of
	if err := b.only("a bet on numbers", fieldSpots, fieldGroups, fieldPlayAll, fieldPlaySpots, fieldPlayGroups,
		fieldPlayWays); err != nil {
		return err
	}
	switch {
	case b.has(fieldSpots) == b.has(fieldGroups):
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
	table := t.catches[b.rules.index]
	for _, w := range c.count(b, nil) {
		b.jackpot = b.jackpot || b.rules.jackpot.Has(w.spots)
		if b.groups != nil && b.rules.ways.RefuseHopeless && (table == nil || !table.Spots().Has(w.spots)) {
			return fmt.Errorf("a way of %d spots cannot win (%s)", w.spots, b.rules.ways.Clause)
		}
	}
	return nil
}

// judgeCalls checks a bet on heads, tails or evens: one call for every game, or a
// series with a call for each (vic-keno-2015 2(a).heads-or-tails, 2(a).prepick).
// A prize that runs on is a form of such a series and no longer than one
// (2(a).let-it-run).
func (b *bet) judgeCalls(games uint32) error {
	if err := b.only("a bet on calls", fieldCalls, fieldRun); err != nil {
		return err
	}
	series := b.rules.calls.SeriesMax
	switch {
	case len(b.calls) == 0:
		return errors.New("it makes no call")
	case len(b.calls) > 1 && (len(b.calls) != int(games) || len(b.calls) > series):
		return fmt.Errorf("%d calls for %d games", len(b.calls), games)
	case b.has(fieldRun) && !b.rules.calls.Run:
		return fmt.Errorf("the prize of %s may not run on", b.id)
	case b.has(fieldRun) && int(games) > series:
		return fmt.Errorf("a prize runs on for %d games, and %d are the most", games, series)
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
// for the first ones (vic-keno-2015 11(i)-(k), tas-keno-2023 1.37, 21.4(d), (e)).
func (b *bet) judgeBonus(games uint32, c *wayCounter) error {
	if !b.has(fieldMultiplier) {
		return nil
	}
	stake, first := money.Amount(b.side[0]), uint32(b.side[1])
	feature := b.rules.bonus
	switch {
	case feature == nil || feature.RunOnly(b.id) && !b.has(fieldRun):
		return fmt.Errorf("%s may not be played with the multiplier", b.id)
	case b.groups != nil && !feature.Ways():
		return errors.New("the multiplier does not go with ways")
	case stake != 0 && stake != b.stake:
		return fmt.Errorf("the multiplier has a stake of %v beside %v", stake, b.stake)
	case first > games || first != 0 && first < games && !feature.FirstGames():
		return fmt.Errorf("the multiplier covers %d games of %d", first, games)
	}
	if sizes, bound := feature.Sizes(); bound {
		for _, w := range c.count(b, nil) {
			if !sizes.Has(w.spots) {
				return fmt.Errorf("the multiplier does not go with %d spots (%s)", w.spots, feature.Clause())
			}
		}
	}
	b.bonus = first
	if first == 0 {
		b.bonus = games
	}
	return nil
}

// judgeLucky checks the stake on the last number, in all games (tas-keno-2023
// 21.1, reading lucky-last-bets).
func (b *bet) judgeLucky(games uint32) error {
	if !b.has(fieldLuckyLast) {
		return nil
	}
	stake, first := money.Amount(b.last[0]), uint32(b.last[1])
	feature := b.rules.lucky
	switch {
	case feature == nil:
		return fmt.Errorf("%s may not be played with the last number", b.id)
	case b.groups != nil && !feature.Ways():
		return errors.New("the last number does not go with ways")
	case feature.EqualStake() && stake != 0 && stake != b.stake:
		return fmt.Errorf("the last number has a stake of %v beside %v", stake, b.stake)
	case first != 0 && first != games:
		return fmt.Errorf("the last number covers %d games of %d", first, games)
	}
	if sizes, bound := feature.Sizes(); bound && !sizes.Has(len(b.spots)) {
		return fmt.Errorf("the last number does not go with %d spots", len(b.spots))
	}
	b.lucky = stake
	if stake == 0 {
		b.lucky = b.stake
	}
	return nil
}

// judgePicks checks what was picked for the player: that the bet may be picked so,
// there, and that a ticket has several picks of one bet only where the rulebook
// has a word for it (vic-keno-2015 2(a).multipik; readings one-quick-pick-of-a-bet,
// one-quickkeno-of-an-entry). A ready ticket is held against the catalogue instead.
func judgePicks(bets []bet, channel rulebook.Channel) error {
	for i := range bets {
		b := &bets[i]
		if !b.has(fieldPicked) || b.has(fieldItem) {
			continue
		}
		picks := b.rules.picks
		switch {
		case picks == nil, b.picked == pickedQuick && picks.Quick == "", b.picked == pickedMystery &&
			picks.Mystery == "":
			return fmt.Errorf("bet %d: %s is not picked in this manner", i+1, b.id)
		case b.picked == pickedMystery && picks.MysteryChannels != nil &&
			!slices.Contains(picks.MysteryChannels, channel):
			return fmt.Errorf("bet %d: %s is not picked in this manner at a terminal of kind %s", i+1, b.id, channel)
		case b.picked == pickedMystery && b.spots != nil && !picks.MysterySizes.Has(len(b.spots)):
			return fmt.Errorf("bet %d: %d spots are not picked in this manner", i+1, len(b.spots))
		}
		for k := range i {
			if other := &bets[k]; !picks.Several && other.has(fieldPicked) && !other.has(fieldItem) &&
				other.rules == b.rules {
				return fmt.Errorf("bets %d and %d are both picked (%s)", k+1, i+1, picks.Clause)
			}
		}
	}
	return nil
}

// cost is the price over all games: a stake on each way in each game, again in
// each game with the multiplier, and the stake on the last number. Of a prize that
// runs on only the first game is paid for.
func (t *ticketForm) cost() (money.Amount, error) {
	var sum money.Amount
	for i := range t.bets {
		b := &t.bets[i]
		games, bonus := int64(t.games), int64(b.bonus)
		if b.has(fieldRun) {
			games, bonus = 1, min(bonus, 1)
		}
		cost, err := b.stake.Mul(int64(b.ways) * (games + bonus))
		if err == nil {
			sum, err = sum.Add(cost)
		}
		if err == nil {
			cost, err = b.lucky.Mul(games)
		}
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
