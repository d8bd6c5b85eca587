package engine

import (
	"slices"

	"drawhouse/counter"
	"drawhouse/record"
	"drawhouse/staff"
)

// NotifyCard records that a holder was told of prizes that wait.
func (e *Engine) NotifyCard(now record.Time, card uint32, tickets []record.Place, by uint32) error {
	notice, err := counter.NotifyHolder(e.state, card, tickets, by)
	if err != nil {
		return err
	}
	_, err = e.append(now, notice, nil)
	return err
}

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
