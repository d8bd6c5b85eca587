package api

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// TestStopsByPersons: one person of the central site, or an inspector, stops payment on a
// ticket at once, and two let it go on; nobody else does, and a serial that nobody has is
// none.
func TestStopsByPersons(t *testing.T) {
	o := newOffice(t)
	sold, _ := o.sell(oneSpot)
	stop := fmt.Sprintf(`{"serials":[%q],"reason":"not paid for"}`, sold.Serial)
	wantFault(t, o.send(http.MethodPost, "/v1/stops/freeze", stop), 401, "sign_on_first", "")
	wantFault(t, o.as(o.signOn(o.member(record.RoleWriter)), http.MethodPost, "/v1/stops/freeze", stop), 403,
		"role_missing", "")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/stops/freeze", `{"serials":[],"reason":"x"}`), 400, "field_value",
		"serials")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/stops/freeze", `{"serials":["1234567890123450"],"reason":"x"}`), 404,
		"ticket_unknown", "serial")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/stops/freeze", strings.Replace(stop, "not paid for", "", 1)), 422,
		"reason_missing", "reason")
	var frozen command.FrozenPlaces
	o.as(o.inspector, http.MethodPost, "/v1/stops/freeze", stop).into(t, &frozen)
	if len(frozen.Places) != 1 || frozen.Places[0] != sold.Place.String() {
		t.Errorf("frozen is %v, and %v was sold", frozen.Places, sold.Place)
	}
	wantFault(t, o.as(o.inspector, http.MethodPost, "/v1/stops/release", stop), 403, "role_missing", "")
	var request Approval
	o.as(o.first, http.MethodPost, "/v1/stops/release", stop).into(t, &request)
	wantFault(t, o.use(o.first, request), 409, "approval_not_given", "approval")
	wantFault(t, o.decide(o.first, request, true), 403, "approval_own", "person")
	if !o.stopped(sold.Serial) {
		t.Error("one person alone has let the ticket be paid again")
	}
	o.decide(o.inspector, request, true).into(t, &Approval{})
	o.use(o.first, request).into(t, &Operated{})
	if o.stopped(sold.Serial) {
		t.Error("two persons have not let the ticket be paid again")
	}
	wantFault(t, o.as(o.second, http.MethodPost, "/v1/stops/release", stop), 409, "not_frozen", "serial")
}

// stopped reports whether payment on a ticket is stopped, as anybody can see.
func (o *office) stopped(serial string) bool {
	o.t.Helper()
	var ticket Ticket
	o.send(http.MethodGet, "/v1/tickets/"+serial, "").into(o.t, &ticket)
	return ticket.Stopped != nil
}

// TestDisqualifiedByTwo: a ticket is disqualified, reinstated and made invalid by two
// persons, over the approvals that all of the operator's acts have.
func TestDisqualifiedByTwo(t *testing.T) {
	o := newOffice(t)
	sold, _ := o.sell(oneSpot)
	about := fmt.Sprintf(`{"serial":%q,"reason":"two of one"}`, sold.Serial)
	both := func(path string) {
		t.Helper()
		var request Approval
		o.as(o.first, http.MethodPost, "/v1/stops/"+path, about).into(t, &request)
		wantFault(t, o.use(o.first, request), 409, "approval_not_given", "approval")
		o.decide(o.inspector, request, true).into(t, &Approval{})
		o.use(o.first, request).into(t, &Operated{})
	}
	wantFault(t, o.as(o.inspector, http.MethodPost, "/v1/stops/disqualifications", about), 403, "role_missing", "")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/stops/reinstatements", about), 409, "not_reinstated", "serial")
	both("disqualifications")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/stops/disqualifications", about), 409, "disqualified", "serial")
	both("reinstatements")
	both("invalidations")
	if !o.stopped(sold.Serial) {
		t.Error("a ticket that two persons made invalid does not say so")
	}
	o.as(o.first, http.MethodPut, "/v1/tickets/"+sold.Serial+"/anonymity", `{"anonymous":true}`).into(t, &Done{})
}

// TestBankOfTwo: cash comes to a bank, and is counted, by two persons.
func TestBankOfTwo(t *testing.T) {
	o := newOffice(t)
	writer := o.signOn(o.member(record.RoleWriter))
	senior := o.signOn(o.member(record.RoleSenior))
	signed := func(path, body string) {
		t.Helper()
		var request Approval
		o.as(writer, http.MethodPost, "/v1/banks/"+path, body).into(t, &request)
		wantFault(t, o.decide(writer, request, true), 403, "role_missing", "")
		wantFault(t, o.use(writer, request), 409, "approval_not_given", "approval")
		o.decide(senior, request, true).into(t, &Approval{})
		o.use(writer, request).into(t, &Operated{})
	}
	drawer := func() int64 {
		t.Helper()
		var bank Bank
		o.as(senior, http.MethodGet, "/v1/banks/1", "").into(t, &bank)
		return bank.DrawerCents
	}
	before := drawer()
	signed("moves", `{"terminal":1,"move":"fill","cents":20000}`)
	if got := drawer(); got != before+20000 {
		t.Errorf("the drawer has %d, had %d", got, before)
	}
	signed("counts", `{"terminal":1,"cents":19950}`)
	if got := drawer(); got != 19950 {
		t.Errorf("the drawer has %d, and 19950 were counted", got)
	}
	// What can never be done is refused when it is asked for.
	for body, path := range map[string]string{
		`{"terminal":1,"move":"float","cents":0}`: "moves", `{"terminal":1,"move":"float","cents":-5}`: "moves",
		`{"terminal":1,"move":"drop","cents":-500}`: "moves", `{"terminal":1,"cents":-500}`: "counts",
	} {
		if answer := o.as(writer, http.MethodPost, "/v1/banks/"+path, body); answer.status/100 != 4 ||
			answer.fault(t).Field != "cents" {
			t.Errorf("%s: %d %s", body, answer.status, answer.body)
		}
	}
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/banks/counts", `{"terminal":1,"cents":1}`), 403, "role_missing", "")
	wantFault(t, o.as(senior, http.MethodGet, "/v1/banks/99999", ""), 404, "terminal_unknown", "terminal")
}

// TestCardsByPersons: a card is given to somebody of age, its holder is excluded at once,
// and nobody lifts that; once the card is closed the register forgets the holder.
func TestCardsByPersons(t *testing.T) {
	o := newOffice(t)
	card := func(born string) string { return fmt.Sprintf(`{"holder":{"name":"Jo Citizen","born":%q}}`, born) }
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/cards", card("2020-01-01")), 422, "card_under_age", "born")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/cards", card("yesterday")), 400, "field_value", "holder.born")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/cards", `{"holder":{"name":"","born":"1990-01-01"}}`), 422,
		"details_wrong", "holder.name")
	var given Numbered
	o.as(o.first, http.MethodPost, "/v1/cards", card("1990-01-01")).into(t, &given)
	path := fmt.Sprintf("/v1/cards/%d", given.Number)
	wantFault(t, o.as(o.first, http.MethodPut, path+"/status", `{"status":"lost","reason":"x"}`), 400, "field_value",
		"status")
	o.as(o.first, http.MethodPut, path+"/status", `{"status":"excluded","reason":"own wish"}`).into(t, &Done{})
	wantFault(t, o.as(o.second, http.MethodPut, path+"/status", `{"status":"active","reason":"asked for it"}`), 409,
		"card_excluded", "card")
	wantFault(t, o.as(o.first, http.MethodGet, "/v1/cards/77", ""), 404, "card_unknown", "card")
	var statement CardStatement
	o.as(o.inspector, http.MethodGet, path, "").into(t, &statement)
	if statement.Status != "excluded" || statement.Holder == nil || statement.Holder.Name != "Jo Citizen" ||
		len(statement.Movements) != 0 {
		t.Errorf("the statement is %+v", statement)
	}
	wantFault(t, o.atTerminal(1, http.MethodGet, "/v1/terminals/1"+path[len("/v1"):], ""), 409, "no_writer", "terminal")
	writer := o.member(record.RoleWriter)
	o.atTerminal(1, http.MethodPost, "/v1/terminals/1/shift",
		fmt.Sprintf(`{"person":%d,"password":%q}`, writer, password)).into(t, &Done{})
	o.atTerminal(1, http.MethodGet, "/v1/terminals/1"+path[len("/v1"):], "").into(t, &statement)
	if line := fmt.Sprintf(`msg="a card was looked up" card=%d person=%d terminal=1`, given.Number,
		writer); !strings.Contains(o.log.String(), line) {
		t.Errorf("the log does not have %s: %s", line, o.log)
	}
	wantFault(t, o.as(o.second, http.MethodPost, path+"/erasure", ""), 409, "card_open", "card")
	held, err := o.house.Card(t.Context(), given.Number)
	must(t, err)
	wantFault(t, o.as(o.second, http.MethodDelete, "/v1/payees/"+hex.EncodeToString(held.Details[:]), ""), 404,
		"payee_unknown", "hash")
	o.as(o.second, http.MethodPut, path+"/status", `{"status":"closed","reason":"own wish"}`).into(t, &Done{})
	o.as(o.second, http.MethodPost, path+"/erasure", "").into(t, &Done{})
	statement = CardStatement{}
	o.as(o.inspector, http.MethodGet, path, "").into(t, &statement)
	if statement.Status != "closed" || statement.Holder != nil || statement.Erased == nil ||
		statement.Erased.By != o.adminID() {
		t.Errorf("the statement is %+v", statement)
	}
	for _, line := range []string{
		fmt.Sprintf(`msg="a card was looked up" card=%d person=`, given.Number),
		fmt.Sprintf(`operation=erase-holder address=/v1/cards/%d/erasure person=`, given.Number),
	} {
		if !strings.Contains(o.log.String(), line) {
			t.Errorf("the log does not have %s: %s", line, o.log)
		}
	}
	if strings.Contains(o.log.String(), "Citizen") {
		t.Errorf("the log names the holder: %s", o.log)
	}
	wantNowhere(t, o.rig, "Citizen")
	o.as(o.first, http.MethodPut, "/v1/venues/1/limit", `{"cents":500000}`).into(t, &Done{})
	wantFault(t, o.as(o.inspector, http.MethodPut, "/v1/venues/1/limit", `{"cents":1}`), 403, "role_missing", "")
}
