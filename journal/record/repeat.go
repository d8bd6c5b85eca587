package record

import "errors"

// ResultConfirmed says that the result of a draw stands although it equals a recent one.
type ResultConfirmed struct {
	_        struct{} `cbor:",toarray"`
	Game     Game
	Draw     uint8  `is:"draw"` // number of the draw in the game
	Repeats  Game   // the newest game with the same numbers
	Reason   string `is:"reason"`   // why the result stands
	Approval uint32 `is:"approval"` // number of the approval by a second person
}

func (c *ResultConfirmed) check() error {
	if c.Game == c.Repeats {
		return errors.New("a result does not repeat itself")
	}
	return nil
}
