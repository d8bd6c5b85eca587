package api

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
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
		return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/%s", r.number, action),
			fmt.Sprintf(`{"serial":%q,"claim_code":%q%s}`, serial, codes[serial], more))
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
	ask("sale", fmt.Sprintf(`{"method":"form","in_session":true,"ticket":%s,"claim_hash":%q}`, oneSpot, hash)).into(t,
		&sold)
	end(fmt.Sprintf(`{"papers":[{"serial":%q,"claim_code":%q}]}`, paper.Serial, code)).into(t, &SessionEnd{})

	r.undelivered(1, sold.Serial, 0).into(t, &Sheet{})
	var request Approval
	r.atTerminal(1, http.MethodPost, "/v1/terminals/1/voids", fmt.Sprintf(`{"serial":%q}`, sold.Serial)).into(t, &request)
	r.as(senior, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", request.Number),
		decision(request.Content, true)).into(t, &Approval{})
	void := fmt.Sprintf(`{"serial":%q,"approval":%d`, sold.Serial, request.Number)
	wantFault(t, ask("void", void+`}`), 422, "in_session", "serial")
	for _, wrong := range []int{199, 201, 0} {
		wantFault(t, ask("void", fmt.Sprintf(`%s,"in_session":true,"expect_cents":%d}`, void, wrong)), 422, "expect_other",
			"expect_cents")
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
	if len(ended.Papers) != 1 || ended.Papers[0].Kind != "gift_voucher" || ended.Papers[0].Cents != 200 ||
		len(ended.Tenders) != 0 {
		t.Errorf("the session ends with %+v", ended)
	}
}

// unexpected are commands that a terminal says, or that a stop of payment stops, and that name no amount, with why.
var unexpected = map[string]string{
	"reprint":            "it prints a sheet, and moves no money",
	"report-undelivered": "it says something of a sheet, and moves no money",
	"ask-reissue":        "it asks a second person, and moves no money",
	"ask-void":           "it asks a second person; void-undelivered then names the amount",
	"bring-in-payment":   "two persons have agreed on the amount: pay-by-hand names it",
	"lodge-claim":        "it asks for money; pay-claim names the amount",
	"hand-cheque":        "the end of a session has promised this cheque",
	"disqualify-ticket":  "it stops money",
	"freeze-payment":     "it stops money",
	"notify-card":        "it says what was told to a holder, and moves no money",
	"decide-claim":       "it allows a claim; pay-claim names the amount",
}

// paying are the codes of refusals about money that leaves: it is stopped, was paid before, was not paid for, or is
// another amount.
var paying = []refusal.Code{
	counter.Frozen, counter.ExpectOther, counter.AlreadyPaid, counter.NotPaidFor, counter.PaperAmountWrong,
}

// TestEveryWayOutIsExpected: whatever pays money out at a counter is asked with the amount that is expected, or for
// an amount that the request itself states. What pays is read from the rows of commands: a terminal says it, or
// it is refused with a code about money that leaves. A cheque that is handed over is the one that the
// end of a session has promised, and decides no amount.
func TestEveryWayOutIsExpected(t *testing.T) {
	d := newRig(t).description()
	operations := map[string]described{}
	d.each(func(_, _ string, op described) { operations[op.OperationID] = op })
	pays := 0
	for _, row := range command.Rows() {
		if !row.Till && !slices.ContainsFunc(row.Refused(), func(code string) bool {
			return slices.Contains(paying, refusal.Code(code))
		}) {
			if unexpected[row.Name] != "" {
				t.Errorf("%s is excused, and pays nothing", row.Name)
			}
			continue
		}
		pays++
		op, ok := operations[row.Name]
		if !ok {
			t.Errorf("%s is not described", row.Name)
			continue
		}
		has := false
		if op.RequestBody == nil {
			op.RequestBody = &struct{ Content map[string]map[string]any }{}
		}
		for _, content := range op.RequestBody.Content {
			schema, _ := content["schema"].(map[string]any)
			ref, _ := schema["$ref"].(string)
			fields, _ := d.Components.Schemas[ref[strings.LastIndex(ref, "/")+1:]]["properties"].(map[string]any)
			has = has || fields["expect_cents"] != nil || fields["cents"] != nil
		}
		if has == (unexpected[row.Name] != "") {
			t.Errorf("%s names an amount: %v; excused: %q", row.Name, has, unexpected[row.Name])
		}
	}
	if pays < 14 {
		t.Errorf("only %d commands pay", pays)
	}
}
