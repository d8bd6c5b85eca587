package monitor

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"drawhouse/core/contain"
	"drawhouse/edge/api"
	"drawhouse/house"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// watched is a house whose parts fail as a test wants.
type watched struct {
	standing house.Condition
	failing  string
	follows  bool
	alarms   []house.Alarm
}

var errFailing = errors.New("it fails")

func (w *watched) err(check string) error {
	if w.failing == check {
		return errFailing
	}
	return nil
}

func (w *watched) Condition(context.Context) (house.Condition, error) {
	if w.follows {
		return house.Condition{}, house.ErrFollows
	}
	if w.failing == "panic" {
		panic("a condition that nobody thought of")
	}
	return w.standing, w.err("lane")
}
func (w *watched) SeriesIDs() []uint8                       { return []uint8{1} }
func (w *watched) Waiting() (commands, most int)            { return 3, 4096 }
func (w *watched) Ping(context.Context, record.Place) error { return w.err("store") }
func (w *watched) FeedErr() error                           { return w.err("feed") }
func (w *watched) ClockErr() error                          { return w.err("clock") }
func (w *watched) Alarms() []house.Alarm                    { return w.alarms }
func (w *watched) Contain(part house.Part, key string, do func() error) error {
	err := contain.Do(key, do)
	if err != nil {
		w.alarms = append(w.alarms, house.Alarm{Part: part, Key: key, Sentence: err.Error()})
	}
	return err
}
func (w *watched) Streams() int { return 2 }
func (w *watched) Witnesses() []house.WitnessSigns {
	return []house.WitnessSigns{{Name: "inspector.example", Required: true, At: time.Unix(5, 0)},
		{Name: "other.example", Err: errFailing}}
}

// TestMetricsPanic: a panic while the metrics are read is on a goroutine of the registry. It
// does not end the process, is an alarm, and the other metrics are told.
func TestMetricsPanic(t *testing.T) {
	w := &watched{}
	r := NewReadiness(w)
	w.failing = "panic"
	m := NewMetrics("test")
	m.Watch(w, r, nil)
	m.WatchCertificate(func() time.Time { return time.Unix(1_900_000_000, 0) })
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(),
		"drawhouse_certificate_expires_timestamp_seconds 1.9e+09") {
		t.Errorf("status %d: %.300s", answer.Code, answer.Body)
	}
	if len(w.alarms) != 1 || w.alarms[0].Part != house.PartInterface {
		t.Errorf("alarms %+v", w.alarms)
	}
}

// TestReady has every check fail by itself, and no other is blamed for it.
func TestReady(t *testing.T) {
	w := &watched{}
	full := false
	r := NewReadiness(w, Check{"disk", func(context.Context) error {
		if full {
			return errFailing
		}
		return nil
	}})
	ask := func() (int, health) {
		t.Helper()
		answer := httptest.NewRecorder()
		Handler(NewMetrics("v1"), r).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		var h health
		if err := json.Unmarshal(answer.Body.Bytes(), &h); err != nil {
			t.Fatal(err)
		}
		return answer.Code, h
	}
	if status, h := ask(); status != http.StatusOK || h.Status != "ok" || !slices.Equal(h.Checks, r.Names()) {
		t.Errorf("a house that is well: %d %+v", status, h)
	}
	for _, name := range r.Names() {
		w.failing, full, w.standing.Trial = name, name == "disk", 0
		r.stopping.Store(name == "stopping")
		if name == "books" {
			w.standing.Trial = 1
		}
		if status, h := ask(); status != http.StatusServiceUnavailable || h.Check != name || h.Error == "" {
			t.Errorf("%s fails: %d %+v", name, status, h)
		}
	}
}

// TestAlarmsAreNotReadiness: a house with alarms says so and is ready, and one that is not
// ready says its alarms, too.
func TestAlarmsAreNotReadiness(t *testing.T) {
	w := &watched{alarms: []house.Alarm{
		{Part: house.PartDevice, Since: time.Unix(7, 0), Sentence: "The draw device does not answer.",
			Remedy: "Start the device.", Count: 3},
		{Part: house.PartWitness, Key: "a", Since: time.Unix(8, 0), Sentence: "Witness a does not sign.",
			Remedy: "Start the witness."},
		{Part: house.PartWitness, Key: "b", Since: time.Unix(9, 0), Sentence: "Witness b does not sign.",
			Remedy: "Start the witness."},
	}}
	m := NewMetrics("v1")
	r := NewReadiness(w)
	m.Watch(w, r, nil)
	for _, failing := range []string{"", "store"} {
		w.failing = failing
		answer := httptest.NewRecorder()
		Handler(m, r).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		var h health
		if err := json.Unmarshal(answer.Body.Bytes(), &h); err != nil {
			t.Fatal(err)
		}
		if ready := answer.Code == http.StatusOK; ready != (failing == "") {
			t.Errorf("failing %q: status %d", failing, answer.Code)
		}
		want := alarm{"device", time.Unix(7, 0).UTC(), "The draw device does not answer.", "Start the device.", 3}
		if len(h.Alarms) != 3 || h.Alarms[0] != want {
			t.Errorf("failing %q: alarms %+v", failing, h.Alarms)
		}
	}
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]float64{}
	for _, f := range families {
		if f.GetName() == "drawhouse_alarm" {
			for _, one := range f.GetMetric() {
				counts[one.GetLabel()[0].GetValue()] = one.GetGauge().GetValue()
			}
		}
	}
	if counts["device"] != 1 || counts["witness"] != 2 || len(counts) != len(house.Parts([]uint8{1})) ||
		counts["storage"] != 0 {
		t.Errorf("counted %v", counts)
	}
}

// TestFollowerIsReady: a house that follows has a lane that waits, and is ready all the
// same.
func TestFollowerIsReady(t *testing.T) {
	w := &watched{follows: true}
	if err := NewReadiness(w).Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestDisk: there is room for a byte, and none for all there is.
func TestDisk(t *testing.T) {
	if err := CheckDisk(t.TempDir(), 1); err != nil {
		t.Error(err)
	}
	if err := CheckDisk(t.TempDir(), 1<<62); err == nil || !strings.Contains(err.Error(), "MiB are free") {
		t.Errorf("a disk with room for everything: %v", err)
	}
	if err := CheckDisk("/nowhere", 1); err == nil {
		t.Error("a disk that is not there has room")
	}
}

// TestMetricsFormat reads the metrics as Prometheus does, and holds their names
// against its rules.
func TestMetricsFormat(t *testing.T) {
	w := &watched{standing: house.Condition{Next: record.Place{Volume: 1, Seq: 42}, Written: time.Unix(7, 0), OnSale: true,
		Tickets: 5, Ways: 9}}
	m := NewMetrics("v1.2.3")
	m.Watch(w, NewReadiness(w), func(context.Context) (int64, error) { return 1 << 20, nil })
	settled, err := record.Encode(record.Record{Time: record.Of(time.Unix(1_800_000_000, 0)),
		Body: &record.RequestBurned{Terminal: 1, Number: 1}})
	if err != nil {
		t.Fatal(err)
	}
	m.Group(lane.Group{Commands: 3, Batch: store.Batch{Entries: []store.Entry{{Data: settled}}}, Decided: time.Millisecond,
		Stored: 2 * time.Millisecond})
	m.Group(lane.Group{Commands: 1}) // a question
	m.Exchange(api.Exchange{Operation: "PUT /v1/x/{y}", Status: 409, Code: "closed", Took: time.Millisecond})
	m.Exchange(api.Exchange{Operation: "GET /v1/events", Status: 200, Streamed: true, Took: time.Hour})

	problems, err := testutil.GatherAndLint(m.registry)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	answer := httptest.NewRecorder()
	Handler(m, NewReadiness(w)).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	reader := expfmt.NewTextParser(model.UTF8Validation)
	families, err := reader.TextToMetricFamilies(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		"drawhouse_journal_records": 42, "drawhouse_open_tickets": 5, "drawhouse_ledger_trial_balance_cents": 0,
		"drawhouse_lane_queue_commands": 3,
		"drawhouse_live_streams":        2, "drawhouse_store_bytes": 1 << 20, "drawhouse_ready": 1, "drawhouse_lane_up": 1,
		"drawhouse_build_info": 1,
	} {
		f := families[name]
		if f == nil || f.GetMetric()[0].GetGauge().GetValue() != want {
			t.Errorf("%s is %v; want %v", name, f, want)
		}
	}
	for name, want := range map[string]float64{"drawhouse_records_total": 1, "drawhouse_lane_commands_total": 4,
		"drawhouse_refusals_total": 1} {
		f := families[name]
		if f == nil || f.GetMetric()[0].GetCounter().GetValue() != want {
			t.Errorf("%s is %v; want %v", name, f, want)
		}
	}
	if n := families["drawhouse_lane_commit_seconds"].GetMetric()[0].GetHistogram().GetSampleCount(); n != 1 {
		t.Errorf("%d commits", n)
	}
	if n := len(families["drawhouse_http_request_seconds"].GetMetric()); n != 1 {
		t.Errorf("%d operations are timed; a stream lasts as long as its client wants", n)
	}
}

// TestSignOnFailures: wrong passwords are counted wherever they come in, and nothing else is.
func TestSignOnFailures(t *testing.T) {
	m := NewMetrics("v1")
	for _, e := range []api.Exchange{
		{Operation: "POST /v1/session", Status: 401, Code: api.SignOnWrong},
		{Operation: "POST /v1/terminals/{terminal}/shift", Status: 401, Code: api.SignOnWrong},
		{Operation: "POST /v1/session", Status: 200},
		{Operation: "GET /v1/session", Status: 401, Code: api.SignOnFirst},
	} {
		m.Exchange(e)
	}
	if n := testutil.ToFloat64(m.signOns); n != 2 {
		t.Errorf("%v failed sign-ons are counted, want 2", n)
	}
}

// TestLaneDown: a house that does not answer is told apart from one without tickets.
func TestLaneDown(t *testing.T) {
	w := &watched{failing: "lane"}
	m := NewMetrics("v1")
	m.Watch(w, NewReadiness(w), nil)
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		switch f.GetName() {
		case "drawhouse_lane_up", "drawhouse_ready":
			if f.GetMetric()[0].GetGauge().GetValue() != 0 {
				t.Errorf("%s is 1", f.GetName())
			}
		case "drawhouse_open_tickets", "drawhouse_store_bytes":
			t.Errorf("%s is told though nobody knows", f.GetName())
		}
	}
}
