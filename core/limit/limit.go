// Package limit holds callers of a server to a rate, each by the network that its requests
// come from.
package limit

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

const (
	// Burst is how many seconds' worth of requests may come at once.
	Burst = 5
	// MaxSeen bounds what is remembered of callers. When it is full, what is over goes
	// first, and if that does not help everything.
	MaxSeen = 1 << 16
)

// A Limiter holds many callers to one rate. For each it keeps the time at which a caller
// who asked evenly would be due (the generic cell rate algorithm): one time each, and
// no timer.
type Limiter struct {
	gap time.Duration // between requests that come evenly; 0 for no limit
	now func() time.Time

	mu  sync.Mutex // guards due
	due map[string]time.Time
}

// New returns a limiter of so many requests a second; 0 is as many as they like.
func New(perSecond uint, now func() time.Time) *Limiter {
	l := &Limiter{now: now, due: map[string]time.Time{}}
	if perSecond > 0 {
		l.gap = time.Second / time.Duration(perSecond)
	}
	return l
}

// Take counts a request, or returns how long its caller has to wait. A request that is
// refused is not counted.
func (l *Limiter) Take(key string) (wait time.Duration) { return l.look(key, true) }

// Check returns what Take would return, and counts nothing.
func (l *Limiter) Check(key string) (wait time.Duration) { return l.look(key, false) }

func (l *Limiter) look(key string, count bool) time.Duration {
	if l.gap == 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	due := l.due[key]
	if due.Before(now) {
		due = now
	}
	if wait := due.Sub(now) - Burst*time.Second; wait > 0 {
		return wait
	}
	if count {
		l.makeRoom(now)
		l.due[key] = due.Add(l.gap)
	}
	return 0
}

// makeRoom forgets callers who owe nothing, and if that does not help everybody. The
// caller holds the lock.
func (l *Limiter) makeRoom(now time.Time) {
	if len(l.due) < MaxSeen {
		return
	}
	for key, due := range l.due {
		if !due.After(now) {
			delete(l.due, key)
		}
	}
	if len(l.due) >= MaxSeen {
		clear(l.due)
	}
}

// Seconds returns a time to wait as a header says it, rounded up.
func Seconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }

// Key returns what a request is counted for. The machine itself is counted only where local
// says so: who is on it can do worse, and a proxy there stands for everybody.
func Key(r *http.Request, local bool) (key string, counts bool) {
	address, err := netip.ParseAddr(Address(r))
	if !local && err == nil && address.Unmap().IsLoopback() {
		return "", false
	}
	return Network(r), true
}

// Network returns where a request comes from, for counting. A person who has an address of
// IPv6 has a whole net of them.
func Network(r *http.Request) string {
	address, err := netip.ParseAddr(Address(r))
	if err != nil {
		return Address(r)
	}
	if address = address.Unmap(); address.Is6() {
		return netip.PrefixFrom(address, 64).Masked().String()
	}
	return address.String()
}

// Address returns the address that a request comes from.
func Address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
