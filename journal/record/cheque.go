package record

import (
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/money"
)

// MostHolidays is how many public holidays a calendar has at most: those of a dozen years.
const MostHolidays = 200

// HolidaysNamed says which days are public holidays, from now on and in place of all that
// were named before.
type HolidaysNamed struct {
	_    struct{}  `cbor:",toarray"`
	Days []day.Day // the public holidays, ascending
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
	_        struct{}     `cbor:",toarray"`
	End      Place        `is:"end"`      // the record that ended the session
	Terminal uint32       `is:"terminal"` // terminal at which the session ended; its venue draws the cheque
	Means    string       `is:"means"`    // kind of cheque, as the rulebook names it
	Cents    money.Amount `is:"amount"`   // amount of the cheque
	Due      Time         `is:"time"`     // until when the cheque must be there
	Tickets  []Place      // the tickets that were paid in the session
	// Hash by which the end of the session names in whose favour the cheque is drawn. The one that is handed over is
	// in favour of nobody else.
	Payee []byte `later:"true" most:"64"`
}

func (c *ChequePromised) check() error {
	if n := len(c.Payee); n != 0 && n != len(Hash{}) {
		return fmt.Errorf("a payee of %d bytes", n)
	}
	return nil
}

// ChequeHanded says that a cheque which was promised is in the hands of its payee.
type ChequeHanded struct {
	_      struct{} `cbor:",toarray"`
	Cheque Place    `is:"cheque"` // the record that promised the cheque
	By     uint32   `is:"person"` // person
}

func (*ChequeHanded) check() error { return nil }
