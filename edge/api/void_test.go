package api

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// TestVoidUndelivered undoes a ticket that the printer kept: the terminal says so, one
// person asks, another consents to that very ticket, and the stakes go back once.
func TestVoidUndelivered(t *testing.T) {
	r := newRig(t)
	r.openDay()
	kept, _ := r.sell(oneSpot)
	other, _ := r.sell(oneSpot)
	var senior, central uint32
	for _, one := range r.house.People().Persons() {
		if one.Has(record.RoleSenior, 1) {
			senior = one.ID
		}
		if one.HasAny(record.RoleSupervisor) {
			central = one.ID
		}
	}
	content := staff.ContentOf(command.ActionVoid, []byte(kept.Place.String()))
	decide := func(c staff.Command) {
		t.Helper()
		_, err := r.house.Do(context.Background(), command.Change{Command: c}, record.By{})
		must(t, err)
	}
	void := func(serial string) reply {
		r.number++
		return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/void", r.number),
			fmt.Sprintf(`{"serial":%q,"approval":1}`, serial))
	}
	wantFault(t, void(kept.Serial), http.StatusNotFound, string(staff.ApprovalUnknown), "approval")
	decide(staff.Request{By: senior, Action: command.ActionVoid, Content: content})
	if a := void(kept.Serial); a.fault(t).Code != staff.ApprovalNotGiven {
		t.Errorf("without consent: %s", a.body)
	}
	decide(staff.Consent{By: central, Approval: 1, Content: content, Granted: true})
	if a := void(other.Serial); a.status == http.StatusOK {
		t.Errorf("consent to another ticket: %s", a.body)
	}
	r.begins(1, 1)
	must(t, r.house.SetUndelivered(context.Background(), 1, record.Place(kept.Place), "the paper jammed", 0))
	a := void(kept.Serial)
	var undone Cancellation
	a.into(t, &undone)
	if undone.RefundCents != kept.CostCents || undone.Serial != kept.Serial {
		t.Errorf("it gave back %s for %+v", a.body, kept)
	}
	again := r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/void", r.number),
		fmt.Sprintf(`{"serial":%q,"approval":1}`, kept.Serial))
	if string(again.body) != string(a.body) {
		t.Errorf("the same request again: %s", again.body)
	}
	if a := void(kept.Serial); a.status == http.StatusOK {
		t.Errorf("voided twice: %s", a.body)
	}
}
