package draw

import (
	"fmt"

	"drawhouse/core/ball"
	"drawhouse/journal"
)

// A Plan says what is to be drawn.
type Plan struct {
	Game journal.Game
	// Revision is 1 for the first draw of the game, and one more for each draw
	// made again after people declared the one before it void.
	Revision uint32
	Universe ball.Universe
	// Least and Most bound how many numbers make a result. Keno draws 20; bingo
	// calls until the game is won.
	Least, Most int
}

// KenoPlan returns the plan of a keno game: 20 of 80 numbers.
//
//rule:casino-keno-div2 7.5
//rule:tas-keno-2023 1.15
func KenoPlan(game journal.Game, revision uint32) Plan {
	return Plan{Game: game, Revision: revision, Universe: ball.Keno, Least: 20, Most: 20}
}

// BingoPlan returns the plan of a bingo game: as many of its numbers as are needed.
func BingoPlan(game journal.Game, revision uint32, of ball.Universe) Plan {
	return Plan{Game: game, Revision: revision, Universe: of, Least: 1, Most: int(of)}
}

// Check reports what is wrong with the plan, if anything.
func (p Plan) Check() error {
	if err := p.Game.Check(); err != nil {
		return err
	}
	if p.Revision == 0 {
		return fmt.Errorf("draw: %v: revisions count from 1", p.Game)
	}
	if _, err := ball.NewSequence(p.Universe); err != nil {
		return fmt.Errorf("draw: %v: %w", p.Game, err)
	}
	if p.Least < 1 || p.Most < p.Least || p.Most > int(p.Universe) {
		return fmt.Errorf("draw: %v: %d to %d numbers cannot be drawn of %d", p.Game, p.Least, p.Most, p.Universe)
	}
	return nil
}
