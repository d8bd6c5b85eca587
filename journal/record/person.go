package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Role is what a person may be in a house. Roles stay what they are for ever.
type Role string

// The roles. A venue's person has a role at that venue, and the others have theirs
// in the whole house.
const (
	RoleSupervisor    Role = "supervisor"    // watches over the games at the central site
	RoleOperative     Role = "operative"     // the same, holding a licence of the State
	RoleInspector     Role = "inspector"     // is of the regulator and sees everything
	RoleAdministrator Role = "administrator" // keeps people, venues and terminals
	RoleSenior        Role = "senior"        // is in control of a venue
	RoleWriter        Role = "writer"        // sells and pays at a venue's terminals
	RoleRunner        Role = "runner"        // brings entries to a venue's writers
)

// Roles returns all roles.
func Roles() []Role {
	return []Role{RoleSupervisor, RoleOperative, RoleInspector, RoleAdministrator, RoleSenior, RoleWriter, RoleRunner}
}

// AtVenue reports whether the role is had at a venue.
func (r Role) AtVenue() bool { return r == RoleSenior || r == RoleWriter || r == RoleRunner }

func checkRole(role Role, venue uint32) error {
	switch {
	case !slices.Contains(Roles(), role):
		return fmt.Errorf("there is no role %q", role)
	case role.AtVenue() != (venue != 0):
		return fmt.Errorf("the role %s at venue %d", role, venue)
	}
	return nil
}

// PersonAdded is somebody who works in the house, under a number. Who that is stands
// in a register outside the journal, which can be made to forget; Details is the
// hash of what it says, with a random salt that only the register has.
type PersonAdded struct {
	_       struct{} `cbor:",toarray"`
	Person  uint32   `is:"person"` // number of the person
	Details Hash     `is:"hash"`   // hash of the register's entry of the person, with a random salt
	By      uint32   // number of the person who did it; none before there is one
}

func (*PersonAdded) check() error { return nil }

// PersonErased says that the register has forgotten who a person is. What the person
// did stays.
type PersonErased struct {
	_      struct{} `cbor:",toarray"`
	Person uint32   `is:"person"`
	Reason string   `is:"reason"`
	By     uint32
}

func (*PersonErased) check() error { return nil }

// RoleGranted gives a person a role.
type RoleGranted struct {
	_      struct{} `cbor:",toarray"`
	Person uint32   `is:"person"`
	Role   Role
	Venue  uint32 // venue of the role; none for a role in the whole house
	By     uint32
}

func (r *RoleGranted) check() error {
	return checkRole(r.Role, r.Venue)
}

// RoleWithdrawn takes a role from a person.
type RoleWithdrawn struct {
	_      struct{} `cbor:",toarray"`
	Person uint32   `is:"person"`
	Role   Role
	Venue  uint32 // venue of the role; none for a role in the whole house
	By     uint32
}

func (r *RoleWithdrawn) check() error {
	return checkRole(r.Role, r.Venue)
}

// PasswordSet says that a person has another password. Secret is the hash of the
// register's entry for it, which has a random salt of its own: so nobody who holds
// the journal can try passwords, and nobody who can write in the register can put
// one there.
type PasswordSet struct {
	_      struct{} `cbor:",toarray"`
	Person uint32   `is:"person"`
	Secret Hash     `is:"hash"` // hash of the entry of the password in the register
	By     uint32
}

func (*PasswordSet) check() error { return nil }

// Forever is a time that does not come.
const Forever Time = math.MaxInt64

// LockSet keeps a person from signing on until a time, or lets the person again.
type LockSet struct {
	_      struct{} `cbor:",toarray"`
	Person uint32
	// Until when the person cannot sign on: the last instant of 2999 until another person unlocks; none for no lock
	// any more.
	Until  Time
	Reason string
	By     uint32 // 0 where the house did it by itself
}

func (l *LockSet) check() error {
	if l.Person == 0 || l.Until < 0 || l.Reason == "" {
		return errors.New("a lock needs a person, an end and a reason")
	}
	return nil
}

// ShiftBegun puts a person on duty: at a terminal, at a venue without one, or at
// the central site, where Venue and Terminal are 0.
type ShiftBegun struct {
	_        struct{} `cbor:",toarray"`
	Person   uint32
	Role     Role
	Venue    uint32
	Terminal uint32
}

func (s *ShiftBegun) check() error {
	if s.Person == 0 || s.Terminal != 0 && s.Venue == 0 {
		return errors.New("a shift needs a person, and a terminal its venue")
	}
	return checkRole(s.Role, s.Venue)
}

// ShiftEnding says that a person will leave: games that run have the person to
// their end, and no game opens on the strength of it.
type ShiftEnding struct {
	_      struct{} `cbor:",toarray"`
	Person uint32   `is:"person"`
}

func (*ShiftEnding) check() error { return nil }

// ShiftEnded takes a person off duty.
type ShiftEnded struct {
	_      struct{} `cbor:",toarray"`
	Person uint32   `is:"person"`
	By     uint32   `is:"person"` // number of the person who ended the shift: the person, or who sent the person home
}

func (*ShiftEnded) check() error { return nil }
