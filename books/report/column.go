package report

import (
	"slices"
	"strings"
)

// Column is a column of a table. Its name means the same in every report.
type Column struct {
	Name  string
	Kind  Kind
	Over  Over   // how its values of several days come to one
	Means string // its definition, a sentence or more

	part, whole []string // of a share: the columns whose sums are divided
}

// Over says how the values of a column of several days, or of several rows, come to one.
type Over uint8

// The ways.
const (
	Key     Over = iota // a text that names the row: rows that differ in it stay apart
	Label               // a text that goes with what names the row
	Item                // a text that names one thing alone: it has no place in a row about several
	Remark              // another text, or a figure, about one thing alone
	Flow                // the sum
	Opening             // the value of the first day
	Closing             // the value of the last day
	Ratio               // worked out anew from the sums of other columns
)

// String returns the name of the way.
func (o Over) String() string {
	return [...]string{"key", "label", "item", "remark", "flow", "opening", "closing", "ratio"}[o]
}

// Says returns the way as a person reads it behind a definition; empty for texts.
func (o Over) Says() string {
	return [...]string{"", "", "", "", "Several days: their sum.", "Several days: the first.", "Several days: the last.",
		"Several days: worked out of the sums."}[o]
}

// Definition returns what the column means and how several days of it come to one.
func (c Column) Definition() string { return strings.TrimSpace(c.Means + " " + c.Over.Says()) }

func key(name, means string) Column  { return Column{Name: name, Kind: Text, Over: Key, Means: means} }
func item(name, means string) Column { return Column{Name: name, Kind: Text, Over: Item, Means: means} }
func remark(name, means string) Column {
	return Column{Name: name, Kind: Text, Over: Remark, Means: means}
}
func count(name, means string) Column {
	return Column{Name: name, Kind: Count, Over: Flow, Means: means}
}
func cents(name, means string) Column {
	return Column{Name: name, Kind: Amount, Over: Flow, Means: means}
}
func opening(name, means string) Column {
	return Column{Name: name, Kind: Amount, Over: Opening, Means: means}
}
func closing(name, means string) Column {
	return Column{Name: name, Kind: Amount, Over: Closing, Means: means}
}

// single is an amount of a line by itself, which is not added up.
func single(name, means string) Column {
	return Column{Name: name, Kind: Amount, Over: Remark, Means: means}
}

// ratio is a column that divides the sum of some columns by another.
func ratio(name, means, whole string, part ...string) Column {
	return Column{Name: name, Kind: Share, Over: Ratio, Means: means, part: part, whole: []string{whole}}
}

// What names a row. This list and those below are the one home of every column: reports name the variables.
var (
	colDay      = key("Day", "The trading day.")
	colMonth    = key("Month", "The calendar month of the trading days.")
	colYear     = key("Year", "The year of the trading days: the calendar year, or twelve months from the month that was asked for.")
	colSeries   = key("Series", "The series of games whose records the row adds up; - for the house itself, which has none.")
	colVenue    = key("Venue", "The number of the venue.")
	colName     = Column{Name: "Name", Kind: Text, Over: Label, Means: "The name of the venue."}
	colTerminal = key("Terminal", "The number of the terminal.")
	colWriter   = key("Writer", "The number of the person who was signed on.")
	colGame     = item("Game", "The number of the game.")
	colNote     = remark("Note", "What was unusual about the game: void, settled more than once, or major prizes reduced.")
	colFrom     = item("From", "When the shift began, in UTC.")
	colTo       = remark("To", "When the shift ended, in UTC; empty while it goes on.")
	colRoom     = key("Room", "The number of the bingo room.")
	colSession  = key("Session", "The number of the session of bingo; - for what belongs to none.")
	colKind     = key("Kind", "The kind of paper or card.")
	colAccount  = key("Account", "The account of the ledger.")
	colFor      = key("For", "For what the account is kept apart: a venue, jackpot, terminal, promotion or kind of paper.")
	colBy       = key("By", "The kind of record that moved the account.")
	colPool     = key("Pool", "The jackpot.")
	colPlace    = key("Where kept", "Where the cash is: the tills of the venue, or its safe.")
	colTime     = remark("Time", "When it happened, in UTC.")
	colRecord   = item("Record", "The place of the record in the journal: volume and number.")
	colClass    = remark("Class", "Why a controller looks at it.")
	colWhat     = remark("What", "The kind of the record.")
	colWhere    = item("Where", "The number of the terminal.")
	colWho      = remark("Who", "The number of the person who did it, or was on shift there.")
	colAbout    = remark("About", "What the record says.")
	colKenoDay  = item("Keno Day", "The Keno Day of the game.")
	colTicket   = item("Ticket", "The ticket: its serial, or its place in the journal.")
	colWith     = key("With", "Where the money is: venues, claim forms, the Treasurer, approved purposes, or where else it waits.")
	colSince    = remark("Since", "The Keno Day on which the money went there.")
	colClause   = remark("Clause", "The clause of the rules by which the money went there.")
	colNext     = remark("Next", "Where the money goes if nobody fetches it.")
	colMoves    = remark("Moves on", "The day on which it goes there: with the first Keno Day that opens then or later.")
	colNextBy   = remark("Next clause", "The clause of the rules by which it goes there.")
	colClaim    = remark("Claim", "The open claim form that keeps the money where it is.")
)

// What was sold, paid and given back at terminals.
var (
	colTickets   = count("Tickets", "Tickets that were sold.")
	colSold      = cents("Sold", "What tickets that were sold cost.")
	colPayments  = count("Payments", "Payments of tickets.")
	colPaid      = cents("Paid", "Prizes of keno and refunds of void games that were paid on tickets.")
	colLate      = count("Late", "Payments with a prize of a game of an earlier trading day.")
	colPaidLate  = cents("Paid late", "Those prizes of earlier trading days.")
	colCancelled = count("Cancelled", "Tickets that were cancelled.")
	colGivenBack = cents("Given back", "What was given back for tickets that were cancelled.")
	colBonuses   = cents("Bonuses", "Bonus prizes that were handed out.")
	colPapers    = cents("Papers", "Vouchers, receipts and cards that customers had for money or in place of a prize.")
	colUnpaid    = cents("Unpaid", "What customers left without paying.")
	colCash      = cents("Cash", "What came in as cash, less what went out as cash; moves to and from the safe and counts are left out.")
	colOtherwise = cents("Otherwise",
		"What came in otherwise than as cash, less what went out so: papers, cards, chips, cheques, what was left unpaid or withheld.")
	colBrought = cents("Brought", "Cash from the venue's safe into the bank of the shift.")
	colDropped = cents("Dropped", "Cash from the bank of the shift into the venue's safe.")
	colOver    = cents("Over", "What counts of banks found too much; negative if too little.")
	colRate    = ratio("Rate", "Cancelled, of Tickets.", "Tickets", "Cancelled")
)

// What a venue settles.
var (
	colTills      = cents("Tills", "By how much the cash in the tills of the venue rose.")
	colSafe       = cents("Safe", "By how much the cash in the safe of the venue rose through its tills, without cash that the venue brought, took or banked.")
	colChips      = cents("Chips", "By how much the chips in the tills of the venue rose.")
	colCheques    = cents("Cheques", "Cheques that the venue drew on itself for winners, as a negative amount.")
	colLosses     = cents("Losses", "What customers of the venue left without paying, less what was paid later.")
	colShort      = cents("Short", "What counts of the venue's tills found missing; negative if they found too much.")
	colSettlement = cents("Settlement", "Tills, Safe, Chips, Cheques, Losses and Short together: what the venue owes the operator before any commission; negative if it is owed.")
	colLoss       = cents("Loss", "Unpaid, and Short of the day if more was missing than too much.")
)

// Games and what they were played for.
var (
	colGames    = count("Games", "Games of the trading day, void ones among them.")
	colPlays    = count("Plays", "Tickets that play in the game.")
	colWays     = count("Ways", "Ways that play in the game.")
	colWinners  = count("Winners", "Tickets that won in the game.")
	colStaked   = cents("Staked", "Stakes of games that closed, with prizes that ran on into them, less what went back for void games.")
	colFund     = cents("Fund", "What the prize fund got of Staked.")
	colShare    = ratio("Share", "Fund, of Staked.", "Staked", "Fund")
	colPrizes   = cents("Prizes", "What was won and is payable, with shares of jackpots.")
	colRunsOn   = cents("Runs on", "What was won and is a stake of the next game.")
	colReturn   = ratio("Return", "Prizes and Runs on, of Staked.", "Staked", "Prizes", "Runs on")
	colJackpots = cents("Jackpots", "The shares of jackpots in Prizes.")
	colKept     = cents("Kept", "What rounding kept back from prizes, for players.")
)

// The prize fund, jackpots and accounts.
var (
	colOpening = opening("Opening", "What the row had when its first day began.")
	colClosing = closing("Closing", "What the row has when its last day ends.")
	colMoved   = cents("Moved", "What came in, less what went out, by none of the other columns.")
	colToPools = cents("To pools", "What went from the prize fund to jackpots and bonus prizes.")
	colWinning = cents("To winners", "What went from the prize fund to winners, with what runs on.")
	colVenues  = cents("Paid by venues",
		"Prizes that venues paid in cash, by chips and by cheques drawn on them, and not prizes that became papers or are withheld.")
	colTopUp   = cents("Top-up", "Fund less Paid by venues: what the operator brings to the account of the fund.")
	colStakes  = cents("From stakes", "What stakes of games and fees of bingo brought, less what went back for void ones.")
	colWon     = cents("Won", "What was won of the jackpot.")
	colDebits  = cents("Debits", "What records debited to the account.")
	colCredits = cents("Credits", "What records credited to the account.")
	colNet     = cents("Net", "Debits less Credits.")
	colAdds    = cents("Adds", "What the record adds to the figure.")
	colTimes   = count("Adds times", "What the record adds to the figure, which counts.")
	colAmount  = cents("Amount", "The money that the row is about.")

	colIssued      = cents("Issued", "Money for which papers and cards of the kind were issued.")
	colUsed        = cents("Used", "Money of papers and cards that customers spent or were paid.")
	colExpired     = cents("Expired", "Money of papers that expired.")
	colOutstanding = closing("Outstanding", "What papers and cards that are not used up stand for.")
)

// Bingo.
var (
	colPlayers    = count("Players", "Players who entered, less entries that were undone.")
	colFees       = cents("Fees", "What players paid to enter.")
	colPaidBack   = cents("Paid back", "Fees that were given back to players.")
	colPrizesPaid = cents("Prizes paid", "Prizes of bingo that were paid.")
)

// The cash of tills and safes.
var (
	colSalesIn    = cents("Sales in", "Cash for tickets that were sold outside of customer sessions.")
	colSessionsIn = cents("Sessions in", "Cash that customers paid at the end of their sessions.")
	colPapersIn   = cents("Papers in", "Cash for vouchers, receipts and cards outside of customer sessions.")
	colBingoIn    = cents("Bingo in", "Cash from players of bingo.")
	colFloats     = cents("Safe to tills", "Cash that went from the safe to the tills; negative where it left.")
	colDrops      = cents("Tills to safe", "Cash that went from the tills to the safe; negative where it left.")
	colPrizesOut  = cents("Prizes out",
		"Cash that paid prizes, refunds, bonuses and claims outside of customer sessions, as a negative amount.")
	colCancelsOut  = cents("Cancelled out", "Cash given back for tickets outside of customer sessions, as a negative amount.")
	colSessionsOut = cents("Sessions out", "Cash that customers had at the end of their sessions, as a negative amount.")
	colBingoOut    = cents("Bingo out", "Cash to players of bingo, as a negative amount.")
	colCounts      = count("Counts", "Counts of banks by persons on shift.")
)

// colPoolOf and colWonOf are the columns of the jackpots of a number of spots.
var (
	colPoolOf = closing("N spots", "What the game left in the jackpot of N spots, rounded down to the cent.")
	colWonOf  = cents("N won", "What was won of the jackpot of N spots.")
)

// of returns the column for a number in place of N.
func (c Column) of(n string) Column {
	c.Name, c.Means = strings.Replace(c.Name, "N", n, 1), strings.Replace(c.Means, " N ", " "+n+" ", 1)
	return c
}

// at returns the place of a column by its name, or -1.
func (t *Table) at(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
}

// divide works the shares of a row out of its other cells.
func (t *Table) divide(row []Cell) {
	for i, c := range t.Columns {
		if c.Over != Ratio {
			continue
		}
		sum := func(names []string) (sum int64) {
			for _, name := range names {
				sum += row[t.at(name)].Number
			}
			return sum
		}
		row[i] = shareOf(sum(c.part), sum(c.whole))
	}
}

// keyOf returns what names a row among those of one period.
func (t *Table) keyOf(row []Cell) string {
	var b strings.Builder
	for i, c := range t.Columns {
		if c.Over == Key && !isPeriod(c) {
			b.WriteString(row[i].Text + "\x00")
		}
	}
	return b.String()
}

// isPeriod reports whether a column names days.
func isPeriod(c Column) bool {
	return c.Name == colDay.Name || c.Name == colMonth.Name || c.Name == colYear.Name
}

// join adds rows of several days up into one, as the columns say: rows of one key, and then all keys together.
func (t *Table) join(rows [][]Cell) []Cell {
	sum, keys := make([]Cell, len(t.Columns)), make([]string, len(rows))
	for i, row := range rows {
		keys[i] = t.keyOf(row)
	}
	for i, c := range t.Columns {
		last := map[string]int64{} // of each key the value that counts
		for k, row := range rows {
			key := keys[k]
			_, seen := last[key]
			switch {
			case c.Over == Flow:
				sum[i].Number += row[i].Number
			case c.Over == Opening && !seen, c.Over == Closing:
				last[key] = row[i].Number
			}
		}
		for _, value := range last {
			sum[i].Number += value
		}
	}
	t.divide(sum)
	return sum
}

// addTotal adds the rows up.
func (t *Table) addTotal() {
	if len(t.Rows) == 0 {
		return
	}
	t.Total = t.join(t.Rows)
	t.Total[0] = text("Total")
}

// legend returns the columns that have a definition.
func (t *Table) legend() (list []Column) {
	for _, c := range t.Columns {
		if c.Means != "" {
			list = append(list, c)
		}
	}
	return list
}

// Definitions returns the table of the definitions of columns.
func Definitions(about string, columns []Column) *Table {
	t := &Table{Title: "Columns of the report", Period: about, Columns: []Column{{Name: "Column", Kind: Text},
		{Name: "Holds", Kind: Text}, {Name: "Meaning", Kind: Text}, {Name: "Several days", Kind: Text}}}
	for _, c := range columns {
		t.Rows = append(t.Rows, []Cell{text(c.Name), text(c.Kind.String()), text(c.Means), text(c.Over.String())})
	}
	return t
}

// What is owed to the State. The lines of a month are parts of its return, so that nothing is added up.
var (
	colTaxMonth = item("Tax month", "The calendar month of the Keno Days that the line is about.")
	colLine     = item("Line", "A Keno Day of the month, what is not of these days, or the return of the month.")
	colRecords  = item("Records", "The places of the records behind the line.")
	colGross    = single("Gross stakes", "Stakes of games that closed, with prizes that ran on into them.")
	colWentBack = single("Went back", "What went back for void games.")
	colWonBack  = single("Won by players", "The prizes of these games, payable or running on.")
	colBase     = single("Base", "What the rulebook taxes of these.")
	colLossIn   = single("Loss before", "The loss of earlier months, which is taken off the base.")
	colTaxRate  = Column{Name: "Tax rate", Kind: Share, Over: Remark, Means: "The part of what is left of the base that is tax."}
	colTax      = single("Tax", "The rate of what is left of the base.")
	colLossOn   = single("Loss after", "The loss that is left for later months.")
	colDue      = remark("Due", "The day on which the tax is due.")

	colOwedOn     = item("Owed on", "The account of the ledger with what is owed to the State.")
	colOwedBefore = single("Owed before", "What was owed when the month began.")
	colOwedMore   = single("Came to be owed", "What came to be owed in the month.")
	colRemitted   = single("Remitted", "What was paid to the State.")
	colOwedAfter  = single("Owed after", "What was owed when the month ended: the balance of the account.")
	colPaidOn     = remark("Paid on", "The day of the payment.")
	colForMonth   = remark("Of month", "The month whose tax was paid.")
	colReference  = remark("Reference", "The reference of the payment.")
)

// The account of a venue with the operator.
var (
	colTakings    = cents("Takings", "What statements put on the account: what the venue held for the operator.")
	colCommission = cents("Commission", "What statements take off the account: what the venue has earned by its agreement.")
	colCommTax    = cents("Tax on commission", "What statements take off the account beside the commission: the tax that the venue charges on it.")
	colMadeUp     = cents("Made up", "What statements put on the account beside the takings: what the venue makes up to the least payment of its agreement.")
	colTransfers  = cents("By transfer", "What the venue has paid by transfer, less what the operator has paid it and what two persons have taken back.")
	colBanked     = cents("Banked", "Cash of its safe that the venue has banked for the operator.")
	colCollected  = cents("Collected", "What direct debits have collected, less what banks have called back.")
)
