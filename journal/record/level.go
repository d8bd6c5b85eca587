package record

import (
	"errors"
	"fmt"
)

// The levels of a journal. A level says which kinds of records a journal may have and
// which guards stood before each of them, so that a reader can tell an act which was
// allowed when it was done from an act which never was.
const (
	// LevelFirst is the level of the first journals.
	LevelFirst = 1
	// LevelGuarded is the level from which on every way on which money leaves, every act
	// of two persons and every draw of custodians has its guards. Before it, package
	// verify reports an act without its guard as a finding; from it on, as a fault.
	LevelGuarded = 2
	// LevelSeries is the level from which on the books of a day keep the accounts of each series of games apart, count
	// every cash posting of a terminal, and have the sessions of bingo rooms. From it on the house is closed by the
	// lowest series that has not had its last Keno Day; before it, by the first.
	LevelSeries = 3
	// Level is the level that this program writes, and the highest that it reads.
	Level = LevelSeries
)

// LevelRaised raises the level of a journal that an earlier program began. A program
// that knows a lower level alone cannot go on with the journal.
type LevelRaised struct {
	_     struct{} `cbor:",toarray"`
	Level uint8    // level of the journal from now on
	Build string   // version of the program that raised the level
}

func (l *LevelRaised) check() error {
	if l.Level <= LevelFirst {
		return errors.New("a journal is raised to a level above the first")
	}
	return WrittenBy(CheckLevel(l.Level), l.Build)
}

// CheckLevel reports a level that this program does not know.
func CheckLevel(level uint8) error {
	switch {
	case level < LevelFirst:
		return fmt.Errorf("the journal has level %d, and levels begin with %d", level, LevelFirst)
	case level > Level:
		return fmt.Errorf("the journal has level %d, and levels %d to %d are known here: %w", level, LevelFirst, Level, ErrNewer)
	}
	return nil
}
