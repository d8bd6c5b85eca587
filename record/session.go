package record

import (
	"errors"
	"fmt"

	"drawhouse/day"
	"drawhouse/money"
)

// The tenders besides cash.
const (
	TenderChips      TenderKind = 2 // of the casino
	TenderInstrument TenderKind = 3 // a paper that an earlier record issued
	TenderCard       TenderKind = 4 // the account of a player card
	TenderCheque     TenderKind = 5 // drawn on the operator or the prize fund
	TenderSiteCheque TenderKind = 6 // drawn on the venue
	TenderTransfer   TenderKind = 7 // to an account that the payee names
	TenderUnpaid     TenderKind = 8 // owed by the venue, because its customer left
	TenderWithheld   TenderKind = 9 // what a ticket brought on which payment was stopped since; owed to its holder
)

// Settlement is one payment at the end of a customer session, to the house when
// positive and from it when negative.
type Settlement struct {
	_     struct{} `cbor:",toarray"`
	Kind  TenderKind
	Cents money.Amount
	// Instrument is the record that issued the paper or registered the card, or the sale of
	// the ticket whose money is withheld; the zero place for what needs none.
	Instrument Place
	// Opening is the hash of the claim code of a paper that was presented.
	Opening []byte
	// Particulars commits to the payee of a cheque or transfer, who stands in a register
	// outside the journal; it has a random salt that only the register has.
	Particulars []byte
	// Refund says that a voucher is given back by who bought it, and not used.
	Refund bool
}

func (t *Settlement) check() error {
	named := t.Instrument != Place{}
	switch t.Kind {
	case TenderCash, TenderChips:
		if named || len(t.Opening) > 0 || len(t.Particulars) > 0 || t.Refund {
			return fmt.Errorf("tender %d names something", t.Kind)
		}
	case TenderInstrument:
		if !named || t.Cents < 0 || len(t.Opening) != len(Hash{}) || len(t.Particulars) > 0 {
			return errors.New("a paper that is used needs its place and an opening")
		}
	case TenderCard:
		if !named || len(t.Opening) > 0 || len(t.Particulars) > 0 || t.Refund {
			return errors.New("a card needs its place")
		}
	case TenderCheque, TenderSiteCheque, TenderTransfer:
		if named || t.Cents > 0 || len(t.Opening) > 0 || len(t.Particulars) != len(Hash{}) || t.Refund {
			return errors.New("a cheque or transfer goes out, to a payee")
		}
	case TenderUnpaid:
		if named || t.Cents < 0 || len(t.Opening) > 0 || len(t.Particulars) > 0 || t.Refund {
			return errors.New("what is not paid is owed to the house")
		}
	case TenderWithheld:
		if !named || t.Cents > 0 || len(t.Opening) > 0 || len(t.Particulars) > 0 || t.Refund {
			return errors.New("what is withheld is owed for a ticket")
		}
	default:
		return fmt.Errorf("tender %d does not exist", t.Kind)
	}
	if t.Cents == 0 {
		return fmt.Errorf("tender %d moves nothing", t.Kind)
	}
	return nil
}

// Funding is what a voucher or a card has paid for a ticket.
type Funding struct {
	_      struct{} `cbor:",toarray"`
	Ticket Place
	ID     string // of the rulebook's list
	Card   uint32 // its number; 0 for a voucher
	Cents  money.Amount
}

// SessionEnded ends a customer session whose sales, payments and papers had no
// tenders of their own: these settle them all. What the session comes to is what
// the ledger has on the customer's account of the terminal.
type SessionEnded struct {
	_       struct{} `cbor:",toarray"`
	Request Request
	Session uint32
	Day     day.Day // the Keno Day, between two the one before
	Tenders []Settlement
	// Funded says which vouchers and cards have paid for which tickets of the session:
	// what is given back for them goes back there.
	Funded []Funding
	// Printed says that the customer was given the list of the session, and why.
	Printed string
	// Anonymous says that a winner has asked not to be named in public.
	Anonymous bool
	// Checked says that the list of excluded people was looked into before a cheque.
	Checked bool
	// Spent says what has paid for the tickets of the session. A ticket that cash alone has
	// paid for is not listed. Before Spent was added, Funded named vouchers and cards.
	Spent []Spent `later:"true"`
	// CountedCents is what of the money that leaves counts against the limit of a session. A
	// prize that was staked and comes back counts together with it.
	CountedCents money.Amount `later:"true"`
	// Account says that the payee of a transfer has named an account for it. The account stands
	// in the register, and never here.
	Account bool `later:"true"`
}

// Spent is money of one origin that has paid for a ticket.
type Spent struct {
	_      struct{} `cbor:",toarray"`
	Ticket Place
	ID     string // the origin, as the rulebook names it
	// Of is the paper or card that the money was, or the ticket that won it; the zero place
	// for cash and chips. What a cancelled ticket gave back keeps the name that it had.
	Of    Place
	Cents money.Amount
}

func (s *SessionEnded) check() error {
	if err := s.Request.check(); err != nil {
		return err
	}
	if s.Session == 0 {
		return errors.New("the end of a session needs its number")
	}
	if s.CountedCents < 0 {
		return fmt.Errorf("%v count against the limit", s.CountedCents)
	}
	for i := range s.Tenders {
		if err := s.Tenders[i].check(); err != nil {
			return fmt.Errorf("tender %d: %w", i+1, err)
		}
	}
	for i, f := range s.Funded {
		if f.Ticket.Volume == 0 || f.ID == "" || f.Cents <= 0 {
			return fmt.Errorf("funding %d: %v of %q for ticket %v", i+1, f.Cents, f.ID, f.Ticket)
		}
	}
	if len(s.Spent) > 0 && len(s.Funded) > 0 {
		return errors.New("the end of a session says in two ways what has paid for its tickets")
	}
	for i, m := range s.Spent {
		if m.Ticket.Volume == 0 || m.ID == "" || m.Cents <= 0 {
			return fmt.Errorf("money %d: %v of %q for ticket %v", i+1, m.Cents, m.ID, m.Ticket)
		}
	}
	return nil
}

// VenueLimitSet says up to which amount a venue pays in cash from now on.
type VenueLimitSet struct {
	_     struct{} `cbor:",toarray"`
	Venue uint32
	Cents money.Amount
	By    uint32
}

func (v *VenueLimitSet) check() error {
	if v.Venue == 0 || v.Cents <= 0 {
		return errors.New("a limit needs a venue and an amount")
	}
	return nil
}

// BankMove is how cash comes into a writer's bank or leaves it.
type BankMove string

// The moves of cash between a venue's safe and a writer's bank.
const (
	BankFloat BankMove = "float" // what the writer begins with
	BankFill  BankMove = "fill"  // more of it
	BankDrop  BankMove = "drop"  // back into the safe
)

// BankMoved moves cash between a venue's safe and the bank of a terminal. Two
// persons have counted it.
type BankMoved struct {
	_        struct{} `cbor:",toarray"`
	Terminal uint32
	Move     BankMove
	Cents    money.Amount
	By       uint32
	With     uint32
}

func (b *BankMoved) check() error {
	if b.Terminal == 0 || b.Cents <= 0 || b.By == 0 || b.With == 0 || b.By == b.With {
		return errors.New("a move of cash needs a terminal, an amount and two persons")
	}
	if b.Move != BankFloat && b.Move != BankFill && b.Move != BankDrop {
		return fmt.Errorf("there is no move %q", b.Move)
	}
	return nil
}

// BankCounted is a count of a writer's bank. What differs from what should be there
// is over or short, and the bank goes on with what was counted. Two persons sign.
type BankCounted struct {
	_            struct{} `cbor:",toarray"`
	Terminal     uint32
	ExpectCents  money.Amount
	CountedCents money.Amount
	By           uint32
	With         uint32
}

func (b *BankCounted) check() error {
	if b.Terminal == 0 || b.CountedCents < 0 || b.By == 0 || b.With == 0 || b.By == b.With {
		return errors.New("a count needs a terminal, an amount and two persons")
	}
	return nil
}
