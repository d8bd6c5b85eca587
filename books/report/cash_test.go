package report

import (
	"testing"

	"drawhouse/books"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
)

// TestCashAddsUp follows the cash of each till and safe over days that are drawn at random: what a row had, with every
// amount of the row, is what it has; what it has is the balance of its account; the next day begins with it; and what
// left the safe for the tills came into them.
func TestCashAddsUp(t *testing.T) {
	for seed := range uint64(8) {
		days := daysOf(t, 9, seed)
		table := mustMake(t, Cash, days, Choice{})
		first, last := column(t, table, "Opening"), column(t, table, "Closing")
		skip := column(t, table, "Counts")
		before := map[string]int64{}
		for _, row := range table.Rows {
			sum := row[first].Number
			for i := first + 1; i < last; i++ {
				if i != skip {
					sum += row[i].Number
				}
			}
			name := row[1].Text + " " + row[3].Text
			if sum != row[last].Number || row[first].Number != before[name] {
				t.Fatalf("%s, %s: opens with %d after %d and comes to %d; it closes with %d", row[0].Text, name,
					row[first].Number, before[name], sum, row[last].Number)
			}
			before[name] = row[last].Number
		}
		moved := func(name string) int64 { return total(t, table, name) }
		if moved("Safe to tills") != 0 || moved("Tills to safe") != 0 {
			t.Errorf("%d and %d are lost between safes and tills", moved("Safe to tills"), moved("Tills to safe"))
		}
		for _, name := range []string{"Sales in", "Papers in", "Bingo in", "Prizes out", "Cancelled out", "Over", "Counts"} {
			if moved(name) == 0 {
				t.Errorf("nothing is in %s", name)
			}
		}
		closes := days[len(days)-1]
		for place, account := range map[string]ledger.Account{"tills": ledger.Cash, "safe": ledger.Safe} {
			checkCash(t, before, place, closes, account)
		}
		if moved("Closing") != closes.Account(ledger.Cash).Closing().Cents()+closes.Account(ledger.Safe).Closing().Cents() {
			t.Errorf("the last balances come to %d", moved("Closing"))
		}
	}
}

func checkCash(t *testing.T, has map[string]int64, place string, b *books.Book, account ledger.Account) {
	t.Helper()
	for venue, name := range map[uint32]string{1: "1 ", 2: "2 ", 3: "3 ", 4: "4 ", 5: "5 "} {
		balance := b.Unit(account, venue)
		if got := money.Amount(has[name+place]); got != balance.Closing() {
			t.Errorf("%s of venue %d: %v, and the account has %v", place, venue, got, balance.Closing())
		}
	}
}
