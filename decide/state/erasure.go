package state

import "drawhouse/journal/record"

// Erasure is who had the register forget a customer, and when. The zero value is none.
type Erasure struct {
	At record.Time
	By uint32 // 0 for the house itself, once the time of keeping was over
}

// Done reports whether there was one.
func (e Erasure) Done() bool { return e.At != 0 }

func (t *tills) eraseHolder(b *record.HolderErased, at record.Time) error {
	c := t.cards.get(b.Card)
	if c == nil || c.Status != record.CardClosed || c.Erased.Done() {
		return cannot("the holder of card %d is forgotten, who holds it or was forgotten before", b.Card)
	}
	t.noted.card(b.Card)
	return t.cards.change(b.Card, func(c *Card) error {
		c.Erased = Erasure{at, b.By}
		return nil
	})
}

func (t *tills) erasePayee(b *record.PayeeErased, at record.Time) error {
	if t.payees[b.Payee].Done() {
		return cannot("a payee is forgotten twice")
	}
	t.payees[b.Payee] = Erasure{at, b.By}
	t.noted.payee(b.Payee)
	return nil
}

// PayeeErased returns who had the register forget a payee, if somebody had.
func (s *State) PayeeErased(payee record.Hash) Erasure { return s.tills.payees[payee] }
