package state

import "drawhouse/journal/record"

// Level returns the level of the journal.
func (s *State) Level() uint8 { return s.level }

// Guarded reports whether the journal has the guards of record.LevelGuarded. A journal
// is raised to that level before its first command, so a decision may rely on them; what
// folds records must not, for older records come without them.
func (s *State) Guarded() bool { return s.level >= record.LevelGuarded }

func (s *State) raiseLevel(b *record.LevelRaised) error {
	if b.Level <= s.level {
		return cannot("the level is raised from %d to %d", s.level, b.Level)
	}
	s.level = b.Level
	return nil
}
