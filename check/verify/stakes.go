package verify

import "drawhouse/core/money"

// stakes are what is staked in one game, by what it is staked on. Prizes that run
// on stand apart; half is what of them is for the multiplier.
type stakes struct {
	main, multiplier, lucky, carried, half money.Amount
}

func (s *stakes) total() money.Amount { return s.main + s.multiplier + s.lucky + s.carried }

// add adds the stakes of a bet. What a ticket costs fits, and so does each part of
// it; over all tickets the sum is checked.
func (s *stakes) add(t stakes) error {
	for _, part := range []struct {
		sum *money.Amount
		of  money.Amount
	}{{&s.main, t.main}, {&s.multiplier, t.multiplier}, {&s.lucky, t.lucky}, {&s.carried, t.carried}, {&s.half,
		t.half}} {
		sum, err := part.sum.Add(part.of)
		if err != nil {
			return err
		}
		*part.sum = sum
	}
	return nil
}

// run is how far the prize of a bet that runs on has come (vic-keno-2015
// 2(a).let-it-run).
type run struct {
	over    bool
	next    uint32       // the game, counted from 0, in which the prize is staked; 0 while none was won
	carried money.Amount // that prize
}

// plays reports whether the bet has ways in a game of its ticket, counted from 0.
func (b *bet) plays(game uint32) bool {
	return !b.has(fieldRun) || !b.run.over && game == b.run.next
}

// inGame returns the ways that a bet has in a game of its ticket, counted from 0,
// and what is staked on them.
func (b *bet) inGame(game uint32) (ways uint64, s stakes) {
	switch {
	case !b.plays(game):
		return 0, stakes{}
	case b.has(fieldRun) && game > 0:
		return b.ways, stakes{carried: b.run.carried, half: b.run.carried - b.onWay(game)}
	}
	s.main = b.stake * money.Amount(b.ways)
	if game < b.bonus {
		s.multiplier = s.main
	}
	s.lucky = b.lucky
	return b.ways, s
}

// onWay returns the stake on one way in a game, without features. Of a prize that
// runs on one half is for the multiplier while that is played (vic-keno-2015 11(i)).
func (b *bet) onWay(game uint32) money.Amount {
	if !b.has(fieldRun) || game == 0 {
		return b.stake
	}
	if game < b.bonus {
		return b.run.carried / 2
	}
	return b.run.carried
}
