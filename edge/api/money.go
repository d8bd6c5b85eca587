package api

import (
	"context"
	"net/http"
	"time"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/house"
	"drawhouse/house/live"
	"drawhouse/journal/record"
)

// Treasury is a house whose persons stop payments, keep banks, give out cards and hand over
// cheques. What it returns without an error is durable.
type Treasury interface {
	Bank(ctx context.Context, terminal uint32) (counter.Bank, error)
	Card(ctx context.Context, card uint32) (state.Card, error)
	PayeeErased(ctx context.Context, payee record.Hash) (state.Erasure, error)
	Statement(ctx context.Context, card uint32) ([]counter.CardMovement, error)
	Cheques(ctx context.Context, person uint32) ([]house.Cheque, error)
	Holidays(ctx context.Context) ([]day.Day, error)
}

// Bank is what a writer answers for.
type Bank struct {
	Terminal      uint32 `json:"terminal"`
	DrawerCents   int64  `json:"drawer_cents" doc:"What should be in the drawer."`
	CustomerCents int64  `json:"customer_cents" doc:"What the customer of the open session owes."`
}

// CardStatement is what happened on a card.
type CardStatement struct {
	Status     string            `json:"status" enum:"active,excluded,closed"`
	Holder     *command.Customer `json:"holder,omitempty" doc:"Absent where the register has forgotten the holder."`
	Erased     *Erased           `json:"erased,omitempty" doc:"Who had the register forget the holder, and when."`
	FundsCents int64             `json:"funds_cents"`
	Movements  []CardMovement    `json:"movements"`
}

// CardMovement is one line of a statement.
type CardMovement struct {
	Time       time.Time `json:"time"`
	Session    uint32    `json:"session"`
	Cents      int64     `json:"cents" doc:"To the card when positive."`
	FundsCents int64     `json:"funds_cents" doc:"After it."`
	Tickets    []live.ID `json:"tickets,omitempty" doc:"That it paid for."`
}

// moneyRoutes registers what persons do with the money of players and venues. Nobody
// does it from a terminal. One person stops a payment; that it goes on, a disqualification
// and its end, a ticket made invalid and whatever touches a bank are asked for here, and
// another person signs.
func (s *server) moneyRoutes(t Treasury) {
	m := &treasury{s, t}
	askAs[command.ReleasePayment](s, m.release)
	askAs[command.Invalidate](s, about(m, func(ticket,
		reason string) command.Act {
		return command.Invalidate{Ticket: ticket, Reason: reason}
	}))
	askAs[command.Disqualify](s, about(m, func(ticket,
		reason string) command.Act {
		return command.Disqualify{Ticket: ticket, Reason: reason}
	}))
	askAs[command.Reinstate](s, about(m, func(ticket,
		reason string) command.Act {
		return command.Reinstate{Ticket: ticket, Reason: reason}
	}))
	askAs[command.PayByHand](s, m.byHand)
	s.serve(route{
		name: "get-bank", path: "/v1/banks/{bank}", says: "What the bank of a terminal should have", tag: "money",
		who: anyRole, refuses: "terminal_unknown venue_other", out: Bank{},
	}, m.bank)
	s.serve(route{
		name: "get-payee", path: "/v1/payees/{hash}", says: "Who the payee of a cheque or transfer is", tag: "money",
		who: offices, refuses: "payee_erased payee_unknown", out: command.Customer{},
	}, m.getPayee)
	s.serve(route{
		name: "get-card", path: "/v1/cards/{card}", says: "What happened on a card", tag: "money", who: offices,
		refuses: "card_unknown", out: CardStatement{},
	}, m.statement)
	s.serve(route{
		name: "look-up-card", path: "/v1/terminals/{terminal}/cards/{card}",
		says: "What happened on a card whose holder is at the counter", tag: "terminal", who: terminals,
		refuses: "card_unknown no_writer", out: CardStatement{},
	}, m.atCounter)
	m.chequeRoutes()
}

// treasury serves the routes of money.
type treasury struct {
	*server
	till Treasury
}

func (m *treasury) release(r *http.Request, body command.Released) (command.Act, error) {
	places, err := command.PlacesOf(r.Context(), m.house.First(), body.Serials)
	act := command.ReleasePayment{Reason: body.Reason, Cents: body.Cents}
	for _, place := range places {
		act.Places = append(act.Places, place.String())
	}
	return act, err
}

// about asks for an act about a ticket, which must be one.
func about(m *treasury, act func(ticket,
	reason string) command.Act) func(*http.Request, command.TicketReason) (command.Act, error) {
	return func(r *http.Request, body command.TicketReason) (command.Act, error) {
		place, err := m.house.OfTicket(r.Context(), body.Serial)
		return act(place.String(), body.Reason), err
	}
}

func (m *treasury) bank(w http.ResponseWriter, r *http.Request) error {
	terminal, err := number32(r, "bank")
	if err != nil {
		return err
	}
	bank, err := m.till.Bank(r.Context(), terminal)
	if err != nil {
		return err
	}
	err = staff.CheckWorksAt(m.house.People(), callerOf(r).person, terminal)
	if err != nil {
		return err
	}
	m.writeJSON(w, r, http.StatusOK,
		Bank{Terminal: terminal, DrawerCents: bank.Drawer.Cents(), CustomerCents: bank.Customer.Cents()})
	return nil
}

func (m *treasury) statement(w http.ResponseWriter, r *http.Request) error {
	view, err := m.statementOf(r)
	if err != nil {
		return err
	}
	m.noted(r, "a card was looked up", callerOf(r).person.ID, "card", r.PathValue("card"))
	m.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// atCounter tells the person who is on shift what a card has, and notes who that was: a writer
// serves the holder of any card, so that no role keeps them from asking about others. Of its
// holder a counter needs the name alone; and where nobody is on shift, as at a kiosk,
// anybody could ask.
func (m *treasury) atCounter(w http.ResponseWriter, r *http.Request) error {
	by, err := m.onShift(r)
	if err != nil {
		return err
	}
	view, err := m.statementOf(r)
	if err != nil {
		return err
	}
	m.noted(r, "a card was looked up", by, "card", r.PathValue("card"))
	if view.Holder != nil {
		view.Holder = &command.Customer{Name: view.Holder.Name}
	}
	m.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// statementOf reads the statement of the card that a path names.
func (m *treasury) statementOf(r *http.Request) (CardStatement, error) {
	card, err := number32(r, "card")
	if err != nil {
		return CardStatement{}, err
	}
	found, err := m.till.Card(r.Context(), card)
	if err != nil {
		return CardStatement{}, err
	}
	movements, err := m.till.Statement(r.Context(), card)
	if err != nil {
		return CardStatement{}, err
	}
	view := CardStatement{Status: string(found.Status), FundsCents: found.Cents.Cents(), Movements: []CardMovement{},
		Erased: m.viewErasure(found.Erased)}
	if !found.Erased.Done() {
		if view.Holder, err = m.shownBy(r.Context(), found.Details); err != nil {
			return CardStatement{}, err
		}
	}
	for _, move := range movements {
		line := CardMovement{Time: m.time(move.Time), Session: move.Session, Cents: move.Cents.Cents(),
			FundsCents: move.Funds.Cents()}
		for _, ticket := range move.Tickets {
			line.Tickets = append(line.Tickets, live.ID(ticket))
		}
		view.Movements = append(view.Movements, line)
	}
	return view, nil
}
