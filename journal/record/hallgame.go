package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"drawhouse/core/money"
)

// BingoGame names a game of bingo: its hall, its session and its number in it.
type BingoGame struct {
	_       struct{} `cbor:",toarray"`
	Hall    uint8
	Session uint32 // number of the session in its room
	Game    uint8  // number of the game in its session, from 1
}

// String returns the name for people, such as session 12 game 3.
func (g BingoGame) String() string { return fmt.Sprintf("session %d game %d", g.Session, g.Game) }

// In returns the session of the game.
func (g BingoGame) In() HallSession { return HallSession{Hall: g.Hall, Session: g.Session} }

func (g BingoGame) check() error {
	if g.Hall == 0 || g.Session == 0 || g.Game == 0 || g.Game > MostBingoGames {
		return fmt.Errorf("hall %d, %v", g.Hall, g)
	}
	return nil
}

// BingoDraw says what is drawn: a game may have two draws.
type BingoDraw uint8

// The draws, in their order.
const (
	DrawJackpot BingoDraw = 1 // the numbers that qualify for the jackpot
	DrawCalls   BingoDraw = 2 // the numbers that are called
)

func (d BingoDraw) check() error {
	if d != DrawJackpot && d != DrawCalls {
		return fmt.Errorf("draw %d", d)
	}
	return nil
}

// String returns what is drawn.
func (d BingoDraw) String() string {
	if d == DrawJackpot {
		return "jackpot numbers"
	}
	return "calls"
}

// BingoAnnounced is what the dealer announced at the start of a game: its colour,
// its prizes with those that rolled into it, and the jackpot.
type BingoAnnounced struct {
	_              struct{} `cbor:",toarray"`
	Game           BingoGame
	Colour         string         // colour of the game's cards
	Prizes         []PatternPrize // prizes of the game; the first is that of bingo
	JackpotNumbers []uint8        // numbers that qualify for the jackpot
	// What each level of the jackpot pays out, in the order of the levels; none without a jackpot.
	JackpotCents []money.Amount `each:"amount"`
	By           By
	// Wins is the pattern with which the game is won; empty for the full card. The first prize,
	// and a claim to it, is of this pattern.
	Wins string `later:"true" most:"200"`
}

// Of returns the pattern that a prize of the game is for.
func (b *BingoAnnounced) Of(prize string) string {
	if prize == PatternBingo && b.Wins != "" {
		return b.Wins
	}
	return prize
}

func (b *BingoAnnounced) check() error {
	if b.Colour == "" || len(b.Prizes) == 0 || b.Prizes[0].Pattern != PatternBingo ||
		b.Wins == PatternBingo ||
		(len(b.JackpotNumbers) == 0) != (len(b.JackpotCents) == 0) {
		return errors.New("an announcement needs a colour and prizes, and a jackpot its numbers")
	}
	for i, n := range b.JackpotNumbers {
		if n == 0 || n > 90 {
			return fmt.Errorf("jackpot number %d is %d", i+1, n)
		}
	}
	for i, cents := range b.JackpotCents {
		if cents < 0 {
			return fmt.Errorf("level %d pays out %v", i+1, cents)
		}
	}
	return checkPrizes(b.Prizes)
}

// BingoSealed publishes the seal of a draw before its first number: a signed note
// over the journal up to there, with a bitmap of the players in play.
type BingoSealed struct {
	_    struct{} `cbor:",toarray"`
	Game BingoGame
	Draw BingoDraw
	Seal []byte `is:"seal"`
}

func (*BingoSealed) check() error { return nil }

// BingoWitnessed says who has cosigned the seal of a draw before its first number.
type BingoWitnessed struct {
	_    struct{} `cbor:",toarray"`
	Game BingoGame
	Draw BingoDraw
	Seal []byte
	By   []string // names of the witnesses, ascending
}

func (b *BingoWitnessed) check() error {
	if len(b.Seal) == 0 || len(b.By) == 0 || !slices.IsSorted(b.By) || b.By[0] == "" {
		return errors.New("a witnessed game needs its seal and witnesses")
	}
	return nil
}

// NumberCalled is one number from the device, displayed and announced, with the
// bytes that it was made from.
type NumberCalled struct {
	_      struct{} `cbor:",toarray"`
	Game   BingoGame
	Draw   BingoDraw
	Number uint8
	Bytes  []byte
}

func (n *NumberCalled) check() error {
	if n.Number == 0 || n.Number > 90 {
		return fmt.Errorf("number %d", n.Number)
	}
	return nil
}

// BingoDrawn is the device's signed statement of all numbers of a draw.
type BingoDrawn struct {
	_    struct{} `cbor:",toarray"`
	Game BingoGame
	Draw BingoDraw
	Note []byte `is:"note"`
}

func (*BingoDrawn) check() error { return nil }

// CallCorrected says that another number was announced or shown than the one drawn.
// The wrong one does not count. The right one counts from this announcement on, as
// if it had been called last. Draw is DrawJackpot for a jackpot number, which counts as it
// was drawn, and empty for a call.
type CallCorrected struct {
	_      struct{} `cbor:",toarray"`
	Game   BingoGame
	Number uint8 // the number that was drawn
	Wrong  uint8 // the number that was announced
	By     By
	Draw   BingoDraw `later:"true" check:"-"`
}

// Of returns the draw that the number is of.
func (c *CallCorrected) Of() BingoDraw { return cmp.Or(c.Draw, DrawCalls) }

func (c *CallCorrected) check() error {
	if c.Number == 0 || c.Number > 90 || c.Wrong == 0 || c.Wrong > 90 || c.Wrong == c.Number {
		return fmt.Errorf("%d was announced for %d", c.Wrong, c.Number)
	}
	if c.Draw != 0 && c.Draw != DrawJackpot {
		return fmt.Errorf("the draw of a correction is %d", c.Draw) // Calls have one form.
	}
	return nil
}

// ClaimOpened is a call: somebody says that a box of a card has a pattern. Called is
// how many numbers count when the call was made.
type ClaimOpened struct {
	_       struct{} `cbor:",toarray"`
	Game    BingoGame
	Claim   uint16 `is:"claim"`             // number of the claim; the claims of a game are numbered from 1
	Pattern string `is:"pattern"`           // pattern that the box is said to have
	Series  string `is:"series" most:"200"` // series of cards of the card
	Book    uint32 `is:"book"`              // book of the card
	Card    uint8  `is:"card"`              // the game that the card is for
	Box     uint8  `is:"box"`               // box of the card, from 1
	Behalf  bool   // whether another person called for the player
	Called  uint8  // how many numbers had been called
	By      By
}

func (*ClaimOpened) check() error { return nil }

// ClaimChecked is what a supervisor found of a claim. A refused one has a code and
// the clause of the check that failed.
type ClaimChecked struct {
	_        struct{} `cbor:",toarray"`
	Game     BingoGame
	Claim    uint16 // number of the claim in the game
	Accepted bool   // whether the claim is good
	Code     string // why the claim is not good, as a code
	Clause   string
	InHand   bool   // whether the card was collected
	Marked   bool   // whether the numbers of the card are marked
	Player   uint32 // number of the player who holds the card; none where nobody does
	// Number that completed the pattern, in the order of the draw; 0 if it is not complete.
	Number uint8
	Level  uint8 // level of the jackpot that is won, from 1 for the highest; 0 for none
	By     By
}

func (c *ClaimChecked) check() error {
	if c.Claim == 0 || c.Accepted != (c.Code == "") || c.Accepted != (c.Clause == "") || c.Accepted &&
		(c.Number == 0 || c.Player == 0) || !c.Accepted && c.Level != 0 {
		return fmt.Errorf("claim %d, accepted %v, code %q, clause %q", c.Claim, c.Accepted, c.Code, c.Clause)
	}
	return nil
}

// PrizeShared is a prize that was won: each of the winners has the share, and what is left
// by rounding stays with the operator. Cards is how many share it: players, and before
// LevelGuarded their cards.
type PrizeShared struct {
	_          struct{}     `cbor:",toarray"`
	Pattern    string       // pattern of the prize
	Cents      money.Amount // amount of the prize
	Cards      uint16       // how many winners share it
	ShareCents money.Amount // what each winner gets of it
}

// LevelShared is a level of the jackpot that was won. What is left by rounding stays
// in it.
type LevelShared struct {
	_          struct{}     `cbor:",toarray"`
	Level      uint8        // level of the jackpot, from 1 for the highest
	Cents      money.Amount // what the level pays out
	Cards      uint16       // how many winners share it
	ShareCents money.Amount // what each winner gets of it
}

// ClaimShare is what an accepted claim won. Of several boxes and cards of one player the
// first that was claimed has the player's share.
type ClaimShare struct {
	_            struct{}     `cbor:",toarray"`
	Claim        uint16       // number of the claim in the game
	Cents        money.Amount // prize of the claim
	JackpotCents money.Amount // share of the jackpot of the claim
}

// BingoSettled shares the prizes that were won on a number. The final one ends the
// game: then Lapsed are the minor prizes that nobody won, and Rolled is the prize of
// a bingo that nobody had. Within a game it shares minor prizes; just before the record
// that voids the game it shares whatever was found good, bingo and jackpot, too. Its
// postings owe the prizes to the winners.
type BingoSettled struct {
	_      struct{} `cbor:",toarray"`
	Game   BingoGame
	Final  bool           // whether the game is over; nobody can call any more
	Prizes []PrizeShared  // prizes that were won and are shared
	Levels []LevelShared  // levels of the jackpot that were won and are shared
	Shares []ClaimShare   // what each claim gets
	Lapsed []PatternPrize // prizes that nobody won and that lapse
	Rolled []PatternPrize // prizes that nobody won and that roll into the next game or session
}

func (b *BingoSettled) check() error {
	bingo := slices.ContainsFunc(b.Prizes, func(p PrizeShared) bool { return p.Pattern == PatternBingo })
	if !b.Final && (len(b.Prizes) == 0 || len(b.Lapsed)+len(b.Rolled) > 0 || !bingo && len(b.Levels) > 0) {
		return errors.New("a settlement within a game shares what was won and nothing else")
	}
	for _, p := range b.Prizes {
		if p.Pattern == "" || p.Cards == 0 || p.ShareCents < 0 || p.Cents <= 0 {
			return fmt.Errorf("%v for %q is shared by %d cards", p.Cents, p.Pattern, p.Cards)
		}
	}
	for _, l := range b.Levels {
		if l.Level == 0 || l.Cards == 0 || l.ShareCents < 0 || l.Cents < 0 {
			return fmt.Errorf("%v of level %d is shared by %d cards", l.Cents, l.Level, l.Cards)
		}
	}
	for _, s := range b.Shares {
		if s.Claim == 0 || s.Cents < 0 || s.JackpotCents < 0 {
			return fmt.Errorf("claim %d has %v and %v", s.Claim, s.Cents, s.JackpotCents)
		}
	}
	return errors.Join(checkPrizes(b.Lapsed), checkPrizes(b.Rolled))
}

// BingoVoided ends a game without a result. Prizes of claims that were found good stand; the
// others roll into the next game of the session, or of the next session if this was
// the last that can be played.
type BingoVoided struct {
	_      struct{} `cbor:",toarray"`
	Game   BingoGame
	Reason string
	Clause string
	Last   bool           // whether no game of the session follows
	Rolled []PatternPrize // prizes that roll into the next game or session
	// What goes back to every player but those whose wager is forfeited.
	RefundCents money.Amount
	Forfeited   []uint32 // numbers of the players whose wager is forfeited
	By          By
}

func (b *BingoVoided) check() error {
	if b.Reason == "" || b.Clause == "" || b.RefundCents < 0 || b.RefundCents == 0 && len(b.Forfeited) > 0 {
		return errors.New("a void game needs a reason and a clause")
	}
	return checkPrizes(b.Rolled)
}
