package verify

import (
	"bytes"
	"slices"

	"drawhouse/journal/record"
)

// administrators are who has customers forgotten.
var administrators = []record.Role{record.RoleAdministrator}

// holderErased and payeeErased check that of the customers whom the register forgets nobody is
// forgotten who is needed, or twice, or by somebody who does not keep the register. What was
// forgotten nobody can check, which is the sense of it.
func (c *checker) holderErased(b *record.HolderErased) error {
	held := c.tills.cards[b.Card]
	if held == nil || held.status != record.CardClosed || held.erased {
		return fault(CheckPayments,
			"the holder of card %d is forgotten, which is not closed, or whose holder was forgotten before", b.Card)
	}
	held.erased = true
	if err := c.guard(c.checkPayeeOut(held.details)); err != nil {
		return err
	}
	return c.checkEraser(b.By)
}

func (c *checker) payeeErased(b *record.PayeeErased) error {
	if slices.ContainsFunc(c.tills.forms.list,
		func(f *form) bool { return f.lodged.Claimant == b.Payee || bytes.Equal(f.lodged.Details, b.Payee[:]) }) {
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
	if err := c.guard(c.checkPayeeOut(b.Payee)); err != nil {
		return err
	}
	return c.checkEraser(b.By)
}

// checkPayeeOut objects if somebody is forgotten to whom a paper is made out that is out, or a cheque that is not
// handed over: nobody can show any more to be its payee (tas-keno-2023 13.2). Neither is a person forgotten to whom
// a promotional prize was denied that is large enough (nsw-bingo-2019 10.10.1).
func (c *checker) checkPayeeOut(who record.Hash) error {
	if c.halls.hasDenied(who) {
		return fault(CheckOffers, "somebody is forgotten to whom a promotional prize was denied, who is kept")
	}
	var out uint64 // the first, so that every run says the same
	for seq, p := range c.tills.papers {
		if bytes.Equal(p.payee, who[:]) && (out == 0 || seq < out) {
			out = seq
		}
	}
	if out == 0 {
		for seq, p := range c.tills.cheques.due {
			if bytes.Equal(p.payee, who[:]) && (out == 0 || seq < out) {
				out = seq
			}
		}
		if out == 0 {
			return nil
		}
		return fault(CheckPayments, "somebody is forgotten to whom cheque %v is promised", placeOf(out))
	}
	return fault(CheckPayments, "somebody is forgotten to whom %s %v is made out, which is out", c.tills.papers[out].id,
		placeOf(out))
}

// checkClaimantErased objects if a claimant is forgotten whom another claim or a paper still needs.
func (c *checker) checkClaimantErased(f *form) error {
	for _, other := range c.tills.forms.list {
		if other.mayBePaid() && (other.lodged.Claimant == f.lodged.Claimant ||
			bytes.Equal(other.lodged.Details, f.lodged.Claimant[:])) {
			return fault(CheckPayments, "the claimant of claim %d is forgotten, and claim %d of the same person may be paid",
				f.lodged.Claim, other.lodged.Claim)
		}
	}
	return c.checkPayeeOut(f.lodged.Claimant)
}

// mayBePaid reports whether a claim is not decided yet, or allowed and not paid.
func (f *form) mayBePaid() bool {
	return f.outcome == "" || f.outcome == record.ClaimAllowed && !f.paid
}

// checkEraser objects to who does not keep the register. By the time of keeping the house forgets by itself.
func (c *checker) checkEraser(by uint32) error {
	if by == 0 {
		return nil
	}
	if !c.holds(by, administrators) {
		return fault(CheckPayments, "person %d has somebody forgotten, and is no administrator", by)
	}
	return nil
}
