package api

import (
	"fmt"
	"net/http"
	"testing"

	"drawhouse/record"
	"drawhouse/staff"
	"drawhouse/state"
)

// TestPrinterFailure: a ticket that was sold and not handed over is printed again, marked
// as a duplicate, and the code of the first sheet opens nothing; or it is void, for which
// a second person is needed.
func TestPrinterFailure(t *testing.T) {
	r := newRig(t)
	r.openDay()
	writer, senior := r.member(record.RoleWriter), r.signOn(r.member(record.RoleSenior))
	first, code := r.sell(oneSpot)
	second, _ := r.sell(oneSpot)
	undelivered := func(serial string) reply {
		return r.atTerminal(1, http.MethodPost, "/v1/terminals/1/undelivered", fmt.Sprintf(`{"serial":%q,"reason":"no paper"}`, serial))
	}
	r.number++
	again, fresh := r.saleBody(1, r.number, oneSpot)
	hash := again[len(again)-66 : len(again)-2]
	reprint := fmt.Sprintf(`{"serial":%q,"claim_hash":%q}`, first.Serial, hash)
	path := fmt.Sprintf("/v1/terminals/1/requests/%d/", r.number)
	wantFault(t, r.send(http.MethodPut, path+"reprint", reprint), 422, "not_undelivered", "serial")
	undelivered(first.Serial).into(t, &Sheet{})
	var sheet Sheet
	r.send(http.MethodPut, path+"reprint", reprint).into(t, &sheet)
	if sheet.Serial == first.Serial {
		t.Error("the second sheet has the serial of the first")
	}
	cancel := func(serial, code string) reply {
		r.number++
		return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/cancellation", r.number), fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, serial, code))
	}
	wantFault(t, cancel(sheet.Serial, code.String()), 403, "claim_code_other", "claim_code")
	cancel(sheet.Serial, fresh.String()).into(t, &Cancellation{})

	undelivered(second.Serial).into(t, &Sheet{})
	ask := fmt.Sprintf(`{"serial":%q}`, second.Serial)
	wantFault(t, r.atTerminal(1, http.MethodPost, "/v1/terminals/1/voids", ask), 409, "no_writer", "terminal")
	_, err := r.house.Staff(t.Context(), staff.Begin{Person: writer, Terminal: 1, Grant: state.Grant{Role: record.RoleWriter, Venue: 1}})
	must(t, err)
	var request Approval
	r.atTerminal(1, http.MethodPost, "/v1/terminals/1/voids", ask).into(t, &request)
	r.number++
	path = fmt.Sprintf("/v1/terminals/1/requests/%d/void", r.number)
	void := fmt.Sprintf(`{"serial":%q,"approval":%d}`, second.Serial, request.Number)
	wantFault(t, r.send(http.MethodPut, path, void), 409, "approval_not_given", "approval")
	r.as(senior, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", request.Number), decision(request.Content, true)).into(t, &Approval{})
	other := fmt.Sprintf(`{"serial":%q,"approval":%d}`, sheet.Serial, request.Number)
	wantFault(t, r.send(http.MethodPut, path, other), 404, "ticket_unknown", "serial")
	var voided Cancellation
	r.send(http.MethodPut, path, void).into(t, &voided)
	if voided.RefundCents != 200 || voided.Serial != second.Serial {
		t.Errorf("%+v", voided)
	}
	r.send(http.MethodPut, path, void).into(t, &voided) // The same request is answered as before.
}

// TestStoppedTicket: whoever looks a ticket up sees that nothing is paid on it.
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
	_, err := r.house.Freeze(t.Context(), []record.Place{record.Place(sold.Place)}, "a complaint", r.member(record.RoleSupervisor))
	must(t, err)
	if stop := stopped(); stop == nil || !stop.Frozen || stop.Disqualified || stop.Invalid {
		t.Errorf("%+v", stop)
	}
}
