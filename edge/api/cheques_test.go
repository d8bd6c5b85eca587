package api

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// asks sends what a terminal asks for, each with a number of its own.
func (r *rig) asks(action, body string) reply {
	r.t.Helper()
	r.number++
	return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/%s", r.number, action), body)
}

// winsInSession sells tickets of a game, of which some win twice the stake or more, and begins to pay
// those. It returns the last one's serial.
func (r *rig) winsInSession(stake, times int) (won string) {
	r.t.Helper()
	codes := map[string]serial.ClaimCode{}
	for _, side := range slices.Repeat([]string{"heads", "tails", "evens"}, times) {
		sold, code := r.sell(fmt.Sprintf(`{"v":1,"rulebook":"tas-keno-2023","first":"open","bets":[{"bet":"heads_or_tails","calls":[%q],"stake_cents":%d}]}`, side, stake))
		codes[sold.Serial] = code
	}
	r.play()
	for number, code := range codes {
		var shown Ticket
		if r.send(http.MethodGet, "/v1/tickets/"+number, "").into(r.t, &shown); shown.WonCents > 0 {
			r.asks("payment", fmt.Sprintf(`{"serial":%q,"claim_code":%q,"in_session":true}`, number, code)).into(r.t,
				&struct{}{})
			won = number
		}
	}
	return won
}

// paidByCheque sells a ticket that wins and pays it by a cheque of the venue. It returns the
// serial and how the session ended.
func (r *rig) paidByCheque() (string, SessionEnd) {
	r.t.Helper()
	won := r.winsInSession(20000, 1)
	var kept Kept
	r.atTerminal(1, http.MethodPost, "/v1/terminals/1/payees", `{"name":"Jo Citizen"}`).into(r.t, &kept)
	body := fmt.Sprintf(`{"pay":[{"means":"site_cheque"}],"payee_hash":%q,"checked":true}`, kept.Hash)
	var ended, again SessionEnd
	r.asks("session-end", body).into(r.t, &ended)
	r.number--
	r.asks("session-end", body).into(r.t, &again)
	if len(again.Promised) != len(ended.Promised) || len(again.Promised) > 0 &&
		!again.Promised[0].Due.Equal(ended.Promised[0].Due) {
		r.t.Errorf("asked again it promises %+v, and not %+v", again.Promised, ended.Promised)
	}
	return won, ended
}

// TestCheques: who is paid by cheque is told until when it will be there; the venue and the
// central site have it on their lists until it is recorded as handed over, and it is marked
// when its time is over. Another venue sees nothing of it.
func TestCheques(t *testing.T) {
	r := newRigUnder(t, "tas-keno-2023", "licensed_premises", "")
	writer, operative := r.signOn(r.member(record.RoleWriter)), r.signOn(r.member(record.RoleOperative))
	inspector, admin := r.signOn(r.member(record.RoleInspector)), r.signOn(r.member(record.RoleAdministrator))
	var other Numbered
	r.as(admin, http.MethodPost, "/v1/venues", `{"name":"Far Hotel","kind":"licensed_premises"}`).into(t, &other)
	stranger := r.signOn(r.memberOf(state.Grant{Role: record.RoleWriter, Venue: other.Number}))
	r.openDay()

	var days Holidays
	wantFault(t, r.as(writer, http.MethodPut, "/v1/holidays", `{"days":["2026-11-16"]}`), 403, "role_missing", "")
	wantFault(t, r.as(operative, http.MethodPut, "/v1/holidays", `{"days":["tomorrow"]}`), 400, "field_value", "days[0]")
	wantFault(t, r.as(operative, http.MethodPut, "/v1/holidays", `{"days":["2026-11-16","2026-11-16"]}`), 422,
		"holidays_wrong", "days")
	wantFault(t, r.as(operative, http.MethodPut, "/v1/holidays", `{"days":[]}`), 409, "holidays_same", "days")
	r.as(operative, http.MethodPut, "/v1/holidays", `{"days":["2026-12-25","2026-11-16"]}`).into(t, &Done{})
	r.as(writer, http.MethodGet, "/v1/holidays", "").into(t, &days)
	if fmt.Sprint(days.Days) != "[2026-11-16 2026-12-25]" {
		t.Errorf("the holidays are %v", days.Days)
	}

	// It is noon of a Sunday, and Monday is a holiday: the end of Tuesday.
	won, ended := r.paidByCheque()
	due := time.Date(2026, 11, 17, 13, 0, 0, 0, time.UTC)
	if len(ended.Promised) != 1 || ended.Promised[0].Means != "site_cheque" || ended.Promised[0].Cents < 400_00 ||
		!ended.Promised[0].Due.Equal(due) {
		t.Fatalf("promised is %+v", ended.Promised)
	}
	list := func(who string) []Cheque {
		t.Helper()
		var all Cheques
		r.as(who, http.MethodGet, "/v1/cheques", "").into(t, &all)
		return all.Cheques
	}
	for _, who := range []string{writer, operative, inspector} {
		if got := list(who); len(got) != 1 || got[0].Cents != ended.Promised[0].Cents || !got[0].Due.Equal(due) ||
			got[0].Overdue || got[0].VenueName != "Corner Hotel" || fmt.Sprint(got[0].Serials) != "["+won+"]" ||
			got[0].Payee != "Jo Citizen" {
			t.Errorf("due are %+v", got)
		}
	}
	if got := list(stranger); len(got) != 0 {
		t.Errorf("another venue sees %+v", got)
	}
	path := "/v1/cheques/" + list(writer)[0].Cheque.String() + "/handover"
	wantFault(t, r.as(stranger, http.MethodPost, path, ""), 403, "not_of_venue", "person")
	wantFault(t, r.as(inspector, http.MethodPost, path, ""), 403, "role_missing", "")
	wantFault(t, r.as(writer, http.MethodPost, "/v1/cheques/17/handover", ""), 400, "parameter_value", "cheque")
	wantFault(t, r.as(writer, http.MethodPost, "/v1/cheques/1:2/handover", ""), 404, "cheque_unknown", "cheque")
	r.clock.advance(due.Sub(r.clock.Now()) - time.Second)
	// Their sessions are over.
	writer, operative = r.signOn(r.member(record.RoleWriter)), r.signOn(r.member(record.RoleOperative))
	if got := list(operative); got[0].Overdue {
		t.Error("a cheque is overdue a second before its time is over")
	}
	r.clock.advance(time.Second)
	if got := list(operative); !got[0].Overdue {
		t.Error("a cheque is not overdue when its time is over")
	}
	r.as(writer, http.MethodPost, path, "").into(t, &Done{})
	wantFault(t, r.as(writer, http.MethodPost, path, ""), 404, "cheque_unknown", "cheque")
	if got := list(operative); len(got) != 0 {
		t.Errorf("due are %+v", got)
	}
	wantNowhere(t, r, "Citizen")
	r.verifies()
}

// TestClaimantOfAVoucher: a voucher that was lost is claimed by the payee whom it names. The same
// name and address are the same person; what else the form says is kept besides, and forgotten
// with the claimant.
func TestClaimantOfAVoucher(t *testing.T) {
	r := newRigUnder(t, "tas-keno-2023", "licensed_premises", "")
	inspector := r.signOn(r.member(record.RoleInspector))
	r.signOn(r.member(record.RoleWriter))
	operative := r.signOn(r.member(record.RoleOperative))
	r.openDay()
	r.winsInSession(50000, 3)
	var kept Kept
	r.atTerminal(1, http.MethodPost, "/v1/terminals/1/payees", `{"name":"Jo Citizen","address":"1 High Street"}`).into(t,
		&kept)
	var ended SessionEnd
	r.asks("session-end", fmt.Sprintf(`{"payee_hash":%q,"claims":[%q]}`, kept.Hash, strings.Repeat("ab", 32))).into(t,
		&ended)
	voucher := ended.Papers[0].Serial
	lodge := func(name, address string) reply {
		return r.as(operative, http.MethodPost, "/v1/claims",
			fmt.Sprintf(`{"reason":"lost","serials":[%q],"claimant":{"name":%q,"address":%q,"phone":"03"}}`, voucher, name,
				address))
	}
	other := lodge("Jo Citizen", "2 High Street")
	wantFault(t, other, 422, "payee_other", "claimant")
	if clause := other.fault(t).Clause; clause != "13.2" {
		t.Errorf("another claimant is refused by %q", clause)
	}
	var c Claim
	lodge("Jo Citizen", "1 High Street").into(t, &c)
	form, err := r.house.Claim(t.Context(), c.Number)
	must(t, err)
	if hash := hex.EncodeToString(form.Claimant[:]); hash != kept.Hash ||
		*c.Claimant != (command.Customer{Name: "Jo Citizen", Address: "1 High Street", Phone: "03"}) {
		t.Errorf("%+v claims, under %s", c.Claimant, hash)
	}
	path := fmt.Sprintf("/v1/claims/%d", c.Number)
	second := r.signOn(r.member(record.RoleOperative))
	admin := r.signOn(r.member(record.RoleAdministrator))
	for _, who := range []string{operative, inspector} {
		r.as(who, http.MethodPost, path+"/signatures", `{"satisfied":true}`).into(t, &c)
	}
	r.as(second, http.MethodPost, path+"/decision", `{"outcome":"allowed","reason":"The details agree."}`).into(t, &c)
	besides := form.Form()
	// It is the claim's.
	wantFault(t, r.as(admin, http.MethodDelete, "/v1/payees/"+hex.EncodeToString(besides[:]), ""), 404, "payee_unknown",
		"hash")
	wantFault(t, r.as(admin, http.MethodPost, path+"/erasure", ""), 409, "claim_open", "claim")
	r.as(operative, http.MethodPost, path+"/payment",
		fmt.Sprintf(`{"means":"cheque","reference":"000417","expect_cents":%d}`, c.Cents)).into(t, &c)
	r.as(inspector, http.MethodPost, path+"/copies", "").into(t, &c)
	r.as(admin, http.MethodPost, path+"/erasure", "").into(t, &c)
	for _, entry := range []record.Hash{form.Claimant, besides} {
		if has, err := r.register.Has(t.Context(), entry); has || err != nil {
			t.Errorf("the register still has an entry of the claimant: %v", err)
		}
	}
	r.verifies()
}
