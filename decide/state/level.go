package state

import (
	"maps"
	"slices"

	"drawhouse/journal/record"
)

// The forms of Hash. The form is raised when the state keeps something else.
const (
	hashFirst   = 5 // of record.LevelFirst
	hashGuarded = 6 // of record.LevelGuarded
)

// Level returns the level of the journal.
func (s *State) Level() uint8 { return s.level }

// Guarded reports whether the journal has the guards of record.LevelGuarded. A journal
// is raised to that level before its first command, so a decision may rely on them; what
// folds records must not, for older records come without them.
func (s *State) Guarded() bool { return s.level >= record.LevelGuarded }

// HashForm is the form of Hash. The level of the journal decides it: what the state
// keeps since a level enters the hash from that level on, so that the hashes in older
// records are compared as long as the journal is read.
func (s *State) HashForm() uint8 {
	if s.Guarded() {
		return hashGuarded
	}
	return hashFirst
}

func (s *State) raiseLevel(b *record.LevelRaised) error {
	if b.Level <= s.level {
		return cannot("the level is raised from %d to %d", s.level, b.Level)
	}
	s.level = b.Level
	return nil
}

// guarded hashes what the state keeps since record.LevelGuarded.
func (h digest) guarded(s *State) {
	h.numbers(uint64(s.level))
	h.numbers(s.tills.guarded[:]...)
	h.hands(s.people)
	for _, id := range slices.Sorted(maps.Keys(s.series)) {
		h.numbers(uint64(s.series[id].OpenedAt))
	}
	for _, id := range slices.Sorted(maps.Keys(s.terminals)) {
		sold := s.terminals[id].Papers
		h.numbers(uint64(id), uint64(sold.On), uint64(sold.Cents))
		for _, w := range s.terminals[id].Open.Brought() {
			h.withheld(w)
		}
		if open := s.terminals[id].Open; open != nil {
			for _, in := range open.Sold {
				for _, t := range in.Types {
					h.text(t)
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.halls)) {
		for i := range s.halls[id].Disputes {
			d := &s.halls[id].Disputes[i]
			h.numbers(uint64(d.awarded), uint64(d.paid), uint64(d.awardedBy))
		}
		for _, session := range s.halls[id].Sessions {
			if !session.done {
				h.guardedSession(session)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.series)) {
		h.cosigners(s.series[id])
		c := s.series[id].confirmed
		h.numbers(uint64(id), uint64(c.ordinal), uint64(c.draw))
		h.numbers(uint64(s.series[id].over), uint64(len(s.series[id].byHand)))
		for _, ordinal := range s.series[id].byHand {
			h.numbers(uint64(ordinal))
		}
	}
}

// cosigners writes who has cosigned the seals of games that are not over, and the paths of
// their links.
func (h digest) cosigners(s *Series) {
	games := s.games.fresh
	for i := len(games) - 1; i >= 0 && !games[i].Phase.IsOver(); i-- {
		g := &games[i]
		h.numbers(uint64(g.Ordinal), uint64(len(g.Cosigners)))
		for _, name := range g.Cosigners {
			h.text(name)
		}
		h.numbers(uint64(len(g.Paths)))
		for _, path := range g.Paths {
			h.numbers(uint64(len(path)))
			for _, hash := range path {
				h.Write(hash[:])
			}
		}
	}
}
