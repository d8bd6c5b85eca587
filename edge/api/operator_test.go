package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// office is two persons of the central site and one who only watches.
type office struct {
	*rig
	first, second, inspector string // credentials
	asks                     uint32 // number of the first
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := officeOf(newRig(t))
	o.openDay()
	return o
}

// officeOf has people sign on in the office of a rig.
func officeOf(r *rig) *office {
	r.t.Helper()
	o := &office{rig: r}
	o.inspector = r.signOn(r.member(record.RoleInspector))
	o.asks = r.member(record.RoleSupervisor)
	o.first, o.second = r.signOn(o.asks), r.signOn(r.member(record.RoleAdministrator))
	return o
}

// ask asks for something as the first person.
func (o *office) ask(path, body string) Approval {
	o.t.Helper()
	var request Approval
	o.as(o.first, http.MethodPost, "/v1/operator/"+path, body).into(o.t, &request)
	return request
}

func decision(content string, granted bool) string {
	return fmt.Sprintf(`{"content":%q,"granted":%v}`, content, granted)
}

func (o *office) decide(who string, a Approval, granted bool) reply {
	o.t.Helper()
	return o.as(who, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", a.Number), decision(a.Content, granted))
}

func (o *office) use(who string, a Approval) reply {
	o.t.Helper()
	return o.as(who, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/use", a.Number), "")
}

// both has something done that both persons want.
func (o *office) both(path, body string) Operated {
	o.t.Helper()
	request := o.ask(path, body)
	o.decide(o.second, request, true).into(o.t, &Approval{})
	var done Operated
	o.use(o.first, request).into(o.t, &done)
	return done
}

func (o *office) course() Course {
	o.t.Helper()
	var now Course
	o.as(o.inspector, http.MethodGet, "/v1/operator", "").into(o.t, &now)
	return now
}

// TestTwoPersons: nothing of the operator is done by one person, otherwise than it was
// agreed on, late or twice.
func TestTwoPersons(t *testing.T) {
	o := newOffice(t)
	book, err := rules.Book("vic-keno-2015")
	must(t, err)
	terms := fmt.Sprintf(`{"from":3,"rulebook":%q,"schedule":"schedule-2","reference":"VCGLR 2026/17"}`, book.Hash())
	request := o.ask("terms", terms)
	if said, _ := json.Marshal(request.Act); string(said) != mapped(t, terms) || request.Action != "change_terms" {
		t.Errorf("the request says %s", said)
	}
	wantFault(t, o.use(o.first, request), 409, "approval_not_given", "approval")
	wantFault(t, o.decide(o.first, request, true), 403, "approval_own", "person")
	wantFault(t, o.as(o.second, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", request.Number),
		decision(strings.Repeat("0", 64), true)), 409, "approval_other", "content")
	o.decide(o.inspector, request, true).into(t, &Approval{})
	wantFault(t, o.decide(o.second, request, false), 409, "approval_over", "approval")
	wantFault(t, o.use(o.second, request), 403, "not_allowed", "person")
	wantFault(t, o.use(o.inspector, request), 403, "role_missing", "")
	var done Operated
	o.use(o.first, request).into(t, &done)
	if now := o.course(); len(now.Changes) != 1 ||
		now.Changes[0] != (ChangeAhead{3, o.house.First().Book().Hash().String(), "schedule-2"}) ||
		done.Action != "change_terms" {
		t.Errorf("%+v after %+v", now, done)
	}
	wantFault(t, o.use(o.first, request), 409, "approval_over", "approval")

	refused := o.ask("designations", `{"ordinal":2}`)
	o.decide(o.second, refused, false).into(t, &Approval{})
	wantFault(t, o.use(o.first, refused), 409, "approval_not_given", "approval")
	late := o.ask("designations", `{"ordinal":2}`)
	o.decide(o.second, late, true).into(t, &Approval{})
	o.clock.advance(24 * time.Hour)
	o.first = o.signOn(o.asks)
	wantFault(t, o.use(o.first, late), 409, "approval_over", "approval")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/approvals", `{"action":"void_game"}`), 422, "action_unsaid", "action")
}

// mapped writes JSON as a map is written.
func mapped(t *testing.T, text string) string {
	t.Helper()
	var m map[string]any
	must(t, json.Unmarshal([]byte(text), &m))
	again, err := json.Marshal(m)
	must(t, err)
	return string(again)
}

// TestAskedWrongly: what cannot be done is not asked for, and the answer says why.
func TestAskedWrongly(t *testing.T) {
	o := newOffice(t)
	for _, c := range []struct {
		path, body string
		status     int
		code       string
		field      string
	}{
		{"terms", `{"from":3,"rulebook":"00","schedule":"schedule-2","reference":"x"}`, 404, "rulebook_unknown", "rulebook"},
		{"terms", `{"from":"3"}`, 400, "field_value", "from"},
		{"terms", `{"from":3,"rulebook":"00","schedule":"schedule-2"}`, 400, "field_missing", "reference"},
		{"terms", `{"from":3,"from":4}`, 400, "field_repeated", "from"},
		{"terms", `{"until":3}`, 400, "field_unknown", "until"},
		{"terms", `[]`, 400, "form_syntax", ""},
		{"designations", `{"ordinal":1}`, 409, "game_not_ahead", "from"},
		{"games/void", `{"ordinal":1,"reason":"no power","clause":"18(b)"}`, 0, "", ""}, // on sale: it may be asked for
		{"games/void", `{"ordinal":1,"reason":"","clause":"18(b)"}`, 422, "reason_missing", "reason"},
		{"games/void", `{"ordinal":1,"reason":"no power","clause":"11.3"}`, 422, "clause_unknown", "clause"},
		{"games/void", `{"ordinal":1,"reason":"no power","clause":"19.3"}`, 422, "clause_unknown", "clause"},
		{"games/void", `{"ordinal":1,"reason":"no\npower","clause":"18(b)"}`, 422, "out_of_bounds", "reason"},
		{"pools/gifts", `{"ordinal":1,"spots":9,"cents":-5,"reference":"x"}`, 422, "out_of_bounds", "cents"},
		{"participants", `{"from":2,"names":["qld","act"]}`, 400, "act_malformed", ""},
		{"shares", `{"ordinal":1}`, 0, "", ""},
		{"pools/moves", `{"spots":9,"move":"lend","cents":100,"reference":"x"}`, 422, "move_unknown", "move"},
		{"pools/moves", `{"spots":3,"move":"lend","cents":100,"reference":"x"}`, 404, "no_jackpot", "spots"},
		{"promotions", `{"name":"Cup","from":2,"cents":100,"reference":"","bet":"classic","spots":3,"matched":3}`, 422,
			"approval_missing", "approval"},
		{"promotions/changes", `{"number":7,"reference":"x"}`, 404, "promotion_unknown", "promotion"},
		{"rulebooks", `{"id":"x"}`, 404, "rulebook_unknown", "id"},
		{"rulebooks", `{"id":"vic-keno-2015"}`, 409, "rulebook_adopted", "id"},
		{"rulebooks/files", `{"text":"rulebook: x\n","reference":"letter 1"}`, 422, "rulebook_faulty", "text"},
		{"rulebooks/files", `{"text":"rulebook: \u0000","reference":"letter 1"}`, 400, "field_value", "text"},
		{"rulebooks/files", `{"text":"` + strings.Repeat("x", 128<<10+1) + `","reference":"letter 1"}`, 422,
			"rulebook_faulty", "text"},
		{"rulebooks/files", `{"text":"rulebook: x"}`, 400, "field_missing", "reference"},
		{"days", `{"day":"tomorrow"}`, 400, "field_value", "day"},
		{"days", `{"day":"2027-11-15"}`, 409, "day_not_now", "day"},
		{"days/close", `{"day":"2026-11-14"}`, 409, "day_not_open", "day"},
	} {
		answer := o.as(o.first, http.MethodPost, "/v1/operator/"+c.path, c.body)
		if c.status == 0 {
			answer.into(t, &Approval{})
			continue
		}
		wantFault(t, answer, c.status, c.code, c.field)
	}
}

// TestDayOfAnotherDate: two persons open the Keno Day of today by hand, and none of another date.
func TestDayOfAnotherDate(t *testing.T) {
	o := newOffice(t)
	for _, day := range []string{"2026-11-13", "2026-11-16", "2026-11-17", "2027-11-15", "9999-12-31"} {
		wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/days", `{"day":"`+day+`"}`), http.StatusConflict,
			"day_not_now", "day")
	}
	// It is today, which is open: no other day of that date ever opens.
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/days", `{"day":"2026-11-15"}`), http.StatusConflict,
		"day_is_past", "day")
}

// TestVoidOverTheInterface: a draw is declared void and drawn again, and a game ends
// without a result and gives its stakes back.
func TestVoidOverTheInterface(t *testing.T) {
	o := newOffice(t)
	sold, code := o.sell(oneSpot)
	ctx := t.Context()
	must(t, o.house.First().TurnGame(ctx, o.clock.Now().Add(3*time.Minute)))
	early := o.ask("draws/void", `{"ordinal":1,"draw":1,"reason":"a ball broke","clause":"18(b)"}`)
	o.decide(o.second, early, true).into(t, &Approval{})
	wantFault(t, o.use(o.first, early), 409, "game_not_ready", "game")
	for range 7 {
		must(t, o.house.First().DrawNumber(ctx, 1))
	}
	o.use(o.first, early).into(t, &Operated{}) // It was not used up by the refusal.
	again := o.ask("draws/void", `{"ordinal":1,"draw":1,"reason":"a ball broke","clause":"18(b)"}`)
	o.decide(o.second, again, true).into(t, &Approval{})
	must(t, o.house.First().DrawNumber(ctx, 1))
	wantFault(t, o.use(o.first, again), 409, "game_not_ready", "draw") // Another draw is another thing.
	o.both("games/void", `{"ordinal":1,"reason":"no power","clause":"18(b)"}`)
	var ticket Ticket
	o.send(http.MethodGet, "/v1/tickets/"+sold.Serial, "").into(t, &ticket)
	if ticket.Games[0].RefundCents != 200 || ticket.Games[0].Phase != PhaseVoid {
		t.Errorf("%+v", ticket.Games[0])
	}
	answer, _, _ := o.pay(sold.Serial, code)
	var paid Payment
	answer.into(t, &paid)
	if paid.PaidCents != 200 {
		t.Errorf("%+v", paid)
	}
}

// TestPauseOverTheInterface: one person stops play and lets it go on.
func TestPauseOverTheInterface(t *testing.T) {
	o := newOffice(t)
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/pause", `{"reason":""}`), 422, "reason_missing", "reason")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/resume", ""), 409, "not_paused", "")
	o.as(o.first, http.MethodPost, "/v1/operator/pause", `{"reason":"a storm"}`).into(t, &Done{})
	if !o.course().Paused {
		t.Error("play is not paused")
	}
	body, _ := o.saleBody(1, 1, oneSpot)
	wantFault(t, o.send(http.MethodPut, salePath(1, 1), body), 409, "paused", "ticket.first")
	o.as(o.second, http.MethodPost, "/v1/operator/resume", "").into(t, &Done{})
	o.send(http.MethodPut, salePath(1, 1), body).into(t, &Sale{})
}

// TestDayByHand: the day is closed early and the next one opened by two persons.
func TestDayByHand(t *testing.T) {
	o := newOffice(t)
	// One person ends nothing: trading ends early when another has consented.
	ends := o.clock.Now().Add(time.Hour).Truncate(time.Millisecond)
	early := o.ask("closure", fmt.Sprintf(`{"at":%q}`, ends.Format(time.RFC3339Nano)))
	zone, err := time.LoadLocation(o.house.First().Book().Zone())
	must(t, err)
	if local := ends.In(zone).Format("2 January 2006, 15:04"); !strings.Contains(early.Does, zone.String()) ||
		!strings.Contains(early.Does, local) {
		t.Errorf("the request says %q, and not that it is %s in %v", early.Does, local, zone)
	}
	wantFault(t, o.use(o.first, early), 409, "approval_not_given", "approval")
	if !o.course().ClosesAt.IsZero() {
		t.Error("one person has announced a closure")
	}
	o.decide(o.second, early, true).into(t, &Approval{})
	o.use(o.first, early).into(t, &Operated{})
	if at := o.course().ClosesAt; !at.Equal(ends) {
		t.Errorf("trading ends at %v, and %v was agreed on", at, ends)
	}
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/closure", `{"at":"2001-02-03T04:05:06Z"}`), 422,
		"notice_too_short", "at")
	closing := o.ask("days/close", `{"day":"2026-11-15"}`)
	o.decide(o.second, closing, true).into(t, &Approval{})
	wantFault(t, o.use(o.first, closing), 409, "games_not_settled", "")
	ctx := t.Context()
	must(t, o.house.First().CloseGame(ctx))
	for range 20 {
		must(t, o.house.First().DrawNumber(ctx, 1))
	}
	must(t, o.house.First().FinishDraw(ctx, 1))
	must(t, o.house.First().SettleGame(ctx, 1))
	o.use(o.first, closing).into(t, &Operated{})
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/days", `{"day":"2026-11-16"}`), 409, "day_not_now", "day")
	o.clock.advance(13 * time.Hour) // It is an hour after midnight, and the sessions of noon are over.
	o.first, o.second = o.signOn(o.asks), o.signOn(o.member(record.RoleAdministrator))
	o.inspector = o.first // Who reads the course is not what this is about.
	o.both("days", `{"day":"2026-11-16"}`)
	if now := o.course(); now.Day != "2026-11-16" || !now.DayOpen {
		t.Errorf("%+v", now)
	}
}
