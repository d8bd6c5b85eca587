package ball

import (
	"errors"
	"fmt"
)

// What can be wrong with a number. Errors of this package wrap one of these and
// name the number.
var (
	// ErrUniverse reports a universe that is none of [Keno], [Bingo] and [BingoUS].
	ErrUniverse = errors.New("ball: unknown universe")
	// ErrRange reports a number that its universe does not have.
	ErrRange = errors.New("ball: number out of range")
	// ErrRepeat reports a number that is given or drawn twice.
	ErrRepeat = errors.New("ball: number repeated")
)

// Universe is the highest of the numbers that a game draws from; the lowest is
// always 1. The zero value is invalid.
type Universe uint8

const (
	// Keno is the universe of the numbers 1 to 80.
	Keno Universe = 80
	// Bingo is the universe of the numbers 1 to 90.
	Bingo Universe = 90
	// BingoUS is the universe of the numbers 1 to 75, with which bingo is played in North
	// America.
	BingoUS Universe = 75
)

// IsValid reports whether u is a universe that this package knows.
func (u Universe) IsValid() bool { return u == Keno || u == Bingo || u == BingoUS }

// Has reports whether n is one of the numbers of u.
func (u Universe) Has(n int) bool { return u.IsValid() && 1 <= n && n <= int(u) }

// String returns the universe as its range, "1 to 80".
func (u Universe) String() string {
	if !u.IsValid() {
		return fmt.Sprintf("Universe(%d)", uint8(u))
	}
	return fmt.Sprintf("1 to %d", uint8(u))
}

// check returns an error unless n is one of the numbers of u.
func (u Universe) check(n int) error {
	switch {
	case !u.IsValid():
		return fmt.Errorf("%w: %d", ErrUniverse, uint8(u))
	case !u.Has(n):
		return fmt.Errorf("%w: %d is not one of %v", ErrRange, n, u)
	}
	return nil
}
