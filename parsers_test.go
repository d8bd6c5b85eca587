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
	// parsesText finds functions that turn text into a value, by their names, and
	// parsesBytes those that do it with bytes. A function of the second kind that takes a
	// string takes the name of a file.
	parsesText  = regexp.MustCompile(`^(Parse|Decode|Split)`)
	parsesBytes = regexp.MustCompile(`^(Parse|Decode|Split|Read|Load|Open|From|Import|Verify)`)
)

// notFuzzed are functions of such names that need no fuzz target of their own, and why.
var notFuzzed = map[string]string{
	"draw.OpenCommitment": "a signature, and then ParseCommitment",
	"draw.OpenResult":     "a signature, and then ParseResult",
	"journal.OpenVolume":  "a signature, and then ParseVolume",
	"journal.OpenSeal":    "a signature, and then ParseSeal",
	"house.OpenKeys":      "the reader is a source of random bytes",
}

// TestEveryParserIsFuzzed looks for exported functions that read text or bytes and report
// errors, and for the fuzz targets of their packages: each must be called by one, or
// stand in the list above with the reason.
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
	total := 0
	for _, dir := range slices.Sorted(maps.Keys(parsers)) {
		for _, name := range parsers[dir] {
			total++
			if !strings.Contains(fuzzed[dir], name+"(") && notFuzzed[dir+"."+name] == "" {
				t.Errorf("%s.%s is called by no fuzz target of its package", dir, name)
			}
		}
	}
	if total < 40 {
		t.Errorf("only %d parsers were found", total)
	}
	t.Logf("%d parsers", total)
}

// parsersOf returns the exported functions of a file that are parsers.
func parsersOf(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Recv == nil && f.Name.IsExported() && returnsError(f.Type) && slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
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

func returnsError(f *ast.FuncType) bool {
	if f.Results == nil {
		return false
	}
	last := f.Results.List[len(f.Results.List)-1]
	return typeName(last.Type) == "error"
}

// typeName writes the types that matter here.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
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
