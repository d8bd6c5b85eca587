package house

import (
	"context"

	"drawhouse/claim"
	"drawhouse/lane"
	"drawhouse/payout"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/state"
)

// LodgeClaim takes a claim form in for tickets and papers and returns its number.
func (h *House) LodgeClaim(ctx context.Context, f claim.Form, tickets []record.Place) (uint32, error) {
	f.Series = Series
	for _, place := range tickets {
		place, err := h.Resolve(ctx, place)
		if err != nil {
			return 0, err
		}
		ticket, err := h.Ticket(ctx, place)
		if err != nil {
			return 0, err
		}
		if err := h.checkRecord(ctx, place, ticket.Leaf); err != nil {
			return 0, err
		}
		f.Tickets = append(f.Tickets, payout.Command{Place: place, Sold: ticket.Sale, Wins: ticket.wins})
	}
	return lane.Do(ctx, h.lane, func(m machine) (uint32, error) { return m.LodgeClaim(h.now(), f) })
}

// NoteClaim puts a paper to a claim.
func (h *House) NoteClaim(ctx context.Context, b record.ClaimNoted) error {
	return h.inLane(ctx, func(m machine) error { return m.NoteClaim(h.now(), b) })
}

// SignClaim says what somebody thinks of a claim whom the rulebook asks.
func (h *House) SignClaim(ctx context.Context, b record.ClaimSigned) error {
	return h.inLane(ctx, func(m machine) error { return m.SignClaim(h.now(), b) })
}

// DecideClaim decides a claim.
func (h *House) DecideClaim(ctx context.Context, b record.ClaimDecided) error {
	return h.inLane(ctx, func(m machine) error { return m.DecideClaim(h.now(), b) })
}

// PayClaim pays a claim that was allowed, unless a witness disputes the journal.
func (h *House) PayClaim(ctx context.Context, b record.ClaimPaid) (*record.ClaimPaid, error) {
	if by := h.disputed(); by != "" {
		return nil, &refusal.Refusal{Code: payout.Disputed, Sentence: "Nothing is paid while " + by + "."}
	}
	return lane.Do(ctx, h.lane, func(m machine) (*record.ClaimPaid, error) { return m.PayClaim(h.now(), b) })
}

// Claims returns all claim forms by number.
func (h *House) Claims(ctx context.Context) ([]state.ClaimForm, error) {
	return lane.Do(ctx, h.lane, func(m machine) ([]state.ClaimForm, error) {
		var all []state.ClaimForm
		for _, c := range m.State().ClaimForms() {
			all = append(all, c.Clone())
		}
		return all, nil
	})
}
