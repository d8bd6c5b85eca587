package report

import (
	"fmt"

	"drawhouse/books"
	"drawhouse/ledger"
	"drawhouse/money"
)

// Name is a report that can be asked for.
type Name string

// The reports.
const (
	Days       Name = "days"       // turnover and prizes by trading day
	Venues     Name = "venues"     // what each venue took, paid and owes
	Terminals  Name = "terminals"  // the same by terminal
	Games      Name = "games"      // every game
	Jackpots   Name = "jackpots"   // what the jackpots came to, game by game
	Accounts   Name = "accounts"   // the trial balance
	Exceptions Name = "exceptions" // what a controller wants to look at
)

// Names returns all reports, in the order in which they are offered.
func Names() []Name { return []Name{Days, Venues, Terminals, Games, Jackpots, Accounts, Exceptions} }

// Make makes a report of some days, in their order.
func Make(name Name, days []*books.Book) (*Table, error) {
	if len(days) == 0 {
		return nil, fmt.Errorf("report: no trading day is closed in this time")
	}
	makers := map[Name]func([]*books.Book) *Table{
		Days: byDay, Venues: byVenue, Terminals: byTerminal, Games: byGame, Jackpots: jackpots, Accounts: accounts, Exceptions: exceptions,
	}
	do, ok := makers[name]
	if !ok {
		return nil, fmt.Errorf("report: there is no report %q; there are %v", name, Names())
	}
	t := do(days)
	first, last := days[0].Day, days[len(days)-1].Day
	t.Notes = append([]string{fmt.Sprintf("Trading days %v to %v. A trading day is everything from the close of one Keno Day to the close of the next.", first, last)}, t.Notes...)
	return t, nil
}

// byDay is the report of days.
//
//rule:vic-keno-2015 2(a).prize-fund
func byDay(days []*books.Book) *Table {
	t := &Table{
		Title: "Trading days",
		Notes: []string{"Fund is what the prize fund got of the stakes of closed games, and Share its part of them. Kept is what rounding kept back from prizes, for players."},
		Columns: []Column{
			{"Day", Text}, {"Games", Count}, {"Tickets", Count}, {"Sold", Amount}, {"Cancelled", Amount}, {"Staked", Amount},
			{"Fund", Amount}, {"Share", Share}, {"Prizes", Amount}, {"Jackpots", Amount}, {"Kept", Amount}, {"Paid", Amount},
		},
		Chart: &Chart{Label: 0, Columns: []int{5, 8}},
	}
	for _, b := range days {
		total := b.Total()
		var staked, prizes, won, kept money.Amount
		for i := range b.Games {
			g := &b.Games[i]
			if !g.Void {
				staked += g.Stakes
			}
			prizes += g.Prizes
			won += g.Jackpots
			kept += g.Breakage
		}
		fund := staked - (b.Account(ledger.Retained).Credits - b.Account(ledger.Retained).Debits)
		share := int64(0)
		if staked > 0 {
			share = fund.Cents() * 10_000 / staked.Cents()
		}
		t.Rows = append(t.Rows, []Cell{
			text(b.Day.String()), number(len(b.Games)), number(total.Sales), amount(total.Sold), amount(total.GivenBack), amount(staked),
			amount(fund), {Number: share}, amount(prizes), amount(won), amount(kept), amount(total.Paid),
		})
	}
	t.addTotal()
	return t
}

// tallied is what reports on venues and terminals have in common.
var tallied = []Column{
	{"Tickets", Count}, {"Sold", Amount}, {"Payments", Count}, {"Paid", Amount},
	{"Cancellations", Count}, {"Given back", Amount}, {"Bonuses", Amount}, {"Cash", Amount},
}

func tallyCells(u books.Tally) []Cell {
	return []Cell{
		number(u.Sales), amount(u.Sold), number(u.Payments), amount(u.Paid),
		number(u.Cancelled), amount(u.GivenBack), amount(u.Bonuses), amount(u.Cash),
	}
}

func byVenue(days []*books.Book) *Table {
	t := &Table{
		Title:   "Venue settlement",
		Notes:   []string{"Cash is what the tills took less what they paid: what the venue owes the operator, or is owed if it is negative, before any commission."},
		Columns: append([]Column{{"Day", Text}, {"Venue", Text}}, tallied...),
	}
	for _, b := range days {
		for _, v := range b.Venues {
			t.Rows = append(t.Rows, append([]Cell{text(b.Day.String()), text(fmt.Sprint(v.Venue))}, tallyCells(v.Tally)...))
		}
	}
	t.addTotal()
	return t
}

func byTerminal(days []*books.Book) *Table {
	t := &Table{Title: "Terminals", Columns: append([]Column{{"Day", Text}, {"Terminal", Text}, {"Venue", Text}}, tallied...)}
	for _, b := range days {
		for _, v := range b.Terminals {
			t.Rows = append(t.Rows, append([]Cell{text(b.Day.String()), text(fmt.Sprint(v.Terminal)), text(fmt.Sprint(v.Venue))}, tallyCells(v.Tally)...))
		}
	}
	t.addTotal()
	return t
}

func byGame(days []*books.Book) *Table {
	t := &Table{
		Title: "Games",
		Columns: []Column{
			{"Day", Text}, {"Game", Text}, {"Tickets", Count}, {"Ways", Count}, {"Staked", Amount}, {"Winners", Count},
			{"Prizes", Amount}, {"Runs on", Amount}, {"Jackpots", Amount}, {"Kept", Amount}, {"Note", Text},
		},
	}
	for _, b := range days {
		for i := range b.Games {
			g := &b.Games[i]
			note := ""
			switch {
			case g.Void:
				note = "void"
			case g.Revisions > 1:
				note = fmt.Sprintf("settled %d times", g.Revisions)
			case g.Reduced:
				note = "major prizes reduced"
			}
			t.Rows = append(t.Rows, []Cell{
				text(b.Day.String()), text(fmt.Sprint(g.Number)), number(g.Plays), number(g.Ways), amount(g.Stakes), number(g.Winners),
				amount(g.Prizes), amount(g.Carried), amount(g.Jackpots), amount(g.Breakage), text(note),
			})
		}
	}
	t.addTotal()
	return t
}

// jackpots shows what each game left in the pools.
func jackpots(days []*books.Book) *Table {
	t := &Table{
		Title:   "Jackpots",
		Notes:   []string{"What a game left in each pool, rounded down to the cent; fractions are carried exactly. What a schedule adds when a jackpot is won is not in it."},
		Columns: []Column{{"Day", Text}, {"Game", Text}},
	}
	at := map[uint8]int{} // column of each size
	for _, b := range days {
		for i := range b.Games {
			for _, p := range b.Games[i].Pools {
				if _, ok := at[p.Spots]; !ok {
					at[p.Spots] = len(t.Columns)
					t.Columns = append(t.Columns, Column{fmt.Sprintf("%d spots", p.Spots), Amount}, Column{fmt.Sprintf("%d won", p.Spots), Amount})
				}
			}
		}
	}
	for _, b := range days {
		for i := range b.Games {
			g := &b.Games[i]
			if len(g.Pools) == 0 {
				continue
			}
			row := make([]Cell, len(t.Columns))
			row[0], row[1] = text(b.Day.String()), text(fmt.Sprint(g.Number))
			for _, p := range g.Pools {
				row[at[p.Spots]], row[at[p.Spots]+1] = Cell{Number: int64(p.Primary) / 10_000}, amount(p.Won)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	if len(at) > 0 {
		t.Chart = &Chart{Label: 1}
		for i := 2; i < len(t.Columns); i += 2 {
			t.Chart.Columns = append(t.Chart.Columns, i)
		}
	}
	return t
}

// accounts is the trial balance from the opening of the first day to the close of the
// last.
func accounts(days []*books.Book) *Table {
	t := &Table{
		Title:   "Trial balance",
		Notes:   []string{"Debits are positive, and the closing balances come to nothing."},
		Columns: []Column{{"Account", Text}, {"Unit", Text}, {"Opening", Amount}, {"Debits", Amount}, {"Credits", Amount}, {"Closing", Amount}},
	}
	type key struct {
		account ledger.Account
		unit    uint32
	}
	at := map[key]int{}
	for n, b := range days {
		for _, balance := range b.Accounts {
			k := key{balance.Account, balance.Unit}
			i, ok := at[k]
			if !ok {
				i = len(t.Rows)
				at[k] = i
				unit := ""
				if balance.Unit != 0 {
					unit = fmt.Sprint(balance.Unit)
				}
				opening := money.Amount(0)
				if n == 0 {
					opening = balance.Opening
				}
				t.Rows = append(t.Rows, []Cell{text(balance.Account.String()), text(unit), amount(opening), {}, {}, {}})
			}
			row := t.Rows[i]
			row[3].Number += balance.Debits.Cents()
			row[4].Number += balance.Credits.Cents()
			row[5].Number = balance.Closing().Cents()
		}
	}
	t.addTotal()
	return t
}

func exceptions(days []*books.Book) *Table {
	t := &Table{
		Title:   "Exceptions",
		Columns: []Column{{"Day", Text}, {"Time (UTC)", Text}, {"Record", Text}, {"What", Text}, {"About", Text}, {"Amount", Amount}},
	}
	for _, b := range days {
		for _, e := range b.Events {
			t.Rows = append(t.Rows, []Cell{
				text(b.Day.String()), text(e.Time.Time().Format("2006-01-02 15:04:05")), text(e.Place.String()), text(e.Kind.String()), text(e.About), amount(e.Cents),
			})
		}
	}
	return t
}
