package state

import (
	"iter"
	"maps"
	"slices"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
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
	founders  int             // administrators whom the house itself has brought in
	settled   bool            // somebody has brought in another person: the founding is over
	appointed bool            // somebody has appointed or invited a person
}

// Operator is a firm that runs the house or a venue.
type Operator struct {
	ID            uint32
	Name, Licence string
}

// Premises are a venue as a place of work.
type Premises struct {
	ID       uint32
	Kind     rulebook.VenueKind
	Name     string
	Operator uint32 // 0 where nobody has said
	// Hours are when the venue trades; HasHours is false for one that never said, and
	// that one trades whenever there is a game.
	HasHours bool
	Hours    []record.Trading
}

// Closed reports whether the venue has said that it never trades.
func (p *Premises) Closed() bool { return p.HasHours && len(p.Hours) == 0 }

// areaKey returns the number of an area among those of all venues.
func areaKey(venue uint32, area uint16) uint64 { return uint64(venue)<<16 | uint64(area) }

// Area is a part of a venue. Draw and Race say whether its displays work.
type Area struct {
	Venue      uint32
	ID         uint16
	Name       string
	Draw, Race bool
}

// Shows reports whether the area's display of a screen works.
func (a Area) Shows(screen record.Screen) bool {
	if screen == record.ScreenRace {
		return a.Race
	}
	return a.Draw
}

// Post is a terminal as a place of work.
type Post struct {
	Terminal uint32
	Venue    uint32
	Channel  rulebook.Channel
	Area     uint16 // 0 for none
	// Key verifies what the terminal signs; it is zero for one that never had a key
	// and for one whose key was taken away.
	Key     [32]byte
	Revoked bool
	Person  uint32 // who is on shift there; 0 for nobody
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

// Operator returns an operator.
func (p *People) Operator(id uint32) (Operator, bool) {
	o, ok := p.operators[id]
	return o, ok
}

// Premises returns a venue. The caller must not change its hours.
func (p *People) Premises(id uint32) (Premises, bool) { return valueOf(p.venues.get(id)) }

// Area returns an area of a venue.
func (p *People) Area(venue uint32, area uint16) (Area, bool) {
	return valueOf(p.areas.get(areaKey(venue, area)))
}

// Post returns a terminal.
func (p *People) Post(terminal uint32) (Post, bool) { return valueOf(p.terminals.get(terminal)) }

// KeyHolder returns the terminal that signs with a key.
func (p *People) KeyHolder(key [32]byte) (terminal uint32, ok bool) {
	for number, post := range p.terminals.all() {
		if post.Key == key && !post.Revoked {
			return number, true
		}
	}
	return 0, false
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

// Posts returns all terminals, by number.
func (p *People) Posts() []Post { return p.terminals.values() }

// Venues returns all venues, by number.
func (p *People) Venues() []Premises { return p.venues.values() }

// Approvals returns all requests for consent, by number.
func (p *People) Approvals() []Approval { return p.approvals.values() }

// Areas returns the areas of a venue, by number.
func (p *People) Areas(venue uint32) []Area {
	var found []Area
	for _, area := range p.areas.all() {
		if area.Venue == venue {
			found = append(found, *area)
		}
	}
	return found
}

// Founders returns how many administrators the house itself has brought in, and whether
// one of them has brought in somebody since.
func (p *People) Founders() (n int, settled bool) { return p.founders, p.settled }

// NextPerson returns the number of the next person.
func (p *People) NextPerson() uint32 { return p.persons.next() }

// NextApproval returns the number of the next approval.
func (p *People) NextApproval() uint32 { return p.approvals.next() }

// NextTerminal returns the number of the next terminal.
func (p *People) NextTerminal() uint32 { return p.terminals.next() }

// NextVenue returns the number of the next venue.
func (p *People) NextVenue() uint32 { return p.venues.next() }

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
