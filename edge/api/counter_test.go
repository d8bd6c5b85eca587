package api

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/edge/terminal"
	"drawhouse/journal/record"
	"drawhouse/receipt"
	"drawhouse/receipt/printer"
	"drawhouse/rulebook/rules"
)

// TestEnrolment: a code brings in one key, once and in time, and who has no role for it
// cannot make one.
func TestEnrolment(t *testing.T) {
	r := newRig(t)
	admin := r.signOn(r.member(record.RoleAdministrator))
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32))
	open := base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey))
	enrol := func(code string) reply {
		return r.send(http.MethodPost, "/v1/enrolments", fmt.Sprintf(`{"code":%q,"key":%q}`, code, open))
	}
	code := func(id int) (e Enrolment) {
		r.as(admin, http.MethodPost, fmt.Sprintf("/v1/terminals/%d/enrolment", id), "").into(t, &e)
		return e
	}
	wantFault(t, r.as(admin, http.MethodPost, "/v1/terminals/9999/enrolment", ""), 404, "terminal_unknown", "terminal")
	wantFault(t, enrol("AAAA-BBBB-CCCC-DDDD"), 403, "token_wrong", "code")
	wantFault(t, r.send(http.MethodPost, "/v1/enrolments", `{"code":"x","key":"x"}`), 400, "field_value", "key")

	first, second := code(2), code(2)
	wantFault(t, enrol(first.Code), 403, "token_wrong", "code") // The second one has made it void.
	var enrolled Enrolled
	enrol(strings.ToLower(strings.ReplaceAll(second.Code, "-", " "))).into(t, &enrolled)
	if enrolled.Terminal != 2 {
		t.Errorf("%+v", enrolled)
	}
	wantFault(t, enrol(second.Code), 403, "token_wrong", "code")
	if _, answer := r.hello(2, key, r.clock.Now()); answer.status != http.StatusOK {
		t.Errorf("the new key: %d %s", answer.status, answer.body)
	}
	_, answer := r.hello(2, terminal.DemoKey(2), r.clock.Now().Add(time.Second))
	wantFault(t, answer, 403, "hello_wrong", "signature")

	late := code(3)
	r.clock.advance(enrolmentLife)
	wantFault(t, enrol(late.Code), 403, "token_wrong", "code")
}

// TestCounter: a terminal learns where it is and how far it has come, and what a serial
// stands for.
func TestCounter(t *testing.T) {
	r := newRig(t)
	r.openDay()
	sold, _ := r.sell(oneSpot)
	var c Counter
	r.atTerminal(1, http.MethodGet, "/v1/terminals/1", "").into(t, &c)
	if c.VenueName != "Corner Hotel" || c.Channel != "writer" || c.LastRequest != 1 || c.Sessions != 1 ||
		c.DrawerCents != 200 || c.Printer || !slices.Contains(c.Accepts, "player_card") ||
		slices.Contains(c.Accepts, "chips") {
		t.Errorf("%+v", c)
	}
	var found Presented
	r.atTerminal(1, http.MethodGet, "/v1/terminals/1/presented/"+sold.Serial, "").into(t, &found)
	if found.Paper != nil || found.Ticket == nil || found.Ticket.Serial != sold.Serial {
		t.Errorf("%+v", found)
	}
	r.begins(1, 1)
	var issued PaperIssued
	body := fmt.Sprintf(`{"kind":"change_receipt","cents":5000,"claim_hash":"%064d"}`, 1)
	r.atTerminal(1, http.MethodPut, "/v1/terminals/1/requests/2/paper", body).into(t, &issued)
	found = Presented{}
	r.atTerminal(1, http.MethodGet, "/v1/terminals/1/presented/"+issued.Serial, "").into(t, &found)
	if found.Paper == nil || *found.Paper != (PaperHeld{Serial: issued.Serial, Kind: "change_receipt",
		Name: "Change Receipt", Cents: 5000, LastDay: "2027-11-15"}) {
		t.Errorf("%+v", found.Paper)
	}
	wantFault(t, r.atTerminal(1, http.MethodGet, "/v1/terminals/1/presented/1234", ""), 404, "serial_unreadable", "serial")
	var displays Displays
	r.send(http.MethodGet, "/v1/displays", "").into(t, &displays)
	if len(displays.Venues) != 1 || displays.Venues[0] != (DisplayVenue{1, "Corner Hotel"}) {
		t.Errorf("%+v", displays)
	}
}

// TestCatalogue holds the offer against what the rulebooks say, and the first ticket of
// each bet against the desk.
func TestCatalogue(t *testing.T) {
	for _, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		book, err := rules.Book(id)
		must(t, err)
		c := catalogueOf(book)
		if c.Of != 80 || c.Draw != 20 || c.MaxGames < 2 || len(c.Bets) != len(book.Bets()) ||
			len(c.Features) != len(book.Features()) || len(c.Entries) == 0 || len(c.Means) == 0 {
			t.Errorf("%s: %+v", id, c)
		}
		if c.MinimumAge != 18 || (c.AgeClause == "") != book.Eligibility().Example || len(c.Notice) == 0 {
			t.Errorf("%s: of age and stakes %+v", id, c)
		}
		for _, bet := range c.Bets {
			if (bet.Form == "numbers") != (len(bet.Sizes) > 0) || (bet.Form == "race") != (len(bet.Types) > 0 && bet.Rows > 0) ||
				bet.Name == "" || bet.Clause == "" {
				t.Errorf("%s: %+v", id, bet)
			}
		}
	}
}

// paper is a printer that takes everything and says nothing, or hangs up at once.
func paper(t *testing.T, dead bool) (printer.Address, chan []byte) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	printed := make(chan []byte, 4)
	if dead {
		must(t, l.Close())
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = conn.SetDeadline(time.Now().Add(3 * time.Second))
			data, _ := io.ReadAll(conn)
			_ = conn.Close()
			printed <- data
		}
	}()
	address, err := printer.ParseAddress("tcp://" + l.Addr().String())
	must(t, err)
	return address, printed
}

// TestPapers makes every paper in every form; what cannot be made says why.
func TestPapers(t *testing.T) {
	r := newRig(t)
	r.openDay()
	address, printed := paper(t, false)
	dead, _ := paper(t, true)
	r.handler.(*Server).server.papers = Papers{Printers: map[uint32]printer.Address{1: address, 2: dead},
		Roll: receipt.Roll80, Site: "https://keno.example"}
	sold, code := r.sell(oneSpot)
	answer, err := json.Marshal(sold)
	must(t, err)
	order := func(id int, rest string) reply {
		return r.atTerminal(uint32(id), http.MethodPost, fmt.Sprintf("/v1/terminals/%d/papers", id), rest)
	}
	ticket := func(more string) string { return fmt.Sprintf(`{"paper":"ticket","answer":%s,%s}`, answer, more) }

	var made PaperMade
	order(1, ticket(`"format":"svg"`)).into(t, &made)
	if !strings.Contains(made.SVG, "<svg") || !strings.Contains(made.SVG, "Hotel") ||
		strings.Contains(made.SVG, code.String()) || strings.Contains(made.SVG, "claim form") {
		t.Errorf("the preview: %.300s", made.SVG)
	}
	order(1, ticket(fmt.Sprintf(`"format":"svg","duplicate":true,"claim_code":%q`, code))).into(t, &made)
	if !strings.Contains(made.SVG, "DUPLICATE") || !strings.Contains(made.SVG, code.String()) {
		t.Error("a duplicate does not say so, or has no claim code")
	}
	made = PaperMade{}
	order(1, ticket(`"format":"pdf"`)).into(t, &made)
	if pdf, err := base64.StdEncoding.DecodeString(made.PDF); err != nil || !bytes.HasPrefix(pdf, []byte("%PDF")) {
		t.Errorf("%.20q, %v", made.PDF, err)
	}
	order(1, ticket(fmt.Sprintf(`"format":"print","claim_code":%q`, code))).into(t, &made)
	if data := <-printed; !made.Printed || !bytes.Contains(data, []byte(code.String())) {
		t.Errorf("%+v: %d bytes", made, len(data))
	}
	for paper, answer := range map[string]string{
		"payment": fmt.Sprintf(`{"serial":%q,"time":"2026-11-15T12:00:00Z","paid_cents":600,"parts":[{"ordinal":1,"cents":600}]}`, sold.Serial),
		"cancellation": fmt.Sprintf(`{"serial":%q,"time":"2026-11-15T12:00:00Z","refund_cents":200,"carried_cents":0}`,
			sold.Serial),
		"voucher": fmt.Sprintf(`{"serial":%q,"kind":"change_receipt","cents":500,"last_day":"2027-11-15"}`, sold.Serial),
		"session": fmt.Sprintf(`{"open":true,"session":4,"lines":[{"act":"sold","serial":%q,"cents":200}],"owed_cents":200}`,
			sold.Serial),
	} {
		order(1, fmt.Sprintf(`{"paper":%q,"answer":%s,"format":"svg"}`, paper, answer)).into(t, &made)
		if !strings.Contains(made.SVG, "Hotel") {
			t.Errorf("%s: %.200s", paper, made.SVG)
		}
	}

	wantFault(t, order(3, ticket(`"format":"print"`)), 409, "no_printer", "format")
	wantFault(t, order(2, ticket(`"format":"print"`)), 409, "printer_failed", "format")
	wantFault(t, order(1, ticket(`"format":"stone"`)), 422, "paper_unknown", "format")
	wantFault(t, order(1, `{"paper":"ticket","answer":{},"format":"svg"}`), 422, "paper_unknown", "answer")
	wantFault(t, order(1, `{"paper":"hat","answer":{},"format":"svg"}`), 422, "paper_unknown", "paper")
	wantFault(t, order(1, `{"paper":"voucher","answer":{"kind":"hat"},"format":"svg"}`), 422, "paper_unknown", "answer")
	wantFault(t, order(1, ticket(`"format":"svg","claim_code":"x"`)), 400, "field_value", "claim_code")
}
