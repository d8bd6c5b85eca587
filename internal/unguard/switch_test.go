package unguard

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"drawhouse/internal/overlay"
)

// A guard is a place in a source that can be switched off.
type guard struct {
	line int
	what string // the source of the condition, call or case
}

// switched is a source in which every guard asks whether it is off, by its number from 1.
type switched struct {
	guards []guard
	source []byte
}

// switchable puts switches into a source: at conditions that lead to a refusal, at calls whose refusal is handed on,
// at the cases of kinds of records, and at what a record must have as two persons agreed on it.
func switchable(path string, source []byte) (*switched, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	w := &weaver{path: path, files: files, source: source}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && !slices.Contains(refusers, f.Name.Name) {
			w.function(f.Type, f.Body)
		}
	}
	return &switched{w.guards, w.edits.Woven(source)}, nil
}

type weaver struct {
	path   string
	files  *token.FileSet
	source []byte
	guards []guard
	edits  overlay.Edits
}

// nameOf returns what a guard is called in the switches.
func nameOf(path string, number int) string { return fmt.Sprintf("%s#%d", path, number) }

// name gives a place the name of its switch.
func (w *weaver) name(from, to token.Pos) string {
	at := w.files.Position(from)
	text := strings.Join(strings.Fields(string(w.source[at.Offset:w.files.Position(to).Offset])), " ")
	w.guards = append(w.guards, guard{at.Line, text})
	return nameOf(w.path, len(w.guards))
}

// around puts text before and behind a place.
func (w *weaver) around(from, to token.Pos, before, behind string) {
	w.edits.Around(w.files.Position(from).Offset, w.files.Position(to).Offset, before, behind)
}

// function puts switches into a function.
func (w *weaver) function(t *ast.FuncType, body *ast.BlockStmt) {
	errorAlone := t.Results != nil && len(t.Results.List) == 1 && isName(t.Results.List[0].Type, "error")
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			w.function(n.Type, n.Body)
			return false
		case *ast.IfStmt:
			if refuses(n.Body.List) {
				w.condition(n.Cond)
			}
		case *ast.SwitchStmt:
			if n.Tag == nil {
				w.cases(n)
			}
		case *ast.TypeSwitchStmt:
			w.kinds(n)
		case *ast.CallExpr:
			w.agreed(n)
		case *ast.ReturnStmt:
			if call, ok := handedOn(n); ok && errorAlone {
				w.around(call.Pos(), call.End(), fmt.Sprintf("unguardDrop(%q, ", w.name(call.Pos(), call.End())), ")")
			}
		}
		return true
	})
	if last, ok := body.List[len(body.List)-1].(*ast.ReturnStmt); ok && errorAlone && len(last.Results) == 1 &&
		isRefusal(last.Results[0]) {
		w.around(last.Results[0].Pos(), last.Results[0].End(),
			fmt.Sprintf("unguardDrop(%q, ", w.name(last.Results[0].Pos(), last.Results[0].End())), ")")
	}
}

// cases puts switches at the cases of a switch over conditions.
func (w *weaver) cases(n *ast.SwitchStmt) {
	for _, s := range n.Body.List {
		if c, ok := s.(*ast.CaseClause); ok && refuses(c.Body) {
			for _, cond := range c.List {
				w.condition(cond)
			}
		}
	}
}

// kinds puts switches at the cases of a switch over kinds of records that has no other case:
// what is off goes on behind the switch.
func (w *weaver) kinds(n *ast.TypeSwitchStmt) {
	for _, s := range n.Body.List {
		if c, ok := s.(*ast.CaseClause); ok && c.List == nil {
			return
		}
	}
	for _, s := range n.Body.List {
		if c, ok := s.(*ast.CaseClause); ok && len(c.Body) > 0 {
			name := w.name(c.List[0].Pos(), c.List[len(c.List)-1].End())
			w.around(c.Body[0].Pos(), c.Body[0].Pos(), fmt.Sprintf("if unguardOff(%q) { break }\n", name), "")
		}
	}
}

// agreed puts switches at each thing that must be as two persons have agreed.
func (w *weaver) agreed(n *ast.CallExpr) {
	if s, ok := n.Fun.(*ast.SelectorExpr); !ok || s.Sel.Name != "agreedAs" || len(n.Args) != 2 {
		return
	}
	if says, ok := n.Args[1].(*ast.FuncLit); ok && len(says.Body.List) == 1 {
		if r, ok := says.Body.List[0].(*ast.ReturnStmt); ok {
			w.both(r.Results[0])
		}
	}
}

// both puts a switch at each of several conditions of which all must hold.
func (w *weaver) both(e ast.Expr) {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LAND {
		w.both(b.X)
		w.both(b.Y)
		return
	}
	w.around(e.Pos(), e.End(), fmt.Sprintf("(unguardOff(%q) || (", w.name(e.Pos(), e.End())), "))")
}

// condition puts a switch at a condition, and one at each of those of which one is enough.
func (w *weaver) condition(e ast.Expr) {
	w.around(e.Pos(), e.End(), fmt.Sprintf("!unguardOff(%q) && (", w.name(e.Pos(), e.End())), ")")
	w.either(e)
}

func (w *weaver) either(e ast.Expr) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.LOR {
		return
	}
	for _, side := range []ast.Expr{b.X, b.Y} {
		if inner, ok := side.(*ast.BinaryExpr); ok && inner.Op == token.LOR {
			w.either(side)
			continue
		}
		w.around(side.Pos(), side.End(), fmt.Sprintf("!unguardOff(%q) && (", w.name(side.Pos(), side.End())), ")")
	}
}

// refuses reports whether statements end with a refusal.
func refuses(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	r, ok := list[len(list)-1].(*ast.ReturnStmt)
	if !ok || len(r.Results) == 0 {
		return false
	}
	last := r.Results[len(r.Results)-1]
	return isRefusal(last) || isName(last, "err")
}

// refusers are the functions that make a refusal.
var refusers = []string{"refuse", "fault", "hallFault", "offerFault"}

// isRefusal reports whether an expression makes a refusal.
func isRefusal(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		return s.Sel.Name == "Errorf"
	}
	id, ok := call.Fun.(*ast.Ident)
	return ok && slices.Contains(refusers, id.Name)
}

// handedOn returns the call whose refusal a function returns as its own.
func handedOn(r *ast.ReturnStmt) (*ast.CallExpr, bool) {
	if len(r.Results) != 1 || isRefusal(r.Results[0]) {
		return nil, false
	}
	call, ok := r.Results[0].(*ast.CallExpr)
	return call, ok
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// TestSwitches: a source gets a switch at every guard, and is a source still.
func TestSwitches(t *testing.T) {
	s, err := switchable("x/x.go", []byte(`package x

func check(a, b int, body any) error {
	if a > 1 || b > 1 && a > 0 {
		return refuse("too much")
	}
	if a == 7 {
		return nil
	}
	switch {
	case a == 2:
		return fault("two")
	case b == 3:
		a++
	}
	switch b := body.(type) {
	case int, uint:
		return further(b)
	}
	return refuse("nothing")
}

var row = plain.agreedAs("move", func(b int, a int) bool { return a == b && b > 1 })

func rows() { plain.agreedAs("move", func(b int, a int) bool { return a == b && b > 1 }) }
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range s.guards {
		got = append(got, fmt.Sprintf("%d %s", g.line, g.what))
	}
	want := []string{"4 a > 1 || b > 1 && a > 0", "4 a > 1", "4 b > 1 && a > 0", "11 a == 2", "17 int, uint",
		"18 further(b)", `20 refuse("nothing")`, "25 a == b", "25 b > 1"}
	if !slices.Equal(got, want) {
		t.Errorf("the guards are %q", got)
	}
	const woven = `package x

func check(a, b int, body any) error {
	if !unguardOff("x/x.go#1") && (!unguardOff("x/x.go#2") && (a > 1) || !unguardOff("x/x.go#3") && (b > 1 && a > 0)) {
		return refuse("too much")
	}
	if a == 7 {
		return nil
	}
	switch {
	case !unguardOff("x/x.go#4") && (a == 2):
		return fault("two")
	case b == 3:
		a++
	}
	switch b := body.(type) {
	case int, uint:
		if unguardOff("x/x.go#5") { break }
return unguardDrop("x/x.go#6", further(b))
	}
	return unguardDrop("x/x.go#7", refuse("nothing"))
}

var row = plain.agreedAs("move", func(b int, a int) bool { return a == b && b > 1 })

func rows() { plain.agreedAs("move", func(b int, a int) bool { return (unguardOff("x/x.go#8") || (a == b)) && (unguardOff("x/x.go#9") || (b > 1)) }) }
`
	if string(s.source) != woven {
		t.Errorf("the source is\n%s", s.source)
	}
}
