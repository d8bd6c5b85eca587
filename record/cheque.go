package record

import (
	"errors"
	"fmt"

	"drawhouse/day"
	"drawhouse/money"
)

// MostHolidays is how many public holidays a calendar has at most: those of a dozen years.
const MostHolidays = 200

// HolidaysNamed says which days are public holidays, from now on and in place of all that
// were named before.
type HolidaysNamed struct {
	_    struct{}  `cbor:",toarray"`
	Days []day.Day // ascending
	By   uint32    // person
}

func (h *HolidaysNamed) check() error {
	if len(h.Days) > MostHolidays {
		return fmt.Errorf("%d public holidays, and a calendar has at most %d", len(h.Days), MostHolidays)
	}
	for i, d := range h.Days {
		if !d.IsValid() || i > 0 && h.Days[i-1] >= d {
			return fmt.Errorf("public holiday %d is no day, or not after the one before it", i+1)
		}
	}
	return nil
}

// ChequePromised says until when a cheque must be there that a session ended with. It
// stands behind the end of the session, because the time is one that the customer is told:
// a calendar that is changed later does not change it.
type ChequePromised struct {
	_        struct{} `cbor:",toarray"`
	End      Place    // the record that ended the session
	Terminal uint32   // at which it ended; its venue draws the cheque
	Means    string   // as the rulebook names it
	Cents    money.Amount
	Due      Time
	Tickets  []Place // that were paid in the session
}

func (c *ChequePromised) check() error {
	if c.End.Volume == 0 || c.Terminal == 0 || c.Means == "" || c.Cents <= 0 || c.Due <= 0 {
		return errors.New("a promised cheque needs the end of a session, a terminal, a means, an amount and a time")
	}
	return nil
}

// ChequeHanded says that a cheque which was promised is in the hands of its payee.
type ChequeHanded struct {
	_      struct{} `cbor:",toarray"`
	Cheque Place    // the record that promised it
	By     uint32   // person
}

func (c *ChequeHanded) check() error {
	if c.Cheque.Volume == 0 || c.By == 0 {
		return errors.New("a cheque that was handed over needs its promise and a person")
	}
	return nil
}
