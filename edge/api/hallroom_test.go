package api_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/edge/api"
	"drawhouse/games/bingo"
)

// heldCard is the electronic card of an evening: the first terminal that is added.
const heldCard = 2

// evening opens a room with a session that two players have entered: the first with two
// books of paper, the second with one book on an electronic card.
func (r *bingoRoom) evening() {
	r.t.Helper()
	r.found()
	r.send("POST", "/sessions", 200, `{"day":"2026-11-15","begins":"2026-11-15T20:00:00+11:00","fee_cents":1000,"books_max":2,"series":["K7"],
		"games":[{"prizes":[{"pattern":"bingo","cents":10000},{"pattern":"top-line","cents":2000}]}]}`, nil)
	for _, member := range []string{"100", "200"} {
		r.send("POST", "/members", 200, fmt.Sprintf(`{"member":"%s"}`, member), nil)
	}
	r.send("POST", "/sessions/1/players", 200,
		`{"member":"100","fee_cents":1000,"books":[{"series":"K7","first":101,"last":102}]}`, nil)
	if card := r.addTerminal(1, staff.ChannelDisplay); card != heldCard {
		r.t.Fatalf("the electronic card is terminal %d", card)
	}
	r.send("POST", "/sessions/1/players", 200,
		`{"member":"200","fee_cents":1000,"device":2,"books":[{"series":"K7","first":104,"last":104}]}`, nil)
}

// TestRoomReadings reads what the screens of a room ask, before a session, while players
// enter, and in a game.
func TestRoomReadings(t *testing.T) {
	r := newBingoRoom(t)
	defer r.close()
	r.send("GET", "", 404, "", nil)
	r.send("GET", "/desk", 404, "", nil)
	r.found()
	var room api.HallRoom
	r.send("GET", "", 200, "", &room)
	if room.Hall != 1 || room.VenueName != "Star" || room.Rulebook != "nsw-bingo-2019" || room.Session != nil ||
		room.Game != nil {
		t.Errorf("an empty room is %+v", room)
	}
	r.deliver(r.signed("GET", "/v1/terminals/1/scorecard?auto=true", nil), 404, nil)
}

// TestDeskReadings looks at the desk while players enter, closes the issue by what it
// says, prints a player's books, and looks cards up in the game.
func TestDeskReadings(t *testing.T) {
	r := newBingoRoom(t)
	defer r.close()
	r.evening()
	var desk api.HallDesk
	r.send("GET", "/desk", 200, "", &desk)
	if desk.Session != 1 || desk.Phase != "entering" || desk.FeeCents != 1000 || len(desk.Players) != 2 ||
		desk.Players[1].Device != heldCard || desk.Stock[0].Next != 105 || len(desk.Patterns) < 20 {
		t.Errorf("the desk has %+v", desk)
	}
	if len(desk.Issued) != 1 || desk.Issued[0].Books != (command.Books{Series: "K7", First: 101, Last: 104}) ||
		!slices.Equal(desk.Issued[0].Struck, []uint32{103}) {
		t.Errorf("the desk says that %+v were issued", desk.Issued)
	}
	r.send("POST", "/sessions/1/issue", 200,
		`{"ranges":[{"books":{"series":"K7","first":101,"last":104},"struck":[103]}]}`, nil)

	var printed api.PrintedCards
	r.send("GET", "/sessions/1/players/1/cards", 200, "", &printed)
	if printed.Sheets != 1 || !bytes.HasPrefix(printed.PDF, []byte("%PDF-")) {
		t.Errorf("%d sheets of %d bytes", printed.Sheets, len(printed.PDF))
	}
	r.send("GET", "/sessions/1/players/9/cards", 404, "", nil)

	r.send("POST", "/sessions/1/games/1/announcement", 200, `{}`, nil)
	number := r.call(1)
	var room api.HallRoom
	r.send("GET", "", 200, "", &room)
	if room.Game == nil || !slices.Equal(room.Game.Calls, []int{number}) || room.Game.Seal == "" ||
		room.Session.Shade == "" || len(room.Session.Prizes[1].Places) != 5 {
		t.Errorf("the room shows %+v", room)
	}
	r.checkCard(number)
	r.checkHeld(number)
}

// checkCard looks a card up on which the one number that was called is marked, or not.
func (r *bingoRoom) checkCard(number int) {
	r.t.Helper()
	path := "/sessions/1/games/1/cards/"
	var card api.HallCard
	r.send("GET", path+bingo.Serial{Series: "K7", Book: 101, Game: 1}.String(), 200, "", &card)
	if !card.InPlay || card.Player != 1 || len(card.Boxes) != 6 || !slices.Equal(card.Called, []int{number}) {
		r.t.Errorf("the card is %+v", card)
	}
	for i, box := range card.Boxes {
		want := 15
		if slices.Contains(slices.Concat(box.Lines...), number) {
			want = 14
		}
		if box.Standing[0].Pattern != "bingo" || box.Standing[0].ToGo != want {
			r.t.Errorf("box %d stands at %+v", i+1, box.Standing)
		}
	}
	r.send("GET", path+"K7-000101-01-00", 404, "", nil)
	r.send("GET", path+bingo.Serial{Series: "K7", Book: 103, Game: 1}.String(), 200, "", &card)
	if card.InPlay {
		r.t.Error("a card that was struck out is in play")
	}
}

// checkHeld looks at the electronic card, which is of player 2 and of nobody else.
func (r *bingoRoom) checkHeld(number int) {
	r.t.Helper()
	var held api.HeldCard
	r.deliver(r.signedBy(heldCard, "GET", "/v1/terminals/2/scorecard?auto=true", nil), 200, &held)
	if held.Player != 2 || held.Game != 1 || len(held.Cards) != 1 ||
		!strings.HasPrefix(held.Cards[0].Serial, "K7-000104-01") || !slices.Equal(held.Marked, []int{number}) {
		r.t.Errorf("the electronic card shows %+v", held)
	}
	r.deliver(r.signedBy(heldCard, "GET", "/v1/terminals/1/scorecard", nil), 403, nil)
	r.deliver(r.signedBy(heldCard, "GET", "/v1/terminals/2/scorecard?marked=x", nil), 400, nil)
	r.send("POST", "/sessions/1/devices/2/failure", 200, `{}`, nil)
	r.deliver(r.signedBy(heldCard, "GET", "/v1/terminals/2/scorecard?auto=true", nil), 200, &held)
	if !held.Halted {
		r.t.Error("a card that failed does not say so")
	}
	r.replaceCard()
	r.deliver(r.signedBy(heldCard, "GET", "/v1/terminals/2/scorecard?auto=true", nil), 404, nil)
}

// replaceCard replaces the card that failed, by nothing but another terminal of the venue.
func (r *bingoRoom) replaceCard() {
	r.t.Helper()
	elsewhere, _ := r.elsewhere()
	spare := r.addTerminal(1, staff.ChannelDisplay)
	for with, want := range map[uint32]int{0: 404, 1: 404, elsewhere: 404, 9999: 404} {
		var refused api.Error
		r.send("POST", "/sessions/1/devices/2/replacement", want, fmt.Sprintf(`{"with":%d}`, with), &refused)
		if refused.Fault.Code != "device_unknown" || refused.Fault.Field != "with" || refused.Fault.Clause == "" {
			r.t.Errorf("card 2 is replaced by %d: %+v", with, refused.Fault)
		}
	}
	r.send("POST", "/sessions/1/devices/2/replacement", 200, fmt.Sprintf(`{"with":%d}`, spare), nil)
}
