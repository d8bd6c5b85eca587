package record

import (
	"errors"
	"fmt"

	"drawhouse/day"
	"drawhouse/money"
)

// Game names a game: its series, Keno Day and number within that day.
type Game struct {
	_      struct{} `cbor:",toarray"`
	Series uint8
	Day    day.Day
	Number uint16
}

// String returns the name for people, such as 2026-11-15/417.
func (g Game) String() string { return fmt.Sprintf("%v/%d", g.Day, g.Number) }

func (g Game) check() error { return checkDay(g.Series, g.Day) }

// GameOpened lets tickets be sold for a game. Ordinal counts the games of the
// series from 1 and never restarts, so that consecutive games are consecutive
// numbers across days.
type GameOpened struct {
	_       struct{} `cbor:",toarray"`
	Game    Game
	Ordinal uint32
	Closes  Time // when the game is meant to close; the close is a record of its own
}

func (g *GameOpened) check() error {
	if g.Ordinal == 0 || g.Closes <= 0 {
		return errors.New("a game needs an ordinal from 1 and a time to close")
	}
	return g.Game.check()
}

// GameClosed ends sale and cancellation for a game. Its postings move the stakes
// of the game from unplayed to the prize fund and the operator.
type GameClosed struct {
	_           struct{} `cbor:",toarray"`
	Game        Game
	Schedule    string // the schedule under which the game will settle
	Plays       uint64 // tickets in the game
	Ways        uint64
	StakesCents money.Amount
}

func (g *GameClosed) check() error {
	if g.StakesCents < 0 || (g.Plays == 0) != (g.Ways == 0) || g.Schedule == "" {
		return fmt.Errorf("%d plays of %d ways, %v, schedule %q", g.Plays, g.Ways, g.StakesCents, g.Schedule)
	}
	return g.Game.check()
}

// GameSealed publishes the seal, a signed note, before the first number.
type GameSealed struct {
	_    struct{} `cbor:",toarray"`
	Game Game
	Seal []byte
}

func (g *GameSealed) check() error {
	if len(g.Seal) == 0 {
		return errors.New("no seal")
	}
	return g.Game.check()
}

// NumberDrawn is one number from the device, in the order drawn, with the bytes
// of the source that it was made from, rejected ones included. Draw counts the
// draws of the game from 1; a further one follows only a void one.
type NumberDrawn struct {
	_      struct{} `cbor:",toarray"`
	Game   Game
	Draw   uint8
	Number uint8
	Bytes  []byte
}

func (n *NumberDrawn) check() error {
	if n.Number == 0 || n.Draw == 0 {
		return fmt.Errorf("number %d of draw %d", n.Number, n.Draw)
	}
	return n.Game.check()
}

// GameDrawn is the device's signed statement of all numbers of a game.
type GameDrawn struct {
	_    struct{} `cbor:",toarray"`
	Game Game
	Draw uint8
	Note []byte
}

func (g *GameDrawn) check() error {
	if len(g.Note) == 0 || g.Draw == 0 {
		return fmt.Errorf("draw %d with a note of %d bytes", g.Draw, len(g.Note))
	}
	return g.Game.check()
}

// GameSettled states what a game came to. The winners themselves are in the
// winners file, an object beside the journal that WinnersHash pins. Its postings
// move the prizes from the prize fund to what is owed.
type GameSettled struct {
	_             struct{} `cbor:",toarray"`
	Game          Game
	Revision      uint8 // 1 for the first settlement
	Plays         uint64
	Ways          uint64
	StakesCents   money.Amount
	Winners       uint64 // plays that won
	WinningWays   uint64
	PrizesCents   money.Amount // as payable, after pro-rating and rounding
	BreakageCents money.Amount // what rounding kept back
	// MajorsCents are the major prizes before pro-rating and MajorsPaidCents
	// after it, before rounding, each sum rounded down to the cent once; they are
	// equal when no cap was met.
	MajorsCents     money.Amount
	MajorsPaidCents money.Amount
	// Reductions are the factors of the limits that were exceeded, so that the
	// prize of one ticket can be found again without the other tickets.
	Reductions  []Reduction
	WinnersHash Hash
}

// Reduction is the factor Num/Den by which major prizes under one limit were
// multiplied. Limit is its place among the limits of the rulebook, from 0.
type Reduction struct {
	_        struct{} `cbor:",toarray"`
	Limit    uint8
	Num, Den uint64
}

func (g *GameSettled) check() error {
	if g.Revision == 0 || g.PrizesCents < 0 || g.BreakageCents < 0 || g.Winners > g.Plays || g.WinningWays > g.Ways {
		return fmt.Errorf("revision %d: %d winners of %d plays, prizes %v, breakage %v", g.Revision, g.Winners, g.Plays, g.PrizesCents, g.BreakageCents)
	}
	for _, r := range g.Reductions {
		if r.Num >= r.Den {
			return fmt.Errorf("a reduction by %d/%d", r.Num, r.Den)
		}
	}
	return g.Game.check()
}
