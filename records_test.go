package drawhouse_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestRecordsDocIsCurrent holds the page of accounts and records against the sources
// of ledger and record, which it is made from: anybody who reads a journal without this
// program reads it by that page.
func TestRecordsDocIsCurrent(t *testing.T) {
	checkGenerated(t, "docs/RECORDS.md", recordsDoc(t))
	checkGenerated(t, "edge/web/assets/inspector/kinds.js", kindsModule(t))
}

// kindsModule makes the same tables for the inspector's page, which decodes records by
// itself: a house that decoded them for it could say anything.
func kindsModule(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("// What records hold, field by field. Made from the sources of ledger and record by\n// go test . -run Doc -rewrite, beside docs/RECORDS.md.\n")
	l := declarationsOf(t, "core/ledger")
	numbers := l.numbered("Account")
	b.WriteString("export const accounts = {\n")
	for _, line := range l.values["chart"].Elts {
		elements := line.(*ast.CompositeLit).Elts
		fmt.Fprintf(&b, "  %d: %s,\n", numbers[elements[0].(*ast.Ident).Name], strconv.Quote(unquoted(elements[1])))
	}
	d := declarationsOf(t, "journal/record")
	rows := kindsOf(t, d)
	parts := map[string]bool{}
	b.WriteString("};\n\nexport const kinds = {\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "  %d: [%s, %s],\n", row.number, strconv.Quote(row.name), strconv.Quote(d.fields(row.body, parts)))
	}
	b.WriteString("};\n\nexport const parts = {\n")
	for _, part := range d.allParts(parts) {
		fmt.Fprintf(&b, "  %s: %s,\n", strconv.Quote(spokenName(part)), strconv.Quote(d.fields(part, parts)))
	}
	b.WriteString("};\n")
	return b.String()
}

// recordsDoc makes the page.
func recordsDoc(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Accounts and records\n\n")
	b.WriteString("Made from the sources of [ledger](../core/ledger) and [record](../journal/record) by `go test . -run Doc -rewrite`. How records are encoded and joined, and\nwhat is easily misread, is in [INSPECTOR.md](INSPECTOR.md#records).\n")
	writeAccounts(t, &b)
	writeKinds(t, &b)
	return b.String()
}

// declarations are those of a package, without its tests.
type declarations struct {
	consts []*ast.ValueSpec // in their order, comments on the first of a group only
	values map[string]*ast.CompositeLit
	types  map[string]ast.Expr
}

func declarationsOf(t *testing.T, folder string) declarations {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	d := declarations{values: map[string]*ast.CompositeLit{}, types: map[string]ast.Expr{}}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if general, ok := decl.(*ast.GenDecl); ok {
				d.add(general)
			}
		}
	}
	return d
}

func (d *declarations) add(general *ast.GenDecl) {
	for _, spec := range general.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			d.types[s.Name.Name] = s.Type
		case *ast.ValueSpec:
			if general.Tok == token.CONST {
				d.consts = append(d.consts, s)
			} else if len(s.Values) == 1 {
				if literal, ok := s.Values[0].(*ast.CompositeLit); ok {
					d.values[s.Names[0].Name] = literal
				}
			}
		}
	}
}

// numbered returns the constants of a type with their numbers.
func (d *declarations) numbered(typeName string) map[string]int {
	numbers := map[string]int{}
	for _, c := range d.consts {
		named, ok := c.Type.(*ast.Ident)
		if !ok || named.Name != typeName || len(c.Values) != 1 {
			continue
		}
		if literal, ok := c.Values[0].(*ast.BasicLit); ok {
			numbers[c.Names[0].Name], _ = strconv.Atoi(literal.Value)
		}
	}
	return numbers
}

// writeAccounts writes the chart. Accounts that share a comment share a row.
func writeAccounts(t *testing.T, b *strings.Builder) {
	t.Helper()
	d := declarationsOf(t, "core/ledger")
	numbers := d.numbered("Account")
	names, kept, classed := map[string]string{}, map[string]string{}, map[string]string{}
	for _, line := range d.values["chart"].Elts {
		elements := line.(*ast.CompositeLit).Elts
		constant := elements[0].(*ast.Ident).Name
		names[constant] = unquoted(elements[1])
		kept[constant] = spokenName(strings.TrimPrefix(elements[2].(*ast.Ident).Name, "by"))
		classed[constant] = unquoted(elements[4]) + " " + spokenName(elements[3].(*ast.Ident).Name)
	}
	if len(names) != len(numbers) || len(names) == 0 {
		t.Fatalf("%d accounts are in the chart, and %d have a number", len(names), len(numbers))
	}
	b.WriteString("\n## Accounts\n\nThe code is that of exports for the ledger of the firm, where its mapping has no other ([ACCOUNTS.md](ACCOUNTS.md#the-ledger-of-the-firm)).\n\n")
	b.WriteString("| account | code and class | kept for each | holds |\n|---|---|---|---|\n")
	var row, says string
	var units, codes []string
	flush := func() {
		if row != "" {
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", row, strings.Join(codes, ", "),
				strings.Join(slices.Compact(units), ", "), says)
		}
	}
	for _, c := range d.consts {
		constant := c.Names[0].Name
		if names[constant] == "" {
			continue
		}
		if c.Doc != nil {
			flush()
			row, units, codes, says = "", nil, nil, spoken(c.Doc.Text(), names)
		}
		codes = append(codes, classed[constant])
		row = strings.TrimPrefix(row+fmt.Sprintf(", %d `%s`", numbers[constant], names[constant]), ", ")
		if unit := kept[constant]; unit != "whole" {
			units = append(units, unit)
		}
	}
	flush()
}

// spoken puts the names of accounts in place of those of constants.
func spoken(comment string, names map[string]string) string {
	words := strings.Fields(comment)
	for i, word := range words {
		if name, ok := names[strings.TrimRight(word, ",.:")]; ok {
			words[i] = "`" + name + "`" + word[len(strings.TrimRight(word, ",.:")):]
		}
	}
	return strings.Join(words, " ")
}

// A kindRow is a kind of record.
type kindRow struct {
	number, version   int
	name, body, shown string
}

// kindsOf returns every kind, by number. Each constant has a row.
func kindsOf(t *testing.T, d declarations) []kindRow {
	t.Helper()
	var rows []kindRow
	for _, kind := range record.Kinds() {
		body := reflect.TypeOf(record.Empty(kind)).Elem()
		rows = append(rows, kindRow{int(kind), int(record.Version(kind)), kind.String(), body.Name(), shownIn(kind)})
	}
	if numbers := d.numbered("Kind"); len(rows) != len(numbers) {
		t.Fatalf("%d kinds have a row, and %d a number", len(rows), len(numbers))
	}
	return rows
}

// shownIn says where records of a kind are shown, beside the journal itself.
func shownIn(kind record.Kind) string {
	var where []string
	for _, w := range []struct {
		is   bool
		name string
	}{{kind.Public(), "feed"}, {kind.InStories(), "stories"}, {kind.Unusual(), "events"}} {
		if w.is {
			where = append(where, w.name)
		}
	}
	return strings.Join(where, ", ")
}

// writeKinds writes every kind with its body, and after them the arrays of which
// bodies are made.
func writeKinds(t *testing.T, b *strings.Builder) {
	t.Helper()
	d := declarationsOf(t, "journal/record")
	b.WriteString("\n## Kinds of records\n\nThe body of a record is an array of the fields, in their order. Inspectors read all records. Beside the journal a record is shown in\nthe public feed, in the stories of the tickets of its game, or among the events in the book of the day.\n\n| kind | version | shown in | body |\n|---|---|---|---|\n")
	parts := map[string]bool{}
	for _, row := range kindsOf(t, d) {
		fmt.Fprintf(b, "| %d %s | %d | %s | %s |\n", row.number, row.name, row.version, row.shown, d.fields(row.body, parts))
	}
	b.WriteString("\n## Parts of bodies\n\nThese are arrays of their fields too.\n\n| part | fields |\n|---|---|\n")
	for _, part := range d.allParts(parts) {
		fmt.Fprintf(b, "| %s | %s |\n", spokenName(part), d.fields(part, parts))
	}
	writeMeanings(b, d)
}

// allParts returns some parts and those that they are made of, sorted.
func (d *declarations) allParts(parts map[string]bool) []string {
	for done := map[string]bool{}; len(done) < len(parts); {
		for _, part := range sortedKeys(parts) {
			if !done[part] {
				done[part] = true
				d.fields(part, parts)
			}
		}
	}
	return sortedKeys(parts)
}

func sortedKeys[V any](set map[string]V) []string {
	var keys []string
	for key := range set {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// fields lists the fields of a struct with what they hold, and notes the structs
// among them.
func (d *declarations) fields(name string, parts map[string]bool) string {
	var list []string
	for _, field := range d.structOf(name).Fields.List {
		for _, n := range field.Names {
			if n.Name != "_" {
				list = append(list, fmt.Sprintf("%s: %s", spokenName(n.Name), d.held(field.Type, parts)))
			}
		}
	}
	return strings.Join(list, "; ")
}

// structOf returns a struct type, or nil.
func (d *declarations) structOf(name string) *ast.StructType {
	structure, _ := d.types[name].(*ast.StructType)
	return structure
}

// held says what a field of a type holds.
func (d *declarations) held(expr ast.Expr, parts map[string]bool) string {
	switch e := expr.(type) {
	case *ast.ArrayType:
		if element, ok := e.Elt.(*ast.Ident); ok && (element.Name == "byte" || element.Name == "uint8") {
			return "bytes"
		}
		return "list of " + d.held(e.Elt, parts)
	case *ast.StarExpr:
		return d.held(e.X, parts) + " or nothing"
	case *ast.SelectorExpr:
		switch e.Sel.Name {
		case "Amount":
			return "cents"
		case "RawMessage":
			return "array"
		}
		return strings.ToLower(e.Sel.Name)
	case *ast.Ident:
		switch e.Name {
		case "uint8", "uint16", "uint32", "uint64", "int32", "int64":
			return "number"
		case "string":
			return "text"
		case "bool":
			return "truth"
		case "Hash":
			return "32 bytes"
		case "Time":
			return "milliseconds"
		case "Exact":
			return "ten-thousandths of a cent"
		}
		if d.structOf(e.Name) == nil && d.types[e.Name] != nil {
			return d.held(d.types[e.Name], parts)
		}
		parts[e.Name] = true
		return spokenName(e.Name)
	}
	return fmt.Sprintf("%T", expr)
}

// spokenName splits a Go name into words.
func spokenName(name string) string {
	var b strings.Builder
	for i, r := range name {
		upper := r >= 'A' && r <= 'Z'
		if upper && i > 0 && (name[i-1] < 'A' || name[i-1] > 'Z') {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}

func unquoted(expr ast.Expr) string {
	text, err := strconv.Unquote(expr.(*ast.BasicLit).Value)
	if err != nil {
		panic(err)
	}
	return text
}
