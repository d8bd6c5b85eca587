package engine

import (
	"drawhouse/record"
	"drawhouse/staff"
)

// AppointInspector makes somebody an inspector, who then checks those who asked for it.
type AppointInspector struct {
	Person uint32 `json:"person" doc:"Number of a person without any role."`
}

// Action implements Act.
func (AppointInspector) Action() string { return staff.ActionAppoint }

func (a AppointInspector) do(e *Engine, now record.Time, _ uint8, approval uint32) error {
	by, with := e.signers(approval)
	body, err := staff.Appoint(e.state, by, with, a.Person)
	return e.write(now, body, nil, err)
}

// DismissInspector takes the role from an inspector.
type DismissInspector struct {
	Person uint32 `json:"person" doc:"Number of an inspector."`
}

// Action implements Act.
func (DismissInspector) Action() string { return staff.ActionDismiss }

func (a DismissInspector) do(e *Engine, now record.Time, _ uint8, approval uint32) error {
	by, _ := e.signers(approval)
	body, err := staff.Dismiss(e.state, by, a.Person)
	return e.write(now, body, nil, err)
}

// LockInspector keeps an inspector from signing on, or lets one again.
type LockInspector struct {
	Person uint32 `json:"person" doc:"Number of an inspector."`
	Locked bool   `json:"locked" doc:"True to lock, false to let back in."`
	Reason string `json:"reason"`
}

// Action implements Act.
func (LockInspector) Action() string { return staff.ActionLock }

func (a LockInspector) do(e *Engine, now record.Time, _ uint8, approval uint32) error {
	by, _ := e.signers(approval)
	body, err := staff.LockInspector(e.state, by, a.Person, a.Locked, a.Reason)
	return e.write(now, body, nil, err)
}
