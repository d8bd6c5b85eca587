package api

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// TestRegisterDown: while the register of people cannot be read nobody signs on and the
// house says why, with an alarm; who has signed on works on. It recovers when the file is
// back.
func TestRegisterDown(t *testing.T) {
	r := newRig(t)
	admin := r.member(record.RoleAdministrator)
	on := r.signOn(admin)
	signOn := func() reply {
		return r.send(http.MethodPost, "/v1/session",
			fmt.Sprintf(`{"person":%d,"password":%q,"bearer":true}`, admin, password))
	}
	alarms := func() []house.Alarm {
		return slices.DeleteFunc(r.house.Alarms(), func(a house.Alarm) bool { return a.Key != alarmRegister })
	}
	if len(alarms()) != 0 {
		t.Fatal("an alarm of a register that answers")
	}
	path := filepath.Join(r.registerDir, person.FileName)
	good, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, []byte(strings.Repeat("no database ", len(good)/12)), 0o600))
	wantFault(t, signOn(), http.StatusServiceUnavailable, "register_down", "")
	if got := alarms(); len(got) != 1 || got[0].Part != house.PartInterface ||
		!strings.Contains(got[0].Remedy, person.FileName) {
		t.Errorf("the alarms are %+v", got)
	}
	if answer := r.as(on, http.MethodGet, "/v1/session", ""); answer.status != http.StatusOK {
		t.Errorf("who has signed on is answered %d %s", answer.status, answer.body)
	}
	must(t, os.WriteFile(path, good, 0o600))
	signOn().into(t, &SignedOn{})
	if got := alarms(); len(got) != 0 {
		t.Errorf("the register is back, and the alarms are %+v", got)
	}
}

// TestRegisterOfNobody: a house that was started with an empty register says so, and locks
// nobody for a password that it cannot check.
func TestRegisterOfNobody(t *testing.T) {
	r := newRig(t)
	admin := r.member(record.RoleAdministrator)
	var secret record.Hash
	one, _ := r.house.People().Person(admin)
	secret = one.Secret
	must(t, r.register.Forget(t.Context(), secret))
	for range 2 * guessedMost {
		wantFault(t, r.send(http.MethodPost, "/v1/session", fmt.Sprintf(`{"person":%d,"password":%q}`, admin, password)),
			http.StatusServiceUnavailable, "register_down", "")
	}
	if !slices.ContainsFunc(r.house.Alarms(), func(a house.Alarm) bool { return a.Key == alarmRegister }) {
		t.Error("there is no alarm")
	}
}
