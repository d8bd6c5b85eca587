package report

import (
	"fmt"

	"drawhouse/books"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
)

// shareOf returns a part of a whole in hundredths of a percent.
func shareOf[N ~int64](part, whole N) Cell {
	if whole <= 0 {
		return text("-")
	}
	// To the nearest hundredth of a percent, a half away from zero.
	twice, all := int64(part)*20_000, int64(whole)
	if twice < 0 {
		return Cell{Number: (twice - all) / (2 * all)}
	}
	return Cell{Number: (twice + all) / (2 * all)}
}

// byDay is the report of days.
//
//rule:vic-keno-2015 2(a).prize-fund
func byDay(t *Table, days []*books.Book, _ Choice) {
	t.Title = "Trading days"
	t.Chart = &Chart{Label: 0, Columns: []int{5, 8}}
	var all books.Tally
	var staked, prizes, share money.Amount
	for _, b := range days {
		alone := b.Alone()
		total, fund := alone.Total(), alone.Fund()
		var won, carried, jackpots, kept money.Amount
		for i := range b.Games {
			payable, on := b.Games[i].Won()
			won, carried = won+payable, carried+on
			jackpots += b.Games[i].Jackpots
			kept += b.Games[i].Breakage
		}
		t.Rows = append(t.Rows, []Cell{
			text(b.Day.String()), number(b.Opened()), number(total.Sales), amount(total.Sold),
			amount(total.GivenBack), amount(fund.Stakes),
			amount(fund.Share), shareOf(fund.Share, fund.Stakes), amount(won), amount(carried),
			shareOf(won+carried, fund.Stakes), amount(jackpots), amount(kept), amount(total.Paid),
		})
		all.Add(&total)
		staked, prizes, share = staked+fund.Stakes, prizes+won+carried, share+fund.Share
	}
	t.addTotal()
	t.Figures = []Figure{
		{"Tickets", countText(int64(all.Sales))}, {"Sold", dollars(all.Sold)},
		{"Staked in closed games", dollars(staked)},
		{"Won by players", dollars(prizes)}, {"Return to players", Column{Kind: Share}.String(shareOf(prizes, staked))},
	}
}

func byGame(t *Table, days []*books.Book, c Choice) {
	t.Title = "Games"
	t.Chart = &Chart{Label: 1, Columns: []int{4, 6}}
	if len(days) > 1 {
		t.Chart.Label = 0 // Games begin anew each day, and their numbers alone say nothing.
	}
	for _, b := range days {
		for i := range b.Games {
			g := &b.Games[i]
			payable, carried := g.Won()
			t.Rows = append(t.Rows, []Cell{
				text(b.Day.String()), c.game(b.Series, g.Number), number(g.Plays), number(g.Ways), amount(g.Staked()),
				number(g.Winners),
				amount(payable), amount(carried), shareOf(payable+carried, g.Staked()), amount(g.Jackpots),
				amount(g.Breakage), text(noteOf(g)),
			})
		}
	}
	t.addTotal()
}

// noteOf says what was unusual about a game.
func noteOf(g *books.Game) string {
	switch {
	case g.Void:
		return "void"
	case g.Revisions > 1:
		return fmt.Sprintf("settled %d times", g.Revisions)
	case g.Reduced:
		return "major prizes reduced"
	}
	return ""
}

// jackpots shows what each game left in the pools.
func jackpots(t *Table, days []*books.Book, c Choice) {
	t.Title = "Jackpot history"
	t.Notes = []string{"Fractions of a cent are carried exactly. What a schedule adds when a jackpot is won is not in it."}
	t.Columns = t.Columns[:2]
	at := map[uint8]int{} // column of each size
	each(days, func(_ *books.Book, g *books.Game) {
		for _, p := range g.Pools {
			if _, ok := at[p.Spots]; !ok {
				at[p.Spots] = len(t.Columns)
				n := fmt.Sprint(p.Spots)
				t.Columns = append(t.Columns, colPoolOf.of(n), colWonOf.of(n))
			}
		}
	})
	each(days, func(b *books.Book, g *books.Game) {
		if len(g.Pools) == 0 {
			return
		}
		row := make([]Cell, len(t.Columns))
		row[0], row[1] = text(b.Day.String()), c.game(b.Series, g.Number)
		for _, p := range g.Pools {
			row[at[p.Spots]], row[at[p.Spots]+1] = Cell{Number: int64(p.Primary) / exactPerCent}, amount(p.Won)
		}
		t.Rows = append(t.Rows, row)
	})
	if len(at) > 0 {
		t.Chart = &Chart{Label: 0}
		for i := 2; i < len(t.Columns); i += 2 {
			t.Chart.Columns = append(t.Chart.Columns, i)
		}
	}
}

// exactPerCent is how many parts of a cent an exact amount counts.
const exactPerCent = 10_000

// each goes through the games of some days.
func each(days []*books.Book, do func(*books.Book, *books.Game)) {
	for _, b := range days {
		for i := range b.Games {
			do(b, &b.Games[i])
		}
	}
}

// reconciliation shows what the books have of each jackpot: with what it began, what
// stakes and others brought, what was won, and what is in it.
//
//rule:tas-keno-2023 7.7(a)
func reconciliation(t *Table, days []*books.Book, _ Choice) {
	t.Title = "Jackpot reconciliation"
	t.Notes = []string{"Opening, From stakes and Moved, less Won, is Closing, to the cent. Moved is what was lent, set aside, given or brought from another system."}
	for _, r := range books.Reconcile(days) {
		t.Rows = append(t.Rows, []Cell{
			text(r.Account.String()), text(r.Account.UnitName(r.Unit)), amount(r.Opening), amount(r.Stakes),
			amount(r.Won), amount(r.Moved), amount(r.Closing),
		})
	}
	t.addTotal()
}

// fund shows the prize fund day by day.
//
//rule:tas-keno-2023 1.50
//rule:vic-keno-2015 2(a).prize-fund
func fund(t *Table, days []*books.Book, _ Choice) {
	t.Title = "Prize fund"
	t.Notes = []string{"Opening, Fund and Moved, less To pools and To winners, is Closing."}
	t.Chart = &Chart{Label: 0, Columns: []int{3, 6, 8}}
	var stakes, share, topUp money.Amount
	for _, b := range days {
		f := b.Alone().Fund()
		t.Rows = append(t.Rows, []Cell{
			text(b.Day.String()), amount(f.Opening), amount(f.Stakes), amount(f.Share), shareOf(f.Share, f.Stakes),
			amount(f.Pools), amount(f.Won), amount(f.Other), amount(f.Closing),
			amount(f.Paid), amount(f.TopUp),
		})
		stakes, share, topUp = stakes+f.Stakes, share+f.Share, topUp+f.TopUp
	}
	t.addTotal()
	last := days[len(days)-1].Alone().Account(ledger.PrizeFund)
	t.Figures = []Figure{
		{"In the fund", dollars(-last.Closing())}, {"Set aside of stakes", dollars(share)},
		{"Part of the stakes", Column{Kind: Share}.String(shareOf(share, stakes))},
		{"To be topped up", dollars(topUp)},
	}
}
