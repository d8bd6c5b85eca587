package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Reports of how things stand. Like [Unclaimed] they are not of the books, which know no tickets and papers.
const (
	Outstanding Name = "outstanding"
	Ageing      Name = "ageing"
	Cards       Name = "cards"
)

var (
	colPaper    = item("Paper", "The paper or card: the place of the record that issued it.")
	colIssuedOn = remark("Issued on", "The Keno Day on which the paper was issued.")
	colGoodTo   = remark("Good to", "The last day on which the paper can be used; empty for what never expires.")
	colKeptTo   = remark("Kept to", "The last day on which its money is kept for it; empty for what never expires.")
	colCard     = key("Card", "The number of the player card.")
	colOnCard   = closing("On the card", "The funds of the card after the record.")
	colUpTo30   = closing("0-30 days", "Owed on games of this day and the 30 Keno Days before.")
	colUpTo90   = closing("31-90 days", "Owed on games of 31 to 90 days ago.")
	colUpTo180  = closing("91-180 days", "Owed on games of 91 to 180 days ago.")
	colUpTo365  = closing("181-365 days", "Owed on games of 181 to 365 days ago.")
	colOlder    = closing("Over 365 days", "Owed on games of more than 365 days ago.")
	colNoDay    = closing("No day", "Owed on no game: withheld at the end of a session.")
	colOwed     = closing("Of tickets", "What is owed on tickets of keno.")
	colBalance  = closing("Balance", "What the account owes.")
	colRest     = closing("Rest", "Balance less Of tickets: what the account owes that is on no ticket of keno.")
)

var (
	outstandingColumns = []Column{colKind, colPaper, colVenue, colIssuedOn, colGoodTo, colKeptTo, colAmount}
	ageingColumns      = []Column{colWith, colAccount, colUpTo30, colUpTo90, colUpTo180, colUpTo365, colOlder, colNoDay,
		colOwed, colBalance, colRest}
	cardColumns = []Column{colCard, colTime, colRecord, colWhat, colAdds, colOnCard}
)

// OutstandingPapers lists the papers and cards that stand for money, the oldest first. They come to the account of
// papers.
func OutstandingPapers(s *state.State, period string) *Table {
	t := &Table{Title: "Outstanding papers and cards", Period: period, Columns: outstandingColumns,
		Notes: []string{"Papers that are used up or have expired are not listed, and neither are cards without money."}}
	sums := map[string]money.Amount{}
	row := func(kind string, place record.Place, venue, issued, good, kept string, cents money.Amount) {
		sums[kind] += cents
		t.Rows = append(t.Rows, []Cell{text(kind), text(place.String()), text(venue), text(issued), text(good), text(kept),
			amount(cents)})
	}
	for _, p := range s.Papers() {
		row(p.ID, p.Place, fmt.Sprint(p.Venue), dayText(p.Day), dayText(p.LastDay), dayText(p.Kept), p.Cents)
	}
	for _, number := range s.Cards() {
		if card, _ := s.Card(number); card.Cents != 0 {
			row(playerCard, card.Place, "-", "", "", "", card.Cents)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(sums)) {
		t.Figures = append(t.Figures, Figure{kind, dollars(sums[kind])})
	}
	t.Figures = append(t.Figures, Figure{"Account of papers", dollars(-s.Balances().Of(ledger.Instruments))})
	t.addTotal()
	return t
}

// playerCard is the kind of player cards, as the ledger and rulebooks name it.
const playerCard = "player_card"

func dayText(d day.Day) string {
	if !d.IsValid() {
		return ""
	}
	return d.String()
}

// ages are the columns of ageing, each with the most days that it goes back.
var ages = []struct {
	most   day.Day
	column Column
}{{30, colUpTo30}, {90, colUpTo90}, {180, colUpTo180}, {365, colUpTo365}}

// ageOf returns the column of an amount that is owed on a game of a day.
func ageOf(since day.Day) Column {
	for _, a := range ages {
		if since <= a.most {
			return a.column
		}
	}
	return colOlder
}

// Age sorts what nobody has fetched by where the money is and how long ago its game was, counted from a day, and holds
// it against the accounts that owe it.
//
//rule:casino-keno-div2 9.3
func Age(s *state.State, list []counter.Unfetched, today day.Day) *Table {
	t := &Table{Title: "Ageing of unclaimed prizes and refunds", Period: fmt.Sprintf("On %v", today),
		Columns: ageingColumns,
		Notes: []string{
			"Days are counted from the Keno Day of the game. Prizes of bingo are not in it. The Rest of the Treasurer is what is owed for other reasons than unclaimed prizes.",
		}}
	rows := map[ledger.Account][]Cell{}
	var order []ledger.Account
	at := func(account ledger.Account, with string) []Cell {
		if rows[account] == nil {
			row := make([]Cell, len(t.Columns))
			row[0], row[1] = text(with), text(account.String())
			rows[account], order = row, append(order, account)
		}
		return rows[account]
	}
	for _, place := range []string{"", counter.ByForm, counter.Treasurer, counter.Lapsed} {
		at(accountAt[place], places[place])
	}
	at(ledger.Refunds, stakeBack)
	at(ledger.Withheld, withheld)
	for i := range list {
		u := &list[i]
		row, column := at(accountAt[u.At], cmp.Or(places[u.At], u.At)), colNoDay
		switch {
		case u.Withheld:
			row = at(ledger.Withheld, withheld)
		case u.Stake:
			row, column = at(ledger.Refunds, stakeBack), ageOf(today-u.Game.Day)
		default:
			column = ageOf(today - u.Game.Day)
		}
		row[t.at(column.Name)].Number += u.Cents.Cents()
		row[t.at(colOwed.Name)].Number += u.Cents.Cents()
	}
	for _, account := range order {
		row, owes := rows[account], -s.Balances().Of(account).Cents()
		row[t.at(colBalance.Name)].Number = owes
		row[t.at(colRest.Name)].Number = owes - row[t.at(colOwed.Name)].Number
		t.Rows = append(t.Rows, row)
	}
	t.addTotal()
	return t
}

// accountAt says which account owes a prize, by where its money is.
var accountAt = map[string]ledger.Account{
	"": ledger.Prizes, counter.ByForm: ledger.Unclaimed, counter.Treasurer: ledger.Treasurer,
	counter.Lapsed: ledger.ApprovedPurposes,
}

// CardLedger follows the funds of every player card, record by record.
type CardLedger struct {
	table *Table
	has   map[uint32]money.Amount
}

// NewCardLedger returns the ledger of cards of a journal without records.
func NewCardLedger(period string) *CardLedger {
	return &CardLedger{has: map[uint32]money.Amount{}, table: &Table{Title: "Ledger of player cards", Period: period,
		Columns: cardColumns, Notes: []string{"A card that never had money has no row."}}}
}

// Add takes the next record, and the state that it has led to.
func (l *CardLedger) Add(place record.Place, r record.Record, s *state.State) {
	unit, _ := ledger.Paper(playerCard)
	if !slices.ContainsFunc(r.Postings, func(p ledger.Posting) bool {
		return p.Account == ledger.Instruments && p.Unit == unit
	}) {
		return
	}
	for _, number := range s.Cards() {
		card, _ := s.Card(number)
		if card.Cents == l.has[number] {
			continue
		}
		l.table.Rows = append(l.table.Rows, []Cell{text(fmt.Sprint(number)),
			text(r.Time.Time().Format("2006-01-02 15:04:05")), text(place.String()), text(r.Kind().String()),
			amount(card.Cents - l.has[number]), amount(card.Cents)})
		l.has[number] = card.Cents
	}
}

// Table returns the rows of each card one after the other.
func (l *CardLedger) Table() *Table {
	number := func(row []Cell) (n uint32) {
		_, _ = fmt.Sscan(row[0].Text, &n) // Add wrote it.
		return n
	}
	slices.SortStableFunc(l.table.Rows, func(a, b []Cell) int { return cmp.Compare(number(a), number(b)) })
	l.table.addTotal()
	return l.table
}
