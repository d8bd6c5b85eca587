package record

import (
	"errors"
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/money"
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

// settles is what the settlements of a kind of tender name and which way their money goes.
type settles struct {
	instrument, opening, payee, refund bool
	in, out                            bool // money may come to the house, and leave it
}

var settling = map[TenderKind]settles{
	TenderCash: {in: true, out: true}, TenderChips: {in: true, out: true},
	TenderInstrument: {instrument: true, opening: true, refund: true, in: true},
	TenderCard:       {instrument: true, in: true, out: true},
	TenderCheque:     {payee: true, out: true}, TenderSiteCheque: {payee: true, out: true},
	TenderTransfer: {payee: true, out: true},
	TenderUnpaid:   {in: true},
	TenderWithheld: {instrument: true, out: true},
}

func (t *Settlement) check() error {
	of, ok := settling[t.Kind]
	switch {
	case !ok:
		return fmt.Errorf("tender %d does not exist", t.Kind)
	case (t.Instrument != Place{}) != of.instrument:
		return fmt.Errorf("tender %d with the paper, card or ticket %v", t.Kind, t.Instrument)
	case len(t.Opening) != of.bytes(of.opening) || len(t.Particulars) != of.bytes(of.payee):
		return fmt.Errorf("tender %d with an opening of %d bytes and a payee of %d", t.Kind, len(t.Opening),
			len(t.Particulars))
	case t.Refund && !of.refund:
		return fmt.Errorf("tender %d is given back", t.Kind)
	case t.Cents == 0 || t.Cents > 0 && !of.in || t.Cents < 0 && !of.out:
		return fmt.Errorf("tender %d of %v", t.Kind, t.Cents)
	}
	return nil
}

// bytes returns the length of a hash that a settlement must have, or must not have.
func (settles) bytes(has bool) int {
	if has {
		return len(Hash{})
	}
	return 0
}

// Funding is what a voucher or a card has paid for a ticket.
type Funding struct {
	_      struct{}     `cbor:",toarray"`
	Ticket Place        `is:"ticket"`
	ID     string       `is:"name"` // of the rulebook's list
	Card   uint32       // its number; 0 for a voucher
	Cents  money.Amount `is:"amount"`
}

// SessionEnded ends a customer session whose sales, payments and papers had no
// tenders of their own: these settle them all. What the session comes to is what
// the ledger has on the customer's account of the terminal.
type SessionEnded struct {
	_       struct{} `cbor:",toarray"`
	Request Request
	Session uint32  `is:"session"`
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
	// Series is that of the games that the session was about; 0 is the first.
	Series uint8 `later:"true"`
	// Runner is the person who brought entries of the session; 0 where the terminal has not said who.
	Runner uint32 `later:"true"`
}

// Spent is money of one origin that has paid for a ticket.
type Spent struct {
	_      struct{} `cbor:",toarray"`
	Ticket Place    `is:"ticket"`
	ID     string   `is:"name"` // the origin, as the rulebook names it
	// Of is the paper or card that the money was, or the ticket that won it; the zero place
	// for cash and chips. What a cancelled ticket gave back keeps the name that it had.
	Of    Place
	Cents money.Amount `is:"amount"`
}

func (s *SessionEnded) check() error {
	if s.CountedCents < 0 {
		return fmt.Errorf("%v count against the limit", s.CountedCents)
	}
	if len(s.Spent) > 0 && len(s.Funded) > 0 {
		return errors.New("the end of a session says in two ways what has paid for its tickets")
	}
	return nil
}

// VenueLimitSet says up to which amount a venue pays in cash from now on.
type VenueLimitSet struct {
	_     struct{}     `cbor:",toarray"`
	Venue uint32       `is:"venue"`
	Cents money.Amount `is:"amount" most:"amount"`
	By    uint32
}

func (*VenueLimitSet) check() error { return nil }

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
	Cents    money.Amount `most:"amount"`
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
	CountedCents money.Amount `most:"balance"`
	By           uint32
	With         uint32
}

func (b *BankCounted) check() error {
	if b.Terminal == 0 || b.CountedCents < 0 || b.By == 0 || b.With == 0 || b.By == b.With {
		return errors.New("a count needs a terminal, an amount and two persons")
	}
	return nil
}
