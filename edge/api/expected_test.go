package api

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// TestExpectedAmount pays and takes back with the amount that the terminal expects: with
// another one nothing is done, and the answer has the true one.
func TestExpectedAmount(t *testing.T) {
	r := newRig(t)
	r.openDay()
	codes := map[string]serial.ClaimCode{}
	var serials []string
	for n := 1; n <= 80; n++ { // Twenty of them win.
		sold, code := r.sell(fmt.Sprintf(`{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","spots":[%d],"stake_cents":200}]}`, n))
		codes[sold.Serial] = code
		serials = append(serials, sold.Serial)
	}
	back, code := r.sell(`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":3,"bets":[{"bet":"classic","spots":[1],"stake_cents":200}]}`)
	codes[back.Serial] = code
	game := r.play()
	won := serials[game.Numbers.At(0)-1]
	ask := func(action, serial, more string) reply {
		r.number++
		return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/%s", r.number, action), fmt.Sprintf(`{"serial":%q,"claim_code":%q%s}`, serial, codes[serial], more))
	}
	for _, c := range []struct {
		action, serial string
		cents          int64
	}{{"payment", won, 600}, {"cancellation", back.Serial, 400}} {
		for _, session := range []string{"", `,"in_session":true`} {
			for _, wrong := range []int64{c.cents - 1, c.cents + 1, 0, -c.cents} {
				a := ask(c.action, c.serial, fmt.Sprintf(`,"expect_cents":%d%s`, wrong, session))
				if wantFault(t, a, 422, "expect_other", "expect_cents"); a.fault(t).Cents != c.cents {
					t.Errorf("%s: the answer has %d cents, not %d", c.action, a.fault(t).Cents, c.cents)
				}
			}
		}
		if a := ask(c.action, c.serial, fmt.Sprintf(`,"expect_cents":%d`, c.cents)); a.status != http.StatusOK {
			t.Errorf("%s with the true amount: %s", c.action, a.body)
		}
	}
}

// TestVoidOfVoucher undoes a ticket that a voucher has paid for and that was not handed over.
// It does not go back in cash. It does in a session, at whose end there is a voucher again.
func TestVoidOfVoucher(t *testing.T) {
	r := newRig(t)
	r.openDay()
	senior := r.signOn(r.member(record.RoleSenior))
	r.begins(1, 1)
	ask := func(action, body string) reply {
		r.number++
		return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/%s", r.number, action), body)
	}
	newCode := func() (serial.ClaimCode, string) {
		code, err := serial.NewClaimCode(r.random)
		must(t, err)
		hash := code.Hash(1, r.number+1)
		return code, hex.EncodeToString(hash[:])
	}
	code, hash := newCode()
	var paper PaperIssued
	ask("paper", fmt.Sprintf(`{"kind":"gift_voucher","cents":200,"claim_hash":%q}`, hash)).into(t, &paper)
	end := func(body string) reply { return ask("session-end", body) }
	_, hash = newCode()
	var sold Sale
	ask("sale", fmt.Sprintf(`{"method":"form","in_session":true,"ticket":%s,"claim_hash":%q}`, oneSpot, hash)).into(t, &sold)
	end(fmt.Sprintf(`{"papers":[{"serial":%q,"claim_code":%q}]}`, paper.Serial, code)).into(t, &SessionEnd{})

	r.undelivered(1, sold.Serial, 0).into(t, &Sheet{})
	var request Approval
	r.atTerminal(1, http.MethodPost, "/v1/terminals/1/voids", fmt.Sprintf(`{"serial":%q}`, sold.Serial)).into(t, &request)
	r.as(senior, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", request.Number), decision(request.Content, true)).into(t, &Approval{})
	void := fmt.Sprintf(`{"serial":%q,"approval":%d`, sold.Serial, request.Number)
	wantFault(t, ask("void", void+`}`), 422, "in_session", "serial")
	for _, wrong := range []int{199, 201, 0} {
		wantFault(t, ask("void", fmt.Sprintf(`%s,"in_session":true,"expect_cents":%d}`, void, wrong)), 422, "expect_other", "expect_cents")
	}
	var undone Cancellation
	if ask("void", void+`,"in_session":true,"expect_cents":200}`).into(t, &undone); undone.RefundCents != 200 {
		t.Errorf("it gave back %+v", undone)
	}
	_, hash = newCode()
	var ended SessionEnd
	for _, wrong := range []int{-200, -1, 1} { // What goes back as a voucher is no money: nothing is due.
		wantFault(t, end(fmt.Sprintf(`{"claims":[%q],"expect_cents":%d}`, hash, wrong)), 422, "expect_other", "expect_cents")
		r.number--
	}
	end(fmt.Sprintf(`{"claims":[%q],"expect_cents":0}`, hash)).into(t, &ended)
	if len(ended.Papers) != 1 || ended.Papers[0].Kind != "gift_voucher" || ended.Papers[0].Cents != 200 || len(ended.Tenders) != 0 {
		t.Errorf("the session ends with %+v", ended)
	}
}

// TestEveryWayOutIsExpected: whatever pays money out at a counter is asked with the amount that is
// expected, or for an amount that the request itself states. A cheque that is handed over is the one
// that the end of a session has promised, and decides no amount.
func TestEveryWayOutIsExpected(t *testing.T) {
	for name, way := range map[string]struct {
		body  any
		field string // that has the amount
	}{
		"a payment or forfeit":     {PaymentRequest{}, "expect_cents"},
		"a cancellation":           {CancellationRequest{}, "expect_cents"},
		"a void":                   {VoidTicketRequest{}, "expect_cents"},
		"the end of a session":     {SessionEndRequest{}, "expect_cents"}, // Vouchers that are exchanged, and cheques, are part of it.
		"a claim":                  {command.PayClaim{}, "expect_cents"},
		"a payment by hand":        {command.HandPayment{}, "cents"},
		"a paper that is given":    {PaperRequest{}, "cents"},
		"a debt that is paid late": {command.Released{}, "cents"},
	} {
		has := ""
		for f := range reflect.TypeOf(way.body).Fields() {
			if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag == "cents" || tag == "expect_cents" {
				has = tag
			}
		}
		if has != way.field {
			t.Errorf("%s is asked with %q, not with %q", name, has, way.field)
		}
	}
}
