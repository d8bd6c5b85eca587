package drawhouse_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	bookreport "drawhouse/books/report"
)

// TestReportsDocIsCurrent holds the tables of docs/REPORTS.md against the columns of the reports.
func TestReportsDocIsCurrent(t *testing.T) {
	const file, begin, end = "docs/REPORTS.md", "<!-- made: reports -->\n", "<!-- end of the reports -->\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks %q or %q", file, begin, end)
	}
	checkGenerated(t, file, before+begin+reportTables(t)+end+after)
}

// reportTables lists the columns of each report, and what each column means.
func reportTables(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	all := map[string]bookreport.Column{}
	b.WriteString("\n## Reports\n\n")
	tableRow(&b, []string{"report", "columns"})
	b.WriteString("|---|---|\n")
	for _, name := range append(bookreport.Names(), bookreport.Listed()...) {
		columns, err := bookreport.ColumnsOf(name)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range columns {
			all[c.Name] = c
			names = append(names, c.Name)
		}
		tableRow(&b, []string{fmt.Sprintf("`%s`", name), strings.Join(names, ", ")})
	}
	b.WriteString("\n## Columns\n\n")
	tableRow(&b, []string{"column", "holds", "meaning", "several days"})
	b.WriteString("|---|---|---|---|\n")
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		c := all[name]
		tableRow(&b, []string{name, c.Kind.String(), c.Means, c.Over.String()})
	}
	b.WriteString("\n")
	return b.String()
}
