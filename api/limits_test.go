package api

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"pgregory.net/rapid"

	"drawhouse/terminal"
)

// TestLimiter compares the limiter with a slow one that remembers every request: never
// are more let through in any stretch of time than the rate and the burst allow, and a
// caller who asks evenly is never refused.
func TestLimiter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.IntRange(1, 50).Draw(t, "rate")
		now := time.Unix(1_800_000_000, 0)
		l := newLimiter(Rate{uint(rate)}, "x", func() time.Time { return now })
		var taken []time.Time
		for range rapid.IntRange(1, 400).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(0, 200).Draw(t, "wait")) * time.Millisecond)
			if checked, err := l.check("a"), l.take("a"); (checked == nil) != (err == nil) {
				t.Fatalf("check says %v, take %v", checked, err)
			} else if err == nil {
				taken = append(taken, now)
			}
		}
		for i := range taken {
			for j := i; j < len(taken); j++ {
				allowed := rate*burst + 1 + int(taken[j].Sub(taken[i])*time.Duration(rate)/time.Second) + 1
				if n := j - i + 1; n > allowed {
					t.Fatalf("%d requests in %v at %d a second", n, taken[j].Sub(taken[i]), rate)
				}
			}
		}
	})
	now := time.Unix(1_800_000_000, 0)
	even := newLimiter(Rate{10}, "x", func() time.Time { return now })
	for range 1000 {
		now = now.Add(100 * time.Millisecond)
		if err := even.take("a"); err != nil {
			t.Fatal(err)
		}
	}
	if err := newLimiter(Rate{}, "x", time.Now).take("a"); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}

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
		for n := range 2*burst + 1 {
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

// TestLimiterForgets: callers without end do not take memory without end.
func TestLimiterForgets(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	l := newLimiter(Rate{1}, "x", func() time.Time { return now })
	for i := range 3 * maxSeen {
		now = now.Add(time.Microsecond)
		if err := l.take(string(rune(i))); err != nil && !errors.As(err, new(*tooOften)) {
			t.Fatal(err)
		}
	}
	if len(l.due) > maxSeen {
		t.Errorf("%d callers are remembered", len(l.due))
	}
}
