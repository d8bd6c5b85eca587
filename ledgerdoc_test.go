package drawhouse_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"drawhouse/books/entries"
)

// TestLedgerDocIsCurrent holds the tables of the page about the ledger of the firm against the fields and columns that
// there are, and reads the mapping that the page gives as an example.
func TestLedgerDocIsCurrent(t *testing.T) {
	const file = "docs/ACCOUNTS.md"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var fields, columns strings.Builder
	fields.WriteString("\n| field | holds |\n|---|---|\n")
	for _, f := range entries.Fields() {
		fmt.Fprintf(&fields, "| `%s` | %s |\n", f.Name, f.Says)
	}
	columns.WriteString("\n| column | holds |\n|---|---|\n")
	for _, c := range entries.Columns() {
		fmt.Fprintf(&columns, "| `%s` | %s |\n", c.Name, c.Says)
	}
	want := string(page)
	for what, table := range map[string]string{"fields of a mapping": fields.String(),
		"columns of entries": columns.String()} {
		begin, end := "<!-- made: "+what+" -->\n", "\n<!-- end of the "+what+" -->\n"
		before, rest, ok := strings.Cut(want, begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("%s lacks %q or %q", file, begin, end)
		}
		want = before + begin + table + end + after
	}
	checkGenerated(t, file, want)
	_, example, ok := strings.Cut(string(page), "```yaml\naccounts:\n")
	example, _, closed := strings.Cut(example, "```")
	if !ok || !closed {
		t.Fatalf("%s has no example of a mapping", file)
	}
	if m, err := entries.Parse("firm.yaml", []byte("accounts:\n"+example)); err != nil || m.Rules() < 3 {
		t.Errorf("the example of a mapping: %v", err)
	}
}
