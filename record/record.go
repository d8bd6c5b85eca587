package record

import (
	"errors"
	"fmt"
	"time"

	"drawhouse/ledger"
)

// MaxBytes bounds one record. Only a rulebook comes near it.
const MaxBytes = 1 << 20

// Time is an instant in milliseconds since 1970 UTC.
type Time int64

// Of returns the instant of t, cut to milliseconds.
func Of(t time.Time) Time { return Time(t.UnixMilli()) }

// Time returns the instant as the standard library's type, in UTC.
func (t Time) Time() time.Time { return time.UnixMilli(int64(t)).UTC() }

// Record is one fact with its money.
type Record struct {
	Time     Time
	Postings []ledger.Posting
	Body     Body
}

// Body is what happened. Its types are those of this package and no others.
type Body interface {
	kind() Kind
	check() error
}

// Kind returns the kind of the record's body.
func (r Record) Kind() Kind { return r.Body.kind() }

// Subject returns the ticket or paper that the record is about, where it is about
// one that an earlier record issued.
func (r Record) Subject() (Place, bool) {
	switch b := r.Body.(type) {
	case *TicketPaid:
		return b.Ticket, true
	case *TicketCancelled:
		return b.Ticket, true
	case *BonusAllocated:
		return b.Ticket, true
	case *PaperReissued:
		return b.Of, true
	case *PaperUndelivered:
		return b.Paper, true
	case *TicketDisqualified:
		return b.Ticket, true
	case *TicketReinstated:
		return b.Ticket, true
	case *TicketInvalidated:
		return b.Ticket, true
	case *PrizeForfeited:
		return b.Ticket, true
	case *AnonymitySet:
		return b.Ticket, true
	}
	return Place{}, false
}

// Terminal returns the terminal at which the record came about, where it did at one:
// cash that it moves is in that terminal's bank.
func (r Record) Terminal() (uint32, bool) {
	switch b := r.Body.(type) {
	case *TicketSold:
		return b.Request.Terminal, true
	case *TicketPaid:
		return b.Request.Terminal, true
	case *TicketCancelled:
		return b.Request.Terminal, true
	case *BonusAllocated:
		return b.Terminal, true
	case *SessionEnded:
		return b.Request.Terminal, true
	case *InstrumentIssued:
		return b.Request.Terminal, true
	case *BankMoved:
		return b.Terminal, true
	case *BankCounted:
		return b.Terminal, true
	}
	return 0, false
}

// Check reports what is wrong with the record in itself, if anything. Whether it
// fits the records before it is for the state to say.
func (r Record) Check() error {
	if r.Body == nil {
		return errors.New("record: no body")
	}
	if r.Time <= 0 {
		return fmt.Errorf("record: %v: time %d", r.Kind(), r.Time)
	}
	if err := ledger.Check(r.Postings); err != nil {
		return fmt.Errorf("record: %v: %w", r.Kind(), err)
	}
	if err := r.Body.check(); err != nil {
		return fmt.Errorf("record: %v: %w", r.Kind(), err)
	}
	return nil
}
