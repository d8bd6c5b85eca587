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
	t.Notes = []string{
		"Opening is carried forward. Takings is what a statement of that day puts on the account, and Commission what it takes off; the venue has paid Remitted by transfer, Banked from its safe, and Collected by direct debit, less what banks have called back.",
		"Below zero the operator owes the venue. Commission is before taxes.",
	}
	t.Columns = []Column{{"Venue", Text}, {"Name", Text}, {"Day", Text}, {"Opening", Amount}, {"Takings", Amount},
		{"Commission", Amount}, {"Remitted", Amount}, {"Banked", Amount}, {"Collected", Amount}, {"Closing", Amount}}
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
			for _, kind := range []record.Kind{record.KindRemittanceReceived, record.KindCashCarried, record.KindDebitAnswered} {
				part := -netOf(&on, kind)
				row, parts = append(row, part), parts+part
			}
			stated = netOf(&on, record.KindVenueStated)
			of := b.Unit(ledger.Commission, a.unit)
			earned := netOf(&of, record.KindVenueStated)
			t.Rows = append(t.Rows, []Cell{text(fmt.Sprint(a.unit)), text(names[a.unit]), text(b.Day.String()),
				amount(on.Opening), amount(stated + earned), amount(earned), amount(row[0]), amount(row[1]), amount(row[2]),
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
	t.Notes = []string{
		"Settlement is what the venue owes the operator for these days, or is owed if it is negative, before any commission: what came into its tills, its safe and as chips,",
		"less cheques that it drew on itself for winners, with what its customers did not pay (Unpaid) and what counts of its tills found missing (Short).",
	}
	t.Columns = []Column{
		{"Venue", Text}, {"Name", Text}, {"Tickets", Count}, {"Sold", Amount}, {"Given back", Amount},
		{"Payments", Count}, {"Paid", Amount}, {"Bonuses", Amount},
		{"Tills", Amount}, {"Safe", Amount}, {"Chips", Amount}, {"Cheques", Amount}, {"Unpaid", Amount},
		{"Short", Amount}, {"Settlement", Amount},
	}
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
var tallied = []Column{
	{"Tickets", Count}, {"Sold", Amount}, {"Payments", Count}, {"Paid", Amount}, {"Late", Count}, {"Paid late", Amount},
	{"Cancelled", Count}, {"Given back", Amount}, {"Bonuses", Amount}, {"Papers", Amount}, {"Unpaid", Amount},
	{"Cash", Amount}, {"Otherwise", Amount},
}

// talliedNote says what ties in these columns.
const talliedNote = "Papers is vouchers, receipts and cards that customers had for money or in place of a prize. " +
	"Sold and Papers, less Paid, Given back and Bonuses, is what came in as Cash and Otherwise (papers, cards, chips, cheques, " +
	"and what was left Unpaid or withheld), but for a customer who is being served at the close. Cash leaves moves to and from " +
	"the safe and counts out. Trading days before this was counted have no Papers and nothing Otherwise."

func tallyCells(u *books.Tally) []Cell {
	return []Cell{
		number(u.Sales), amount(u.Sold), number(u.Payments), amount(u.Paid), number(u.Late), amount(u.LatePaid),
		number(u.Cancelled), amount(u.GivenBack), amount(u.Bonuses), amount(u.Papers), amount(u.Unpaid), amount(u.Cash),
		amount(u.Other),
	}
}

func byTerminal(t *Table, days []*books.Book, c Choice) {
	t.Title = "Terminals"
	t.Notes = []string{"Late are payments with a prize of a game of an earlier trading day.", talliedNote}
	t.Columns = append([]Column{{"Day", Text}, {"Terminal", Text}, {"Venue", Text}}, tallied...)
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
	t.Notes = []string{
		"Fees is what players paid to enter, and Paid back fees that were given back. Won is prizes and shares of the jackpot, and Jackpot those shares. Paid is what was paid of what was won. Cash is what came in as cash, less what went out; a room has no till, so that it is the venue's.",
		"What belongs to no session, such as the award of a dispute, has no number. A session over the close of a trading day has a row on each day. Trading days before sessions were counted have none.",
	}
	t.Columns = []Column{
		{"Day", Text}, {"Room", Text}, {"Session", Text}, {"Venue", Text}, {"Players", Count}, {"Fees", Amount},
		{"Paid back", Amount}, {"Won", Amount}, {"Jackpot", Amount}, {"Paid", Amount}, {"Cash", Amount},
	}
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

// credit shows what customers did not pay, which the venue bears.
//
//rule:tas-keno-2023 1.13 16.3
func credit(t *Table, days []*books.Book, c Choice) {
	t.Title = "Credit betting"
	t.Notes = []string{
		"Unpaid is what customers left without paying, and the loss that the venue bears for the trading day: the stakes of those tickets, on which nothing is paid.",
		"Short is what counts of the venue's tills found missing on the day, among it tickets that a writer issued and nobody paid for.",
	}
	t.Columns = []Column{{"Day", Text}, {"Venue", Text}, {"Name", Text}, {"Unpaid", Amount}, {"Short", Amount},
		{"Loss", Amount}}
	for _, b := range days {
		for _, v := range b.ByVenue() {
			counted := b.Unit(ledger.OverShort, v.Venue)
			short := counted.Debits - counted.Credits
			if c.has(v.Venue) && (v.Tally.Unpaid != 0 || short != 0) {
				t.Rows = append(t.Rows, []Cell{
					text(b.Day.String()), text(fmt.Sprint(v.Venue)), text(v.Name), amount(v.Tally.Unpaid),
					amount(short), amount(v.Tally.Unpaid + max(0, short)),
				})
			}
		}
	}
	t.addTotal()
}
