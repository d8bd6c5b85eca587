package command

import (
	"fmt"

	"drawhouse/decide/staff"
	"drawhouse/decide/state"
)

func init() {
	register[AppointInspector](act("operator", staff.ActionAppoint, "appoint-inspector", "/v1/operator/inspectors",
		"Ask for somebody to be made an inspector",
		"inspector_alone inspector_by_two not_allowed person_unknown role_held"))
	register[DismissInspector](act("operator", staff.ActionDismiss, "dismiss-inspector",
		"/v1/operator/inspectors/dismissals", "Ask for the role to be taken from an inspector",
		"not_allowed on_shift person_unknown role_not_held"))
	register[LockInspector](act("operator", staff.ActionLock, "lock-inspector", "/v1/operator/inspectors/locks",
		"Ask for an inspector to be locked, or let back in", "not_allowed person_unknown reason_missing role_not_held"))
}

// AppointInspector makes somebody an inspector, who then checks those who asked for it.
type AppointInspector struct {
	Person uint32 `json:"person" of:"role-less" doc:"Number of a person without any role."`
}

// Words implements Act.
func (c AppointInspector) Words() string {
	return fmt.Sprintf("Make person %d an inspector.", c.Person)
}

// Decide implements Command.
func (c AppointInspector) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(staff.Appoint(s, e.By.Person, e.With, c.Person))
}

// DismissInspector takes the role from an inspector.
type DismissInspector struct {
	Person uint32 `json:"person" of:"inspector" doc:"Number of an inspector."`
}

// Words implements Act.
func (c DismissInspector) Words() string {
	return fmt.Sprintf("Take the role of inspector from person %d.", c.Person)
}

// Decide implements Command.
func (c DismissInspector) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(staff.Dismiss(s, e.By.Person, c.Person))
}

// LockInspector keeps an inspector from signing on, or lets one again.
type LockInspector struct {
	Person uint32 `json:"person" of:"inspector" doc:"Number of an inspector."`
	Locked bool   `json:"locked" doc:"True to lock, false to let back in."`
	Reason string `json:"reason"`
}

// Words implements Act.
func (c LockInspector) Words() string {
	if !c.Locked {
		return fmt.Sprintf("Let inspector %d sign on again: %s.", c.Person, c.Reason)
	}
	return fmt.Sprintf("Keep inspector %d from signing on: %s.", c.Person, c.Reason)
}

// Decide implements Command.
func (c LockInspector) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(staff.LockInspector(s, e.By.Person, c.Person, c.Locked, c.Reason))
}
