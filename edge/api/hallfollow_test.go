package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"drawhouse/edge/api"
	"drawhouse/house"
	"drawhouse/house/live"
	"drawhouse/journal/record"
	"drawhouse/journal/store/storetest"
)

// TestFollowerShowsRoom plays in a room while a follower shows it. The views of both are
// the same to the byte once the follower has come as far, and the events after a view
// are those that the view lacks.
func TestFollowerShowsRoom(t *testing.T) {
	r := newBingoRoom(t)
	r.found()
	r.send("POST", "/sessions", 200, `{"day":"2026-11-15","begins":"2026-11-15T20:00:00+11:00","fee_cents":1000,"books_max":2,"series":["K7"],
		"games":[{"prizes":[{"pattern":"bingo","cents":10000}]}]}`, nil)
	r.send("POST", "/members", 200, `{"member":"100"}`, nil)
	r.send("POST", "/sessions/1/players", 200,
		`{"member":"100","fee_cents":1000,"books":[{"series":"K7","first":101,"last":101}]}`, nil)
	r.send("POST", "/sessions/1/issue", 200, `{"ranges":[{"books":{"series":"K7","first":101,"last":101}}]}`, nil)
	follower := r.follow()
	r.send("POST", "/sessions/1/games/1/announcement", 200, `{}`, nil)
	first := r.call(1)
	var shown api.HallDisplay
	written := r.send("GET", "/sessions/1", 200, "", &shown)
	for _, path := range []string{"", "/sessions/1", "/sessions/1/games/1"} {
		want := r.send("GET", path, 200, "", nil)
		if got := eventually(follower, "/v1/hall/1"+path, want); got != want {
			t.Errorf("the follower shows %s\n%swant\n%s", path, got, want)
		}
	}
	if len(shown.Calls) != 1 || shown.Calls[0] != first {
		t.Errorf("after one call the display is %s", written)
	}
	second := r.call(2)
	events, _, err := r.house.Hub().After(t.Context(), shown.ID)
	if err != nil || len(events) != 1 {
		t.Fatalf("after the display there are %d events, %v", len(events), err)
	}
	if called, ok := events[0].Body.(live.BingoNumberCalled); !ok || called.Number != second || called.K != 2 {
		t.Errorf("the event after the display is %+v", events[0].Body)
	}
	if answer := get(follower, "/v1/hall/1/sessions/9"); !strings.Contains(answer, "unknown") {
		t.Errorf("a session that is not there: %s", answer)
	}
	r.close()
}

// follow returns the interface of a follower of the house.
func (r *bingoRoom) follow() http.Handler {
	r.t.Helper()
	keys := func(v record.VolumeBegun) (house.Keys, error) {
		return house.Keys{HouseVerifier: v.HouseKey, DeviceVerifier: v.DeviceKey}, nil
	}
	f, err := house.Follow(r.t.Context(), house.Config{Store: storetest.OpenMemory(r.disk), Clock: r.clock,
		Entropy: r.entropy}, keys)
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(r.t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = f.Run(ctx, 0) }()
	r.t.Cleanup(func() { stop(); <-done })
	handler, err := api.New(f.House(), api.Options{Version: "test", Now: r.clock.Now, Follower: f.Standing})
	if err != nil {
		r.t.Fatal(err)
	}
	return handler
}

func get(handler http.Handler, path string) string {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Body.String()
}

// eventually asks until the answer is the one wanted, or for a minute.
func eventually(handler http.Handler, path, want string) (got string) {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if got = get(handler, path); got == want {
			return got
		}
	}
	return got
}
