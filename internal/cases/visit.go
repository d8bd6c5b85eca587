package cases

import (
	"encoding/binary"

	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/journal/record"
)

// visits is what holders and terminals know of customer sessions.
type visits struct {
	open  map[uint32]bool // terminals at which acts are in a session
	codes map[record.Place]serial.ClaimCode
}

func newVisits() visits {
	return visits{open: map[uint32]bool{}, codes: map[record.Place]serial.ClaimCode{}}
}

// code returns the claim code of the newest sheet of a ticket. A holder who has only
// seen the serial has another.
func (v *visits) code(t Ticket) serial.ClaimCode {
	code, ok := v.codes[t.Place]
	if !ok || t.First {
		return t.Code
	}
	if t.Guessed {
		code[0]++
	}
	return code
}

// nextCode returns the claim code of a sheet that a request prints.
func nextCode(r record.Request) serial.ClaimCode {
	var code serial.ClaimCode
	binary.BigEndian.PutUint32(code[:], r.Terminal)
	binary.BigEndian.PutUint32(code[6:], uint32(r.Number))
	return code
}

// paperCode returns the claim code of a paper that a request prints, counted from 0.
func paperCode(r record.Request, i int) serial.ClaimCode {
	code := nextCode(r)
	code[5] = byte(i + 1)
	return code
}

// Paper is a paper that stands for money, in its holder's hand.
type Paper struct {
	Place  record.Place
	Serial string
	Code   serial.ClaimCode
	ID     string
	Cents  money.Amount
}

// Visit is how a customer session ends.
type Visit struct {
	Papers    []Paper
	Refund    bool // the papers are given back
	Card      uint32
	CardCents money.Amount
	Chips     money.Amount
	Pay       []counter.Share
	Payee     bool // the payee's details are given
	Account   bool // the payee has named an account
	Other     bool // the payee is another person than usual
	Checked   bool // the list of excluded people was looked into
	Unpaid    bool
	Cash      money.Amount
	Print     bool
	// DisplayDown says that the customer's display does not work.
	DisplayDown bool
	Anonymous   bool
	Runner      uint32 // who brought entries of the session; 0 for nobody in particular
}

// Settled is what a session came to.
type Settled struct {
	Tenders []record.Settlement
	Papers  []Paper // that were issued
	Printed string
}

// Counter is the part of a house that deals with sessions, papers and stops.
type Counter interface {
	// NextCustomer says that acts at a terminal are in a session until it ends.
	NextCustomer(terminal uint32)
	EndCustomer(terminal uint32, v Visit) (Settled, error)
	IssuePaper(terminal uint32, id string, cents money.Amount, days int, gameType string, byOperator bool) (Paper,
		error)
	// Does has nobody in particular do a command, and DoesAs a person.
	Does(command.Command) error
	DoesAs(person uint32, c command.Command) (record.Body, error)
	// Claimed is a ticket with what the ticket has won, as a claim form has it.
	Claimed(t Ticket) (counter.Payment, error)
	Release(places []record.Place, reason string, paid money.Amount) error
	Disqualify(t Ticket, reason string, persons []uint32) error
	Reinstate(t Ticket, reason string) error
	Invalidate(t Ticket, reason string) error
	Forfeit(terminal uint32, t Ticket) (money.Amount, error)
	Undelivered(terminal uint32, t Ticket) error
	Reprint(terminal uint32, t Ticket) error
	Replace(terminal uint32, t Ticket) error
	Undo(terminal uint32, t Ticket) (refund, carried money.Amount, err error)
	MoveBank(record.BankMoved) error
	CountBank(record.BankCounted) error
}
