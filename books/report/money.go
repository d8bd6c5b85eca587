package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"drawhouse/books"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// debts are what is owed, each a column of a report with the accounts that owe it.
var debts = []struct {
	column   Column
	accounts []ledger.Account
}{
	{closing("Games ahead", "Owed for games that have not closed: what was paid for them, with fees of bingo."),
		[]ledger.Account{ledger.Unplayed, ledger.EntryFees}},
	{closing("Prize fund", "In the prize fund, with what rounding kept back."),
		[]ledger.Account{ledger.PrizeFund, ledger.Breakage}},
	{closing("In jackpots", "In the jackpots of keno and bingo."),
		[]ledger.Account{ledger.JackpotPrimary, ledger.JackpotSecondary, ledger.JackpotWaiting, ledger.JackpotAside,
			ledger.HallJackpot}},
	{closing("Bonuses owed", "Put aside for bonus prizes and promotions."),
		[]ledger.Account{ledger.BonusPool, ledger.Promotions}},
	{closing("Prizes owed", "Won and not paid, with what ends of sessions have withheld."),
		[]ledger.Account{ledger.Prizes, ledger.HallPrizes, ledger.Withheld}},
	{closing("Refunds owed", "To go back for void games and sessions."),
		[]ledger.Account{ledger.Refunds, ledger.HallRefunds}},
	{colOutstanding, []ledger.Account{ledger.Instruments}},
	{closing("Unclaimed",
		"Prizes and tickets of other systems that are paid on a claim form, or that the rules give to approved purposes."),
		[]ledger.Account{ledger.Unclaimed, ledger.ApprovedPurposes, ledger.OtherSystems}},
	{closing("State", "Owed to the Treasurer and the Crown."), []ledger.Account{ledger.Treasurer, ledger.Crown}},
}

// owedColumns are the columns of the report of what is owed.
func owedColumns() []Column {
	list := []Column{colDay}
	for _, d := range debts {
		list = append(list, d.column)
	}
	return append(list, closing("Together", "All that is owed to players and the State."))
}

// owed shows what is owed to players and to the State at the end of each day.
func owed(t *Table, days []*books.Book, _ Choice) {
	t.Title = "Owed to players and the State"
	t.Notes = []string{"What is owed at the end of each day."}
	t.Chart = &Chart{Label: 0, Columns: []int{len(t.Columns) - 1, 3, 5}}
	for _, b := range days {
		row, sum := []Cell{text(b.Day.String())}, money.Amount(0)
		for _, d := range debts {
			var owes money.Amount
			for _, a := range d.accounts {
				account := b.Account(a)
				owes -= account.Closing()
			}
			row, sum = append(row, amount(owes)), sum+owes
		}
		t.Rows = append(t.Rows, append(row, amount(sum)))
	}
	last := t.Rows[len(t.Rows)-1]
	t.Figures = []Figure{{"Owed at the end", dollars(money.Amount(last[len(last)-1].Number))},
		{"In jackpots", dollars(money.Amount(last[3].Number))},
		{"Won and not paid", dollars(money.Amount(last[5].Number))}}
}

// papers shows what was issued, used and left of papers and cards, by kind.
func papers(t *Table, days []*books.Book, _ Choice) {
	t.Title = "Vouchers, receipts and cards"
	t.Notes = []string{"Moved is what was paid onto papers and cards, given back for them or claimed on forms. Opening, Issued and Moved, less Used and Expired, is Outstanding."}
	for _, a := range accountsOver(days, false, func(a ledger.Account) bool { return a == ledger.Instruments }) {
		issued := -a.net(record.KindInstrumentIssued)
		used, expired := a.debits(record.KindSessionEnded), a.net(record.KindInstrumentsExpired)
		t.Rows = append(t.Rows, []Cell{
			text(a.account.UnitName(a.unit)), amount(-a.opening), amount(issued), amount(used), amount(expired),
			amount(-a.closing + a.opening - issued + used + expired), amount(-a.closing),
		})
	}
	t.addTotal()
}

// period is an account over all days of a report, of a series or of all.
type period struct {
	series           uint8
	account          ledger.Account
	unit             uint32
	opening, closing money.Amount
	flows            []books.Flow
}

func (p *period) net(kind record.Kind) (sum money.Amount) {
	for _, f := range p.flows {
		if f.Kind == kind {
			sum += f.Net()
		}
	}
	return sum
}

func (p *period) debits(kind record.Kind) (sum money.Amount) {
	for _, f := range p.flows {
		if f.Kind == kind {
			sum += f.Debits
		}
	}
	return sum
}

// add adds what a day did to the account.
func (p *period) add(b *books.Balance) {
	p.closing = b.Closing()
	for _, f := range b.Flows {
		i := 0
		for i < len(p.flows) && p.flows[i].Kind != f.Kind {
			i++
		}
		if i == len(p.flows) {
			p.flows = append(p.flows, books.Flow{Kind: f.Kind})
		}
		p.flows[i].Debits += f.Debits
		p.flows[i].Credits += f.Credits
	}
}

// severalSeries reports whether the books name more than one series in their accounts, all of them: then reports show
// each apart.
func severalSeries(days []*books.Book) bool {
	found := map[uint8]bool{}
	for _, b := range days {
		if b.Form != books.FormSeries {
			return false
		}
		for i := range b.Accounts {
			found[b.Accounts[i].Series] = true
		}
	}
	delete(found, 0)
	return len(found) > 1
}

// accountsOver joins the accounts of some days, in the order of the chart: of all series together, or of each apart.
func accountsOver(days []*books.Book, apart bool, wanted func(ledger.Account) bool) []*period {
	type key struct {
		series  uint8
		account ledger.Account
		unit    uint32
	}
	at := map[key]*period{}
	var list []*period
	for _, b := range days {
		lines := b.Accounts
		if !apart {
			lines = b.Merged()
		}
		for i := range lines {
			balance := &lines[i]
			k := key{balance.Series, balance.Account, balance.Unit}
			if !wanted(k.account) {
				continue
			}
			if at[k] == nil {
				at[k] = &period{series: k.series, account: k.account, unit: k.unit, opening: balance.Opening}
				list = append(list, at[k])
			}
			at[k].add(balance)
		}
	}
	sortPeriods(list)
	return list
}

// bySeries adds a column that names the series, where a report shows several.
func bySeries(t *Table, apart bool) {
	if apart {
		t.Columns = append([]Column{colSeries}, t.Columns...)
		t.Notes = append(t.Notes, "A row without a series is of the house itself. Cash is in the series whose records moved it.")
	}
}

// ofSeries puts the series before the cells of a row, where a report shows several.
func ofSeries(series uint8, apart bool, row []Cell) []Cell {
	switch {
	case !apart:
		return row
	case series == 0:
		return append([]Cell{text("-")}, row...)
	}
	return append([]Cell{text(fmt.Sprint(series))}, row...)
}

// accounts is the trial balance from the opening of the first day to the close of the
// last.
func accounts(t *Table, days []*books.Book, c Choice) {
	t.Title = "Trial balance"
	t.Notes = []string{"Debits are positive, and the closing balances of a house come to nothing."}
	apart := c.apart
	bySeries(t, apart)
	for _, p := range accountsOver(days, apart, func(ledger.Account) bool { return true }) {
		var debits, credits money.Amount
		for _, f := range p.flows {
			debits, credits = debits+f.Debits, credits+f.Credits
		}
		t.Rows = append(t.Rows, ofSeries(p.series, apart, []Cell{text(p.account.String()),
			text(p.account.UnitName(p.unit)), amount(p.opening), amount(debits), amount(credits), amount(p.closing)}))
	}
	t.addTotal()
}

// statement shows which kinds of records moved which account.
func statement(t *Table, days []*books.Book, c Choice) {
	t.Title = "Statement of accounts"
	t.Notes = []string{"Every movement of an account by the kind of record that made it. Terminals are taken together."}
	type key struct {
		series  uint8
		account ledger.Account
		unit    string
		kind    record.Kind
	}
	apart := c.apart
	bySeries(t, apart)
	at := map[key]int{}
	for _, p := range accountsOver(days, apart, func(ledger.Account) bool { return true }) {
		unit := p.account.UnitName(p.unit)
		switch p.account {
		case ledger.Cash, ledger.Safe, ledger.Chips, ledger.SiteCheques, ledger.VenueLosses, ledger.OverShort,
			ledger.Customer:
			unit = ""
		}
		for _, f := range p.flows {
			k := key{p.series, p.account, unit, f.Kind}
			i, ok := at[k]
			if !ok {
				i = len(t.Rows)
				at[k] = i
				t.Rows = append(t.Rows, ofSeries(p.series, apart,
					[]Cell{text(p.account.String()), text(unit), text(f.Kind.String()), {}, {}, {}}))
			}
			row := t.Rows[i][len(t.Columns)-3:]
			row[0].Number += f.Debits.Cents()
			row[1].Number += f.Credits.Cents()
			row[2].Number += f.Net().Cents()
		}
	}
	t.addTotal()
}

// exceptions lists what a controller wants to look at. Payments of earlier days' prizes
// are many and allowed, so that they are counted by terminal.
func exceptions(t *Table, days []*books.Book, _ Choice) {
	t.Title = "Exceptions"
	t.Notes = []string{"The journal does not know who holds a ticket: a win of staff is here once a person has said so."}
	named := func(n uint32) Cell {
		if n == 0 {
			return text("")
		}
		return text(fmt.Sprint(n))
	}
	for _, b := range days {
		for _, e := range b.Events {
			t.Rows = append(t.Rows, []Cell{
				text(b.Day.String()), text(e.Time.Time().Format("2006-01-02 15:04:05")), text(e.Place.String()),
				text(e.Class.String()), text(e.Kind.String()),
				named(e.Terminal), named(e.Person), text(e.About), amount(e.Cents),
			})
		}
		for _, v := range b.ByTerminal() {
			if v.Tally.Late > 0 {
				t.Rows = append(t.Rows, []Cell{
					text(b.Day.String()), text(""), text(""), text("late pay"), text("ticket paid"), named(v.Terminal),
					text(""),
					text(fmt.Sprintf("prizes of earlier days in %d of %d payments", v.Tally.Late, v.Tally.Payments)),
					amount(v.Tally.LatePaid),
				})
			}
		}
	}
	t.Figures = classFigures(t)
}

// classFigures counts the rows of some classes.
func classFigures(t *Table) (figures []Figure) {
	counts, at := map[string]int{}, t.at(colClass.Name)
	for _, row := range t.Rows {
		counts[row[at].Text]++
	}
	for _, class := range []books.Class{books.ClassVoid, books.ClassOverride, books.ClassParameter,
		books.ClassCancellation, books.ClassBarred, books.ClassCorrection, books.ClassDispute, books.ClassTill} {
		name := class.String()
		figures = append(figures, Figure{strings.ToUpper(name[:1]) + name[1:], fmt.Sprint(counts[name])})
	}
	return figures
}

func sortPeriods(list []*period) {
	slices.SortFunc(list, func(a, b *period) int {
		return cmp.Or(cmp.Compare(a.account, b.account), cmp.Compare(a.unit, b.unit), cmp.Compare(a.series, b.series))
	})
}
