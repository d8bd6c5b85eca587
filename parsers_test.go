package drawhouse_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// parsesText finds functions and methods that turn text into a value, by their names,
	// and parsesBytes those that do it with bytes. A function of the second kind that
	// takes a string takes the name of a file.
	parsesText  = regexp.MustCompile(`^(Parse|Decode|Split)`)
	parsesBytes = regexp.MustCompile(`^(Parse|Decode|Split|Read|Load|Open|From|Import|Verify|Check|Judge|Unmarshal)`)
)

// notFuzzed are functions of such names that need no fuzz target of their own, and why.
var notFuzzed = map[string]string{
	"api.UnmarshalJSON":      "that of json.RawMessage",
	"counter.ReadTickets":    "what handover.Read reads",
	"draw.OpenCommitment":    "a signature, and then ParseCommitment",
	"draw.OpenResult":        "a signature, and then ParseResult",
	"draw.OpenSeal":          "a signature, and then ParseSeal",
	"hall.Load":              "a table of cards, whose form package bingo reads and fuzzes",
	"house.OpenKeys":         "the reader is a source of random bytes",
	"journal.OpenSeal":       "a signature, and then ParseSeal",
	"journal.OpenVolume":     "a signature, and then ParseVolume",
	"live.UnmarshalText":     "ParseID",
	"person.Import":          "what CheckExport reads",
	"rulebook.UnmarshalText": "Load reads every one of them",
	"serial.UnmarshalText":   "Parse and ParseSuccessor",
	"witness.Judge":          "ParseRequest, and then signatures and hashes",
}

// TestEveryParserIsFuzzed looks for exported functions and methods that read text or bytes
// and report what is wrong, and for the fuzz targets of their packages: each must be called
// by one, or stand in the list above with the reason.
func TestEveryParserIsFuzzed(t *testing.T) {
	parsers, fuzzed := map[string][]string{}, map[string]string{}
	for _, f := range sources(t) {
		if !f.isGo() || f.isTestdata() {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.name, f.data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := path.Dir(f.name)
		if f.isTest() {
			fuzzed[dir] += fuzzBodies(file, f.data)
			continue
		}
		parsers[dir] = append(parsers[dir], parsersOf(file)...)
	}
	total, excused := 0, maps.Clone(notFuzzed)
	for _, dir := range slices.Sorted(maps.Keys(parsers)) {
		for _, name := range parsers[dir] {
			total++
			if !strings.Contains(fuzzed[dir], name+"(") && notFuzzed[path.Base(dir)+"."+name] == "" {
				t.Errorf("%s.%s is called by no fuzz target of its package", dir, name)
			}
			delete(excused, path.Base(dir)+"."+name)
		}
	}
	for name := range excused {
		t.Errorf("%s needs no excuse: there is no such parser", name)
	}
	if total < 60 {
		t.Errorf("only %d parsers were found", total)
	}
	t.Logf("%d parsers", total)
}

// parsersOf returns the exported functions and methods of a file that are parsers.
func parsersOf(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Name.IsExported() && returnsFault(f.Type) && !isReader(f) &&
			slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
				switch typeName(p.Type) {
				case "string":
					return parsesText.MatchString(f.Name.Name)
				case "[]byte", "io.Reader", "json.RawMessage", "cbor.RawMessage":
					return parsesBytes.MatchString(f.Name.Name)
				}
				return false
			}) {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// returnsFault reports whether a function says what is wrong, as an error or as a report.
func returnsFault(f *ast.FuncType) bool {
	if f.Results == nil {
		return false
	}
	last := f.Results.List[len(f.Results.List)-1]
	return slices.Contains([]string{"error", "*Report"}, typeName(last.Type))
}

// isReader reports whether a method is that of io.Reader, which fills the bytes that it is
// given.
func isReader(f *ast.FuncDecl) bool {
	return f.Recv != nil && f.Name.Name == "Read" && typeName(f.Type.Results.List[0].Type) == "int"
}

// typeName writes the types that matter here.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return "*" + typeName(e.X)
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + typeName(e.Elt)
		}
	}
	return fmt.Sprintf("%T", e)
}

// fuzzBodies returns the text of a file's fuzz targets.
func fuzzBodies(file *ast.File, data []byte) string {
	var b strings.Builder
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Fuzz") {
			b.Write(data[f.Pos()-file.FileStart : f.End()-file.FileStart])
		}
	}
	return b.String()
}
