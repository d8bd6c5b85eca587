package engine

import (
	"fmt"

	"drawhouse/counter"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/state"
)

// This file has the acts that two persons do with the money of players and venues.
// Whoever asks and whoever consents are the two who sign; a trial knows neither and
// tries all but that.

// MoveBank moves cash between a venue's safe and the bank of a terminal.
type MoveBank struct {
	Terminal uint32 `json:"terminal"`
	Move     string `json:"move" enum:"float,fill,drop"`
	Cents    int64  `json:"cents"`
}

// CountBank takes in a count of the bank of a terminal. What differs is over or short.
type CountBank struct {
	Terminal uint32 `json:"terminal"`
	Cents    int64  `json:"cents" doc:"What was counted."`
}

// Disqualify says that no claim on a ticket is admitted. The rulebook says of whom the
// two must be.
type Disqualify struct {
	Ticket string `json:"ticket" doc:"Place of the ticket in the journal."`
	Reason string `json:"reason"`
}

// Reinstate takes a disqualification back.
type Reinstate struct {
	Ticket string `json:"ticket" doc:"Place of the ticket in the journal."`
	Reason string `json:"reason"`
}

// ReleasePayment lets tickets and papers be paid again on which payment was stopped.
type ReleasePayment struct {
	Places []string `json:"places" doc:"Of the tickets and papers in the journal."`
	Reason string   `json:"reason"`
	Cents  int64    `json:"cents,omitempty" doc:"What the customer of a session that ended unpaid has paid late for them, all that was owed."`
}

// Invalidate says that a change of the rules has made a ticket invalid in the games that
// have not closed, so that its holder gives it back.
type Invalidate struct {
	Ticket string `json:"ticket" doc:"Place of the ticket in the journal."`
	Reason string `json:"reason"`
}

// UnwindSession ends the customer session that is open at a terminal which was shut out.
type UnwindSession struct {
	Terminal uint32 `json:"terminal"`
	Cents    int64  `json:"cents" doc:"What the customer has paid in cash for what was sold in the session. The rest is not paid for."`
	Reason   string `json:"reason"`
}

// Action implements Act.
func (UnwindSession) Action() string { return "unwind_session" }

// Action implements Act.
func (MoveBank) Action() string { return "move_bank" }

// Action implements Act.
func (CountBank) Action() string { return "count_bank" }

// Action implements Act.
func (Disqualify) Action() string { return "disqualify" }

// Action implements Act.
func (Reinstate) Action() string { return "reinstate" }

// Action implements Act.
func (ReleasePayment) Action() string { return "release_payment" }

// Action implements Act.
func (Invalidate) Action() string { return "invalidate" }

// signers returns who asked for something and who consented.
func (e *Engine) signers(approval uint32) (by, with uint32) {
	asked, _ := e.state.People().Approval(approval)
	return asked.By, asked.Decider
}

func (a MoveBank) do(e *Engine, now record.Time, _ uint8, approval uint32) error {
	by, with := e.signers(approval)
	return e.moveBank(now, record.BankMoved{Terminal: a.Terminal, Move: record.BankMove(a.Move), Cents: money.Amount(a.Cents), By: by, With: with})
}

func (a CountBank) do(e *Engine, now record.Time, _ uint8, approval uint32) error {
	by, with := e.signers(approval)
	return e.countBank(now, record.BankCounted{Terminal: a.Terminal, CountedCents: money.Amount(a.Cents), By: by, With: with})
}

func (a UnwindSession) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	if a.Reason == "" {
		return &refusal.Refusal{Code: counter.ReasonMissing, Path: "reason", Sentence: "To end a session from elsewhere needs a reason."}
	}
	ended, err := counter.UnwindSession(e.state, series, max(now, e.state.Now()), a.Terminal, money.Amount(a.Cents))
	if err != nil {
		return err
	}
	_, err = e.writeEnd(now, ended)
	return err
}

func (a Disqualify) do(e *Engine, now record.Time, series uint8, approval uint32) error {
	current, ticket, err := e.ticketOf(series, a.Ticket)
	if err != nil {
		return err
	}
	by, with := e.signers(approval)
	body, err := counter.Disqualify(e.state, current.Book, ticket, a.Reason, []uint32{by, with})
	if err := e.write(now, body, nil, err); err != nil {
		return err
	}
	if came := e.state.CameOf(ticket); len(came) > 0 {
		// What carries the money of the entry waits, until two persons release it.
		if frozen, refused := counter.Freeze(e.state, came, a.Reason, body.Clause, 0); refused == nil {
			e.mustFollow(now, frozen, nil)
		}
	}
	return nil
}

func (a Reinstate) do(e *Engine, now record.Time, series uint8, approval uint32) error {
	current, ticket, err := e.ticketOf(series, a.Ticket)
	if err != nil {
		return err
	}
	by, _ := e.signers(approval)
	body, err := counter.Reinstate(e.state, current.Book, ticket, a.Reason, by)
	return e.write(now, body, nil, err)
}

func (a ReleasePayment) do(e *Engine, now record.Time, _ uint8, approval uint32) error {
	var places []record.Place
	for _, text := range a.Places {
		place, err := placeOf(text)
		if err != nil {
			return err
		}
		places = append(places, place)
	}
	by, _ := e.signers(approval)
	body, postings, err := counter.Release(e.state, places, a.Reason, money.Amount(a.Cents), by)
	return e.write(now, body, postings, err)
}

func (a Invalidate) do(e *Engine, now record.Time, series uint8, approval uint32) error {
	current, ticket, err := e.ticketOf(series, a.Ticket)
	if err != nil {
		return err
	}
	by, _ := e.signers(approval)
	body, err := counter.Invalidate(e.state, current, ticket, a.Reason, by)
	return e.write(now, body, nil, err)
}

// GivePaper has a terminal issue a paper at the operator's expense. It is issued there, with
// the terminal's own claim code, and not by who asked for it.
type GivePaper struct {
	Terminal uint32 `json:"terminal" doc:"That issues it, once."`
	Kind     string `json:"kind" doc:"Of paper, as the rulebook names it."`
	Cents    int64  `json:"cents"`
	Days     int    `json:"days,omitempty" doc:"A shorter time than the rulebook's."`
}

// Action implements Act.
func (GivePaper) Action() string { return "give_paper" }

// IssuedThere: the paper is issued at the terminal, and not by using the approval.
const IssuedThere refusal.Code = "issued_at_terminal"

func (a GivePaper) do(e *Engine, now record.Time, series uint8, _ uint32) error {
	if !e.trial {
		return &refusal.Refusal{Code: IssuedThere, Path: "approval", Sentence: fmt.Sprintf("Terminal %d issues the paper, with this approval.", a.Terminal)}
	}
	_, _, err := counter.IssuePaper(e.state, counter.PaperOrder{
		Request: record.Request{Terminal: a.Terminal, Number: 1}, Now: max(now, e.state.Now()), Series: series,
		ID: a.Kind, Cents: money.Amount(a.Cents), Days: a.Days, Claim: record.Hash{1}, Reason: record.IssuedByOperator,
	})
	if err == nil {
		err = errTrial
	}
	return err
}

// ticketOf returns the series and the place of a ticket that an act names.
func (e *Engine) ticketOf(series uint8, text string) (*state.Series, record.Place, error) {
	current, ok := e.state.Series(series)
	if !ok {
		return nil, record.Place{}, &refusal.Refusal{Code: counter.SeriesUnknown, Path: "series", Sentence: "There is no such series."}
	}
	ticket, err := placeOf(text)
	return current, ticket, err
}

// placeOf reads the place of a ticket in its one form.
func placeOf(text string) (record.Place, error) {
	var place record.Place
	if _, err := fmt.Sscanf(text, "%d:%d", &place.Volume, &place.Seq); err != nil || place.String() != text {
		return record.Place{}, &refusal.Refusal{Code: counter.TicketUnknown, Path: "ticket", Sentence: "There is no such ticket."}
	}
	return place, nil
}
