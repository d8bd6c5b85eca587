package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/decide/command"
	"drawhouse/journal/record"
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
			r.rig.as(header, http.MethodPost, "/v1/cage/balls",
				fmt.Sprintf(`{"place":%d,"number":%d}`, len(at.Drawn)+1, n)).into(r.t, &last)
		}
	}
	return last
}

// TestCageOverTheInterface draws a game at the ball machine as its people do, with a
// decision that takes two of them.
func TestCageOverTheInterface(t *testing.T) {
	r := newCasino(t)
	must(t, r.house.First().TurnGame(t.Context(), r.clock.Now().Add(time.Minute)))
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
	// A place is not enough: it is another ball's as soon as one before it is struck.
	wantFault(t, r.rig.as(r.asAnn, http.MethodPost, "/v1/cage/acts",
		`{"act":"fell_back","place":2,"reason":"no recording"}`), http.StatusUnprocessableEntity, "number_not_possible",
		"number")
	wantFault(t, r.rig.as(r.asAnn, http.MethodPost, "/v1/cage/acts",
		`{"act":"fell_back","number":9,"reason":"no recording"}`), http.StatusUnprocessableEntity, "number_not_possible",
		"number")
	asked := r.act(r.asAnn, `{"act":"fell_back","number":2,"reason":"no recording"}`)
	if asked.Outcome != "asked" || asked.Approval == 0 ||
		!strings.Contains(asked.Sentence, "fell_back at vic-keno 2026-11-15 0, revision 1: ball 2, reason") {
		t.Fatalf("%+v", asked)
	}
	again := fmt.Sprintf(`{"act":"fell_back","number":2,"reason":"no recording","approval":%d}`, asked.Approval)
	wantFault(t, r.rig.as(r.asAnn, http.MethodPost, "/v1/cage/acts", again), http.StatusConflict, "approval_not_given",
		"approval")
	r.rig.as(r.as, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", asked.Approval),
		fmt.Sprintf(`{"content":%q,"granted":true}`, asked.Content)).into(t, &Approval{})
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
	if at.Phase != "complete" || len(at.Drawn) != 20 || at.Drawn[1] != 3 || !at.ByHand || at.Keyed != 0 ||
		len(at.Recorders) != 2 {
		t.Errorf("%+v", at)
	}
	if step := r.act(r.asBob, `{"act":"accepted"}`); step.Outcome != "stands" {
		t.Fatalf("%+v", step)
	}
	for range 20 {
		must(t, r.house.First().DrawNumber(t.Context(), 1))
	}
	must(t, r.house.First().FinishDraw(t.Context(), 1))
	must(t, r.house.First().SettleGame(t.Context(), 1))
}

// draws has the ball machine draw numbers in the first game, and settles it.
func (r *casino) draws(numbers ...int) {
	r.t.Helper()
	must(r.t, r.house.First().TurnGame(r.t.Context(), r.clock.Now().Add(time.Minute)))
	r.act(r.asAnn, `{"act":"counted","balls":80}`)
	r.rig.as(r.asAnn, http.MethodPost, "/v1/cage/start", fmt.Sprintf(`{"recorders":[%d,%d]}`, r.ann, r.bob)).into(r.t,
		&CageStep{})
	r.key(numbers...)
	r.act(r.asBob, `{"act":"accepted"}`)
	for range numbers {
		must(r.t, r.house.First().DrawNumber(r.t.Context(), 1))
	}
	must(r.t, r.house.First().FinishDraw(r.t.Context(), 1))
	must(r.t, r.house.First().SettleGame(r.t.Context(), 1))
}

// corrects has two persons correct the result of the first game.
func (r *casino) corrects(numbers ...int) reply {
	r.t.Helper()
	body, err := json.Marshal(command.CorrectResult{Ordinal: 1, Revision: 2, Numbers: numbers,
		Reason: "the last ball was misread", Clause: "11.1"})
	must(r.t, err)
	var asked Approval
	r.rig.as(r.asAnn, http.MethodPost, "/v1/operator/results/corrections", string(body)).into(r.t, &asked)
	second := r.signOn(r.member(record.RoleSupervisor))
	r.rig.as(second, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", asked.Number),
		fmt.Sprintf(`{"content":%q,"granted":true}`, asked.Content)).into(r.t, &Approval{})
	return r.rig.as(r.asAnn, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/use", asked.Number), "")
}

// TestEvidenceOfCorrections reads how the numbers of a game came about before and after
// its result was corrected: the device's note is of the numbers that were entered.
func TestEvidenceOfCorrections(t *testing.T) {
	r := newCasino(t)
	entered := make([]int, 20)
	for i := range entered {
		entered[i] = i + 1
	}
	right := append(slices.Clone(entered[:19]), 77)
	r.draws(entered...)
	var before, after DrawEvidence
	r.send(http.MethodGet, "/v1/games/2026-11-15/0/draw", "").into(t, &before)
	if before.Corrected != nil || !slices.Equal(before.Numbers, entered) {
		t.Errorf("before the correction: %+v", before)
	}
	r.corrects(right...).into(t, &Operated{})
	r.send(http.MethodGet, "/v1/games/2026-11-15/0/draw", "").into(t, &after)
	want := &Corrected{Revision: 2, Reason: "the last ball was misread", Clause: "11.1", Entered: entered}
	if !slices.Equal(after.Numbers, right) || !reflect.DeepEqual(after.Corrected, want) ||
		after.DrawNote != before.DrawNote {
		t.Errorf("after the correction: %+v, %+v", after, after.Corrected)
	}
}

// hurried is an answer that notes which deadline it was given.
type hurried struct {
	*httptest.ResponseRecorder
	deadlines []time.Time
}

func (w *hurried) SetWriteDeadline(at time.Time) error {
	w.deadlines = append(w.deadlines, at)
	return nil
}

// TestCorrectionsTakeTheirTime asks for what reads the whole journal, which may take
// longer than the server gives an answer, and for what does not.
func TestCorrectionsTakeTheirTime(t *testing.T) {
	r := newCasino(t)
	for _, c := range []struct {
		path, body string
		lifted     bool
	}{
		{"/v1/operator/results/corrections", `{"ordinal":1,"revision":2,"numbers":[1],"reason":"x","clause":"11.1"}`, true},
		{"/v1/approvals/7/use", "", true},
		{"/v1/operator/games/void", `{"ordinal":1,"reason":"x","clause":"11.6"}`, false},
	} {
		request := httptest.NewRequest(http.MethodPost, c.path, strings.NewReader(c.body))
		request.Header.Set("Authorization", r.asAnn)
		w := &hurried{ResponseRecorder: httptest.NewRecorder()}
		r.handler.ServeHTTP(w, request)
		if lifted := slices.Equal(slices.Compact(w.deadlines), []time.Time{{}}); lifted != c.lifted ||
			w.Code == http.StatusForbidden || w.Code == http.StatusBadRequest {
			t.Errorf("%s: %d, deadlines %v: %s", c.path, w.Code, w.deadlines, w.Body)
		}
	}
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
	wantFault(t, other.as(header, http.MethodPost, "/v1/cage/acts", `{"act":"counted","balls":80}`), 422,
		"device_not_allowed", "device")
}
