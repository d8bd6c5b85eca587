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
	_     struct{}     `cbor:",toarray"`
	Kind  TenderKind   // what the money is
	Cents money.Amount // what the customer gave; negative for what the customer got
	// The record that issued the paper or registered the card, or the sale of the ticket whose money is withheld; none
	// for what needs none.
	Instrument Place
	// Opening is the hash of the claim code of a paper that was presented.
	Opening []byte
	// Particulars commits to the payee of a cheque or transfer, who stands in a register
	// outside the journal; it has a random salt that only the register has.
	Particulars []byte
	// Whether a voucher is given back by the person who bought it, and not used.
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
	Ticket Place        `is:"ticket"` // the ticket that was paid for
	ID     string       `is:"name"`   // kind of the paper or card, by its name in the rulebook's list
	Card   uint32       // number of the player card; none for a voucher
	Cents  money.Amount `is:"amount"` // what it has paid for the ticket
}

// SessionEnded ends a customer session whose sales, payments and papers had no
// tenders of their own: these settle them all. What the session comes to is what
// the ledger has on the customer's account of the terminal.
type SessionEnded struct {
	_       struct{} `cbor:",toarray"`
	Request Request
	Session uint32       `is:"session"` // number of the customer session of the terminal
	Day     day.Day      // the Keno Day; between two of them the one before
	Tenders []Settlement // what the customer gave and got
	// Which vouchers and cards have paid for which tickets of the session: what is given back for them goes back
	// there.
	Funded []Funding
	// Why the customer was given the list of the session; empty where none was given.
	Printed string
	// Whether a winner has asked not to be named in public.
	Anonymous bool
	// Whether the list of excluded people was looked into before a cheque.
	Checked bool
	// What has paid for the tickets of the session. A ticket that cash alone has paid for is not listed.
	Spent []Spent `later:"true"`
	// CountedCents is what of the money that leaves counts against the limit of a session. A
	// prize that was staked and comes back counts together with it.
	CountedCents money.Amount `later:"true"`
	// Account says that the payee of a transfer has named an account for it. The account stands
	// in the register, and never here.
	Account bool `later:"true"`
	// The series of the games that the session was about; none for the first.
	Series uint8 `later:"true"`
	// Number of the person who brought entries of the session; none where the terminal has not said so.
	Runner uint32 `later:"true"`
}

// Spent is money of one origin that has paid for a ticket.
type Spent struct {
	_      struct{} `cbor:",toarray"`
	Ticket Place    `is:"ticket"` // the ticket that was paid for
	ID     string   `is:"name"`   // origin of the money, as the rulebook names it
	// The paper or card that the money was, or the ticket that won it; none for cash and chips. What a cancelled
	// ticket gave back keeps the name that it had.
	Of    Place
	Cents money.Amount `is:"amount"` // what it has paid for the ticket
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
	Cents money.Amount `is:"amount" most:"amount"` // the amount up to which the venue pays in cash
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
	Move     BankMove     // which way the cash went
	Cents    money.Amount `most:"amount"` // the cash that was moved
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
	ExpectCents  money.Amount // what should be in the bank
	CountedCents money.Amount `most:"balance"` // what was counted
	By           uint32
	With         uint32
}

func (b *BankCounted) check() error {
	if b.Terminal == 0 || b.CountedCents < 0 || b.By == 0 || b.With == 0 || b.By == b.With {
		return errors.New("a count needs a terminal, an amount and two persons")
	}
	return nil
}
