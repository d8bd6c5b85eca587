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

// unserved are the folders of which nothing runs in a house, a device or a witness.
var unserved = []string{"journal/store/storetest/", "cmd/drawhouse/bench/", "internal/"}

// uncontained are the goroutines that are started without package contain, and why.
var uncontained = map[string]string{
	"core/contain/contain.go: go":               "it is the helper",
	"receipt/printer/printer.go: AfterFunc":     "it sets a deadline, and does nothing else",
	"journal/store/postgres/wake.go: AfterFunc": "it ends a context, and does nothing else",
}

// TestGoroutinesAreContained: a panic on a goroutine ends the process, unless somebody on it
// recovers. So each is started by contain.Go, or by House.Go, which uses it and begins the
// work again.
func TestGoroutinesAreContained(t *testing.T) {
	var faults []string
	used, files := map[string]bool{}, 0
	for _, file := range sources(t) {
		if !strings.HasSuffix(file.name, ".go") || strings.HasSuffix(file.name, "_test.go") ||
			slices.ContainsFunc(unserved, func(dir string) bool { return strings.HasPrefix(file.name, dir) }) {
			continue
		}
		files++
		for _, found := range startsIn(t, file.name, file.data) {
			key := file.name + ": " + found.how
			if used[key] = true; uncontained[key] == "" {
				faults = append(faults,
					fmt.Sprintf("%s:%d starts a goroutine by %s, on which a panic ends the process: use contain.Go or House.Go",
						file.name, found.line, found.how))
			}
		}
	}
	for key := range uncontained {
		if !used[key] {
			faults = append(faults, fmt.Sprintf("%q is excepted, and is not there", key))
		}
	}
	if files < 100 {
		t.Errorf("%d files were looked at", files)
	}
	report(t, faults)
}

// TestGoroutinesAreFound: what the test above looks for is found.
func TestGoroutinesAreFound(t *testing.T) {
	const text = `package p
func f() {
	go f()
	wg.Go(f)
	time.AfterFunc(d, f)
	contain.Go("x", f, g)
	h.Go(ctx, part, "x", f)
	func() { go func() {}() }()
}`
	var how []string
	for _, found := range startsIn(t, "p.go", []byte(text)) {
		how = append(how, fmt.Sprintf("%d %s", found.line, found.how))
	}
	if want := []string{"3 go", "4 Go", "5 AfterFunc", "8 go"}; !slices.Equal(how, want) {
		t.Errorf("found %v, want %v", how, want)
	}
}

// startOf is where a goroutine is started.
type startOf struct {
	line int
	how  string
}

// startsIn returns where a file starts goroutines without the helper: by the statement, by
// the Go of a group, which takes the work alone, or by what calls when a time has come.
func startsIn(t *testing.T, name string, data []byte) (found []startOf) {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, data, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, startOf{set.Position(n.Pos()).Line, "go"})
		case *ast.CallExpr:
			called, ok := n.Fun.(*ast.SelectorExpr)
			if ok && (called.Sel.Name == "Go" && len(n.Args) == 1 || called.Sel.Name == "AfterFunc") {
				found = append(found, startOf{set.Position(n.Pos()).Line, called.Sel.Name})
			}
		}
		return true
	})
	return found
}
