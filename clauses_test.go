package drawhouse_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"drawhouse/internal/directives"
	"drawhouse/internal/matrix"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

var rewrite = flag.Bool("rewrite", false, "write the generated docs anew; read the difference before you commit it")

// TestClausesAreJoined holds the clause indexes, the rulebooks, the //rule:
// directives and the case files against each other: whatever one says of a
// clause, the others must bear out.
func TestClausesAreJoined(t *testing.T) {
	all := readDirectives(t)
	for _, d := range all {
		if !slices.Contains(rules.IDs(), d.Rulebook) {
			t.Errorf("%s: %s cites rulebook %s, which does not exist", d.Package, d.Function, d.Rulebook)
		}
	}
	for _, id := range rules.IDs() {
		t.Run(id, func(t *testing.T) {
			index, err := rules.Clauses(id)
			if err != nil {
				t.Fatal(err)
			}
			join := clauseJoin{
				known:  map[string]rules.Clause{},
				byCode: map[string][]directives.Directive{},
				cases:  readCases(t, id),
			}
			for _, c := range index.Clauses {
				join.known[c.ID] = c
			}
			for _, d := range all {
				if d.Rulebook == id {
					join.byCode[d.Clause] = append(join.byCode[d.Clause], d)
				}
			}
			join.cites, join.readings = readCites(t, id)
			join.check(t, id, index)
		})
	}
}

// clauseJoin is what is said of the clauses of one rulebook, by who says it.
type clauseJoin struct {
	known    map[string]rules.Clause
	byCode   map[string][]directives.Directive
	cases    map[string]caseFile
	cites    map[string]bool // clauses that the rulebook's values cite
	readings map[string]bool // readings that the rulebook's values cite
}

func (j clauseJoin) check(t *testing.T, id string, index rules.Index) {
	for clause, ds := range j.byCode {
		if _, ok := j.known[clause]; !ok {
			t.Errorf("%s: %s cites clause %s, which the index does not have", ds[0].Package, ds[0].Function, clause)
		}
	}
	for clause := range j.cases {
		if _, ok := j.known[clause]; !ok {
			t.Errorf("case file %s.txt is for a clause that the index does not have", clause)
		}
	}
	for clause := range j.cites {
		if _, ok := j.known[clause]; !ok {
			t.Errorf("the rulebook cites clause %s, which the index does not have", clause)
		}
	}
	for _, c := range index.Clauses {
		j.checkClause(t, c)
	}
	readings, err := rules.ReadingsOf(id)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readings.Readings {
		delete(j.readings, r.ID)
		for _, clause := range r.Clauses {
			if _, ok := j.known[clause]; !ok {
				t.Errorf("reading %s is of clause %s, which the index does not have", r.ID, clause)
			}
		}
	}
	for reading := range j.readings {
		t.Errorf("the rulebook cites reading %s, which does not exist", reading)
	}
}

func (j clauseJoin) checkClause(t *testing.T, c rules.Clause) {
	inPackage := slices.ContainsFunc(j.byCode[c.ID],
		func(d directives.Directive) bool { return strings.HasSuffix("/"+d.Package, "/"+c.In) })
	file, hasCases := j.cases[c.ID]
	switch c.Is {
	case rules.Implemented:
		if !inPackage {
			t.Errorf("%s is implemented in %s, but no function there carries its directive", c.ID, c.In)
		}
		if !hasCases || file.lines == 0 {
			t.Errorf("%s is implemented without a case", c.ID)
		}
		if c.Threshold && !(file.tags["below"] && file.tags["at"] && file.tags["above"]) {
			t.Errorf("%s is a threshold without cases below, at and above it", c.ID)
		}
	case rules.Todo:
		if inPackage && hasCases {
			t.Errorf("%s is still todo, but package %s and a case file have it: say implemented", c.ID, c.In)
		}
	case rules.Data:
		if !j.cites[c.ID] {
			t.Errorf("%s is data, but no value of the rulebook cites it", c.ID)
		}
	}
	if c.Is != rules.Implemented && c.Is != rules.Todo && len(j.byCode[c.ID]) > 0 && c.Is != rules.Data {
		t.Errorf("%s is %s, but %s carries its directive", c.ID, c.Is, j.byCode[c.ID][0].Function)
	}
}

// readDirectives finds every //rule: line in the code of the module.
func readDirectives(t *testing.T) []directives.Directive {
	t.Helper()
	found, err := directives.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

type caseFile struct {
	lines int
	tags  map[string]bool
}

// readCases counts the lines and tags of a rulebook's case files; running them
// is the business of package rules' own test.
func readCases(t *testing.T, id string) map[string]caseFile {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("rulebook", "rules", id, "cases", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]caseFile{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cases := caseFile{tags: map[string]bool{}}
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			cases.lines++
			if tag, _, ok := strings.Cut(strings.TrimPrefix(line, "["), "]"); ok && line[0] == '[' {
				cases.tags[tag] = true
			}
		}
		found[strings.TrimSuffix(filepath.Base(file), ".txt")] = cases
	}
	return found
}

// readCites collects the clauses and readings that the values of a rulebook cite.
func readCites(t *testing.T, id string) (clauses, readings map[string]bool) {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	clauses, readings = map[string]bool{}, map[string]bool{}
	collectCites(reflect.ValueOf(book.File()), clauses, readings)
	return clauses, readings
}

func collectCites(v reflect.Value, clauses, readings map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			collectCites(v.Elem(), clauses, readings)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			collectCites(v.Index(i), clauses, readings)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			collectCites(v.MapIndex(key), clauses, readings)
		}
	case reflect.Struct:
		if cite, ok := reflect.TypeAssert[rulebook.Cite](v); ok {
			for clause := range strings.FieldsSeq(cite.Clause) {
				clauses[clause] = true
			}
			if cite.Reading != "" {
				readings[cite.Reading] = true
			}
			return
		}
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			// Clauses of single values stand in a field beside them.
			if strings.HasSuffix(field.Name, "Clause") && field.Type.Kind() == reflect.String {
				for clause := range strings.FieldsSeq(v.Field(i).String()) {
					clauses[clause] = true
				}
				continue
			}
			collectCites(v.Field(i), clauses, readings)
		}
	}
}

// TestRulesDocIsCurrent and TestReadingsDocIsCurrent hold the generated pages
// against the data they are made from.
func TestRulesDocIsCurrent(t *testing.T) {
	checkGenerated(t, "docs/RULES.md", rulesDoc(t, readDirectives(t)))
}

func TestReadingsDocIsCurrent(t *testing.T) {
	checkGenerated(t, "docs/READINGS.md", readingsDoc(t))
}

func checkGenerated(t *testing.T, file, want string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the data gives; write it with: go test . -run Doc -rewrite", file)
	}
}

func rulesDoc(t *testing.T, found []directives.Directive) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Every clause and what becomes of it\n\n")
	b.WriteString("Made from `rulebook/rules/*/clauses.yaml`, the values of the rulebooks, the `//rule:` directives and the case files by `go test . -run Doc -rewrite`. " +
		"A row names the paths of its values and, behind the word that says what it is, each record, command, question, screen, verb, refusal, report, role and account; " +
		"`TestSupportIsThere` looks all of them up. What a clause asks for and nobody has stands behind the words *not built*.\n\n")
	b.WriteString("| rulebook | clauses | implemented | data | procedure | definition | todo |\n|---|---:|---:|---:|---:|---:|---:|\n")
	var body strings.Builder
	for _, id := range rules.IDs() {
		m, err := matrix.Of(id, found)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&body, "\n## %s\n\n%s.\n\n| clause | says | is | where |\n|---|---|---|---|\n", id, m.Source)
		for _, row := range m.Rows {
			fmt.Fprintf(&body, "| %s | %s | %s | %s |\n", row.ID, matrix.Cell(row.Says), row.Is,
				row.Where("../rulebook/rules/"+id+"/book.yaml", "../"+row.Cases))
		}
		fmt.Fprintf(&b, "| [%s](#%s) | %d | %d | %d | %d | %d | %d |\n", id, id, len(m.Rows), m.Count(rules.Implemented),
			m.Count(rules.Data), m.Count(rules.Procedure), m.Count(rules.Definition), m.Count(rules.Todo))
	}
	return b.String() + body.String()
}

func readingsDoc(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Readings: what we decided where a text is silent or unclear\n\n")
	b.WriteString("Made from `rulebook/rules/*/readings.yaml` by `go test . -run Doc -rewrite`. Each can be challenged: name the reading and the clause.\n")
	for _, id := range rules.IDs() {
		readings, err := rules.ReadingsOf(id)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n## %s\n", id)
		for _, r := range readings.Readings {
			fmt.Fprintf(&b, "\n### %s\n\nClauses %s. **%s**\n\n%s *Why:* %s\n", r.ID, strings.Join(r.Clauses, ", "), r.Question,
				r.Reading, r.Why)
		}
	}
	return b.String()
}
