package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/house"
)

// RequestHeld: the same request has stopped the house by a defect of its program, and is not
// tried for a while.
const RequestHeld refusal.Code = "request_held"

// A command that panics in the lane is not stored, and nothing else is lost; but the house
// opens its journal again behind it, and sells nothing meanwhile. A person who sends such a
// request again and again would keep the house from selling. So the request is remembered,
// by its content, and not tried again for a minute, then for two and so on up to an hour.
// Who has sent several different ones of an operation may not send further ones for as long.
// It is released by time, or by the next start of the program, which may be a mended one.
const (
	poisonMost  = 1024 // how many are remembered of each
	poisonFew   = 2    // panics of an operation by one sender before that sender has to wait
	poisonRests = time.Hour
)

// poison remembers what has panicked.
type poison struct {
	now func() time.Time
	any atomic.Bool // something was remembered; every request looks

	mu       sync.Mutex // guards what follows
	contents map[string]*heldRequest
	senders  map[string]*heldRequest
}

// heldRequest is what has panicked, and until when it is not tried.
type heldRequest struct {
	panics int
	until  time.Time
}

func newPoison(now func() time.Time) *poison {
	return &poison{now: now, contents: map[string]*heldRequest{}, senders: map[string]*heldRequest{}}
}

// add remembers a request that has panicked.
func (p *poison) add(content, sender string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.any.Store(true)
	p.note(p.contents, content, 0)
	if sender != "" {
		p.note(p.senders, sender, poisonFew)
	}
}

func (p *poison) note(all map[string]*heldRequest, key string, few int) {
	now := p.now()
	one := all[key]
	if one == nil || now.Sub(one.until) > poisonRests {
		if one == nil && len(all) >= poisonMost {
			forgetOldest(all)
		}
		one = &heldRequest{}
		all[key] = one
	}
	one.panics++
	one.until = now
	if one.panics > few {
		one.until = now.Add(house.HeldFor(one.panics - few))
	}
}

// forgetOldest makes room for one.
func forgetOldest(all map[string]*heldRequest) {
	oldest := ""
	for key, one := range all {
		if oldest == "" || one.until.Before(all[oldest].until) {
			oldest = key
		}
	}
	delete(all, oldest)
}

// check refuses a request that is held, by its content or its sender.
func (p *poison) check(content, sender string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	until := time.Time{}
	for _, one := range []*heldRequest{p.contents[content], p.senders[sender]} {
		if one != nil && one.until.After(until) {
			until = one.until
		}
	}
	if !p.now().Before(until) {
		return nil
	}
	return &refusal.Refusal{Code: RequestHeld, Sentence: fmt.Sprintf(
		"This stopped the house before, by a defect of its program, and is not tried before %s. Nothing happened. Report it to who runs the house.",
		until.UTC().Format("15:04 UTC"))}
}

// asked is what a request asks for, and of whom it is, as poison remembers it. Nothing of it
// is worked out before something has panicked.
type asked struct {
	poison           *poison // nil for a request that nobody remembers
	method, uri      string
	body             []byte
	operation        string // empty before the guard has found out who asks
	terminal, person uint32
	counted          bool // A request that carries many sales is one.
}

func (a *asked) content() string {
	return fmt.Sprintf("%s %s %x", a.method, a.uri, sha256.Sum256(a.body))
}

func (a *asked) sender() string {
	if a.operation == "" {
		return ""
	}
	return fmt.Sprintf("%s by terminal %d, person %d", a.operation, a.terminal, a.person)
}

// check refuses a request that is held, as far as is known what it asks for.
func (a *asked) check() error {
	if a.poison == nil || !a.poison.any.Load() {
		return nil
	}
	return a.poison.check(a.content(), a.sender())
}

// changes reports whether a request may change something: it is no question.
func (a *asked) changes() bool {
	return a.method != "" && a.method != http.MethodGet && a.method != http.MethodHead
}

// read notes the body of a request.
func (a *asked) read(body []byte) error {
	a.body = body
	return a.check()
}

// by notes who has sent a request.
func (a *asked) by(operation string, c *caller) error {
	a.operation, a.terminal, a.person = operation, c.terminal, c.person.ID
	return a.check()
}

// panicked remembers a request that has panicked in the lane.
func (a *asked) panicked() {
	if a.poison != nil && !a.counted {
		a.counted = true
		a.poison.add(a.content(), a.sender())
	}
}

// remembering has requests refused that are held: one without a body here, and one with a
// body when that is read.
func (s *server) remembering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x, ok := r.Context().Value(exchangeKey{}).(*Exchange)
		if !ok { // Nobody observes this server.
			x = &Exchange{}
			outer := r
			r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
			defer func() { outer.Pattern = r.Pattern }()
		}
		x.asked = asked{poison: s.poison, method: r.Method, uri: r.RequestURI}
		if r.ContentLength == 0 {
			if err := x.asked.check(); err != nil {
				s.writeError(w, r, err)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
