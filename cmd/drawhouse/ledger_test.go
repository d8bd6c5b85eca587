package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/core/ledger"
)

// takesIn has the journal entries of the closed day of a house: they come to its trial balance, go on after it with
// nothing, and are equal when they are made again.
func (r *replica) takesIn(command func(...string) string) {
	t := r.t
	entries := command("ledger", "entries")
	debits, credits := columnSum(t, filled(entries, "debit"), "debit"), columnSum(t, filled(entries, "credit"), "credit")
	trial := command("report", "accounts", "--format=csv", "--to=2026-11-14")
	if debits != credits || debits == 0 || debits != columnSum(t, trial, "Debits") {
		t.Errorf("the entries debit %d and credit %d cents, and the trial balance has\n%s", debits, credits, trial)
	}
	contains(t, entries, "1/2026-11-14,2026-11-14,1,1000,cash,asset,,")
	if strings.Contains(entries, "2026-11-15") {
		t.Error("the day that is open has an entry")
	}
	if again := command("ledger", "entries", "--from=2026-11-14", "--to=2026-11-14"); again != entries {
		t.Errorf("made again, the entries are\n%s", again)
	}
	header, _, _ := strings.Cut(entries, "\n")
	for _, none := range [][]string{{"--after=1/2026-11-14"}, {"--by=month"}, {"--by=year"}, {"--to=2026-11-13"}} {
		if rest := command(append([]string{"ledger", "entries"}, none...)...); rest != header+"\n" {
			t.Errorf("%s: there are the entries\n%s", none, rest)
		}
	}
	dir := t.TempDir()
	mapping := filepath.Join(dir, "firm.yaml")
	if err := os.WriteFile(mapping, []byte("accounts:\n  - {account: cash, code: 0100, name: Tills}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "entries.journal")
	said := command("ledger", "entries", "--format=ledger", "--mapping="+mapping, "--out="+file)
	contains(t, said, "1 entry, 1/2026-11-14")
	contains(t, said, "the entries are in "+file)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(data), "    assets:0100 Tills:venue 1    AUD ")
	for says, args := range map[string][]string{
		"exists":                       {"--out=" + file},
		"no closed day has the number": {"--after=1/2026-11-15"},
		"behind it":                    {"--after=1/2026-11-14", "--opening"},
		"--from":                       {"--from=soon"},
		"is before":                    {"--from=2026-11-15", "--to=2026-11-14"},
		"no such file":                 {"--mapping=" + filepath.Join(dir, "none.yaml")},
	} {
		contains(t, refused(t, append([]string{"ledger", "entries", "--data=" + r.storage.Data}, args...)...), says)
	}
	gone := filepath.Join(dir, "gone.csv")
	refused(t, "ledger", "entries", "--data="+r.storage.Data, "--after=2026", "--out="+gone)
	if _, err := os.Stat(gone); !os.IsNotExist(err) {
		t.Errorf("a file is left of entries that could not be made: %v", err)
	}
}

// filled returns the lines of a table whose column has a value, as far as they are needed for a sum.
func filled(table, column string) string {
	lines := strings.Split(strings.TrimSpace(table), "\n")
	names, at := strings.Split(lines[0], ","), -1
	for i, name := range names {
		if name == column {
			at = i
		}
	}
	kept := lines[0][:strings.Index(lines[0], ",currency")] + "\n"
	for _, line := range lines[1:] {
		if cells := strings.Split(line, ","); at >= 0 && cells[at] != "" {
			kept += strings.Join(cells[:len(strings.Split(kept[:strings.Index(kept, "\n")], ","))], ",") + "\n"
		}
	}
	return kept
}

// TestLedgerAccounts lists the chart, and under a mapping the codes of the firm.
func TestLedgerAccounts(t *testing.T) {
	t.Parallel()
	list := succeed(t, "ledger", "accounts")
	for _, a := range ledger.Accounts() {
		contains(t, list, a.Code()+"  "+a.Class().String())
		contains(t, list, a.String())
	}
	mapping := filepath.Join(t.TempDir(), "firm.yaml")
	write := func(text string) {
		if err := os.WriteFile(mapping, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("accounts:\n  - {account: cash, code: 0100, name: Tills}\n")
	contains(t, succeed(t, "ledger", "accounts", "--mapping="+mapping), "0100  asset      Tills ")
	said := succeed(t, "ledger", "check", mapping)
	contains(t, said, "firm.yaml is sound: 1 rule")
	contains(t, said, "keep the codes of the house: unplayed, ")
	write("accounts:\n  - {account: cash, code: 0100}\n  - {account: till, code: 0100}\n")
	contains(t, refused(t, "ledger", "check", mapping), `firm.yaml:3: account: there is no account "till"`)
	contains(t, new(ledgerCheckCmd).Help(), "cost_centre: the firm's cost centre")
}
