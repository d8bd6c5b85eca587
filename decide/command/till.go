package command

import (
	"errors"
	"fmt"
	"slices"

	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// This file has what a terminal does beside selling. A terminal says these commands in forms of
// its own, with serials and claim codes, which the house reads.

func init() {
	till := func(name, method, path, says, refuses string) Row {
		return Row{Name: name, Method: method, Path: "/v1/terminals/{terminal}/" + path, Says: says, Tag: "terminal",
			Who: Who{Terminals: true}, Refuses: refuses, Till: true}
	}
	numbered := func(name, path, says, refuses string) Row {
		return till(name, "PUT", "requests/{request}/"+path, says,
			refuses+" request_body_other request_burned request_leaps request_superseded terminal_unknown")
	}
	register[Pay](numbered("pay", "payment", "Pay what a ticket has won",
		`already_paid by_hand_only claim_code_other disputed disqualified expect_other facts_missing frozen
		hand_cents_other hand_payer_other held_back in_session keeps_ticket key_revoked means_not_from means_other
		means_too_much means_unknown no_prize no_senior no_writer not_agreed not_by_card not_by_hand not_delivered
		not_drawn not_exchanged not_handed_out not_major not_settled not_so not_through over_cash_limit prize_disagrees
		other_system serial_unreadable session_open sheet_replaced ticket_cancelled ticket_over_sst ticket_unknown
		too_late under_claim`))
	register[BringInPayment](numbered("bring-in-payment", "hand-payment",
		"Bring in a prize that was paid by hand, because the computer did not take the result of its game",
		`already_paid approval_not_given approval_other approval_over approval_unknown claim_code_other disputed
		disqualified expect_other facts_missing frozen hand_cents_other hand_payer_other held_back in_session
		keeps_ticket key_revoked means_not_from means_other means_too_much means_unknown no_prize no_senior no_writer
		not_agreed not_allowed not_by_card not_by_hand not_delivered not_drawn not_exchanged not_handed_out not_major
		not_so not_through over_cash_limit person_unknown prize_disagrees other_system
		serial_unreadable session_open sheet_replaced ticket_cancelled ticket_over_sst ticket_unknown too_late under_claim`))
	register[Cancel](numbered("cancel", "cancellation", "Cancel the games of a ticket that are not closed",
		`claim_code_other expect_other frozen in_session key_revoked means_not_from means_other means_too_much
		means_unknown no_senior no_writer not_by_card not_exchanged not_handed_out not_major not_settled not_so
		not_through not_trading not_undelivered nothing_left other_day other_system other_venue over_cash_limit serial_unreadable
		session_open sheet_replaced ticket_over_sst too_far`))
	register[EndSession](numbered("end-session", "session-end", "End the customer session",
		`account_missing amount_wrong card_excluded card_short claim_code_other claim_missing claims_missing expect_other
		frozen key_revoked means_not_from means_other means_too_much means_unknown no_senior no_writer not_by_card
		not_exchanged not_handed_out not_looked_up not_major not_owing not_paid_for not_settled not_so not_through
		nothing_open over_cash_limit overpaid paper_amount paper_kind paper_life paper_not_back paper_not_given
		paper_not_sold paper_not_taken paper_over paper_type paper_type_other paper_unknown parties_missing
		paper_other payee_missing payee_other payee_unknown reason_missing runner_none runner_unknown other_system
		serial_unreadable session_open tender_other ticket_over_sst voucher_no_change`))
	register[IssuePaper](numbered("issue-paper", "paper", "Issue a paper that stands for money",
		`approval_not_given approval_other approval_over approval_unknown claim_missing key_revoked no_senior no_writer
		not_allowed not_handed_out paper_amount paper_day paper_kind paper_life paper_not_given paper_not_sold
		paper_too_much paper_type person_unknown series_unknown session_open unlicensed venue_unpaid`))
	register[Reprint](numbered("reprint", "reprint", "Print another sheet of a ticket that was not handed over",
		`approval_not_given approval_other approval_over approval_unknown key_revoked no_writer not_allowed not_on_shift
		not_undelivered other_terminal person_unknown other_system serial_unreadable sheet_sealed sheet_used ticket_cancelled
		ticket_unknown`))
	register[VoidUndelivered](numbered("void-undelivered", "void",
		"Undo a ticket that was not handed over, as another person approved",
		`approval_not_given approval_other approval_over approval_unknown claim_code_other expect_other frozen in_session
		means_not_from means_other means_too_much means_unknown no_senior not_allowed not_by_card not_exchanged
		not_handed_out not_major not_on_shift not_so not_undelivered nothing_left other_day other_system other_venue
		over_cash_limit person_unknown serial_unreadable session_open sheet_replaced ticket_over_sst ticket_unknown too_far`))
	register[Forfeit](numbered("forfeit", "forfeit", "Take the prizes of a ticket from somebody under age",
		`already_paid by_hand_only claim_code_other disputed disqualified expect_other facts_missing frozen held_back
		no_forfeit no_prize no_senior not_agreed not_delivered not_drawn not_settled prize_disagrees other_system
		serial_unreadable sheet_replaced ticket_cancelled ticket_unknown too_late under_claim`))
	register[ReportUndelivered](till("report-undelivered", "POST", "undelivered", "Say that a ticket was not handed over",
		`approval_not_given approval_other approval_over approval_unknown key_revoked no_writer not_allowed not_on_shift
		other_terminal person_unknown reason_missing other_system serial_unreadable sheet_sealed sheet_used ticket_cancelled
		ticket_unknown`))
	register[AskVoid](till("ask-void", "POST", "voids",
		"Ask a second person for a ticket that was not handed over to be void",
		`action_unknown action_unsaid claim_code_other expect_other frozen in_session last_of_role means_not_from
		means_other means_too_much means_unknown no_writer not_allowed not_by_card not_exchanged not_handed_out
		not_major not_so not_undelivered nothing_left on_shift other_day other_system other_venue over_cash_limit
		person_unknown
		reason_missing session_open sheet_replaced terminal_unknown ticket_over_sst too_far venue_other`))
	register[AskReissue](till("ask-reissue", "POST", "reissues",
		"Ask a second person for another sheet of a ticket whose first game is sealed",
		`action_unknown action_unsaid last_of_role no_writer not_allowed not_undelivered on_shift other_terminal
		person_unknown reason_missing other_system serial_unreadable sheet_sealed sheet_used ticket_cancelled ticket_unknown
		venue_other`))
}

// A Request is a command of a terminal. The terminal numbers what it asks for, so that each is
// done once, however often the terminal asks.
type Request interface {
	Command
	Of() record.Request
}

// Pay pays what a ticket has won and was not yet paid.
type Pay struct{ counter.Payment }

// Of implements Request.
func (c Pay) Of() record.Request { return c.Request }

// Decide implements Command.
func (c Pay) Decide(s *state.State, e *Env) (Decision, error) {
	c.Now = e.Now
	all, err := paid(s, c.Payment)
	if err != nil {
		return Decision{}, err
	}
	bonus, postings, err := counter.AllocateBonus(s, c.Payment)
	if err != nil {
		return Decision{}, err
	}
	if bonus != nil {
		all.Facts = slices.Insert(all.Facts, 1, Fact{bonus, postings})
	}
	return all, nil
}

// paid pays a ticket. Where its games go on and the writer keeps the paper, another sheet belongs
// to the payment.
func paid(s *state.State, c counter.Payment) (Decision, error) {
	if err := staff.CheckTerminal(s, c.Request.Terminal); err != nil {
		return Decision{}, err
	}
	paid, postings, err := counter.Pay(s, c)
	if err != nil {
		return Decision{}, err
	}
	all := Decision{Facts: []Fact{{paid, postings}}, Answer: paid}
	if series, _ := s.Series(c.Sold.Series); counter.NeedsContinuation(s, series, c) {
		sheet := &record.PaperReissued{Request: c.Request, Of: c.Place, Claim: c.Continuation,
			Reason: record.ReissueContinuation}
		all.Facts = append(all.Facts, Fact{Body: sheet})
	}
	return all, nil
}

// BringInPayment brings in a payment by hand on which two persons have agreed. The terminal names
// the ticket, and the approval the rest. No bonus falls on such a payment.
type BringInPayment struct {
	counter.Payment
	Approval uint32
}

// Of implements Request.
func (c BringInPayment) Of() record.Request { return c.Request }

// Decide implements Command.
func (c BringInPayment) Decide(s *state.State, e *Env) (Decision, error) {
	c.Now = e.Now
	hand, used, err := c.agreed(s)
	if err != nil {
		return Decision{}, err
	}
	c.Hand = hand
	all, err := paid(s, c.Payment)
	all.Facts = append([]Fact{{Body: used}}, all.Facts...)
	return all, err
}

// agreed returns the payment that two persons agreed on, for this ticket at this terminal, and the
// use of their approval.
//
//rule:casino-keno-div2 11.7
func (c BringInPayment) agreed(s *state.State) (hand counter.Hand, used record.Body, err error) {
	asked, ok := s.People().Approval(c.Approval)
	if !ok || asked.Action != ActionOf(PayByHand{}) {
		return hand, nil, &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval",
			Sentence: fmt.Sprintf("There is no approval %d of a payment by hand.", c.Approval)}
	}
	said, err := ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return hand, nil, err
	}
	act, _ := said.(PayByHand) // It is of this action.
	other := func(path, sentence string) error {
		return &refusal.Refusal{Code: staff.ApprovalOther, Path: path,
			Sentence: fmt.Sprintf("Approval %d is "+sentence, c.Approval)}
	}
	switch {
	case act.Terminal != c.Request.Terminal:
		return hand, nil, other("approval", fmt.Sprintf("for terminal %d.", act.Terminal))
	case act.Ticket != c.Place.String():
		return hand, nil, other("serial", "of another ticket.")
	}
	used, err = staff.UseApproval(s, c.Now, staff.Use{
		By: asked.By, Approval: c.Approval, Action: asked.Action,
		Content: staff.ContentIn(c.Sold.Series, asked.Action, []byte(asked.Says)),
	})
	return act.Hand(), used, err
}

// Cancel gives back what a ticket has paid for games that have not closed.
type Cancel struct{ counter.Cancellation }

// Of implements Request.
func (c Cancel) Of() record.Request { return c.Request }

// Decide implements Command.
func (c Cancel) Decide(s *state.State, e *Env) (Decision, error) {
	if err := staff.CheckCancel(s, e.Now, c.Request.Terminal, c.Sold.Series); err != nil {
		return Decision{}, err
	}
	return one(counter.Cancel(s, c.Cancellation))
}

// VoidUndelivered gives back what a ticket has paid that was not handed over. Another person has
// consented to it. The person who asked for it is on shift at the terminal, or a senior of its
// venue.
type VoidUndelivered struct {
	counter.Cancellation
	Use staff.Use
}

// Of implements Request.
func (c VoidUndelivered) Of() record.Request { return c.Request }

// Decide implements Command.
func (c VoidUndelivered) Decide(s *state.State, e *Env) (Decision, error) {
	// Consent is to this ticket.
	c.Use.Action, c.Use.Content = ActionVoid, staff.ContentOf(ActionVoid, []byte(c.Place.String()))
	used, err := staff.UseApproval(s, e.Now, c.Use)
	if err != nil {
		return Decision{}, err
	}
	if err := staff.CheckAt(s, c.Use.By, c.Request.Terminal); err != nil {
		return Decision{}, err
	}
	c.Void = true
	cancelled, postings, err := counter.Cancel(s, c.Cancellation)
	return Decision{Facts: []Fact{{Body: used}, {cancelled, postings}}}, err
}

// Forfeit takes the prizes of a ticket from somebody under age.
type Forfeit struct{ counter.Payment }

// Of implements Request.
func (c Forfeit) Of() record.Request { return c.Request }

// Decide implements Command.
func (c Forfeit) Decide(s *state.State, e *Env) (Decision, error) {
	c.Now = e.Now
	return one(counter.Forfeit(s, c.Payment))
}

// EndSession ends a customer session. The answer is the record of its end; the papers that it
// issues stand just before it, and the cheques that it promises or what it freezes just behind.
type EndSession struct{ counter.SessionEnd }

// Of implements Request.
func (c EndSession) Of() record.Request { return c.Request }

// Decide implements Command.
func (c EndSession) Decide(s *state.State, e *Env) (Decision, error) {
	c.Now = e.Now
	if err := staff.CheckTerminal(s, c.Request.Terminal); err != nil {
		return Decision{}, err
	}
	ended, err := counter.EndSession(s, c.SessionEnd)
	if err != nil {
		return Decision{}, err
	}
	return Ended(ended), nil
}

// IssuePaper issues a paper that stands for money.
type IssuePaper struct{ counter.PaperOrder }

// Of implements Request.
func (c IssuePaper) Of() record.Request { return c.Request }

// Decide implements Command.
func (c IssuePaper) Decide(s *state.State, e *Env) (Decision, error) {
	c.Now = e.Now
	if err := staff.CheckTerminal(s, c.Request.Terminal); err != nil {
		return Decision{}, err
	}
	if err := counter.CheckSoldLicensed(s, c.PaperOrder); err != nil {
		return Decision{}, err
	}
	issued, postings, err := counter.IssuePaper(s, c.PaperOrder)
	if err != nil {
		return Decision{}, err
	}
	all := Decision{Answer: issued}
	if c.Reason == record.IssuedByOperator {
		used, err := c.agreed(s)
		if err != nil {
			return Decision{}, err
		}
		all.Facts = append(all.Facts, Fact{Body: used})
	}
	all.Facts = append(all.Facts, Fact{issued, postings})
	return all, nil
}

// agreed returns the use of the approval by which a paper is at the operator's expense. What two
// persons agreed on is this paper, at this terminal.
func (c IssuePaper) agreed(s *state.State) (record.Body, error) {
	act := GivePaper{Terminal: c.Request.Terminal, Kind: c.ID, Cents: c.Cents.Cents(), Days: c.Days,
		GameType: c.GameType}
	asked, ok := s.People().Approval(c.Approval)
	if !ok {
		return nil, &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval",
			Sentence: fmt.Sprintf("There is no approval %d.", c.Approval)}
	}
	if agreed, err := ReadAct(asked.Action, []byte(asked.Says)); err == nil {
		// Who names the type that a paper is for anyhow says nothing else than who leaves it out.
		if give, ok := agreed.(GivePaper); ok && c.sameType(s, give.GameType) {
			act.GameType = give.GameType
		}
	}
	used, err := staff.UseApproval(s, c.Now, staff.Use{
		By: asked.By, Approval: c.Approval, Action: ActionOf(act),
		Content: staff.ContentIn(c.Series, ActionOf(act), Say(act)),
	})
	if r, ok := errors.AsType[*refusal.Refusal](err); ok && r.Code == staff.ApprovalOther {
		return nil, c.differs(s, asked)
	}
	return used, err
}

// differs says in what a paper differs from the one that two persons agreed on, so that a counter
// which mistypes one particular need not ask the office which.
func (c IssuePaper) differs(s *state.State, asked state.Approval) error {
	act, err := ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return err
	}
	agreed, _ := act.(GivePaper) // It is of this action, or it would be refused as unknown.
	path, of := "days", fmt.Sprintf("of a paper that is good for %s", figure.Count(agreed.Days, "day"))
	switch {
	case agreed.Terminal != c.Request.Terminal:
		path, of = "approval", fmt.Sprintf("for terminal %d", agreed.Terminal)
	case agreed.Kind != c.ID:
		path, of = "kind", "of another paper: "+c.nameOf(s, agreed.Kind)
	case agreed.Cents != c.Cents.Cents():
		path, of = "cents", "of "+money.Amount(agreed.Cents).String()
	case !c.sameType(s, agreed.GameType):
		path, of = "game_type", "for another type of game"
	case agreed.Days == 0:
		of = "of a paper without a shorter time than the rulebook's"
	}
	return &refusal.Refusal{Code: staff.ApprovalOther, Path: path,
		Sentence: fmt.Sprintf("Approval %d is %s.", c.Approval, of)}
}

// sameType reports whether a paper is for the type of game that two persons agreed on.
func (c IssuePaper) sameType(s *state.State, agreed string) bool {
	series, ok := s.Series(c.Series)
	if !ok {
		return false
	}
	kind, _ := series.Book.Instrument(c.ID)
	return counter.GameTypeOf(&kind, c.GameType) == counter.GameTypeOf(&kind, agreed)
}

// nameOf returns what the rulebook in force calls a kind of paper.
func (c IssuePaper) nameOf(s *state.State, kind string) string {
	if series, ok := s.Series(c.Series); ok {
		if paper, ok := series.Book.Instrument(kind); ok {
			return paper.Name
		}
	}
	return kind
}

// The actions of two persons at a counter, with a ticket whose sheet was not handed over: they
// say that it was not or replace it, and they give back what it cost.
const (
	ActionReissue = "reissue_sheet"
	ActionVoid    = "void_undelivered"
)

// Reprint prints another sheet of a ticket that was not handed over: a copy by one person, or with
// the number of an approval one that replaces all before it.
type Reprint struct {
	Sheet    counter.Sheet
	Request  record.Request
	Claim    record.Hash
	Approval uint32
}

// Of implements Request.
func (c Reprint) Of() record.Request { return c.Request }

// Decide implements Command.
func (c Reprint) Decide(s *state.State, e *Env) (Decision, error) {
	all, err := agreedSheet(s, e, &c.Sheet, c.Approval)
	if err != nil {
		return Decision{}, err
	}
	again, err := counter.Reprint(s, c.Sheet, c.Request, c.Claim)
	all.Facts = append(all.Facts, Fact{Body: again})
	return all, err
}

// ReportUndelivered records that a ticket was not handed over. The entry is not complete before a
// sheet of it is. What was said before is not said again.
//
//rule:vic-keno-2015 9(e)
type ReportUndelivered struct {
	Sheet    counter.Sheet
	Reason   string
	Approval uint32
}

// Decide implements Command.
func (c ReportUndelivered) Decide(s *state.State, e *Env) (Decision, error) {
	all, err := agreedSheet(s, e, &c.Sheet, c.Approval)
	if err != nil {
		return Decision{}, err
	}
	said, err := counter.ReportUndelivered(s, c.Sheet, c.Reason)
	if err != nil || s.Undelivered(c.Sheet.Place) {
		return Decision{}, err
	}
	all.Facts = append(all.Facts, Fact{Body: said})
	return all, nil
}

// agreedSheet returns the use of an approval for the sheet of a ticket, and notes on the sheet who
// asked for it. Without a number one person acts alone, and there is no use.
func agreedSheet(s *state.State, e *Env, c *counter.Sheet, approval uint32) (Decision, error) {
	if err := staff.CheckTerminal(s, c.Terminal); err != nil || approval == 0 {
		return Decision{}, err
	}
	asked, ok := s.People().Approval(approval)
	if !ok {
		return Decision{}, &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval",
			Sentence: fmt.Sprintf("There is no approval %d.", approval)}
	}
	used, err := staff.UseApproval(s, e.Now, staff.Use{
		By: asked.By, Approval: approval, Action: ActionReissue,
		Content: staff.ContentOf(ActionReissue, []byte(c.Place.String())),
	})
	if err != nil {
		return Decision{}, err
	}
	c.Agreed = asked.By
	return Decision{Facts: []Fact{{Body: used}}}, staff.CheckAt(s, asked.By, c.Terminal)
}

// AskVoid asks another person to consent to a ticket's being void that was not handed over.
type AskVoid struct{ Sheet counter.Sheet }

// Decide implements Command. What could not be done now is not asked for. In a session more can be
// given back than in cash alone: what a voucher has paid for goes back as one. The request is
// refused only if no way is left.
func (c AskVoid) Decide(s *state.State, e *Env) (Decision, error) {
	_, _, err := counter.Cancel(s,
		counter.Cancellation{Request: untold(c.Sheet), Place: c.Sheet.Place, Sold: c.Sheet.Sold, Void: true,
			InSession: true})
	if err != nil {
		return Decision{}, err
	}
	return asked(s, e, ActionVoid, c.Sheet.Place)
}

// AskReissue asks another person to consent to another sheet of a ticket whose first game is sealed.
type AskReissue struct{ Sheet counter.Sheet }

// Decide implements Command. What could not be done now is not asked for.
func (c AskReissue) Decide(s *state.State, e *Env) (Decision, error) {
	c.Sheet.Agreed = e.By.Person
	if _, err := counter.Reprint(s, c.Sheet, untold(c.Sheet), record.Hash{1}); err != nil {
		return Decision{}, err
	}
	return asked(s, e, ActionReissue, c.Sheet.Place)
}

// untold is a request of a terminal that is only tried: what is done has a number of its own.
func untold(c counter.Sheet) record.Request { return record.Request{Terminal: c.Terminal, Number: 1} }

// asked asks for what two persons do at a counter with a ticket.
func asked(s *state.State, e *Env, action string, ticket record.Place) (Decision, error) {
	return changes(s, e, staff.Request{By: e.By.Person, Action: action,
		Content: staff.ContentOf(action, []byte(ticket.String()))})
}
