package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"drawhouse/books"
	"drawhouse/core/money"
)

// TestReadersReadReports writes every report in every form, and has programs that are
// not ours find its figures again.
func TestReadersReadReports(t *testing.T) {
	days := someDays(t, 14)
	sheets := map[string]*Table{}
	for _, name := range Names() {
		from, c := days, Choice{}
		if len(reads[name]) > 0 {
			w, _, read := taxedDays(t)
			from, c.Read = w.days, read
		}
		table, err := Make(name, from, c)
		if err != nil {
			t.Fatal(err)
		}
		table.House = "house.example"
		if len(table.Rows) == 0 {
			t.Errorf("%s is empty", name)
		}
		for _, row := range table.rows() {
			if len(row) != len(table.Columns) {
				t.Fatalf("%s: a row of %d cells for %d columns", name, len(row), len(table.Columns))
			}
		}
		t.Run(string(name)+"/csv", func(t *testing.T) { readCSV(t, table) })
		sheets[string(name)] = table
		t.Run(string(name)+"/pdf", func(t *testing.T) { readPDF(t, table) })
		var plain bytes.Buffer
		if err := table.Write(&plain, Plain); err != nil || !strings.Contains(plain.String(), table.Title) {
			t.Errorf("%s: %v\n%s", name, err, plain.String())
		}
	}
	t.Run("xlsx", func(t *testing.T) { readXLSX(t, sheets) })
}

func readCSV(t *testing.T, table *Table) {
	var b bytes.Buffer
	if err := table.Write(&b, CSV); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != len(table.Rows)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range table.Rows {
		for k, c := range table.Columns {
			if want := c.Plain(row[k]); rows[i+1][k] != want {
				t.Errorf("row %d, %s: %q, want %q", i, c.Name, rows[i+1][k], want)
			}
		}
	}
}

// TestCSVRunsNothing writes texts that a spreadsheet would run, and what only looks alike:
// a text that has the sign further on, a date, a number below nothing.
func TestCSVRunsNothing(t *testing.T) {
	const tab, back = "\t=1+1", "\r=1+1"
	for in, want := range map[string]string{
		`=HYPERLINK("http://thief.example","Pay")`: `'=HYPERLINK("http://thief.example","Pay")`,
		"+1": "'+1", "-1": "'-1", "--": "'--", "@SUM(A1)": "'@SUM(A1)", tab: "'" + tab, back: "'" + back,
		"-": "-", "a=1": "a=1", " =1": " =1", "'=1": "'=1", "2026-11-15": "2026-11-15", "Éire": "Éire", "": "",
	} {
		table := &Table{Columns: []Column{{Name: "Name", Kind: Text}, {Name: "Cents", Kind: Amount},
			{Name: "Tickets", Kind: Count}, {Name: "Of all", Kind: Share}},
			Rows: [][]Cell{{text(in), {Number: -1234}, {Number: -7}, {Number: -50}}}}
		var b bytes.Buffer
		if err := table.Write(&b, CSV); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if row := []string{want, "-12.34", "-7", "-0.50"}; err != nil || len(rows) != 2 || !slices.Equal(rows[1], row) {
			t.Errorf("%q: %q, %v; want %q", in, rows, err, row)
		}
	}
}

// spreadsheet prints the cells of files with another program's reader, amounts in
// hundredths, each behind a line with its name.
const spreadsheet = `
import os, sys, openpyxl
for name in sorted(os.listdir(sys.argv[1])):
    print("== " + name.removesuffix(".xlsx"))
    for row in openpyxl.load_workbook(os.path.join(sys.argv[1], name))['Report'].iter_rows(values_only=True):
        print("|".join("" if v is None else v if isinstance(v, str) else str(round(v * 10000)) for v in row))
`

func readXLSX(t *testing.T, sheets map[string]*Table) {
	const python = "/usr/bin/python3"
	if out, err := exec.Command(python, "-c", "import openpyxl").CombinedOutput(); err != nil {
		t.Skipf("NO INDEPENDENT READER: the spreadsheets are not read back, because openpyxl is missing: %v %s", err, out)
	}
	dir := t.TempDir()
	for name, table := range sheets {
		write(t, table, filepath.Join(dir, name+".xlsx"), XLSX)
	}
	out, err := exec.Command(python, "-c", spreadsheet, dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for part := range strings.SplitSeq(string(out), "== ") {
		if name, rows, ok := strings.Cut(part, "\n"); ok {
			compareSheet(t, name, sheets[name], strings.Split(rows, "\n"))
			read++
		}
	}
	if read != len(sheets) {
		t.Errorf("%d of %d files were read", read, len(sheets))
	}
}

// compareSheet holds what was read against the table.
func compareSheet(t *testing.T, name string, table *Table, lines []string) {
	t.Helper()
	for i, row := range table.Rows {
		cells := strings.Split(lines[i+1], "|")
		for k, c := range table.Columns {
			want := row[k].Text
			switch {
			case want != "": // A text, or a share of nothing.
			case c.Kind == Count:
				want = fmt.Sprint(row[k].Number * 10_000)
			case c.Kind == Amount:
				want = fmt.Sprint(row[k].Number * 100)
			case c.Kind == Share:
				want = fmt.Sprint(row[k].Number)
			}
			if cells[k] != want {
				t.Errorf("%s, row %d, %s: %q, want %q", name, i, c.Name, cells[k], want)
			}
		}
	}
}

func readPDF(t *testing.T, table *Table) {
	reader, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skipf("NO INDEPENDENT READER: the PDF is not read back, because pdftotext is missing: %v", err)
	}
	path := filepath.Join(t.TempDir(), "report.pdf")
	write(t, table, path, PDF)
	out, err := exec.Command(reader, "-layout", path, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, word := range strings.Fields(string(out)) {
		words[word] = true
	}
	for _, row := range table.rows() {
		for k, c := range table.Columns {
			if value := c.String(row[k]); c.Kind != Text && !words[value] {
				t.Errorf("%s of %s is not on the page", value, c.Name)
			}
		}
	}
}

func write(t *testing.T, table *Table, path string, format Format) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Write(f, format); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("DRAWHOUSE_REPORTS"); dir != "" {
		data, _ := os.ReadFile(path)
		_ = os.WriteFile(filepath.Join(dir, strings.ReplaceAll(table.Title, " ", "-")+filepath.Ext(path)), data, 0o644)
	}
}

func TestMakeRefuses(t *testing.T) {
	days := someDays(t, 1)
	if _, err := Make(Days, nil, Choice{}); err == nil {
		t.Error("a report of no days")
	}
	if _, err := Make("weather", days, Choice{}); err == nil {
		t.Error("a report that does not exist")
	}
	if _, err := Make(Accounts, days, Choice{Venue: 1}); err == nil {
		t.Error("the accounts of one venue")
	}
}

// column returns the place of a column.
func column(t *testing.T, table *Table, name string) int {
	t.Helper()
	i := slices.IndexFunc(table.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("%s has no column %s", table.Title, name)
	}
	return i
}

// total returns what a column of a report comes to.
func total(t *testing.T, table *Table, name string) int64 {
	t.Helper()
	return table.Total[column(t, table, name)].Number
}

func mustMake(t *testing.T, name Name, days []*books.Book, c Choice) *Table {
	t.Helper()
	table, err := Make(name, days, c)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestReportsAgree holds reports against each other: they tell of the same days.
func TestReportsAgree(t *testing.T) {
	days := someDays(t, 9)
	trial := mustMake(t, Accounts, days, Choice{})
	if total(t, trial, "Closing") != 0 || total(t, trial, "Opening") != 0 ||
		total(t, trial, "Debits") != total(t, trial, "Credits") {
		t.Errorf("the balances come to %+v", trial.Total)
	}
	if net := total(t, mustMake(t, Statement, days, Choice{}), "Net"); net != 0 {
		t.Errorf("the statement comes to %d", net)
	}
	day, venues, terminals := mustMake(t, Days, days, Choice{}), mustMake(t, Venues, days, Choice{}),
		mustMake(t, Terminals, days, Choice{})
	for _, name := range []string{"Tickets", "Sold", "Given back", "Paid"} {
		if a, b, c := total(t, day, name), total(t, venues, name), total(t, terminals, name); a != b || b != c || a == 0 {
			t.Errorf("%s: %d by day, %d by venue, %d by terminal", name, a, b, c)
		}
	}
	// Terminal 6 has no writer; everything else was done on somebody's shift.
	writers := mustMake(t, Cancellations, days, Choice{})
	if a, b := total(t, writers, "Given back"), total(t, day, "Given back"); a != b {
		t.Errorf("writers and terminals gave back %d, of %d", a, b)
	}
	// What venues settle is what their accounts moved by, and every venue has its part.
	sum := int64(0)
	for venue := uint32(1); venue <= 5; venue++ {
		sum += total(t, mustMake(t, Venues, days, Choice{Venue: venue}), "Settlement")
	}
	if all := total(t, venues, "Settlement"); sum != all || all == 0 {
		t.Errorf("the venues settle %d one by one and %d together", sum, all)
	}
}

// TestFundAddsUp follows the prize fund from day to day: what it had and what came in,
// less what went out, is what it has, and its part of the stakes is never below 75%.
func TestFundAddsUp(t *testing.T) {
	days := someDays(t, 9)
	before := money.Amount(0)
	for _, b := range days {
		f := b.Fund()
		if f.Opening != before || f.Opening+f.Share-f.Pools-f.Won+f.Other != f.Closing || f.Other != 0 {
			t.Errorf("%v: %+v after %v", b.Day, f, before)
		}
		if f.Share*100 < f.Stakes*75 || f.Share*100 > f.Stakes*75+100*12 {
			t.Errorf("%v: the fund got %v of %v", b.Day, f.Share, f.Stakes)
		}
		if f.TopUp+f.Paid != f.Share {
			t.Errorf("%v: %v and %v do not make %v", b.Day, f.TopUp, f.Paid, f.Share)
		}
		before = f.Closing
	}
}

// TestReconciliationAddsUp finds in the jackpot what its games put in and did not pay.
func TestReconciliationAddsUp(t *testing.T) {
	days := someDays(t, 14)
	var added, won money.Amount
	each(days, func(_ *books.Book, g *books.Game) {
		for _, p := range g.Pools {
			added += money.Amount(p.Added / exactPerCent)
			won += p.Won
		}
	})
	list := books.Reconcile(days)
	if len(list) != 1 || list[0].Stakes != added || list[0].Won != won || won == 0 || list[0].Moved != 500_000 ||
		list[0].Closing != 500_000+added-won {
		t.Errorf("games put in %v and paid %v; the books have %+v", added, won, list)
	}
}

// TestVenueAccounts: the account of a venue carries its balance forward from day to day, and each line adds up.
func TestVenueAccounts(t *testing.T) {
	table, err := Make(VenueAccount, someDays(t, 3), Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 3 {
		t.Fatalf("%d rows", len(table.Rows))
	}
	for i, row := range table.Rows {
		for k, want := range []money.Amount{money.Amount(550 * i), 1000, 100, 10, 60, 400, 0, 0, money.Amount(550*i + 550)} {
			if got := money.Amount(row[3+k].Number); got != want {
				t.Errorf("row %d, %s: %v, and %v is right", i, table.Columns[3+k].Name, got, want)
			}
		}
	}
}
