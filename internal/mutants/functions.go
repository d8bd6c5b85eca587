package mutants

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"drawhouse/internal/directives"
	"drawhouse/internal/overlay"
)

// Function is a function that names clauses, with the switch by which it does nothing.
type Function struct {
	Package string // folder
	Name    string // with its receiver
	Switch  string
	Clauses map[string][]string // by rulebook
}

// Functions puts a switch into every function below root that names clauses, and gives the sources to
// programs. A function whose switch is turned returns at once, with the zero value of each result.
func Functions(root string, programs *overlay.Programs) ([]Function, error) {
	named, err := directives.Read(root)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, d := range named {
		if !slices.Contains(files, d.File) {
			files = append(files, d.File)
		}
	}
	var all []Function
	for _, file := range files {
		source, err := os.ReadFile(filepath.Join(root, file)) //nolint:gosec // A file of the module.
		if err != nil {
			return nil, err
		}
		found, woven, err := disabled(file, source)
		if err != nil {
			return nil, err
		}
		if err := programs.Replace(file, woven); err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// disabled puts switches into a source.
func disabled(file string, source []byte) ([]Function, []byte, error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	var found []Function
	var edits overlay.Edits
	put := func(at token.Pos, text string) {
		offset := files.Position(at).Offset
		edits.Around(offset, offset, text, "")
	}
	for _, decl := range parsed.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		clauses := map[string][]string{}
		for _, d := range directives.Of(decl) {
			clauses[d.Rulebook] = append(clauses[d.Rulebook], d.Clause)
		}
		if len(clauses) == 0 {
			continue
		}
		name := f.Name.Name
		if f.Recv != nil {
			name = receiver(f.Recv.List[0].Type) + "." + name
		}
		turned := fmt.Sprintf("%s#%s", file, name)
		nameResults(f.Type.Results, put)
		put(f.Body.Lbrace+1, fmt.Sprintf("\nif unguardOff(%q) { return }\n", turned))
		found = append(found, Function{Package: path.Dir(file), Name: name, Switch: turned, Clauses: clauses})
	}
	return found, edits.Woven(source), nil
}

// nameResults gives names to results that have none, so that a bare return gives their zero values.
func nameResults(results *ast.FieldList, put func(token.Pos, string)) {
	if results == nil || len(results.List) == 0 || len(results.List[0].Names) > 0 {
		return
	}
	if !results.Opening.IsValid() {
		put(results.List[0].Pos(), "(mutant0 ")
		put(results.List[0].End(), ")")
		return
	}
	for i, r := range results.List {
		put(r.Pos(), fmt.Sprintf("mutant%d ", i))
	}
}

// receiver returns the name of the type of a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// Tests returns the pattern that chooses the cases of the function's clauses under a rulebook among some tests.
func (f Function) Tests(tests, rulebook string) string {
	quoted := make([]string, len(f.Clauses[rulebook]))
	for i, clause := range f.Clauses[rulebook] {
		quoted[i] = regexp.QuoteMeta(clause)
	}
	return fmt.Sprintf("^(%s)$/^%s$/^(%s)(:[0-9]+)?$", tests, regexp.QuoteMeta(rulebook), strings.Join(quoted, "|"))
}
