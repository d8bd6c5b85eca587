package record

import (
	"errors"

	"drawhouse/core/day"
	"drawhouse/core/money"
)

// TicketsTakenIn takes in the open tickets of another system, from a file that the operator of
// that system has signed (package handover). Two persons have agreed on file and key. The money
// that is owed on the tickets comes in with them.
type TicketsTakenIn struct {
	_       struct{}     `cbor:",toarray"`
	Series  uint8        `is:"series"`             // the series by whose rulebook the tickets are claimed
	System  string       `is:"name"`               // name of the other system, as the file calls it
	Key     [32]byte     `is:"key"`                // Ed25519 key of the operator of that system
	Text    []byte       `is:"text" most:"object"` // the whole file
	Tickets uint32       `is:"number"`             // how many tickets the file has
	Cents   money.Amount `most:"amount"`           // what is owed on them in all
	// The last day for prizes of which the file names none; none where the rulebook keeps prizes for good.
	Until day.Day
	// Where the money of tickets goes that nobody has claimed in time; empty where the rulebook keeps prizes for good.
	Then      string
	Clause    string `is:"clause"`    // clause of the rulebook that says both
	Reference string `is:"reference"` // reference of the decision outside the house that allows it
	By        uint32 `is:"person"`
}

func (t *TicketsTakenIn) check() error {
	if t.Cents <= 0 || (t.Until == day.None) != (t.Then == "") {
		return errors.New("tickets of another system need an amount, and a day with where their money goes after it")
	}
	return nil
}

// TicketsLapsed takes what is owed on tickets of another system to where the rulebook says: nobody
// has claimed them in time. Which tickets they are follows from their file, from the day and from
// the claims before this record.
type TicketsLapsed struct {
	_       struct{}     `cbor:",toarray"`
	Series  uint8        `is:"series"`
	Day     day.Day      `is:"day"` // day on which it is done
	File    Place        // the record that has taken the tickets in
	To      string       `is:"destination"` // where the money goes, as the rulebook names it
	Clause  string       `is:"clause"`
	Tickets uint32       `is:"number"`   // how many tickets lapsed
	Cents   money.Amount `most:"amount"` // what was owed on them
}

func (t *TicketsLapsed) check() error {
	if t.File.Volume == 0 || t.Cents <= 0 {
		return errors.New("tickets that lapse need the record that has taken them in, and an amount")
	}
	return nil
}
