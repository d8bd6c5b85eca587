package entries

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"drawhouse/books"
	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
)

func written(t testing.TB, j *Journal, c Choice, format Format) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := j.Write(t.Context(), &b, c, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func parsed(t testing.TB, text string) *Mapping {
	t.Helper()
	m, err := Parse("firm.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCSV reads the table: each entry balances, and the columns say what the lines do.
func TestCSV(t *testing.T) {
	j := opened(t, longHouse(t))
	m := parsed(t, "accounts:\n  - {account: cash, code: 0100, name: Tills, cost_centre: KENO}\n"+
		"  - {account: safe, code: 0110, together: true}\n")
	rows, err := csv.NewReader(strings.NewReader(written(t, j, Choice{Mapping: m}, CSV))).ReadAll()
	if err != nil || len(rows[0]) != len(Columns()) {
		t.Fatalf("%q, %v", rows, err)
	}
	at := map[string]int{}
	for i, c := range Columns() {
		if at[c.Name] = i; rows[0][i] != c.Name || c.Says == "" {
			t.Errorf("column %d is %q, want %+v", i, rows[0][i], c)
		}
	}
	over, lines, seen := map[string]money.Amount{}, map[string]int{}, map[string]bool{}
	for _, row := range rows[1:] {
		number := row[at["entry"]]
		if lines[number]++; row[at["line"]] != fmt.Sprint(lines[number]) {
			t.Errorf("%q is line %d of its entry", row, lines[number])
		}
		debit, credit := row[at["debit"]], row[at["credit"]]
		if (debit == "") == (credit == "") || row[at["currency"]] != "AUD" || len(row[at["book"]]) != 64 {
			t.Errorf("%q", row)
		}
		for text, sign := range map[string]money.Amount{debit: 1, credit: -1} {
			if text == "" {
				continue
			}
			cents, err := money.Parse("$" + text)
			if err != nil {
				t.Fatal(err)
			}
			over[number] += sign * cents
		}
		seen[row[at["called"]]] = true
		switch row[at["account"]] {
		case "cash":
			if row[at["code"]] != "0100" || row[at["name"]] != "Tills" || row[at["cost_centre"]] != "KENO" ||
				row[at["class"]] != "asset" || !strings.HasPrefix(row[at["for"]], "venue ") {
				t.Errorf("%q", row)
			}
		case "safe":
			if row[at["code"]] != "0110" || row[at["for"]] != "" || row[at["called"]] != "" || credit == "" ||
				row[at["text"]] != "Keno Day "+number[2:]+": bank moved" {
				t.Errorf("%q", row)
			}
		case "jackpot_primary":
			if row[at["code"]] != "2200" || !strings.HasSuffix(row[at["for"]], ", 9 spots") || (row[at["series"]] == "") != (number == numbers[0]) {
				t.Errorf("%q", row)
			}
		}
	}
	for number, cents := range over {
		if cents != 0 {
			t.Errorf("%s is out of balance by %v", number, cents)
		}
	}
	// Nothing was posted on one of the seven days.
	if len(over) != len(numbers)-1 || !seen["Corner Hotel"] || !seen["'"+hostile] || seen[hostile] {
		t.Errorf("%d entries, of venues %q", len(over), slices.Sorted(maps.Keys(seen)))
	}
	if _, err := j.Write(t.Context(), &bytes.Buffer{}, Choice{}, "ods"); err == nil {
		t.Error("there is a form ods")
	}
	for _, format := range Formats() {
		if _, err := j.Write(t.Context(), full{}, Choice{}, format); err == nil {
			t.Errorf("%s is written to a full disk", format)
		}
		if !strings.HasPrefix(format.MediaType(), "text/") {
			t.Errorf("%s is of type %s", format, format.MediaType())
		}
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

// TestAmounts writes amounts without a sign, nothing as nothing.
func TestAmounts(t *testing.T) {
	for cents, want := range map[money.Amount]string{0: "", 1: "0.01", 99: "0.99", 100: "1.00", 123456: "1234.56"} {
		if got := side(cents); got != want {
			t.Errorf("%d cents are %q, want %q", cents, got, want)
		}
	}
}

// TestHledgerReads has a program that is not ours read the entries, in days, months and years, and compares the balance
// of every account with the trial balance of the house.
func TestHledgerReads(t *testing.T) {
	program, err := exec.LookPath("hledger")
	if err != nil {
		t.Skipf("NO INDEPENDENT READER: the journal entries are not read back, because hledger is missing: %v", err)
	}
	h := longHouse(t)
	j := opened(t, h)
	firm := parsed(t, "accounts:\n  - {account: cash, code: 0100, name: \"Tills & (more)\", cost_centre: KENO}\n"+
		"  - {account: safe, code: 0110, class: expense, together: true}\n")
	for name, c := range map[string]struct {
		choice Choice
		book   *books.Book // with whose balances the entries end
	}{
		"days":          {Choice{}, h.books[6]},
		"months":        {Choice{By: ByMonth}, h.books[5]},
		"years":         {Choice{By: ByYear}, h.books[5]},
		"later days":    {Choice{From: day.MustParse("2026-11-02"), Opening: true}, h.books[6]},
		"a later month": {Choice{From: day.MustParse("2026-11-02"), By: ByMonth, Opening: true}, h.books[5]},
		"of the firm":   {Choice{Mapping: firm}, h.books[6]},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "entries.journal")
			if err := os.WriteFile(file, []byte(written(t, j, c.choice, Plain)), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := hledger(program, "-f", file, "check").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			sameBalances(t, balances(t, program, file), trialBalance(t, c.book, c.choice.Mapping))
			second := *c.book
			second.Accounts = slices.DeleteFunc(slices.Clone(c.book.Accounts),
				func(l books.Balance) bool { return l.Series != 2 })
			if c.choice.Mapping == nil {
				sameBalances(t, balances(t, program, file, "tag:^series$=^2$"), trialBalance(t, &second, nil))
			}
			out, err := hledger(program, "-f", file, "codes").Output()
			if err != nil {
				t.Fatal(err)
			}
			list, _ := entriesOf(t, j, c.choice)
			if got := strings.Fields(string(out)); !slices.Equal(got, numbersOf(list)) {
				t.Errorf("it reads the entries %q, want %q", got, numbersOf(list))
			}
		})
	}
}

// hledger returns a command that reads its files as UTF-8 whatever the locale of the machine is.
func hledger(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	return cmd
}

// balances returns the balance of every account as hledger works it out.
func balances(t *testing.T, program, file string, query ...string) map[string]string {
	t.Helper()
	out, err := hledger(program, append([]string{"-f", file, "balance", "--flat", "-N", "-O", "csv"},
		query...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%q, %v", out, err)
	}
	got := map[string]string{}
	for _, row := range rows[1:] {
		got[row[0]] = row[1]
	}
	return got
}

// trialBalance returns what the report accounts of a day says that accounts have at its end, under the names that they
// have in plain-text accounting.
func trialBalance(t *testing.T, book *books.Book, m *Mapping) map[string]string {
	t.Helper()
	table, err := report.Make(report.Accounts, []*books.Book{book}, report.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) int {
		return slices.IndexFunc(table.Columns, func(c report.Column) bool { return c.Name == name })
	}
	sums := map[string]int64{}
	for _, row := range table.Rows {
		account, err := ledger.ParseAccount(row[column("Account")].Text)
		if err != nil {
			t.Fatal(err)
		}
		target, name := m.Target(account, 0, 0), ""
		switch target.Class {
		case ledger.Asset:
			name = "assets:"
		case ledger.Liability:
			name = "liabilities:"
		case ledger.Income:
			name = "income:"
		case ledger.Expense:
			name = "expenses:"
		}
		name += target.Code + " " + target.Name
		if words := row[column("For")].Text; words != "" && !target.Together {
			name += ":" + words
		}
		sums[name] += row[column("Closing")].Number
	}
	want := map[string]string{}
	for name, cents := range sums {
		sign := ""
		if cents < 0 {
			sign, cents = "-", -cents
		}
		want[name] = fmt.Sprintf("AUD %s%d.%02d", sign, cents/100, cents%100)
	}
	return want
}

// sameBalances compares balances. An account with nothing may be left out.
func sameBalances(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(got) < 5 {
		t.Errorf("it knows %d accounts", len(got))
	}
	for name, balance := range want {
		if got[name] != balance && (balance != "AUD 0.00" || got[name] != "") {
			t.Errorf("it has %s at %q, and the trial balance at %q", name, got[name], balance)
		}
	}
	for name, balance := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("it has %s at %q, which the trial balance does not know", name, balance)
		}
	}
}
