package game

import (
	"fmt"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/rulebook"
)

func seriesOf(s *state.State, id uint8) (*state.Series, error) {
	series, ok := s.Series(id)
	if !ok {
		return nil, &refusal.Refusal{Code: SeriesUnknown, Path: "series",
			Sentence: fmt.Sprintf("There is no series %d.", id)}
	}
	return series, nil
}

func openSeries(s *state.State, id uint8) (*state.Series, error) {
	series, err := seriesOf(s, id)
	if err != nil {
		return nil, err
	}
	if !series.DayOpen {
		return nil, &refusal.Refusal{Code: DayNotOpen, Sentence: "No Keno Day is open."}
	}
	return series, nil
}

// gameIn returns the game of an ordinal if it has come exactly as far as the
// next step needs.
func gameIn(s *state.State, id uint8, ordinal uint32, need state.Phase) (*state.Series, *state.Game, error) {
	series, err := seriesOf(s, id)
	if err != nil {
		return nil, nil, err
	}
	game, ok := series.Game(ordinal)
	if !ok || game.Phase != need {
		phase := state.Phase(0)
		if ok {
			phase = game.Phase
		}
		return nil, nil, &refusal.Refusal{
			Code: GameNotReady, Path: "game",
			Sentence: fmt.Sprintf("Game %d is %v; it must be %v.", ordinal, phase, need),
		}
	}
	return series, game, nil
}

// fundShare returns the part of stakes that the rulebook gives to the prize fund.
func fundShare(book *rulebook.Book, stakes money.Amount) (money.Amount, error) {
	return money.MulDiv(stakes, int64(book.PrizeFund().Least), 100_00, money.Ceil)
}
