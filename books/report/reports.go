package report

import (
	"errors"
	"fmt"
	"slices"

	"drawhouse/books"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
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
	Cash           Name = "cash"
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
	Tax            Name = "tax"
	Remittances    Name = "remittances"
)

// Report is one of the reports.
type Report struct {
	Name  Name
	About string // what it answers
	// ByVenue says that it can be had for one venue alone, and so by who works there.
	ByVenue bool
	// Columns are its columns. A report may have more of them: the series, where there are several, and a column of
	// each jackpot in place of one with N.
	Columns []Column
	fill    func(*Table, []*books.Book, Choice)
}

// Lists reports whether each row is a thing by itself, such as an exception, so that there is nothing to add up by
// month.
func (r Report) Lists() bool {
	return !slices.ContainsFunc(r.Columns, func(c Column) bool {
		return c.Over == Key && !isPeriod(c) || c.Over >= Flow && c.Name != colAmount.Name
	})
}

// Choice is what of a report is wanted.
type Choice struct {
	Venue  uint32           // the one venue; 0 for all
	Series map[uint8]Series // of the house, by number
	By     By               // the rows are of days, months or years; as the report has them if empty
	// YearBegins is the month with which years begin, from 1 to 12; calendar years if 0.
	YearBegins int
	Read       Reader // for reports that read records beside the books; nil where there are none
	// Since is what was booked behind the last close of the days; its zero value where the report is not of the last
	// days, or where that is not known.
	Since Since
	apart bool // several series are shown apart, whether or not the days have several

	short  map[venueDay]money.Amount    // of the report of which this is a part
	bodies map[record.Place]record.Body // what was read
}

// game writes the number of a game of a series.
func (c Choice) game(series uint8, number uint16) Cell {
	return text(fmt.Sprintf("%0*d", c.Series[series].Digits, number))
}

// has reports whether a venue is wanted.
func (c Choice) has(venue uint32) bool { return c.Venue == 0 || c.Venue == venue }

var reports = []Report{
	{Days, "what was staked, won and paid, day by day", false,
		[]Column{colDay, colGames, colTickets, colSold, colGivenBack, colStaked, colFund, colShare, colPrizes, colRunsOn,
			colReturn, colJackpots, colKept, colPaid}, byDay},
	{Venues, "what each venue took, paid and owes the operator", true,
		[]Column{colVenue, colName, colTickets, colSold, colGivenBack, colPayments, colPaid, colBonuses, colTills, colSafe,
			colChips, colCheques, colLosses, colShort, colSettlement}, byVenue},
	{VenueAccount, "what each venue owes: statements, commission, payments, balance carried forward", true,
		[]Column{colVenue, colName, colDay, colOpening, colTakings, colCommission, colCommTax, colMadeUp, colTransfers,
			colBanked, colCollected, colClosing}, venueAccount},
	{Terminals, "the same by terminal and day", true,
		slices.Concat([]Column{colDay, colTerminal, colVenue}, tallied), byTerminal},
	{Shifts, "what each writer sold, paid, cancelled and banked", true,
		slices.Concat([]Column{colDay, colWriter, colTerminal, colVenue, colFrom, colTo}, tallied,
			[]Column{colBrought, colDropped, colOver}), byShift},
	{Cash, "the cash of tills and safes: opening, in, out, moved, counted, closing", true,
		[]Column{colDay, colVenue, colName, colPlace, colOpening, colSalesIn, colSessionsIn, colPapersIn, colBingoIn,
			colPrizesOut, colCancelsOut, colSessionsOut, colBingoOut, colFloats, colDrops, colMoved, colCounts, colOver,
			colClosing}, cash},
	{Cancellations, "who gives back how many tickets", true,
		[]Column{colVenue, colWriter, colTerminal, colTickets, colSold, colCancelled, colGivenBack, colRate}, cancellations},
	{Bingo, "what sessions of bingo took, paid and left to pay", true,
		[]Column{colDay, colRoom, colSession, colVenue, colPlayers, colFees, colPaidBack, colPrizes, colJackpots,
			colPrizesPaid, colCash}, bingo},
	{Games, "every game", false,
		[]Column{colDay, colGame, colPlays, colWays, colStaked, colWinners, colPrizes, colRunsOn, colReturn, colJackpots,
			colKept, colNote}, byGame},
	{Jackpots, "what the jackpots came to, game by game", false,
		[]Column{colDay, colGame, colPoolOf, colWonOf}, jackpots},
	{Reconciliation, "what went into each jackpot and came out of it", false,
		[]Column{colAccount, colPool, colOpening, colStakes, colWon, colMoved, colClosing}, reconciliation},
	{Fund, "the prize fund, its part of the stakes and what tops it up", false,
		[]Column{colDay, colOpening, colStaked, colFund, colShare, colToPools, colWinning, colMoved, colClosing, colVenues,
			colTopUp}, fund},
	{Owed, "what is owed to players and to the State", false, owedColumns(), owed},
	{Papers, "vouchers, receipts and cards: issued, used, expired, outstanding", false,
		[]Column{colKind, colOpening, colIssued, colUsed, colExpired, colMoved, colOutstanding}, papers},
	{Credit, "what customers did not pay and venues lose by it", true,
		[]Column{colDay, colVenue, colName, colUnpaid, colShort, colLoss}, credit},
	{Accounts, "the trial balance", false,
		[]Column{colAccount, colFor, colOpening, colDebits, colCredits, colClosing}, accounts},
	{Statement, "which records moved which account", false,
		[]Column{colAccount, colFor, colBy, colDebits, colCredits, colNet}, statement},
	{Exceptions, "what a controller wants to look at", false,
		[]Column{colDay, colTime, colRecord, colClass, colWhat, colWhere, colWho, colAbout, colAmount}, exceptions},
	{Tax, "the tax of each month that was stated, with the days behind it", false,
		[]Column{colTaxMonth, colLine, colRecords, colGross, colWentBack, colWonBack, colBase, colLossIn, colTaxRate, colTax,
			colLossOn, colDue}, tax},
	{Remittances, "what was owed to the State, and what of it was paid", false,
		[]Column{colTaxMonth, colOwedOn, colOwedBefore, colOwedMore, colRemitted, colOwedAfter, colRecord, colPaidOn,
			colForMonth, colReference}, remittances},
}

// reads are the kinds of records that a report reads, beside the books.
var reads = map[Name][]record.Kind{
	Tax: {record.KindTaxStated}, Remittances: {record.KindRemittanceMade, record.KindRemittanceReversed},
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

// List is a report that is not of the books, but of single tickets, papers and records: the whole journal is read to
// make it.
type List struct {
	Name  Name
	About string // what it answers
	// ByVenue says that it can be had for one venue alone, and ByTime that it can be had by day, month or year.
	ByVenue, ByTime bool
	Columns         []Column
}

// Adds reports whether the records behind its figures can be listed.
func (l List) Adds() bool { return l.ByTime || l.Name == AheadGames }

// Lists returns the reports that are not of the books, in the order in which they are offered.
func Lists() []List {
	var all []List
	for _, r := range betReports {
		all = append(all, List{r.name, r.about, true, true, r.columns()})
	}
	return append(all,
		List{AheadGames, "what is owed for each game that has not closed, by venue and bet", true, false, aheadColumns},
		List{Unclaimed, "prizes that nobody has fetched, by ticket, and where their money went (--due, by the games' days)",
			false, false, unclaimedColumns},
		List{Ageing, "what nobody has fetched by the days since its game, held against the accounts", false, false,
			ageingColumns},
		List{Outstanding, "papers and cards that stand for money", false, false, outstandingColumns},
		List{Certificate, "the draws of one Keno Day (--from, --series), for an inspector to sign", false, false,
			certificateColumns},
		List{Cards, "what came onto each player card and left it", false, false, cardColumns})
}

// FindList returns a report that is not of the books by its name, and whether there is one.
func FindList(name Name) (List, bool) {
	for _, l := range Lists() {
		if l.Name == name {
			return l, true
		}
	}
	return List{}, false
}

// Listed returns the names of the reports that are not of the books.
func Listed() (names []Name) {
	for _, l := range Lists() {
		names = append(names, l.Name)
	}
	return names
}

// ColumnsOf returns the columns of a report, of the books or not, with those that it has where a house has several
// series.
func ColumnsOf(name Name) ([]Column, error) {
	if l, ok := FindList(name); ok {
		return l.Columns, nil
	}
	r, err := Find(name)
	if err == nil && name.OfSeries() {
		return slices.Insert(slices.Clone(r.Columns), seriesAt, colSeries, colSeriesName), nil
	}
	return r.Columns, err
}

// Names returns the names of all reports.
func Names() []Name {
	names := make([]Name, len(reports))
	for i, r := range reports {
		names[i] = r.Name
	}
	return names
}

// ErrNoDay reports that there is nothing to make a report of.
var ErrNoDay = errors.New("report: there is no trading day in this time")

// Make makes a report of some days, in their order.
func Make(name Name, days []*books.Book, c Choice) (*Table, error) {
	t, err := table(name, days, c)
	if err != nil {
		return nil, err
	}
	t.Notes = append(t.Notes, "A trading day is everything from the close of one Keno Day to the close of the next.")
	t.sayEnds(days)
	if t.UpTo, err = upTo(days, c.Read); err != nil {
		return nil, err
	}
	t.Notes = append(t.Notes, c.Since.says()...)
	return t, nil
}

// table makes a report of some days, without what it says of the journal as a whole.
func table(name Name, days []*books.Book, c Choice) (*Table, error) {
	r, err := Find(name)
	if err != nil {
		return nil, err
	}
	if len(days) == 0 {
		return nil, ErrNoDay
	}
	if c.Venue != 0 && !r.ByVenue {
		return nil, fmt.Errorf("report: %s is of the house as a whole and not of one venue", name)
	}
	if c.bodies, err = readEvents(days, c.Read, reads[name]...); err != nil {
		return nil, err
	}
	c.apart = c.apart || showsApart(name, days)
	t := &Table{Name: name}
	first, last := days[0].Day, days[0].Day
	for _, b := range days {
		first, last = min(first, b.Day), max(last, b.Day)
	}
	t.Period = periodOf(first, last, c)
	return t, r.make(t, days, c)
}

// periodOf names the days that a report is of.
func periodOf(first, last day.Day, c Choice) string {
	period := fmt.Sprintf("Trading day %v", first)
	if last != first {
		period = fmt.Sprintf("Trading days %v to %v", first, last)
	}
	if c.Venue != 0 {
		period += fmt.Sprintf(", venue %d", c.Venue)
	}
	return period
}
