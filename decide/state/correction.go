package state

import (
	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Base returns the revision from which on the winners files of a settled game count:
// the first, or that of its last correction.
func (g *Game) Base() uint8 { return max(g.Corrected().Revision, 1) }

// IsRaised reports whether a settled game was settled again because its winners share more of a jackpot:
// since its first settlement, or since its last correction.
func (g *Game) IsRaised() bool { return g.Settled.Revision > g.Base() }

// WonOn returns the Keno Day on which the wins of the game were recorded: its own, or that of a correction.
//
//rule:casino-keno-div2 9.1 9.2
func (g *Game) WonOn() day.Day { return max(g.Ref.Day, g.Recorded) }

// Corrected returns the last correction of the game's result, whose revision is 0 if
// there is none.
func (g *Game) Corrected() record.ResultCorrected {
	if len(g.Corrections) == 0 {
		return record.ResultCorrected{}
	}
	return g.Corrections[len(g.Corrections)-1]
}

// Results returns the numbers that were taken for the result of a settled game, one
// after the other. The last ones are those that count.
func (g *Game) Results() ([]ball.Sequence, error) {
	if len(g.Corrections) == 0 {
		return []ball.Sequence{g.Numbers}, nil
	}
	results := []ball.Sequence{g.Entered}
	for _, c := range g.Corrections {
		numbers, err := Sequence(g.Numbers.Universe(), c.Numbers)
		if err != nil {
			return nil, err
		}
		results = append(results, numbers)
	}
	return results, nil
}

// Sequence returns numbers as a record has them.
func Sequence(of ball.Universe, list []uint8) (ball.Sequence, error) {
	numbers := make([]int, len(list))
	for i, n := range list {
		numbers[i] = int(n)
	}
	return ball.NewSequence(of, numbers...)
}

// Overpaid returns what was paid for a game beyond what its tickets have won, since its
// result was corrected.
func (s *Series) Overpaid(ordinal uint32) money.Amount {
	return s.fates.at(ordinal).overpaid
}

// Claimed returns what claim forms keep of the prizes of a game.
func (s *Series) Claimed(ordinal uint32) money.Amount {
	f := s.fates.at(ordinal)
	return f.prizes.reserved + f.form.reserved
}

// correctResult notes that the result of a game is corrected. The settlement that
// follows takes it over.
func (s *State) correctResult(b *record.ResultCorrected) error {
	return s.onSettled(b.Game, func(series *Series, game *Game) error { return s.correctGame(series, game, b) })
}

func (s *State) correctGame(series *Series, game *Game, b *record.ResultCorrected) error {
	if b.Revision != game.Settled.Revision+1 || game.Corrected().Revision == b.Revision {
		return cannot("revision %d of game %v is corrected, which is at revision %d", b.Revision, b.Game,
			game.Settled.Revision)
	}
	if _, draw := s.BookOf(game).Numbers(); len(b.Numbers) != draw {
		return cannot("game %v is corrected to %d numbers", b.Game, len(b.Numbers))
	}
	if swept := series.Swept(game.Ordinal); swept != "" {
		return cannot("game %v is corrected, whose unclaimed prizes have gone to %s", b.Game, swept)
	}
	for _, e := range b.Earned {
		later, ok := series.games.named(e.Game)
		if !ok || later.Ordinal <= game.Ordinal {
			return cannot("game %v comes by its money through a correction of %v", e.Game, b.Game)
		}
		if series.fates.at(later.Ordinal).overpaid < e.Cents {
			return cannot("%v was not overpaid in game %v", e.Cents, e.Game)
		}
		series.fates.change(later.Ordinal, func(f *fate) { f.overpaid -= e.Cents })
	}
	if len(game.Corrections) == 0 {
		game.Entered = game.Numbers
	}
	game.Corrections = append(game.Corrections, *b)
	return nil
}

// settleCorrected replaces what a game came to by what it comes to by the right numbers.
func (s *State) settleCorrected(series *Series, game *Game, b *record.GameSettled) error {
	correction := game.Corrected()
	corrected, err := Sequence(game.Numbers.Universe(), correction.Numbers)
	if err != nil {
		return err
	}
	if b.CarriedCents != game.Settled.CarriedCents || b.CarriedWays != game.Settled.CarriedWays {
		return cannot("revision %d of game %v carries on %v where %v has been played", b.Revision, b.Game,
			b.CarriedCents, game.Settled.CarriedCents)
	}
	series.winLots(game.Settled.Awards, b.Awards, b.Pools)
	if err := series.setPools(b.Pools); err != nil {
		return err
	}
	series.fates.change(game.Ordinal, func(f *fate) { f.overpaid = correction.OverpaidCents })
	game.Numbers, game.Settled, game.SettledPlace, s.result = corrected, *b, s.next, s.next
	game.Winners, game.Recorded, series.recorded = []record.Hash{b.WinnersHash}, correction.Day, correction.Day
	return nil
}
