package record

import "errors"

// ResultConfirmed says that the result of a draw stands although it equals a recent one.
type ResultConfirmed struct {
	_        struct{} `cbor:",toarray"`
	Game     Game
	Draw     uint8  // which draw of the game
	Repeats  Game   // the newest game with the same numbers
	Reason   string // why the result stands
	Approval uint32 // number of the approval by a second person
}

func (c *ResultConfirmed) check() error {
	if c.Draw == 0 || c.Reason == "" || c.Approval == 0 {
		return errors.New("a confirmed result needs the number of its draw, a reason and an approval")
	}
	if c.Game == c.Repeats {
		return errors.New("a result does not repeat itself")
	}
	return errors.Join(c.Game.check(), c.Repeats.check())
}
