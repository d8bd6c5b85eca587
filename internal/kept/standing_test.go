package kept

import (
	"context"
	"testing"

	"drawhouse/books/report"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/journal/store/sqlite"
)

// TestStandingsTie makes the lists of outstanding papers, of cards and of what nobody has fetched of every kept
// journal, at its end: each comes to the accounts that owe it.
func TestStandingsTie(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	var papers, cards, aged money.Amount
	for _, j := range all {
		a := answers{t: t, journal: j, all: map[string][]byte{}}
		e, ledgerOfCards := engine.New(j.Key), report.NewCardLedger("")
		for _, stored := range j.Records {
			a.must(e.Replay(stored.Data))
			r, err := record.Decode(stored.Data)
			a.must(err)
			ledgerOfCards.Add(stored.Place, r, e.State())
		}
		has := e.State().Balances()
		card, _ := ledger.Paper("player_card")
		papers += ties(t, j, report.OutstandingPapers(e.State(), ""), "Amount", -has.Of(ledger.Instruments))
		cards += ties(t, j, ledgerOfCards.Table(), "On the card", -has.OfUnit(ledger.Instruments, card))
		aged += a.ageing(e)
	}
	if papers == 0 || cards == 0 || aged == 0 {
		t.Errorf("there are papers of %v, cards of %v, and %v is not fetched", papers, cards, aged)
	}
}

// ties holds what a column of a report comes to against what is due.
func ties(t *testing.T, j *Journal, table *report.Table, column string, due money.Amount) money.Amount {
	t.Helper()
	var sum money.Amount
	for i, c := range table.Columns {
		if c.Name == column && table.Total != nil {
			sum = money.Amount(table.Total[i].Number)
		}
	}
	if sum != due {
		t.Errorf("%s: %s of %s comes to %v, and %v is due", j.Name, column, table.Title, sum, due)
	}
	return sum
}

// ageing holds what nobody has fetched against the accounts that owe nothing else, and returns what it comes to.
func (a *answers) ageing(e *engine.Engine) money.Amount {
	ctx := context.Background()
	st, err := sqlite.Open(ctx, a.t.TempDir(), 1)
	a.must(err)
	defer func() { a.must(st.Close()) }()
	a.fill(ctx, st)
	list, err := house.AllUnfetched(ctx, st, e.State(), counter.UnfetchedSearch{}, 0)
	a.must(err)
	table := report.Age(e.State(), list, 0)
	var sum money.Amount
	for _, row := range table.Rows {
		rest := row[len(row)-1].Number
		if account := row[1].Text; rest != 0 && account != ledger.Treasurer.String() {
			a.t.Errorf("%s: account %s owes %d more than its tickets", a.journal.Name, account, rest)
		}
		sum += money.Amount(row[len(row)-3].Number)
	}
	return sum
}
