package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/edge/api"
	"drawhouse/edge/terminal"
	"drawhouse/games/bingo"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
	"drawhouse/journal/store/storetest"
	"drawhouse/rulebook/rules"
)

// bingoRoom is a running house with a bingo room, spoken to over HTTP.
type bingoRoom struct {
	t       *testing.T
	disk    *storetest.Disk
	keys    house.Keys
	entropy *rand.ChaCha8
	clock   *stillClock
	house   *house.House
	store   *storetest.Memory
	handler http.Handler

	sessions map[uint32]*terminal.Session // of devices that have said hello

	register *person.Register
	bearer   map[uint32]string // of who has signed on, by person
}

// stillClock is a clock that the test moves.
type stillClock struct{ now time.Time }

func (c *stillClock) Now() time.Time                                   { return c.now }
func (c *stillClock) WaitUntil(ctx context.Context, t time.Time) error { return nil }

func newBingoRoom(t *testing.T) *bingoRoom {
	t.Helper()
	r := &bingoRoom{t: t, disk: storetest.NewDisk(), entropy: rand.NewChaCha8([32]byte{9}),
		clock: &stillClock{time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)}}
	keys, err := house.OpenKeys(filepath.Join(t.TempDir(), "keys"), "bingo.example", r.entropy)
	if err != nil {
		t.Fatal(err)
	}
	r.keys = keys
	if r.register, err = person.Open(t.Context(), t.TempDir(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.register.Close() })
	r.open()
	r.member(record.RoleAdministrator, 0)
	r.member(record.RoleSenior, 1)
	dealer := r.member(record.RoleWriter, 1)
	r.staff(staff.Begin{Person: dealer, Terminal: 1, Grant: state.Grant{Role: record.RoleWriter, Venue: 1}})
	return r
}

const hallPassword = "a room of ninety numbers"

func (r *bingoRoom) staff(c staff.Command) record.Body {
	r.t.Helper()
	made, err := r.house.Do(r.t.Context(), command.Change{Command: c}, record.By{})
	if err != nil {
		r.t.Fatal(err)
	}
	return made
}

// member brings somebody with a role into the house, whose number is returned.
func (r *bingoRoom) member(role record.Role, venue uint32) uint32 {
	r.t.Helper()
	secret, err := person.NewSecret(hallPassword, person.LeastCost, r.entropy)
	if err == nil {
		err = r.register.PutSecret(r.t.Context(), secret)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return staff.NumberOf(r.staff(staff.AddPerson{Details: record.Hash{1}, Secret: secret.Hash(),
		Grants: []state.Grant{{Role: role, Venue: venue}}}))
}

// as returns a request of the person with a role, who signs on first.
func (r *bingoRoom) as(role record.Role, method, path, body string) *http.Request {
	r.t.Helper()
	var id uint32
	for _, one := range r.house.People().Persons() {
		if one.HasAny(role) {
			id = one.ID
		}
	}
	return r.asPerson(id, method, path, body)
}

// asPerson returns a request of a person, who signs on first.
func (r *bingoRoom) asPerson(id uint32, method, path, body string) *http.Request {
	r.t.Helper()
	if r.bearer[id] == "" {
		w := httptest.NewRecorder()
		sign := fmt.Sprintf(`{"person":%d,"password":%q,"bearer":true}`, id, hallPassword)
		r.handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/session", strings.NewReader(sign)))
		var on api.SignedOn
		if err := json.Unmarshal(w.Body.Bytes(), &on); err != nil || w.Code != http.StatusOK {
			r.t.Fatalf("sign on: %d %s", w.Code, w.Body)
		}
		r.bearer[id] = "Bearer " + on.Token
	}
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.Header.Set("Authorization", r.bearer[id])
	return request
}

// supervise sends a body as the senior of the venue, away from its terminals.
func (r *bingoRoom) supervise(method, path string, status int, body string, answer any) {
	r.t.Helper()
	r.deliver(r.as(record.RoleSenior, method, "/v1/hall/1"+path, body), status, answer)
}

// administer sends a body as the administrator.
func (r *bingoRoom) administer(method, path string, status int, body string, answer any) {
	r.t.Helper()
	r.deliver(r.as(record.RoleAdministrator, method, "/v1/hall/1"+path, body), status, answer)
}

// open opens the house on its disk, as after a restart.
func (r *bingoRoom) open() {
	r.t.Helper()
	r.sessions, r.bearer = map[uint32]*terminal.Session{}, map[uint32]string{}
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		r.t.Fatal(err)
	}
	r.store = storetest.OpenMemory(r.disk)
	r.house, err = house.Open(context.Background(), house.Config{
		Store: r.store, Keys: r.keys, Clock: r.clock, Entropy: r.entropy,
		Founding: engine.Founding{
			House: "bingo.example", Build: "test", HouseKey: r.keys.HouseVerifier, DeviceKey: r.keys.DeviceVerifier,
			SerialKey: r.keys.SerialKey,
			Book:      book, Series: "keno", Schedule: book.Schedules()[0].ID(),
			Venues:    []record.VenueAdded{{Venue: 1, Kind: "casino", Name: "Star"}},
			Terminals: []record.TerminalAdded{{Terminal: 1, Venue: 1, Channel: "writer"}},
			People:    []record.Body{&record.TerminalKeyed{Terminal: 1, Key: terminal.DemoPublic(1)}},
		},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	if r.handler, err = api.New(r.house, api.Options{Version: "test", Now: r.clock.Now, Register: r.register,
		Cost: person.LeastCost}); err != nil {
		r.t.Fatal(err)
	}
}

func (r *bingoRoom) close() {
	r.t.Helper()
	if err := r.house.CheckView(context.Background()); err != nil {
		r.t.Error(err)
	}
	if err := r.house.Close(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	if err := r.store.Close(); err != nil {
		r.t.Fatal(err)
	}
}

// signed returns a request of the room's device.
func (r *bingoRoom) signed(method, path string, body []byte) *http.Request {
	r.t.Helper()
	return r.signedBy(1, method, path, body)
}

// signedBy returns a request of a device, which says hello first.
func (r *bingoRoom) signedBy(device uint32, method, path string, body []byte) *http.Request {
	r.t.Helper()
	if r.sessions[device] == nil {
		hello, secret, err := terminal.Begin(terminal.DemoKey(device), device, r.clock.now, r.entropy)
		if err != nil {
			r.t.Fatal(err)
		}
		data, err := json.Marshal(hello)
		if err != nil {
			r.t.Fatal(err)
		}
		w := httptest.NewRecorder()
		r.handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, fmt.Sprintf("/v1/terminals/%d/hello", device),
			bytes.NewReader(data)))
		var welcome terminal.Welcome
		if err := json.Unmarshal(w.Body.Bytes(), &welcome); err != nil || w.Code != http.StatusOK {
			r.t.Fatalf("hello: %d %s", w.Code, w.Body)
		}
		if r.sessions[device], err = terminal.Finish(secret, device, hello, welcome); err != nil {
			r.t.Fatal(err)
		}
	}
	request := httptest.NewRequest(method, path, bytes.NewReader(body))
	request.Header.Set(terminal.Header, r.sessions[device].Sign(method, request.RequestURI, body))
	return request
}

// send sends a body as the dealer who is on shift at the room's device.
func (r *bingoRoom) send(method, path string, status int, body string, answer any) string {
	r.t.Helper()
	r.clock.now = r.clock.now.Add(time.Second)
	return r.deliver(r.signed(method, "/v1/hall/1"+path, []byte(body)), status, answer)
}

// deliver sends a request, and reads the answer unless there is nothing to read it into.
func (r *bingoRoom) deliver(request *http.Request, status int, answer any) string {
	r.t.Helper()
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, request)
	if w.Code != status {
		r.t.Fatalf("%s %s: %d, want %d\n%s", request.Method, request.URL.Path, w.Code, status, w.Body)
	}
	if answer != nil {
		if err := json.Unmarshal(w.Body.Bytes(), answer); err != nil {
			r.t.Fatal(err)
		}
	}
	return w.Body.String()
}

// TestBingoOverHTTP plays a game from the opening of the room to the payment over the
// interface, restarts the house within it, and has package verify check the journal.
func TestBingoOverHTTP(t *testing.T) {
	r := newBingoRoom(t)
	r.found()
	r.send("POST", "/sessions", 200, `{"day":"2026-11-15","begins":"2026-11-15T20:00:00+11:00","fee_cents":1000,"books_max":2,"series":["K7"],
		"games":[{"prizes":[{"pattern":"bingo","cents":10000},{"pattern":"top-line","cents":2000}],"jackpot_numbers":2}]}`, nil)
	for i, member := range []string{"100", "200"} {
		r.send("POST", "/members", 200, fmt.Sprintf(`{"member":"%s"}`, member), nil)
		r.send("POST", "/sessions/1/players", 200,
			fmt.Sprintf(`{"member":"%s","fee_cents":1000,"books":[{"series":"K7","first":%d,"last":%d}]}`, member, 101+i, 101+i),
			nil)
	}
	r.send("POST", "/sessions/1/issue", 200, `{"ranges":[{"books":{"series":"K7","first":101,"last":102}}]}`, nil)

	r.send("POST", "/sessions/1/games/1/announcement", 409, `{}`, nil)
	r.send("POST", "/sessions/1/games/1/jackpot", 200, `{}`, nil)
	r.call(1)
	r.call(2)
	r.send("POST", "/sessions/1/games/1/finish", 200, `{}`, nil)
	r.send("POST", "/sessions/1/games/1/announcement", 200, `{}`, nil)

	first := r.call(1)
	if again := r.call(1); again != first {
		t.Errorf("number 1 is %d, and asked again %d", first, again)
	}
	r.send("POST", "/sessions/1/games/1/calls", 422, `{"place":3}`, nil)
	for place := 2; place <= 10; place++ {
		r.call(place)
	}
	r.close() // In the middle of the game.
	r.open()
	player, box := r.playUntilBingo(11)

	serial := bingo.Serial{Series: "K7", Book: 100 + player, Game: 1}
	r.send("POST", "/sessions/1/games/1/claims", 200,
		fmt.Sprintf(`{"pattern":"bingo","serial":"%v","box":%d}`, serial, box), nil)
	r.send("POST", "/sessions/1/games/1/claims/1/check", 403, `{"card_in_hand":true,"marked":true}`, nil)
	r.supervise("POST", "/sessions/1/games/1/claims/1/check", 200, `{"card_in_hand":true,"marked":true}`, nil)
	r.send("POST", "/sessions/1/games/1/finish", 200, `{}`, nil)
	var game api.HallGame
	r.send("GET", "/sessions/1/games/1", 200, "", &game)
	if len(game.Claims) != 1 || !game.Claims[0].Accepted || game.Claims[0].Cents != 100_00 || game.Phase != "over" {
		t.Errorf("the game ended as %+v", game)
	}
	r.onlyHere(serial.String())
	r.send("POST", "/sessions/1/games/1/claims/1/payment", 200,
		fmt.Sprintf(`{"prize":[{"medium":"cash","cents":10000}]%s}`, r.jackpotPart(game.Claims[0].JackpotCents)), nil)
	r.send("POST", "/sessions/1/close", 200, `{}`, nil)
	r.verifies()
	r.close()
}

// onlyHere looks for the card of the one claim of a game: everybody reads what came of the
// claim, and only who works in the venue whose card it was.
func (r *bingoRoom) onlyHere(serial string) {
	r.t.Helper()
	const game = "/v1/hall/1/sessions/1/games/1"
	var own struct{ Claims []map[string]any }
	var room struct {
		Last struct{ Claims []map[string]any }
	}
	r.deliver(httptest.NewRequest(http.MethodGet, game, nil), 200, &own)
	r.deliver(httptest.NewRequest(http.MethodGet, "/v1/hall/1", nil), 200, &room)
	for _, claim := range append(own.Claims, room.Last.Claims...) {
		for _, private := range []string{"serial", "book", "series", "box", "player"} {
			if value, ok := claim[private]; ok {
				r.t.Errorf("everybody is shown the %s %v", private, value)
			}
		}
	}
	if len(own.Claims) != 1 || len(room.Last.Claims) != 1 || own.Claims[0]["accepted"] != true {
		r.t.Errorf("everybody is shown %v and %v", own, room)
	}
	r.deliver(httptest.NewRequest(http.MethodGet, game+"/claims", nil), 401, nil)
	r.staff(staff.AddVenue{Kind: "club", Name: "Elsewhere"})
	other := r.member(record.RoleWriter, 2)
	r.deliver(r.asPerson(other, http.MethodGet, game+"/claims", ""), 403, nil)
	var whole api.HallCardClaims
	r.send("GET", "/sessions/1/games/1/claims", 200, "", &whole)
	if len(whole.Claims) != 1 || whole.Claims[0].Serial != serial || whole.Claims[0].Player == 0 {
		r.t.Errorf("the dealer is shown %+v", whole)
	}
}

func (r *bingoRoom) jackpotPart(cents int64) string {
	if cents == 0 {
		return ""
	}
	return fmt.Sprintf(`,"jackpot":[{"medium":"cheque","cents":%d}]`, cents)
}

// found opens the room and brings cards into it.
func (r *bingoRoom) found() {
	r.t.Helper()
	book, err := rules.Book("nsw-bingo-2019")
	if err != nil {
		r.t.Fatal(err)
	}
	r.send("GET", "/sessions/1", 404, "", nil)
	open := `{"name":"bingo","venue":1,"rulebook":"nsw-bingo-2019","levels":[{"name":"jackpot","share":10000,"seed_cents":50000}]}`
	r.administer("POST", "", 422, strings.Replace(open, "nsw-bingo-2019", "vic-keno-2015", 1), nil)
	r.administer("POST", "", 400, strings.Replace(open, "nsw-bingo-2019", "no-such-book", 1), nil)
	for _, wrong := range []string{`"share":9999`, `"share":10000,"within":20`, `"share":10000,"name":""`} {
		r.administer("POST", "", 422, strings.Replace(open, `"share":10000`, wrong, 1), nil)
	}
	if course, err := r.house.First().Course(r.t.Context()); err != nil || len(course.Books) != 1 {
		r.t.Errorf("rooms that were refused leave %d rulebooks adopted: %v", len(course.Books), err)
	}
	r.administer("POST", "", 200, open, nil)
	r.administer("POST", "", 409, open, nil)
	r.send("POST", "", 403, open, nil) // No administration from a terminal.
	r.supervise("POST", "", 403, open, nil)
	r.send("POST", "/members", 422, `{"member":""}`, nil)
	r.send("POST", "/members", 400, `{"member":"1","by":{"person":1,"rank":"casino_supervisor"}}`, nil)
	form, err := bingo.NewForm(book)
	if err != nil {
		r.t.Fatal(err)
	}
	colours, err := bingo.Palette(1)
	if err != nil {
		r.t.Fatal(err)
	}
	table, err := form.MakeTable(bingo.Series{ID: "K7", Up: 6, FirstBook: 101, Colours: colours}, 10, r.entropy)
	if err != nil {
		r.t.Fatal(err)
	}
	file, err := table.MarshalBinary()
	if err != nil {
		r.t.Fatal(err)
	}
	r.administer("POST", "/tables", 404, string(file[1:]), nil)
	r.administer("POST", "/tables", 200, string(file), nil)
}

// call draws the number at a place.
func (r *bingoRoom) call(place int) int {
	r.t.Helper()
	var answer struct {
		Record struct {
			Number int `json:"number"`
		} `json:"record"`
	}
	r.send("POST", "/sessions/1/games/1/calls", 200, fmt.Sprintf(`{"place":%d}`, place), &answer)
	return answer.Record.Number
}

// playUntilBingo calls numbers until a scorecard has a full house, and returns whose
// and which box.
func (r *bingoRoom) playUntilBingo(place int) (player, box int) {
	r.t.Helper()
	for ; place <= 90; place++ {
		r.call(place)
		for player := 1; player <= 2; player++ {
			var card api.ShownScorecard
			r.send("GET", fmt.Sprintf("/sessions/1/games/1/scorecard?player=%d&auto=true", player), 200, "", &card)
			if len(card.Marked) != place {
				r.t.Fatalf("%d numbers are marked of %d", len(card.Marked), place)
			}
			i := slices.IndexFunc(card.Patterns, func(p api.ShownPattern) bool { return p.Pattern == "bingo" })
			if card.Patterns[i].ToGo == 0 {
				return player, fullBox(&card)
			}
		}
	}
	r.t.Fatal("nobody has a full house")
	return 0, 0
}

// fullBox returns the box of a card whose numbers are all marked, from 1.
func fullBox(card *api.ShownScorecard) int {
	return 1 + slices.IndexFunc(card.Cards[0].Boxes, func(lines [][]int) bool {
		for _, n := range slices.Concat(lines...) {
			if n != 0 && !slices.Contains(card.Marked, n) {
				return false
			}
		}
		return true
	})
}

// verifies exports the journal and has package verify check it.
func (r *bingoRoom) verifies() {
	r.t.Helper()
	name := filepath.Join(r.t.TempDir(), "export")
	dir, err := export.CreateDir(name)
	if err != nil {
		r.t.Fatal(err)
	}
	defer dir.Close()
	head, err := r.store.Head(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	about := verify.House{House: "bingo.example", Volume: 1, HouseKey: r.keys.HouseVerifier,
		DeviceKey: r.keys.DeviceVerifier}
	if err := export.Write(context.Background(), dir, about, head.Checkpoint, r.store); err != nil {
		r.t.Fatal(err)
	}
	read, err := export.OpenDir(name)
	if err != nil {
		r.t.Fatal(err)
	}
	defer read.Close()
	if report := verify.Run(read, verify.Options{}); !report.OK() {
		r.t.Error(report.Failure)
	}
}
