package house

import (
	"context"

	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Won returns the ticket at a place with what the ticket has won.
func (h *House) Won(ctx context.Context, place record.Place) (counter.Payment, error) {
	place, err := h.Resolve(ctx, place)
	if err != nil {
		return counter.Payment{}, err
	}
	ticket, err := h.Ticket(ctx, place)
	if err != nil {
		return counter.Payment{}, err
	}
	won := counter.Payment{Place: place, Sold: ticket.Sale, SoldAt: ticket.Time, Wins: ticket.wins}
	return won, h.checkRecord(ctx, place, ticket.Leaf)
}

// Form returns a claim form by its number. The caller does not change the form.
func (h *House) Form(_ context.Context, number uint32) (*state.ClaimForm, error) {
	return counter.FindClaim(h.viewed(), number)
}

// Claim is a claim form as it stands, with what follows from the rulebook.
type Claim struct {
	state.ClaimForm
	// Games are the names of the games of its parts, by ordinal.
	Games map[uint32]record.Game
	// Others are its parts that are tickets of other systems, by their place among the parts.
	Others map[int]OtherPart
	// Missing are the parties that must still sign, or be satisfied.
	Missing []string
	// CopiesDue says that there is a cheque or letter which the inspector has no copy of.
	CopiesDue bool
}

// Claims returns claim forms, newest first and at most so many: those that follow the
// number after in this order, or the newest if it is 0.
func (h *House) Claims(ctx context.Context, after uint32, most int) ([]Claim, error) {
	seen := h.viewed()
	number := seen.ClaimCount()
	if after > 0 {
		number = min(number, after-1)
	}
	var page []Claim
	for ; number > 0 && len(page) < most; number-- {
		c, _ := seen.ClaimForm(number)
		one, err := h.newClaim(ctx, c)
		if err != nil {
			return nil, err
		}
		page = append(page, one)
	}
	return page, nil
}

// Claim returns a claim form by its number.
func (h *House) Claim(ctx context.Context, number uint32) (Claim, error) {
	c, err := h.Form(ctx, number)
	if err != nil {
		return Claim{}, err
	}
	return h.newClaim(ctx, c)
}

// newClaim adds to a claim form what follows from the rulebook. The form is a copy of its
// own, which the caller may keep and change.
func (h *House) newClaim(ctx context.Context, c *state.ClaimForm) (Claim, error) {
	book := h.line(c.Series).Book()
	one := Claim{ClaimForm: c.Clone(), Games: map[uint32]record.Game{}, Missing: counter.MissingSignatures(c, book),
		CopiesDue: counter.CopiesDue(c, book)}
	for i, p := range c.Parts {
		if p.IsOther() {
			other, err := h.otherPart(ctx, p)
			if err != nil {
				return Claim{}, err
			}
			if one.Others == nil {
				one.Others = map[int]OtherPart{}
			}
			one.Others[i] = other
			continue
		}
		if name, ok := h.history.nameOf(c.Series, p.Ordinal); ok {
			one.Games[p.Ordinal] = name
		}
	}
	return one, nil
}
