package api

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"drawhouse/core/figure"
	"drawhouse/core/limit"
	"drawhouse/core/refusal"
)

// TooManyAttempts: something was guessed wrong too often; Retry-After says when to
// come again.
const TooManyAttempts refusal.Code = "too_many_attempts"

// failedMost is how many failed sign-ons the log is told of within pushedEvery.
const failedMost = 50

// failed keeps a flood of wrong passwords, from many addresses, from being a flood of the
// log: it is told of some, and of how many it was not told. The metrics count all.
type failed struct {
	mu     sync.Mutex // guards what follows
	since  time.Time
	told   int    // since then
	untold uint64 // before the next that is told
}

// add counts one and reports whether the log is told of it, and of how many before it was
// not told.
func (f *failed) add(now time.Time) (tell bool, untold uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now.Sub(f.since) >= pushedEvery {
		f.since, f.told = now, 0
	}
	if f.told >= failedMost {
		f.untold++
		return false, 0
	}
	f.told++
	untold, f.untold = f.untold, 0
	return true, untold
}

// attempts counts what was guessed wrong, by whom or about what. After most wrong
// guesses within a window everything is refused until the window is over, also what
// would be right: anybody who guesses learns nothing more.
type attempts struct {
	most   int
	window time.Duration
	what   string
	now    func() time.Time

	mu   sync.Mutex // guards seen
	seen map[string]tries
}

type tries struct {
	wrong    int
	underWay int       // guesses of which it is not known yet
	until    time.Time // when the window ends
}

// maxSeen bounds what is remembered. When it is full, what is over goes first, and
// then everything: forgetting lets a guesser begin anew, and does not stop the house.
const maxSeen = limit.MaxSeen

func newAttempts(most int, window time.Duration, what string, now func() time.Time) *attempts {
	return &attempts{most: most, window: window, what: what, now: now, seen: map[string]tries{}}
}

// check refuses when the key has guessed too often.
func (a *attempts) check(key string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	return a.refusal(a.of(key, now), now)
}

// begin lets a guess be tried, or refuses it. What is under way counts as wrong until end
// says otherwise: anybody who sends many guesses at once has no more of them than a person who
// sends one after the other.
func (a *attempts) begin(key string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	t := a.of(key, now)
	if err := a.refusal(t, now); err != nil {
		return err
	}
	a.makeRoom(now)
	t.underWay++
	a.seen[key] = t
	return nil
}

// end says what came of a guess that was begun, and reports whether it was the last wrong
// one that is allowed.
func (a *attempts) end(key string, wrong bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.of(key, a.now())
	t.underWay = max(t.underWay-1, 0) // It may have been forgotten meanwhile.
	if wrong {
		t.wrong++
	}
	if a.seen[key] = t; t.wrong+t.underWay == 0 {
		delete(a.seen, key)
	}
	return wrong && t.wrong == a.most
}

// wrong counts a wrong guess that took no time.
func (a *attempts) wrong(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	t := a.of(key, now)
	a.makeRoom(now)
	t.wrong++
	a.seen[key] = t
}

// of returns what a key has guessed in its window, or in one that begins now. The caller
// holds the lock.
func (a *attempts) of(key string, now time.Time) tries {
	t, ok := a.seen[key]
	if !ok || !now.Before(t.until) {
		return tries{underWay: t.underWay, until: now.Add(a.window)}
	}
	return t
}

// refusal refuses one more guess where there were too many.
func (a *attempts) refusal(t tries, now time.Time) error {
	if t.wrong+t.underWay < a.most {
		return nil
	}
	return &tooMany{after: t.until.Sub(now), what: a.what}
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

// answer returns the form of the refusal.
func (t *tooMany) answer() *Error {
	seconds := limit.Seconds(t.after)
	return &Error{
		status: http.StatusTooManyRequests, after: strconv.Itoa(seconds),
		Fault: Fault{Code: TooManyAttempts,
			Sentence: fmt.Sprintf("Too many wrong %s. Try again in %s.", t.what, figure.Count(seconds, "second"))},
	}
}
