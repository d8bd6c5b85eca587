package engine

import (
	"fmt"

	"drawhouse/command"
	"drawhouse/counter"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/staff"
)

// PayByHand brings in a payment by hand on which two persons have agreed. The claim names the
// ticket that was presented, and the approval the rest.
//
//rule:casino-keno-div2 11.7
func (e *Engine) PayByHand(now record.Time, c counter.Payment, approval uint32) (Answer, error) {
	if answer, done, err := e.known(c.Request); done || err != nil {
		return answer, err
	}
	act, used, err := e.agreedHand(max(now, e.state.Now()), c, approval)
	if err != nil {
		return Answer{}, err
	}
	c.Hand = act.Hand()
	return e.pay(now, c, used)
}

// agreedHand returns the payment that two persons agreed on, for this ticket at this terminal,
// and the use of their approval.
func (e *Engine) agreedHand(now record.Time, c counter.Payment, approval uint32) (act command.PayByHand, used record.Body, err error) {
	asked, ok := e.state.People().Approval(approval)
	if !ok || asked.Action != command.ActionOf(act) {
		return act, nil, &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval", Sentence: fmt.Sprintf("There is no approval %d of a payment by hand.", approval)}
	}
	said, err := command.ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return act, nil, err
	}
	act, _ = said.(command.PayByHand) // It is of this action.
	switch {
	case act.Terminal != c.Request.Terminal:
		return act, nil, &refusal.Refusal{Code: staff.ApprovalOther, Path: "approval", Sentence: fmt.Sprintf("Approval %d is for terminal %d.", approval, act.Terminal)}
	case act.Ticket != c.Place.String():
		return act, nil, &refusal.Refusal{Code: staff.ApprovalOther, Path: "serial", Sentence: fmt.Sprintf("Approval %d is of another ticket.", approval)}
	}
	use, err := staff.UseApproval(e.state, now, staff.Use{
		By: asked.By, Approval: approval, Action: asked.Action, Content: staff.ContentIn(c.Sold.Series, asked.Action, []byte(asked.Says)),
	})
	if err != nil {
		return act, nil, err
	}
	return act, use, nil
}
