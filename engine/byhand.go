package engine

import (
	"fmt"

	"drawhouse/counter"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/staff"
)

// PayByHand brings in that a prize was paid by hand, because the computer did not take the
// result of its game. It is brought in at the terminal whose cash was used, with the ticket
// that was presented, and not by who asked for it.
type PayByHand struct {
	Terminal uint32 `json:"terminal" doc:"Whose cash was used."`
	Ticket   string `json:"ticket" doc:"Place of the ticket in the journal."`
	Ordinal  uint32 `json:"ordinal" doc:"The game, as games show it."`
	Cents    int64  `json:"cents" doc:"What was paid: what the ticket has won in the game."`
	PaidBy   uint32 `json:"paid_by" doc:"Number of the person who paid."`
}

// Action implements Act.
func (PayByHand) Action() string { return "pay_by_hand" }

func (a PayByHand) hand() counter.Hand {
	return counter.Hand{Ordinal: a.Ordinal, Cents: money.Amount(a.Cents), PaidBy: a.PaidBy}
}

func (a PayByHand) do(e *Engine, _ record.Time, series uint8, _ uint32) error {
	if !e.trial {
		return &refusal.Refusal{Code: IssuedThere, Path: "approval", Sentence: fmt.Sprintf("Terminal %d brings the payment in, with this approval.", a.Terminal)}
	}
	current, ticket, err := e.ticketOf(series, a.Ticket)
	if err != nil {
		return err
	}
	if _, ok := e.state.Terminal(a.Terminal); !ok {
		return &refusal.Refusal{Code: TerminalUnknown, Path: "terminal", Sentence: fmt.Sprintf("There is no terminal %d.", a.Terminal)}
	}
	if err := counter.CheckHand(e.state, current, a.hand()); err != nil {
		return err
	}
	if paid := e.state.Paid(ticket, a.Ordinal); paid > 0 {
		return &refusal.Refusal{Code: counter.AlreadyPaid, Path: "ticket", Sentence: fmt.Sprintf("The ticket was paid %v for this game.", paid)}
	}
	return errTrial
}

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
	c.Hand = act.hand()
	return e.pay(now, c, used)
}

// agreedHand returns the payment that two persons agreed on, for this ticket at this terminal,
// and the use of their approval.
func (e *Engine) agreedHand(now record.Time, c counter.Payment, approval uint32) (act PayByHand, used record.Body, err error) {
	asked, ok := e.state.People().Approval(approval)
	if !ok || asked.Action != act.Action() {
		return act, nil, &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval", Sentence: fmt.Sprintf("There is no approval %d of a payment by hand.", approval)}
	}
	said, err := ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return act, nil, err
	}
	act, _ = said.(PayByHand) // It is of this action.
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
