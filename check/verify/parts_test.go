package verify

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// parts are the parts of a checker by the names of their fields in it: the type, and the files that may
// touch what it holds.
var parts = map[string]struct{ of, files string }{
	"people": {"people", "people places hands consent acting approved attend keyed kindspeople"},
	"tills": {"tills",
		"till visit pay claim cheque debt erase exit machine origin payee sheet unclaimed withheld cancel " +
			"sale soldpaper handed byhand kindscounter"},
	"halls":       {"halls", "hall hallcards hallgame hallgrade hallmend halloffer hallsession kindshalls"},
	"books":       {"books", "books daybook"},
	"log":         {"theLog", "log verify volume earlier grader seal house"},
	"tickets":     {"tickets", "sold sale till claim pay sheet cancel promotion paidwinners"},
	"witnessing":  {"witnessing", "witness agreed"},
	"public":      {"publicLog", "publiclog publicentry publicfolder grader"},
	"corrections": {"corrections", "correct later settle"},
}

// reach lists the fields of parts that files of other parts touch.
func reach(fset *token.FileSet, files map[string]*ast.File) (found []string) {
	fields := map[string]map[string]bool{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if held, ok := spec.Type.(*ast.StructType); ok {
				fields[spec.Name.Name] = map[string]bool{}
				for _, f := range held.Fields.List {
					for _, name := range f.Names {
						fields[spec.Name.Name][name.Name] = true
					}
				}
			}
			return true
		})
	}
	for name, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			outer, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			inner, ok := outer.X.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			part, ok := parts[inner.Sel.Name]
			if ok && fields[part.of][outer.Sel.Name] && !slices.Contains(strings.Fields(part.files), name) {
				found = append(found, fset.Position(outer.Pos()).String()+": "+inner.Sel.Name+"."+outer.Sel.Name)
			}
			return true
		})
	}
	slices.Sort(found)
	return found
}

// TestPartsKeepTheirFields: the files of a part alone touch what the part holds.
func TestPartsKeepTheirFields(t *testing.T) {
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	fset, files := token.NewFileSet(), map[string]*ast.File{}
	for _, entry := range names {
		name, isGo := strings.CutSuffix(entry.Name(), ".go")
		if !isGo || strings.HasSuffix(name, "_test") {
			continue
		}
		if files[name], err = parser.ParseFile(fset, entry.Name(), nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	for part, held := range parts {
		for _, name := range strings.Fields(held.files) {
			if files[name] == nil {
				t.Errorf("%s names the file %s.go, which is not there", part, name)
			}
		}
	}
	for _, place := range reach(fset, files) {
		t.Errorf("%s is touched outside of its part", place)
	}
}

// TestReachIsSeen: the check above sees a file that reaches into a part, and lets methods pass.
func TestReachIsSeen(t *testing.T) {
	const source = `package verify
type people struct { persons map[uint32]bool }
func (p *people) known(id uint32) bool { return p.persons[id] }
func (c *checker) sees(id uint32) bool { return c.people.known(id) && c.people.persons[id] }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "game.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	if found := reach(fset, map[string]*ast.File{"game": file}); len(found) != 1 ||
		!strings.HasSuffix(found[0], "people.persons") {
		t.Errorf("found %q", found)
	}
	if found := reach(fset, map[string]*ast.File{"people": file}); len(found) != 0 {
		t.Errorf("a part may not touch its own fields: %q", found)
	}
}
