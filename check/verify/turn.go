package verify

import "drawhouse/journal/record"

// A turn is the place of a record among those that follow from the opening of a Keno Day. The tax of months that are
// over comes first: checkReturned asks for that. Every later turn waits until nothing of an earlier turn is due.
type turn uint8

const (
	turnTax        turn = iota // the tax of months that are over
	turnPapers                 // papers whose time is over
	turnUnclaimed              // prizes, and tickets of other systems, whose time is over
	turnStatements             // the statements of venues
	turnRest                   // everything else
)

// turnOf returns the turn of a record.
func turnOf(body record.Body) turn {
	switch body.(type) {
	case *record.TaxStated:
		return turnTax
	case *record.InstrumentsExpired:
		return turnPapers
	case *record.PrizesSwept, *record.TicketsLapsed:
		return turnUnclaimed
	case *record.VenueStated:
		return turnStatements
	}
	return turnRest
}
