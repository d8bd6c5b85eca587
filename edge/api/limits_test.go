package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"drawhouse/core/limit"
	"drawhouse/edge/terminal"
)

// TestLimitedAddresses has an address ask too often. It is told when to come again,
// others are not concerned, and claiming to be a terminal does not help.
func TestLimitedAddresses(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	s := &server{log: discard, now: func() time.Time { return now }}
	s.perAddress = newLimiter(Rate{2}, "your address", s.now)
	handler := s.limited(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(terminal.Header) != "" {
			s.forged(r) // as the guard does with a signature that is none
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	ask := func(from, signature string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/v1/board", nil)
		r.RemoteAddr = from
		r.Header.Set(terminal.Header, signature)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	for i, from := range []string{"198.51.100.7:1", "[2001:db8:1:2::1]:1"} {
		signature := map[int]string{1: "forged"}[i]
		for n := range 2*limit.Burst + 1 {
			if w := ask(from, signature); w.Code != http.StatusNoContent {
				t.Fatalf("request %d of %s: %d", n, from, w.Code)
			}
		}
		w := ask(from, signature)
		if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" {
			t.Errorf("%s: %d, Retry-After %q", from, w.Code, w.Header().Get("Retry-After"))
		}
	}
	if w := ask("[2001:db8:1:2:ffff::9]:4", ""); w.Code != http.StatusTooManyRequests {
		t.Errorf("another address of the same net: %d", w.Code)
	}
	for _, from := range []string{"198.51.100.8:1", "[2001:db8:1:3::1]:1"} {
		if w := ask(from, ""); w.Code != http.StatusNoContent {
			t.Errorf("%s, who asked once: %d", from, w.Code)
		}
	}
	for range 100 {
		if w := ask("127.0.0.1:1", ""); w.Code != http.StatusNoContent {
			t.Fatalf("the machine itself: %d", w.Code)
		}
	}
	now = now.Add(time.Second)
	if w := ask("198.51.100.7:1", ""); w.Code != http.StatusNoContent {
		t.Errorf("after the wait: %d", w.Code)
	}
}
