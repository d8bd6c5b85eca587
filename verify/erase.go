package verify

import (
	"bytes"
	"slices"

	"drawhouse/record"
)

// administrators are who has customers forgotten.
var administrators = []record.Role{record.RoleAdministrator}

// holderErased and payeeErased check that of the customers whom the register forgets nobody is
// forgotten who is needed, or twice, or by somebody who does not keep the register. What was
// forgotten nobody can check, which is the sense of it.
func (c *checker) holderErased(b *record.HolderErased) error {
	held := c.tills.cards[b.Card]
	if held == nil || held.status != record.CardClosed || held.erased {
		return fault(CheckPayments, "the holder of card %d is forgotten, which is not closed, or whose holder was forgotten before", b.Card)
	}
	held.erased = true
	return c.checkEraser(b.By)
}

func (c *checker) payeeErased(b *record.PayeeErased) error {
	if slices.ContainsFunc(c.tills.forms.list, func(f *form) bool { return f.lodged.Claimant == b.Payee || bytes.Equal(f.lodged.Details, b.Payee[:]) }) {
		return fault(CheckPayments, "somebody is forgotten as a payee who is named by a claim")
	}
	for number, held := range c.tills.cards {
		if held.details == b.Payee {
			return fault(CheckPayments, "the holder of card %d is forgotten as a payee", number)
		}
	}
	if c.tills.payees[b.Payee] {
		return fault(CheckPayments, "a payee is forgotten who was forgotten before")
	}
	c.tills.payees[b.Payee] = true
	return c.checkEraser(b.By)
}

func (c *checker) checkEraser(by uint32) error {
	if !c.holds(by, administrators) {
		return fault(CheckPayments, "person %d has somebody forgotten, and is no administrator", by)
	}
	return nil
}
