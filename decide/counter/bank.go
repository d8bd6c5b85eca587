package counter

import (
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Bank is what a writer answers for: the cash that should be in the drawer, and what
// the customer of the open session owes for tickets that exist.
type Bank struct {
	Drawer   money.Amount
	Customer money.Amount
}

// Tills is where terminals are found as readers see them. The state has it, and so has
// a copy of the state for readers.
type Tills interface {
	Till(terminal uint32) (state.Till, bool)
}

// BankOf returns the bank of a terminal. A ticket counts against it from the moment
// it is issued.
//
//rule:vic-keno-2015 11(b)
//rule:tas-keno-2023 16.1
func BankOf(s Tills, terminal uint32) (Bank, bool) {
	t, ok := s.Till(terminal)
	if !ok {
		return Bank{}, false
	}
	return Bank{t.Drawer, t.Customer}, true
}

// MoveBank moves cash between the venue's safe and the bank of a terminal.
func MoveBank(s *state.State, b record.BankMoved) (*record.BankMoved, []ledger.Posting, error) {
	t, err := terminalOf(s, b.Terminal)
	cents := b.Cents
	switch {
	case err != nil:
		return nil, nil, err
	case b.Cents <= 0 || b.Cents > MaxMoved:
		return nil, nil, refuse(AmountWrong, "", "cents", "Nothing moves, or more than can.")
	case b.Move == record.BankDrop && b.Cents > t.Drawer:
		return nil, nil, refuse(AmountWrong, "", "cents",
			"The bank should have %v, and %v are to leave it.", t.Drawer, b.Cents)
	case b.Move == record.BankFloat && t.Drawer != 0:
		return nil, nil, refuse(AmountWrong, "", "move", "The bank has %v; a float is what it begins with.", t.Drawer)
	case b.Move == record.BankDrop:
		cents = -cents
	}
	if err := checkBankSigned(s, t, b.By, b.With); err != nil {
		return nil, nil, err
	}
	return &b, ledger.Merge(ledger.Debit(ledger.Cash, t.Venue, cents), ledger.Credit(ledger.Safe, t.Venue, cents)), nil
}

// CountBank takes in a count of a bank. What differs is over or short. Nobody counts while
// a customer is served.
func CountBank(s *state.State, b record.BankCounted) (*record.BankCounted, []ledger.Posting, error) {
	t, err := terminalOf(s, b.Terminal)
	switch {
	case err != nil:
		return nil, nil, err
	case b.CountedCents < 0 || b.CountedCents > MaxMoved:
		return nil, nil, refuse(AmountWrong, "", "cents", "A count cannot be %v.", b.CountedCents)
	case t.Open != nil:
		return nil, nil, refuse(NothingOpen, "", "terminal",
			"A customer session is open at terminal %d. End it first.", t.ID)
	}
	if err := checkBankSigned(s, t, b.By, b.With); err != nil {
		return nil, nil, err
	}
	b.ExpectCents = t.Drawer
	over := b.CountedCents - t.Drawer
	return &b, ledger.Merge(ledger.Debit(ledger.Cash, t.Venue, over),
		ledger.Credit(ledger.OverShort, t.Venue, over)), nil
}

// checkBankSigned checks that two persons sign: one who works at the venue, and another who is
// senior there or works at the central site. It is asked last: who signs is known last.
func checkBankSigned(s *state.State, t state.Terminal, by, with uint32) error {
	first, ok := s.People().Person(by)
	if !ok || first.Erased || !first.Has(record.RoleWriter, t.Venue) && !first.Has(record.RoleSenior, t.Venue) {
		return refuse(PersonsMissing, "", "by", "A writer or senior of the venue signs for a bank.")
	}
	second, ok := s.People().Person(with)
	central := second.HasAny(record.RoleSupervisor, record.RoleOperative, record.RoleAdministrator)
	if !ok || second.Erased || by == with || !second.Has(record.RoleSenior, t.Venue) && !central {
		return refuse(PersonsMissing, "", "with",
			"Another person, senior at the venue or of the central site, signs too.")
	}
	return nil
}
