package state

import (
	"bytes"

	"drawhouse/ball"
	"drawhouse/record"
	"drawhouse/settle"
)

// gameIn returns the game that a record names if it is in the phase that the
// record needs.
func (s *State) gameIn(ref record.Game, need Phase) (*Series, *Game, error) {
	series, game, err := s.find(ref)
	if err != nil {
		return nil, nil, err
	}
	if game.Phase != need {
		return nil, nil, cannot("game %v is %v, not %v", ref, game.Phase, need)
	}
	return series, game, nil
}

func (s *State) closeGame(b *record.GameClosed, at record.Time) error {
	series, game, err := s.gameIn(b.Game, PhaseOpen)
	if err != nil {
		return err
	}
	totals, err := series.Open.Close(game.Ordinal)
	if err != nil {
		return err
	}
	if totals.Plays != b.Plays || totals.Ways != b.Ways || totals.Stakes != b.StakesCents {
		return cannot("game %v closes with %d plays, %d ways and %v; %d, %d and %v were sold",
			b.Game, b.Plays, b.Ways, b.StakesCents, totals.Plays, totals.Ways, totals.Stakes)
	}
	game.Phase, game.Closed, game.ClosedAt = PhaseClosed, *b, at
	return nil
}

func (s *State) sealGame(b *record.GameSealed, at record.Time) error {
	_, game, err := s.gameIn(b.Game, PhaseClosed)
	if err != nil {
		return err
	}
	game.Phase, game.SealedAt = PhaseSealed, at
	game.Seal, game.SealPlace = bytes.Clone(b.Seal), s.next
	return nil
}

func (s *State) drawNumber(b *record.NumberDrawn) error {
	series, game, err := s.gameIn(b.Game, PhaseSealed)
	if err != nil {
		return err
	}
	of, draw := series.Book.Numbers()
	if game.Numbers.Len() >= draw {
		return cannot("number %d is drawn after the last of game %v", b.Number, b.Game)
	}
	if game.Numbers.Len() == 0 {
		game.Numbers, err = ball.NewSequence(ball.Universe(of), int(b.Number))
	} else {
		game.Numbers, err = game.Numbers.Append(int(b.Number))
	}
	return err
}

func (s *State) finishDraw(b *record.GameDrawn) error {
	series, game, err := s.gameIn(b.Game, PhaseSealed)
	if err != nil {
		return err
	}
	if _, draw := series.Book.Numbers(); game.Numbers.Len() != draw {
		return cannot("game %v is drawn with %d numbers", b.Game, game.Numbers.Len())
	}
	game.Phase = PhaseDrawn
	return nil
}

func (s *State) settleGame(b *record.GameSettled, at record.Time) error {
	series, game, err := s.gameIn(b.Game, PhaseDrawn)
	if err != nil {
		return err
	}
	if b.Plays != game.Closed.Plays || b.Ways != game.Closed.Ways || b.StakesCents != game.Closed.StakesCents {
		return cannot("game %v settles other plays than it closed with", b.Game)
	}
	if before, ok := series.Game(game.Ordinal - 1); ok && before.Phase != PhaseSettled {
		return cannot("game %v settles before %v, which is %v", b.Game, before.Ref, before.Phase)
	}
	game.Phase, game.Settled, game.SettledAt, game.Seal = PhaseSettled, *b, at, nil
	series.settled = hashGame(series.settled, game)
	return series.Open.Drop(game.Ordinal)
}

// Reductions returns the factors of a settlement in the form in which a prize is
// computed from them.
func Reductions(settled *record.GameSettled) []settle.Reduction {
	reductions := make([]settle.Reduction, len(settled.Reductions))
	for i, r := range settled.Reductions {
		reductions[i] = settle.Reduction{Limit: int(r.Limit), Num: r.Num, Den: r.Den}
	}
	return reductions
}
