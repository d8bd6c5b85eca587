package siege

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"drawhouse/internal/outside"
)

// caller is somebody who sends requests; nil is a stranger.
type caller interface {
	Ask(method, path string, body any) outside.Answer
}

// world is what the besiegers know of the house.
type world struct {
	*description
	t *testing.T
	h *outside.House
	// strangers have an address of their own, which they lose by guessing passwords.
	strangers *outside.House

	// desk is held by who serves a customer at the counter, halt by who pauses the games:
	// others would end the session or the pause. room is held by who calls bingo: a number
	// that another calls makes the claims for the one before late.
	desk, halt, room sync.Mutex

	mu        sync.Mutex // guards all below
	random    *rand.Rand
	people    map[string]*outside.Person
	terminals map[int]*outside.Terminal
	sold      []outside.Sold
	taken     map[string]bool // winners that a recipe has taken
	approvals []*approval
	day       string
	game      int // on sale
	moment    string
	late      bool     // the siege is nearly over
	tables    [][]byte // master tables of cards that the room does not have
	rulebook  string   // the hash of the rulebook in force
	away      int      // a venue that was added for the siege
	tally     *tally
}

// approval is a request that takes two persons.
type approval struct {
	number  int
	content string
	action  string
	by      caller
	granted bool
}

// tally counts what was sent and what came of it.
type tally struct {
	sent, accepted map[string]int // by operation
	moments        map[string]int
	unanswered     int
	refused        map[string]string // the last refusal of an operation
	faults         []string          // answers that say that the house is at fault
}

func (w *world) chance(of int) bool { return w.below(of) == 0 }

func (w *world) below(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.random.IntN(n)
}

func pick[T any](w *world, from []T) T { return from[w.below(len(from))] }

// as returns a person by role.
func (w *world) as(role string) *outside.Person {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.people[role]
}

// somebody returns a caller that an operation is meant for, and now and then another.
func (w *world) somebody(op *operation) caller {
	roles := []string{"administrator", "supervisor", "operative", "inspector", "senior", "writer"}
	who := pick(w, append(op.access, "everybody")[:max(1, len(op.access))])
	if w.chance(12) {
		who = pick(w, append(roles, "everybody", "terminal"))
	}
	switch who {
	case "everybody", "witness":
		return nil
	case "terminal":
		return w.terminal(3)
	case "signed_on":
		who = pick(w, roles)
	}
	return w.as(who)
}

func (w *world) terminal(id int) *outside.Terminal {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.terminals[id]
}

// call sends a request of an operation and takes down what came of it.
func (w *world) call(id string, by caller, params outside.M, body any) outside.Answer {
	op := w.operations[id]
	if op == nil {
		w.t.Errorf("a recipe is for the operation %q, which the house does not describe", id)
		return outside.Answer{}
	}
	path, query := op.path, url.Values{}
	for _, p := range op.params {
		value, given := params[p.Name]
		switch {
		case p.In == "path" && !given:
			value = w.make(p.Name, &p.Schema, false, 0)
			fallthrough
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(fmt.Sprint(value)))
		case p.In == "header":
		case given:
			query.Set(p.Name, fmt.Sprint(value))
		case p.Required:
			query.Set(p.Name, fmt.Sprint(w.make(p.Name, &p.Schema, false, 0)))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return w.note(op, w.send(op, by, path, body))
}

func (w *world) send(op *operation, by caller, path string, body any) outside.Answer {
	if strings.HasPrefix(op.id, "follow-") {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		return follow(ctx, w.h.URL+path)
	}
	if by == nil {
		return w.h.Ask(op.method, path, body)
	}
	answer := by.Ask(op.method, path, body)
	if p, ok := by.(*outside.Person); ok && answer.Status == http.StatusUnauthorized && w.isOurs(p) &&
		w.note(w.operations["sign-on"], p.SignOn()).OK() {
		answer = by.Ask(op.method, path, body)
	}
	return answer
}

// isOurs reports whether a person is one of the besiegers, and not one who may lose all.
func (w *world) isOurs(p *outside.Person) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, ours := range w.people {
		if ours == p {
			return true
		}
	}
	return false
}

// note takes down what came of a request.
func (w *world) note(op *operation, answer outside.Answer) outside.Answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tally.sent[op.id]++
	w.tally.moments[w.moment]++
	switch {
	case answer.OK():
		w.tally.accepted[op.id]++
	case answer.Err != nil:
		w.tally.unanswered++
	case answer.Status == http.StatusInternalServerError && len(w.tally.faults) < 20:
		w.tally.faults = append(w.tally.faults, fmt.Sprintf("%s: %v", op.id, answer))
	default:
		w.tally.refused[op.id] = answer.String()
	}
	return answer
}

// ask is call for what takes two persons, and keeps the request.
func (w *world) ask(id string, by caller, body any) *approval {
	answer := w.call(id, by, nil, body)
	if !answer.OK() || answer.Text("content") == "" {
		return nil
	}
	a := &approval{number: answer.Int("number"), content: answer.Text("content"), action: answer.Text("action"), by: by}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.approvals = append(w.approvals, a)
	return a
}

// agreed has another person consent to a request, and the first carry it out.
func (w *world) agreed(a *approval) outside.Answer {
	if a == nil {
		return outside.Answer{}
	}
	params := outside.M{"approval": a.number}
	for _, role := range []string{"partner", "second", "inspector", "senior", "supervisor"} {
		if other := w.as(role); caller(other) != a.by {
			if w.call("decide-approval", other, params, outside.M{"content": a.content, "granted": true}).OK() {
				a.granted = true
				break
			}
		}
	}
	return w.call("use-approval", a.by, params, nil)
}

// generic sends a request of an operation that has no recipe, or a wild one of any.
func (w *world) generic(op *operation, wild bool) {
	var body any
	switch {
	case op.raw:
		body = []byte("not a table")
	case op.body != nil:
		body = w.make("", op.body, wild, 0)
	}
	params := outside.M{}
	for _, p := range op.params {
		if p.In == "path" || p.Required || w.chance(3) {
			params[p.Name] = w.make(p.Name, &p.Schema, wild, 0)
		}
	}
	by := w.somebody(op)
	if t, ok := by.(*outside.Terminal); ok && params["terminal"] != nil && !wild {
		params["terminal"] = t.ID
	}
	w.mu.Lock()
	before := w.tally.refused[op.id]
	w.mu.Unlock()
	w.call(op.id, by, params, body)
	if wild { // What a wild request is refused for tells nothing.
		w.mu.Lock()
		w.tally.refused[op.id] = before
		w.mu.Unlock()
	}
}
