package monitor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"drawhouse/core/contain"
	"drawhouse/edge/api"
	"drawhouse/edge/certify"
	"drawhouse/house"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// watched is a house whose parts fail as a test wants.
type watched struct {
	standing house.Condition
	at       house.Standing
	failing  string
	alarms   []house.Alarm
	away     error // why the required witness does not sign
}

var errFailing = errors.New("it fails")

func (w *watched) err(check string) error {
	if w.failing == check {
		return errFailing
	}
	return nil
}

func (w *watched) Condition(context.Context) (house.Condition, error) {
	if w.at.Follows {
		return house.Condition{}, house.ErrFollows
	}
	if w.failing == "panic" {
		panic("a condition that nobody thought of")
	}
	return w.standing, w.err("lane")
}
func (w *watched) Standing() house.Standing                 { return w.at }
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
func (w *watched) KeysSign() []house.KeySigns {
	return []house.KeySigns{{Key: "house", Took: 2 * time.Millisecond}, {Key: "log", Err: errFailing, Took: time.Second}}
}
func (w *watched) Witnesses() []house.WitnessSigns {
	return []house.WitnessSigns{{Name: "inspector.example", Required: true, Draws: true, At: time.Unix(5, 0), Err: w.away},
		{Name: "other.example", Err: errFailing}}
}

// asking asks the operator's address of a house.
func asking(t *testing.T, r *Readiness, path string) (int, health) {
	t.Helper()
	answer := httptest.NewRecorder()
	Handler(NewMetrics("v1").Handler(), r).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
	var h health
	if err := json.Unmarshal(answer.Body.Bytes(), &h); err != nil {
		t.Fatalf("%s: %d %s", path, answer.Code, answer.Body)
	}
	return answer.Code, h
}

// failed returns the names of the checks that do not hold.
func failed(h health) (names []string) {
	for _, c := range h.Checks {
		if !c.OK {
			names = append(names, c.Name)
		}
	}
	return names
}

// TestMetricsPanic: a panic while the metrics are read is on a goroutine of the registry. It
// does not end the process, is an alarm, and the other metrics are told.
func TestMetricsPanic(t *testing.T) {
	w := &watched{}
	r := NewReadiness(w)
	w.failing = "panic"
	m := NewMetrics("test")
	m.Watch(w, r, nil)
	m.WatchCertificate(func() certify.Status { return certify.Status{Expires: time.Unix(1_900_000_000, 0)} })
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

// TestReady has every check fail by itself. The purposes that need it say so by its name, every other check holds, and
// the purposes that do not need it are as they were.
func TestReady(t *testing.T) {
	w := &watched{}
	full, old := false, false
	extra := func(name string, of []Purpose, fails *bool) Check {
		return Check{name, of, "", "", func(context.Context) error {
			if *fails {
				return errFailing
			}
			return nil
		}}
	}
	r := NewReadiness(w, extra("disk", both, &full), extra("backup", []Purpose{Alarms}, &old))
	breaks := map[string]func(){
		"stopping":  func() { r.stopping.Store(true) },
		"writer":    func() { w.at.Resting = errFailing },
		"lane":      func() { w.failing = "lane" },
		"store":     func() { w.failing = "store" },
		"clock":     func() { w.failing = "clock" },
		"books":     func() { w.standing.Trial = 1 },
		"feed":      func() { w.failing = "feed" },
		"device":    func() { w.alarms = []house.Alarm{{Part: house.PartDevice, Sentence: "It is away."}} },
		"witnesses": func() { w.away = errFailing },
		"games":     func() { w.alarms = []house.Alarm{{Part: house.SeriesPart(1), Key: "playing", Sentence: "It waits."}} },
		"following": func() { w.at = house.Standing{Diverged: errFailing} },
		"disk":      func() { full = true },
		"backup":    func() { old = true },
	}
	// What else an event makes fail, by its nature.
	with := map[string][]string{
		"lane": {"store", "books"}, // Nobody can ask for them.
	}
	parts := map[string]string{"device": "device", "games": "series 1"} // whose alarm it is
	seen := map[string]bool{}
	for name, do := range breaks {
		*w, full, old = watched{}, false, false
		r.stopping.Store(false)
		for _, of := range r.Purposes() {
			if status, h := asking(t, r, r.PathOf(of)); status != http.StatusOK || h.Status != "ok" || h.For != of ||
				len(h.Checks) != len(r.Checks(of)) {
				t.Fatalf("%s of a house that is well: %d %+v", of, status, h)
			}
		}
		do()
		for _, of := range r.Purposes() {
			var want []string
			for _, c := range r.Checks(of) {
				isPart := of == Alarms && slices.Contains(partNames(), c.Name)
				if isPart && c.Name == parts[name] ||
					!isPart && (c.Name == name || slices.Contains(with[name], c.Name)) {
					want = append(want, c.Name)
				}
			}
			status, h := asking(t, r, r.PathOf(of))
			if got := failed(h); !slices.Equal(got, want) || (status == http.StatusOK) != (len(want) == 0) {
				t.Errorf("%s fails: for %s %d and %v; want %v", name, of, status, got, want)
			}
			if len(want) > 0 {
				seen[name] = true
			}
		}
	}
	for _, of := range r.Purposes() {
		for _, c := range r.Checks(of) {
			if !seen[c.Name] && !slices.Contains(partNames(), c.Name) {
				t.Errorf("nothing has made %s fail", c.Name)
			}
		}
	}
}

func partNames() (names []string) {
	for _, p := range house.Parts([]uint8{1}) {
		names = append(names, string(p))
	}
	return names
}

// TestWitnessGoneSells: a required witness or a device that is gone keeps games from being drawn, and takes no terminal
// off. A witness that is only expected keeps nothing.
func TestWitnessGoneSells(t *testing.T) {
	w := &watched{away: errFailing, alarms: []house.Alarm{
		{Part: house.PartDevice, Since: time.Unix(7, 0), Sentence: "The draw device does not answer.",
			Remedy: "Start the device.", Count: 3},
		{Part: house.PartWitness, Key: "inspector.example", Sentence: "Witness inspector.example does not sign."},
	}}
	r := NewReadiness(w)
	if status, h := asking(t, r, "/readyz"); status != http.StatusOK || h.Alarms != nil {
		t.Errorf("it may not sell: %d %+v", status, h)
	}
	if status, h := asking(t, r, "/readyz/draw"); status != http.StatusServiceUnavailable ||
		!slices.Equal(failed(h), []string{"device", "witnesses"}) {
		t.Errorf("it may draw: %d %+v", status, h)
	}
	status, h := asking(t, r, "/readyz/alarms")
	want := alarm{"device", time.Unix(7, 0).UTC(), "The draw device does not answer.", "Start the device.", 3}
	if status != http.StatusServiceUnavailable || !slices.Equal(failed(h), []string{"device", "witness"}) ||
		h.Alarms == nil || len(*h.Alarms) != 2 || (*h.Alarms)[0] != want {
		t.Errorf("alarms: %d %+v", status, h)
	}
	w.away, w.alarms = nil, []house.Alarm{{Part: house.RoomPart(3), Key: "cards", Sentence: "Cards cannot be checked."}}
	if status, h := asking(t, r, "/readyz/draw"); status != http.StatusOK {
		t.Errorf("a witness that is only expected, and cards, keep games from being drawn: %+v", h)
	}
	if _, h := asking(t, r, "/readyz/alarms"); !slices.Equal(failed(h), []string{"room 3"}) {
		t.Errorf("alarms of a room: %+v", h)
	}
}

// TestFollowerMayNotSell: terminals are sent to the writer alone, and a follower is well as long as it keeps up.
func TestFollowerMayNotSell(t *testing.T) {
	w := &watched{at: house.Standing{Follows: true, Writer: store.Presence{Address: "http://writer.example"}}}
	r := NewReadiness(w)
	if _, h := asking(t, r, "/readyz"); !slices.Equal(failed(h), []string{"writer"}) ||
		!strings.Contains(h.Checks[1].Error, "http://writer.example") {
		t.Errorf("a follower: %+v", h)
	}
	if status, h := asking(t, r, "/readyz/alarms"); status != http.StatusOK {
		t.Errorf("a follower that keeps up: %+v", h)
	}
	if _, h := asking(t, r, "/healthz"); h.Role != roleFollower {
		t.Errorf("the health of a follower: %+v", h)
	}
	w.at.Lag.Behind = followedWithin + time.Millisecond
	if _, h := asking(t, r, "/readyz/alarms"); !slices.Equal(failed(h), []string{"following"}) {
		t.Errorf("a follower that does not keep up: %+v", h)
	}
}

// TestEveryAlarmHasARemedy: whichever check of the alarms fails, the answer says what to do.
func TestEveryAlarmHasARemedy(t *testing.T) {
	w := &watched{alarms: []house.Alarm{{Part: house.PartDevice, Sentence: "It is away.", Remedy: "Start it."}}}
	w.at.Follows, w.at.Lag.Behind = true, followedWithin+time.Millisecond
	canary := &Canary{outcome: Outcome{Err: errFailing}}
	r := NewReadiness(w, Backups(func() (time.Time, error) { return time.Time{}, nil }, time.Hour), CanaryCheck(canary),
		Certificate(func() certify.Status { return certify.Status{} }))
	_, h := asking(t, r, "/readyz/alarms")
	for _, c := range h.Checks {
		if c.OK != (c.Remedy == "") {
			t.Errorf("%+v", c)
		}
	}
	if got := failed(h); !slices.Equal(got, []string{"following", "backup", "canary", "device"}) &&
		!slices.Equal(got, []string{"following", "backup", "canary", "certificate", "device"}) {
		t.Errorf("these fail: %v", got)
	}
	for _, c := range r.Checks(Alarms)[:4] {
		if c.Remedy == "" {
			t.Errorf("%s has no remedy", c.Name)
		}
	}
}

// TestSlowCheck: a check that hangs is named, and keeps nobody from the others; one that panics fails.
func TestSlowCheck(t *testing.T) {
	r := NewChecks(Sell,
		Check{"hangs", []Purpose{Sell}, "", "", func(ctx context.Context) error { <-make(chan int); return nil }},
		Check{"panics", []Purpose{Sell}, "", "", func(context.Context) error { panic("a defect") }},
		Check{"well", []Purpose{Sell}, "", "", func(context.Context) error { return nil }})
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // Nothing waits for the patience of a check.
	for _, one := range r.Ask(ctx, Sell) {
		switch one.Check {
		case "hangs":
			if !errors.Is(one.Err, errSlow) {
				t.Errorf("a check that hangs: %v", one.Err)
			}
		}
	}
	r = NewChecks(Sell, r.checks[2:]...)
	if _, h := asking(t, r, "/readyz"); !slices.Equal(failed(h), []string{"panics"}) {
		t.Errorf("a check that panics: %+v", h)
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
	Handler(m.Handler(), NewReadiness(w)).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	reader := expfmt.NewTextParser(model.UTF8Validation)
	families, err := reader.TextToMetricFamilies(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		"drawhouse_journal_records": 42, "drawhouse_open_tickets": 5, "drawhouse_ledger_trial_balance_cents": 0,
		"drawhouse_lane_queue_commands": 3,
		"drawhouse_live_streams":        2, "drawhouse_store_bytes": 1 << 20, "drawhouse_lane_up": 1,
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

// TestSignOns: sign-ons are counted wherever they come in, by what became of them, and nothing else is.
func TestSignOns(t *testing.T) {
	m := NewMetrics("v1")
	for _, e := range []api.Exchange{
		{Operation: "POST /v1/session", Status: 401, Code: api.SignOnWrong},
		{Operation: "POST /v1/terminals/{terminal}/shift", Status: 401, Code: api.SignOnWrong},
		{Operation: "POST /v1/session", Status: 200, SignedOn: 7},
		{Operation: "GET /v1/session", Status: 401, Code: api.SignOnFirst},
		{Operation: "GET /v1/session", Status: 200, Person: 7},
	} {
		m.Exchange(e)
	}
	if good, bad := testutil.ToFloat64(m.signOns), testutil.ToFloat64(m.failed); good != 1 || bad != 2 {
		t.Errorf("%v sign-ons and %v failed ones are counted, want 1 and 2", good, bad)
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
		case "drawhouse_lane_up":
			if f.GetMetric()[0].GetGauge().GetValue() != 0 {
				t.Errorf("%s is 1", f.GetName())
			}
		case "drawhouse_open_tickets", "drawhouse_store_bytes":
			t.Errorf("%s is told though nobody knows", f.GetName())
		}
	}
}

// TestServed holds what a house serves against the list that the documents are made from, name by name.
func TestServed(t *testing.T) {
	w := &watched{at: house.Standing{Follows: true}}
	m := NewMetrics("v1")
	r := NewReadiness(w, Disk(t.TempDir(), 1))
	m.Watch(&condition{watched: w}, r, func(context.Context) (int64, error) { return 1, nil })
	m.WatchDisk(t.TempDir())
	m.WatchCertificate(func() certify.Status { return certify.Status{Expires: time.Unix(7, 0)} })
	m.WatchBackups(func() (time.Time, error) { return time.Unix(8, 0), nil })
	canary := &Canary{}
	canary.outcome = Outcome{At: time.Unix(9, 0), Refused: "no_game"}
	m.WatchCanary(canary)
	m.Exchange(api.Exchange{Operation: "PUT /v1/x/{y}", Status: 409, Code: "closed", Took: time.Millisecond})
	group := lane.Group{Commands: 2}
	for _, body := range []record.Body{entered, sold} {
		group.Batch.Entries = append(group.Batch.Entries, store.Entry{Data: encoded(t, body)})
	}
	m.Group(group)
	holdAgainst(t, m.registry, OfHouse)
}

// TestHelpersServed holds what a witness and a device serve against the list.
func TestHelpersServed(t *testing.T) {
	fails := error(nil)
	book := func() error { return fails }
	for of, checks := range map[Program]*Readiness{
		OfWitness: NewChecks(Cosign, Book(Cosign, book), Room(Cosign, t.TempDir())),
		OfDevice:  NewChecks(Answer, Drawing(func() error { return nil }), Book(Answer, book), Room(Answer, t.TempDir())),
	} {
		m := NewHelperMetrics("v1", checks, t.TempDir())
		m.Exchange(api.Exchange{Operation: "POST /x", Status: 200, Took: time.Millisecond})
		if of == OfWitness {
			m.WatchCosigned(func() []Cosigned { return []Cosigned{{"keno.example/log1", 7, 8, true}} },
				func() uint64 { return 2 })
		}
		holdAgainst(t, m.registry, of)
		for _, fails = range []error{nil, errFailing} {
			answer := httptest.NewRecorder()
			m.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
			status, h := asking(t, checks, "/readyz")
			want := "1"
			if fails != nil {
				want = "0"
			}
			if (status == http.StatusOK) != (fails == nil) || slices.Contains(failed(h), "book") != (fails != nil) ||
				!strings.Contains(answer.Body.String(), fmt.Sprintf("drawhouse_ready{for=%q} %s\n", checks.Purposes()[0], want)) {
				t.Errorf("%s, book %v: %d %+v", of, fails, status, h)
			}
		}
	}
}

// condition is a house that both follows and knows how it stands, so that every metric is served.
type condition struct{ *watched }

func (c *condition) Condition(context.Context) (house.Condition, error) { return c.standing, nil }

// holdAgainst holds what a registry serves against the list.
func holdAgainst(t *testing.T, registry prometheus.Gatherer, by Program) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]*dto.MetricFamily{}
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), prefix+"_") {
			served[f.GetName()] = f
		}
	}
	for _, want := range Families(by) {
		f := served[want.FullName()]
		delete(served, want.FullName())
		if f == nil {
			t.Errorf("%s is not served", want.FullName())
			continue
		}
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		sorted := slices.Sorted(slices.Values(want.Labels))
		if kind := strings.ToLower(f.GetType().String()); kind != want.Type || f.GetHelp() != want.Help ||
			!slices.Equal(labels, sorted) {
			t.Errorf("%s is served as a %s with %v: %s", want.FullName(), kind, labels, f.GetHelp())
		}
	}
	for name := range served {
		t.Errorf("%s is served and is not in the list", name)
	}
}

// The records of a turnover.
var (
	entered = &record.PlayerEntered{Hall: 2, Session: 1, Player: 1, Member: "m", FeeCents: 250,
		By:    record.By{Person: 1, Rank: record.RankDealer},
		Books: []record.BookRange{{Series: "s", First: 1, Last: 1}}}
	sold = &record.TicketSold{Request: record.Request{Terminal: 1, Number: 1}, Session: 1, Method: "form", Series: 1,
		Ordinal: 7, Ticket: []byte{0xa0}, Ways: 1, CostCents: 300,
		Tenders: []record.Tender{{Kind: record.TenderCash, Cents: 300}}}
	undone = &record.TicketCancelled{Request: record.Request{Terminal: 1, Number: 2}, Session: 2,
		Ticket: record.Place{Volume: 1, Seq: 5}, Series: 1, Kept: 6, RefundCents: 100,
		Tenders: []record.Tender{{Kind: record.TenderCash, Cents: -100}}}
)

// TestTurnover counts what tickets and entries bring and what goes back, each in its series or room, and nothing twice.
func TestTurnover(t *testing.T) {
	m := NewMetrics("v1")
	group := lane.Group{Commands: 4}
	for _, body := range []record.Body{sold, sold, undone, entered} {
		group.Batch.Entries = append(group.Batch.Entries, store.Entry{Data: encoded(t, body)})
	}
	m.Group(group)
	for name, got := range map[string]float64{
		"sales 2": testutil.ToFloat64(m.sales.WithLabelValues("1")), "cents 600": testutil.ToFloat64(m.sold.WithLabelValues("1")),
		"back 100": testutil.ToFloat64(m.cancelled.WithLabelValues("1")), "fees 250": testutil.ToFloat64(m.fees.WithLabelValues("2")),
	} {
		if want := name[strings.Index(name, " ")+1:]; strconv.FormatFloat(got, 'f', -1, 64) != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func encoded(t *testing.T, body record.Body) []byte {
	t.Helper()
	data, err := record.Encode(record.Record{Time: record.Of(time.Unix(1_800_000_000, 0)), Body: body})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestNoCertificate: a house without certificate tells that the authority gave none, and no time of any.
func TestNoCertificate(t *testing.T) {
	m := NewMetrics("test")
	status := func() certify.Status { return certify.Status{Last: certify.Try{Error: "the authority is away"}} }
	m.WatchCertificate(status)
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if text := answer.Body.String(); !strings.Contains(text, "\ndrawhouse_certificate_renewal_failed 1\n") ||
		strings.Contains(text, "drawhouse_certificate_expires") || strings.Contains(text, "drawhouse_certificate_issued") {
		t.Errorf("status %d: %.2000s", answer.Code, text)
	}
	if err := Certificate(status).Do(t.Context()); err == nil || !strings.Contains(err.Error(), "the authority is away") {
		t.Errorf("the check says %v", err)
	}
}
