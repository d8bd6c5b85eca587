package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/edge/api"
	"drawhouse/edge/terminal"
	"drawhouse/games/bingo"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// addTerminal adds a terminal to a venue, with a key that the test knows, and returns its
// number.
func (r *bingoRoom) addTerminal(venue uint32, channel rulebook.Channel) (number uint32) {
	r.t.Helper()
	number = r.house.People().NextTerminal()
	r.staff(staff.AddTerminal{Venue: venue, Channel: channel, Key: terminal.DemoPublic(number)})
	return number
}

// elsewhere adds a venue with a terminal and a dealer, who is on shift at it.
func (r *bingoRoom) elsewhere() (device, dealer uint32) {
	r.t.Helper()
	venue := r.house.People().NextVenue()
	r.staff(staff.AddVenue{Kind: "club", Name: "Elsewhere"})
	device = r.addTerminal(venue, rulebook.ChannelWriter)
	dealer = r.member(record.RoleWriter, venue)
	r.staff(staff.Begin{Person: dealer, Terminal: device, Grant: state.Grant{Role: record.RoleWriter, Venue: venue}})
	return device, dealer
}

// TestRoomIsOfItsVenue: what is not for everybody is read and done in a room from its own
// venue. A terminal of another with its dealer on shift is refused, and so is that dealer
// away from it; the room's own device reads before anybody has signed on there, and does
// nothing.
func TestRoomIsOfItsVenue(t *testing.T) {
	r := newBingoRoom(t)
	defer r.close()
	r.evening()
	r.send("POST", "/sessions/1/issue", 200,
		`{"ranges":[{"books":{"series":"K7","first":101,"last":104},"struck":[103]}]}`, nil)
	r.send("POST", "/sessions/1/games/1/announcement", 200, `{}`, nil)
	device, dealer := r.elsewhere()
	unattended := r.addTerminal(1, rulebook.ChannelWriter)
	const game = "/v1/hall/1/sessions/1/games/1"
	const terms = `{"name":"a","particulars":[],"available":"a","marketing":"a","starts":"2026-12-01T00:00:00Z","closes":"2026-12-02T00:00:00Z","draws":"2026-12-03T00:00:00Z","prizes":[]}`
	for _, c := range []struct {
		name, method, path, body string
		reads                    bool
	}{
		{"desk", http.MethodGet, "/v1/hall/1/desk", "", true},
		{"owed", http.MethodGet, "/v1/hall/1/owed", "", true},
		{"card", http.MethodGet, game + "/cards/" + bingo.Serial{Series: "K7", Book: 101, Game: 1}.String(), "", true},
		{"print", http.MethodGet, "/v1/hall/1/sessions/1/players/1/cards", "", true},
		{"scorecard", http.MethodGet, game + "/scorecard?player=1&auto=true", "", true},
		{"checklist", http.MethodPost, "/v1/hall/1/promotions/checklist", terms, true},
		{"claims", http.MethodGet, game + "/claims", "", false},
		{"member", http.MethodPost, "/v1/hall/1/members", `{"member":"300"}`, false},
		{"call", http.MethodPost, game + "/calls", `{"place":1}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.t = t
			for field, request := range map[string]*http.Request{
				"terminal": r.signedBy(device, c.method, c.path, []byte(c.body)),
				"person":   r.asPerson(dealer, c.method, c.path, c.body),
			} {
				var refused api.Error
				r.deliver(request, http.StatusForbidden, &refused)
				if refused.Fault.Code != api.VenueOther || refused.Fault.Field != field ||
					refused.Fault.Clause != "1.1.dealer-station" {
					t.Errorf("a %s of another venue is answered %+v", field, refused.Fault)
				}
			}
			alone := http.StatusConflict
			if c.reads {
				alone = http.StatusOK
			}
			r.deliver(r.signedBy(unattended, c.method, c.path, []byte(c.body)), alone, nil)
			r.deliver(r.signedBy(1, c.method, c.path, []byte(c.body)), http.StatusOK, nil)
			r.deliver(r.as(record.RoleSenior, c.method, c.path, c.body), http.StatusOK, nil)
		})
	}
	r.t = t
	r.deliver(r.signedBy(device, http.MethodGet, "/v1/hall/1", nil), http.StatusOK, nil) // What the public reads.
	r.deliver(r.signedBy(device, http.MethodGet, fmt.Sprintf("/v1/terminals/%d/scorecard", device), nil),
		http.StatusNotFound, nil)
}
