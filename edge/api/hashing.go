package api

import (
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/house/person"
)

// The queue of passwords. Each hash takes 64 MiB and a tenth of a second, so strangers who
// guess could keep everybody out. The queue is bounded, everybody who waits has a place of
// the own address, addresses take turns, and anybody who leaves gives the place up.
const (
	// hashing is how many passwords are hashed at once.
	hashing = 2
	// waitMost is how many passwords wait, and waitEach how many of one address.
	waitMost = 64
	waitEach = 8
)

// passwordQueue lets passwords be hashed in turn.
type passwordQueue struct {
	mu      sync.Mutex // guards all
	free    int
	count   int                  // of all who wait
	waiting map[string][]*waiter // by address, in the order in which they came
	turn    []string             // the addresses that wait, the next one first
	took    time.Duration        // what a hash has taken of late
}

// waiter is a caller who waits for a place.
type waiter struct{ given chan error }

func newPasswordQueue(free int) *passwordQueue {
	return &passwordQueue{free: free, waiting: map[string][]*waiter{}}
}

func tooManyWait() error {
	return &refusal.Refusal{Code: Busy, Sentence: "Too many sign on at once. Try again in a moment."}
}

// enter waits until there is room to hash a password of somebody from an address. A person who
// has entered calls exit.
func (h *passwordQueue) enter(ctx context.Context, from string) error {
	h.mu.Lock()
	if h.free > 0 {
		h.free--
		h.mu.Unlock()
		return nil
	}
	if len(h.waiting[from]) >= waitEach || h.count >= waitMost && !h.makeRoom(from) {
		h.mu.Unlock()
		return tooManyWait()
	}
	w := &waiter{make(chan error, 1)}
	if len(h.waiting[from]) == 0 {
		h.turn = append(h.turn, from)
	}
	h.waiting[from] = append(h.waiting[from], w)
	h.count++
	h.mu.Unlock()
	select {
	case err := <-w.given:
		return err
	case <-ctx.Done():
		h.leave(from, w)
		return ctx.Err()
	}
}

// exit gives the room to the next who waits.
func (h *passwordQueue) exit() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pass()
}

// pass gives room to the next address in turn. The caller holds the lock.
func (h *passwordQueue) pass() {
	if h.count == 0 {
		h.free++
		return
	}
	from := h.turn[0]
	next := h.waiting[from][0]
	h.remove(from, 0)
	if len(h.waiting[from]) > 0 {
		h.turn = append(h.turn[1:], from)
	}
	next.given <- nil
}

// remove takes one who waits out of the queue. The caller holds the lock.
func (h *passwordQueue) remove(from string, i int) {
	h.count--
	h.waiting[from] = slices.Delete(h.waiting[from], i, i+1)
	if len(h.waiting[from]) == 0 {
		delete(h.waiting, from)
		h.turn = slices.DeleteFunc(h.turn, func(one string) bool { return one == from })
	}
}

// leave takes out who does not wait any more, or passes on the room that the caller was
// given meanwhile.
func (h *passwordQueue) leave(from string, w *waiter) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.Index(h.waiting[from], w); i >= 0 {
		h.remove(from, i)
		return
	}
	if err := <-w.given; err == nil {
		h.pass()
	}
}

// makeRoom sends away the last of the address that waits most often, if that is more often
// than the address for which there is no room. The caller holds the lock.
func (h *passwordQueue) makeRoom(from string) bool {
	most := from
	for _, other := range h.turn {
		if len(h.waiting[other]) > len(h.waiting[most]) {
			most = other
		}
	}
	last := len(h.waiting[most]) - 1
	if most == from || last < len(h.waiting[from])+1 {
		return false
	}
	sent := h.waiting[most][last]
	h.remove(most, last)
	sent.given <- tooManyWait()
	return true
}

// measure remembers how long a hash has taken.
func (h *passwordQueue) measure(begun time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.took = time.Since(begun)
}

// pretend takes as long as a hash of a password: whether there is a person of a number is not told by the time of the
// answer. Only as long as nobody knows how long a hash takes, there is one. After that nobody has the house work for
// numbers that it does not have.
func (s *server) pretend(ctx context.Context) error {
	s.hashing.mu.Lock()
	took := s.hashing.took
	s.hashing.mu.Unlock()
	if took == 0 {
		defer s.hashing.measure(time.Now())
		_, err := person.NewSecret(rand.Text(), s.cost, rand.Reader)
		return err
	}
	timer := time.NewTimer(took)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}
