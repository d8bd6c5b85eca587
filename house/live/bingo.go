package live

import "time"

// HallHead is what every event of a bingo room says. The public learns what the dealer
// announces and the screens of the room show, and nothing of players and their cards.
type HallHead struct {
	ID      ID        `json:"id" doc:"Place of the record that the event was made from."`
	Time    time.Time `json:"time" doc:"Time of the record, in UTC."`
	Hall    uint8     `json:"hall" doc:"Number of the bingo room."`
	Session uint32    `json:"session" doc:"Counts the sessions of the room from 1."`
}

// BingoHead is what every event of a game of bingo says.
type BingoHead struct {
	HallHead
	Game uint8 `json:"game" doc:"Number of the game within its session."`
}

// BingoDraw says which draw of a game an event is about.
type BingoDraw string

// The draws.
const (
	BingoJackpotDraw BingoDraw = "jackpot"
	BingoCallsDraw   BingoDraw = "calls"
)

// BingoSessionSet says that a session is announced.
type BingoSessionSet struct {
	HallHead
	Day      string    `json:"day"`
	Begins   time.Time `json:"begins"`
	FeeCents int64     `json:"fee_cents" doc:"For a player."`
	Games    int       `json:"games"`
}

// BingoSessionBegun says that all books are issued and that the games begin.
type BingoSessionBegun struct {
	HallHead
	Players uint32 `json:"players"`
}

// BingoHalted says that play stands still while an electronic card is replaced.
type BingoHalted struct{ HallHead }

// BingoResumed says that play goes on.
type BingoResumed struct{ HallHead }

// BingoSessionClosing is the sign with the time at which a session will close.
type BingoSessionClosing struct {
	HallHead
	At time.Time `json:"at"`
}

// BingoSessionClosed says that a session is over.
type BingoSessionClosed struct{ HallHead }

// BingoPrize is a prize for a pattern.
type BingoPrize struct {
	Pattern string `json:"pattern"`
	Cents   int64  `json:"cents"`
}

// BingoAnnounced says what a game is played for.
type BingoAnnounced struct {
	BingoHead
	Colour         string       `json:"colour" doc:"Of the cards."`
	Prizes         []BingoPrize `json:"prizes" doc:"The first is that of bingo."`
	JackpotNumbers []int        `json:"jackpot_numbers,omitempty" doc:"A bingo on one of them qualifies."`
	JackpotCents   []int64      `json:"jackpot_cents,omitempty" doc:"What each level pays out, from the highest on."`
	Wins           string       `json:"wins,omitempty" doc:"The pattern with which the game is won, if it is another than the full card."`
}

// BingoSealed says that the seal of a draw is public, and that numbers may be drawn.
type BingoSealed struct {
	BingoHead
	Draw        BingoDraw `json:"draw" enum:"jackpot,calls"`
	Fingerprint string    `json:"fingerprint" doc:"First digits of the seal's hash, for people to compare."`
	Note        string    `json:"note" doc:"The seal, a signed note."`
}

// BingoWitnessed says that somebody outside the house has cosigned the seal.
type BingoWitnessed struct {
	BingoHead
	Draw BingoDraw `json:"draw" enum:"jackpot,calls"`
	By   []string  `json:"by" doc:"Names of the witnesses."`
	Note string    `json:"note" doc:"The seal with the cosignatures under it."`
}

// BingoNumberCalled says that the device has drawn a number.
type BingoNumberCalled struct {
	BingoHead
	Draw   BingoDraw `json:"draw" enum:"jackpot,calls"`
	K      int       `json:"k" doc:"Which number of the draw it is, counted from 1."`
	Number int       `json:"number"`
}

// BingoCallCorrected says that another number was announced than the one drawn. A call
// counts from now on, as the last; a jackpot number as it was drawn.
type BingoCallCorrected struct {
	BingoHead
	Draw   BingoDraw `json:"draw" enum:"jackpot,calls"`
	Number int       `json:"number" doc:"The number that was drawn."`
	Wrong  int       `json:"wrong" doc:"The number that was announced for it, which does not count."`
	Calls  []int     `json:"calls" doc:"All numbers of the draw that count, the last one last."`
}

// BingoDrawn says that the device has signed the numbers of a draw.
type BingoDrawn struct {
	BingoHead
	Draw    BingoDraw `json:"draw" enum:"jackpot,calls"`
	Numbers []int     `json:"numbers" doc:"All that count, the last one last."`
}

// BingoClaimOpened says that somebody has called.
type BingoClaimOpened struct {
	BingoHead
	Claim   uint16 `json:"claim" doc:"Counts the claims of the game from 1."`
	Pattern string `json:"pattern"`
	Called  uint8  `json:"called" doc:"How many numbers count for it."`
}

// BingoClaimChecked says what was found of a claim.
type BingoClaimChecked struct {
	BingoHead
	Claim    uint16 `json:"claim"`
	Accepted bool   `json:"accepted"`
	Number   int    `json:"number,omitempty" doc:"The number that completed the box."`
	Level    uint8  `json:"level,omitempty" doc:"Level of the jackpot that it qualifies for, from 1 for the highest."`
	Code     string `json:"code,omitempty" doc:"Why the claim was refused."`
	Clause   string `json:"clause,omitempty" doc:"The clause that refuses it."`
}

// BingoShared is a prize, or a level of the jackpot, that was won and is shared.
type BingoShared struct {
	Pattern    string `json:"pattern,omitempty" doc:"Of a prize."`
	Level      uint8  `json:"level,omitempty" doc:"Of the jackpot, from 1 for the highest."`
	Cents      int64  `json:"cents"`
	Cards      uint16 `json:"cards" doc:"Winners who share it, each with one card or more."`
	ShareCents int64  `json:"share_cents" doc:"What each of them has."`
}

// BingoSettled says that prizes are shared: nobody can call for them any more.
type BingoSettled struct {
	BingoHead
	Final   bool          `json:"final" doc:"The game is over."`
	Prizes  []BingoShared `json:"prizes"`
	Jackpot []BingoShared `json:"jackpot,omitempty"`
	Rolled  []BingoPrize  `json:"rolled,omitempty" doc:"Prizes that nobody had, which roll into the next game."`
}

// BingoVoided says that a game has no result.
type BingoVoided struct {
	BingoHead
	Reason string       `json:"reason"`
	Clause string       `json:"clause"`
	Last   bool         `json:"last,omitempty" doc:"No game of the session follows."`
	Rolled []BingoPrize `json:"rolled,omitempty" doc:"Prizes that roll into the next game."`
}

// ofHall is a body that is about a bingo room, of which the board shows nothing.
type ofHall interface{ hall() }

func (HallHead) hall() {}

func (BingoSessionSet) name() string     { return "bingo_session_set" }
func (BingoSessionBegun) name() string   { return "bingo_session_begun" }
func (BingoHalted) name() string         { return "bingo_halted" }
func (BingoResumed) name() string        { return "bingo_resumed" }
func (BingoSessionClosing) name() string { return "bingo_session_closing" }
func (BingoSessionClosed) name() string  { return "bingo_session_closed" }
func (BingoAnnounced) name() string      { return "bingo_announced" }
func (BingoSealed) name() string         { return "bingo_sealed" }
func (BingoWitnessed) name() string      { return "bingo_witnessed" }
func (BingoNumberCalled) name() string   { return "bingo_number_called" }
func (BingoCallCorrected) name() string  { return "bingo_call_corrected" }
func (BingoDrawn) name() string          { return "bingo_drawn" }
func (BingoClaimOpened) name() string    { return "bingo_claim_opened" }
func (BingoClaimChecked) name() string   { return "bingo_claim_checked" }
func (BingoSettled) name() string        { return "bingo_settled" }
func (BingoVoided) name() string         { return "bingo_voided" }

// bingoBodies are empty bodies of the events of bingo rooms.
func bingoBodies() []Body {
	return []Body{
		BingoSessionSet{}, BingoSessionBegun{}, BingoHalted{}, BingoResumed{}, BingoSessionClosing{},
		BingoSessionClosed{},
		BingoAnnounced{}, BingoSealed{}, BingoWitnessed{}, BingoNumberCalled{}, BingoCallCorrected{}, BingoDrawn{},
		BingoClaimOpened{}, BingoClaimChecked{}, BingoSettled{}, BingoVoided{},
	}
}
