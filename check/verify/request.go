package verify

import (
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// A terminal is what its requests so far come to.
type terminal struct {
	venue   uint32
	kind    rulebook.VenueKind
	listed  string // the venue's id in catalogues
	channel rulebook.Channel
	area    uint16 // of the venue; 0 for none

	number  uint64 // of its last request
	session uint32 // of its last sale or payment
	ended   bool   // whether that session has ended
	series  uint8  // that session is about its games
	// paidCash is what the session has paid out in cash.
	paidCash money.Amount
	visit    *visit       // the session that is settled at its end, while it is open
	drawer   money.Amount // the cash that its bank should have
	papers   soldPapers   // on the day of the last
	// tallies are what was done at it on the day of each series.
	tallies map[uint8]*dayTally
	total   dayTally // of all days and series
}

// request checks that a terminal is known and that its numbers rise.
func (c *checker) request(check Check, id uint32, number uint64) (*terminal, error) {
	t := c.terminals[id]
	switch {
	case t == nil:
		return nil, fault(check, "terminal %d was not added", id)
	case number <= t.number:
		return nil, fault(check, "request %d of terminal %d follows its request %d, and numbers rise", number, id,
			t.number)
	}
	t.number = number
	return t, nil
}

// enterSession checks that the sessions of a terminal rise, that none goes on after its end, and that each is about
// the games of one series.
func (t *terminal) enterSession(check Check, id, session uint32, series uint8) error {
	switch {
	case session < t.session:
		return fault(check, "session %d of terminal %d follows its session %d", session, id, t.session)
	case session == t.session && t.ended:
		return fault(check, "session %d of terminal %d had ended", session, id)
	case session > t.session && t.visit != nil:
		return fault(check, "session %d of terminal %d begins while session %d is open", session, id, t.session)
	case session > t.session:
		t.session, t.series, t.ended, t.paidCash = session, series, false, 0
	case series != t.series:
		return fault(check, "session %d of terminal %d is of series %d, and an act in it of series %d", session, id, t.series,
			series)
	}
	return nil
}

func (c *checker) requestBurned(b *record.RequestBurned) error {
	_, err := c.request(CheckRequests, b.Terminal, b.Number)
	if err == nil {
		c.report.Burned++
	}
	return err
}

// saleRefused checks that a sale was refused at a terminal of the house.
func (c *checker) saleRefused(b *record.SaleRefused) error {
	if c.terminals[b.Terminal] == nil {
		return fault(CheckRequests, "a sale is refused at terminal %d, which does not exist", b.Terminal)
	}
	return nil
}
