package engine

import (
	"errors"
	"fmt"
	"slices"

	"drawhouse/command"
	"drawhouse/counter"
	"drawhouse/figure"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/staff"
	"drawhouse/state"
)

// EndSession ends a customer session. The answer is the record of its end; the papers
// that it issues stand just before it, and the cheques that it promises or what it freezes
// just behind.
func (e *Engine) EndSession(now record.Time, c counter.SessionEnd) (Answer, error) {
	if answer, done, err := e.known(c.Request); done || err != nil {
		return answer, err
	}
	c.Now = max(now, e.state.Now())
	if err := staff.CheckTerminal(e.state, c.Request.Terminal); err != nil {
		return Answer{}, err
	}
	ended, err := counter.EndSession(e.state, c)
	if err != nil {
		return Answer{}, err
	}
	var env command.Env
	e.equip(now, &env)
	done, err := e.carryOut(now, command.Ended(ended), &env)
	return Answer{Entry: done.Entry}, err
}

// IssuePaper issues a paper that stands for money.
func (e *Engine) IssuePaper(now record.Time, o counter.PaperOrder) (Answer, error) {
	if answer, done, err := e.known(o.Request); done || err != nil {
		return answer, err
	}
	o.Now = max(now, e.state.Now())
	if err := staff.CheckTerminal(e.state, o.Request.Terminal); err != nil {
		return Answer{}, err
	}
	issued, postings, err := counter.IssuePaper(e.state, o)
	if err != nil {
		return Answer{}, err
	}
	used, err := e.givenBy(o)
	if err != nil {
		return Answer{}, err
	}
	entry, err := e.appendAfter(now, used, issued, postings)
	return Answer{Entry: entry}, err
}

// givenBy returns the use of the approval by which a paper is at the operator's expense, or
// nil for any other. What two persons agreed on is this paper, at this terminal.
func (e *Engine) givenBy(o counter.PaperOrder) (record.Body, error) {
	if o.Reason != record.IssuedByOperator {
		return nil, nil
	}
	act := command.GivePaper{Terminal: o.Request.Terminal, Kind: o.ID, Cents: o.Cents.Cents(), Days: o.Days, GameType: o.GameType}
	asked, ok := e.state.People().Approval(o.Approval)
	if !ok {
		return nil, &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval", Sentence: fmt.Sprintf("There is no approval %d.", o.Approval)}
	}
	if agreed, err := command.ReadAct(asked.Action, []byte(asked.Says)); err == nil {
		// Who names the type that a paper is for anyhow says nothing else than who leaves it out.
		if give, ok := agreed.(command.GivePaper); ok && e.sameType(o, give.GameType) {
			act.GameType = give.GameType
		}
	}
	used, err := staff.UseApproval(e.state, o.Now, staff.Use{
		By: asked.By, Approval: o.Approval, Action: command.ActionOf(act), Content: staff.ContentIn(o.Series, command.ActionOf(act), command.Say(act)),
	})
	if r, ok := errors.AsType[*refusal.Refusal](err); ok && r.Code == staff.ApprovalOther {
		return nil, e.otherPaper(o, asked)
	}
	if err != nil {
		return nil, err // A nil record would be a body.
	}
	return used, nil
}

// otherPaper says in what a paper differs from the one that two persons agreed on, so that
// a counter which mistypes one particular need not ask the office which.
func (e *Engine) otherPaper(o counter.PaperOrder, asked state.Approval) error {
	act, err := command.ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return err
	}
	agreed, _ := act.(command.GivePaper) // It is of this action, or it would be refused as unknown.
	differs := func(path, of string) error {
		return &refusal.Refusal{Code: staff.ApprovalOther, Path: path, Sentence: fmt.Sprintf("Approval %d is %s.", o.Approval, of)}
	}
	switch {
	case agreed.Terminal != o.Request.Terminal:
		return differs("approval", fmt.Sprintf("for terminal %d", agreed.Terminal))
	case agreed.Kind != o.ID:
		return differs("kind", "of another paper: "+e.paperName(o.Series, agreed.Kind))
	case agreed.Cents != o.Cents.Cents():
		return differs("cents", "of "+money.Amount(agreed.Cents).String())
	case !e.sameType(o, agreed.GameType):
		return differs("game_type", "for another type of game")
	case agreed.Days == 0:
		return differs("days", "of a paper without a shorter time than the rulebook's")
	}
	return differs("days", fmt.Sprintf("of a paper that is good for %s", figure.Count(agreed.Days, "day")))
}

// sameType reports whether a paper is for the type of game that two persons agreed on.
func (e *Engine) sameType(o counter.PaperOrder, agreed string) bool {
	series, ok := e.state.Series(o.Series)
	if !ok {
		return false
	}
	kind, _ := series.Book.Instrument(o.ID)
	return counter.GameTypeOf(&kind, o.GameType) == counter.GameTypeOf(&kind, agreed)
}

// paperName returns what the rulebook in force calls a kind of paper.
func (e *Engine) paperName(id uint8, kind string) string {
	if series, ok := e.state.Series(id); ok {
		if paper, ok := series.Book.Instrument(kind); ok {
			return paper.Name
		}
	}
	return kind
}

// RegisterCard gives somebody a player card and returns its number.
func (e *Engine) RegisterCard(now record.Time, id uint8, a counter.CardApplication) (uint32, error) {
	series, ok := e.state.Series(id)
	if !ok {
		return 0, &refusal.Refusal{Code: counter.SeriesUnknown, Path: "series", Sentence: "There is no such series."}
	}
	a.Today = series.Today(max(now, e.state.Now()))
	card, err := counter.RegisterCard(e.state, series.Book, a)
	if err != nil {
		return 0, err
	}
	_, err = e.append(now, card, nil)
	return card.Card, err
}

// NotifyCard records that a holder was told of prizes that wait.
func (e *Engine) NotifyCard(now record.Time, card uint32, tickets []counter.Payment, by uint32) error {
	notice, err := counter.NotifyHolder(e.state, card, tickets, by)
	if err != nil {
		return err
	}
	_, err = e.append(now, notice, nil)
	return err
}

// ActionReissue is what two persons do to the sheet of a ticket: they say that it was not
// handed over, or replace it.
const ActionReissue = "reissue_sheet"

// Reprint prints another sheet of a ticket that was not handed over: a copy by one person,
// or with the number of an approval one that replaces all before it.
func (e *Engine) Reprint(now record.Time, c counter.Sheet, request record.Request, claim record.Hash, approval uint32) (Answer, error) {
	if answer, done, err := e.known(request); done || err != nil {
		return answer, err
	}
	used, err := e.agreedSheet(now, &c, approval)
	if err != nil {
		return Answer{}, err
	}
	again, err := counter.Reprint(e.state, c, request, claim)
	if err != nil {
		return Answer{}, err
	}
	entry, err := e.appendAfter(now, used, again, nil)
	return Answer{Entry: entry}, err
}

// SetUndelivered records that a ticket was not handed over. The entry is not complete
// before a sheet of it is. What was said before is not said again.
//
//rule:vic-keno-2015 9(e)
func (e *Engine) SetUndelivered(now record.Time, c counter.Sheet, reason string, approval uint32) error {
	used, err := e.agreedSheet(now, &c, approval)
	if err != nil {
		return err
	}
	said, err := counter.ReportUndelivered(e.state, c, reason)
	if err != nil || e.state.Undelivered(c.Place) {
		return err
	}
	_, err = e.appendAfter(now, used, said, nil)
	return err
}

// agreedSheet returns the use of an approval for the sheet of a ticket, and notes in the
// command who asked for it. Without a number one person acts alone, and there is no use.
func (e *Engine) agreedSheet(now record.Time, c *counter.Sheet, approval uint32) (record.Body, error) {
	if err := staff.CheckTerminal(e.state, c.Terminal); err != nil || approval == 0 {
		return nil, err
	}
	asked, ok := e.state.People().Approval(approval)
	if !ok {
		return nil, &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval", Sentence: fmt.Sprintf("There is no approval %d.", approval)}
	}
	used, err := staff.UseApproval(e.state, max(now, e.state.Now()), staff.Use{
		By: asked.By, Approval: approval, Action: ActionReissue, Content: staff.ContentOf(ActionReissue, []byte(c.Place.String())),
	})
	if err != nil {
		return nil, err
	}
	c.Agreed = asked.By
	return used, staff.CheckAt(e.state, asked.By, c.Terminal)
}

// appendAfter appends a record and, just before it, the use of the approval by which it is
// done, if there is one. Both come, or neither does.
func (e *Engine) appendAfter(now record.Time, used, body record.Body, postings []ledger.Posting) (Entry, error) {
	if used != nil {
		e.lead = used
		defer func() { e.lead = nil }()
	}
	return e.append(now, body, postings)
}

// ActionVoid is what two persons do to a ticket that was not handed over.
const ActionVoid = "void_undelivered"

// VoidUndelivered gives back what a ticket has paid that was not handed over. Another
// person has consented to it: what is consented to is the ticket's place in words. Who asked
// for it is on shift at the terminal, or a senior of its venue.
func (e *Engine) VoidUndelivered(now record.Time, c counter.Cancellation, use staff.Use) (Answer, error) {
	if answer, done, err := e.known(c.Request); done || err != nil {
		return answer, err
	}
	at := max(now, e.state.Now())
	use.Action, use.Content = ActionVoid, staff.ContentOf(ActionVoid, []byte(c.Place.String())) // Consent is to this ticket.
	used, err := staff.UseApproval(e.state, at, use)
	if err != nil {
		return Answer{}, err
	}
	if err := staff.CheckAt(e.state, use.By, c.Request.Terminal); err != nil {
		return Answer{}, err
	}
	c.Void = true
	cancelled, postings, err := counter.Cancel(e.state, c)
	if err != nil {
		return Answer{}, err
	}
	entry, err := e.appendAfter(now, used, cancelled, postings)
	return Answer{Entry: entry}, err
}

// AskSheet asks another person to consent to what two do with a ticket at a counter. What
// could not be done now is not asked for.
func (e *Engine) AskSheet(now record.Time, by uint32, action string, c counter.Sheet) (uint32, error) {
	c.Agreed = by
	request := record.Request{Terminal: c.Terminal, Number: 1} // Only what is done has a number of its own.
	var err error
	if action == ActionVoid {
		// In a session more can be given back than in cash alone: what a voucher has paid for
		// goes back as one. It is refused only if no way is left.
		_, _, err = counter.Cancel(e.state, counter.Cancellation{Request: request, Place: c.Place, Sold: c.Sold, Void: true, InSession: true})
	} else {
		_, err = counter.Reprint(e.state, c, request, record.Hash{1})
	}
	if err != nil {
		return 0, err
	}
	made, err := e.Do(now, command.Change{Command: staff.Request{By: by, Action: action, Content: staff.ContentOf(action, []byte(c.Place.String()))}}, command.Env{})
	return staff.RequestNumber(made), err
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

// write appends a record that was decided, unless it was refused.
func (e *Engine) write(now record.Time, body record.Body, postings []ledger.Posting, refused error) error {
	if refused != nil {
		return refused
	}
	_, err := e.append(now, body, postings)
	return err
}

// Forfeit takes the prizes of a ticket from somebody under age.
func (e *Engine) Forfeit(now record.Time, c counter.Payment) (Answer, error) {
	if answer, done, err := e.known(c.Request); done || err != nil {
		return answer, err
	}
	c.Now = max(now, e.state.Now())
	forfeited, postings, err := counter.Forfeit(e.state, c)
	if err != nil {
		return Answer{}, err
	}
	entry, err := e.append(now, forfeited, postings)
	return Answer{Entry: entry}, err
}
