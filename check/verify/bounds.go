package verify

import (
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// checkBounds objects to a value beyond the bound of its field, and to an act that carries a
// balance beyond what the house keeps. A balance that was beyond it may come back.
func (c *checker) checkBounds(r record.Record) error {
	if err := r.CheckBounds(); err != nil {
		if err := c.guard(fault(CheckHouse, "%v", err)); err != nil {
			return err
		}
	}
	if r.Kind().Follows() {
		return nil
	}
	for i, p := range r.Postings {
		moved := p.Cents
		for j, other := range r.Postings {
			if j == i || other.Account != p.Account || other.Unit != p.Unit {
				continue
			}
			sum, err := moved.Add(other.Cents)
			if err != nil {
				return fault(CheckLedger, "%v", err)
			}
			moved = sum
		}
		before := c.books.account(p.Account, p.Unit).balance
		after, err := before.Add(moved)
		if err != nil {
			return fault(CheckLedger, "the balance of %s: %v", accountName(p.Account, p.Unit), err)
		}
		grows := moved > 0 && after > money.MaxBalance || moved < 0 && after < -money.MaxBalance
		if !grows {
			continue
		}
		if err := c.guard(fault(CheckLedger, "the balance of %s comes to %v, beyond the bound of %v",
			accountName(p.Account, p.Unit), after, money.MaxBalance)); err != nil {
			return err
		}
	}
	return nil
}
