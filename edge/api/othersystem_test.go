package api

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"drawhouse/core/handover"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// handedOver returns the body with which tickets of another system are to be taken in, and the text of the file.
func handedOver(t *testing.T, reference string, rows ...string) (body, text string) {
	t.Helper()
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	public, _ := key.Public().(ed25519.PublicKey)
	signed, err := handover.Sign([]byte("drawhouse open tickets 1\nsystem: Old Keno\nrulebook: tas-keno-2023\ncurrency: AUD\nas of: 2026-11-14\n"+
		"code,cents,kind,until\n"+strings.Join(rows, "\n")+"\n"), key)
	must(t, err)
	data, err := json.Marshal(map[string]string{"text": string(signed), "key": handover.FormatKey(public),
		"reference": reference})
	must(t, err)
	return string(data), string(signed)
}

// TestTicketsOfAnotherSystem: two persons take in the open tickets of another system from its signed file. At the
// counter such a ticket is known, on every way, and leads to the claim form; the form pays it once; and the journal
// verifies.
func TestTicketsOfAnotherSystem(t *testing.T) {
	r := newRigUnder(t, "tas-keno-2023", "licensed_premises", "")
	o := officeOf(r)
	operative, cashier := r.signOn(r.member(record.RoleOperative)), r.signOn(r.member(record.RoleOperative))
	r.openDay()
	won := r.winners("tas-keno-2023", 10)
	const first, second = "4711000000000017", "OK4711000000025"
	rows := []string{first + ",12300,prize,2026-11-20", second + ",500,refund,"}
	body, text := handedOver(t, "letter 9", rows...)

	// A file that was altered, or has a code that the house could give, is refused with its line.
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/tickets", strings.Replace(body, "12300", "92300", 1)), 422,
		"tickets_faulty", "text")
	own, _ := handedOver(t, "letter 9", append(rows, won[0]+",100,prize,")...)
	refused := o.as(o.first, http.MethodPost, "/v1/operator/tickets", own)
	if wantFault(t, refused, 422, "tickets_faulty", "text"); !strings.Contains(refused.fault(t).Sentence,
		"Line 9, code: this house could give the code itself.") {
		t.Errorf("a code of the house is refused with %s", refused.body)
	}
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/tickets", strings.Replace(body, `"key":"`, `"key":"x`, 1)),
		422, "tickets_faulty", "key")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/tickets", strings.Replace(body, "letter 9", "", 1)), 422,
		"reason_missing", "reference")

	// A file may be as long as its reader takes it, which is longer than a rulebook.
	many := make([]string, handover.MostTickets)
	for i := range many {
		many[i] = fmt.Sprintf("OK%08d,%d,prize,2026-11-20", i, i+1)
	}
	long, whole := handedOver(t, "letter 10", many...)
	if len(whole) <= rulebook.MaxText {
		t.Errorf("%d tickets are a file of %d bytes", len(many), len(whole))
	}
	o.ask("tickets", long)

	// Two persons agree on file and key, and the second can read the file.
	request := o.ask("tickets", body)
	var file ApprovalFile
	o.as(o.inspector, http.MethodGet, fmt.Sprintf("/v1/approvals/%d/file", request.Number), "").into(t, &file)
	if file.Text != text || strings.Contains(fmt.Sprint(request.Act), first) {
		t.Errorf("the file is %q, and the request says %v", file.Text, request.Act)
	}
	wantFault(t, r.atTerminal(1, http.MethodGet, "/v1/terminals/1/presented/"+first, ""), 404, "serial_unreadable",
		"serial")
	o.decide(o.inspector, request, true).into(t, &Approval{})
	o.use(o.first, request).into(t, &Operated{})
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/tickets", body), 422, "tickets_faulty", "text")

	// Every way at the counter gives the same answer.
	code := "7ZQ0-M4KC-1XWD-E8TB"
	held := fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, first, code)
	answers := []reply{
		r.atTerminal(1, http.MethodGet, "/v1/terminals/1/presented/"+first, ""),
		r.atTerminal(1, http.MethodGet, "/v1/terminals/1/presented/4711-0000-0000-0017", ""),
		r.send(http.MethodGet, "/v1/tickets/"+first, ""),
		r.atTerminal(1, http.MethodPut, "/v1/terminals/1/requests/901/payment", held),
		r.atTerminal(1, http.MethodPut, "/v1/terminals/1/requests/902/cancellation", held),
		o.as(o.first, http.MethodPost, "/v1/stops/freeze", fmt.Sprintf(`{"serials":[%q],"reason":"x"}`, first)),
	}
	for i, answer := range answers {
		wantFault(t, answer, 409, "other_system", "serial")
		if f := answer.fault(t); f.Clause != "3.2" ||
			!strings.HasPrefix(f.Sentence, "This is a ticket of Old Keno. $123.00 is owed on it.") ||
			!strings.Contains(f.Sentence, `for the reason "retired", until 2026-11-20.`) {
			t.Errorf("way %d is answered %s", i, answer.body)
		}
	}
	wantFault(t, r.atTerminal(1, http.MethodGet, "/v1/terminals/1/presented/1234567890123450", ""), 404, "ticket_unknown",
		"serial")

	// The form pays what the file says, with the signatures that the amount needs, once.
	var c Claim
	post := func(who, path, body string) reply { return r.as(who, http.MethodPost, "/v1/claims"+path, body) }
	form := strings.Replace(claimBody("retired", first+`","`+strings.ToLower(second), ""), `{`, `{"original":true,`, 1)
	wantFault(t, post(operative, "", strings.Replace(form, `"original":true,`, "", 1)), 422, "original_missing",
		"original")
	post(operative, "", form).into(t, &c)
	if c.Cents != 12_800 || len(c.Parts) != 2 ||
		c.Parts[0] != (ClaimPart{Serial: first, System: "Old Keno", Cents: 12_300, At: "other_system"}) ||
		c.Parts[1].Serial != second || fmt.Sprint(c.Missing) != "[state_wide_gaming_operative inspector]" {
		t.Fatalf("lodged is %+v", c)
	}
	presented := func(says string) {
		t.Helper()
		answer := r.atTerminal(1, http.MethodGet, "/v1/terminals/1/presented/"+first, "")
		wantFault(t, answer, 409, "other_system", "serial")
		if f := answer.fault(t); f.Sentence != "This is a ticket of Old Keno. "+says {
			t.Errorf("the counter says %q, not %q", f.Sentence, says)
		}
	}
	presented("It is on a Ticket Claim Form that is not paid yet.")
	wantFault(t, post(operative, "", form), 409, "under_claim", "serials")
	post(operative, "/1/signatures", `{"satisfied":true}`).into(t, &c)
	wantFault(t, post(cashier, "/1/decision", `{"outcome":"allowed","reason":"agrees"}`), 409, "not_signed", "claim")
	post(o.inspector, "/1/signatures", `{"satisfied":true}`).into(t, &c)
	post(cashier, "/1/decision", `{"outcome":"allowed","reason":"agrees"}`).into(t, &c)
	wantFault(t, post(cashier, "/1/payment", `{"means":"cheque","reference":"000417"}`), 403, "same_person", "person")
	post(operative, "/1/payment", `{"means":"cheque","reference":"000417","expect_cents":12800}`).into(t, &c)
	presented("It was paid on a Ticket Claim Form.")
	wantFault(t, post(operative, "", form), 409, "already_paid", "serials")
	r.verifies()
}
