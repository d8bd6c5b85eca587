package staff

import (
	"slices"

	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// CheckLast refuses to lock, dismiss or erase the last person who can run the house: the
// last administrator, and of those whom the games need the last who is not locked.
func CheckLast(s *state.State, r record.Record) error {
	switch b := r.Body.(type) {
	case *record.LockSet:
		// A lock after wrong passwords ends by itself and stops nobody who is at work.
		if b.By == 0 || b.Until <= r.Time {
			return nil
		}
		for _, roles := range needed(s) {
			if err := checkLast(s, b.Person, roles, r.Time); err != nil {
				return err
			}
		}
	case *record.RoleWithdrawn:
		if b.Role == record.RoleAdministrator {
			return checkLast(s, b.Person, administering, r.Time)
		}
	case *record.PersonErased:
		return checkLast(s, b.Person, administering, r.Time)
	}
	return nil
}

// administering is the role without which nobody can be let in.
var administering = []record.Role{record.RoleAdministrator}

// needed returns the roles that the house cannot be without: for each need, those who fill
// it.
func needed(s *state.State) [][]record.Role {
	all := [][]record.Role{administering}
	for series := range s.AllSeries() {
		if roles := fills[series.Book.Staffing().Game]; len(roles) > 0 {
			all = append(all, roles)
		}
	}
	return all
}

// checkLast refuses if a person fills a need and nobody else could.
func checkLast(s *state.State, id uint32, roles []record.Role, now record.Time) error {
	person, ok := s.People().Person(id)
	if !ok || !person.HasAny(roles...) || person.Stopped > now {
		return nil
	}
	if slices.ContainsFunc(s.People().Persons(), func(other state.Person) bool {
		return other.ID != id && canServe(other, now) && other.HasAny(roles...) && (signsOn(other) || !signsOn(person))
	}) {
		return nil
	}
	return refuse(LastOfRole, "", "person",
		"Person %d is the last who is %s and not locked. Bring in another one first.", id, eitherOf(roles))
}

// canServe reports whether a person is there and not locked.
func canServe(p state.Person, now record.Time) bool { return !p.Erased && p.Stopped <= now }

// signsOn reports whether a person has a password.
func signsOn(p state.Person) bool { return p.Secret != (record.Hash{}) }

// eitherOf names roles for a sentence.
func eitherOf(roles []record.Role) string {
	text := ""
	for i, role := range roles {
		if i > 0 {
			text += " or "
		}
		text += string(role)
	}
	return text
}
