package cases

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"drawhouse/core/ball"
)

// Script is a random source that a scenario can tell what to give next. The device
// behind it is the real one: it tests the bytes, maps them without bias, and signs
// what comes out, so a scripted draw is checked by all that checks a real one.
type Script struct {
	mu     sync.Mutex // guards what follows
	chance *rand.ChaCha8
	next   []byte
	// ordered are the last bytes that were.
	ordered []byte
}

// NewScript returns a source that gives chance's bytes until it is told others.
func NewScript(seed [32]byte) *Script { return &Script{chance: rand.NewChaCha8(seed)} }

// Read gives the bytes that were ordered, and after them those of chance.
func (s *Script) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := copy(p, s.next)
	s.next = s.next[n:]
	if n < len(p) {
		_, _ = s.chance.Read(p[n:]) // It cannot fail.
	}
	return len(p), nil
}

// Order has the next numbers of a draw be these. A byte b gives, of m numbers that
// remain, the one with index b mod m, and is rejected from 256 - 256 mod m on; so
// there are three bytes or four for each number, and chance takes one of them. A
// source that repeats itself would stop the device, and a scenario may well draw
// almost the same numbers again and again: what looks like it is not taken.
func (s *Script) Order(numbers []int) error {
	return s.OrderOf(ball.Full(ball.Keno), numbers)
}

// OrderOf has the next numbers that are drawn of those that remain be these.
func (s *Script) OrderOf(remaining ball.Set, numbers []int) error {
	wanted, err := ball.Of(remaining.Universe(), numbers...)
	if err != nil {
		return err
	}
	if !remaining.Contains(wanted) {
		return fmt.Errorf("cases: not all of %v can be drawn of %v", wanted, remaining)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.next) > 0 {
		return fmt.Errorf("cases: %d numbers that were ordered have not been drawn", len(s.next))
	}
	for range 1000 {
		order := s.bytesFor(remaining.Numbers(), numbers)
		if all := append(slices.Clone(s.ordered), order...); !repeats(all, len(s.ordered)) {
			s.next, s.ordered = order, all[max(0, len(all)-remembered):]
			return nil
		}
	}
	return fmt.Errorf("cases: %v was drawn too often", numbers)
}

// Forget forgets the numbers that were ordered and not drawn.
func (s *Script) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = nil
}

// bytesFor returns bytes that give some numbers, none of them twice if possible.
func (s *Script) bytesFor(remaining, numbers []int) []byte {
	var order []byte
	choose := rand.New(s.chance)
	for _, n := range numbers {
		m, index := len(remaining), slices.Index(remaining, n)
		var fits []byte
		for b := index; b < 256-256%m; b += m {
			fits = append(fits, byte(b))
		}
		if fresh := slices.DeleteFunc(slices.Clone(fits),
			func(b byte) bool { return slices.Contains(order, b) }); len(fresh) > 0 {
			fits = fresh
		}
		order = append(order, fits[choose.IntN(len(fits))])
		remaining = slices.Delete(remaining, index, index+1)
	}
	return order
}

// What a device takes for a repetition: so many bytes in a row that were among so
// many before them.
const (
	repeated   = 8
	remembered = 1024
)

// repeats reports whether bytes from a place on repeat earlier ones.
func repeats(all []byte, from int) bool {
	for end := max(from, repeated) + 1; end <= len(all); end++ {
		if bytes.Contains(all[:end-1], all[end-repeated:end]) {
			return true
		}
	}
	return false
}
