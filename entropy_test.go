package drawhouse_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// The packages between the random source of the standard library and the devices of
// package draw know the clock. What they may do with the source is to hand it on.
var handsEntropyOn = []string{"cmd/drawhouse", "cmd/drawhouse/bench", "house", "games/draw/remote"}

// TestEntropyIsHandedOn keeps a generator from being planted outside package draw,
// where the bans of pure packages do not reach: the command gives crypto/rand.Reader
// and nothing else, and nobody puts anything between it and the device.
func TestEntropyIsHandedOn(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range sources(t) {
		dir := f.name[:max(0, strings.LastIndex(f.name, "/"))]
		if !f.isGo() || f.isTest() || !slices.Contains(handsEntropyOn, dir) {
			continue
		}
		uses, problems := checkEntropy(f.name, f.data)
		report(t, problems)
		if uses > 0 {
			seen[dir] = true
		}
	}
	for _, dir := range handsEntropyOn {
		if !seen[dir] {
			t.Errorf("%s hands no entropy on: a check of nothing proves nothing", dir)
		}
	}
}

// checkEntropy returns how often a file hands entropy on, and where it does
// something else with it.
func checkEntropy(name string, data []byte) (uses int, problems []string) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, data, parser.SkipObjectResolution)
	if err != nil {
		return 0, []string{err.Error()}
	}
	standard := slices.ContainsFunc(file.Imports,
		func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"crypto/rand"` && spec.Name == nil })
	judge := func(value ast.Expr) {
		uses++
		text := types.ExprString(value)
		isField := strings.HasSuffix(text, ".Entropy") && !strings.ContainsAny(text, "()")
		isBuffer := text == "bufio.NewReaderSize(rand.Reader, 1 << 16)" // for laboratories, who want millions of draws
		if (text != "rand.Reader" && !isBuffer || !standard) && !isField {
			problems = append(problems, fmt.Sprintf("%s: the source of numbers is %s, and not crypto/rand.Reader as it is",
				fset.Position(value.Pos()), text))
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			for _, element := range n.Elts {
				pair, ok := element.(*ast.KeyValueExpr)
				// A command has bytes that were read, and not a source.
				if ok && types.ExprString(pair.Key) == "Entropy" && types.ExprString(n.Type) != "counter.Payment" {
					judge(pair.Value)
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if s, ok := left.(*ast.SelectorExpr); ok && s.Sel.Name == "Entropy" {
					judge(n.Rhs[min(i, len(n.Rhs)-1)])
				}
			}
		case *ast.CallExpr:
			if types.ExprString(n.Fun) == "draw.NewSource" && len(n.Args) > 0 {
				judge(n.Args[0])
			}
		}
		return true
	})
	return uses, problems
}

func TestEntropyCheckFires(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"given", `import "crypto/rand"; var c = Config{Entropy: rand.Reader}`, ""},
		{"handed on", `func f(c Config) { draw.NewSource(c.Entropy, c.starts...) }`, ""},
		{"a field of a field", `func f(d *Device) { draw.NewSource(d.config.Entropy) }`, ""},

		{"planted", `import "crypto/rand"; var c = Config{Entropy: planted{rand.Reader}}`, "planted{…}"},
		{"planted by a function", `import "crypto/rand"; var c = Config{Entropy: lucky(rand.Reader)}`, "lucky(rand.Reader)"},
		{"another rand", `import rand "math/rand"; var c = Config{Entropy: rand.Reader}`, "rand.Reader"},
		{"another package of the name", `import "example.org/rand"; var c = Config{Entropy: rand.Reader}`, "rand.Reader"},
		{"put in later", `func f(c *Config) { c.Entropy = onTuesdays }`, "onTuesdays"},
		{"a name for it", `func f(entropy io.Reader) { _ = Config{Entropy: entropy} }`, "is entropy"},
		{"put between", `func f(c Config) { draw.NewSource(wrap(c.Entropy)) }`, "wrap(c.Entropy)"},
		{"a method of the field's name", `func f(c Config) { draw.NewSource(lucky().Entropy) }`, "lucky().Entropy"},
	} {
		_, problems := checkEntropy(c.name+".go", []byte("package p; "+c.body))
		expect(t, c.name, problems, c.want)
	}
}
