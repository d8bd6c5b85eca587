package api

import (
	"fmt"
	"net/http"
	"testing"

	"drawhouse/record"
)

// TestAppointInspector: an administrator who is alone makes nobody an inspector, not by a
// role, not with a new person, and not by taking over the password of one; two persons do.
func TestAppointInspector(t *testing.T) {
	r := newRig(t)
	admin, supervisor := r.member(record.RoleAdministrator), r.member(record.RoleSupervisor)
	boss, other := r.signOn(admin), r.signOn(supervisor)
	grants := func(id uint32) string { return fmt.Sprintf("/v1/people/%d/grants", id) }
	wantFault(t, r.as(boss, http.MethodPost, grants(admin), `{"role":"inspector"}`), 403, "inspector_by_two", "role")
	wantFault(t, r.as(boss, http.MethodPost, "/v1/people", `{"name":"Ida","grants":[{"role":"inspector"}]}`), 403, "inspector_by_two", "role")
	var ida Numbered
	r.as(boss, http.MethodPost, "/v1/people", `{"name":"Ida"}`).into(t, &ida)
	wantFault(t, r.as(boss, http.MethodPost, grants(ida.Number), `{"role":"inspector"}`), 403, "inspector_by_two", "role")

	appoint := func(id uint32) reply {
		return r.as(boss, http.MethodPost, "/v1/operator/inspectors", fmt.Sprintf(`{"person":%d}`, id))
	}
	wantFault(t, appoint(admin), 422, "inspector_alone", "role")
	wantFault(t, appoint(999), 404, "person_unknown", "person")
	var asked Approval
	appoint(ida.Number).into(t, &asked)
	at := fmt.Sprintf("/v1/approvals/%d", asked.Number)
	wantFault(t, r.as(boss, http.MethodPost, at+"/use", ""), 409, "approval_not_given", "approval")
	r.as(other, http.MethodPost, at+"/decision", decision(asked.Content, true)).into(t, &asked)
	r.as(boss, http.MethodPost, at+"/use", "").into(t, &Operated{})
	wantFault(t, appoint(ida.Number), 422, "role_held", "role")
	wantFault(t, r.as(boss, http.MethodPost, grants(ida.Number), `{"role":"operative"}`), 422, "inspector_alone", "role")

	invite := func() reply {
		return r.as(boss, http.MethodPost, fmt.Sprintf("/v1/people/%d/invitation", ida.Number), "")
	}
	var invited Invitation
	invite().into(t, &invited)
	r.send(http.MethodPost, "/v1/invitations", fmt.Sprintf(`{"token":%q,"password":%q}`, invited.Token, password)).into(t, &Done{})
	r.as(r.signOn(ida.Number), http.MethodGet, "/v1/journal", "").into(t, &struct{}{})
	wantFault(t, invite(), 403, "inspector_own", "person")
}
