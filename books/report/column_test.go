package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// allTables makes every report as it is and by month, and the lists by ticket.
func allTables(t *testing.T) map[string]*Table {
	t.Helper()
	days := someDays(t, 40)
	tables := map[string]*Table{"records": {Columns: behindAmounts}, "counted records": {Columns: behindCounts}}
	for _, l := range Lists() {
		tables[string(l.Name)] = &Table{Columns: l.Columns}
	}
	for _, r := range All() {
		tables[string(r.Name)] = mustMake(t, r.Name, days, Choice{})
		if !r.Lists() {
			tables[string(r.Name)+" by month"] = mustMake(t, r.Name, days, Choice{By: ByMonth})
		}
	}
	return tables
}

// TestOneMeaning holds the columns of all reports against each other: those of one name have one definition and hold
// the same, every column has a definition, and every table has the columns that its report names.
func TestOneMeaning(t *testing.T) {
	defined := map[string]Column{}
	for name, table := range allTables(t) {
		for _, c := range table.Columns {
			before, ok := defined[c.Name]
			switch {
			case len(c.Means) < 10 || !strings.HasSuffix(c.Means, "."):
				t.Errorf("%s: %s is defined as %q", name, c.Name, c.Means)
			case ok && (before.Means != c.Means || before.Kind != c.Kind || before.Over != c.Over):
				t.Errorf("%s means %q in %s, and %q elsewhere", c.Name, c.Means, name, before.Means)
			}
			defined[c.Name] = c
			if c.Over == Remark {
				continue // A text, or a figure of a line by itself.
			}
			if (c.Kind == Text) != (c.Over < Flow) || (c.Kind == Share) != (c.Over == Ratio) {
				t.Errorf("%s: %s is a %v and comes to one as %v", name, c.Name, c.Kind, c.Over)
			}
		}
	}
	for _, r := range All() {
		for _, c := range r.Columns {
			if _, ok := defined[c.Name]; !ok && !strings.Contains(c.Name, "N ") {
				t.Errorf("%s names %s, and does not have it", r.Name, c.Name)
			}
		}
	}
	if len(defined) < 80 {
		t.Errorf("%d columns", len(defined))
	}
}

// TestDefinitionsAreShown finds the definition of every column in the list of definitions, and the text of each report
// names the command that shows them.
func TestDefinitionsAreShown(t *testing.T) {
	for name, table := range allTables(t) {
		var plain, list bytes.Buffer
		if err := table.Write(&plain, Plain); err != nil {
			t.Fatal(err)
		}
		if err := Definitions(name, table.Columns).Write(&list, CSV); err != nil {
			t.Fatal(err)
		}
		told := strings.Contains(plain.String(), fmt.Sprintf("drawhouse report %s --definitions", table.Name))
		if told != (table.Name != "") {
			t.Errorf("%s as text ends with\n%s", name, plain.String())
		}
		for _, c := range table.Columns {
			if strings.Contains(plain.String(), c.Definition()) {
				t.Errorf("%s as text says what %s means", name, c.Name)
			}
			if !strings.Contains(list.String(), c.Means) {
				t.Errorf("the definitions of %s lack %s", name, c.Name)
			}
		}
	}
}
