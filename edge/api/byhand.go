package api

import (
	"context"
	"net/http"

	"drawhouse/decide/command"
	"drawhouse/house"
	"drawhouse/journal/record"
)

// HandPaymentRequest is the body with which a terminal brings such a payment in.
type HandPaymentRequest struct {
	Serial           string `json:"serial"`
	ClaimCode        string `json:"claim_code" doc:"The 16 characters printed on the ticket."`
	Approval         uint32 `json:"approval" doc:"Of the action pay_by_hand, by two persons: it has the game, the amount and who paid."`
	ContinuationHash string `json:"continuation_hash,omitempty" doc:"Hash of the claim code of the ticket that the rest of the games go on with, bound to this request."`
}

// byHand returns the payment by hand that is asked for.
func (m *treasury) byHand(r *http.Request, b command.HandPayment) (command.Act, error) {
	place, err := m.house.OfTicket(r.Context(), b.Serial)
	return command.PayByHand{Terminal: b.Terminal, Ticket: place.String(), Ordinal: b.Ordinal, Cents: b.Cents,
		PaidBy: b.PaidBy}, err
}

// payByHand brings in at a terminal what was paid by hand.
func (s *server) payByHand(w http.ResponseWriter, r *http.Request) error {
	var approval uint32
	request, place, holder, err := s.presentedWith(w, r, "hand-payment",
		field{name: "approval", required: true, read: whole(&approval, 1)})
	if err != nil {
		return err
	}
	return s.paid(w, r, request, place, func(ctx context.Context) (house.Paid, error) {
		return s.house.PayByHand(ctx, request, place, holder, approval)
	})
}

// paid pays, tried again if the result of a game came meanwhile, and shows what was paid.
func (s *server) paid(w http.ResponseWriter, r *http.Request, request record.Request, place record.Place,
	pay func(context.Context) (house.Paid, error)) error {
	var paid house.Paid
	err := s.guessing(request, []record.Place{place}, func() (err error) {
		paid, err = twice(r.Context(), pay)
		return err
	})
	if err != nil {
		return err
	}
	view, err := s.viewPayment(paid)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}
