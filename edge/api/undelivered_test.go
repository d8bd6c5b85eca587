package api

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"testing"

	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/edge/terminal"
	"drawhouse/journal/record"
)

// TestPrinterFailure: a ticket that was sold and not handed over is printed again by the
// person on shift, and the code of the first sheet still opens; or it is void, for which a
// second person is needed.
func TestPrinterFailure(t *testing.T) {
	r := newRig(t)
	r.openDay()
	senior := r.signOn(r.member(record.RoleSenior))
	first, code := r.sell(oneSpot)
	second, _ := r.sell(oneSpot)
	_, again := r.reprint(1, first.Serial, 0)
	wantFault(t, again, 422, "not_undelivered", "serial")
	wantFault(t, r.undelivered(1, first.Serial, 0), 409, "no_writer", "terminal")
	wantFault(t, r.atTerminal(1, http.MethodPost, "/v1/terminals/1/voids", fmt.Sprintf(`{"serial":%q}`, second.Serial)),
		409, "no_writer", "terminal")
	r.begins(1, 1)
	r.undelivered(1, first.Serial, 0).into(t, &Sheet{})
	r.undelivered(1, first.Serial, 0).into(t, &Sheet{}) // It is said once.
	var sheet Sheet
	fresh, again := r.reprint(1, first.Serial, 0)
	again.into(t, &sheet)
	if sheet.Serial == first.Serial {
		t.Error("the second sheet has the serial of the first")
	}
	var found Ticket
	if r.send(http.MethodGet, "/v1/tickets/"+sheet.Serial, "").into(t, &found); found.Serial != first.Serial {
		t.Errorf("the page of the second sheet is of ticket %s", found.Serial)
	}
	cancel := func(serial string, code serial.ClaimCode) reply {
		r.number++
		return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/cancellation", r.number),
			fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, serial, code))
	}
	other, _ := r.reprint(1, second.Serial, 0)
	wantFault(t, cancel(sheet.Serial, other), 403, "claim_code_other", "claim_code")
	cancel(first.Serial, code).into(t, &Cancellation{}) // The holder of the first sheet is not shut out.
	wantFault(t, cancel(sheet.Serial, fresh), 422, "nothing_left", "serial")

	r.undelivered(1, second.Serial, 0).into(t, &Sheet{})
	var request Approval
	r.atTerminal(1, http.MethodPost, "/v1/terminals/1/voids", fmt.Sprintf(`{"serial":%q}`, second.Serial)).into(t,
		&request)
	r.number++
	path := fmt.Sprintf("/v1/terminals/1/requests/%d/void", r.number)
	void := fmt.Sprintf(`{"serial":%q,"approval":%d}`, second.Serial, request.Number)
	wantFault(t, r.send(http.MethodPut, path, void), 409, "approval_not_given", "approval")
	r.as(senior, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", request.Number),
		decision(request.Content, true)).into(t, &Approval{})
	wantFault(t, r.send(http.MethodPut, path, fmt.Sprintf(`{"serial":%q,"approval":%d}`, sheet.Serial, request.Number)),
		404, "ticket_unknown", "serial")
	var voided Cancellation
	r.send(http.MethodPut, path, void).into(t, &voided)
	if voided.RefundCents != 200 || voided.Serial != second.Serial {
		t.Errorf("%+v", voided)
	}
	r.send(http.MethodPut, path, void).into(t, &voided) // The same request is answered as before.
}

// TestTerminalTakesNoWinner has a terminal try to take a ticket that has won from its
// holder: alone at the terminal that sold it, at another venue, with nobody on shift, and
// after the ticket was paid. Two persons may replace a sheet, and its holder is told so.
func TestTerminalTakesNoWinner(t *testing.T) {
	r := newRigOf(t, "vic-keno-2015", "hotel", "", 2)
	r.openDay()
	senior := r.signOn(r.member(record.RoleSenior))
	_, err := r.house.Do(t.Context(), command.Change{Command: staff.AddVenue{Kind: "hotel", Name: "Elsewhere"}},
		record.By{})
	must(t, err)
	_, err = r.house.Do(t.Context(), command.Change{Command: staff.AddTerminal{Venue: 2, Channel: "writer",
		Key: terminal.DemoPublic(3)}}, record.By{})
	must(t, err)
	first, second, third := r.sellSides(), r.sellSides(), r.sellSides()
	wantFault(t, r.undelivered(1, third.sold[0].Serial, 0), 409, "no_writer", "terminal")
	r.begins(1, 1)
	r.begins(2, 1)
	r.begins(3, 2)
	for _, sold := range first.sold {
		r.undelivered(1, sold.Serial, 0).into(t, &Sheet{}) // Nobody knows what it wins.
	}
	wantFault(t, r.undelivered(2, third.sold[0].Serial, 0), 403, "other_terminal", "terminal")
	wantFault(t, r.undelivered(3, third.sold[0].Serial, 0), 403, "other_terminal", "terminal")
	r.play()
	marked, markedCode := r.winnerOf(first)
	paid, paidCode := r.winnerOf(second)
	winner, winnerCode := r.winnerOf(third)
	answer, _, _ := r.pay(paid.Serial, paidCode)
	answer.into(t, &Payment{})
	for _, at := range []uint32{1, 2, 3} {
		code := map[uint32]string{1: "sheet_sealed", 2: "other_terminal", 3: "other_terminal"}[at]
		field := map[uint32]string{1: "serial", 2: "terminal", 3: "terminal"}[at]
		wantFault(t, r.undelivered(at, winner.Serial, 0), 403, code, field)
		_, again := r.reprint(at, marked.Serial, 0)
		wantFault(t, again, 403, code, field)
		wantFault(t, r.undelivered(at, paid.Serial, 0), 409, "sheet_used", "serial")
	}
	_, again := r.reprint(1, winner.Serial, 0)
	wantFault(t, again, 422, "not_undelivered", "serial")

	agree := func(serial string) uint32 {
		var request Approval
		r.atTerminal(1, http.MethodPost, "/v1/terminals/1/reissues", fmt.Sprintf(`{"serial":%q}`, serial)).into(t, &request)
		_, again := r.reprint(1, serial, request.Number)
		wantFault(t, again, 409, "approval_not_given", "approval")
		r.as(senior, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", request.Number),
			decision(request.Content, true)).into(t, &Approval{})
		return request.Number
	}
	wantFault(t, r.atTerminal(1, http.MethodPost, "/v1/terminals/1/reissues", fmt.Sprintf(`{"serial":%q}`, paid.Serial)),
		409, "sheet_used", "serial")
	approval := agree(marked.Serial)
	_, again = r.reprint(1, winner.Serial, approval)
	wantFault(t, again, 409, "approval_other", "content")
	_, again = r.reprint(3, marked.Serial, approval)
	wantFault(t, again, 409, "not_on_shift", "person")
	var sheet Sheet
	fresh, again := r.reprint(1, marked.Serial, approval)
	again.into(t, &sheet)
	_, again = r.reprint(1, marked.Serial, approval)
	wantFault(t, again, 409, "approval_over", "approval")
	answer, _, _ = r.pay(marked.Serial, markedCode)
	wantFault(t, answer, 403, "sheet_replaced", "claim_code")
	answer, _, _ = r.pay(sheet.Serial, fresh)
	answer.into(t, &Payment{})
	answer, _, _ = r.pay(winner.Serial, winnerCode)
	answer.into(t, &Payment{})
	r.verifies()
}

// begins has a writer of a venue sign on at a terminal.
func (r *rig) begins(terminal, venue uint32) uint32 {
	r.t.Helper()
	grant := state.Grant{Role: record.RoleWriter, Venue: venue}
	writer := r.memberOf(grant)
	_, err := r.house.Do(r.t.Context(), command.Change{Command: staff.Begin{Person: writer, Terminal: terminal,
		Grant: grant}}, record.By{})
	must(r.t, err)
	return writer
}

// sides are the three calls of heads or tails, one of which wins.
type sides struct {
	sold  [3]Sale
	codes [3]serial.ClaimCode
}

// sellSides sells a ticket on each side at terminal 1.
func (r *rig) sellSides() (all sides) {
	r.t.Helper()
	for i, side := range []string{"heads", "tails", "evens"} {
		all.sold[i],
			all.codes[i] = r.sell(fmt.Sprintf(`{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"heads_or_tails","calls":[%q],"stake_cents":200}]}`, side))
	}
	return all
}

// winnerOf returns the serial and the code of the ticket that has won.
func (r *rig) winnerOf(all sides) (Sale, serial.ClaimCode) {
	r.t.Helper()
	for i, sold := range all.sold {
		var t Ticket
		r.send(http.MethodGet, "/v1/tickets/"+sold.Serial, "").into(r.t, &t)
		if t.WonCents > 0 {
			return sold, all.codes[i]
		}
	}
	r.t.Fatal("no side has won")
	return Sale{}, serial.ClaimCode{}
}

// undelivered has a terminal say that a ticket was not handed over.
func (r *rig) undelivered(at uint32, serial string, approval uint32) reply {
	r.t.Helper()
	body := fmt.Sprintf(`{"serial":%q,"reason":"no paper"}`, serial)
	if approval != 0 {
		body = fmt.Sprintf(`{"serial":%q,"reason":"no paper","approval":%d}`, serial, approval)
	}
	return r.atTerminal(at, http.MethodPost, fmt.Sprintf("/v1/terminals/%d/undelivered", at), body)
}

// reprint has a terminal print another sheet, and returns its code.
func (r *rig) reprint(at uint32, of string, approval uint32) (serial.ClaimCode, reply) {
	r.t.Helper()
	r.number++
	code, err := serial.NewClaimCode(r.random)
	must(r.t, err)
	hash := code.Hash(at, r.number)
	body := fmt.Sprintf(`{"serial":%q,"claim_hash":%q}`, of, hex.EncodeToString(hash[:]))
	if approval != 0 {
		body = fmt.Sprintf(`{"serial":%q,"claim_hash":%q,"approval":%d}`, of, hex.EncodeToString(hash[:]), approval)
	}
	return code, r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/%d/requests/%d/reprint", at, r.number), body)
}

// TestStoppedTicket: anybody who looks a ticket up sees that nothing is paid on it.
func TestStoppedTicket(t *testing.T) {
	r := newRig(t)
	r.openDay()
	sold, _ := r.sell(oneSpot)
	stopped := func() *PaymentStop {
		var ticket Ticket
		r.send(http.MethodGet, "/v1/tickets/"+sold.Serial, "").into(t, &ticket)
		return ticket.Stopped
	}
	if stopped() != nil {
		t.Error("a fresh ticket is stopped")
	}
	_, err := r.house.Do(t.Context(), command.FreezePayment{Places: []record.Place{record.Place(sold.Place)},
		Reason: "a complaint"}, record.By{Person: r.member(record.RoleSupervisor)})
	must(t, err)
	if stop := stopped(); stop == nil || !stop.Frozen || stop.Disqualified || stop.Invalid {
		t.Errorf("%+v", stop)
	}
}
