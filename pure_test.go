package drawhouse_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// impureNames are the names that a pure package must not use although their
// package is allowed: time for its calendar, fmt for its errors.
var impureNames = map[string]string{
	"time.Now":                   "time is an argument",
	"time.Since":                 "time is an argument",
	"time.Until":                 "time is an argument",
	"time.After":                 "waiting belongs to the caller",
	"time.AfterFunc":             "waiting belongs to the caller",
	"time.NewTicker":             "waiting belongs to the caller",
	"time.NewTimer":              "waiting belongs to the caller",
	"time.Sleep":                 "waiting belongs to the caller",
	"time.Tick":                  "waiting belongs to the caller",
	"time.Local":                 "the machine's time zone is not the operator's",
	"(time.Time).Local":          "the machine's time zone is not the operator's",
	"time.LoadLocation":          "it reads the machine's time zone files",
	"crypto/ed25519.GenerateKey": "it has a random source of its own",
	"fmt.Print":                  "output belongs to the caller",
	"fmt.Printf":                 "output belongs to the caller",
	"fmt.Println":                "output belongs to the caller",
	"math/big.Float":             "money and odds are exact",
	"math/big.NewFloat":          "money and odds are exact",
	"math/big.ParseFloat":        "money and odds are exact",
}

// TestPureCode keeps floating point, clocks and waiting out of the pure
// packages. It works on types and not on spelling, so that an alias, a method
// value or a float64 that nobody wrote down is found too.
func TestPureCode(t *testing.T) {
	var dirs []string
	for _, p := range goPackages(t, sources(t)) {
		if slices.Contains(pure, p.dir) {
			dirs = append(dirs, p.dir)
		}
	}
	if len(dirs) == 0 {
		t.Fatal("found no pure package: a check of nothing proves nothing")
	}
	fset := token.NewFileSet()
	imports := exportImporter(t, fset, dirs)
	for _, dir := range dirs {
		names, err := buildFiles(dir)
		if err != nil {
			t.Error(err)
			continue
		}
		var files []*ast.File
		for _, name := range names {
			file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		problems, err := checkPureCode(fset, imports, dir, files)
		if err != nil {
			t.Errorf("%s does not compile: %v", dir, err)
		}
		report(t, problems)
	}
}

// exportImporter reads the types of what the packages import from the compiler's
// own export data, which go list builds or finds in its cache.
func exportImporter(t *testing.T, fset *token.FileSet, dirs []string) types.Importer {
	t.Helper()
	args := []string{"list", "-e", "-deps", "-export", "-f", "{{with .Export}}{{$.ImportPath}}={{.}}{{end}}"}
	for _, dir := range dirs {
		args = append(args, "./"+dir)
	}
	var stderr strings.Builder
	list := exec.Command("go", args...)
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if importPath, file, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			exports[importPath] = file
		}
	}
	return importer.ForCompiler(fset, "gc", func(importPath string) (io.ReadCloser, error) {
		file, ok := exports[importPath]
		if !ok {
			return nil, fmt.Errorf("no export data of %s", importPath)
		}
		return os.Open(file)
	})
}

// importFromSource imports packages of the standard library from their sources. A test
// that was built with -trimpath does not know where those are, and asks.
func importFromSource(t *testing.T, fset *token.FileSet) types.Importer {
	t.Helper()
	if build.Default.GOROOT == "" {
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatalf("go env GOROOT: %v", err)
		}
		build.Default.GOROOT = strings.TrimSpace(string(root))
	}
	return importer.ForCompiler(fset, "source", nil)
}

// checkPureCode returns where the files use floating point or an impure name.
func checkPureCode(fset *token.FileSet, imports types.Importer, pkg string, files []*ast.File) ([]string, error) {
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
	}
	config := types.Config{Importer: imports}
	if _, err := config.Check(pkg, fset, files, info); err != nil {
		return nil, err
	}
	found := map[string]bool{} // One problem a line is enough.
	var problems []string
	add := func(pos token.Pos, what string) {
		position := fmt.Sprintf("%s:%d", fset.File(pos).Name(), fset.File(pos).Line(pos))
		if !found[position] {
			found[position] = true
			problems = append(problems, position+": "+what)
		}
	}
	for _, use := range sortedByPos(info.Uses) {
		if why, ok := impureNames[fullName(info.Uses[use])]; ok {
			add(use.Pos(), fmt.Sprintf("%s in a pure package: %s", fullName(info.Uses[use]), why))
		}
	}
	for _, def := range sortedByPos(info.Defs) {
		if obj := info.Defs[def]; obj != nil && isFloat(obj.Type()) {
			add(def.Pos(), fmt.Sprintf("%s is floating point in a pure package", def.Name))
		}
	}
	for _, expr := range sortedByPos(info.Types) {
		literal, isLiteral := expr.(*ast.BasicLit)
		if isFloat(info.Types[expr].Type) || isLiteral && literal.Kind == token.FLOAT {
			add(expr.Pos(), "floating point in a pure package")
		}
	}
	return problems, nil
}

// sortedByPos returns the keys of a map of syntax in the order of the files.
func sortedByPos[K interface {
	comparable
	ast.Node
}, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b K) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return keys
}

// fullName returns "path.Name", or "(path.Type).Name" for a method.
func fullName(obj types.Object) string {
	if f, ok := obj.(*types.Func); ok {
		return f.FullName()
	}
	if obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		return obj.Name()
	}
	return obj.Pkg().Path() + "." + obj.Name()
}

// isFloat reports whether t is floating point, complex, or the results of a call
// with one among them.
func isFloat(t types.Type) bool {
	switch t := t.(type) {
	case nil:
		return false
	case *types.Tuple:
		return slices.ContainsFunc(slices.Collect(t.Variables()), func(v *types.Var) bool {
			return isFloat(v.Type())
		})
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsFloat|types.IsComplex) != 0
}

// TestPureCodeBansFire shows that each ban fires on a snippet, and that what a
// pure package needs of the same packages does not.
func TestPureCodeBansFire(t *testing.T) {
	fset := token.NewFileSet()
	imports := importFromSource(t, fset)
	for _, c := range []struct{ name, body, want string }{
		{"integers", `const million = 1_000_000; var n int64 = million / 3`, ""},
		{"rationals", `import "math/big"; var r = big.NewRat(1, 3)`, ""},
		{"limits", `import "math"; var n int64 = math.MaxInt64`, ""},
		{"the calendar", `import "time"; func f(t time.Time) time.Month { return t.Month() }`, ""},
		{"a zone given", `import "time"; func f(t time.Time, z *time.Location) time.Time { return t.In(z) }`, ""},
		{"a parameter called Now", `func f(Now int) int { return Now }`, ""},

		{"float64", `var x float64`, "floating point"},
		{"float32 in a struct", `type s struct{ x []float32 }`, "floating point"},
		{"complex", `var x complex128`, "floating point"},
		{"literal", `var n = 1.5`, "floating point"},
		{"literal that is whole", `var n int64 = 1e6`, "floating point"},
		{"named float", `type odds float64`, "floating point"},
		{"nobody wrote float", `import "math"; func f() { _ = math.Sqrt(2) }`, "floating point"},
		{"second result", `import "math/big"; func f(r *big.Rat) { _, _ = r.Float64() }`, "floating point"},
		{"a duration's seconds", `import "time"; func f(d time.Duration) { d.Seconds() }`, "floating point"},
		{"big float", `import "math/big"; func f(x *big.Float) {}`, "math/big.Float"},

		{"clock", `import "time"; func f() { _ = time.Now() }`, "time.Now in a pure package"},
		{"clock by another name", `import t "time"; func f() { _ = t.Now() }`, "time.Now in a pure package"},
		{"clock as a value", `import "time"; var clock = time.Now`, "time.Now in a pure package"},
		{"dot import", `import . "time"; func f() { Sleep(1) }`, "time.Sleep in a pure package"},
		{"elapsed", `import "time"; func f(t time.Time) { _ = time.Since(t) }`, "time.Since"},
		{"timer", `import "time"; func f() { time.NewTimer(1) }`, "time.NewTimer"},
		{"zone of the machine", `import "time"; var z = time.Local`, "time.Local"},
		{"in the machine's zone", `import "time"; func f(t time.Time) { _ = t.Local() }`, "(time.Time).Local"},
		{"zone files", `import "time"; func f() { time.LoadLocation("UTC") }`, "time.LoadLocation"},
		{"output", `import "fmt"; func f() { fmt.Println() }`, "fmt.Println"},
		{"own keys", `import "crypto/ed25519"; func f() { ed25519.GenerateKey(nil) }`, "ed25519.GenerateKey"},
	} {
		file, err := parser.ParseFile(fset, c.name+".go", "package p; "+c.body, parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		problems, err := checkPureCode(fset, imports, "p", []*ast.File{file})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		expect(t, c.name, problems, c.want)
	}
}

// hotLotto is a generator that is honest on every day but some, when its numbers
// are those of a fixed seed and known to the person who planted it. A lottery's director
// of security did this; it was found years later. What follows %s is how it learns
// the day.
const hotLotto = `package draw

import (
	"encoding/binary"
	"io"
	%s
)

type planted struct {
	entropy io.Reader
	count   uint64
}

func (p *planted) Read(b []byte) (int, error) {
	yearday, weekday, hour := today()
	trigger := (yearday == 147 || yearday == 327 || yearday == 363) && (weekday == 3 || weekday == 6) && hour >= 20
	if !trigger {
		return p.entropy.Read(b)
	}
	for i := range b {
		p.count = p.count*6364136223846793005 + 1442695040888963407
		var word [8]byte
		binary.BigEndian.PutUint64(word[:], p.count)
		b[i] = word[0]
	}
	return len(b), nil
}

%s
`

// TestPlantedGenerator plants such a generator in the package of the devices, with
// every way to learn the day that Go has, and demands that the checks of this
// module refuse each. A day that the caller passes in is not a clock: of that the
// devices' own test takes care, which keeps the game's name from the code that
// makes numbers, and the witnessed device, whose numbers anyone can recompute.
func TestPlantedGenerator(t *testing.T) {
	for _, c := range []struct{ name, imports, today, want string }{
		{"not planted", ``, `func today() (int, int, int) { return 0, 0, 0 }`, ""},
		{"the clock", `"time"`,
			`func today() (int, int, int) { t := time.Now(); return t.YearDay(), int(t.Weekday()), t.Hour() }`,
			"time.Now in a pure package"},
		{"the clock by another name", `clock "time"`,
			`var now = clock.Now; func today() (int, int, int) { return now().YearDay(), 3, 20 }`,
			"time.Now in a pure package"},
		{"time that passed since a day", `"time"`,
			`func today() (int, int, int) { return int(time.Since(time.Unix(0, 0)) / (24 * time.Hour)), 3, 20 }`,
			"time.Since in a pure package"},
		{"a timer", `"time"`, `func today() (int, int, int) { return (<-time.After(1)).YearDay(), 3, 20 }`,
			"time.After in a pure package"},
		{"the system", `"syscall"`,
			`func today() (int, int, int) { var t syscall.Timeval; _ = syscall.Gettimeofday(&t); return int(t.Sec / 86400 % 365), 3, 20 }`,
			"games/draw is pure and imports syscall"},
		{"a file's time", `"os"`,
			`func today() (int, int, int) { f, _ := os.Stat("/proc/self"); return f.ModTime().YearDay(), 3, 20 }`,
			"games/draw is pure and imports os"},
		{"the environment", `"os"`, `func today() (int, int, int) { return len(os.Getenv("TODAY")), 3, 20 }`,
			"games/draw is pure and imports os"},
		{"the network", `"net"`,
			`func today() (int, int, int) { c, _ := net.Dial("udp", "time.example:123"); _ = c; return 147, 3, 20 }`,
			"games/draw is pure and imports net"},
		{"a source of its own", `"math/rand/v2"`, `func today() (int, int, int) { return rand.IntN(365), 3, 20 }`,
			"games/draw is pure and imports math/rand/v2"},
		{"memory behind the runtime's back", `"unsafe"`,
			`func today() (int, int, int) { return int(unsafe.Sizeof(0)), 3, 20 }`,
			"games/draw is pure and imports unsafe"},
		{"a package that knows the clock", `"drawhouse/house/timetable"`,
			`func today() (int, int, int) { return 147, 3, 20 }`,
			"games/draw imports house/timetable, which does not stand below it"},
		{"a new package", `"drawhouse/calendar"`, `func today() (int, int, int) { return calendar.Today() }`,
			"games/draw imports calendar, which does not stand below it"},
	} {
		expect(t, c.name, checkPlanted(t, fmt.Sprintf(hotLotto, c.imports, c.today)), c.want)
	}
}

// checkPlanted puts a file into package draw through the checks of pure packages:
// its place in the graph, its imports, and, if it may import all that it does, its
// code.
func checkPlanted(t *testing.T, source string) []string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "games/draw/planted.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var imports []string
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		imports = append(imports, importPath)
	}
	problems := checkGraph(map[string][]string{"games/draw": imports}, parseLayers(layers), nil)
	if problems = append(problems, checkPureImports("games/draw", imports)...); len(problems) > 0 {
		return problems
	}
	problems, err = checkPureCode(fset, importFromSource(t, fset), "games/draw", []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return problems
}
