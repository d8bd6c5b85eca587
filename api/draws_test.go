package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"drawhouse/record"
)

// casino is a rig whose games a ball machine draws, with three people.
type casino struct {
	*rig
	ann, bob         uint32
	asAnn, asBob, as string // headers; the last is of who consents
}

func newCasino(t *testing.T) *casino {
	r := &casino{rig: newRigUnder(t, "casino-keno-div2", "casino", record.DeviceCage)}
	r.openDay()
	r.ann, r.bob = r.member(record.RoleSupervisor), r.member(record.RoleWriter)
	r.asAnn, r.asBob, r.as = r.signOn(r.ann), r.signOn(r.bob), r.signOn(r.member(record.RoleInspector))
	return r
}

func (r *casino) act(header, body string) CageStep {
	r.t.Helper()
	var step CageStep
	r.rig.as(header, http.MethodPost, "/v1/cage/acts", body).into(r.t, &step)
	return step
}

func (r *casino) key(numbers ...int) (last CageStep) {
	r.t.Helper()
	for _, n := range numbers {
		var at CageView
		r.rig.as(r.asAnn, http.MethodGet, "/v1/cage", "").into(r.t, &at)
		for _, header := range []string{r.asAnn, r.asBob} {
			r.rig.as(header, http.MethodPost, "/v1/cage/balls", fmt.Sprintf(`{"place":%d,"number":%d}`, len(at.Drawn)+1, n)).into(r.t, &last)
		}
	}
	return last
}

// TestCageOverTheInterface draws a game at the ball machine as its people do, with a
// decision that takes two of them.
func TestCageOverTheInterface(t *testing.T) {
	r := newCasino(t)
	must(t, r.house.TurnGame(t.Context(), r.clock.Now().Add(time.Minute)))
	if step := r.act(r.asAnn, `{"act":"counted","balls":80}`); step.Outcome != "noted" || step.Clause != "2.3" {
		t.Fatalf("%+v", step)
	}
	start := fmt.Sprintf(`{"recorders":[%d,%d]}`, r.ann, r.bob)
	var step CageStep
	r.rig.as(r.asAnn, http.MethodPost, "/v1/cage/start", start).into(t, &step)
	if step.Outcome != "begun" {
		t.Fatalf("%+v", step)
	}
	for i := 1; i <= 5; i++ {
		r.key(i)
	}
	asked := r.act(r.asAnn, `{"act":"fell_back","place":2,"reason":"no recording"}`)
	if asked.Outcome != "asked" || asked.Approval == 0 || !strings.Contains(asked.Sentence, "fell_back at vic-keno 2026-11-15 0, revision 1") {
		t.Fatalf("%+v", asked)
	}
	again := fmt.Sprintf(`{"act":"fell_back","place":2,"reason":"no recording","approval":%d}`, asked.Approval)
	wantFault(t, r.rig.as(r.asAnn, http.MethodPost, "/v1/cage/acts", again), http.StatusConflict, "approval_not_given", "approval")
	r.rig.as(r.as, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", asked.Approval), fmt.Sprintf(`{"content":%q,"granted":true}`, asked.Content)).into(t, &Approval{})
	if step := r.act(r.asAnn, again); step.Outcome != "struck" || step.Clause != "11.4(c)(i)" {
		t.Fatalf("%+v", step)
	}
	for n := 6; n <= 21; n++ {
		step = r.key(n)
	}
	if step.Outcome != "completed" {
		t.Fatalf("%+v", step)
	}
	var at CageView
	r.rig.as(r.as, http.MethodGet, "/v1/cage", "").into(t, &at)
	if at.Phase != "complete" || len(at.Drawn) != 20 || at.Drawn[1] != 3 || !at.ByHand || at.Keyed != 0 || len(at.Recorders) != 2 {
		t.Errorf("%+v", at)
	}
	if step := r.act(r.asBob, `{"act":"accepted"}`); step.Outcome != "stands" {
		t.Fatalf("%+v", step)
	}
	for range 20 {
		must(t, r.house.DrawNumber(t.Context(), 1))
	}
	must(t, r.house.FinishDraw(t.Context(), 1))
	must(t, r.house.SettleGame(t.Context(), 1))
}

// TestDrawRequestsAreRefused lists what people may send wrong, each with its own code.
func TestDrawRequestsAreRefused(t *testing.T) {
	r := newCasino(t)
	for _, c := range []struct {
		path, body, code, field string
		status                  int
	}{
		{"cage/start", `{"recorders":[1]}`, "field_value", "recorders", 400},
		{"cage/start", `{"recorders":[0,1]}`, "field_value", "recorders", 400},
		{"cage/start", `{}`, "field_missing", "recorders", 400},
		{"cage/start", `{"recorders":[1,2]}`, "game_not_ready", "game", 409},
		{"cage/balls", `{"place":1,"number":5}`, "out_of_turn", "game", 409},
		{"cage/balls", `{"place":-1,"number":5}`, "field_value", "place", 400},
		{"cage/acts", `{"act":"exploded"}`, "field_value", "act", 400},
		{"cage/acts", `{"act":"counted","balls":300}`, "field_value", "balls", 400},
		{"cage/acts", `{"act":"broke","number":5}`, "approval", "reason", 422},
		{"cage/acts", `{"act":"broke","number":5,"reason":"seen","approval":77}`, "approval_unknown", "approval", 404},
		{"cage/acts", `{"act":"accepted"}`, "out_of_turn", "", 409},
		{"links", `{"link":"nothing"}`, "field_value", "link", 400},
		{"commitments", `{"commitment":"nothing"}`, "custodian_unknown", "commitment", 422},
	} {
		wantFault(t, r.rig.as(r.asAnn, http.MethodPost, "/v1/"+c.path, c.body), c.status, c.code, c.field)
	}
	other := newRig(t)
	other.openDay()
	header := other.signOn(other.member(record.RoleSupervisor))
	wantFault(t, other.as(header, http.MethodPost, "/v1/cage/acts", `{"act":"counted","balls":80}`), 422, "device_not_allowed", "device")
}
