package state

import (
	"iter"
	"maps"
	"slices"

	"drawhouse/journal/record"
)

// People is who works in a house and where: operators, venues with their hours,
// areas and displays, terminals with their keys, persons with their roles and
// shifts, and what they approve. Views share what has not changed with the state, so nothing
// is changed in place: shelves see to what is on them, and maps and lists are copied first.
type People struct {
	operators map[uint32]Operator
	venues    shelf[uint32, Premises]
	areas     shelf[uint64, Area] // by areaKey
	terminals shelf[uint32, Post]
	persons   shelf[uint32, Person]
	approvals shelf[uint32, Approval]
	duty      shelf[uint32, duties] `unhashed:"it follows from the shifts"` // by venue, 0 for those of the house
	// who has a lock that a person has set, over or not
	stopped   map[uint32]bool `unhashed:"it follows from the persons"`
	hands     []hand          // who had whom in hand of late, by time
	keyed     []Keyed         // requests of a day that were sent under a key, by time
	founders  int             // administrators whom the house itself has brought in
	settled   bool            // somebody has brought in another person: the founding is over
	appointed bool            // somebody has appointed or invited a person
}

// Grant is a role, at a venue where the role is had at one.
type Grant struct {
	Role  record.Role `json:"role"`
	Venue uint32      `json:"venue,omitempty" doc:"Absent for a role that is had in the whole house."`
}

// Person is somebody who works in the house.
type Person struct {
	ID      uint32
	Details record.Hash // commits to what the register says
	Secret  record.Hash // commits to the entry of the password; zero without one
	Grants  []Grant     // in the order of granting
	Locked  record.Time // no sign-on before; 0 for no lock
	Stopped record.Time // as Locked, where a person has set the lock: the person does nothing before
	Invited Invited     // the invitation that waits
	Erased  bool
	Shift   Shift
}

// Has reports whether the person has a role, at a venue or, with venue 0, anywhere.
func (p Person) Has(role record.Role, venue uint32) bool {
	return slices.ContainsFunc(p.Grants, func(g Grant) bool { return g.Role == role && (venue == 0 || g.Venue == venue) })
}

// HasAny reports whether the person has one of some roles anywhere.
func (p Person) HasAny(roles ...record.Role) bool {
	return slices.ContainsFunc(roles, func(role record.Role) bool { return p.Has(role, 0) })
}

// Shift is a person's turn of duty. The zero value is none.
type Shift struct {
	Grant
	Terminal uint32
	Since    record.Time
	Ending   bool // the person will leave
}

// On reports whether there is one.
func (s Shift) On() bool { return s.Role != "" }

// Approval is a request for consent and what became of it. One that was refused by who asked
// for it was withdrawn.
type Approval struct {
	record.ApprovalRequested
	Decided bool
	Granted bool
	Decider uint32
	Used    bool
	// Lapsed: since the consent its giver was locked by a person, lost a role for it, or had
	// a password set by another. It stays so, whatever becomes of the person.
	Lapsed bool
}

// NewPeople returns a house without anybody.
func NewPeople() *People {
	return &People{operators: map[uint32]Operator{}, stopped: map[uint32]bool{}}
}

// share returns a copy that never changes.
func (p *People) share() *People {
	again := *p
	again.venues, again.areas, again.terminals = p.venues.share(), p.areas.share(), p.terminals.share()
	again.persons, again.approvals, again.duty = p.persons.share(), p.approvals.share(), p.duty.share()
	return &again
}

// Person returns a person. The caller must not change the grants.
func (p *People) Person(id uint32) (Person, bool) { return valueOf(p.persons.get(id)) }

// Approval returns a request for consent.
func (p *People) Approval(id uint32) (Approval, bool) { return valueOf(p.approvals.get(id)) }

// valueOf returns a copy of what a pointer points at, if it does.
func valueOf[T any](at *T) (T, bool) {
	if at == nil {
		var none T
		return none, false
	}
	return *at, true
}

// OnDuty returns how many persons are on duty in a role, at a venue or centrally. Who is
// locked now by another person can do nothing and so does not count.
func (p *People) OnDuty(role record.Role, venue uint32, now record.Time) int {
	at := Grant{role, venue}
	return p.duty.get(venue).in(role).on - p.countStopped(now, func(s Shift) bool { return s.Grant == at })
}

// Staying returns how many of those on duty have not said that they will leave.
func (p *People) Staying(role record.Role, venue uint32, now record.Time) int {
	at := Grant{role, venue}
	return p.duty.get(venue).in(role).staying - p.countStopped(now,
		func(s Shift) bool { return s.Grant == at && !s.Ending })
}

// countStopped counts those who are locked by a person and on a shift of some kind. Few are,
// and a lock ends by the clock: they are counted when somebody asks.
func (p *People) countStopped(now record.Time, of func(Shift) bool) (n int) {
	for id := range p.stopped {
		if person := p.persons.get(id); person.Stopped > now && of(person.Shift) {
			n++
		}
	}
	return n
}

// Persons returns everybody, by number.
func (p *People) Persons() []Person { return p.persons.values() }

// Approvals returns all requests for consent, by number.
func (p *People) Approvals() []Approval { return p.approvals.values() }

// Founders returns how many administrators the house itself has brought in, and whether
// one of them has brought in somebody since.
func (p *People) Founders() (n int, settled bool) { return p.founders, p.settled }

// NextPerson returns the number of the next person.
func (p *People) NextPerson() uint32 { return p.persons.next() }

// NextApproval returns the number of the next approval.
func (p *People) NextApproval() uint32 { return p.approvals.next() }

// NextSeries returns the number of the next series of games; 0 if there is none left.
func (s *State) NextSeries() uint8 {
	next := uint8(FirstSeries)
	for series := range s.AllSeries() {
		next = series.ID + 1
	}
	return next
}

// AllSeries goes through the series of games, by number.
func (s *State) AllSeries() iter.Seq[*Series] {
	return func(yield func(*Series) bool) {
		for _, id := range slices.Sorted(maps.Keys(s.series)) {
			if !yield(s.series[id]) {
				return
			}
		}
	}
}
