package api

import (
	"net/http"
	"sync"

	"drawhouse/core/limit"
	"drawhouse/core/refusal"
)

// TooManyStreams: the house, or the address, follows as many streams of events as it may.
const TooManyStreams refusal.Code = "too_many_streams"

// The streams that are open at once where Options say nothing. A venue is one address and has
// a stream for each screen and terminal.
const (
	streamsPerAddress = 256
	streamsInAll      = 20_000
)

// streams counts the streams that are open. Each holds a connection and a goroutine until
// its client goes away, so that without a bound one machine could take them all.
type streams struct {
	each, most int
	local      bool // the machine itself is counted too

	mu  sync.Mutex // guards all and of
	all int
	of  map[string]int // by address; the machine itself is not counted there, but for local
}

func newStreams(each, most int, local bool) *streams {
	if each == 0 {
		each = streamsPerAddress
	}
	if most == 0 {
		most = streamsInAll
	}
	return &streams{each: each, most: most, local: local, of: map[string]int{}}
}

// begin counts a stream and returns what ends it.
func (s *streams) begin(r *http.Request) (end func(), err error) {
	key, counts := limit.Key(r, s.local)
	s.mu.Lock()
	defer s.mu.Unlock()
	if counts && s.of[key] >= s.each {
		return nil, &Error{status: http.StatusTooManyRequests, after: "10", Fault: Fault{Code: TooManyStreams,
			Sentence: "Your address follows as many streams as it may. Close one, or ask for the board instead."}}
	}
	if s.all >= s.most {
		return nil, &refusal.Refusal{Code: TooManyStreams,
			Sentence: "The house has as many streams as it can. Ask for the board instead, or try again."}
	}
	s.all++
	if counts {
		s.of[key]++
	}
	return func() { s.end(key, counts) }, nil
}

func (s *streams) end(key string, counts bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if !counts {
		return
	}
	if s.of[key]--; s.of[key] == 0 {
		delete(s.of, key)
	}
}
