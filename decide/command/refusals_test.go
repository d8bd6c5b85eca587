package command_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/games/keno"
)

// procedural are the functions of package hall that decide what a device draws, before it draws.
var procedural = map[string][]string{"CallBingo": {"hall.MayCall"}, "FinishBingo": {"hall.MayEnd", "hall.Settle"}}

// decide are the packages that decide, beside command.
var decide = []string{"hall", "game", "counter", "staff"}

// siblings are the folders of these packages.
func siblings() (folders []string) {
	for _, pkg := range decide {
		folders = append(folders, filepath.Join("..", pkg))
	}
	return folders
}

// packageOf returns the name of the package in a folder.
func packageOf(folder string) string {
	if folder == "." {
		return "command"
	}
	return filepath.Base(folder)
}

// TestRefusals reads the packages that decide: a row names every code with which what its command
// calls refuses.
func TestRefusals(t *testing.T) {
	graph := read(t, "command", ".")
	for _, folder := range siblings() {
		maps.Copy(graph, read(t, packageOf(folder), folder))
	}
	for _, row := range command.Rows() {
		said := row.New().Elem().Type()
		name, want := said.Name(), map[string]bool{}
		graph.visit(map[string]bool{}, want, path.Base(said.PkgPath())+"."+name+".Decide")
		for _, also := range procedural[name] {
			graph.visit(map[string]bool{}, want, also)
		}
		if len(want) == 0 {
			t.Errorf("%s is never refused: what its command calls is not found", row.Name)
		}
		for _, said := range append(row.Refused(), meanwhile(row)...) {
			delete(want, said)
		}
		if missing := slices.Sorted(maps.Keys(want)); len(missing) > 0 {
			t.Errorf("%s is also refused with %s", row.Name, strings.Join(missing, " "))
		}
	}
}

// meanwhile are codes that a row need not name: a house always has its series, a value that cannot
// be read is refused everywhere, and an act may be asked for while the house waits for something.
func meanwhile(row command.Row) (codes []string) {
	codes = []string{string(game.SeriesUnknown), string(keno.FieldValue)}
	if row.Two == "" {
		return codes
	}
	for _, code := range command.Passing() {
		codes = append(codes, string(code))
	}
	return codes
}

// asks are functions that ask others whether something would be refused, and refuse with a code of
// their own.
var asks = map[string]bool{"counter.CheckLowered": true}

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
	if asks[name] {
		return
	}
	for callee := range all[name].calls {
		all.visit(seen, codes, callee)
	}
}

// read reads the functions of a package. Methods of one name count as one function, but for
// Decide.
func read(t *testing.T, pkg, dir string) functions {
	t.Helper()
	values, all := codesOf(t), functions{}
	var declared []*ast.FuncDecl
	for _, file := range parsed(t, dir) {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				declared = append(declared, d)
			}
		}
	}
	for _, f := range declared {
		name := pkg + "." + f.Name.Name
		if f.Recv != nil {
			name = pkg + ".method." + f.Name.Name
			if of, ok := f.Recv.List[0].Type.(*ast.Ident); ok && strings.EqualFold(f.Name.Name, "Decide") {
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

// codesOf returns the texts that the packages give names, by package and name.
func codesOf(t *testing.T) map[string]string {
	t.Helper()
	values := map[string]string{}
	for _, folder := range append([]string{".", "../../games/keno", "../../games/jackpot"}, siblings()...) {
		pkg := packageOf(folder)
		for _, file := range parsed(t, folder) {
			for _, d := range file.Decls {
				if d, ok := d.(*ast.GenDecl); ok {
					constants(pkg, d, values)
				}
			}
		}
	}
	return values
}

// constants takes down the texts that a declaration gives names.
func constants(pkg string, d *ast.GenDecl, values map[string]string) {
	for _, s := range d.Specs {
		if v, ok := s.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if text, ok := v.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
				values[pkg+"."+v.Names[0].Name], _ = strconv.Unquote(text.Value)
			}
		}
	}
}

// parsed reads the sources of a package.
func parsed(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s has %d files: %v", dir, len(names), err)
	}
	for _, name := range names {
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
		files = append(files, file)
	}
	return files
}

// add adds what a body calls and refuses.
func (f function) add(pkg string, body *ast.BlockStmt, values map[string]string) {
	ast.Inspect(body, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Code" {
				f.refuses(pkg, pair.Value, values)
			}
		}
		// What package staff decides is said by a struct of it.
		if said, ok := n.(*ast.CompositeLit); ok {
			if of, ok := said.Type.(*ast.SelectorExpr); ok {
				f.calls[fmt.Sprintf("%s.%s.Decide", of.X, of.Sel.Name)] = true
			}
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			f.calls[pkg+"."+fun.Name] = true
			if fun.Name == "refuse" && len(call.Args) > 0 {
				f.refuses(pkg, call.Args[0], values)
			}
		case *ast.SelectorExpr:
			f.calls[pkg+".method."+fun.Sel.Name] = true
			if of, ok := fun.X.(*ast.Ident); ok && slices.Contains(decide, of.Name) {
				f.calls[of.Name+"."+fun.Sel.Name] = true
			}
		}
		return true
	})
}

// refuses adds a code that is written by its name.
func (f function) refuses(pkg string, code ast.Expr, values map[string]string) {
	name := ""
	switch code := code.(type) {
	case *ast.Ident:
		name = pkg + "." + code.Name
	case *ast.SelectorExpr:
		if of, ok := code.X.(*ast.Ident); ok {
			name = of.Name + "." + code.Sel.Name
		}
	}
	if text := values[name]; text != "" {
		f.codes[text] = true
	}
}
