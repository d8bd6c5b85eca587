package live

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"drawhouse/journal/record"
)

// Event is something that happened and that everybody may know.
type Event struct {
	ID   ID
	Name string
	Body Body
	// frame is the event as server-sent events spell it. It is made once and
	// shared by all clients.
	frame []byte
}

// Body is what an event says. Its types are those of this file and, for bingo rooms, of
// bingo.go, and no others.
type Body interface{ name() string }

// Head is what every event says.
type Head struct {
	ID     ID        `json:"id" doc:"Place of the record that the event was made from."`
	Time   time.Time `json:"time" doc:"Time of the record."`
	Series uint8     `json:"series" doc:"Number of the series of games."`
	Day    string    `json:"day" doc:"Keno Day, a date."`
}

// GameHead is what every event of a game says.
type GameHead struct {
	Head
	Game    uint16 `json:"game" doc:"Number of the game within its Keno Day."`
	Ordinal uint32 `json:"ordinal" doc:"Counts the games of the series from 1 and never restarts."`
}

// DayOpened says that a Keno Day has begun.
type DayOpened struct {
	Head
	OffsetSeconds int32 `json:"utc_offset_seconds" doc:"What local clocks add to UTC on this day."`
}

// DayClosed says that a Keno Day has ended, with its last game settled.
type DayClosed struct {
	Head
	Games uint32 `json:"games" doc:"Games of the day."`
}

// GameOpened says that tickets are sold for a game.
type GameOpened struct {
	GameHead
	Closes   time.Time `json:"closes" doc:"When the game is meant to close."`
	Rulebook string    `json:"rulebook" doc:"Hash of the rulebook that the game is played under."`
	Schedule string    `json:"schedule" doc:"Its schedule of prizes that is current."`
}

// GameClosed says that no ticket is sold or cancelled any more.
type GameClosed struct {
	GameHead
	Sold
	Pools []Pool `json:"pools,omitempty" doc:"The jackpots with what this game has added, ascending by spots."`
}

// Pool is what a jackpot has grown to. What a schedule adds when it is won is not in
// it.
type Pool struct {
	Spots int   `json:"spots"`
	Cents int64 `json:"cents"`
}

// JackpotsChanged says what the jackpots have come to between games.
type JackpotsChanged struct {
	Notice
	Pools []Pool `json:"pools" doc:"Ascending by spots."`
}

// Sold is what was sold for a game.
type Sold struct {
	Plays       uint64 `json:"plays" doc:"Tickets in the game."`
	StakesCents int64  `json:"stakes_cents" doc:"Their stakes in this game."`
}

// GameSealed says that the seal is public, and that numbers may be drawn.
type GameSealed struct {
	GameHead
	Fingerprint string `json:"fingerprint" doc:"First digits of the seal's hash, for people to compare."`
	Note        string `json:"note" doc:"The seal, a signed note."`
}

// GameWitnessed says that somebody outside the house has cosigned the seal.
type GameWitnessed struct {
	GameHead
	By   []string `json:"by" doc:"Names of the witnesses."`
	Note string   `json:"note" doc:"The seal with the cosignatures under it."`
}

// NumberDrawn says that the device has drawn a number.
type NumberDrawn struct {
	GameHead
	Draw   uint8 `json:"draw" doc:"Counts the draws of the game from 1. The numbers of a further one replace those before it, which were void."`
	K      int   `json:"k" doc:"Which number of the draw it is, counted from 1."`
	Number int   `json:"number"`
}

// GameDrawn says that the device has signed all numbers of the game.
type GameDrawn struct {
	GameHead
	Numbers []int `json:"numbers" doc:"All numbers in the order drawn."`
}

// GameSettled says that the prizes are known and payable.
type GameSettled struct {
	GameHead
	Result
	Pools []Pool `json:"pools,omitempty" doc:"The jackpots after it, ascending by spots."`
}

// GameResettled says that more is known of a settled game: what its prizes come to
// now.
type GameResettled struct {
	Head
	Game     uint16 `json:"game" doc:"Number of the game within its Keno Day."`
	Revision uint8  `json:"revision" doc:"Counts the settlements of the game from 1."`
	Result
	Pools []Pool `json:"pools,omitempty" doc:"The jackpots after it, ascending by spots."`
}

// ResultCorrected says that other numbers were drawn in a settled game than were entered.
// What it comes to by these follows at once, as a further settlement.
type ResultCorrected struct {
	Head
	Game     uint16 `json:"game" doc:"Number of the game within its Keno Day."`
	Revision uint8  `json:"revision" doc:"Of the settlement that follows."`
	Numbers  []int  `json:"numbers" doc:"That were drawn, in their order."`
	Reason   string `json:"reason"`
	Clause   string `json:"clause,omitempty"`
}

// DrawVoided says that the numbers of a draw do not count and that the game is drawn
// again.
type DrawVoided struct {
	GameHead
	Draw   uint8  `json:"draw" doc:"Which draw of the game it was, counted from 1."`
	Reason string `json:"reason"`
}

// GameVoided says that a game has no result.
type GameVoided struct {
	GameHead
	Reason   string `json:"reason"`
	Deferred bool   `json:"deferred" doc:"Its tickets are played along with the next game; otherwise the stakes go back."`
	Pools    []Pool `json:"pools,omitempty" doc:"The jackpots after it, ascending by spots."`
}

// PlayPaused says that sale and draws are stopped for the time being, and PlayResumed
// that they go on.
type PlayPaused struct {
	Notice
	Reason string `json:"reason"`
}

// PlayResumed says that sale and draws go on.
type PlayResumed struct{ Notice }

// ClosureAnnounced says that trading ends early.
type ClosureAnnounced struct {
	Notice
	At time.Time `json:"at" doc:"No game opens after it."`
}

// SeriesLimited says with which Keno Day the series ends.
type SeriesLimited struct {
	Notice
	LastDay string `json:"last_day" doc:"The last Keno Day."`
}

// NoticeShown says what the operator tells players from now on.
type NoticeShown struct {
	Notice
	Text string `json:"text" doc:"Empty if the notice was taken down."`
}

// Notice is what events of a series say that are about no game.
type Notice struct {
	ID     ID        `json:"id" doc:"Place of the record that the event was made from."`
	Time   time.Time `json:"time" doc:"Time of the record."`
	Series uint8     `json:"series" doc:"Number of the series of games."`
}

// Result is what a game came to.
type Result struct {
	Winners     uint64       `json:"winners" doc:"Tickets that won in the game."`
	PrizesCents int64        `json:"prizes_cents" doc:"What they won together."`
	Multiplier  int          `json:"multiplier,omitempty" doc:"Factor of the numbers drawn, where the rulebook has one."`
	Jackpots    []JackpotWon `json:"jackpots,omitempty" doc:"Jackpots that were won, ascending by spots."`
}

// JackpotWon is a jackpot that was won in a game.
type JackpotWon struct {
	Spots int   `json:"spots"`
	Ways  int   `json:"ways" doc:"Winning ways that share it."`
	Cents int64 `json:"cents" doc:"What all who won share, beside or instead of the schedule's prize as the rulebook says."`
}

// ResultOf returns what the public may know of a settlement.
func ResultOf(s *record.GameSettled) *Result {
	r := &Result{Winners: s.Winners, PrizesCents: s.PrizesCents.Cents(), Multiplier: int(s.Multiplier)}
	won := func(spots uint8) *JackpotWon {
		i := slices.IndexFunc(r.Jackpots, func(j JackpotWon) bool { return j.Spots == int(spots) })
		if i < 0 {
			i = len(r.Jackpots)
			r.Jackpots = append(r.Jackpots, JackpotWon{Spots: int(spots)})
		}
		return &r.Jackpots[i]
	}
	for _, a := range s.Awards {
		won(a.Spots).Cents += a.AmountCents.Cents()
	}
	for _, w := range s.JackpotWins {
		won(w.Spots).Ways++
	}
	slices.SortFunc(r.Jackpots, func(a, b JackpotWon) int { return a.Spots - b.Spots })
	return r
}

func (DayOpened) name() string        { return "day_opened" }
func (DayClosed) name() string        { return "day_closed" }
func (GameOpened) name() string       { return "game_opened" }
func (GameClosed) name() string       { return "game_closed" }
func (GameSealed) name() string       { return "game_sealed" }
func (NumberDrawn) name() string      { return "number_drawn" }
func (GameDrawn) name() string        { return "game_drawn" }
func (GameSettled) name() string      { return "game_settled" }
func (GameWitnessed) name() string    { return "game_witnessed" }
func (DrawVoided) name() string       { return "draw_voided" }
func (GameVoided) name() string       { return "game_voided" }
func (PlayPaused) name() string       { return "play_paused" }
func (PlayResumed) name() string      { return "play_resumed" }
func (SeriesLimited) name() string    { return "series_limited" }
func (ClosureAnnounced) name() string { return "closure_announced" }
func (NoticeShown) name() string      { return "notice_shown" }
func (JackpotsChanged) name() string  { return "jackpots_changed" }
func (GameResettled) name() string    { return "game_resettled" }
func (ResultCorrected) name() string  { return "result_corrected" }

// Bodies returns an empty body of every kind of event by its name, for anybody who
// describes the feed.
func Bodies() map[string]Body {
	bodies := map[string]Body{}
	for _, b := range append(bingoBodies(), []Body{
		DayOpened{}, DayClosed{}, GameOpened{}, GameClosed{}, GameSealed{}, NumberDrawn{}, GameDrawn{}, GameSettled{},
		GameResettled{}, ResultCorrected{}, JackpotsChanged{},
		GameWitnessed{}, DrawVoided{}, GameVoided{}, PlayPaused{}, PlayResumed{}, ClosureAnnounced{}, SeriesLimited{},
		NoticeShown{},
	}...) {
		bodies[b.name()] = b
	}
	return bodies
}

// newEvent encodes an event.
func newEvent(id ID, body Body) (Event, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return Event{}, fmt.Errorf("live: event %v: %w", id, err)
	}
	frame := fmt.Appendf(nil, "id: %v\nevent: %s\ndata: %s\n\n", id, body.name(), data)
	return Event{ID: id, Name: body.name(), Body: body, frame: frame}, nil
}
