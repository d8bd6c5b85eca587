package api

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/decide/game"
	"drawhouse/edge/terminal"
	"drawhouse/games/bingo"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// asksTheLane are the questions that enter the lane, in its ordinary queue, and why. They
// are for people of the house alone.
var asksTheLane = map[string]string{
	"get-sales":          "the book of the day changes with every sale, and is copied for who asks",
	"list-jackpots":      "the book of the day is one of those that it reads",
	"get-report":         "the book of the day is one of those that it reads",
	"get-report-file":    "the book of the day is one of those that it reads",
	"get-report-behind":  "the book of the day is one of those that it reads",
	"list-unclaimed":     "it searches all prizes that were not fetched",
	"get-unclaimed-file": "it searches all prizes that were not fetched",
}

// evening opens bingo room 1 with a session that a player has entered, and calls a number.
func (r *rig) evening(admin, senior string) (electronic uint32) {
	r.t.Helper()
	electronic = r.house.People().NextTerminal()
	key := terminal.DemoPublic(electronic)
	r.as(admin, http.MethodPost, "/v1/terminals",
		fmt.Sprintf(`{"venue":1,"channel":"display","key":%q}`, base64.RawURLEncoding.EncodeToString(key[:]))).into(r.t,
		&Numbered{})
	const room = "/v1/hall/1"
	r.as(admin, http.MethodPost, room,
		`{"name":"bingo","venue":1,"rulebook":"nsw-bingo-2019","levels":[{"name":"jackpot","share":10000,"seed_cents":50000}]}`).into(r.t, &HallRecord{})
	book, err := rules.Book("nsw-bingo-2019")
	must(r.t, err)
	form, err := bingo.NewForm(book)
	must(r.t, err)
	colours, err := bingo.Palette(1)
	must(r.t, err)
	table, err := form.MakeTable(bingo.Series{ID: "K7", Up: 6, FirstBook: 101, Colours: colours}, 10, r.random)
	must(r.t, err)
	file, err := table.MarshalBinary()
	must(r.t, err)
	r.as(admin, http.MethodPost, room+"/tables", string(file)).into(r.t, &HallRecord{})
	for _, step := range [][2]string{
		{"/sessions",
			`{"day":"2026-11-15","begins":"2026-11-15T20:00:00+11:00","fee_cents":1000,"books_max":2,"series":["K7"],"games":[{"prizes":[{"pattern":"bingo","cents":10000}]}]}`},
		{"/members", `{"member":"100"}`},
		{"/sessions/1/players",
			fmt.Sprintf(`{"member":"100","fee_cents":1000,"device":%d,"books":[{"series":"K7","first":101,"last":101}]}`,
				electronic)},
		{"/sessions/1/issue", `{"ranges":[{"books":{"series":"K7","first":101,"last":101}}]}`},
		{"/sessions/1/games/1/announcement", `{}`},
		{"/sessions/1/games/1/calls", `{"place":1}`},
	} {
		r.as(senior, http.MethodPost, room+step[0], step[1]).into(r.t, &HallRecord{})
	}
	return electronic
}

// settled returns what the lane has decided beside the commands of the test itself, which go by
// the first queue and by the ordinary one. The lane counts a group after the group has its
// answers, and before it begins the next: what is answered says that all before it is counted.
func (r *rig) settled(own *int64) [3]int64 {
	r.t.Helper()
	view := func() {
		_, err := r.house.First().View(context.Background())
		must(r.t, err)
		*own++
	}
	view()
	_, err := r.house.First().Sales(context.Background(), 0)
	must(r.t, err)
	r.asked++
	first, soon := r.commands[lane.First].Load()-*own, r.commands[lane.Soon].Load()
	view()
	return [3]int64{first, soon, r.commands[lane.Ordinary].Load() - r.asked}
}

// eventually waits for a condition.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it did not come about in a minute that %s", what)
		}
	}
}

// TestQuestionsStayOutOfTheLane asks every question of the interface as everybody: nobody
// in particular, a terminal, and a person of each role. Nobody outside the house enters
// the lane by a question, and people of the house only by those listed, never in a place
// that is reserved. What is asked about is there, so that each question is answered.
func TestQuestionsStayOutOfTheLane(t *testing.T) {
	r := newRig(t)
	headers := map[record.Role]string{record.RoleInspector: r.signOn(r.member(record.RoleInspector))}
	for _, role := range record.Roles() {
		if role != record.RoleInspector {
			headers[role] = r.signOn(r.member(role))
		}
	}
	r.openDay()
	won := r.winners("vic-keno-2015", 50, 10)
	r.as(headers[record.RoleWriter], http.MethodPost, "/v1/claims", claimBody("lost", won[0], "")).into(t, &Claim{})
	var card Numbered
	r.as(headers[record.RoleAdministrator], http.MethodPost, "/v1/cards",
		`{"holder":{"name":"Jo Citizen","born":"1990-01-01"}}`).into(t, &card)
	electronic := r.evening(headers[record.RoleAdministrator], headers[record.RoleSenior])
	var asks Approval
	file, err := json.Marshal(map[string]string{"text": rulebook.EditionOf(r.house.First().Book()),
		"reference": "letter 1"})
	must(t, err)
	r.as(headers[record.RoleAdministrator], http.MethodPost, "/v1/operator/rulebooks/files", string(file)).into(t, &asks)
	// What a request that waits would do is foreseen in the lane, for the person who is to consent; this request is over.
	r.as(headers[record.RoleSupervisor], http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", asks.Number),
		decision(asks.Content, false)).into(t, &Approval{})
	var payee struct{ Hash string }
	r.atTerminal(1, http.MethodPost, "/v1/terminals/1/payees", `{"name":"Jo Citizen"}`).into(t, &payee)
	r.atTerminal(1, http.MethodPost, "/v1/terminals/1/shift",
		fmt.Sprintf(`{"person":%d,"password":%q}`, r.member(record.RoleWriter), password)).into(t, &Done{})

	fill := func(id, path string) string {
		serial := won[0]
		if id == "get-held-card" {
			path = strings.ReplaceAll(path, "{terminal}", fmt.Sprint(electronic))
		}
		if id == "get-approval-file" {
			path = strings.ReplaceAll(path, "{approval}", fmt.Sprint(asks.Number))
		}
		if id == "get-bingo-card" {
			serial = fmt.Sprint(bingo.Serial{Series: "K7", Book: 101, Game: 1})
		}
		path = fill(strings.NewReplacer("{serial}", serial, "{card}", fmt.Sprint(card.Number), "{bank}", "1", "{id}",
			"vic-keno-2015", "{report}", "days", "{format}", "csv", "{form}", "csv",
			"{hash}", payee.Hash, "{day}/{number}", "2026-11-15/0").Replace(path))
		switch id {
		case "get-bingo-scorecard":
			path += "?player=1"
		case "compare-rules":
			path += fmt.Sprintf("?from=%[1]v&to=%[1]v", r.house.First().Book().Hash())
		case "get-report-behind":
			path += "?from=2026-11-15&to=2026-11-15&figure=1/Sold"
		case "get-report", "get-report-file", "list-unclaimed", "get-unclaimed-file":
			path += "?from=2026-11-15&to=2026-11-15"
		case "prove-ticket":
			path += "?game=2026-11-15/0"
		case "read-journal":
			path += "?from=0&to=1"
		case "read-object":
			path += "?name=" + game.WinnersName(1, 1, 1)
		}
		return path
	}
	own, asked := r.commands[lane.First].Load(), 0
	answered, entered := map[string]bool{}, map[string]bool{}
	before := r.settled(&own)
	own += before[lane.First] // What the house did until now is not counted.
	before[lane.First] = 0
	for id, op := range r.operations() {
		if op.method != http.MethodGet || strings.HasPrefix(id, "follow-") { // It has no end.
			continue
		}
		path := fill(id, op.path)
		try := func(who string, staff bool, a reply) {
			t.Helper()
			asked++
			answered[id] = answered[id] || a.status == http.StatusOK
			if a.status >= 500 {
				t.Errorf("%s as %s: %d %s", id, who, a.status, a.body)
			}
			after := r.settled(&own)
			if after == before {
				return
			}
			entered[id] = true
			if _, may := asksTheLane[id]; !staff || !may || after[lane.First] != before[lane.First] ||
				after[lane.Soon] != before[lane.Soon] {
				t.Errorf("%s as %s enters the lane: by its queues were %v and are %v", id, who, before, after)
			}
			before = after
		}
		plain := httptest.NewRecorder()
		r.handler.ServeHTTP(plain, httptest.NewRequest(http.MethodGet, path, nil))
		try("nobody", false, reply{plain.Code, plain.Header(), plain.Body.Bytes()})
		at := uint32(1)
		if id == "get-held-card" {
			at = electronic
		}
		header := r.session(at).Sign(http.MethodGet, path, nil)
		try("a terminal", false, r.send(http.MethodGet, path, "", terminal.Header, header))
		for role, header := range headers {
			try(string(role), true, r.as(header, http.MethodGet, path, ""))
		}
	}
	for id, why := range asksTheLane {
		if !entered[id] {
			t.Errorf("%s does not enter the lane, though %s", id, why)
		}
	}
	for id, ok := range answered {
		// A house without direct debits has no file of them:
		// cmd/drawhouse.TestHouseWithCustodians and TestVenueMoney ask for these. This house has no public log:
		// cmd/drawhouse.TestWatch asks for one.
		if !ok && id != "get-debit-file" && id != "get-log-checkpoint" && id != "get-log-part" && id != "prove-seal" {
			t.Errorf("%s was answered to nobody, so that nothing is known of it", id)
		}
	}
	t.Logf("%d questions, %d times asked", len(answered), asked)
}

// TestFloodOfReadersHoldsNothingUp: while many ask for a bingo room that is there and for
// one that is not, games are played and tickets sold, and every reader is answered.
func TestFloodOfReadersHoldsNothingUp(t *testing.T) {
	r := newRig(t)
	admin, senior := r.signOn(r.member(record.RoleAdministrator)), r.signOn(r.member(record.RoleSenior))
	r.openDay()
	r.evening(admin, senior)
	own := r.commands[lane.First].Load()
	own += r.settled(&own)[lane.First]
	stop := make(chan struct{})
	var readers sync.WaitGroup
	var reads atomic.Int64
	for i := range 8 {
		path, want := "/v1/hall/1", http.StatusOK
		if i%2 == 1 {
			path, want = "/v1/hall/2", http.StatusNotFound
		}
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				w := httptest.NewRecorder()
				r.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
				reads.Add(1)
				if w.Code != want {
					t.Errorf("%s: %d %s", path, w.Code, w.Body)
					return
				}
			}
		})
	}
	const games, tickets = 3, 5
	for range games {
		for range tickets {
			r.sell(oneSpot)
		}
		if g := r.play(); !g.IsSettled() {
			t.Errorf("game %d is not settled", g.Ordinal)
		}
	}
	eventually(t, "readers are answered", func() bool { return reads.Load() > 1000 })
	close(stop)
	readers.Wait()
	after := r.settled(&own)
	if after[lane.Ordinary] != games*tickets {
		t.Errorf("%d ordinary commands were decided, and %d tickets sold", after[lane.Ordinary], games*tickets)
	}
	t.Logf("%d reads", reads.Load())
}

// gated is a store whose appends wait while its gate is shut.
type gated struct {
	store.Store
	gate sync.RWMutex // held for writing while it is shut
}

func (g *gated) Append(ctx context.Context, b store.Batch) error {
	g.gate.RLock()
	defer g.gate.RUnlock()
	return g.Store.Append(ctx, b)
}

// TestGamesGoOnUnderAFlood: while the store stands still, sales fill the lane until
// further ones are refused as busy, with 503 and when to come again. A payment still has a
// place. The steps of the timetable wait for theirs, and when the store goes on the game
// is drawn and settled.
func TestGamesGoOnUnderAFlood(t *testing.T) {
	var g *gated
	r := newRigOn(t, "vic-keno-2015", "hotel", "", benchTerminals, func(st store.Store) store.Store {
		g = &gated{Store: st}
		return g
	})
	r.openDay()
	for id := range uint32(benchTerminals) {
		r.session(id + 1)
	}
	g.gate.Lock()
	var flood sync.WaitGroup
	var sent, busy, sold atomic.Int64
	for id := uint32(1); id <= benchTerminals; id++ {
		for number := uint64(1); number <= 16; number++ {
			body, _ := r.saleBody(id, number, oneSpot)
			request := r.signed(http.MethodPut, salePath(id, number), body)
			flood.Go(func() {
				sent.Add(1)
				w := httptest.NewRecorder()
				r.handler.ServeHTTP(w, request)
				switch {
				case w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") != "" &&
					strings.Contains(w.Body.String(), `"busy"`):
					busy.Add(1)
				case w.Code == http.StatusOK:
					sold.Add(1)
				case w.Code >= 500:
					t.Errorf("a sale: %d %s", w.Code, w.Body)
				}
			})
		}
		if busy.Load() > 100 {
			break
		}
	}
	eventually(t, "sales are refused as busy", func() bool { return busy.Load() > 0 })
	played := make(chan error, 1)
	go func() { played <- r.house.First().TurnGame(context.Background(), r.clock.Now().Add(3*time.Minute)) }()
	paid := make(chan int, 1)
	payment := r.signed(http.MethodPut, "/v1/terminals/1/requests/1000/payment", `{"serial":"1","claim_code":"2"}`)
	go func() {
		w := httptest.NewRecorder()
		r.handler.ServeHTTP(w, payment)
		paid <- w.Code
	}()
	select {
	case err := <-played:
		t.Errorf("a step of the timetable was answered while the store stood still: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	g.gate.Unlock()
	must(t, <-played)
	if code := <-paid; code >= 500 {
		t.Errorf("the payment: %d", code)
	}
	flood.Wait()
	if g := r.draw(1); !g.IsSettled() {
		t.Errorf("game %d is not settled", g.Ordinal)
	}
	t.Logf("%d sales sent, %d refused as busy, %d sold", sent.Load(), busy.Load(), sold.Load())
}

// TestToldIsSeen: who was told that something is done finds it done, while others are
// served beside.
func TestToldIsSeen(t *testing.T) {
	r := newRig(t)
	admin, senior := r.signOn(r.member(record.RoleAdministrator)), r.signOn(r.member(record.RoleSenior))
	r.openDay()
	r.evening(admin, senior)
	var sellers sync.WaitGroup
	for id := uint32(2); id < 10; id++ {
		r.session(id)
		sellers.Go(func() {
			for number := uint64(1); number <= 20; number++ {
				r.mu.Lock()
				body, _ := r.saleBody(id, number, oneSpot)
				r.mu.Unlock()
				body = strings.Replace(body, `{"method"`, `{"in_session":true,"method"`, 1)
				w := httptest.NewRecorder()
				r.handler.ServeHTTP(w, r.signed(http.MethodPut, salePath(id, number), body))
				if w.Code != http.StatusOK {
					t.Errorf("sale %d of terminal %d: %d %s", number, id, w.Code, w.Body)
					return
				}
				var counter Counter
				r.atTerminal(id, http.MethodGet, fmt.Sprintf("/v1/terminals/%d", id), "").into(t, &counter)
				var session Session
				r.atTerminal(id, http.MethodGet, fmt.Sprintf("/v1/terminals/%d/session", id), "").into(t, &session)
				if counter.LastRequest != number || len(session.Lines) != int(number) {
					t.Errorf("terminal %d has sold %d tickets, its counter says %d, and its session %d", id, number,
						counter.LastRequest, len(session.Lines))
					return
				}
			}
		})
	}
	for place := 2; place <= 20; place++ {
		r.as(senior, http.MethodPost, "/v1/hall/1/sessions/1/games/1/calls", fmt.Sprintf(`{"place":%d}`, place)).into(t,
			&HallRecord{})
		var room HallRoom
		r.send(http.MethodGet, "/v1/hall/1", "").into(t, &room)
		if len(room.Game.Calls) != place {
			t.Errorf("%d numbers are called, and the room shows %v", place, room.Game.Calls)
		}
	}
	sellers.Wait()
	var card Numbered
	r.as(admin, http.MethodPost, "/v1/cards", `{"holder":{"name":"Jo Citizen","born":"1990-01-01"}}`).into(t, &card)
	path := fmt.Sprintf("/v1/cards/%d", card.Number)
	for _, status := range []string{"excluded", "closed"} {
		r.as(admin, http.MethodPut, path+"/status", fmt.Sprintf(`{"status":%q,"reason":"own wish"}`, status)).into(t, &Done{})
		var statement CardStatement
		r.as(admin, http.MethodGet, path, "").into(t, &statement)
		if statement.Status != status {
			t.Errorf("the card is set to %s, and shown as %s", status, statement.Status)
		}
	}
}

// byTheDevice are the acts that enter the lane in the places of the house's own procedures,
// and why: they hold the one lock of the rooms, so that there is one at a time.
var byTheDevice = map[string]bool{"call-bingo": true, "finish-bingo": true, "draw-promotion": true}

// TestActsLeaveTheTimetableItsPlaces asks for every act as everybody. None of them takes a
// place of the timetable, but where the device draws in a bingo room.
func TestActsLeaveTheTimetableItsPlaces(t *testing.T) {
	c := newCrowd(t)
	ids := map[string]string{}
	for id, op := range c.operations() {
		ids[op.method+" "+op.path] = id
	}
	own := c.commands[lane.First].Load()
	own += c.settled(&own)[lane.First]
	tried, decided := 0, c.commands[lane.Soon].Load()
	for _, w := range c.wishes() {
		id := ids[w.method+" "+w.path]
		if w.method == http.MethodGet {
			continue
		}
		w.path = inPath.ReplaceAllLiteralString(w.path, "1")
		for who := range uint8(callers) {
			tried++
			c.try(t, who, w)
			if first := c.settled(&own)[lane.First]; first != 0 {
				own += first
				if !byTheDevice[id] {
					t.Errorf("%s takes %d places of the timetable", id, first)
				}
			}
		}
	}
	if decided = c.commands[lane.Soon].Load() - decided; decided < 50 {
		t.Errorf("%d acts of %d were decided in the lane", decided, tried)
	}
	t.Logf("%d acts tried, %d decided in the lane", tried, decided)
}
