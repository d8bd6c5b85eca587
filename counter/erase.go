package counter

import (
	"slices"

	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/staff"
	"drawhouse/state"
)

// The codes about customers who are to be forgotten.
const (
	CardOpen     refusal.Code = "card_open"     // the card can still be used, so that its holder must be known
	PayeeUnknown refusal.Code = "payee_unknown" // there is no such payee
	ErasedBefore refusal.Code = "erased_before" // the register has forgotten already
)

// EraseHolder has the register forget who held a card that nobody can use any more. The
// record says whose details are gone by the number of the card, and who had them erased.
func EraseHolder(s *state.State, e record.HolderErased) (*record.HolderErased, error) {
	if err := checkMayErase(s, e.By); err != nil {
		return nil, err
	}
	card, ok := s.Card(e.Card)
	switch {
	case !ok:
		return nil, refuse(CardUnknown, "", "card", "There is no card %d.", e.Card)
	case card.Status != record.CardClosed:
		return nil, refuse(CardOpen, "", "card", "The card must be closed first.")
	case card.Erased.Done():
		return nil, refuse(ErasedBefore, "", "card", "The holder of card %d was erased before.", e.Card)
	}
	return &e, nil
}

// ErasePayee has the register forget a payee. Claimants and holders stand there by such hashes
// too: those are forgotten with the claim or the card, which says whether they are still
// needed.
func ErasePayee(s *state.State, e record.PayeeErased) (*record.PayeeErased, error) {
	if err := checkMayErase(s, e.By); err != nil {
		return nil, err
	}
	switch {
	case e.Payee == (record.Hash{}), namesCustomer(s, e.Payee):
		return nil, refuse(PayeeUnknown, "", "hash", "No payee is named so: a claimant is forgotten with the claim, and a holder with the card.")
	case s.PayeeErased(e.Payee).Done():
		return nil, refuse(ErasedBefore, "", "hash", "The payee was erased before.")
	}
	return &e, nil
}

// checkMayErase refuses who does not keep the register.
func checkMayErase(s *state.State, by uint32) error {
	if p, ok := s.People().Person(by); !ok || p.Erased || !p.Has(record.RoleAdministrator, 0) {
		return refuse(staff.NotAllowed, "", "person", "Person %d is no administrator, and has nobody forgotten.", by)
	}
	return nil
}

// namesCustomer reports whether a claim form or a player card names a customer of the
// register.
func namesCustomer(s *state.State, who record.Hash) bool {
	return slices.ContainsFunc(s.ClaimForms(), func(c *state.ClaimForm) bool { return c.Names(who) }) ||
		slices.ContainsFunc(s.Cards(), func(number uint32) bool {
			card, _ := s.Card(number)
			return card.Details == who
		})
}
