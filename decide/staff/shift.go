package staff

import (
	"slices"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes about duty.
const (
	OnShift       refusal.Code = "on_shift"       // the person is on duty
	NotOnShift    refusal.Code = "not_on_shift"   // the person is not on duty
	TerminalTaken refusal.Code = "terminal_taken" // somebody else is on duty there
	PersonLocked  refusal.Code = "person_locked"  // the person may not sign on now
	GameRuns      refusal.Code = "game_runs"      // a game cannot be left alone
)

// Begin puts a person on duty, at a terminal, at a venue or at the central site.
type Begin struct {
	Person, Terminal uint32
	Grant            state.Grant
}

func (c Begin) decide(s *state.State, now record.Time) ([]record.Body, error) {
	person, err := living(s.People(), c.Person)
	if err != nil {
		return nil, err
	}
	switch {
	case person.Stopped > now || c.Terminal != 0 && person.Locked > now:
		// At a terminal a person signs on, which a lock after wrong passwords keeps from.
		return nil, refuse(PersonLocked, "", "person", "Person %d is locked.", c.Person)
	case person.Shift.On():
		return nil, refuse(OnShift, "", "person", "Person %d is on duty as %s already.", c.Person, person.Shift.Role)
	case !slices.Contains(person.Grants, c.Grant):
		return nil, refuse(RoleNotHeld, "", "role",
			"Person %d does not have the role %s there.", c.Person, c.Grant.Role)
	}
	if c.Terminal != 0 {
		post, ok := s.People().Post(c.Terminal)
		switch {
		case !ok || post.Venue != c.Grant.Venue:
			return nil, unknownTerminal(c.Terminal)
		case post.Person != 0:
			return nil, refuse(TerminalTaken, "", "terminal",
				"Person %d is on duty at terminal %d.", post.Person, c.Terminal)
		}
	}
	return []record.Body{&record.ShiftBegun{Person: c.Person, Role: c.Grant.Role, Venue: c.Grant.Venue,
		Terminal: c.Terminal}}, nil
}

// Leave says that a person will go: no game opens on the strength of the person any
// more, and the one under way has the person to its end.
type Leave struct{ Person uint32 }

func (c Leave) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	person, err := living(s.People(), c.Person)
	if err != nil {
		return nil, err
	}
	if !person.Shift.On() {
		return nil, notOnShift(c.Person)
	}
	if person.Shift.Ending {
		return nil, nil
	}
	return []record.Body{&record.ShiftEnding{Person: c.Person}}, nil
}

// End takes a person off duty. The last of those without whom no game is held stays
// to the end of the games that run.
type End struct{ By, Person uint32 }

func (c End) decide(s *state.State, now record.Time) ([]record.Body, error) {
	if c.By != c.Person {
		if err := authorise(s, c.By, record.KindShiftEnded); err != nil {
			return nil, err
		}
	}
	person, ok := s.People().Person(c.Person)
	if !ok || !person.Shift.On() {
		return nil, notOnShift(c.Person)
	}
	if err := checkLeft(s, person, now); err != nil {
		return nil, err
	}
	return []record.Body{&record.ShiftEnded{Person: c.Person, By: c.By}}, nil
}

func notOnShift(id uint32) error {
	return refuse(NotOnShift, "", "person", "Person %d is not on duty.", id)
}

// checkLeft refuses that a game is left without the person that it must have. Who is locked
// is not there for it and leaves nothing.
//
//rule:vic-keno-2015 7(a)
//rule:tas-keno-2023 4.1
func checkLeft(s *state.State, person state.Person, now record.Time) error {
	shift := person.Shift
	if shift.Venue != 0 || person.Stopped > now {
		return nil
	}
	for series := range s.AllSeries() {
		rule := series.Book.Staffing()
		if !slices.Contains(fills[rule.Game], shift.Role) || present(s.People(), rule.Game, 0, now) > 1 ||
			!running(series) {
			continue
		}
		return refuse(GameRuns, rulebook.Quoted(rule.Clause), "person",
			"A game runs and nobody else is on duty for it. Say that you leave; the game that runs will be the last.")
	}
	return nil
}

// running reports whether a game is on sale or not yet settled.
func running(series *state.Series) bool {
	newest := series.Newest()
	return newest != nil && (newest.Phase == state.PhaseOpen || len(series.Unsettled()) > 0)
}
