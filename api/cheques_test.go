package api

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"drawhouse/record"
	"drawhouse/serial"
	"drawhouse/state"
)

// paidByCheque sells a ticket that wins and pays it by a cheque of the venue. It returns the
// serial and how the session ended.
func (r *rig) paidByCheque() (string, SessionEnd) {
	r.t.Helper()
	type ticket struct {
		serial string
		code   serial.ClaimCode
	}
	var all []ticket
	for _, side := range []string{"heads", "tails", "evens"} {
		sold, code := r.sell(fmt.Sprintf(`{"v":1,"rulebook":"tas-keno-2023","first":"open","bets":[{"bet":"heads_or_tails","calls":[%q],"stake_cents":20000}]}`, side))
		all = append(all, ticket{sold.Serial, code})
	}
	r.play()
	won := all[slices.IndexFunc(all, func(t ticket) bool {
		var shown Ticket
		r.send(http.MethodGet, "/v1/tickets/"+t.serial, "").into(r.t, &shown)
		return shown.WonCents > 0
	})]
	request := func(action, body string) reply {
		r.number++
		return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/%s", r.number, action), body)
	}
	request("payment", fmt.Sprintf(`{"serial":%q,"claim_code":%q,"in_session":true}`, won.serial, won.code)).into(r.t, &struct{}{})
	var kept Kept
	r.atTerminal(1, http.MethodPost, "/v1/terminals/1/payees", `{"name":"Jo Citizen"}`).into(r.t, &kept)
	body := fmt.Sprintf(`{"pay":[{"means":"site_cheque"}],"payee_hash":%q,"checked":true}`, kept.Hash)
	var ended, again SessionEnd
	request("session-end", body).into(r.t, &ended)
	r.number--
	request("session-end", body).into(r.t, &again)
	if len(again.Promised) != len(ended.Promised) || len(again.Promised) > 0 && !again.Promised[0].Due.Equal(ended.Promised[0].Due) {
		r.t.Errorf("asked again it promises %+v, and not %+v", again.Promised, ended.Promised)
	}
	return won.serial, ended
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
	wantFault(t, r.as(operative, http.MethodPut, "/v1/holidays", `{"days":["2026-11-16","2026-11-16"]}`), 422, "holidays_wrong", "days")
	wantFault(t, r.as(operative, http.MethodPut, "/v1/holidays", `{"days":[]}`), 409, "holidays_same", "days")
	r.as(operative, http.MethodPut, "/v1/holidays", `{"days":["2026-12-25","2026-11-16"]}`).into(t, &Done{})
	r.as(writer, http.MethodGet, "/v1/holidays", "").into(t, &days)
	if fmt.Sprint(days.Days) != "[2026-11-16 2026-12-25]" {
		t.Errorf("the holidays are %v", days.Days)
	}

	// It is noon of a Sunday, and Monday is a holiday: the end of Tuesday.
	won, ended := r.paidByCheque()
	due := time.Date(2026, 11, 17, 13, 0, 0, 0, time.UTC)
	if len(ended.Promised) != 1 || ended.Promised[0].Means != "site_cheque" || ended.Promised[0].Cents < 400_00 || !ended.Promised[0].Due.Equal(due) {
		t.Fatalf("promised is %+v", ended.Promised)
	}
	list := func(who string) []Cheque {
		t.Helper()
		var all Cheques
		r.as(who, http.MethodGet, "/v1/cheques", "").into(t, &all)
		return all.Cheques
	}
	for _, who := range []string{writer, operative, inspector} {
		if got := list(who); len(got) != 1 || got[0].Cents != ended.Promised[0].Cents || !got[0].Due.Equal(due) || got[0].Overdue || got[0].VenueName != "Corner Hotel" || fmt.Sprint(got[0].Serials) != "["+won+"]" {
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
	writer, operative = r.signOn(r.member(record.RoleWriter)), r.signOn(r.member(record.RoleOperative)) // Their sessions are over.
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
