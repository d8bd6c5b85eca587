package drawhouse_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestNothingIsWrappedThatMayBeNil: an error that wraps nothing says "%!w(<nil>)" to people. Where a branch is taken
// for an error or for something else, the error is not wrapped by itself there.
func TestNothingIsWrappedThatMayBeNil(t *testing.T) {
	var faults []string
	files := 0
	for _, file := range sources(t) {
		if !file.isGo() || file.isTest() {
			continue
		}
		files++
		for _, line := range wrapsNil(t, file.name, file.data) {
			faults = append(faults, fmt.Sprintf("%s:%d wraps an error that may be nil", file.name, line))
		}
	}
	if files < 100 {
		t.Errorf("%d files were looked at", files)
	}
	report(t, faults)
}

// TestWrappedNilIsFound: what the test above looks for is found.
func TestWrappedNilIsFound(t *testing.T) {
	const text = `package p
func f() error {
	if err := g(); err != nil || n < 0 {
		return fmt.Errorf("a: %w", err)
	}
	if n < 0 || m < 0 || err != nil {
		return fmt.Errorf("b: %d: %w", n, err)
	}
	if err != nil || n < 0 {
		return fmt.Errorf("c: %w", errors.Join(err, errNone))
	}
	if err != nil && n < 0 {
		return fmt.Errorf("d: %w", err)
	}
	switch {
	case n < 0, err != nil:
		return fmt.Errorf("e: %w", err)
	case err != nil:
		return fmt.Errorf("f: %w", err)
	}
	return err
}`
	if lines := wrapsNil(t, "p.go", []byte(text)); !slices.Equal(lines, []int{4, 7, 17}) {
		t.Errorf("found lines %v", lines)
	}
}

// wrapsNil returns the lines on which an error is wrapped in a branch that is also taken without it.
func wrapsNil(t *testing.T, name string, data []byte) (lines []int) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, data, 0)
	if err != nil {
		t.Fatal(err)
	}
	within := func(body []ast.Stmt) {
		for _, stmt := range body {
			ast.Inspect(stmt, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && wrapsErr(call) {
					lines = append(lines, fset.Position(call.Pos()).Line)
				}
				return true
			})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if either := eitherOf(n.Cond); len(either) > 1 && slices.ContainsFunc(either, isErr) {
				within(n.Body.List)
			}
		case *ast.CaseClause:
			either := []ast.Expr{}
			for _, cond := range n.List {
				either = append(either, eitherOf(cond)...)
			}
			if len(either) > 1 && slices.ContainsFunc(either, isErr) {
				within(n.Body)
			}
		}
		return true
	})
	return lines
}

// eitherOf returns the conditions of which one is enough.
func eitherOf(cond ast.Expr) []ast.Expr {
	if both, ok := cond.(*ast.BinaryExpr); ok && both.Op == token.LOR {
		return append(eitherOf(both.X), eitherOf(both.Y)...)
	}
	return []ast.Expr{cond}
}

// isErr reports whether a condition is err != nil.
func isErr(cond ast.Expr) bool {
	c, ok := cond.(*ast.BinaryExpr)
	return ok && c.Op == token.NEQ && isIdent(c.X, "err") && isIdent(c.Y, "nil")
}

func isIdent(e ast.Expr, name string) bool {
	ident, ok := e.(*ast.Ident)
	return ok && ident.Name == name
}

// wrapsErr reports whether a call is fmt.Errorf with %w and err itself.
func wrapsErr(call *ast.CallExpr) bool {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || fun.Sel.Name != "Errorf" || len(call.Args) == 0 {
		return false
	}
	format, ok := call.Args[0].(*ast.BasicLit)
	return ok && strings.Contains(format.Value, "%w") &&
		slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return isIdent(arg, "err") })
}
