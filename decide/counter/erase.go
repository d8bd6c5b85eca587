package counter

import (
	"slices"

	"drawhouse/core/refusal"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes about customers who are to be forgotten.
const (
	CardOpen     refusal.Code = "card_open"     // the card can still be used, so that its holder must be known
	PayeeUnknown refusal.Code = "payee_unknown" // there is no such payee
	PayeeNeeded  refusal.Code = "payee_needed"  // a paper that is out, or a promised cheque, is made out to the person
	DeniedKept   refusal.Code = "denied_kept"   // a prize was denied to the person, whom the rules have kept
)

// EraseHolder has the register forget who held a card that nobody can use any more. The
// record says whose details are gone by the number of the card, and who had them erased.
// Where that was done before there is no record, and no refusal.
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
		return nil, nil
	}
	if err := checkNotPayee(s, card.Details, "card"); err != nil {
		return nil, err
	}
	return &e, nil
}

// ErasePayee has the register forget a payee. Where that was done before there is no record, and
// no refusal. Claimants and holders stand there by such hashes
// too: those are forgotten with the claim or the card, which says whether they are still
// needed.
func ErasePayee(s *state.State, e record.PayeeErased) (*record.PayeeErased, error) {
	if err := checkMayErase(s, e.By); err != nil {
		return nil, err
	}
	switch {
	case e.Payee == (record.Hash{}), namesCustomer(s, e.Payee):
		return nil, refuse(PayeeUnknown, "", "hash",
			"No payee is named so: a claimant is forgotten with the claim, and a holder with the card.")
	case s.PayeeErased(e.Payee).Done():
		return nil, nil
	}
	if err := checkNotPayee(s, e.Payee, "hash"); err != nil {
		return nil, err
	}
	return &e, nil
}

// checkNotPayee refuses to forget somebody to whom a paper is made out that is still out, or a cheque that is not
// handed over: nobody could show any more to be its payee, and it is paid to nobody else.
//
//rule:tas-keno-2023 13.2 13.8(a) 13.10
func checkNotPayee(s *state.State, who record.Hash, path string) error {
	if who == (record.Hash{}) {
		return nil
	}
	if err := checkDeniedKept(s, who, path); err != nil {
		return err
	}
	for _, cheque := range s.Cheques() {
		if cheque.Payee != who {
			continue
		}
		var clause string
		for series := range s.AllSeries() {
			if _, ok := methodOf(series.Book, cheque.Means); ok {
				clause = rulebook.Quoted(series.Book.Payout().ChequeWordsClause) // In whose favour it is drawn.
			}
		}
		return refuse(PayeeNeeded, clause, path,
			"A cheque of %v, record %v, is promised to this person. Hand it over first.",
			cheque.Cents, cheque.Place)
	}
	for _, paper := range s.Papers() {
		if paper.Payee != who {
			continue
		}
		series, _ := s.Series(paper.Series)
		m, _ := methodOf(series.Book, paper.ID)
		return refuse(PayeeNeeded, lastCited(m.Clause), path,
			"The %s of %v, record %v, is made out to this person and is out. Have it paid first, or wait until it expires after %v.", named(series.Book, paper.ID), paper.Cents, paper.Place, paper.Kept)
	}
	return nil
}

// checkDeniedKept refuses to forget somebody whose claim to a promotional prize was denied, where the rules have name
// and address kept. They name no time after which they are not.
//
//rule:nsw-bingo-2019 10.10.1
func checkDeniedKept(s *state.State, who record.Hash, path string) error {
	for hall, denied := range s.DeniedTo(who) {
		book, ok := s.Book(hall.Opened.Rulebook)
		if !ok {
			continue
		}
		bingo, _ := book.Bingo()
		if rule := bingo.Promotion(); denied.Cents > rule.DeniedKeptOver.Amount() {
			return refuse(DeniedKept, rulebook.Quoted(rule.DeniedKeptOverClause), path,
				"A promotional prize of %v was denied to this person. Name and address are kept above %v.", denied.Cents,
				rule.DeniedKeptOver.Amount())
		}
	}
	return nil
}

// checkMayErase refuses who does not keep the register. The house itself, which is nobody, does so once
// the time of keeping is over.
func checkMayErase(s *state.State, by uint32) error {
	if by == 0 {
		return nil
	}
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
