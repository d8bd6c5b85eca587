package api

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"drawhouse/core/serial"
	"drawhouse/edge/client"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// asTerminal sends what a client asks for as a terminal of the rig, by the rig's clock.
type asTerminal struct {
	*rig
	id uint32
}

// Do implements client.Sender.
func (a asTerminal) Do(_ context.Context, method, uri string, body []byte) (int, []byte, error) {
	answer := a.atTerminal(a.id, method, uri, string(body))
	return answer.status, answer.body, nil
}

// TestClient runs a house with the client that is written from the description: it sells,
// pays, cancels, looks up and runs the games, and every answer has what it says.
func TestClient(t *testing.T) {
	r := newRig(t)
	r.openDay()
	ctx := t.Context()
	counter := client.New(asTerminal{r, 1})
	claim := func(number int64) (serial.ClaimCode, string) {
		code, err := serial.NewClaimCode(r.random)
		must(t, err)
		hash := code.Hash(1, uint64(number))
		return code, hex.EncodeToString(hash[:])
	}
	code, hash := claim(1)
	sold, err := counter.Sell(ctx, 1, 1, client.SaleRequest{Method: "verbal", Ticket: json.RawMessage(oneSpot),
		ClaimHash: hash, ExpectCents: new(int64(200))})
	must(t, err)
	if sold.CostCents != 200 || sold.Games != 1 || sold.FirstGame.Ordinal != 1 || sold.Serial == "" {
		t.Errorf("%+v", sold)
	}
	_, err = counter.Sell(ctx, 1, 2, client.SaleRequest{Method: "verbal", Ticket: json.RawMessage(oneSpot),
		ClaimHash: hash, ExpectCents: new(int64(300))})
	wantRefused(t, err, "cost_other", 409)
	_, err = counter.Pay(ctx, 1, 3, client.PaymentRequest{Serial: sold.Serial, ClaimCode: code.String()})
	wantRefused(t, err, "not_drawn", 409)
	given, err := counter.Cancel(ctx, 1, 4, client.PaymentRequest{Serial: sold.Serial, ClaimCode: code.String()})
	must(t, err)
	if given.RefundCents != 200 {
		t.Errorf("%+v", given)
	}

	web := httptest.NewServer(r.handler)
	defer web.Close()
	public := client.Public{House: web.URL + "/", HTTP: web.Client()}
	ticket, err := client.New(public).GetTicket(ctx, sold.Serial)
	must(t, err)
	if !ticket.Cancelled || ticket.LeafHash != sold.LeafHash {
		t.Errorf("%+v", ticket)
	}
	games, err := client.New(public).ListGames(ctx, 0, 1)
	must(t, err)
	if len(games.Games) != 1 || games.Games[0].Ordinal != 1 {
		t.Errorf("%+v", games)
	}
	_, err = client.New(public).GetTicket(ctx, "a/b?c")
	wantRefused(t, err, "serial_unreadable", 404)
	if note, err := client.New(public).GetCheckpoint(ctx); err != nil || len(note) == 0 {
		t.Errorf("checkpoint %q, %v", note, err)
	}
	r.runGames(public)
}

// runGames lets two persons announce another schedule by their clients.
func (r *rig) runGames(public client.Public) {
	r.t.Helper()
	ctx := r.t.Context()
	sign := func(role record.Role) *client.Client {
		c, err := client.AsPerson(ctx, public, int64(r.member(role)), password)
		must(r.t, err)
		return c
	}
	supervisor, inspector := sign(record.RoleSupervisor), sign(record.RoleInspector)
	_, err := client.AsPerson(ctx, public, 1, "wrong")
	wantRefused(r.t, err, "sign_on_wrong", 401)
	book, err := rules.Book("vic-keno-2015")
	must(r.t, err)
	asked, err := supervisor.ChangeTerms(ctx,
		client.ChangeTerms{From: 2, Rulebook: book.Hash().String(), Schedule: "schedule-2", Reference: "2026/17"})
	must(r.t, err)
	_, err = inspector.UseApproval(ctx, asked.Number)
	wantRefused(r.t, err, "role_missing", 403)
	_, err = inspector.DecideApproval(ctx, asked.Number, client.ApprovalDecision{Content: asked.Content, Granted: true})
	must(r.t, err)
	done, err := supervisor.UseApproval(ctx, asked.Number)
	must(r.t, err)
	course, err := inspector.GetCourse(ctx)
	must(r.t, err)
	if done.Action != "change_terms" || len(course.Changes) != 1 || course.Changes[0].From != 2 {
		r.t.Errorf("%+v after %+v", course, done)
	}
	early, err := supervisor.AnnounceClosure(ctx, client.Closure{At: r.clock.Now().Add(time.Hour)})
	must(r.t, err)
	if early.Action != "announce_closure" || early.Granted {
		r.t.Errorf("one person ends the day: %+v", early)
	}
}

func wantRefused(t testing.TB, err error, code string, status int) {
	t.Helper()
	var refused *client.Refusal
	if !errors.As(err, &refused) || refused.Fault.Code != code || refused.Status != status {
		t.Errorf("%v; want %d %s", err, status, code)
	}
}
