package api

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"drawhouse/core/figure"
	"drawhouse/core/limit"
	"drawhouse/core/refusal"
	"drawhouse/edge/terminal"
)

// TooManyRequests: a terminal or an address asks more often than the operator lets it;
// Retry-After says when to come again. Nothing happened.
const TooManyRequests refusal.Code = "too_many_requests"

// Rate is how often somebody may ask. Zero is as often as they like.
type Rate struct{ PerSecond uint }

// limiter holds many callers to one rate, and says what is counted.
type limiter struct {
	*limit.Limiter
	what string
}

func newLimiter(r Rate, what string, now func() time.Time) *limiter {
	return &limiter{limit.New(r.PerSecond, now), what}
}

// take counts a request, or refuses it.
func (l *limiter) take(key string) error { return l.refuse(l.Take(key)) }

// check refuses what take would refuse, and counts nothing.
func (l *limiter) check(key string) error { return l.refuse(l.Check(key)) }

func (l *limiter) refuse(wait time.Duration) error {
	if wait > 0 {
		return &tooOften{after: wait, what: l.what}
	}
	return nil
}

// tooOften is the refusal of somebody who asks too often.
type tooOften struct {
	after time.Duration
	what  string
}

func (t *tooOften) Error() string { return fmt.Sprintf("too many requests of %s", t.what) }

// answer returns the form of the refusal.
func (t *tooOften) answer() *Error {
	seconds := limit.Seconds(t.after)
	return &Error{
		status: http.StatusTooManyRequests, after: strconv.Itoa(seconds),
		Fault: Fault{Code: TooManyRequests,
			Sentence: fmt.Sprintf("Too many requests of %s. Nothing happened; try again in %s.", t.what,
				figure.Count(seconds, "second"))},
	}
}

// limited holds addresses to their rate. What a terminal has signed is counted for the
// terminal instead, once that is known: a venue is one address and has many terminals.
func (s *server) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key, counts := limit.Key(r, s.limitLocal); counts {
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
	if key, counts := limit.Key(r, s.limitLocal); counts {
		_ = s.perAddress.take(key) // It is refused in any case.
	}
}
