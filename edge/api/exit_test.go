package api

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"testing"
	"time"

	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// TestFreezeStopsClaims: a claim form that was allowed is not paid while payment on its
// ticket is stopped.
func TestFreezeStopsClaims(t *testing.T) {
	r := newRigUnder(t, "tas-keno-2023", "licensed_premises", "")
	writer, operative := r.signOn(r.member(record.RoleWriter)), r.signOn(r.member(record.RoleOperative))
	cashier := r.signOn(r.member(record.RoleOperative))
	r.openDay()
	won := r.winners("tas-keno-2023", 10, 20)
	post := func(who, path, body string) reply {
		t.Helper()
		return r.as(who, http.MethodPost, path, body)
	}
	post(writer, "/v1/claims", claimBody("lost", won[0], "")).into(t, &Claim{})
	post(operative, "/v1/claims/1/signatures", `{"satisfied":true}`).into(t, &Claim{})
	post(operative, "/v1/claims/1/decision", `{"outcome":"allowed","reason":"The details agree."}`).into(t, &Claim{})
	post(operative, "/v1/stops/freeze", fmt.Sprintf(`{"serials":[%q],"reason":"a complaint"}`, won[0])).into(t,
		&command.FrozenPlaces{})
	wantFault(t, post(cashier, "/v1/claims/1/payment", `{"means":"cheque","reference":"000417"}`), 409, "frozen", "serial")
	// A claim on what was stopped after it was lodged is not allowed, and may be refused.
	post(writer, "/v1/claims", claimBody("lost", won[1], "")).into(t, &Claim{})
	post(operative, "/v1/claims/2/signatures", `{"satisfied":true}`).into(t, &Claim{})
	post(operative, "/v1/stops/freeze", fmt.Sprintf(`{"serials":[%q],"reason":"a complaint"}`, won[1])).into(t,
		&command.FrozenPlaces{})
	wantFault(t, post(operative, "/v1/claims/2/decision", `{"outcome":"allowed","reason":"The details agree."}`), 409,
		"frozen", "serial")
	post(operative, "/v1/claims/2/decision", `{"outcome":"refused","reason":"The details differ."}`).into(t, &Claim{})
	r.verifies()
}

// TestExclusionOutlivesStatus: one senior does not lift an exclusion by closing the card and
// letting it be used again, nor by a shorter exclusion.
func TestExclusionOutlivesStatus(t *testing.T) {
	r := newRig(t)
	senior := r.signOn(r.member(record.RoleSenior))
	_, err := r.house.Do(t.Context(), command.RegisterCard{Holder: command.Customer{Born: "1990-05-05"},
		Details: record.Hash{1}}, record.By{})
	must(t, err)
	set := func(body string) reply { return r.as(senior, http.MethodPut, "/v1/cards/1/status", body) }
	until := func(d time.Duration) string { return r.clock.Now().Add(d).Format(time.RFC3339) }
	exclude := func(d time.Duration) reply {
		return set(fmt.Sprintf(`{"status":"excluded","until":%q,"reason":"own wish"}`, until(d)))
	}
	exclude(48*time.Hour).into(t, &Done{})
	set(`{"status":"closed","reason":"own wish"}`).into(t, &Done{})
	wantFault(t, set(`{"status":"active","reason":"own wish"}`), 409, "card_excluded", "card")
	wantFault(t, exclude(47*time.Hour), 409, "card_excluded", "card")
	exclude(48*time.Hour).into(t, &Done{})
	r.clock.advance(48*time.Hour - time.Second)
	senior = r.signOn(r.member(record.RoleSenior))
	wantFault(t, set(`{"status":"active","reason":"own wish"}`), 409, "card_excluded", "card")
	r.clock.advance(time.Second)
	set(`{"status":"active","reason":"own wish"}`).into(t, &Done{})
	r.verifies()
}

// TestVoucherBounds: a terminal sells papers while somebody is on shift, each within a bound
// and those of a Keno Day within another one.
func TestVoucherBounds(t *testing.T) {
	r := newRig(t)
	r.openDay()
	sell := func(cents int) reply {
		t.Helper()
		r.number++
		code, err := serial.NewClaimCode(r.random)
		must(t, err)
		hash := code.Hash(1, r.number)
		return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/paper", r.number),
			fmt.Sprintf(`{"kind":"gift_voucher","cents":%d,"claim_hash":%q}`, cents, hex.EncodeToString(hash[:])))
	}
	wantFault(t, sell(10_00), 409, "no_writer", "terminal")
	writer := r.begins(1, 1)
	wantFault(t, sell(1_000_000_00), 422, "paper_too_much", "cents")
	wantFault(t, sell(1_000_01), 422, "paper_too_much", "cents")
	for range 9 {
		sell(1_000_00).into(t, &PaperIssued{})
	}
	sell(999_99).into(t, &PaperIssued{})
	wantFault(t, sell(2), 422, "paper_day", "cents")
	sell(1).into(t, &PaperIssued{})
	wantFault(t, sell(1), 422, "paper_day", "cents")
	_, err := r.house.Do(t.Context(), command.Change{Command: staff.End{By: writer, Person: writer}}, record.By{})
	must(t, err)
	wantFault(t, sell(1), 409, "no_writer", "terminal")
	r.verifies()
}
