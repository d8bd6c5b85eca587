package house

import (
	"context"

	"drawhouse/counter"
	"drawhouse/lane"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/state"
)

// LodgeClaim takes a claim form in for tickets and papers and returns its number.
func (h *House) LodgeClaim(ctx context.Context, f counter.ClaimForm, tickets []record.Place) (uint32, error) {
	var err error
	f.Series = Series
	if f.Tickets, err = h.onForm(ctx, tickets); err != nil {
		return 0, err
	}
	return lane.DoSoon(ctx, h.lane, func(m machine) (uint32, error) { return m.LodgeClaim(h.now(), f) })
}

// onForm gathers what decides about tickets that are not at a counter: their sales and wins,
// held against the journal.
func (h *House) onForm(ctx context.Context, tickets []record.Place) ([]counter.Payment, error) {
	var all []counter.Payment
	for _, place := range tickets {
		place, err := h.Resolve(ctx, place)
		if err != nil {
			return nil, err
		}
		ticket, err := h.Ticket(ctx, place)
		if err != nil {
			return nil, err
		}
		if err := h.checkRecord(ctx, place, ticket.Leaf); err != nil {
			return nil, err
		}
		all = append(all, counter.Payment{Place: place, Sold: ticket.Sale, Wins: ticket.wins})
	}
	return all, nil
}

// NoteClaim puts a paper to a claim.
func (h *House) NoteClaim(ctx context.Context, b record.ClaimNoted) error {
	return h.soon(ctx, func(m machine) error { return m.NoteClaim(h.now(), b) })
}

// SignClaim says what somebody thinks of a claim whom the rulebook asks.
func (h *House) SignClaim(ctx context.Context, b record.ClaimSigned) error {
	return h.soon(ctx, func(m machine) error { return m.SignClaim(h.now(), b) })
}

// DecideClaim decides a claim.
func (h *House) DecideClaim(ctx context.Context, b record.ClaimDecided) error {
	return h.soon(ctx, func(m machine) error { return m.DecideClaim(h.now(), b) })
}

// PayClaim pays a claim that was allowed, unless a witness disputes the journal.
func (h *House) PayClaim(ctx context.Context, b record.ClaimPaid, expect *money.Amount) (*record.ClaimPaid, error) {
	if by := h.disputed(); by != "" {
		return nil, &refusal.Refusal{Code: counter.Disputed, Sentence: "Nothing is paid while " + by + "."}
	}
	return lane.DoSoon(ctx, h.lane, func(m machine) (*record.ClaimPaid, error) { return m.PayClaim(h.now(), b, expect) })
}

// Claim is a claim form as it stands, with what follows from the rulebook.
type Claim struct {
	state.ClaimForm
	// Games are the names of the games of its parts, by ordinal.
	Games map[uint32]record.Game
	// Missing are the parties that must still sign, or be satisfied.
	Missing []string
	// CopiesDue says that there is a cheque or letter which the inspector has no copy of.
	CopiesDue bool
}

// Claims returns claim forms, newest first and at most so many: those that follow the
// number after in this order, or the newest if it is 0.
func (h *House) Claims(_ context.Context, after uint32, most int) ([]Claim, error) {
	seen := h.viewed()
	number := seen.ClaimCount()
	if after > 0 {
		number = min(number, after-1)
	}
	var page []Claim
	for ; number > 0 && len(page) < most; number-- {
		c, _ := seen.ClaimForm(number)
		page = append(page, h.newClaim(c))
	}
	return page, nil
}

// Claim returns a claim form by its number.
func (h *House) Claim(_ context.Context, number uint32) (Claim, error) {
	c, err := counter.FindClaim(h.viewed(), number)
	if err != nil {
		return Claim{}, err
	}
	return h.newClaim(c), nil
}

// newClaim adds to a claim form what follows from the rulebook. The form is a copy of its
// own, which the caller may keep and change.
func (h *House) newClaim(c *state.ClaimForm) Claim {
	book := h.Book()
	one := Claim{ClaimForm: c.Clone(), Games: map[uint32]record.Game{}, Missing: counter.MissingSignatures(c, book), CopiesDue: counter.CopiesDue(c, book)}
	for _, p := range c.Parts {
		if name, ok := h.history.nameOf(c.Series, p.Ordinal); ok {
			one.Games[p.Ordinal] = name
		}
	}
	return one
}
