package api

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// houseWide are the operations for people of venues that are about no venue: why stands
// beside each.
var houseWide = map[string]string{
	"get-session": "the own", "sign-off": "the own", "change-password": "the own",
	"begin-duty": "takes the role at the venue", "leave-duty": "the own", "end-duty": "the own",
	"list-venues": "names and hours, which stand on the door", "list-acts": "forms, with nothing filled in",
	"list-reports": "names of reports", "get-holidays": "the same everywhere",
	"register-card": "a card is good everywhere", "set-card": "a card is good everywhere",
	"lodge-claim": "a form is taken in anywhere",
	"get-cage":    "there is one ball machine", "start-cage": "there is one ball machine",
	"key-ball": "there is one ball machine", "attend-cage": "there is one ball machine",
	"inspect-device":   "the register is of the whole house",
	"request-approval": "of the own venue by who asks", "use-approval": "only by who asked",
}

// TestVenuesApart: a senior and a writer of venue 1 see and decide nothing of venue 2. Every
// operation that is open to them is tried, or is about no venue; those of bingo rooms are in
// TestRoomIsOfItsVenue.
func TestVenuesApart(t *testing.T) {
	r := newRig(t)
	far := r.terminalElsewhere()
	post, _ := r.house.People().Post(far)
	venue := post.Venue
	farSenior, farWriter := r.memberOf(state.Grant{Role: record.RoleSenior, Venue: venue}),
		r.memberOf(state.Grant{Role: record.RoleWriter, Venue: venue})
	r.as(r.signOn(farSenior), http.MethodPost, "/v1/duty", fmt.Sprintf(`{"role":"senior","venue":%d}`, venue)).into(t,
		&Done{})
	var asked Approval
	r.as(r.signOn(farWriter), http.MethodPost, "/v1/banks/moves",
		fmt.Sprintf(`{"terminal":%d,"move":"float","cents":10000}`, far)).into(t, &asked)
	decision := fmt.Sprintf(`{"content":%q,"granted":false}`, asked.Content)
	r.as(r.signOn(farSenior), http.MethodPost, fmt.Sprintf("/v1/venues/%d/runner-disputes", venue),
		fmt.Sprintf(`{"runner":%d,"text":"a form"}`, farWriter)).into(t, &command.Numbered{})
	near := map[record.Role]string{record.RoleSenior: r.signOn(r.member(record.RoleSenior)),
		record.RoleWriter: r.signOn(r.member(record.RoleWriter))}

	refused := func(method, path, body, code string) func(string) {
		return func(header string) {
			t.Helper()
			if answer := r.as(header, method, path, body); answer.status/100 != 4 || string(answer.fault(t).Code) != code {
				t.Errorf("%s %s: %d %s; want %s", method, path, answer.status, answer.body, code)
			}
		}
	}
	tries := map[string]func(header string){
		"refuse-sale": refused(http.MethodPost, fmt.Sprintf("/v1/terminals/%d/refused-sales", far), `{"cause":"other"}`,
			"venue_other"),
		"dispute-runner": refused(http.MethodPost, fmt.Sprintf("/v1/venues/%d/runner-disputes", venue),
			fmt.Sprintf(`{"runner":%v,"text":"a form"}`, farWriter), "venue_other"),
		"decide-runner": refused(http.MethodPost, fmt.Sprintf("/v1/venues/%d/runner-disputes/1/decision", venue),
			`{"text":"so"}`, "venue_other"),
		"get-bank": refused(http.MethodGet, fmt.Sprintf("/v1/banks/%d", far), "", "venue_other"),
		"move-bank": refused(http.MethodPost, "/v1/banks/moves",
			fmt.Sprintf(`{"terminal":%d,"move":"fill","cents":100}`, far), "venue_other"),
		"count-bank": refused(http.MethodPost, "/v1/banks/counts", fmt.Sprintf(`{"terminal":%d,"cents":100}`, far),
			"venue_other"),
		"decide-approval": refused(http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", asked.Number), decision,
			"venue_other"),
		"report-display": refused(http.MethodPut, fmt.Sprintf("/v1/venues/%d/areas/1/display", venue),
			`{"screen":"draw","working":true}`, "not_allowed"),
		"get-report": refused(http.MethodGet, fmt.Sprintf("/v1/reports/venues?venue=%d", venue), "", "report_venue"),
		"get-report-behind": refused(http.MethodGet, fmt.Sprintf("/v1/reports/venues/behind?venue=%d&figure=1/Sold", venue), "",
			"report_venue"),
		"get-report-file": refused(http.MethodGet, fmt.Sprintf("/v1/reports/venues/csv?venue=%d", venue), "", "report_venue"),
		"hand-cheque":     refused(http.MethodPost, "/v1/cheques/1:1/handover", "", "cheque_unknown"),
		"list-runner-disputes": func(header string) {
			var seen RunnerDisputes
			r.as(header, http.MethodGet, "/v1/runner-disputes", "").into(t, &seen)
			if len(seen.Disputes) != 0 {
				t.Errorf("seen are disputes of another venue: %+v", seen.Disputes)
			}
		},
		"list-approvals": func(header string) {
			var seen Approvals
			r.as(header, http.MethodGet, "/v1/approvals", "").into(t, &seen)
			if len(seen.Approvals) != 0 {
				t.Errorf("seen are requests of another venue: %+v", seen.Approvals)
			}
		},
		"get-duty": func(header string) {
			var seen OnDuty
			r.as(header, http.MethodGet, "/v1/duty", "").into(t, &seen)
			if slices.ContainsFunc(seen.Duty, func(d Duty) bool { return d.Venue != 1 }) {
				t.Errorf("seen is who is on duty elsewhere: %+v", seen.Duty)
			}
		},
		"list-cheques": func(header string) {
			var seen Cheques
			r.as(header, http.MethodGet, "/v1/cheques", "").into(t, &seen)
			if len(seen.Cheques) != 0 {
				t.Errorf("seen are cheques of another venue: %+v", seen.Cheques)
			}
		},
	}
	for id, op := range r.operations() {
		row := op.who
		for role, header := range near {
			switch try := tries[id]; {
			case row.Terminals || !row.SignedOn && !slices.Contains(row.Roles, role):
			case try != nil:
				try(header)
			case houseWide[id] == "":
				t.Errorf("%s (%s %s) is open to a %s, and nobody has said what it shows of other venues", id, op.method, op.path,
					role)
			}
		}
	}
	var all Approvals
	r.as(r.signOn(farSenior), http.MethodGet, "/v1/approvals", "").into(t, &all)
	if len(all.Approvals) != 1 {
		t.Errorf("the senior of the venue sees %d requests", len(all.Approvals))
	}
	r.as(r.signOn(farSenior), http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", asked.Number), decision).into(t,
		&asked)
}

// TestFloorAtATerminal has the person on shift at a terminal note what people note on the floor. Where nobody has
// signed on nothing is noted, and a dispute waits for the senior person of its venue, who sees it and no other venue's.
func TestFloorAtATerminal(t *testing.T) {
	r := newRig(t)
	other := r.terminalElsewhere()
	far, _ := r.house.People().Post(other)
	at := func(role record.Role, venue uint32) uint32 { return r.memberOf(state.Grant{Role: role, Venue: venue}) }
	senior, elsewhere := r.signOn(at(record.RoleSenior, 1)), r.signOn(at(record.RoleSenior, far.Venue))
	runner := at(record.RoleRunner, 1)
	dispute := fmt.Sprintf(`{"runner":%d,"text":"one ticket is missing"}`, runner)
	notes := map[string]string{"/v1/terminals/1/refused-sales": `{"cause":"under_age"}`, "/v1/venues/1/runner-disputes": dispute}
	for path, body := range notes {
		if answer := r.atTerminal(1, http.MethodPost, path, body); answer.fault(t).Code != staff.NoWriter {
			t.Errorf("%s where nobody has signed on: %d %s", path, answer.status, answer.body)
		}
	}
	writer := r.begins(1, 1)
	for path, body := range notes {
		if answer := r.atTerminal(1, http.MethodPost, path, body); answer.status != http.StatusOK {
			t.Errorf("%s: %d %s", path, answer.status, answer.body)
		}
	}
	var open RunnerDisputes
	r.as(senior, http.MethodGet, "/v1/runner-disputes", "").into(t, &open)
	if len(open.Disputes) != 1 || open.Disputes[0].By != writer || open.Disputes[0].Runner != runner ||
		open.Disputes[0].Text != "one ticket is missing" || open.Disputes[0].VenueName == "" || open.Disputes[0].At.IsZero() {
		t.Fatalf("the senior sees %+v", open.Disputes)
	}
	r.as(elsewhere, http.MethodGet, "/v1/runner-disputes", "").into(t, &open)
	if len(open.Disputes) != 0 {
		t.Errorf("a senior of another venue sees %+v", open.Disputes)
	}
	if answer := r.as(senior, http.MethodPost, "/v1/venues/1/runner-disputes/1/decision", `{"text":"it was lost"}`); answer.status != 200 {
		t.Fatalf("%d %s", answer.status, answer.body)
	}
	r.as(senior, http.MethodGet, "/v1/runner-disputes", "").into(t, &open)
	if len(open.Disputes) != 0 {
		t.Errorf("a decided dispute waits: %+v", open.Disputes)
	}
	r.verifies()
}
