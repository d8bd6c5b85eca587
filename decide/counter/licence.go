package counter

import (
	"drawhouse/core/refusal"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// The codes about licences of venues.
const (
	Unlicensed       refusal.Code = "unlicensed"        // the venue does not sell the games of the series
	LicenceKnown     refusal.Code = "licence_known"     // the venue sells the games already, or does not
	LicenceReference refusal.Code = "licence_reference" // no decision is named
	SeriesOver       refusal.Code = "series_over"       // the series has had its last Keno Day
	TwoSystems       refusal.Code = "two_systems"       // the venue sells the games of the other system of these rules
)

// License lets a venue sell the games of a series, or ends that. Prizes are paid there with and without a licence.
func License(s *state.State, b record.VenueLicensed) (*record.VenueLicensed, error) {
	venue, ok := s.Venue(b.Venue)
	if !ok {
		return nil, refuse(staff.VenueUnknown, "", "venue", "There is no venue %d.", b.Venue)
	}
	series, err := seriesOf(s, b.Series)
	if err != nil {
		return nil, err
	}
	switch {
	case b.Approval == "":
		return nil, refuse(LicenceReference, "", "reference",
			"A licence needs the reference of the decision that gives or ends it.")
	case b.Sells && series.IsOver():
		system := series.Book.System()
		return nil, refuse(SeriesOver, system.EndClause(), "series", "%s has ended with Keno Day %v.", series.Name,
			series.LastDay)
	case venue.Sells(b.Series) && b.Sells:
		return nil, refuse(LicenceKnown, "", "sells", "%s sells %s already.", venue.Name, series.Name)
	case b.Instead != 0 && !b.Sells:
		return nil, refuse(LicenceKnown, "", "instead",
			"A series takes the place of another where it is sold. Leave this out to end the sale of %s.", series.Name)
	case b.Instead != 0 && (b.Instead == b.Series || !venue.Sells(b.Instead)):
		return nil, refuse(LicenceKnown, "", "instead", "%s does not sell series %d, which another is to replace.",
			venue.Name, b.Instead)
	case !venue.Sells(b.Series) && !b.Sells:
		return nil, refuse(LicenceKnown, "", "sells", "%s does not sell %s.", venue.Name, series.Name)
	}
	return &b, checkOneSystem(s, venue, series, b)
}

// checkOneSystem refuses to let a venue sell the games of a system and of its successor: a venue moves from the one to
// the other.
//
//rule:tas-keno-2023 front.transition
func checkOneSystem(s *state.State, venue state.Venue, series *state.Series, b record.VenueLicensed) error {
	if !b.Sells {
		return nil
	}
	system := series.Book.System()
	for other := range s.AllSeries() {
		if other.ID == b.Instead || !venue.Sells(other.ID) || other.IsOver() || other.Book.ID() != series.Book.ID() ||
			other.Book.System().Plays == system.Plays {
			continue
		}
		return refuse(TwoSystems, system.EndClause(), "instead",
			"%s sells %s, a series of another system. Say that %s takes its place.", venue.Name, other.Name, series.Name)
	}
	return nil
}

// checkLicensed refuses to sell the games of a series, or a paper for them, at a venue that has no licence for it, or
// that has missed a payment and may not sell until it pays.
func checkLicensed(s *state.State, terminal state.Terminal, series *state.Series) error {
	if venue, ok := s.Venue(terminal.Venue); ok && !venue.Sells(series.ID) {
		return refuse(Unlicensed, "", "series", "%s has no licence to sell %s.", venue.Name, series.Name)
	}
	return checkVenuePaid(s, terminal.Venue)
}

// CheckSoldLicensed refuses a paper that is bought for games which the venue does not sell. What a terminal gives for
// money that it owes needs no licence.
func CheckSoldLicensed(s *state.State, o PaperOrder) error {
	terminal, series, err := sellerOf(s, o.Request.Terminal, o.Series)
	if err != nil {
		return err
	}
	if paper, ok := series.Book.Instrument(o.ID); o.Reason != record.IssuedForMoney || !ok || !paper.Sold {
		return nil
	}
	return checkLicensed(s, terminal, series)
}
