package drawhouse_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"drawhouse/journal/public"
)

// TestEntriesDocIsCurrent holds the tables of entries of the public log in docs/INSPECTOR.md against the package that
// writes and reads them. What stands outside the marks is written by hand.
func TestEntriesDocIsCurrent(t *testing.T) {
	const file, begin, end = "docs/INSPECTOR.md", "<!-- made: entries of the public log -->\n",
		"<!-- end of the entries of the public log -->\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks %q or %q", file, begin, end)
	}
	checkGenerated(t, file, before+begin+entryTables(t)+end+after)
}

// entryTables returns the table of kinds with their lines, and the table of lines with what they hold.
func entryTables(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	type meaning struct{ key, form, says string }
	var all []meaning
	holders := map[meaning][]string{} // kinds whose line it is
	keep := func(kind string, lines []public.Line) string {
		var names []string
		for _, l := range lines {
			if l.Says == "" {
				t.Errorf("%s: nothing says what the line %s holds: see meanings in journal/public", kind, l.Key)
			}
			m := meaning{l.Key, l.Value, l.Says}
			if holders[m] == nil {
				all = append(all, m)
			}
			holders[m] = append(holders[m], kind)
			name := "`" + l.Key + "`"
			if l.Repeat {
				name += "\\*"
			}
			names = append(names, name)
		}
		return strings.Join(names, " ")
	}
	b.WriteString("\n")
	tableRow(&b, []string{"kind", "lines, in this order", "record"})
	b.WriteString(strings.Repeat("|---", 3) + "|\n")
	keep("every entry", public.CommonLines())
	for _, f := range public.Forms() {
		records := make([]string, len(f.Records))
		for i, r := range f.Records {
			records[i] = r.String()
		}
		if len(records) == 0 {
			t.Errorf("no record brings an entry %s", f.Kind)
		}
		tableRow(&b, []string{"`" + string(f.Kind) + "`", keep(string(f.Kind), f.Lines), strings.Join(records, ", ")})
	}
	b.WriteString("\n")
	tableRow(&b, []string{"line", "in", "form", "what it holds"})
	b.WriteString(strings.Repeat("|---", 4) + "|\n")
	keys := map[string]int{}
	for _, m := range all {
		keys[m.key]++
	}
	slices.SortStableFunc(all, func(a, b meaning) int { return strings.Compare(a.key, b.key) })
	for _, m := range all {
		in := ""
		if keys[m.key] > 1 {
			in = strings.Join(holders[m], ", ")
		}
		tableRow(&b, []string{fmt.Sprintf("`%s`", m.key), in, m.form, m.says})
	}
	b.WriteString("\n")
	return b.String()
}
