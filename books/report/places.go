package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"drawhouse/books"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// settled are the accounts that a venue settles with the operator.
var settled = []ledger.Account{ledger.Cash, ledger.Safe, ledger.Chips, ledger.SiteCheques, ledger.VenueLosses,
	ledger.OverShort}

// venueLine is what a venue did in all days of a report.
type venueLine struct {
	venue uint32
	name  string
	tally books.Tally
	moved map[ledger.Account]money.Amount
}

// settlement adds up the venues over the days.
func settlement(days []*books.Book, c Choice) []*venueLine {
	lines := map[uint32]*venueLine{}
	line := func(id uint32) *venueLine {
		if lines[id] == nil {
			lines[id] = &venueLine{venue: id, moved: map[ledger.Account]money.Amount{}}
		}
		return lines[id]
	}
	for _, b := range days {
		for i := range b.Venues {
			if v := &b.Venues[i]; c.has(v.Venue) {
				l := line(v.Venue)
				l.name = v.Name
				l.tally.Add(&v.Tally)
			}
		}
		for _, a := range b.Accounts {
			if slices.Contains(settled, a.Account) && a.Debits|a.Credits != 0 && c.has(a.Unit) {
				// Cash that came from outside of the house, or left it, is no part of what a venue takes.
				line(a.Unit).moved[a.Account] += a.Debits - a.Credits - netOf(&a, record.KindCashCarried)
			}
		}
	}
	sorted := make([]*venueLine, 0, len(lines))
	for _, l := range lines {
		sorted = append(sorted, l)
	}
	slices.SortFunc(sorted, func(a, b *venueLine) int { return cmp.Compare(a.venue, b.venue) })
	return sorted
}

// venueAccount shows how the account of each venue with the operator came about, by the days on which it moved.
func venueAccount(t *Table, days []*books.Book, c Choice) {
	t.Title = "Venue accounts"
	t.Notes = []string{"Below zero the operator owes the venue. The tax on the commission is on top of it."}
	names := map[uint32]string{}
	for _, b := range days {
		for i := range b.Venues {
			names[b.Venues[i].Venue] = b.Venues[i].Name
		}
	}
	var commission, paid money.Amount
	closing := map[uint32]money.Amount{}
	for _, a := range accountsOver(days, false, func(a ledger.Account) bool { return a == ledger.VenueAccount }) {
		if !c.has(a.unit) {
			continue
		}
		closing[a.unit] = a.closing
		for _, b := range days {
			on := b.Unit(ledger.VenueAccount, a.unit)
			if len(on.Flows) == 0 {
				continue
			}
			var stated, parts money.Amount
			row := []money.Amount{}
			for _, kinds := range [][]record.Kind{
				{record.KindRemittanceReceived, record.KindVenuePaid, record.KindVenuePaymentReversed},
				{record.KindCashCarried}, {record.KindDebitAnswered},
			} {
				var part money.Amount
				for _, kind := range kinds {
					part -= netOf(&on, kind)
				}
				row, parts = append(row, part), parts+part
			}
			stated = netOf(&on, record.KindVenueStated)
			by := func(account ledger.Account) money.Amount {
				of := b.Unit(account, a.unit)
				return netOf(&of, record.KindVenueStated)
			}
			earned, tax, madeUp := by(ledger.Commission), by(ledger.CommissionTax), -by(ledger.Guarantees)
			t.Rows = append(t.Rows, []Cell{text(fmt.Sprint(a.unit)), text(names[a.unit]), text(b.Day.String()),
				amount(on.Opening), amount(stated + earned + tax - madeUp), amount(earned), amount(tax), amount(madeUp),
				amount(row[0]), amount(row[1]), amount(row[2]),
				amount(on.Closing())})
			commission, paid = commission+earned, paid+parts
		}
	}
	var owed money.Amount
	for _, cents := range closing {
		owed += cents
	}
	t.Figures = []Figure{{"Commission", dollars(commission)}, {"Paid", dollars(paid)}, {"Owed at the end", dollars(owed)}}
}

// netOf returns what records of a kind did to an account.
func netOf(a *books.Balance, kind record.Kind) (sum money.Amount) {
	for _, f := range a.Flows {
		if f.Kind == kind {
			sum += f.Net()
		}
	}
	return sum
}

// byVenue is the settlement of venues with the operator.
func byVenue(t *Table, days []*books.Book, c Choice) {
	t.Title = "Venue settlement"
	t.Chart = &Chart{Bars: true, Label: 1, Columns: []int{3, 6}}
	var sold, paid, owed money.Amount
	lines := settlement(days, c)
	for _, l := range lines {
		row := []Cell{
			text(fmt.Sprint(l.venue)), text(l.name), number(l.tally.Sales), amount(l.tally.Sold),
			amount(l.tally.GivenBack),
			number(l.tally.Payments), amount(l.tally.Paid), amount(l.tally.Bonuses),
		}
		var sum money.Amount
		for _, a := range settled {
			row = append(row, amount(l.moved[a]))
			sum += l.moved[a]
		}
		t.Rows = append(t.Rows, append(row, amount(sum)))
		sold, paid, owed = sold+l.tally.Sold, paid+l.tally.Paid, owed+sum
	}
	t.addTotal()
	t.Figures = []Figure{{"Venues", fmt.Sprint(len(lines))}, {"Sold", dollars(sold)}, {"Paid", dollars(paid)},
		{"To be settled", dollars(owed)}}
}

// tallied is what reports on terminals and shifts have in common.
var tallied = []Column{colTickets, colSold, colPayments, colPaid, colLate, colPaidLate, colCancelled, colGivenBack,
	colBonuses, colPapers, colUnpaid, colCash, colOtherwise}

// talliedNote says what ties in these columns.
const talliedNote = "Sold and Papers, less Paid, Given back and Bonuses, is what came in as Cash and Otherwise, but for a " +
	"customer who is being served at the close. Trading days before this was counted have no Papers and nothing Otherwise."

func tallyCells(u *books.Tally) []Cell {
	return []Cell{
		number(u.Sales), amount(u.Sold), number(u.Payments), amount(u.Paid), number(u.Late), amount(u.LatePaid),
		number(u.Cancelled), amount(u.GivenBack), amount(u.Bonuses), amount(u.Papers), amount(u.Unpaid), amount(u.Cash),
		amount(u.Other),
	}
}

func byTerminal(t *Table, days []*books.Book, c Choice) {
	t.Title = "Terminals"
	t.Notes = []string{talliedNote}
	for _, b := range days {
		for _, v := range b.ByTerminal() {
			if c.has(v.Venue) {
				t.Rows = append(t.Rows, append([]Cell{text(b.Day.String()), text(fmt.Sprint(v.Terminal)),
					text(fmt.Sprint(v.Venue))}, tallyCells(&v.Tally)...))
			}
		}
	}
	t.addTotal()
}

// bingo shows the sessions of bingo rooms.
func bingo(t *Table, days []*books.Book, c Choice) {
	t.Title = "Bingo sessions"
	t.Notes = []string{"A room has no till: its cash is the venue's. A session over the close of a trading day has a row on each day. Trading days before sessions were counted have none."}
	for _, b := range days {
		for _, m := range b.Rooms {
			if !c.has(m.Venue) {
				continue
			}
			session := "-"
			if m.Session != 0 {
				session = fmt.Sprint(m.Session)
			}
			t.Rows = append(t.Rows, []Cell{
				text(b.Day.String()), text(fmt.Sprint(m.Hall)), text(session), text(fmt.Sprint(m.Venue)),
				{Number: m.Players}, amount(m.Fees), amount(m.Back), amount(m.Won), amount(m.Jackpot), amount(m.Paid),
				amount(m.Cash),
			})
		}
	}
	t.addTotal()
}

// venueDay is a day at a venue.
type venueDay struct {
	series uint8
	day    day.Day
	venue  uint32
}

// shortOn returns what counts of days found missing at each venue. It is a loss of the whole day or none, so that each
// record of the day is asked about with all of them.
func shortOn(days []*books.Book) map[venueDay]money.Amount {
	short := map[venueDay]money.Amount{}
	for _, b := range days {
		for _, l := range b.Accounts {
			if l.Account == ledger.OverShort {
				short[venueDay{b.Series, b.Day, l.Unit}] += l.Debits - l.Credits
			}
		}
	}
	return short
}

// credit shows what customers did not pay, which the venue bears.
//
//rule:tas-keno-2023 1.13 16.3
func credit(t *Table, days []*books.Book, c Choice) {
	t.Title = "Credit betting"
	t.Notes = []string{
		"The venue bears the stakes of tickets that were left unpaid; nothing is paid on them. What counts find missing may be tickets that a writer issued and nobody paid for.",
	}
	names, counted := map[uint32]string{}, c.short
	if counted == nil {
		counted = shortOn(days)
	}
	for _, b := range days {
		unpaid, short := map[uint32]money.Amount{}, map[uint32]money.Amount{}
		for _, v := range b.ByVenue() {
			names[v.Venue], unpaid[v.Venue] = v.Name, v.Tally.Unpaid
		}
		for _, l := range b.Accounts {
			if l.Account == ledger.OverShort {
				short[l.Unit] += l.Debits - l.Credits
				unpaid[l.Unit] += 0 // A venue may have counted without a customer.
			}
		}
		for _, venue := range slices.Sorted(maps.Keys(unpaid)) {
			if c.has(venue) && (unpaid[venue] != 0 || short[venue] != 0) {
				loss := unpaid[venue]
				if counted[venueDay{b.Series, b.Day, venue}] > 0 {
					loss += short[venue]
				}
				t.Rows = append(t.Rows, []Cell{
					text(b.Day.String()), text(fmt.Sprint(venue)), text(names[venue]), amount(unpaid[venue]),
					amount(short[venue]), amount(loss),
				})
			}
		}
	}
	t.addTotal()
}
