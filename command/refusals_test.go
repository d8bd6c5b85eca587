package command_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"drawhouse/command"
)

// procedural are the functions of package hall that decide what a device draws, before it draws.
var procedural = map[string][]string{"CallBingo": {"hall.MayCall"}, "FinishBingo": {"hall.MayEnd", "hall.Settle"}}

// TestRefusals reads the packages command and hall: a row names every code with which what its
// command calls refuses.
func TestRefusals(t *testing.T) {
	graph := read(t, "command", ".")
	maps.Copy(graph, read(t, "hall", filepath.Join("..", "hall")))
	for _, row := range command.Rows() {
		name := row.New().Elem().Type().Name()
		want := map[string]bool{}
		graph.visit(map[string]bool{}, want, "command."+name+".Decide")
		for _, also := range procedural[name] {
			graph.visit(map[string]bool{}, want, also)
		}
		if len(want) == 0 {
			t.Errorf("%s is never refused: what its command calls is not found", row.Name)
		}
		for _, said := range row.Refused() {
			delete(want, said)
		}
		if missing := slices.Sorted(maps.Keys(want)); len(missing) > 0 {
			t.Errorf("%s is also refused with %s", row.Name, strings.Join(missing, " "))
		}
	}
}

// function is what a function calls, and the codes with which it refuses itself.
type function struct{ calls, codes map[string]bool }

// functions are those of packages, by package and name, and a Decide by its type besides.
type functions map[string]function

// visit adds the codes of a function and of all that it calls.
func (all functions) visit(seen, codes map[string]bool, name string) {
	if seen[name] {
		return
	}
	seen[name] = true
	maps.Copy(codes, all[name].codes)
	for callee := range all[name].calls {
		all.visit(seen, codes, callee)
	}
}

// read reads the functions of a package. Methods of one name count as one function, but for
// Decide.
func read(t *testing.T, pkg, dir string) functions {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	values, all := map[string]string{}, functions{}
	var declared []*ast.FuncDecl
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				declared = append(declared, d)
			case *ast.GenDecl:
				constants(d, values)
			}
		}
	}
	for _, f := range declared {
		name := pkg + "." + f.Name.Name
		if f.Recv != nil {
			name = pkg + ".method." + f.Name.Name
			if of, ok := f.Recv.List[0].Type.(*ast.Ident); ok && f.Name.Name == "Decide" {
				name = pkg + "." + of.Name + ".Decide"
			}
		}
		if _, ok := all[name]; !ok {
			all[name] = function{map[string]bool{}, map[string]bool{}}
		}
		if f.Body != nil {
			all[name].add(pkg, f.Body, values)
		}
	}
	return all
}

// constants takes down the texts that a declaration gives names.
func constants(d *ast.GenDecl, values map[string]string) {
	for _, s := range d.Specs {
		if v, ok := s.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if text, ok := v.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
				values[v.Names[0].Name], _ = strconv.Unquote(text.Value)
			}
		}
	}
}

// add adds what a body calls and refuses.
func (f function) add(pkg string, body *ast.BlockStmt, values map[string]string) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			f.calls[pkg+"."+fun.Name] = true
			if id, ok := call.Args, fun.Name == "refuse"; ok && len(id) > 0 {
				if code, ok := id[0].(*ast.Ident); ok && values[code.Name] != "" {
					f.codes[values[code.Name]] = true
				}
			}
		case *ast.SelectorExpr:
			f.calls[pkg+".method."+fun.Sel.Name] = true
			if of, ok := fun.X.(*ast.Ident); ok && of.Name == "hall" {
				f.calls["hall."+fun.Sel.Name] = true
			}
		}
		return true
	})
}
