package api

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"drawhouse/refusal"
)

// TooManyAttempts: something was guessed wrong too often; Retry-After says when to
// come again.
const TooManyAttempts refusal.Code = "too_many_attempts"

// attempts counts what was guessed wrong, by whom or about what. After most wrong
// guesses within a window everything is refused until the window is over, also what
// would be right: whoever guesses learns nothing more.
type attempts struct {
	most   int
	window time.Duration
	what   string
	now    func() time.Time

	mu   sync.Mutex // guards seen
	seen map[string]tries
}

type tries struct {
	wrong int
	until time.Time // when the window ends
}

// maxSeen bounds what is remembered. When it is full, what is over goes first, and
// then everything: forgetting lets a guesser begin anew, and does not stop the house.
const maxSeen = 1 << 16

func newAttempts(most int, window time.Duration, what string, now func() time.Time) *attempts {
	return &attempts{most: most, window: window, what: what, now: now, seen: map[string]tries{}}
}

// check refuses when the key has guessed too often.
func (a *attempts) check(key string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	t, ok := a.seen[key]
	now := a.now()
	if !ok || t.wrong < a.most || !now.Before(t.until) {
		return nil
	}
	return &tooMany{after: t.until.Sub(now), what: a.what}
}

// wrong counts a wrong guess and reports whether it was the last that is allowed.
func (a *attempts) wrong(key string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	t, ok := a.seen[key]
	if !ok || !now.Before(t.until) {
		a.makeRoom(now)
		t = tries{until: now.Add(a.window)}
	}
	t.wrong++
	a.seen[key] = t
	return t.wrong == a.most
}

// makeRoom forgets what is over. The caller holds the lock.
func (a *attempts) makeRoom(now time.Time) {
	if len(a.seen) < maxSeen {
		return
	}
	for key, t := range a.seen {
		if !now.Before(t.until) {
			delete(a.seen, key)
		}
	}
	if len(a.seen) >= maxSeen {
		clear(a.seen)
	}
}

// right forgets what a key has guessed.
func (a *attempts) right(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.seen, key)
}

// tooMany is the refusal of a guesser.
type tooMany struct {
	after time.Duration
	what  string
}

func (t *tooMany) Error() string { return fmt.Sprintf("too many wrong %s", t.what) }

// seconds returns how long to wait, rounded up.
func (t *tooMany) seconds() string {
	return strconv.Itoa(int((t.after + time.Second - 1) / time.Second))
}

// answer returns the form of the refusal.
func (t *tooMany) answer() *Error {
	return &Error{
		status: http.StatusTooManyRequests, after: t.seconds(),
		Fault: Fault{Code: TooManyAttempts, Sentence: fmt.Sprintf("Too many wrong %s. Try again in %s seconds.", t.what, t.seconds())},
	}
}
