package keno

import (
	"fmt"
	"math/bits"
	"strconv"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
)

// Version is the version of the ticket form, its field "v".
const Version = 1

// The bounds of the form. A rulebook's own are narrower; these keep a hostile
// request from costing more than an honest one.
const (
	MaxBytes  = 64 << 10 // of a form in JSON
	MaxBets   = 20       // on a ticket
	MaxGroups = 40       // in a bet
	MaxMarks  = 4096     // ways marked one by one in a bet
	MaxPlaces = 8        // forecast by a racing bet
	MaxGames  = 9999     // on a ticket
	MaxCalls  = 100      // in a series
	MaxText   = 64       // bytes of an id
	MaxGame   = 9999     // number of a game

	MaxStake = 1_000_000_000 * money.Dollar

	maxEdition = 999_999
)

// GameRef names a game: its number is only unique within its Keno Day.
type GameRef struct {
	Day  day.Day
	Game int
}

// IsValid reports whether g names a game; the zero value does not.
func (g GameRef) IsValid() bool { return g.Day.IsValid() && g.Game >= 0 && g.Game <= MaxGame }

// String returns the game as people say it, "game 417 of 2026-11-15".
func (g GameRef) String() string {
	if !g.IsValid() {
		return "no game"
	}
	return fmt.Sprintf("game %d of %v", g.Game, g.Day)
}

// Ticket is an entry with every particular stated: what is sold, printed and
// recorded. Who sold it, where, when and for what tender is its envelope's.
type Ticket struct {
	Rulebook string
	First    GameRef
	Games    int // consecutive games from First, at least 1
	Bets     []Bet
}

// Bet is one bet of a ticket. The form of the rulebook's bet decides which of
// its shapes it takes: Spots, Groups with Play, Calls, or Type with Places.
type Bet struct {
	Bet string // id of the rulebook's bet

	Spots  ball.Set   // one way
	Groups []ball.Set // named A, B, C by position, joined to ways
	Play   Play       // which ways of the groups
	Calls  []Call     // one for every game, or one a game
	Run    bool       // a prize becomes the stake of the next game
	Type   string     // id of the rulebook's racing type
	Places []ball.Set // the rows allowed in each place

	Stake  money.Amount // of each way, combination or call in each game
	With   Features
	Picked Picked  // how the terminal chose, for the receipt
	Item   ItemRef // the ready ticket that this was, for the receipt
}

// Shape is which of the alternative groups of fields a bet uses.
type Shape uint8

// The shapes.
const (
	ShapeNone   Shape = iota
	ShapeSpots        // Spots
	ShapeGroups       // Groups and Play
	ShapeCalls        // Calls, Run
	ShapeRace         // Type and Places
)

// Shape returns the shape of b, ShapeNone if it has none yet.
func (b *Bet) Shape() Shape {
	switch {
	case b.Spots.IsValid():
		return ShapeSpots
	case b.Groups != nil:
		return ShapeGroups
	case b.Calls != nil:
		return ShapeCalls
	case b.Places != nil:
		return ShapeRace
	}
	return ShapeNone
}

// CallIn returns the call of b in game i of its ticket, counted from 0: a single
// call serves every game.
func (b *Bet) CallIn(i int) Call {
	switch {
	case len(b.Calls) == 1:
		return b.Calls[0]
	case i < len(b.Calls):
		return b.Calls[i]
	}
	return 0
}

// Call is a forecast of which half the numbers drawn fall into.
type Call uint8

// The calls.
const (
	Heads Call = iota + 1
	Tails
	Evens
)

var callNames = [...]string{Heads: "heads", Tails: "tails", Evens: "evens"}

// IsValid reports whether c is a call; the zero value is not.
func (c Call) IsValid() bool { return c >= Heads && c <= Evens }

// String returns the call as the form and the prize tables write it.
func (c Call) String() string {
	if !c.IsValid() {
		return "Call(" + strconv.Itoa(int(c)) + ")"
	}
	return callNames[c]
}

// Play says which ways of its groups a bet plays.
type Play struct {
	Kind  PlayKind
	Types ball.Set // of PlaySpots: totals of spots; of PlayGroups: numbers of groups
	Marks []Mark   // of PlayMarks: ascending as Compare orders them
}

// PlayKind is how the ways were named.
type PlayKind uint8

// The kinds of play.
const (
	PlayNone   PlayKind = iota
	PlayAll             // every way of a size that is sold
	PlaySpots           // every way of the named totals of spots
	PlayGroups          // every way of the named numbers of groups
	PlayMarks           // the ways marked
)

// Mark is one marked way: bit i is group i, counted from 0.
type Mark uint64

// MarkOf returns the mark of the groups, counted from 1 as the form does.
func MarkOf(groups ...int) Mark {
	var m Mark
	for _, g := range groups {
		m |= 1 << (g - 1)
	}
	return m
}

// Compare orders marks as their ascending lists of groups are ordered, so that
// A comes before AB and that before B. It is the order in which [Ways] lists
// them. It returns -1, 0 or +1.
func (m Mark) Compare(n Mark) int {
	if m == n {
		return 0
	}
	// Up to the lowest group that only one of them has, the lists agree. The
	// other list either ends there, and is the lesser, or goes on with a higher
	// group, and is the greater.
	low := (m ^ n) & -(m ^ n)
	other, sign := n, -1
	if n&low != 0 {
		other, sign = m, +1
	}
	if other < low {
		return -sign
	}
	return sign
}

// Features are what hangs on a bet for a stake of its own.
type Features struct {
	Multiplier Side // the prize is multiplied
	LuckyLast  Side // the last number drawn is among the spots
}

// Any reports whether there is a feature at all.
func (f Features) Any() bool { return f.Multiplier.On || f.LuckyLast.On }

// Side is one feature of a bet.
type Side struct {
	On    bool
	Stake money.Amount // of each way in each game; 0: the stake of the bet
	Games int          // the first so many games of the ticket; 0: all of them
}

// Picked is how a terminal chose for the player.
type Picked uint8

// The ways to pick. The rulebook has the name that players know each by.
const (
	PickedNot     Picked = iota
	PickedQuick          // the player said how many
	PickedMystery        // the terminal chose that too
)

var pickedNames = [...]string{PickedQuick: "quick", PickedMystery: "mystery"}

// String returns the way to pick as the form writes it.
func (p Picked) String() string {
	if p == PickedNot || int(p) >= len(pickedNames) {
		return "Picked(" + strconv.Itoa(int(p)) + ")"
	}
	return pickedNames[p]
}

// ItemRef names an edition of a ready ticket of the catalogue. In a request an
// edition of 0 asks for whichever is current.
type ItemRef struct {
	ID      string
	Edition int
}

// IsValid reports whether r names an item; the zero value does not.
func (r ItemRef) IsValid() bool { return r.ID != "" }

// String returns the form "superplay-7@3".
func (r ItemRef) String() string {
	if r.Edition == 0 {
		return r.ID
	}
	return r.ID + "@" + strconv.Itoa(r.Edition)
}

// Request is what a terminal sends: a ticket that may leave particulars to be
// picked, looked up in the catalogue, or taken from an old ticket.
type Request struct {
	Rulebook string
	First    First
	Games    int    // 0: as the item or the old ticket says, otherwise 1
	Replay   string // serial of the old ticket; Bets may then be empty: all of its bets again
	Bets     []BetRequest
}

// First is the first game that a request asks for.
type First struct {
	Kind FirstKind
	Game GameRef // of FirstNamed
}

// FirstKind is how a request names its first game.
type FirstKind uint8

// The kinds of first game.
const (
	FirstOpen    FirstKind = iota // the game that is open
	FirstDelayed                  // the next designated game
	FirstNamed                    // this game and no other
)

// BetRequest is one bet of a request. The embedded bet holds what is said
// outright; of a bet to be picked or looked up the numbers are missing.
type BetRequest struct {
	Bet
	Pick   Pick
	Random bool // of an item: picked numbers instead of its own
	Replay int  // the bet of the old ticket, counted from 1, that the other fields change; 0: a new bet

	// The fields that the request names. Only a change of an old bet needs to
	// tell a field that is false or empty from one that is absent.
	says said
}

// Pick asks the terminal to choose spots, calls or places.
type Pick struct {
	Of    Shape  // ShapeSpots, ShapeCalls or ShapeRace; ShapeNone: nothing is picked
	How   Picked // PickedQuick or PickedMystery
	Count int    // of PickedQuick: how many spots, calls or rows
}

// said is a set of fields of a bet.
type said uint16

// The fields that a change of an old bet can name although they say nothing.
const (
	saidRun said = 1 << iota
	saidWith
)

// SayRun makes b set the run of the old bet that it changes, also to false.
func (b *BetRequest) SayRun(run bool) { b.Run, b.says = run, b.says|saidRun }

// SayWith makes b set the features of the old bet that it changes, also to none.
func (b *BetRequest) SayWith(with Features) { b.With, b.says = with, b.says|saidWith }

// groups returns the groups of m as numbers counted from 1.
func (m Mark) groups() ball.Set {
	s := ball.Empty(ball.Keno)
	for ; m != 0; m &= m - 1 {
		s = s.With(bits.TrailingZeros64(uint64(m)) + 1)
	}
	return s
}
