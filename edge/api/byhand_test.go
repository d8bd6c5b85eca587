package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"drawhouse/core/serial"
	"drawhouse/journal/record"
)

// upTo returns the numbers from 1 on.
func upTo(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i + 1
	}
	return numbers
}

// untaken has the ball machine draw the first game, with a result that the computer does not
// take at first, and settles it when the computer is put right.
func (r *casino) untaken() {
	r.t.Helper()
	must(r.t, r.house.First().TurnGame(r.t.Context(), r.clock.Now().Add(time.Minute)))
	r.begins()
	r.key(upTo(20)...)
	r.act(r.asAnn, r.asked(`{"act":"not_accepted","reason":"no link"}`, "not_accepted"))
	r.act(r.asAnn, r.asked(`{"act":"rectified","reason":"a new cable"}`, "rectified"))
	r.act(r.asBob, `{"act":"accepted"}`)
	for range 20 {
		must(r.t, r.house.First().DrawNumber(r.t.Context(), 1))
	}
	must(r.t, r.house.First().FinishDraw(r.t.Context(), 1))
	must(r.t, r.house.First().SettleGame(r.t.Context(), 1))
}

// hand asks for a payment by hand of the first game, paid by the writer.
func (r *casino) hand(number string, cents int64, by uint32) reply {
	r.t.Helper()
	return r.rig.as(r.asAnn, http.MethodPost, "/v1/operator/hand-payments",
		fmt.Sprintf(`{"terminal":1,"serial":%q,"ordinal":1,"cents":%d,"paid_by":%d}`, number, cents, by))
}

// agrees has the second person consent to a payment by hand, and returns its number.
func (r *casino) agrees(number string, cents int64) uint32 {
	r.t.Helper()
	var asked Approval
	r.hand(number, cents, r.bob).into(r.t, &asked)
	if want := "has paid $" + fmt.Sprintf("%d.%02d", cents/100, cents%100) +
		" by hand for ticket"; !strings.Contains(asked.Does, want) {
		r.t.Errorf("the second person sees %q, want %q", asked.Does, want)
	}
	r.rig.as(r.as, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", asked.Number),
		decision(asked.Content, true)).into(r.t, &Approval{})
	return asked.Number
}

func (r *casino) bringsIn(number string, code serial.ClaimCode, approval uint32) reply {
	r.t.Helper()
	r.number++
	return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/hand-payment", r.number),
		fmt.Sprintf(`{"serial":%q,"claim_code":%q,"approval":%d}`, number, code, approval))
}

// TestPaidByHand has the computer not take the result of a game. Until the next draw its prizes
// are paid by hand alone; two persons bring each in, and then no terminal pays it again. Who
// was not paid by hand is paid at a terminal after that.
//
//rule:casino-keno-div2 11.7
func TestPaidByHand(t *testing.T) {
	r := newCasino(t)
	ticket := `{"v":1,"rulebook":"casino-keno-div2","first":"open","bets":[{"bet":"standard","spots":[1,2,3],"stake_cents":100}]}`
	paid, paidCode := r.sell(ticket)
	left, leftCode := r.sell(ticket)
	late, lateCode := r.sell(ticket)
	wantFault(t, r.hand(paid.Serial, 4200, r.bob), http.StatusConflict, "not_by_hand", "ordinal")
	r.untaken()
	refused, _, _ := r.pay(paid.Serial, paidCode)
	wantFault(t, refused, http.StatusConflict, "by_hand_only", "serial")
	// What cannot be is not asked for.
	wantFault(t, r.hand(paid.Serial, 4200, r.member(record.RoleInspector)), http.StatusUnprocessableEntity,
		"hand_payer_other", "paid_by")
	wantFault(t, r.hand(paid.Serial, 0, r.bob), http.StatusUnprocessableEntity, "hand_cents_other", "cents")
	wantFault(t, r.bringsIn(paid.Serial, paidCode, 99), http.StatusNotFound, "approval_unknown", "approval")
	wrong := r.agrees(paid.Serial, 4300)
	wantFault(t, r.bringsIn(paid.Serial, paidCode, wrong), http.StatusUnprocessableEntity, "hand_cents_other", "cents")
	agreed := r.agrees(paid.Serial, 4200)
	wantFault(t, r.bringsIn(left.Serial, leftCode, agreed), http.StatusConflict, "approval_other", "serial")
	wantFault(t, r.bringsIn(paid.Serial, leftCode, agreed), http.StatusForbidden, "claim_code_other", "claim_code")
	var view Payment
	r.bringsIn(paid.Serial, paidCode, agreed).into(t, &view)
	if view.PaidCents != 4200 {
		t.Errorf("%+v", view)
	}
	wantFault(t, r.bringsIn(paid.Serial, paidCode, agreed), http.StatusConflict, "approval_over", "approval")
	wantFault(t, r.hand(paid.Serial, 4200, r.bob), http.StatusConflict, "already_paid", "ticket")
	refused, _, _ = r.pay(paid.Serial, paidCode)
	wantFault(t, refused, http.StatusConflict, "already_paid", "serial")

	// The next draw begins: terminals pay what nobody has paid by hand, and a payment by hand
	// that comes late is still brought in.
	must(t, r.house.First().TurnGame(t.Context(), r.clock.Now().Add(time.Minute)))
	r.begins()
	answer, _, _ := r.pay(left.Serial, leftCode)
	answer.into(t, &Payment{})
	r.bringsIn(late.Serial, lateCode, r.agrees(late.Serial, 4200)).into(t, &Payment{})
	refused, _, _ = r.pay(late.Serial, lateCode)
	wantFault(t, refused, http.StatusConflict, "already_paid", "serial")
	r.verifies()
}
