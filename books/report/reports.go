package report

import (
	"fmt"

	"drawhouse/books"
)

// Name is a report that can be asked for.
type Name string

// The reports.
const (
	Days           Name = "days"
	Venues         Name = "venues"
	VenueAccount   Name = "venue-account"
	Terminals      Name = "terminals"
	Shifts         Name = "shifts"
	Cancellations  Name = "cancellations"
	Bingo          Name = "bingo"
	Games          Name = "games"
	Jackpots       Name = "jackpots"
	Reconciliation Name = "reconciliation"
	Fund           Name = "fund"
	Owed           Name = "owed"
	Papers         Name = "papers"
	Credit         Name = "credit"
	Accounts       Name = "accounts"
	Statement      Name = "statement"
	Exceptions     Name = "exceptions"
)

// Report is one of the reports.
type Report struct {
	Name  Name
	About string // what it answers
	// ByVenue says that it can be had for one venue alone, and so by who works there.
	ByVenue bool
	fill    func(*Table, []*books.Book, Choice)
}

// Choice is what of a report is wanted.
type Choice struct {
	Venue  uint32 // the one venue; 0 for all
	Digits int    // least width of game numbers
}

// game writes the number of a game.
func (c Choice) game(number uint16) Cell { return text(fmt.Sprintf("%0*d", c.Digits, number)) }

// has reports whether a venue is wanted.
func (c Choice) has(venue uint32) bool { return c.Venue == 0 || c.Venue == venue }

var reports = []Report{
	{Days, "what was staked, won and paid, day by day", false, byDay},
	{Venues, "what each venue took, paid and owes the operator", true, byVenue},
	{VenueAccount, "what each venue owes: statements, commission, payments, balance carried forward", true, venueAccount},
	{Terminals, "the same by terminal and day", true, byTerminal},
	{Shifts, "what each writer sold, paid, cancelled and banked", true, byShift},
	{Cancellations, "who gives back how many tickets", true, cancellations},
	{Bingo, "what sessions of bingo took, paid and left to pay", true, bingo},
	{Games, "every game", false, byGame},
	{Jackpots, "what the jackpots came to, game by game", false, jackpots},
	{Reconciliation, "what went into each jackpot and came out of it", false, reconciliation},
	{Fund, "the prize fund, its part of the stakes and what tops it up", false, fund},
	{Owed, "what is owed to players and to the State", false, owed},
	{Papers, "vouchers, receipts and cards: issued, used, expired, outstanding", false, papers},
	{Credit, "what customers did not pay and venues lose by it", true, credit},
	{Accounts, "the trial balance", false, accounts},
	{Statement, "which records moved which account", false, statement},
	{Exceptions, "what a controller wants to look at", false, exceptions},
}

// All returns the reports, in the order in which they are offered.
func All() []Report { return reports }

// Find returns a report by its name.
func Find(name Name) (Report, error) {
	for _, r := range reports {
		if r.Name == name {
			return r, nil
		}
	}
	return Report{}, fmt.Errorf("report: there is no report %q; drawhouse report lists them", name)
}

// Names returns the names of all reports.
func Names() []Name {
	names := make([]Name, len(reports))
	for i, r := range reports {
		names[i] = r.Name
	}
	return names
}

// Make makes a report of some days, in their order.
func Make(name Name, days []*books.Book, c Choice) (*Table, error) {
	r, err := Find(name)
	if err != nil {
		return nil, err
	}
	if len(days) == 0 {
		return nil, fmt.Errorf("report: there is no trading day in this time")
	}
	if c.Venue != 0 && !r.ByVenue {
		return nil, fmt.Errorf("report: %s is of the house as a whole and not of one venue", name)
	}
	t := new(Table)
	first, last := days[0].Day, days[len(days)-1].Day
	t.Period = fmt.Sprintf("Trading day %v", first)
	if last != first {
		t.Period = fmt.Sprintf("Trading days %v to %v", first, last)
	}
	if c.Venue != 0 {
		t.Period += fmt.Sprintf(", venue %d", c.Venue)
	}
	r.fill(t, days, c)
	t.Notes = append(t.Notes, "A trading day is everything from the close of one Keno Day to the close of the next.")
	return t, nil
}
