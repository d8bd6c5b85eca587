package api

import (
	"time"

	"drawhouse/house"
	"drawhouse/house/live"
	"drawhouse/journal/record"
)

// GameName names a game.
type GameName struct {
	Day     string `json:"day" doc:"Keno Day, a date."`
	Game    uint16 `json:"game" doc:"Number of the game within its Keno Day."`
	Ordinal uint32 `json:"ordinal" doc:"Counts the games of the series from 1 and never restarts."`
}

func nameOf(g house.Game) GameName {
	return GameName{Day: g.Ref.Day.String(), Game: g.Ref.Number, Ordinal: g.Ordinal}
}

// LastGame names a game that may not have its number yet: a day may end early, and
// numbers begin anew with the next.
type LastGame struct {
	Day     string  `json:"day,omitempty" doc:"Absent while the game has no number."`
	Game    *uint16 `json:"game,omitempty" doc:"Absent while the game has no number."`
	Ordinal uint32  `json:"ordinal"`
}

// lastOf names the last of a ticket's games, which of a ticket for one game is the
// first.
func lastOf(first GameName, games int) LastGame {
	if games == 1 {
		return LastGame{Day: first.Day, Game: &first.Game, Ordinal: first.Ordinal}
	}
	return LastGame{Ordinal: first.Ordinal + uint32(games) - 1}
}

// Sale is a ticket that was sold.
type Sale struct {
	Serial     string    `json:"serial" doc:"Finds the ticket; 16 digits, or 27 characters that begin with TO where the series is of a successor system."`
	Place      live.ID   `json:"place" doc:"Where the ticket's record stands in the journal."`
	Time       time.Time `json:"time"`
	CostCents  int64     `json:"cost_cents"`
	FirstGame  GameName  `json:"first_game"`
	LastGame   LastGame  `json:"last_game"`
	Games      int       `json:"games"`
	Session    uint32    `json:"session" doc:"Counts the customer sessions of the terminal."`
	Ticket     Form      `json:"ticket" doc:"The ticket with everything picked and looked up."`
	LeafHash   string    `json:"leaf_hash" doc:"Hash of the ticket's record in the journal, in base64; it belongs on the receipt."`
	Checkpoint string    `json:"checkpoint" doc:"A signed checkpoint of the journal with the ticket in it. A repeated answer may have a later one."`
}

// Payment is a payment of prizes.
type Payment struct {
	Place     live.ID   `json:"place"`
	Time      time.Time `json:"time"`
	Serial    string    `json:"serial"`
	PaidCents int64     `json:"paid_cents"`
	Parts     []Part    `json:"parts" doc:"What was paid for each game."`
	Session   uint32    `json:"session"`
	Bonus     *Bonus    `json:"bonus,omitempty" doc:"What a promotion on ready tickets came to, if the ticket took part in one."`
	// Continuation is the serial of the ticket that the rest of the games go on with.
	Continuation string `json:"continuation,omitempty" doc:"Serial of the ticket that the rest of the games go on with, where the writer keeps the paper."`
}

// Part is what was paid for one game of a ticket.
type Part struct {
	Ordinal uint32 `json:"ordinal" doc:"0: what the end of an earlier session withheld."`
	Cents   int64  `json:"cents"`
}

// Bonus is what fell on a ready ticket at random.
type Bonus struct {
	Promotion uint32 `json:"promotion"`
	Cents     int64  `json:"cents" doc:"0: nothing fell on it."`
}

// Abandoned says what became of a request.
type Abandoned struct {
	Outcome      string        `json:"outcome" enum:"sold,paid,cancelled,ended,issued,decided,burned" doc:"burned: the request was not decided and never will be."`
	Sale         *Sale         `json:"sale,omitempty"`
	Payment      *Payment      `json:"payment,omitempty"`
	Cancellation *Cancellation `json:"cancellation,omitempty"`
	SessionEnd   *SessionEnd   `json:"session_end,omitempty"`
	Paper        *PaperIssued  `json:"paper,omitempty"`
}

// Cancellation is a ticket that was given back.
type Cancellation struct {
	Place        live.ID   `json:"place"`
	Time         time.Time `json:"time"`
	Serial       string    `json:"serial"`
	LastOrdinal  uint32    `json:"last_ordinal" doc:"The last game that the ticket still plays; before its first if it plays none."`
	RefundCents  int64     `json:"refund_cents" doc:"Stakes that go back."`
	CarriedCents int64     `json:"carried_cents" doc:"Prizes that were running on and are paid."`
	Session      uint32    `json:"session"`
}

// Price is what a ticket would cost.
type Price struct {
	CostCents int64      `json:"cost_cents" doc:"Over all games."`
	Ways      int        `json:"ways" doc:"In one game, over all bets."`
	Games     int        `json:"games"`
	FirstGame FirstGame  `json:"first_game" doc:"The game on sale now; the ticket is for the one that is on sale when it is sold."`
	Bets      []BetPrice `json:"bets"`
	ToGo      bool       `json:"to_go,omitempty" doc:"Whether the entry covers so many games that the rulebook has a name for it."`
}

// FirstGame names the game that a ticket would begin with.
type FirstGame struct {
	Day  string `json:"day"`
	Game int    `json:"game"`
}

// BetPrice is what one bet would cost.
type BetPrice struct {
	CostCents int64 `json:"cost_cents"`
	Ways      int   `json:"ways"`
}

// Phase is how far a game has come.
type Phase string

// The phases of a game.
const (
	PhaseOpen    Phase = "open"
	PhaseClosed  Phase = "closed"
	PhaseSealed  Phase = "sealed"
	PhaseDrawing Phase = "drawing"
	PhaseDrawn   Phase = "drawn"
	PhaseSettled Phase = "settled"
	PhaseVoid    Phase = "void"
)

func phaseOf(g house.Game) Phase {
	switch {
	case g.IsVoid():
		return PhaseVoid
	case g.IsSettled():
		return PhaseSettled
	case g.DrawnPlace.Volume != 0:
		return PhaseDrawn
	case g.Numbers.Len() > 0:
		return PhaseDrawing
	case g.Sealed():
		return PhaseSealed
	case g.ClosedAt != 0:
		return PhaseClosed
	}
	return PhaseOpen
}

// Game is a game as the public may see it.
type Game struct {
	GameName
	Phase   Phase        `json:"phase" enum:"open,closed,sealed,drawing,drawn,settled,void"`
	Closes  time.Time    `json:"closes" doc:"When the game is, or was, meant to close."`
	Sold    *live.Sold   `json:"sold,omitempty" doc:"From the close on."`
	Numbers []int        `json:"numbers" doc:"Numbers drawn so far, in the order drawn."`
	Result  *live.Result `json:"result,omitempty" doc:"From the settlement on."`
	// Corrected is there for a game whose result was corrected: then Numbers and Result are
	// the right ones.
	Corrected *Corrected `json:"corrected,omitempty" doc:"Of a game whose result was corrected."`
}

// Corrected says how the result of a game was corrected.
type Corrected struct {
	Revision uint8  `json:"revision" doc:"Of the settlement by the right numbers."`
	Reason   string `json:"reason"`
	Clause   string `json:"clause,omitempty"`
	Entered  []int  `json:"entered" doc:"The numbers as they were entered first."`
}

// correctedOf returns how the result of a game was corrected last, or nil.
func correctedOf(g house.Game) *Corrected {
	if len(g.Corrections) == 0 {
		return nil
	}
	last := &g.Corrections[len(g.Corrections)-1]
	return &Corrected{Revision: last.Revision, Reason: last.Reason, Clause: last.Clause, Entered: g.Entered.Numbers()}
}

func (s *server) viewGame(g house.Game) Game {
	view := Game{GameName: nameOf(g), Phase: phaseOf(g), Closes: s.time(g.Closes), Numbers: numbersOf(g)}
	if view.Phase != PhaseOpen {
		view.Sold = &live.Sold{Plays: g.Closed.Plays, StakesCents: g.Closed.StakesCents.Cents()}
	}
	if g.IsSettled() {
		view.Result, view.Corrected = live.ResultOf(&g.Settled), correctedOf(g)
	}
	return view
}

// numbersOf returns a list also where there is none.
func numbersOf(g house.Game) []int {
	if g.Numbers.Len() == 0 {
		return []int{}
	}
	return g.Numbers.Numbers()
}

// time returns a record's time in the house's zone.
func (s *server) time(t record.Time) time.Time { return t.Time().In(s.zone) }
