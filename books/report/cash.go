package report

import (
	"cmp"
	"fmt"
	"slices"

	"drawhouse/books"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// cashFlows says in which column of the report of cash stands what records of a kind moved in tills and safes: what
// came in, and what went out. Other kinds stand in Moved.
var cashFlows = map[record.Kind]cashFlow{
	record.KindTicketSold:       {colSalesIn.Name, colSalesIn.Name},
	record.KindTicketPaid:       {colPrizesOut.Name, colPrizesOut.Name},
	record.KindBonusAllocated:   {colPrizesOut.Name, colPrizesOut.Name},
	record.KindClaimPaid:        {colPrizesOut.Name, colPrizesOut.Name},
	record.KindTicketCancelled:  {colCancelsOut.Name, colCancelsOut.Name},
	record.KindSessionEnded:     {colSessionsIn.Name, colSessionsOut.Name},
	record.KindInstrumentIssued: {colPapersIn.Name, colPapersIn.Name},
	record.KindPlayerEntered:    {colBingoIn.Name, colBingoIn.Name},
	record.KindEntryUndone:      {colBingoOut.Name, colBingoOut.Name},
	record.KindRefundPaid:       {colBingoOut.Name, colBingoOut.Name},
	record.KindBingoPaid:        {colBingoOut.Name, colBingoOut.Name},
	record.KindOfferClaimed:     {colBingoOut.Name, colBingoOut.Name},
	record.KindDisputePaid:      {colBingoOut.Name, colBingoOut.Name},
	record.KindBankCounted:      {colOver.Name, colOver.Name},
}

// cashFlow names the columns of what came in and of what went out.
type cashFlow struct{ in, out string }

// cashPlaces are where a venue keeps cash, with the columns of what came from the other place and went there.
var cashPlaces = []struct {
	account ledger.Account
	name    string
	moved   cashFlow
}{
	{ledger.Cash, "tills", cashFlow{colFloats.Name, colDrops.Name}},
	{ledger.Safe, "safe", cashFlow{colDrops.Name, colFloats.Name}},
}

// cash reconciles the cash of each venue, day by day: what its tills and its safe had, what came in and went out by
// source, what moved between them, what counts found, and what they have.
func cash(t *Table, days []*books.Book, c Choice) {
	t.Title = "Cash of tills and safes"
	t.Notes = []string{
		"Opening and the amounts of a row between Opening and Closing, each as it stands, are Closing. Counts is a number and no amount.",
		"Closing of the tills is the balance of the account cash of the venue, and Closing of the safe that of the account safe.",
		"A safe begins at nothing: cash that a venue has already is recorded as brought (carry-cash). What a venue brings, takes and banks stands in Moved.",
	}
	names := map[uint32]string{}
	for _, b := range days {
		for i := range b.Venues {
			names[b.Venues[i].Venue] = b.Venues[i].Name
		}
	}
	for _, b := range days {
		lines, counts := b.Merged(), map[uint32]int64{}
		for i := range b.Shifts {
			counts[b.Shifts[i].Venue] += int64(b.Shifts[i].Counts)
		}
		lines = slices.DeleteFunc(lines, func(l books.Balance) bool {
			return l.Account != ledger.Cash && l.Account != ledger.Safe || !c.has(l.Unit)
		})
		for venue, n := range counts { // A count that found what was due moves nothing.
			if n != 0 && c.has(venue) && !slices.ContainsFunc(lines, func(l books.Balance) bool {
				return l.Account == ledger.Cash && l.Unit == venue
			}) {
				lines = append(lines, books.Balance{Account: ledger.Cash, Unit: venue})
			}
		}
		slices.SortStableFunc(lines, func(a, b books.Balance) int {
			return cmp.Or(cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Account, b.Account))
		})
		for i := range lines {
			row := t.cashRow(&lines[i])
			row[0], row[t.at(colName.Name)] = text(b.Day.String()), text(names[lines[i].Unit])
			if lines[i].Account == ledger.Cash {
				row[t.at(colCounts.Name)] = Cell{Number: counts[lines[i].Unit]}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.addTotal()
}

// cashRow returns the row of the tills or the safe of a venue.
func (t *Table) cashRow(l *books.Balance) []Cell {
	place := cashPlaces[0]
	if l.Account == ledger.Safe {
		place = cashPlaces[1]
	}
	row := make([]Cell, len(t.Columns))
	add := func(name string, cents money.Amount) { row[t.at(name)].Number += cents.Cents() }
	row[t.at(colVenue.Name)], row[t.at(colPlace.Name)] = text(fmt.Sprint(l.Unit)), text(place.name)
	add(colOpening.Name, l.Opening)
	add(colClosing.Name, l.Closing())
	for _, f := range l.Flows {
		flow, ok := cashFlows[f.Kind]
		switch {
		case f.Kind == record.KindBankMoved:
			flow = place.moved
		case !ok:
			flow = cashFlow{colMoved.Name, colMoved.Name}
		}
		add(flow.in, f.Debits)
		add(flow.out, -f.Credits)
	}
	return row
}
