package house

import (
	"drawhouse/journal/record"
)

// Class is a class of personal details: why the house has them, and so how long it keeps them.
type Class string

// The classes of personal details.
const (
	OfStaff  Class = "staff"  // who works in the house, and the passwords
	OfClaims Class = "claims" // who claimed on a form, and the papers of the claim
	OfCards  Class = "cards"  // who holds a player card
	OfPayees Class = "payees" // in whose favour a cheque or transfer was drawn, or whom a promotional prize was denied
)

// Named is what the house has somebody, or a paper, in its register for.
type Named struct {
	Class  Class
	Number uint32 // of the person, claim or card; 0 for a payee
	// Needed says that somebody works in the house, a claim may still be paid, a card is not closed, or a paper or
	// cheque that is out is made out to the person.
	Needed bool
}

// Named returns whom and what the house names of its register, by hash, as of the last commit. What
// nothing names any more is a payee's, or was never named. One who is named twice is named here for
// what needs the person.
func (h *House) Named() map[record.Hash]Named {
	seen := h.copies.Load()
	view := seen.view.Load()
	named := map[record.Hash]Named{}
	name := func(hash record.Hash, n Named) {
		if before, ok := named[hash]; hash != (record.Hash{}) && (!ok || !before.Needed) {
			named[hash] = n
		}
	}
	for _, p := range view.People().Persons() {
		if p.Erased {
			continue
		}
		works := len(p.Grants) > 0 || p.Shift.On()
		name(p.Details, Named{OfStaff, p.ID, works})
		name(p.Secret, Named{OfStaff, p.ID, works})
	}
	for number := uint32(1); number <= view.ClaimCount(); number++ {
		form, ok := view.ClaimForm(number)
		if !ok {
			continue
		}
		n := Named{OfClaims, number, form.IsOpen()}
		name(form.Claimant, n)
		name(form.Form(), n)
		for _, paper := range form.Notes {
			name(paper.Content, n)
		}
	}
	for number, card := range seen.cards.all() {
		name(card.Details, Named{OfCards, number, card.Status != record.CardClosed})
	}
	need := func(hash record.Hash) {
		n, ok := named[hash]
		if !ok {
			n.Class = OfPayees
		}
		n.Needed = true
		name(hash, n)
	}
	for _, paper := range seen.papers.all() {
		need(paper.Payee)
	}
	for _, cheque := range view.Cheques() {
		need(cheque.Payee)
	}
	return named
}
