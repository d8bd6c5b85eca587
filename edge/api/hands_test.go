package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// TestOneIsNotTwo: an administrator who invites the supervisor anew and takes the invitation
// has no second person by it for a day. The invitation is in the journal.
func TestOneIsNotTwo(t *testing.T) {
	r := newRig(t)
	admin, supervisor, other := r.member(record.RoleAdministrator), r.member(record.RoleSupervisor),
		r.member(record.RoleSupervisor)
	boss := r.signOn(admin)
	var invited Invitation
	r.as(boss, http.MethodPost, fmt.Sprintf("/v1/people/%d/invitation", supervisor), "").into(t, &invited)
	if person, _ := r.house.People().Person(supervisor); person.Invited.By != admin {
		t.Errorf("the journal has no invitation of person %d: %+v", supervisor, person.Invited)
	}
	const taken = "horse battery staple"
	r.send(http.MethodPost, "/v1/invitations", fmt.Sprintf(`{"token":%q,"password":%q}`, invited.Token, taken)).into(t,
		&Done{})
	var on SignedOn
	r.send(http.MethodPost, "/v1/session", fmt.Sprintf(`{"person":%d,"password":%q,"bearer":true}`, supervisor,
		taken)).into(t, &on)
	ask := func() (a Approval) {
		r.as(boss, http.MethodPost, "/v1/approvals",
			fmt.Sprintf(`{"action":"erase_person","person":%d,"reason":"left"}`, other)).into(t, &a)
		return a
	}
	decide := func(header string, a Approval) reply {
		return r.as(header, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", a.Number),
			fmt.Sprintf(`{"content":%q,"granted":true}`, a.Content))
	}
	asked := ask()
	wantFault(t, decide(bearer+on.Token, asked), 403, string(staff.OneHand), "person")
	decide(r.signOn(other), asked).into(t, &asked)
	r.clock.advance(staff.InvitationLife)
	boss = r.signOn(admin)
	r.send(http.MethodPost, "/v1/session", fmt.Sprintf(`{"person":%d,"password":%q,"bearer":true}`, supervisor,
		taken)).into(t, &on)
	asked = ask()
	decide(bearer+on.Token, asked).into(t, &asked)
}

// TestGuessesEndNothing: five wrong passwords by a stranger keep out new sign-ons of that
// person and end nothing that runs; a lock by a person ends it.
func TestGuessesEndNothing(t *testing.T) {
	r := newRig(t)
	admin, supervisor := r.member(record.RoleAdministrator), r.member(record.RoleSupervisor)
	r.member(record.RoleSupervisor)
	boss, on := r.signOn(admin), r.signOn(supervisor)
	for range guessedMost {
		wantFault(t, r.signOnFrom("198.51.100.7:1", supervisor, "a stranger's guess"), 401, string(SignOnWrong), "")
	}
	wantFault(t, r.signOnFrom("203.0.113.1:1", supervisor, password), 429, string(TooManyAttempts), "")
	r.as(on, http.MethodGet, "/v1/session", "").into(t, &SignedOn{})
	r.as(on, http.MethodPost, "/v1/duty", `{"role":"supervisor"}`).into(t, &Done{})
	if !strings.Contains(r.log.String(), "a sign-on failed") {
		t.Error("the log does not tell of the guesses")
	}
	r.as(boss, http.MethodPut, fmt.Sprintf("/v1/people/%d/lock", supervisor),
		`{"locked":true,"reason":"stolen phone"}`).into(t, &Done{})
	wantFault(t, r.as(on, http.MethodGet, "/v1/session", ""), 401, string(SessionOver), "")
}

// TestFailedSignOnsInTheLog: guesses from many addresses at numbers that nobody has are a
// bounded number of lines, and the next line says how many were left out.
func TestFailedSignOnsInTheLog(t *testing.T) {
	r := newRig(t)
	const guesses = failedMost + 20
	for i := range guesses {
		wantFault(t, r.signOnFrom(fmt.Sprintf("198.51.100.%d:1", i), uint32(9000+i), "a stranger's guess"), 401,
			string(SignOnWrong), "")
	}
	if n := strings.Count(r.log.String(), "a sign-on failed"); n != failedMost {
		t.Errorf("the log is told of %d of %d failed sign-ons, want %d", n, guesses, failedMost)
	}
	r.clock.advance(pushedEvery)
	wantFault(t, r.signOnFrom("203.0.113.1:1", 9000, "a stranger's guess"), 401, string(SignOnWrong), "")
	if !strings.Contains(r.log.String(), "untold=20") {
		t.Error("the log does not say of how many it was not told")
	}
}

// TestLastAdministrator: nobody locks the last administrator, nor the last who watches over
// the games.
func TestLastAdministrator(t *testing.T) {
	r := newRig(t)
	admin, supervisor := r.member(record.RoleAdministrator), r.member(record.RoleSupervisor)
	boss := r.signOn(admin)
	lock := func(header string, id uint32) reply {
		return r.as(header, http.MethodPut, fmt.Sprintf("/v1/people/%d/lock", id), `{"locked":true,"reason":"anger"}`)
	}
	wantFault(t, lock(r.signOn(supervisor), admin), 422, string(staff.LastOfRole), "person")
	wantFault(t, lock(boss, supervisor), 422, string(staff.LastOfRole), "person")
	second := r.member(record.RoleAdministrator)
	lock(r.signOn(second), admin).into(t, &Done{})
	wantFault(t, lock(r.signOn(supervisor), second), 422, string(staff.LastOfRole), "person")
}
