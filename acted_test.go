package drawhouse_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"drawhouse/rulebook"
)

// notActedOn are the values of rulebooks on which nothing of the house acts, each with the reason why it is there
// all the same. Without a reason a value goes: it gets the tag retired.
var notActedOn = map[string]string{
	"Draw.Stands":    "a draw stands under every book; with it stands_clause is written, which refusals quote",
	"Jackpots.Least": "it bounds the parts that an edition may write, which the check of a file asks for",
}

// judging are the files of package rulebook that only judge or compare files: what they read of a value is no act.
var judging = []string{"validate", "diff", "cite", "canonical", "decode", "defaults", "domain"}

// TestEveryValueIsActedOn proves that code of the product reads every value that a rulebook can have. Package
// rulebook itself counts as far as others call it, and the check of a file does not.
func TestEveryValueIsActedOn(t *testing.T) {
	values, retired := map[string]bool{}, map[string]bool{}
	valuesOf(reflect.TypeFor[rulebook.File](), values, retired)
	read := readValues(t)
	for name := range retired {
		if read[name] {
			t.Errorf("%s is retired, and something reads it", name)
		}
	}
	for name := range values {
		switch why, excepted := notActedOn[name]; {
		case excepted && read[name]:
			t.Errorf("%s is acted on: notActedOn has it, %q", name, why)
		case !excepted && !read[name]:
			t.Errorf("nothing acts on %s: let something act on it, retire it, or say in notActedOn why it is there", name)
		}
	}
	for name := range notActedOn {
		if !values[name] {
			t.Errorf("notActedOn has %s, which is no value", name)
		}
	}
	if len(values) < 200 {
		t.Errorf("%d values were looked for: a check of nothing proves nothing", len(values))
	}
}

// valuesOf collects the values of a struct and of what it holds, as Type.Field. Where a value comes from is not one.
func valuesOf(t reflect.Type, into, retired map[string]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || !strings.HasSuffix(t.PkgPath(), "/rulebook") {
		return
	}
	for _, f := range reflect.VisibleFields(t) {
		name := t.Name() + "." + f.Name
		switch {
		case f.Anonymous || len(f.Index) > 1 || !f.IsExported() || into[name]:
			continue
		case f.Tag.Get("retired") != "":
			retired[name] = true
			continue
		}
		into[name] = true
		valuesOf(f.Type, into, retired)
	}
}

// readValues returns the fields of structs of package rulebook that code of the product selects.
func readValues(t *testing.T) map[string]bool {
	t.Helper()
	const own = "rulebook"
	var dirs []string
	for _, p := range goPackages(t, sources(t)) {
		if !strings.HasPrefix(p.dir, "internal/") && p.dir != "." {
			dirs = append(dirs, p.dir)
		}
	}
	fset := token.NewFileSet()
	imports := exportImporter(t, fset, dirs)
	read, calls := map[string]bool{}, map[string]bool{}
	bodies := map[string]*ast.BlockStmt{} // of the functions of package rulebook, by their names
	var ownInfo *types.Info
	for _, dir := range dirs {
		info := &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}, Uses: map[*ast.Ident]types.Object{},
			Defs: map[*ast.Ident]types.Object{}}
		files := checkedFiles(t, fset, imports, dir, info)
		if dir != own {
			for _, file := range files {
				collectReads(info, file, read, calls)
			}
			continue
		}
		ownInfo = info
		for _, file := range files {
			name := path.Base(fset.File(file.Pos()).Name())
			if slices.ContainsFunc(judging, func(j string) bool { return strings.HasPrefix(name, j) }) {
				continue
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
					bodies[fullName(info.Defs[f.Name])] = f.Body
				}
			}
		}
	}
	if ownInfo == nil {
		t.Fatal("package rulebook was not found")
	}
	for more := true; more; {
		more = false
		for name, body := range bodies {
			if calls[name] {
				delete(bodies, name)
				collectReads(ownInfo, body, read, calls)
				more = true
			}
		}
	}
	return read
}

// checkedFiles parses a package and checks its types, of which info takes notes.
func checkedFiles(t *testing.T, fset *token.FileSet, imports types.Importer, dir string, info *types.Info) []*ast.File {
	t.Helper()
	names, err := buildFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	config := types.Config{Importer: imports}
	if _, err := config.Check("drawhouse/"+dir, fset, files, info); err != nil {
		t.Fatalf("%s does not compile: %v", dir, err)
	}
	return files
}

// collectReads notes which fields of package rulebook a piece of code selects, and which of its functions it names.
func collectReads(info *types.Info, code ast.Node, read, calls map[string]bool) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if f, ok := info.Uses[n].(*types.Func); ok {
				calls[fullName(f.Origin())] = true
			}
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s != nil && s.Kind() == types.FieldVal {
				collectPath(s, read)
			}
		}
		return true
	})
}

// collectPath notes every field on the way of a selection, which may go through embedded structs.
func collectPath(s *types.Selection, read map[string]bool) {
	at := s.Recv()
	for _, i := range s.Index() {
		if p, ok := at.Underlying().(*types.Pointer); ok {
			at = p.Elem()
		}
		structure, ok := at.Underlying().(*types.Struct)
		if !ok {
			return
		}
		field := structure.Field(i)
		if named, ok := types.Unalias(at).(*types.Named); ok && named.Obj().Pkg() != nil &&
			named.Obj().Pkg().Path() == "drawhouse/rulebook" {
			read[named.Obj().Name()+"."+field.Name()] = true
		}
		at = field.Type()
	}
}
