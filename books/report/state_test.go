package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// taxedDays returns the trader of a house over the end of November, with the return of the month, a payment of tax and
// one of unclaimed money, and the reader of its records. Of the month 0.77 is a correction.
func taxedDays(t *testing.T) (*trader, *record.TaxStated, Reader) {
	t.Helper()
	w := newTrader(t, 5)
	for _, d := range []string{"2026-11-28", "2026-11-29", "2026-11-30"} {
		w.trade(day.MustParse(d))
	}
	stated := &record.TaxStated{Series: 1, Month: day.MustParse("2026-11-01"), Day: day.MustParse("2026-12-01"), Days: 3,
		BroughtCents: 100, Base: "net_revenue", Rate: 2424, TaxCents: 12_345, Due: day.MustParse("2026-12-07"),
		Payee: "State Revenue", Clause: "16.3"}
	for _, b := range w.days {
		of := takingsOf(b)
		stated.StakedCents, stated.ReturnedCents = stated.StakedCents+of.staked, stated.ReturnedCents+of.returned
		stated.WonCents += of.won
	}
	stated.WonCents += 77
	stated.BaseCents = stated.StakedCents - stated.ReturnedCents - stated.WonCents
	write := w.write
	write(stated, ledger.Debit(ledger.Operator, 0, 12_345), ledger.Credit(ledger.Tax, 0, 12_345))
	write(&record.PrizesSwept{Series: 1, Day: day.MustParse("2026-12-01"), To: "treasurer", Clause: "14.1",
		List: []record.Swept{{Ordinal: 1, Cents: 900}}},
		ledger.Debit(ledger.Prizes, 0, 900), ledger.Credit(ledger.Treasurer, 0, 900))
	for _, paid := range []record.RemittanceMade{
		{Series: 1, From: "tax", Month: stated.Month, Cents: 12_000, Paid: day.MustParse("2026-12-07"), Reference: "000418", By: 3},
		{Series: 1, From: "treasurer", Cents: 900, Paid: day.MustParse("2026-12-08"), Reference: "000419", By: 3},
	} {
		account, _ := record.Remitted(paid.From)
		write(&paid, ledger.Debit(account, 0, paid.Cents), ledger.Credit(ledger.Bank, 0, paid.Cents))
	}
	w.trade(day.MustParse("2026-12-01"))
	return w, stated, w.read
}

// TestTaxReport: the lines of a month are its days and what corrections changed, they add up to the return, and the
// figure of the return is the record's. Where days are not in the time of the report, a line says so.
func TestTaxReport(t *testing.T) {
	w, stated, read := taxedDays(t)
	for _, c := range []struct {
		name  string
		from  int
		lines []string
	}{
		{"the whole month", 0, []string{"2026-11-28", "2026-11-29", "2026-11-30", "corrections of earlier days", "return"}},
		{"a part of it", 2, []string{"2026-11-30", "2 other days", "return"}},
		{"none of it", 3, []string{"3 other days", "return"}},
	} {
		table, err := Make(Tax, w.days[c.from:], Choice{Read: read})
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		var sums [4]int64
		for _, row := range table.Rows {
			lines = append(lines, row[1].Text)
			for i := range sums {
				if cell := row[3+i].Number; row[1].Text == "return" && cell != sums[i] {
					t.Errorf("%s: %s is %d, and its lines come to %d", c.name, table.Columns[3+i].Name, cell, sums[i])
				}
				sums[i] += row[3+i].Number
			}
		}
		if !slices.Equal(lines, c.lines) {
			t.Errorf("%s has the lines %q", c.name, lines)
		}
		last := table.Rows[len(table.Rows)-1]
		if last[6].Number != stated.BaseCents.Cents() || last[7].Number != 100 || last[8].Number != 2424 ||
			last[9].Number != 12_345 || last[11].Text != "2026-12-07" {
			t.Errorf("%s: the return is %v", c.name, last)
		}
		if len(table.Figures) != 1 || table.Figures[0] !=
			(Figure{"Tax of 2026-11, due on 2026-12-07 to State Revenue", "123.45"}) {
			t.Errorf("%s: the figures are %v", c.name, table.Figures)
		}
	}
	if _, err := Make(Tax, w.days, Choice{}); err == nil {
		t.Error("a report is made of records that nobody reads")
	}
	if table, err := Make(Tax, w.days[:3], Choice{}); err != nil || len(table.Rows) != 0 {
		t.Errorf("before the month is stated the report has %v, %v", table, err)
	}
}

// TestRemittancesReport: what is owed at the end of a month is the balance of its account, in each month.
func TestRemittancesReport(t *testing.T) {
	w, _, read := taxedDays(t)
	table, err := Make(Remittances, w.days, Choice{Read: read})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, row := range table.Rows {
		var cells []string
		for i, c := range table.Columns {
			cells = append(cells, c.Plain(row[i]))
		}
		said = append(said, strings.Join(cells, " "))
	}
	payments := map[string]int{}
	for _, row := range table.Rows {
		if row[6].Text != "-" {
			payments[row[9].Text+" for "+row[8].Text]++
		}
	}
	if payments["000418 for 2026-11"] != 1 || payments["000419 for -"] != 1 || len(payments) != 2 {
		t.Errorf("the payments are %v in %q", payments, said)
	}
	last := w.days[len(w.days)-1]
	for _, account := range record.RemittedAccounts() {
		var closing, opening, added, remitted int64
		found := false
		for _, row := range table.Rows {
			if row[1].Text == account.String() && row[6].Text == "-" {
				if found && row[2].Number != closing {
					t.Errorf("%v opens with %d after closing with %d", account, row[2].Number, closing)
				}
				opening, added, remitted, closing, found = row[2].Number, row[3].Number, row[4].Number, row[5].Number, true
				if opening+added-remitted != closing {
					t.Errorf("%v: %q", account, said)
				}
			}
		}
		if balance := last.Account(account); money.Amount(closing) != -balance.Closing() {
			t.Errorf("%v closes with %d, and its balance is %v", account, closing, balance.Closing())
		}
	}
	for _, format := range Formats() {
		var files [2]bytes.Buffer
		for i := range files {
			table.House = "house.example"
			if err := table.Write(&files[i], format); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("as %s it is another file when it is made again", format)
		}
	}
}
