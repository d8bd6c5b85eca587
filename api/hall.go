package api

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/engine"
	"drawhouse/hall"
	"drawhouse/house"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/state"
)

// Rooms is a house with bingo rooms; *house.House is one. What it returns without an
// error is durable.
type Rooms interface {
	InHall(ctx context.Context, hall uint8, command house.RoomCommand) (record.Body, error)
	ReadHall(ctx context.Context, hall uint8, read func(*state.View, *hall.Kit) error) error
	AddTable(ctx context.Context, hall uint8, file []byte, by record.By) (record.Body, error)
	CallBingo(ctx context.Context, ref record.BingoGame, place int) (record.Body, error)
	PayBingo(ctx context.Context, p hall.Payment) (record.Body, error)
	PayAward(ctx context.Context, p hall.AwardPayment) (record.Body, error)
	FinishBingo(ctx context.Context, ref record.BingoGame) (record.Body, error)
	DrawOffer(ctx context.Context, ref record.Offer, prize uint8) (record.Body, error)
	Scorecard(ctx context.Context, ref record.BingoGame, player uint32, marked []int, auto bool) (*hall.Scorecard, []hall.ShownPattern, error)
}

// HallRecord is what was decided in a bingo room: the record of the journal, with its
// fields by name.
type HallRecord struct {
	Kind   string         `json:"kind" doc:"Kind of the record, such as claim checked."`
	Record map[string]any `json:"record" doc:"Its fields. Amounts end with cents, times are RFC 3339, hashes and bytes are hexadecimal."`
}

// place is where in a bingo room a request is.
type place struct {
	hall    uint8
	session uint32
	game    uint8
	number  uint32 // of the last element of the path: a claim, a player, a device ...
	prize   uint8
}

func (p place) of() record.HallSession { return record.HallSession{Hall: p.hall, Session: p.session} }
func (p place) played() record.BingoGame {
	return record.BingoGame{Hall: p.hall, Session: p.session, Game: p.game}
}
func (p place) offer() record.Offer { return record.Offer{Hall: p.hall, Offer: p.number} }

// hallRoutes registers what people do in bingo rooms.
func (s *server) hallRoutes(rooms Rooms) {
	const (
		room     = "/v1/hall/{hall}"
		session  = room + "/sessions/{session}"
		game     = session + "/games/{game}"
		claim    = game + "/claims/{claim}"
		player   = session + "/players/{player}"
		device   = session + "/devices/{device}"
		offer    = room + "/promotions/{promotion}"
		prize    = offer + "/prizes/{prize}"
		disputes = room + "/disputes"
	)
	r := roomServer{s, rooms}
	post(r, room, "open_hall", "Open a bingo room", r.openHall)
	post(r, room+"/members", "set_member", "Take a number of the loyalty programme in, or out", r.setMember)
	post(r, room+"/sessions", "set_session", "Announce a session with its games and prizes", r.setSession)
	post(r, session+"/plan", "change_session", "Set a session anew that nobody has entered", r.changeSession)
	post(r, session+"/cancellation", "cancel_session", "Cancel a session that nobody has entered", r.cancelSession)
	post(r, session+"/players", "enter_session", "Take a player in, with fee and books", r.enter)
	post(r, session+"/issue", "close_issue", "Enter the first and the last serial issued", r.closeIssue)
	post(r, session+"/sign", "sign_closure", "Put up the sign with the time of closure", r.sign)
	post(r, session+"/close", "close_session", "Close a session", r.close)
	post(r, session+"/incidents", "note_incident", "Note an incident", r.incident)
	post(r, game+"/jackpot", "seal_jackpot", "Seal a game for its jackpot numbers", r.sealJackpot)
	post(r, game+"/announcement", "announce_bingo", "Announce and seal a game", r.announce)
	post(r, game+"/calls", "call_bingo", "Draw the number at a place", r.call)
	post(r, game+"/corrections", "correct_call", "Correct a number that was announced wrongly", r.correct)
	post(r, game+"/claims", "open_claim", "Take down a call", r.openClaim)
	post(r, claim+"/check", "check_claim", "Check a claim", r.check)
	post(r, claim+"/payment", "pay_bingo", "Pay what a claim won", r.pay)
	post(r, game+"/finish", "finish_bingo", "End the draw under way, and with the calls the game", r.finish)
	post(r, game+"/void", "void_bingo", "Declare a game void, or invalidate it", r.void)
	post(r, game+"/invalidation", "invalidate_bingo", "Take from claims of a game that is over what they won by fraud", r.invalidate)
	post(r, player+"/undo", "undo_entry", "Take an entry back, with fee and books", r.undo)
	post(r, player+"/bar", "bar_player", "Take the cards of a player out of play", r.bar)
	post(r, player+"/refund", "pay_bingo_refund", "Hand a player what goes back", r.refund)
	post(r, device+"/failure", "fail_device", "Stop play because an electronic card fails", r.fail)
	post(r, device+"/replacement", "replace_device", "Replace an electronic card", r.replace)
	post(r, device+"/return", "return_device", "Take an electronic card back", r.giveBack)
	post(r, disputes, "raise_dispute", "Take a dispute down", r.raise)
	post(r, disputes+"/{dispute}/steps", "move_dispute", "Take a dispute one step on", r.move)
	post(r, disputes+"/{dispute}/payment", "pay_award", "Pay what a dispute awarded", r.payAward)
	post(r, room+"/promotions", "notify_promotion", "Say that the Authority was given the terms of a promotion, or of a change", r.notify)
	post(r, offer+"/start", "start_promotion", "Open a promotion for entries", r.start)
	post(r, offer+"/entries", "enter_promotion", "Take an entry", r.enterOffer)
	post(r, offer+"/stop", "stop_promotion", "Postpone, clear or cancel a promotion", r.stop)
	post(r, prize+"/draw", "draw_promotion", "Seal and draw a prize", r.drawOffer)
	post(r, prize+"/notices", "tell_winner", "Note an attempt to tell the winner", r.tell)
	post(r, prize+"/claims", "claim_promotion", "Grant or deny a claim", r.claimOffer)
	r.readings(room, session, game)
	r.roomReadings(room)
	r.deskReadings(room, game, player)
	r.offerReadings(room)
	r.heldCardRoute()
}

// roomServer serves bingo rooms.
type roomServer struct {
	*server
	rooms Rooms
}

// post registers an operation with a body of a type.
func post[B any](r roomServer, path, id, summary string, do func(ctx context.Context, at place, body B) (record.Body, error)) {
	var body B
	op := huma.Operation{
		OperationID: id, Method: http.MethodPost, Path: path, Summary: summary, Tags: []string{"bingo"}, Parameters: pathParameters(path),
		Responses: map[string]*huma.Response{"200": r.answers("It is done.", HallRecord{})},
	}
	if reflect.TypeFor[B]().NumField() > 0 {
		op.RequestBody = &huma.RequestBody{Required: true, Content: r.jsonOf(body)}
	}
	r.handle(op, func(w http.ResponseWriter, req *http.Request) error {
		at, err := placeOf(req)
		if err != nil {
			return err
		}
		var body B
		if reflect.TypeFor[B]().NumField() > 0 {
			if err := readStrict(w, req, &body); err != nil {
				return err
			}
		}
		by, err := r.byOf(req, at.hall)
		if err != nil {
			return err
		}
		done, err := do(context.WithValue(req.Context(), byKey{}, by), at, body)
		if err != nil {
			return err
		}
		r.writeJSON(w, req, http.StatusOK, viewRecord(done, r.zone))
		return nil
	})
}

// pathNames are the elements of paths, each with its greatest value.
var pathNames = map[string]uint64{
	"hall": 255, "session": 1<<32 - 1, "game": record.MostBingoGames, "claim": 1<<16 - 1, "player": 1<<32 - 1, "device": 1<<32 - 1,
	"dispute": 1<<32 - 1, "promotion": 1<<32 - 1, "prize": record.MostOfferPrizes,
}

func pathParameters(path string) (list []*huma.Param) {
	for part := range strings.SplitSeq(path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			name = strings.TrimSuffix(name, "}")
			kind := huma.TypeInteger
			if name == "serial" {
				kind = huma.TypeString
			}
			list = append(list, &huma.Param{Name: name, In: "path", Required: true, Schema: &huma.Schema{Type: kind}})
		}
	}
	return list
}

// placeOf reads where a request is.
func placeOf(req *http.Request) (at place, err error) {
	for name, most := range pathNames {
		text := req.PathValue(name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || n == 0 || n > most {
			return place{}, &refusal.Refusal{Code: ParameterValue, Path: name, Sentence: fmt.Sprintf("It must be a whole number from 1 to %d.", most)}
		}
		switch name {
		case "hall":
			at.hall = uint8(n)
		case "session":
			at.session = uint32(n)
		case "game":
			at.game = uint8(n)
		case "prize":
			at.prize = uint8(n)
		default:
			at.number = uint32(n)
		}
	}
	return at, nil
}

// command runs a command of the engine.
func (r roomServer) command(ctx context.Context, hallID uint8, do func(e *engine.Engine, now record.Time) (record.Body, error)) (record.Body, error) {
	return r.rooms.InHall(ctx, hallID, func(e *engine.Engine, now record.Time, _ *hall.Kit) (record.Body, error) { return do(e, now) })
}
