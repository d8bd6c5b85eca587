package api

import (
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"drawhouse/figure"
	"drawhouse/refusal"
	"drawhouse/terminal"
)

// TooManyRequests: a terminal or an address asks more often than the operator lets it;
// Retry-After says when to come again. Nothing happened.
const TooManyRequests refusal.Code = "too_many_requests"

// Rate is how often somebody may ask. Zero is as often as they like.
type Rate struct{ PerSecond uint }

// burst is how many seconds' worth of requests may come at once.
const burst = 5

// limiter holds many callers to one rate. For each it keeps the time at which a caller
// who asked evenly would be due (the generic cell rate algorithm): one time each, and
// no timer.
type limiter struct {
	gap  time.Duration // between requests that come evenly; 0 for no limit
	what string
	now  func() time.Time

	mu  sync.Mutex // guards due
	due map[string]time.Time
}

func newLimiter(r Rate, what string, now func() time.Time) *limiter {
	l := &limiter{what: what, now: now, due: map[string]time.Time{}}
	if r.PerSecond > 0 {
		l.gap = time.Second / time.Duration(r.PerSecond)
	}
	return l
}

// take counts a request, or refuses it.
func (l *limiter) take(key string) error { return l.look(key, true) }

// check refuses what take would refuse, and counts nothing.
func (l *limiter) check(key string) error { return l.look(key, false) }

func (l *limiter) look(key string, count bool) error {
	if l.gap == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	due := l.due[key]
	if due.Before(now) {
		due = now
	}
	if wait := due.Sub(now) - burst*time.Second; wait > 0 {
		return &tooOften{after: wait, what: l.what}
	}
	if count {
		l.makeRoom(now)
		l.due[key] = due.Add(l.gap)
	}
	return nil
}

// makeRoom forgets callers who owe nothing, and if that does not help everybody, as
// attempts does. The caller holds the lock.
func (l *limiter) makeRoom(now time.Time) {
	if len(l.due) < maxSeen {
		return
	}
	for key, due := range l.due {
		if !due.After(now) {
			delete(l.due, key)
		}
	}
	if len(l.due) >= maxSeen {
		clear(l.due)
	}
}

// tooOften is the refusal of somebody who asks too often.
type tooOften struct {
	after time.Duration
	what  string
}

func (t *tooOften) Error() string { return fmt.Sprintf("too many requests of %s", t.what) }

// answer returns the form of the refusal.
func (t *tooOften) answer() *Error {
	seconds := secondsUp(t.after)
	return &Error{
		status: http.StatusTooManyRequests, after: strconv.Itoa(seconds),
		Fault: Fault{Code: TooManyRequests, Sentence: fmt.Sprintf("Too many requests of %s. Nothing happened; try again in %s.", t.what, figure.Count(seconds, "second"))},
	}
}

// limited holds addresses to their rate. What a terminal has signed is counted for the
// terminal instead, once that is known: a venue is one address and has many terminals.
func (s *server) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key, counts := limitKey(r, s.limitLocal); counts {
			look := s.perAddress.take
			if r.Header.Get(terminal.Header) != "" {
				look = s.perAddress.check
			}
			if err := look(key); err != nil {
				s.writeError(w, r, err)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// countSigned counts what a terminal has signed for the terminal, and what none has
// signed, for which there is an error, for the address that it came from.
func (s *server) countSigned(r *http.Request, signer uint32, err error) error {
	if err != nil {
		s.forged(r)
		return err
	}
	return s.perTerminal.take(strconv.FormatUint(uint64(signer), 10))
}

// forged counts a request for its address that claims to be a terminal's and is not.
func (s *server) forged(r *http.Request) {
	if key, counts := limitKey(r, s.limitLocal); counts {
		_ = s.perAddress.take(key) // It is refused in any case.
	}
}

// limitKey returns what a request is counted for. The machine itself is not counted unless
// the operator wants it (Options.LimitLocal): a proxy there stands for everybody.
func limitKey(r *http.Request, local bool) (key string, counts bool) {
	address, err := netip.ParseAddr(addressOf(r))
	if !local && err == nil && address.Unmap().IsLoopback() {
		return "", false
	}
	return networkOf(r), true
}

// networkOf returns where a request comes from, for counting. Whoever has an address of
// IPv6 has a whole net of them.
func networkOf(r *http.Request) string {
	address, err := netip.ParseAddr(addressOf(r))
	if err != nil {
		return addressOf(r)
	}
	if address = address.Unmap(); address.Is6() {
		return netip.PrefixFrom(address, 64).Masked().String()
	}
	return address.String()
}
