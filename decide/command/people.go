package command

import (
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

func init() {
	people := func(name, path, says, refuses string, who ...record.Role) Row {
		return Row{Name: name, Path: path, Says: says, Tag: "people", Who: Who{Roles: who}, Refuses: refuses}.counted()
	}
	duty := func(name, method, path, says, refuses string) Row {
		return Row{Name: name, Method: method, Path: path, Says: says, Tag: "people", Who: Who{SignedOn: true},
			Refuses: refuses}.counted()
	}
	// Inspectors give the own role up, and lock the own number: of others the house refuses it.
	andInspector := func(writes record.Kind) []record.Role {
		return append(staff.MayAct(writes, false), record.RoleInspector)
	}

	registerStaff[staff.GrantRole](people("grant-role", "/v1/people/{person}/grants", "Give a person a role",
		"inspector_alone inspector_by_two not_allowed person_unknown role_held role_unknown venue_unknown",
		staff.MayAct(record.KindRoleGranted, false)...).
		alone("an inspector takes two"))
	registerStaff[staff.WithdrawRole](people("withdraw-role", "/v1/people/{person}/withdrawals", "Take a role from a person",
		"inspector_by_two last_of_role not_allowed on_shift person_unknown role_not_held", andInspector(
			record.KindRoleWithdrawn)...).
		alone("who has less can do less, and an inspector takes two"))
	lock := people("lock-person", "/v1/people/{person}/lock", "Lock or unlock a person",
		"inspector_by_two last_of_role not_allowed person_unknown reason_missing", andInspector(record.KindLockSet)...)
	lock.Method, lock.Procedure = "PUT", true
	register[LockPerson](lock.alone("who is locked does nothing, and an inspector takes two"))
	register[BeginDuty](duty("begin-duty", "POST", "/v1/duty", "Go on duty, at a venue or the central site",
		"on_shift person_locked person_unknown role_not_held terminal_taken terminal_unknown"))
	register[LeaveDuty](duty("leave-duty", "POST", "/v1/duty/leave",
		"Say that one will leave: the game that runs is the last", "not_on_shift person_unknown"))
	register[EndDuty](duty("end-duty", "DELETE", "/v1/duty", "Go off duty",
		"game_runs not_allowed not_on_shift person_unknown"))
	home := people("send-home", "/v1/people/{person}/duty", "Take a person off duty",
		"game_runs not_allowed not_on_shift person_unknown", staff.MayAct(record.KindShiftEnded, false)...)
	home.Method = "DELETE"
	register[SendHome](home.alone("duty moves nothing"))
}

// Change is a change about people or places that no row has: what the house observes, and what
// package api does at its doors.
type Change struct{ staff.Command }

// Decide implements Command.
func (c Change) Decide(s *state.State, e *Env) (Decision, error) {
	made, err := changes(s, e, c.Command)
	if consent, ok := c.Command.(staff.Consent); ok && err == nil && consent.Granted {
		err = checkConsent(s, e, consent)
	}
	if err != nil {
		return Decision{}, err
	}
	return made, nil
}

// checkConsent refuses a consent with which the act could not be done.
func checkConsent(s *state.State, e *Env, c staff.Consent) error {
	asked, _ := s.People().Approval(c.Approval)
	if !IsAct(asked.Action) {
		return nil
	}
	act, err := ReadAct(asked.Action, []byte(asked.Says))
	consented, ok := act.(Consented)
	if err != nil || !ok {
		return err
	}
	for series := range s.AllSeries() {
		if staff.NamesSeries(asked.ApprovalRequested, series.ID) {
			in := *e
			in.Series, in.By.Person = series.ID, asked.By
			return consented.CheckConsent(s, &in, c.By)
		}
	}
	return nil
}

// changes has package staff decide a change. What it did is told by the first of its records.
func changes(s *state.State, e *Env, c staff.Command) (Decision, error) {
	bodies, err := staff.Decide(s, e.Now, c)
	if err != nil || len(bodies) == 0 {
		return Decision{}, err
	}
	d := Decision{Answer: bodies[0]}
	for _, body := range bodies {
		d.Facts = append(d.Facts, Fact{Body: body})
	}
	return d, nil
}

// OfPerson is somebody who works in the house.
type OfPerson struct {
	Person uint32 `json:"-" path:"person"`
}

// LockPerson keeps a person from signing on, or lets the person again.
type LockPerson struct {
	OfPerson `json:"-"`
	Locked   bool   `json:"locked" doc:"The person is locked, or let in again."`
	Reason   string `json:"reason"`
}

// Decide implements Command.
func (c LockPerson) Decide(s *state.State, e *Env) (Decision, error) {
	lock := staff.Lock{By: e.By.Person, Person: c.Person, Reason: c.Reason}
	if c.Locked {
		lock.Until = record.Forever
	}
	return changes(s, e, lock)
}

// BeginDuty puts who asks for it on duty.
type BeginDuty struct{ state.Grant }

// Decide implements Command.
func (c BeginDuty) Decide(s *state.State, e *Env) (Decision, error) {
	return changes(s, e, staff.Begin{Person: e.By.Person, Grant: c.Grant})
}

// LeaveDuty says that who asks for it will go.
type LeaveDuty struct{}

// Decide implements Command.
func (c LeaveDuty) Decide(s *state.State, e *Env) (Decision, error) {
	return changes(s, e, staff.Leave{Person: e.By.Person})
}

// EndDuty takes who asks for it off duty.
type EndDuty struct{}

// Decide implements Command.
func (c EndDuty) Decide(s *state.State, e *Env) (Decision, error) {
	return changes(s, e, staff.End{By: e.By.Person, Person: e.By.Person})
}

// SendHome takes a person off duty.
type SendHome struct{ OfPerson }

// Decide implements Command.
func (c SendHome) Decide(s *state.State, e *Env) (Decision, error) {
	return changes(s, e, staff.End{By: e.By.Person, Person: c.Person})
}
