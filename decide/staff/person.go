package staff

import (
	"slices"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// The codes with which changes of persons are refused.
const (
	RoleUnknown refusal.Code = "role_unknown"  // there is no such role
	RoleHeld    refusal.Code = "role_held"     // the person has the role already
	RoleNotHeld refusal.Code = "role_not_held" // the person does not have the role
	LastOfRole  refusal.Code = "last_of_role"  // the house would be without an administrator
)

// personActings are the rows of actings about persons and their duty.
var personActings = map[record.Kind]acting{
	record.KindPersonAdded:   {roles: administering},
	record.KindPersonErased:  {roles: administering},
	record.KindPersonInvited: {roles: administering},
	record.KindRoleGranted:   {roles: administering},
	record.KindRoleWithdrawn: {roles: administering, own: []record.Role{record.RoleInspector}},
	record.KindPasswordSet:   {roles: administering, own: record.Roles()},
	record.KindLockSet:       {roles: Central(), own: []record.Role{record.RoleInspector}},
	record.KindShiftBegun:    {own: record.Roles()},
	record.KindShiftEnding:   {own: record.Roles()},
	record.KindShiftEnded:    {roles: Central(), own: record.Roles()},
}

// AddPerson brings somebody into the house, with roles from the beginning. Details
// commits to what the register says of the person, and Secret, if it is not zero,
// to the entry of the password.
type AddPerson struct {
	By      uint32
	Details record.Hash
	Secret  record.Hash
	Grants  []state.Grant
}

// NumberOf returns the number of the person whom a record brings in, or 0.
func NumberOf(body record.Body) uint32 {
	if added, ok := body.(*record.PersonAdded); ok {
		return added.Person
	}
	return 0
}

func (c AddPerson) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindPersonAdded); err != nil {
		return nil, err
	}
	id := s.People().NextPerson()
	bodies := []record.Body{&record.PersonAdded{Person: id, Details: c.Details, By: c.By}}
	for i, g := range c.Grants {
		if err := checkGrant(s, g); err != nil {
			return nil, err
		}
		if slices.Contains(c.Grants[:i], g) {
			return nil, refuse(RoleHeld, "", "role", "The role %s is named twice.", g.Role)
		}
		if err := mayHold(s, c.By, c.Grants[:i], g); err != nil {
			return nil, err
		}
		bodies = append(bodies, &record.RoleGranted{Person: id, Role: g.Role, Venue: g.Venue, By: c.By})
	}
	if c.Secret != (record.Hash{}) {
		if c.By != 0 {
			bodies = append(bodies, &record.PersonInvited{Person: id, By: c.By})
		}
		bodies = append(bodies, &record.PasswordSet{Person: id, Secret: c.Secret, By: c.By})
	}
	return bodies, nil
}

// founders is how many administrators a house is founded with. Two persons can do
// everything from the first day on; neither has brought in the other.
const founders = 2

// FirstAdministrator brings one of the first administrators into the house. The founding
// is over when there are two, or when the first has brought in somebody else.
type FirstAdministrator struct{ Details, Secret record.Hash }

func (c FirstAdministrator) decide(s *state.State, now record.Time) ([]record.Body, error) {
	if MayFound(s.People()) == 0 {
		return nil, refuse(NotAllowed, "", "", "The house has its administrators, who bring in the others.")
	}
	return AddPerson{Details: c.Details, Secret: c.Secret,
		Grants: []state.Grant{{Role: record.RoleAdministrator}}}.decide(s, now)
}

// MayFound returns how many administrators the house itself may still bring in.
func MayFound(p *state.People) int {
	made, settled := p.Founders()
	if settled && HasAdministrator(p) {
		return 0
	}
	return max(founders-made, 0)
}

// HasAdministrator reports whether somebody keeps people, venues and terminals.
func HasAdministrator(p *state.People) bool {
	return slices.ContainsFunc(p.Persons(), func(person state.Person) bool {
		return !person.Erased && person.Has(record.RoleAdministrator, 0)
	})
}

// GrantRole gives a person a role, other than that of an inspector (Appoint).
type GrantRole struct {
	By     uint32 `json:"-"`
	Person uint32 `json:"-" path:"person"`
	state.Grant
}

func (c GrantRole) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindRoleGranted); err != nil {
		return nil, err
	}
	person, err := living(s.People(), c.Person)
	if err != nil {
		return nil, err
	}
	if err := checkGrant(s, c.Grant); err != nil {
		return nil, err
	}
	if slices.Contains(person.Grants, c.Grant) {
		return nil, refuse(RoleHeld, "", "role", "Person %d has the role %s already.", c.Person, c.Role)
	}
	if err := mayHold(s, c.By, person.Grants, c.Grant); err != nil {
		return nil, err
	}
	return []record.Body{&record.RoleGranted{Person: c.Person, Role: c.Role, Venue: c.Venue, By: c.By}}, nil
}

// WithdrawRole takes a role from a person who is not on duty in it. An inspector gives the
// own up; to take it takes two (Dismiss).
type WithdrawRole struct {
	By     uint32 `json:"-"`
	Person uint32 `json:"-" path:"person"`
	state.Grant
}

func (c WithdrawRole) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	by := c.By
	if c.leaves() {
		by = 0 // It takes no administrator.
	}
	if err := mayWithdraw(s, by, c.Person, c.Grant); err != nil {
		return nil, err
	}
	if err := c.checkWithdrawn(s); err != nil {
		return nil, err
	}
	return []record.Body{&record.RoleWithdrawn{Person: c.Person, Role: c.Role, Venue: c.Venue,
		By: c.By}}, nil
}

// mayWithdraw refuses to take a role that the person has not, or is on duty in. That the
// person is not the last to have it is for CheckLast.
func mayWithdraw(s *state.State, by, id uint32, g state.Grant) error {
	if err := authorise(s, by, record.KindRoleWithdrawn); err != nil {
		return err
	}
	person, err := living(s.People(), id)
	if err != nil {
		return err
	}
	switch {
	case !slices.Contains(person.Grants, g):
		return refuse(RoleNotHeld, "", "role", "Person %d does not have the role %s.", id, g.Role)
	case person.Shift.Grant == g:
		return refuse(OnShift, "", "person", "Person %d is on duty as %s; the shift ends first.", id, g.Role)
	}
	return nil
}

// Invite lets a person set a password, once and within InvitationLife. Who invites a person
// could be the person, so the two are one hand for a day (AreTwo).
type Invite struct{ By, Person uint32 }

// InvitationLife is how long an invitation is good.
const InvitationLife = 24 * time.Hour

func (c Invite) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindPersonInvited); err != nil {
		return nil, err
	}
	person, err := living(s.People(), c.Person)
	if err != nil {
		return nil, err
	}
	if c.By == 0 || c.By == c.Person {
		return nil, refuse(NotInvited, "", "person",
			"Another person invites, and nobody invites oneself: change your own password.")
	}
	if err := CheckInvited(person); err != nil {
		return nil, err
	}
	return []record.Body{&record.PersonInvited{Person: c.Person, By: c.By}}, nil
}

// SetPassword records that a person has another password. By is the person, or who made
// the invitation by which the password came.
type SetPassword struct {
	By, Person uint32
	Secret     record.Hash
}

func (c SetPassword) decide(s *state.State, now record.Time) ([]record.Body, error) {
	person, err := living(s.People(), c.Person)
	if err != nil {
		return nil, err
	}
	if c.By != c.Person {
		if err := c.checkInvited(s, person, now); err != nil {
			return nil, err
		}
	}
	return []record.Body{&record.PasswordSet{Person: c.Person, Secret: c.Secret, By: c.By}}, nil
}

// checkInvited refuses a password that comes by no invitation of the journal.
func (c SetPassword) checkInvited(s *state.State, p state.Person, now record.Time) error {
	if err := authorise(s, c.By, record.KindPersonInvited); err != nil {
		return err
	}
	if err := CheckInvited(p); err != nil {
		return err
	}
	if c.By != 0 && (p.Invited.By != c.By || now-p.Invited.At >= record.Time(InvitationLife.Milliseconds())) {
		return refuse(NotInvited, "", "person",
			"Person %d was not invited, or too long ago, or has used the invitation. Ask for another one.", c.Person)
	}
	return nil
}

// Recover lets an administrator in again who is locked or has lost the password, by an act
// on the machine of the house. Everybody whom the machine lets in is one hand for a day.
type Recover struct {
	Person uint32
	Secret record.Hash
	Reason string
}

func (c Recover) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	person, err := living(s.People(), c.Person)
	switch {
	case err != nil:
		return nil, err
	case !person.Has(record.RoleAdministrator, 0):
		return nil, refuse(NotAllowed, "", "person",
			"Person %d is no administrator. The machine lets in administrators alone, and they let in the others.",
			c.Person)
	case c.Reason == "":
		return nil, refuse(ReasonMissing, "", "reason", "A recovery needs a reason.")
	}
	return []record.Body{&record.PersonRecovered{Person: c.Person, Secret: c.Secret, Reason: c.Reason}}, nil
}

// Lock keeps a person from signing on until a time, or with 0 lets the person again. An
// inspector locks the own number; otherwise that takes two (LockInspector).
type Lock struct {
	By, Person uint32
	Until      record.Time
	Reason     string
}

func (c Lock) decide(s *state.State, now record.Time) ([]record.Body, error) {
	by := c.By
	if p, _ := s.People().Person(c.Person); c.By == c.Person && p.Has(record.RoleInspector, 0) {
		by = 0 // It takes no role of the central site.
	}
	person, err := lockable(s, by, c.Person, c.Reason)
	if err != nil {
		return nil, err
	}
	if c.By == 0 && c.Until != 0 {
		c.Until = max(c.Until, person.Locked) // Guesses end no lock that somebody has set.
	}
	if err := c.checkLocked(person, now); err != nil {
		return nil, err
	}
	return []record.Body{&record.LockSet{Person: c.Person, Until: c.Until, Reason: c.Reason, By: c.By}}, nil
}

// lockable returns a person who may be locked or unlocked by somebody, for a reason.
func lockable(s *state.State, by, id uint32, reason string) (state.Person, error) {
	if err := authorise(s, by, record.KindLockSet); err != nil {
		return state.Person{}, err
	}
	person, err := living(s.People(), id)
	if err != nil {
		return state.Person{}, err
	}
	if reason == "" {
		return state.Person{}, refuse(ReasonMissing, "", "reason", "A lock needs a reason.")
	}
	return person, nil
}

// Erase records that the register forgets who a person was, as two persons have
// approved. The person can do nothing any more.
type Erase struct {
	By, Person uint32
	Reason     string
	Approval   uint32
}

// ActionErase is the action of an erasure.
const ActionErase = "erase_person"

// Content returns what an erasure is, for its approval.
func (c Erase) Content() record.Hash { return contentHash(ActionErase, c.Person, c.Reason) }

// check refuses what no approval makes right.
func (c Erase) check(s *state.State, now record.Time) error {
	if err := authorise(s, c.By, record.KindPersonErased); err != nil {
		return err
	}
	person, err := living(s.People(), c.Person)
	if err != nil {
		return err
	}
	switch {
	case c.Reason == "":
		return refuse(ReasonMissing, "", "reason", "An erasure needs a reason.")
	case person.Shift.On():
		return refuse(OnShift, "", "person", "Person %d is on duty; the shift ends first.", c.Person)
	}
	return checkLast(s, c.Person, administering, now)
}

func (c Erase) decide(s *state.State, now record.Time) ([]record.Body, error) {
	if err := c.check(s, now); err != nil {
		return nil, err
	}
	used, err := UseApproval(s, now, Use{By: c.By, Approval: c.Approval, Action: ActionErase, Content: c.Content()})
	if err != nil {
		return nil, err
	}
	return []record.Body{used, &record.PersonErased{Person: c.Person, Reason: c.Reason, By: c.By}}, nil
}
