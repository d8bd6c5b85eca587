package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/books"
	"drawhouse/day"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
)

// some returns the books of a week.
func some() []*books.Book {
	var all []*books.Book
	first := day.MustParse("2026-11-09")
	cash := money.Amount(0)
	for n := range day.Day(7) {
		b := &books.Book{Series: 1, Day: first + n}
		sold := money.Amount(1_234_50 + 100*int64(n))
		for g := range 3 {
			b.Games = append(b.Games, books.Game{
				Number: uint16(g), Ordinal: uint32(3*int(n) + g + 1), Plays: 40, Ways: 55, Stakes: sold / 3, Winners: 9, Prizes: sold / 6, Breakage: 5, Revisions: 1,
				Pools: []books.Pool{{Spots: 7, Primary: record.Exact(10_000 * (1000 + 37*int(n)*g))}, {Spots: 10, Primary: record.Exact(10_000 * (500_000 + 991*int(n)))}},
			})
		}
		b.Venues = []books.Venue{{Venue: 1, Tally: books.Tally{Sales: 120, Sold: sold, Payments: 20, Paid: sold / 2, Cash: sold - sold/2}}}
		b.Terminals = []books.Terminal{{Terminal: 7, Venue: 1, Tally: b.Venues[0].Tally}}
		b.Accounts = []books.Balance{
			{Account: ledger.Cash, Unit: 1, Opening: cash, Debits: sold, Credits: sold / 2},
			{Account: ledger.Retained, Opening: -cash, Credits: sold - sold/2},
		}
		cash += sold - sold/2
		b.Events = []books.Event{{Place: record.Place{Volume: 1, Seq: 77}, Time: 1_794_700_800_000, Kind: record.KindTicketCancelled, About: "ticket 1:44 at terminal 7", Cents: 200}}
		all = append(all, b)
	}
	return all
}

// TestReadersReadReports writes every report in every form, and has programs that are
// not ours find its figures again.
func TestReadersReadReports(t *testing.T) {
	for _, name := range Names() {
		table, err := Make(name, some())
		if err != nil {
			t.Fatal(err)
		}
		if len(table.Rows) == 0 {
			t.Errorf("%s is empty", name)
		}
		for _, row := range table.rows() {
			if len(row) != len(table.Columns) {
				t.Fatalf("%s: a row of %d cells for %d columns", name, len(row), len(table.Columns))
			}
		}
		t.Run(string(name)+"/csv", func(t *testing.T) { readCSV(t, table) })
		t.Run(string(name)+"/xlsx", func(t *testing.T) { readXLSX(t, table) })
		t.Run(string(name)+"/pdf", func(t *testing.T) { readPDF(t, table) })
		var plain bytes.Buffer
		if err := table.Write(&plain, Plain); err != nil || !strings.Contains(plain.String(), table.Title) {
			t.Errorf("%s: %v\n%s", name, err, plain.String())
		}
	}
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
			if want := strings.TrimSuffix(c.String(row[k]), "%"); rows[i+1][k] != want {
				t.Errorf("row %d, %s: %q, want %q", i, c.Name, rows[i+1][k], want)
			}
		}
	}
}

// spreadsheet prints the cells of a file with another program's reader, amounts in
// hundredths.
const spreadsheet = `
import sys, openpyxl
for row in openpyxl.load_workbook(sys.argv[1]).active.iter_rows(values_only=True):
    print("|".join("" if v is None else v if isinstance(v, str) else str(round(v * 10000)) for v in row))
`

func readXLSX(t *testing.T, table *Table) {
	const python = "/usr/bin/python3"
	if out, err := exec.Command(python, "-c", "import openpyxl").CombinedOutput(); err != nil {
		t.Skipf("NO INDEPENDENT READER: the spreadsheet is not read back, because openpyxl is missing: %v %s", err, out)
	}
	path := filepath.Join(t.TempDir(), "report.xlsx")
	write(t, table, path, XLSX)
	out, err := exec.Command(python, "-c", spreadsheet, path).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(out), "\n")
	for i, row := range table.Rows {
		cells := strings.Split(lines[i+1], "|")
		for k, c := range table.Columns {
			want := row[k].Text
			switch c.Kind {
			case Count:
				want = fmt.Sprint(row[k].Number * 10_000)
			case Amount:
				want = fmt.Sprint(row[k].Number * 100)
			case Share:
				want = fmt.Sprint(row[k].Number)
			}
			if cells[k] != want {
				t.Errorf("row %d, %s: %q, want %q", i, c.Name, cells[k], want)
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
	if _, err := Make(Days, nil); err == nil {
		t.Error("a report of no days")
	}
	if _, err := Make("weather", some()); err == nil {
		t.Error("a report that does not exist")
	}
}

// TestTrialBalance finds the balances of the report at nothing together.
func TestTrialBalance(t *testing.T) {
	table, err := Make(Accounts, some())
	if err != nil {
		t.Fatal(err)
	}
	if table.Total[5].Number != 0 || table.Total[2].Number != 0 {
		t.Errorf("the balances come to %+v", table.Total)
	}
}
