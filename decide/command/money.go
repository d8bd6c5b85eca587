package command

import (
	"fmt"
	"strings"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// This file has what two persons do with the money of players and venues. The person who asks
// and the person who consents are the two who sign; a trial does not know the second.

func init() {
	register[ReleasePayment](act("money", "release_payment", "release-payment", "/v1/stops/release",
		"Ask for tickets and papers to be paid again",
		"amount_wrong named_twice not_frozen not_paid_for reason_missing other_system serial_unreadable ticket_lost ticket_unknown").said(Released{}))
	register[Invalidate](act("money", "invalidate", "invalidate-ticket", "/v1/stops/invalidations",
		"Ask for a ticket to be invalid by a change of the rules",
		"not_invalid reason_missing other_system serial_unreadable ticket_lost ticket_unknown").said(TicketReason{}))
	register[Disqualify](act("money", "disqualify", "disqualify-ticket", "/v1/stops/disqualifications",
		"Ask for no claim on a ticket to be admitted",
		"disqualified frozen reason_missing other_system serial_unreadable ticket_lost ticket_unknown").said(TicketReason{}))
	register[Reinstate](act("money", "reinstate", "reinstate-ticket", "/v1/stops/reinstatements",
		"Ask for a disqualification to be taken back",
		"not_reinstated reason_missing other_system serial_unreadable ticket_lost ticket_unknown").said(TicketReason{}))
	register[PayByHand](act("money", "pay_by_hand", "pay-by-hand", "/v1/operator/hand-payments",
		"Ask for a prize that was paid by hand to be brought in",
		"already_paid hand_cents_other hand_payer_other not_by_hand other_system serial_unreadable terminal_unknown ticket_lost ticket_unknown").said(HandPayment{}))
	register[GivePaper](act("operator", "give_paper", "give-paper", "/v1/operator/papers",
		"Ask for a terminal to issue a paper at the operator's expense",
		"claim_missing paper_amount paper_kind paper_life paper_not_given paper_not_sold paper_type terminal_unknown"))
	register[MoveBank](act("operator", "move_bank", "move-bank", "/v1/banks/moves",
		"Ask for cash to go to a writer's bank, or from it", "amount_wrong terminal_unknown venue_other"))
	register[CountBank](act("operator", "count_bank", "count-bank", "/v1/banks/counts",
		"Ask for a count of a writer's bank to be taken in", "amount_wrong nothing_open terminal_unknown venue_other"))
	register[UnwindSession](act("operator", "unwind_session", "unwind-session", "/v1/sessions/unwound",
		"Ask for the session that is open at a terminal which was shut out to be ended",
		"amount_wrong expect_other frozen not_paid_for not_shut_out nothing_open reason_missing tender_other terminal_unknown"))
}

// MoveBank moves cash between a venue's safe and the bank of a terminal.
type MoveBank struct {
	Terminal uint32 `json:"terminal" of:"terminal"`
	Move     string `json:"move" enum:"float,fill,drop" doc:"Which way the money goes."`
	Cents    int64  `json:"cents"`
}

// Words implements Act.
func (c MoveBank) Words() string {
	return fmt.Sprintf("Move %v between the safe and the bank of terminal %d (%s).", money.Amount(c.Cents), c.Terminal,
		c.Move)
}

// Decide implements Command.
func (c MoveBank) Decide(s *state.State, e *Env) (Decision, error) {
	moved, postings, err := counter.MoveBank(s, record.BankMoved{
		Terminal: c.Terminal, Move: record.BankMove(c.Move), Cents: money.Amount(c.Cents), By: e.By.Person,
		With: e.With,
	})
	return one(moved, postings, err)
}

// CountBank takes in a count of the bank of a terminal. What differs is over or short.
type CountBank struct {
	Terminal uint32 `json:"terminal" of:"terminal"`
	Cents    int64  `json:"cents" doc:"What was counted."`
}

// Words implements Act.
func (c CountBank) Words() string {
	return fmt.Sprintf("Take in that %v was counted in the bank of terminal %d.", money.Amount(c.Cents), c.Terminal)
}

// Decide implements Command.
func (c CountBank) Decide(s *state.State, e *Env) (Decision, error) {
	counted, postings, err := counter.CountBank(s,
		record.BankCounted{Terminal: c.Terminal, CountedCents: money.Amount(c.Cents), By: e.By.Person, With: e.With})
	return one(counted, postings, err)
}

// TicketReason is the body of a decision about one ticket.
type TicketReason struct {
	Serial string `json:"serial" of:"ticket"`
	Reason string `json:"reason"`
}

// Disqualify says that no claim on a ticket is admitted. The rulebook says of whom the two
// must be.
type Disqualify struct {
	Ticket string `json:"ticket" doc:"Place of the ticket in the journal."`
	Reason string `json:"reason"`
}

// Words implements Act.
func (c Disqualify) Words() string {
	return fmt.Sprintf("Admit no claim on ticket %s: %s.", c.Ticket, c.Reason)
}

// Decide implements Command. What carries the money of the entry waits, until two persons
// release it.
func (c Disqualify) Decide(s *state.State, e *Env) (Decision, error) {
	series, ticket, err := ticketOf(s, e.Series, c.Ticket)
	if err != nil {
		return Decision{}, err
	}
	body, err := counter.Disqualify(s, series.Book, ticket, c.Reason, []uint32{e.By.Person, e.With})
	if err != nil {
		return Decision{}, err
	}
	return Decision{Facts: []Fact{{Body: body}}, Then: func(s *state.State, _ *Env) (Decision, error) {
		return frozen(s, s.CameOf(ticket), c.Reason, body.Clause), nil
	}}, nil
}

// frozen stops payment on what is not stopped yet: nothing, where there is none.
func frozen(s *state.State, places []record.Place, reason, clause string) Decision {
	if len(places) == 0 {
		return Decision{}
	}
	frozen, refused := counter.Freeze(s, places, reason, clause, 0)
	if refused != nil {
		return Decision{}
	}
	return Decision{Facts: []Fact{{Body: frozen}}}
}

// Reinstate takes a disqualification back.
type Reinstate struct {
	Ticket string `json:"ticket" doc:"Place of the ticket in the journal."`
	Reason string `json:"reason"`
}

// Words implements Act.
func (c Reinstate) Words() string {
	return fmt.Sprintf("Admit claims on ticket %s again: %s.", c.Ticket, c.Reason)
}

// Decide implements Command.
func (c Reinstate) Decide(s *state.State, e *Env) (Decision, error) {
	series, ticket, err := ticketOf(s, e.Series, c.Ticket)
	if err != nil {
		return Decision{}, err
	}
	return plain(counter.Reinstate(s, series.Book, ticket, c.Reason, e.By.Person))
}

// Released is the body of a request that payment goes on.
type Released struct {
	Serials []string `json:"serials"`
	Reason  string   `json:"reason"`
	Cents   int64    `json:"cents,omitempty" doc:"What was paid late for what the customer of a session left unpaid: all that was owed, into the safe of the venue. Left out where nothing was."`
}

// ReleasePayment lets tickets and papers be paid again on which payment was stopped.
type ReleasePayment struct {
	Places []string `json:"places" doc:"Of the tickets and papers in the journal."`
	Reason string   `json:"reason"`
	Cents  int64    `json:"cents,omitempty" doc:"What the customer of a session that ended unpaid has paid late for them, all that was owed."`
}

// Words implements Act.
func (c ReleasePayment) Words() string {
	late := ""
	if c.Cents != 0 {
		late = fmt.Sprintf(", for which %v were paid late", money.Amount(c.Cents))
	}
	return fmt.Sprintf("Let %s be paid again%s: %s.", strings.Join(c.Places, ", "), late, c.Reason)
}

// Decide implements Command.
func (c ReleasePayment) Decide(s *state.State, e *Env) (Decision, error) {
	var places []record.Place
	for _, text := range c.Places {
		place, err := placeOf(text)
		if err != nil {
			return Decision{}, err
		}
		places = append(places, place)
	}
	released, postings, err := counter.Release(s, places, c.Reason, money.Amount(c.Cents), e.By.Person)
	return one(released, postings, err)
}

// Invalidate says that a change of the rules has made a ticket invalid in the games that
// have not closed, so that its holder gives it back.
type Invalidate struct {
	Ticket string `json:"ticket" doc:"Place of the ticket in the journal."`
	Reason string `json:"reason"`
}

// Words implements Act.
func (c Invalidate) Words() string {
	return fmt.Sprintf("Declare ticket %s invalid in its games that have not closed: %s.", c.Ticket, c.Reason)
}

// Decide implements Command.
func (c Invalidate) Decide(s *state.State, e *Env) (Decision, error) {
	series, ticket, err := ticketOf(s, e.Series, c.Ticket)
	if err != nil {
		return Decision{}, err
	}
	return plain(counter.Invalidate(s, series, ticket, c.Reason, e.By.Person))
}

// UnwindSession ends the customer session that is open at a terminal which was shut out.
type UnwindSession struct {
	Terminal uint32 `json:"terminal" of:"revoked-terminal"`
	Cents    int64  `json:"cents" doc:"What the customer has paid in cash for what was sold in the session. The rest is not paid for."`
	Reason   string `json:"reason"`
}

// Words implements Act.
func (c UnwindSession) Words() string {
	return fmt.Sprintf("End the customer session at terminal %d, which was shut out, with %v that the customer paid in cash: %s.", c.Terminal, money.Amount(c.Cents), c.Reason)
}

// Decide implements Command.
func (c UnwindSession) Decide(s *state.State, e *Env) (Decision, error) {
	if c.Reason == "" {
		return Decision{}, &refusal.Refusal{Code: counter.ReasonMissing, Path: "reason",
			Sentence: "To end a session from elsewhere needs a reason."}
	}
	ended, err := counter.UnwindSession(s, e.Series, e.Now, c.Terminal, money.Amount(c.Cents))
	if err != nil {
		return Decision{}, err
	}
	return Ended(ended), nil
}

// Ended is what comes of the end of a customer session: the papers that it issues stand just
// before it, and the cheques that it promises or what it freezes just behind.
func Ended(ended counter.EndedSession) Decision {
	var all Decision
	for _, paper := range ended.Papers {
		all.Facts = append(all.Facts, Fact{paper.Record, paper.Postings})
	}
	all.Facts = append(all.Facts, Fact{ended.Record, ended.Postings})
	all.Answer = ended.Record
	all.Then = func(s *state.State, _ *Env) (Decision, error) {
		end := s.Next()
		end.Seq-- // The record that ends the session is the last.
		var behind Decision
		for _, cheque := range ended.Promised {
			cheque.End = end
			behind.Facts = append(behind.Facts, Fact{Body: cheque})
		}
		unpaid := frozen(s, ended.Unpaid, "not paid for", ended.Clause)
		behind.Facts = append(behind.Facts, unpaid.Facts...)
		return behind, nil
	}
	return all
}

// GivePaper has a terminal issue a paper at the operator's expense. It is issued there, with
// the terminal's own claim code, and not by who asked for it.
type GivePaper struct {
	Terminal uint32 `json:"terminal" of:"counter" doc:"That issues it, once."`
	Kind     string `json:"kind" of:"paper" doc:"Of paper, as the rulebook names it."`
	Cents    int64  `json:"cents"`
	Days     int    `json:"days,omitempty" doc:"A shorter time than the rulebook's."`
	GameType string `json:"game_type,omitempty" of:"play-type" doc:"Type of game that it is for, by the id of the bet. Without it, the first that the rulebook names for such a paper."`
}

// Words implements Act.
func (c GivePaper) Words() string {
	life := ""
	if c.Days > 0 {
		life = fmt.Sprintf(", good for %d days", c.Days)
	}
	if c.GameType != "" {
		life += fmt.Sprintf(", for %s", c.GameType)
	}
	return fmt.Sprintf("Have terminal %d issue a paper (%s) of %v at the operator's expense%s.", c.Terminal, c.Kind,
		money.Amount(c.Cents), life)
}

// Where implements There.
func (c GivePaper) Where() string { return fmt.Sprintf("Terminal %d issues the paper", c.Terminal) }

// Decide implements Command.
func (c GivePaper) Decide(s *state.State, e *Env) (Decision, error) {
	_, _, err := counter.IssuePaper(s, counter.PaperOrder{
		Request: record.Request{Terminal: c.Terminal, Number: 1}, Now: e.Now, Series: e.Series,
		ID: c.Kind, Cents: money.Amount(c.Cents), Days: c.Days, GameType: c.GameType, Claim: record.Hash{1},
		Reason: record.IssuedByOperator,
	})
	return Decision{}, err
}

// HandPayment is the body with which it is asked that a prize which was paid by hand be brought
// in.
type HandPayment struct {
	Terminal uint32 `json:"terminal" of:"counter" doc:"Whose cash was used; it brings the payment in."`
	Serial   string `json:"serial" of:"ticket" doc:"Of the ticket that was presented."`
	Ordinal  uint32 `json:"ordinal" of:"game" doc:"Of the game, as games show it."`
	Cents    int64  `json:"cents" doc:"What was paid: what the ticket has won in the game."`
	PaidBy   uint32 `json:"paid_by" of:"person" doc:"Number of the person who paid."`
}

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

// Words implements Act.
func (c PayByHand) Words() string {
	return fmt.Sprintf("Bring in at terminal %d that person %d has paid %v by hand for ticket %s in game %d of the series, whose result the computer did not take.",
		c.Terminal, c.PaidBy, money.Amount(c.Cents), c.Ticket, c.Ordinal)
}

// Where implements There.
func (c PayByHand) Where() string {
	return fmt.Sprintf("Terminal %d brings the payment in", c.Terminal)
}

// Hand returns the payment as the counter takes it in.
func (c PayByHand) Hand() counter.Hand {
	return counter.Hand{Ordinal: c.Ordinal, Cents: money.Amount(c.Cents), PaidBy: c.PaidBy}
}

// Decide implements Command.
func (c PayByHand) Decide(s *state.State, e *Env) (Decision, error) {
	series, ticket, err := ticketOf(s, e.Series, c.Ticket)
	if err != nil {
		return Decision{}, err
	}
	if _, ok := s.Terminal(c.Terminal); !ok {
		return Decision{}, &refusal.Refusal{Code: counter.TerminalUnknown, Path: "terminal",
			Sentence: fmt.Sprintf("There is no terminal %d.", c.Terminal)}
	}
	if err := counter.CheckHand(s, series, c.Hand()); err != nil {
		return Decision{}, err
	}
	if paid := s.Paid(ticket, c.Ordinal); paid > 0 {
		return Decision{}, &refusal.Refusal{Code: counter.AlreadyPaid, Path: "ticket",
			Sentence: fmt.Sprintf("The ticket was paid %v for this game.", paid)}
	}
	return Decision{}, nil
}

// seriesOf returns the series of games that a decision is about.
func seriesOf(s *state.State, id uint8) (*state.Series, error) {
	series, ok := s.Series(id)
	if !ok {
		return nil, &refusal.Refusal{Code: counter.SeriesUnknown, Path: "series", Sentence: "There is no such series."}
	}
	return series, nil
}

// ticketOf returns the series and the place of a ticket that an act names.
func ticketOf(s *state.State, id uint8, text string) (*state.Series, record.Place, error) {
	series, err := seriesOf(s, id)
	if err != nil {
		return nil, record.Place{}, err
	}
	ticket, err := placeOf(text)
	return series, ticket, err
}

// placeOf reads the place of a ticket in its one form.
func placeOf(text string) (record.Place, error) {
	place, err := record.ParsePlace(text)
	if err != nil {
		return place, &refusal.Refusal{Code: counter.TicketUnknown, Path: "ticket",
			Sentence: "There is no such ticket."}
	}
	return place, nil
}
