package bench

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"drawhouse/edge/api"
	"drawhouse/edge/monitor"
	"drawhouse/journal/lane"
	"drawhouse/journal/store"
)

// TestWaits reads the metrics that a house shows, so that neither their names nor their
// bounds can change without this.
func TestWaits(t *testing.T) {
	m := monitor.NewMetrics("test")
	read := func() []waited {
		t.Helper()
		w := httptest.NewRecorder()
		m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
		waits, err := waitsOf(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		return waits
	}
	happen := func() {
		for _, took := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 60 * time.Millisecond} {
			m.Exchange(api.Exchange{Operation: "POST /v1/sales", Took: took})
			m.Exchange(api.Exchange{Operation: "GET /v1/tickets/{serial}", Took: took})
			m.Group(lane.Group{Commands: 1, Decided: took / 2, Stored: took,
				Batch: store.Batch{Entries: make([]store.Entry, 1)}})
		}
	}
	happen()
	before := read()
	happen()
	got := addWaits(nil, before, read())
	want := []waited{
		{"requests answered", 6, []int64{4, 2, 2, 0}},
		{"groups decided", 3, []int64{1, 1, 0, 0}},
		{"groups made durable", 3, []int64{2, 1, 1, 0}},
		{"groups with a settlement", 0, []int64{0, 0, 0, 0}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if twice := addWaits(got, before, read()); twice[0].Times != 12 {
		t.Errorf("two rounds come to %v", twice)
	}
}

// TestCustomersWait: a wait of exactly a bound is not longer than that.
func TestCustomersWait(t *testing.T) {
	laps := []lap{{waits: []time.Duration{1, longTimes[0], longTimes[0] + 1, time.Second}},
		{waits: []time.Duration{longTimes[2] + 1}}}
	got, want := customersOf(laps), waited{"customers served", 5, []int64{3, 2, 2, 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
