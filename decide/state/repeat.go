package state

import "drawhouse/journal/record"

// confirmed names the draw whose result two persons have confirmed last. One is enough: a
// series draws one game after the other.
type confirmed struct {
	ordinal uint32
	draw    uint8
}

// Confirmed reports whether two persons have confirmed the result of the draw of a game that
// counts.
func (s *Series) Confirmed(g *Game) bool {
	return s.confirmed == confirmed{g.Ordinal, g.Draw}
}

func (s *State) confirmResult(b *record.ResultConfirmed) error {
	series, game, err := s.inDraw(b.Game, b.Draw)
	if err != nil {
		return err
	}
	if _, ok := series.games.named(b.Repeats); !ok {
		return cannot("the result of game %v repeats that of %v, which is unknown", b.Game, b.Repeats)
	}
	if game.Phase != PhaseSealed || series.Confirmed(game) {
		return cannot("the result of game %v, which is %v, is confirmed", b.Game, game.Phase)
	}
	series.confirmed = confirmed{game.Ordinal, game.Draw}
	return nil
}
