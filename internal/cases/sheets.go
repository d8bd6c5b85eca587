package cases

import (
	"fmt"
	"net/http"

	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/edge/api"
	"drawhouse/journal/record"
)

// replaced has two persons print another sheet of a ticket, in place of all before it.
func (r *run) replaced(text string) (string, error) {
	t, terminal, err := r.ticket(text)
	if err != nil {
		return "", err
	}
	return "replaced", r.house.Replace(terminal, t)
}

// undo has two persons take a ticket back that was not handed over.
func (r *run) undo(text string) (string, error) {
	t, terminal, err := r.ticket(text)
	if err != nil {
		return "", err
	}
	refund, carried, err := r.house.Undo(terminal, t)
	return fmt.Sprintf("refund %v carried %v", refund, carried), err
}

// atCounter returns who asks for something at a terminal, and who consents to it: the person who is
// on shift there, and an operative.
func atCounter(o interface {
	office
	staffed
}, terminal uint32) (asks, consents uint32, err error) {
	if err := signOn(o, terminal); err != nil {
		return 0, 0, err
	}
	s, err := o.State()
	if err != nil {
		return 0, 0, err
	}
	post, _ := s.People().Post(terminal)
	return post.Person, Payer, nil
}

// consentTo is the consent to what two persons do with a ticket.
func consentTo(by, approval uint32, action string, of record.Place) staff.Consent {
	return staff.Consent{By: by, Approval: approval, Content: staff.ContentOf(action, []byte(of.String())),
		Granted: true}
}

// askSheet has two persons agree on what they do with a ticket.
func (c *Core) askSheet(action string, terminal uint32, t Ticket) (asked, approval uint32, err error) {
	sold, err := c.sold(t.Place)
	if err != nil {
		return 0, 0, err
	}
	asks, consents, err := atCounter(c, terminal)
	if err != nil {
		return 0, 0, err
	}
	var ask command.Command = command.AskReissue{Sheet: counter.Sheet{Terminal: terminal, Place: t.Place, Sold: sold}}
	if action == command.ActionVoid {
		ask = command.AskVoid{Sheet: counter.Sheet{Terminal: terminal, Place: t.Place, Sold: sold}}
	}
	made, err := c.DoesAs(asks, ask)
	if err != nil {
		return 0, 0, err
	}
	number := staff.RequestNumber(made)
	return asks, number, c.Staff(consentTo(consents, number, action, t.Place))
}

// Replace implements Counter.
func (c *Core) Replace(terminal uint32, t Ticket) error {
	_, approval, err := c.askSheet(command.ActionReissue, terminal, t)
	if err != nil {
		return err
	}
	return c.reprint(terminal, t, approval)
}

// Undo implements Counter.
func (c *Core) Undo(terminal uint32, t Ticket) (refund, carried money.Amount, err error) {
	asked, approval, err := c.askSheet(command.ActionVoid, terminal, t)
	if err != nil {
		return 0, 0, err
	}
	sold, err := c.sold(t.Place)
	if err != nil {
		return 0, 0, err
	}
	back := counter.Cancellation{Request: c.request(terminal, []byte("undo "+t.Serial)), Place: t.Place, Sold: sold,
		InSession: c.visits.open[terminal]}
	return cancelled(c.asks(command.VoidUndelivered{Cancellation: back, Use: staff.Use{By: asked, Approval: approval}}))
}

// askSheet has two persons agree on what they do with a ticket.
func (s *Served) askSheet(action, path string, terminal uint32, t Ticket) (uint32, error) {
	_, consents, err := atCounter(s, terminal)
	if err != nil {
		return 0, err
	}
	var asked api.Approval
	if err := s.send(http.MethodPost, fmt.Sprintf("/v1/terminals/%d/%s", terminal, path),
		api.SerialRequest{Serial: t.Serial}, &asked); err != nil {
		return 0, err
	}
	return asked.Number, s.Staff(consentTo(consents, asked.Number, action, t.Place))
}

// Replace implements Counter.
func (s *Served) Replace(terminal uint32, t Ticket) error {
	approval, err := s.askSheet(command.ActionReissue, "reissues", terminal, t)
	if err != nil {
		return err
	}
	return s.reprint(terminal, t, approval)
}

// Undo implements Counter.
func (s *Served) Undo(terminal uint32, t Ticket) (refund, carried money.Amount, err error) {
	approval, err := s.askSheet(command.ActionVoid, "voids", terminal, t)
	if err != nil {
		return 0, 0, err
	}
	var back api.Cancellation
	err = s.send(http.MethodPut, s.requestPath(terminal, "void"),
		api.VoidTicketRequest{Serial: t.Serial, InSession: s.visits.open[terminal], Approval: approval}, &back)
	return money.Amount(back.RefundCents), money.Amount(back.CarriedCents), err
}
