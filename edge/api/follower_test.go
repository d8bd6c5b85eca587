package api

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// TestFollowerOnlyReads asks a follower everything there is to ask. It answers what the
// public may know, and sends everybody else to the writer, until it has taken over.
func TestFollowerOnlyReads(t *testing.T) {
	r := newRig(t)
	r.openDay()
	standing := house.Standing{Follows: true, Writer: store.Presence{Epoch: 7, Address: "http://writer.example"}}
	handler, err := New(r.house, Options{Version: "test", Log: logTo(r.log), Now: r.clock.Now,
		Follower: func() house.Standing { return standing }})
	must(t, err)
	writer := r.handler
	session := r.session(1)
	r.handler = handler
	refused := 0
	for id, op := range r.operations() {
		if op.who.Everybody && op.method == http.MethodGet {
			continue
		}
		fault := r.send(op.method, fill(op.path), "{}").fault(t)
		if fault.Code != FollowsOnly || fault.Writer != "http://writer.example" ||
			!strings.Contains(fault.Sentence, fault.Writer) {
			t.Errorf("%s: %+v", id, fault)
		}
		refused++
	}
	if refused < 30 {
		t.Errorf("only %d operations were tried", refused)
	}
	var health Health
	r.send(http.MethodGet, "/healthz", "").into(t, &health)
	if health.Role != "follower" || health.Following == nil || health.Following.Epoch != 7 {
		t.Errorf("a follower's health: %+v", health)
	}
	if answer := r.send(http.MethodGet, "/v1/board", ""); answer.status != http.StatusOK {
		t.Errorf("the board of a follower: %d %s", answer.status, answer.body)
	}
	// A balancer that asks for readiness sends no terminal to a follower.
	wantFault(t, r.send(http.MethodGet, "/readyz", ""), http.StatusServiceUnavailable, string(NotReady), "")

	standing.Follows = false // It has taken over, and terminals say hello to it.
	health = Health{}
	r.send(http.MethodGet, "/healthz", "").into(t, &health)
	if health.Role != "writer" || health.Following != nil {
		t.Errorf("the health of a writer: %+v", health)
	}
	if answer := r.send(http.MethodGet, "/readyz", ""); answer.status != http.StatusOK {
		t.Errorf("a follower that has taken over is not ready: %d %s", answer.status, answer.body)
	}
	delete(r.sessions, 1)
	if again := r.session(1); again == session {
		t.Error("the session of the old writer is taken for one of the new")
	}
	r.handler = writer
}

// TestFollowerNotWell asks a follower that has lost the journal, or that has found
// another one.
func TestFollowerNotWell(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct {
		standing house.Standing
		status   int
		says     string
	}{
		{house.Standing{Follows: true, Lag: house.Lag{Behind: behindMost}}, http.StatusOK, ""},
		{house.Standing{Follows: true, Lag: house.Lag{Records: 3, Behind: behindMost + time.Millisecond}},
			http.StatusServiceUnavailable, "could not be followed"},
		{house.Standing{Follows: true, Diverged: errors.New("another past")}, http.StatusServiceUnavailable,
			"another past"},
		{house.Standing{Follows: true, Diverged: fmt.Errorf("house: %w", record.ErrNewer)}, http.StatusServiceUnavailable,
			"A newer program writes this journal"},
	} {
		handler, err := New(r.house, Options{Version: "test", Log: logTo(r.log), Now: r.clock.Now,
			Follower: func() house.Standing { return c.standing }})
		must(t, err)
		r.handler = handler
		if answer := r.send(http.MethodGet, "/healthz", ""); answer.status != c.status ||
			!strings.Contains(string(answer.body), c.says) {
			t.Errorf("%+v: %d %s", c.standing, answer.status, answer.body)
		}
	}
}

// TestFollowsIsRefused has the house itself say that it follows, as it does where a
// reading asks for more than a follower has.
func TestFollowsIsRefused(t *testing.T) {
	r := newRig(t)
	handler, err := New(&failing{House: r.house, err: fmt.Errorf("asked: %w", house.ErrFollows)},
		Options{Version: "test", Log: logTo(r.log), Now: r.clock.Now})
	must(t, err)
	r.handler = handler
	wantFault(t, r.send(http.MethodGet, "/v1/checkpoint", ""), http.StatusMisdirectedRequest, string(FollowsOnly), "")
}
