package api

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/journal/record"
)

// TestObserved names every request, follows who names it, and puts nothing into the
// log that was said in it.
func TestObserved(t *testing.T) {
	var log bytes.Buffer
	var seen []Exchange
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/tickets/{serial}", func(w http.ResponseWriter, r *http.Request) {
		if exchangeOf(r.Context()).ID == "" {
			t.Error("the handler does not know the id")
		}
		exchangeOf(r.Context()).Code = NoSuchPath
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte("12345"))
	})
	handler := Observed(mux, slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		func(e Exchange) { seen = append(seen, e) })
	ask := func(id string) string {
		r := httptest.NewRequest(http.MethodGet, "/v1/tickets/SECRET1?code=SECRET2", strings.NewReader("SECRET3"))
		r.Header.Set("Authorization", "Bearer SECRET4")
		r.Header.Set("Cookie", "session=SECRET5")
		r.Header.Set(RequestID, id)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Header().Get(RequestID)
	}
	first, second := ask(""), ask("bad id\"\n")
	if first == "" || first == second || strings.ContainsAny(second, " \"\n") {
		t.Errorf("the ids are %q and %q", first, second)
	}
	if id := ask("proxy-7.a_B"); id != "proxy-7.a_B" {
		t.Errorf("the id of the proxy became %q", id)
	}
	if strings.Contains(log.String(), "SECRET") {
		t.Errorf("the log has a secret: %s", &log)
	}
	for line := range strings.Lines(log.String()) {
		var entry struct {
			ID, Operation, Code string
			Status, Bytes       int
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		if entry.ID == "" || entry.Operation != "GET /v1/tickets/{serial}" || entry.Status != http.StatusTeapot ||
			entry.Bytes != 5 || entry.Code != string(NoSuchPath) {
			t.Errorf("the log says %s", line)
		}
	}
	if len(seen) != 3 || seen[2].ID != "proxy-7.a_B" {
		t.Errorf("observed %+v", seen)
	}
}

// TestUnknownPathsShareALabel: what somebody types does not become a metric each.
func TestUnknownPathsShareALabel(t *testing.T) {
	operations := map[string]bool{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	handler := Observed(mux, nil, func(e Exchange) { operations[e.Operation] = true })
	for _, path := range []string{"/a", "/b", "/c/d"} {
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	if len(operations) != 1 || !operations["other"] {
		t.Errorf("operations %v", operations)
	}
}

// TestProbesFillNoLog: a fault of the house is told to the person who runs it, and that it is not
// ready only by who finds out why.
func TestProbesFillNoLog(t *testing.T) {
	var log bytes.Buffer
	mux := http.NewServeMux()
	for path, code := range map[string]refusal.Code{"GET /readyz": NotReady, "GET /v1/board": Stopped} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			exchangeOf(r.Context()).Code = code
			w.WriteHeader(http.StatusServiceUnavailable)
		})
	}
	handler := Observed(mux, slog.New(slog.NewJSONHandler(&log, nil)), nil)
	for _, path := range []string{"/readyz", "/v1/board"} {
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	if said := log.String(); strings.Contains(said, "readyz") || !strings.Contains(said, "board") {
		t.Errorf("the log says %s", said)
	}
}

// TestClientGone: who closes the connection before there is an answer is no fault of the
// house: 499 and the code client_gone, and no line above debug.
func TestClientGone(t *testing.T) {
	r := newRig(t)
	r.openDay()
	var seen []Exchange
	supervisor := r.signOn(r.member(record.RoleSupervisor))
	handler := Observed(r.handler, logTo(r.log), func(e Exchange) { seen = append(seen, e) })
	entered, leave, done := make(chan bool), make(chan bool), make(chan error, 1)
	go func() {
		_, err := r.house.Do(context.Background(), inLane(func() {
			close(entered)
			<-leave
		}), record.By{})
		done <- err
	}()
	<-entered
	said := r.log.Len()
	ctx, gone := context.WithCancel(context.Background())
	request := httptest.NewRequest(http.MethodPost, "/v1/operator/pause",
		strings.NewReader(`{"reason":"a break"}`)).WithContext(ctx)
	request.Header.Set("Authorization", supervisor)
	go gone() // Nothing else ends the request: the lane waits for the test.
	handler.ServeHTTP(httptest.NewRecorder(), request)
	close(leave)
	must(t, <-done)
	if seen[0].Status != clientGone || seen[0].Code != ClientGone {
		t.Errorf("it counts as %d %s", seen[0].Status, seen[0].Code)
	}
	if more := r.log.String()[said:]; strings.Contains(more, "level=WARN") || strings.Contains(more, "level=ERROR") {
		t.Errorf("the log was told:\n%s", more)
	}
	if r.house.Err() != nil {
		t.Error(r.house.Err())
	}
}
