package draw

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
)

// ErrStuck is wrapped by every alarm of a Source.
var ErrStuck = errors.New("the random source is stuck or repeats itself")

const (
	// startupBytes are read, tested and thrown away before the first use. It is
	// also how far back repeats are looked for.
	startupBytes = 1024

	// repetitionCutoff equal bytes in a row are an alarm: the repetition count
	// test, SP 800-90B 4.4.1, with 1 + 40/8. False alarms: 2^-40 a byte.
	repetitionCutoff = 6

	// proportionCutoff times the first byte of a window of proportionWindow is
	// an alarm: the adaptive proportion test, SP 800-90B 4.4.2. False alarms: at
	// most 2^-40 a window, see TestProportionCutoff.
	proportionWindow = 512
	proportionCutoff = 20
)

// A Fingerprint is the hash of the bytes that a source gave at its start. Two
// starts with the same fingerprint had the same stream.
type Fingerprint [sha256.Size]byte

// A Source passes on the bytes of a random source and watches them. Once a test
// has failed it gives no more bytes. It is not safe for concurrent use.
type Source struct {
	entropy     io.Reader
	fingerprint Fingerprint
	err         error // the first failure, which is final

	repeats repeats
	newest  byte // the last byte
	same    int  // how many of the last bytes are equal to it

	windowFirst byte // the first byte of the window of the proportion test
	windowLen   int
	windowCount int // how often windowFirst occurred in it
}

// NewSource tests the first bytes of entropy and returns a Source for those that
// follow. It refuses a source that starts like an earlier one: the fingerprints
// of former starts, as far as the caller kept them, are compared. This is for a
// generator that has the same seed at every power-up.
func NewSource(entropy io.Reader, earlier ...Fingerprint) (*Source, error) {
	s := &Source{entropy: entropy}
	var start [startupBytes]byte
	if _, err := io.ReadFull(s, start[:]); err != nil {
		return nil, fmt.Errorf("draw: start-up test: %w", err)
	}
	s.fingerprint = sha256.Sum256(start[:])
	for i, f := range earlier {
		if f == s.fingerprint {
			return nil, fmt.Errorf("draw: start-up test: the source starts as it did %d starts ago: %w", len(earlier)-i,
				ErrStuck)
		}
	}
	return s, nil
}

// Fingerprint returns the fingerprint of this start, to be kept and compared at
// the next. It tells nothing of the bytes that are used.
func (s *Source) Fingerprint() Fingerprint { return s.fingerprint }

// Err returns the failure that stopped the source, if any.
func (s *Source) Err() error { return s.err }

// Read fills p with tested bytes. It gives all of p or an error.
func (s *Source) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if _, err := io.ReadFull(s.entropy, p); err != nil {
		s.err = fmt.Errorf("draw: the random source failed: %w", err)
	}
	for _, b := range p {
		if s.err == nil {
			s.err = s.test(b)
		}
	}
	if s.err != nil {
		clear(p) // Nobody is to draw from what was refused.
		return 0, s.err
	}
	return len(p), nil
}

// test runs the tests on the next byte.
func (s *Source) test(b byte) error {
	if s.newest != b {
		s.newest, s.same = b, 0
	}
	s.same++
	if s.same >= repetitionCutoff {
		return fmt.Errorf("draw: byte %#02x came %d times in a row: %w", b, s.same, ErrStuck)
	}
	if err := s.testProportion(b); err != nil {
		return err
	}
	if distance := s.repeats.add(b); distance != 0 {
		return fmt.Errorf("draw: the last %d bytes came %d bytes before: %w", repeatBytes, distance, ErrStuck)
	}
	return nil
}

// testProportion counts how often the first byte of a window occurs in it.
func (s *Source) testProportion(b byte) error {
	if s.windowLen == 0 {
		s.windowFirst, s.windowCount = b, 0
	}
	if b == s.windowFirst {
		s.windowCount++
	}
	if s.windowCount >= proportionCutoff {
		return fmt.Errorf("draw: byte %#02x came %d times in %d bytes: %w", b, s.windowCount, s.windowLen+1, ErrStuck)
	}
	s.windowLen = (s.windowLen + 1) % proportionWindow
	return nil
}
