package record

import (
	"errors"
	"fmt"

	"drawhouse/money"
)

// DrawVoided says that the numbers of a draw do not count and that the game will be
// drawn again. They stay in the journal.
type DrawVoided struct {
	_        struct{} `cbor:",toarray"`
	Game     Game
	Draw     uint8 // which draw of the game it was
	Reason   string
	Clause   string // of the rulebook
	Approval uint32 // number of the approval by a second person
}

func (d *DrawVoided) check() error {
	if d.Draw == 0 || d.Reason == "" || d.Approval == 0 {
		return errors.New("a void draw needs its number, a reason and an approval")
	}
	return d.Game.check()
}

// GameVoided says that a closed game has no result. Its plays are played along with
// the next game, or their stakes go back to who presents a ticket; a prize that
// runs through the game goes on to the next, or is due. Its postings undo what the
// close did with stakes that go back.
type GameVoided struct {
	_        struct{} `cbor:",toarray"`
	Game     Game
	Draw     uint8 // which draw would have counted
	Reason   string
	Clause   string
	Approval uint32
	Deferred bool // the plays are played along with the next game
	// RefundCents are the stakes that go back, and PrizesCents what ran on and is due;
	// WinnersHash pins the winners file of those.
	RefundCents  money.Amount
	PrizesCents  money.Amount
	Winners      uint64
	WinnersHash  Hash
	CarriedCents money.Amount // that goes on to the next game, in the records before this one
	CarriedWays  uint64
	// Pools are those from which contributions were taken back, as they stand after
	// it, and BonusPool is what was taken back from the bonus prize pool.
	Pools     []Pool
	BonusPool Exact
	// UnwonCents is what of the refund are stakes that ran through void games alone: they
	// have won nothing, and go back as what they were.
	UnwonCents money.Amount `later:"true"`
}

func (g *GameVoided) check() error {
	if g.Draw == 0 || g.Reason == "" || g.Approval == 0 {
		return errors.New("a void game needs its draw, a reason and an approval")
	}
	if g.RefundCents < 0 || g.PrizesCents < 0 || g.CarriedCents < 0 || g.BonusPool < 0 || g.Deferred && g.RefundCents != 0 || g.UnwonCents < 0 || g.UnwonCents > g.RefundCents {
		return fmt.Errorf("refunds of %v, prizes of %v, %v carried", g.RefundCents, g.PrizesCents, g.CarriedCents)
	}
	if err := checkPools(g.Pools); err != nil {
		return err
	}
	return g.Game.check()
}

// PlayPaused stops sale and draws of a series until it is resumed.
type PlayPaused struct {
	_      struct{} `cbor:",toarray"`
	Series uint8
	Reason string
	By     uint32 // person
}

func (p *PlayPaused) check() error {
	if p.Series == 0 || p.Reason == "" || p.By == 0 {
		return errors.New("a pause needs a series, a reason and a person")
	}
	return nil
}

// PlayResumed ends a pause.
type PlayResumed struct {
	_      struct{} `cbor:",toarray"`
	Series uint8
	By     uint32
}

func (p *PlayResumed) check() error {
	if p.Series == 0 || p.By == 0 {
		return errors.New("the end of a pause needs a series and a person")
	}
	return nil
}

// ClosureAnnounced tells players that no game will open after a time: trading ends
// early.
type ClosureAnnounced struct {
	_      struct{} `cbor:",toarray"`
	Series uint8
	At     Time
	By     uint32
}

func (c *ClosureAnnounced) check() error {
	if c.Series == 0 || c.At <= 0 || c.By == 0 {
		return errors.New("an early closure needs a series, a time and a person")
	}
	return nil
}
