package record

import (
	"fmt"

	"drawhouse/core/money"
)

// DrawVoided says that the numbers of a draw do not count and that the game will be
// drawn again. They stay in the journal.
type DrawVoided struct {
	_        struct{} `cbor:",toarray"`
	Game     Game
	Draw     uint8  `is:"draw" most:"100"` // number of the draw in the game
	Reason   string `is:"reason"`
	Clause   string // of the rulebook
	Approval uint32 `is:"approval"` // number of the approval by a second person
}

func (*DrawVoided) check() error { return nil }

// GameVoided says that a closed game has no result. Its plays are played along with
// the next game, or their stakes go back to who presents a ticket; a prize that
// runs through the game goes on to the next, or is due. Its postings undo what the
// close did with stakes that go back.
type GameVoided struct {
	_      struct{} `cbor:",toarray"`
	Game   Game
	Draw   uint8  `is:"draw" most:"101"` // number of the draw that would have counted
	Reason string `is:"reason"`
	Clause string
	// Number of the approval by a second person; 0 if the seal was not cosigned before the round of the beacon, which
	// takes nobody's consent.
	Approval uint32
	// Whether the plays are played along with the next game; if not, stakes go back.
	Deferred bool
	// Stakes that go back.
	RefundCents money.Amount
	PrizesCents money.Amount // what ran on into the game and is due
	Winners     uint64       // tickets on which such prizes are due
	WinnersHash Hash         // hash of the winners file of those prizes
	// What goes on to the next game; it stands one by one in the records just before this one.
	CarriedCents money.Amount
	CarriedWays  uint64 // how many ways have prizes that go on to the next game
	// The pools from which contributions were taken back, as they stand after it.
	Pools     []Pool
	BonusPool Exact // what was taken back from the bonus prize pool
	// What of the refund are stakes that ran through void games alone: they have won nothing, and go back as what they
	// were.
	UnwonCents money.Amount `later:"true"`
}

func (g *GameVoided) check() error {
	if g.Approval == 0 && g.Clause != "" {
		return fmt.Errorf("a void under clause %s needs an approval", g.Clause)
	}
	if g.RefundCents < 0 || g.PrizesCents < 0 || g.CarriedCents < 0 || g.BonusPool < 0 || g.Deferred &&
		g.RefundCents != 0 || g.UnwonCents < 0 || g.UnwonCents > g.RefundCents {
		return fmt.Errorf("refunds of %v, prizes of %v, %v carried", g.RefundCents, g.PrizesCents, g.CarriedCents)
	}
	return checkPools(g.Pools)
}

// PlayPaused stops sale and draws of a series until it is resumed.
type PlayPaused struct {
	_      struct{} `cbor:",toarray"`
	Series uint8    `is:"series"`
	Reason string   `is:"reason"`
	By     uint32   `is:"person"` // person
}

func (*PlayPaused) check() error { return nil }

// PlayResumed ends a pause.
type PlayResumed struct {
	_      struct{} `cbor:",toarray"`
	Series uint8    `is:"series"`
	By     uint32   `is:"person"`
}

func (*PlayResumed) check() error { return nil }

// ClosureAnnounced tells players that no game will open after a time: trading ends
// early.
type ClosureAnnounced struct {
	_      struct{} `cbor:",toarray"`
	Series uint8    `is:"series"`
	At     Time     `is:"time"` // the time after which no game opens
	By     uint32   `is:"person"`
}

func (*ClosureAnnounced) check() error { return nil }
