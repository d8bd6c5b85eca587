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
