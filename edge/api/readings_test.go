package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/edge/terminal"
	"drawhouse/house"
	"drawhouse/house/live"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

func TestGames(t *testing.T) {
	r := newRig(t)
	var games Games
	r.send(http.MethodGet, "/v1/games", "").into(t, &games)
	if games.Games == nil || len(games.Games) != 0 {
		t.Errorf("%+v", games)
	}
	r.openDay()
	r.sell(oneSpot)
	g := r.play()
	r.send(http.MethodGet, "/v1/games?limit=2", "").into(t, &games)
	if len(games.Games) != 2 || games.Games[0].Phase != PhaseOpen || games.Games[1].Phase != PhaseSettled ||
		games.Games[0].Numbers == nil {
		t.Errorf("%+v", games)
	}
	if closes := games.Games[0].Closes.Format(time.RFC3339); closes != "2026-11-15T12:03:00+11:00" {
		t.Errorf("closes %s", closes)
	}
	for _, limit := range []string{"0", "201", "x", "-1"} {
		wantFault(t, r.send(http.MethodGet, "/v1/games?limit="+limit, ""), http.StatusBadRequest, "parameter_value", "limit")
	}
	var whole WholeGame
	r.send(http.MethodGet, fmt.Sprintf("/v1/games/%v/%d", g.Ref.Day, g.Ref.Number), "").into(t, &whole)
	if !slices.Equal(whole.Numbers, g.Numbers.Numbers()) || whole.Sold.Plays != 1 || whole.Settled.Ways != 1 ||
		whole.SettledAt.IsZero() {
		t.Errorf("%+v", whole)
	}
	if whole.Seal == nil || !strings.Contains(whole.Seal.Note, "drawhouse/seal/v1") ||
		!strings.Contains(whole.DrawNote, "drawhouse/draw/v1") {
		t.Errorf("signed: %+v %s", whole.Seal, whole.DrawNote)
	}
	if board := r.house.Hub().Board(); board.Series[0].Results[0].Seal.Fingerprint != whole.Seal.Fingerprint {
		t.Error("the board shows another fingerprint")
	}
	wantFault(t, r.send(http.MethodGet, "/v1/games/2026-11-15/999", ""), http.StatusNotFound, "game_unknown", "game")
	wantFault(t, r.send(http.MethodGet, "/v1/games/yesterday/1", ""), http.StatusBadRequest, "parameter_value", "game")
}

func TestTicket(t *testing.T) {
	r := newRig(t)
	r.openDay()
	sold, _ := r.sell(strings.Replace(oneSpot, `"bets"`, `"games":3,"bets"`, 1))
	var ticket Ticket
	answer := r.send(http.MethodGet, "/v1/tickets/"+sold.Serial, "")
	answer.into(t, &ticket)
	if ticket.ToCome != 2 || len(ticket.Games) != 1 || ticket.Games[0].Phase != PhaseOpen ||
		ticket.LeafHash != sold.LeafHash || ticket.CostCents != 600 {
		t.Errorf("%+v", ticket)
	}
	for _, secret := range []string{"terminal", "claim", "venue", "session", "request"} {
		if bytes.Contains(answer.body, []byte(secret)) {
			t.Errorf("the ticket tells the %s", secret)
		}
	}
	wantFault(t, r.send(http.MethodGet, "/v1/tickets/1234", ""), http.StatusNotFound, "serial_unreadable", "serial")
	other, err := r.house.Serial(record.Place{Volume: 1, Seq: 1_000_000})
	must(t, err)
	wantFault(t, r.send(http.MethodGet, "/v1/tickets/"+other.String(), ""), http.StatusNotFound, "ticket_unknown",
		"serial")
}

func TestRulebooks(t *testing.T) {
	r := newRig(t)
	var list Rulebooks
	r.send(http.MethodGet, "/v1/rulebooks", "").into(t, &list)
	if len(list.Rulebooks) != 1 || list.Rulebooks[0].ID != "vic-keno-2015" || len(list.Rulebooks[0].Hash) != 64 {
		t.Errorf("%+v", list)
	}
	var whole struct {
		ID   string
		Book struct{ Rulebook, Currency string }
	}
	r.send(http.MethodGet, "/v1/rulebooks/vic-keno-2015", "").into(t, &whole)
	if whole.ID != "vic-keno-2015" || whole.Book.Rulebook != whole.ID || whole.Book.Currency != "AUD" {
		t.Errorf("%+v", whole)
	}
	wantFault(t, r.send(http.MethodGet, "/v1/rulebooks/none", ""), http.StatusNotFound, "rulebook_unknown", "id")
}

func TestBoardAndCheckpoint(t *testing.T) {
	r := newRig(t)
	r.openDay()
	var board live.Board
	r.send(http.MethodGet, "/v1/board", "").into(t, &board)
	if board.House.Name != "rig.example" || board.Series[0].Open == nil || board.Now.IsZero() {
		t.Errorf("%+v", board)
	}
	note := r.send(http.MethodGet, "/v1/checkpoint", "")
	if note.status != http.StatusOK || !bytes.HasPrefix(note.body, []byte("rig.example/v1\n")) {
		t.Errorf("%d %s", note.status, note.body)
	}
}

func TestPathsAndOrigins(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct{ method, path string }{{"GET", "/v1/nothing"}, {"POST", "/v2"}} {
		wantFault(t, r.send(c.method, c.path, ""), http.StatusNotFound, "no_such_path", "")
	}
	other := r.send(http.MethodPut, salePath(1, 1), "{}", "Sec-Fetch-Site", "cross-site")
	wantFault(t, other, http.StatusForbidden, "origin_other", "")
	if cors := other.header.Get("Access-Control-Allow-Origin"); cors != "" {
		t.Errorf("pages of other origins may read: %s", cors)
	}
}

// TestEvents follows the feed, drops the connection and goes on by either way of
// naming the last event.
func TestEvents(t *testing.T) {
	r := newRig(t)
	server := httptest.NewServer(r.handler)
	defer server.Close()
	defer r.house.Hub().Close()
	r.openDay()
	opened := r.house.Hub().Newest()
	r.play()
	next := func(query, header string) string {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/v1/events"+query, nil)
		must(t, err)
		if header != "" {
			request.Header.Set("Last-Event-ID", header)
		}
		response, err := server.Client().Do(request)
		must(t, err)
		defer response.Body.Close()
		lines := bufio.NewScanner(response.Body)
		for lines.Scan() {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok && name != live.TickName {
				return name
			}
		}
		return ""
	}
	for _, c := range []struct{ query, header, want string }{
		{"?after=1:0", "", "jackpots_changed"},
		{"?after=" + opened.String(), "", "game_closed"},
		{"", opened.String(), "game_closed"},
		{"?after=1:0", opened.String(), "game_closed"},
		{"?after=9:0", "", "reset"},
	} {
		if got := next(c.query, c.header); got != c.want {
			t.Errorf("after %s %s: %s, want %s", c.query, c.header, got, c.want)
		}
	}
	wantFault(t, r.send(http.MethodGet, "/v1/events?after=x", ""), http.StatusBadRequest, "parameter_value", "after")
	wantFault(t, r.send(http.MethodGet, "/v1/events", "", "Last-Event-ID", "x"), http.StatusBadRequest, "parameter_value",
		"Last-Event-ID")
}

// TestDescription holds the description against what is served: every operation
// is there, and every reference has its schema.
func TestDescription(t *testing.T) {
	r := newRig(t)
	answer := r.send(http.MethodGet, "/openapi.json", "")
	var spec huma.OpenAPI
	must(t, json.Unmarshal(answer.body, &struct {
		OpenAPI *string `json:"openapi"`
	}{&spec.OpenAPI}))
	if !strings.HasPrefix(spec.OpenAPI, "3.1") {
		t.Errorf("version %s", spec.OpenAPI)
	}
	var parts struct {
		Paths      map[string]map[string]struct{ OperationID string }
		Components struct{ Schemas map[string]any }
	}
	must(t, json.Unmarshal(answer.body, &parts))
	var operations []string
	for path, methods := range parts.Paths {
		for method := range methods {
			operations = append(operations, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(operations)
	// Whatever is registered with who may use it is described; TestAccess tries each.
	asked, _ := r.handler.(*Server)
	if all := len(asked.server.access); len(operations) != all {
		t.Errorf("%d operations are described, and %d are registered", len(operations), all)
	}
	for _, want := range []string{"GET /healthz", "GET /v1/events", "PUT /v1/terminals/{terminal}/requests/{request}/sale",
		"POST /v1/session"} {
		if !slices.Contains(operations, want) {
			t.Errorf("%s is not described", want)
		}
	}
	for _, m := range regexp.MustCompile(`"#/components/schemas/([^"]+)"`).FindAllSubmatch(answer.body, -1) {
		if _, ok := parts.Components.Schemas[string(m[1])]; !ok {
			t.Errorf("no schema %s", m[1])
		}
	}
	for _, name := range []string{"Sale", "Ticket", "LiveBoard", "LiveNumberDrawn", "Error"} {
		if _, ok := parts.Components.Schemas[name]; !ok {
			t.Errorf("no schema %s", name)
		}
	}
	if bytes.Contains(answer.body, []byte("http://")) || bytes.Contains(answer.body, []byte("https://")) {
		t.Error("the description names another origin")
	}
}

// failing is a house that cannot decide.
type failing struct {
	*house.House
	err  error
	pays []error
}

func (f *failing) Sell(context.Context, record.Request, house.Order, serial.ClaimHash, money.Amount) (house.Sold,
	error) {
	if f.err == nil {
		panic("not to be shown")
	}
	return house.Sold{}, f.err
}

func (f *failing) Pay(context.Context, record.Request, record.Place, house.Holder) (house.Paid, error) {
	err := f.pays[0]
	f.pays = f.pays[1:]
	return house.Paid{}, err
}

func (f *failing) Checkpoint(context.Context) ([]byte, error) { return nil, f.err }

// TestHouseFails finds the house's faults told to the log and to nobody else.
func TestHouseFails(t *testing.T) {
	r := newRig(t)
	r.openDay()
	real := r.handler
	for name, c := range map[string]struct {
		err    error
		status int
		code   refusal.Code
		logged bool
	}{
		"busy":    {fmt.Errorf("lane: %w", lane.ErrBusy), 503, Busy, false},
		"stopped": {fmt.Errorf("lane: %w", lane.ErrStopped), 503, Stopped, false},
		"unknown": {fmt.Errorf("lane: %w: %w", lane.ErrUnknown, context.Canceled), 503, OutcomeUnknown, false},
		"fault":   {errors.New("disk on fire"), 500, Internal, true},
		"panic":   {nil, 500, Internal, true},
	} {
		t.Run(name, func(t *testing.T) {
			r.t = t
			r.log.Reset()
			handler, err := New(&failing{House: r.house, err: c.err}, Options{Log: logTo(r.log), Now: r.clock.Now})
			must(t, err)
			r.handler, r.sessions = handler, map[uint32]*terminal.Session{}
			body, _ := r.saleBody(1, 1, oneSpot)
			answer := r.send(http.MethodPut, salePath(1, 1), body)
			fault := answer.fault(t)
			if answer.status != c.status || fault.Code != c.code ||
				(answer.header.Get("Retry-After") != "") != (c.status == 503) {
				t.Errorf("%d %s", answer.status, answer.body)
			}
			if bytes.Contains(answer.body, []byte("fire")) || bytes.Contains(answer.body, []byte("not to be shown")) {
				t.Errorf("the client is told %s", answer.body)
			}
			if (r.log.Len() > 0) != c.logged || c.logged && (fault.ID == "" || !strings.Contains(r.log.String(), fault.ID)) {
				t.Errorf("id %q, log %s", fault.ID, r.log)
			}
			if c.err != nil {
				wantStatus := c.status
				if got := r.send(http.MethodGet, "/v1/checkpoint", ""); got.status != wantStatus {
					t.Errorf("checkpoint: %d %s", got.status, got.body)
				}
			}
		})
	}
	r.handler = real
}

// TestResultWhileClaiming has a result come between the look at a ticket and its
// payment: the claim is made once more, and no more.
func TestResultWhileClaiming(t *testing.T) {
	r := newRig(t)
	r.openDay()
	sold, code := r.sell(oneSpot)
	came := &refusal.Refusal{Code: "facts_missing", Sentence: "A result came."}
	none := &refusal.Refusal{Code: "no_prize", Path: "serial", Sentence: "No prize."}
	f := &failing{House: r.house, pays: []error{came, none, came, came}}
	handler, err := New(f, Options{Now: r.clock.Now})
	must(t, err)
	r.handler, r.sessions = handler, map[uint32]*terminal.Session{}
	first, _, _ := r.pay(sold.Serial, code)
	wantFault(t, first, http.StatusUnprocessableEntity, "no_prize", "serial")
	second, _, _ := r.pay(sold.Serial, code)
	wantFault(t, second, http.StatusConflict, "facts_missing", "")
	if len(f.pays) != 0 {
		t.Errorf("%d claims were not made", len(f.pays))
	}
}

// TestBrokenFeed has a feed that was told nonsense: it shows nothing, and the
// house is not healthy.
func TestBrokenFeed(t *testing.T) {
	r := newRig(t)
	if err := r.house.Hub().Committed(record.Place{Volume: 9, Seq: 9}, [][]byte{{1}}); err == nil {
		t.Fatal("the feed took nonsense")
	}
	for _, path := range []string{"/v1/board", "/v1/events", "/healthz"} {
		if answer := r.send(http.MethodGet, path, ""); answer.status != http.StatusInternalServerError {
			t.Errorf("%s: %d %s", path, answer.status, answer.body)
		}
	}
}

func TestHealth(t *testing.T) {
	r := newRig(t)
	r.send(http.MethodGet, "/healthz", "").into(t, &Health{})
	must(t, r.house.Close(t.Context()))
	wantFault(t, r.send(http.MethodGet, "/healthz", ""), http.StatusServiceUnavailable, "stopped", "")
}
