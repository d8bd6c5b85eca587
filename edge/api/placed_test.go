package api

import (
	"fmt"
	"net/http"
	"testing"

	"drawhouse/journal/record"
)

// TestTerminalIsPlaced adds a terminal without an area and places it later, in an area that its
// venue has and in no other. Who does not administer the house places none.
func TestTerminalIsPlaced(t *testing.T) {
	r := newRig(t)
	admin, senior := r.signOn(r.member(record.RoleAdministrator)), r.signOn(r.member(record.RoleSenior))
	at := r.terminalElsewhere()
	var list Terminals
	r.as(admin, http.MethodGet, "/v1/terminals", "").into(t, &list)
	venue := list.Terminals[len(list.Terminals)-1].Venue
	place := func(who string, terminal, area uint32) reply {
		return r.as(who, http.MethodPut, fmt.Sprintf("/v1/terminals/%v/area", terminal), fmt.Sprintf(`{"area":%v}`, area))
	}
	wantFault(t, place(admin, at, 1), 404, "area_unknown", "area")
	r.as(admin, http.MethodPost, fmt.Sprintf("/v1/venues/%d/areas", venue), `{"number":1,"name":"Bar"}`).into(t, &Done{})
	wantFault(t, place(senior, at, 1), 403, "role_missing", "")
	wantFault(t, place(admin, 4000, 1), 404, "terminal_unknown", "terminal")
	wantFault(t, place(admin, at, 2), 404, "area_unknown", "area")
	for range 2 { // Where it stands already it stays, without a record.
		place(admin, at, 1).into(t, &Done{})
	}
	r.as(admin, http.MethodGet, "/v1/terminals", "").into(t, &list)
	if got := list.Terminals[len(list.Terminals)-1]; got.Number != at || got.Area != 1 {
		t.Errorf("it stands at %+v", got)
	}
}
