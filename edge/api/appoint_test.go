package api

import (
	"fmt"
	"net/http"
	"testing"

	"drawhouse/journal/record"
)

// TestAppointInspector: an administrator who is alone makes nobody an inspector, not by a
// role, not with a new person, and not by taking over the password of one; two persons do.
func TestAppointInspector(t *testing.T) {
	r := newRig(t)
	admin, supervisor := r.member(record.RoleAdministrator), r.member(record.RoleSupervisor)
	boss, other := r.signOn(admin), r.signOn(supervisor)
	grants := func(id uint32) string { return fmt.Sprintf("/v1/people/%d/grants", id) }
	wantFault(t, r.as(boss, http.MethodPost, grants(admin), `{"role":"inspector"}`), 403, "inspector_by_two", "role")
	wantFault(t, r.as(boss, http.MethodPost, "/v1/people", `{"name":"Ida","grants":[{"role":"inspector"}]}`), 403,
		"inspector_by_two", "role")
	var ida Numbered
	r.as(boss, http.MethodPost, "/v1/people", `{"name":"Ida"}`).into(t, &ida)
	wantFault(t, r.as(boss, http.MethodPost, grants(ida.Number), `{"role":"inspector"}`), 403, "inspector_by_two", "role")

	appoint := func(id uint32) reply {
		return r.as(boss, http.MethodPost, "/v1/operator/inspectors", fmt.Sprintf(`{"person":%d}`, id))
	}
	wantFault(t, appoint(admin), 403, "inspector_by_two", "person")
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
	r.send(http.MethodPost, "/v1/invitations", fmt.Sprintf(`{"token":%q,"password":%q}`, invited.Token, password)).into(t,
		&Done{})
	r.as(r.signOn(ida.Number), http.MethodGet, "/v1/journal", "").into(t, &struct{}{})
	wantFault(t, invite(), 403, "inspector_own", "person")
}

// TestInspectorStays: an administrator alone neither locks an inspector nor takes the role;
// two persons do, the inspector may alone, and who guesses passwords locks one for a while.
func TestInspectorStays(t *testing.T) {
	r := newRig(t)
	inspector := r.member(record.RoleInspector)
	admin, supervisor := r.member(record.RoleAdministrator), r.member(record.RoleSupervisor)
	boss, other, own := r.signOn(admin), r.signOn(supervisor), r.signOn(inspector)
	lock, role := fmt.Sprintf("/v1/people/%d/lock", inspector), fmt.Sprintf("/v1/people/%d/withdrawals", inspector)
	const locked, open, inspects = `{"locked":true,"reason":"leave"}`, `{"locked":false,"reason":"back"}`,
		`{"role":"inspector"}`
	byTwo := func(path, body string) {
		t.Helper()
		var asked Approval
		r.as(boss, http.MethodPost, "/v1/operator/inspectors/"+path, body).into(t, &asked)
		at := fmt.Sprintf("/v1/approvals/%d", asked.Number)
		wantFault(t, r.as(boss, http.MethodPost, at+"/use", ""), 409, "approval_not_given", "approval")
		r.as(other, http.MethodPost, at+"/decision", decision(asked.Content, true)).into(t, &asked)
		r.as(boss, http.MethodPost, at+"/use", "").into(t, &Operated{})
	}
	for _, one := range []string{boss, other} {
		wantFault(t, r.as(one, http.MethodPut, lock, locked), 403, "inspector_by_two", "person")
	}
	wantFault(t, r.as(boss, http.MethodPost, role, inspects), 403, "inspector_by_two", "role")
	wantFault(t, r.as(own, http.MethodPut, fmt.Sprintf("/v1/people/%d/lock", admin), locked), 403, "not_allowed", "person")
	wantFault(t, r.as(own, http.MethodPost, fmt.Sprintf("/v1/people/%d/withdrawals", supervisor), `{"role":"supervisor"}`),
		403, "not_allowed", "person")
	wantFault(t, r.as(boss, http.MethodPost, "/v1/operator/inspectors/locks",
		fmt.Sprintf(`{"person":%d,"locked":true,"reason":"leave"}`, supervisor)), 422, "role_not_held", "person")
	r.as(own, http.MethodGet, "/v1/journal", "").into(t, &struct{}{})

	r.as(own, http.MethodPut, lock, locked).into(t, &Done{})
	wantFault(t, r.as(own, http.MethodGet, "/v1/journal", ""), 401, "session_over", "")
	wantFault(t, r.as(boss, http.MethodPut, lock, open), 403, "inspector_by_two", "person")
	byTwo("locks", fmt.Sprintf(`{"person":%d,"locked":false,"reason":"back"}`, inspector))
	own = r.signOn(inspector)
	byTwo("locks", fmt.Sprintf(`{"person":%d,"locked":true,"reason":"leave"}`, inspector))
	wantFault(t, r.as(own, http.MethodGet, "/v1/journal", ""), 401, "session_over", "")
	byTwo("locks", fmt.Sprintf(`{"person":%d,"locked":false,"reason":"back"}`, inspector))

	for range guessedMost {
		wantFault(t, r.send(http.MethodPost, "/v1/session",
			fmt.Sprintf(`{"person":%d,"password":"a wrong password"}`, inspector)), 401, "sign_on_wrong", "")
	}
	r.as(boss, http.MethodPut, lock, open).into(t, &Done{}) // A lock that ends by itself one person cuts short.
	r.signOn(inspector)
	byTwo("dismissals", fmt.Sprintf(`{"person":%d}`, inspector))
	wantFault(t, r.as(r.signOn(inspector), http.MethodGet, "/v1/journal", ""), 403, "role_missing", "")
}
