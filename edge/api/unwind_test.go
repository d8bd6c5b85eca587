package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestUnwindSession: a terminal is shut out while a customer session is open at it. The
// winner that was brought into the session is paid nowhere until two persons of the central
// site end the session; then it is paid once at another terminal. What the session had sold
// is not paid for, and nobody collects on it.
func TestUnwindSession(t *testing.T) {
	o := newOffice(t)
	all := o.sellSides()
	o.play()
	won, code := o.winnerOf(all)
	at := func(terminal uint32, number uint64, action, body string) reply {
		t.Helper()
		return o.atTerminal(terminal, http.MethodPut,
			fmt.Sprintf("/v1/terminals/%d/requests/%d/%s", terminal, number, action), body)
	}
	claim := fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, won.Serial, code)
	inSession := func(body string) string { return `{"in_session":true,` + strings.TrimPrefix(body, "{") }
	var paid Payment
	at(1, 101, "payment", inSession(claim)).into(t, &paid)
	body, bought := o.saleBody(1, 102, oneSpot)
	var sold Sale
	at(1, 102, "sale", inSession(body)).into(t, &sold)

	ask := func(cents int) reply {
		return o.as(o.first, http.MethodPost, "/v1/sessions/unwound",
			fmt.Sprintf(`{"terminal":1,"cents":%d,"reason":"the terminal was stolen"}`, cents))
	}
	wantFault(t, ask(0), 409, "not_shut_out", "terminal")
	admin := o.signOn(o.member(record.RoleAdministrator))
	o.as(admin, http.MethodPost, "/v1/terminals/1/revocation", `{"reason":"stolen"}`).into(t, &Done{})
	wantFault(t, at(1, 103, "session-end", `{}`), 403, "key_revoked", "terminal")
	wantFault(t, at(2, 1, "payment", claim), 409, "already_paid", "serial")

	var bank Bank
	o.as(admin, http.MethodGet, "/v1/banks/1", "").into(t, &bank) // Readers see what the house sees.
	if bank.CustomerCents != 200-paid.PaidCents {
		t.Errorf("the bank is %+v with the session open", bank)
	}
	wantFault(t, ask(201), 422, "amount_wrong", "cents")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/sessions/unwound", `{"terminal":1,"cents":0,"reason":""}`), 422,
		"reason_missing", "reason")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/sessions/unwound", `{"terminal":2,"cents":0,"reason":"stolen"}`), 409,
		"not_shut_out", "terminal")
	wantFault(t, o.as(o.signOn(o.member(record.RoleWriter)), http.MethodPost, "/v1/sessions/unwound",
		`{"terminal":1,"cents":0,"reason":"stolen"}`), 403, "role_missing", "")
	var request Approval
	ask(50).into(t, &request)
	wantFault(t, o.use(o.first, request), 409, "approval_not_given", "approval")
	o.decide(o.inspector, request, true).into(t, &Approval{})
	o.use(o.first, request).into(t, &Operated{})
	wantFault(t, ask(0), 422, "nothing_open", "terminal")

	var again Payment
	at(2, 2, "payment", claim).into(t, &again)
	if again.PaidCents != paid.PaidCents || again.PaidCents == 0 {
		t.Errorf("the session had %d cents of the winner, and %d were paid elsewhere", paid.PaidCents, again.PaidCents)
	}
	wantFault(t, at(2, 3, "payment", claim), 409, "already_paid", "serial")
	if !o.stopped(sold.Serial) {
		t.Error("nobody has paid for what the session sold, and payment on it is not stopped")
	}
	wantFault(t, at(2, 4, "payment", fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, sold.Serial, bought)), 409, "frozen",
		"serial")
	o.as(admin, http.MethodGet, "/v1/banks/1", "").into(t, &bank)
	if bank.CustomerCents != 0 || bank.DrawerCents != 3*200+50 {
		t.Errorf("the bank is %+v after three tickets in cash and fifty cents", bank)
	}
	o.verifies()
}
