package engine

import (
	"slices"

	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// AskedSheet returns the ticket that a request at a counter is about, if it is one that was
// not handed over.
func (e *Engine) AskedSheet(asked record.ApprovalRequested) record.Place {
	if !slices.Contains(staff.CounterActions(), asked.Action) {
		return record.Place{}
	}
	for place := range e.state.AllUndelivered() {
		if staff.ContentOf(asked.Action, []byte(place.String())) == asked.Content {
			return place
		}
	}
	return record.Place{}
}
