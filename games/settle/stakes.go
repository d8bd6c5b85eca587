package settle

import (
	"drawhouse/core/money"
	"drawhouse/games/jackpot"
)

// SpotStakes is what is staked in a game on ways that play for the jackpot of one
// size, without features.
type SpotStakes struct {
	Spots  uint8
	Stakes money.Amount
}

// stakeTurns are how the stakes on the ways of one row change from game to game: the
// first is what is in the game after the last that is dropped, the others are
// differences.
type stakeTurns []money.Amount

// add adds to the games from one on, counted from 0.
func (s *stakeTurns) add(game int, stake money.Amount) {
	for len(*s) <= game {
		*s = append(*s, 0)
	}
	(*s)[game] += stake
}

// forget forgets the first game.
func (s *stakeTurns) forget() {
	if len(*s) < 2 {
		*s = nil
		return
	}
	(*s)[1] += (*s)[0]
	*s = (*s)[1:]
}

// enterStake puts a stake on a way of a row into the games from one to another,
// both included.
func (o *Open) enterStake(row int, first, last uint32, stake money.Amount) {
	for len(o.stakes) <= row {
		o.stakes = append(o.stakes, nil)
	}
	o.stakes[row].add(int(first-o.dropped)-1, stake)
	o.stakes[row].add(int(last-o.dropped), -stake)
}

// JackpotStakes returns what is staked in a game on the ways that play for each
// jackpot of some terms, ascending by size; a jackpot for which nobody plays is among
// them. It is what the pools get their part of when the game closes. Open has it
// added up at all times, so that a close does not wait for it. Nothing is in a game
// that is dropped.
//
//rule:vic-keno-2015 15(a)
//rule:tas-keno-2023 7.4(a) 7.4(b)
//rule:casino-keno-div2 5.7
func (o *Open) JackpotStakes(ordinal uint32, terms *jackpot.Terms) []SpotStakes {
	if terms == nil {
		return nil
	}
	var all []SpotStakes
	for _, spots := range terms.Spots() {
		s := SpotStakes{Spots: uint8(spots)}
		for i := range o.stakes {
			if r := &o.rows[i]; ordinal > o.dropped && r.size == spots && r.form == formNumbers &&
				terms.Enters(r.bet, spots) {
				for _, stake := range o.stakes[i][:min(int(ordinal-o.dropped), len(o.stakes[i]))] {
					s.Stakes += stake
				}
			}
		}
		all = append(all, s)
	}
	return all
}

// StakesOn returns what is staked in a game on the ways of some bets, without
// features. What runs is not among it.
func (o *Open) StakesOn(ordinal uint32, counts func(bet string) bool) (sum money.Amount) {
	for i := range o.stakes {
		if ordinal > o.dropped && counts(o.rows[i].bet) {
			for _, stake := range o.stakes[i][:min(int(ordinal-o.dropped), len(o.stakes[i]))] {
				sum += stake
			}
		}
	}
	return sum
}
