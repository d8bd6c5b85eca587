package drawhouse_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestMoneyDocIsCurrent holds the tables of docs/MONEY.md against the rulebooks. What stands
// outside the marks is written by hand.
func TestMoneyDocIsCurrent(t *testing.T) {
	const file, begin, end = "docs/MONEY.md", "<!-- made: money tables -->\n", "<!-- end of the money tables -->\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks %q or %q", file, begin, end)
	}
	checkGenerated(t, file, before+begin+moneyTables(t)+end+after)
}

// moneyTables returns the tables of all keno rulebooks, as drawhouse rulebook show --money
// prints them.
func moneyTables(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, id := range rules.IDs() {
		book, err := rules.Book(id)
		if err != nil {
			t.Fatal(err)
		}
		table := book.MoneyTable()
		if len(table) == 0 {
			continue // bingo
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s.\n\n", book.ID(), book.Title())
		heads := rulebook.MoneyHeads()
		tableRow(&b, heads)
		b.WriteString(strings.Repeat("|---", len(heads)) + "|\n")
		for _, r := range table {
			tableRow(&b, r.Cells())
		}
	}
	b.WriteString("\n")
	return b.String()
}

func tableRow(b *strings.Builder, cells []string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}
