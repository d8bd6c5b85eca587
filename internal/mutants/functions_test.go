package mutants

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"drawhouse/internal/overlay"
)

// suite is tests that run the cases of a clause.
type suite struct{ pkg, tests string }

var (
	// inMemory plays cases through the engine, and has package verify check the journals.
	inMemory = suite{"rulebook/rules", "TestCases|TestScenarios|TestHalls"}
	// served plays them over the interface of a running house.
	served = suite{"edge/api", "TestScenarios"}
)

// suitesOf returns the tests that can reach a package.
func suitesOf(pkg string) []suite {
	for _, outer := range []string{"edge/", "house", "receipt", "books"} {
		if strings.HasPrefix(pkg, outer) {
			return []suite{inMemory, served}
		}
	}
	return []suite{inMemory}
}

// TestFunctions lets every function that names a clause do nothing, one by one, and has the cases of its
// clauses run: one must fail. It takes long, and runs where DRAWHOUSE_MUTANTS says "all", or names packages;
// with "all" it writes docs/MUTANTS.md.
func TestFunctions(t *testing.T) {
	which := os.Getenv("DRAWHOUSE_MUTANTS")
	if which == "" {
		t.Skip("DRAWHOUSE_MUTANTS says which packages")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	programs := overlay.New(root, t.TempDir())
	// The cases of a few clauses take seconds; without its function a loop may have no end.
	programs.Longest = 3 * time.Minute
	all, err := Functions(root, programs)
	if err != nil {
		t.Fatal(err)
	}
	if which != "all" {
		all = slices.DeleteFunc(all, func(f Function) bool { return !slices.Contains(strings.Split(which, ","), f.Package) })
	}
	for _, f := range all {
		for _, s := range suitesOf(f.Package) {
			if err := programs.Build(t.Context(), s.pkg); err != nil {
				t.Fatal(err)
			}
		}
	}
	results := make([]Result, len(all))
	work := make(chan int)
	var wait sync.WaitGroup
	for range max(1, runtime.GOMAXPROCS(0)/2) { // Each program plays its cases side by side.
		wait.Go(func() {
			for i := range work {
				results[i] = without(t, programs, all[i])
			}
		})
	}
	for i := range all {
		work <- i
	}
	close(work)
	wait.Wait()
	verdict := JudgeFunctions(results)
	for _, r := range verdict.Unjudged {
		t.Errorf("%s.%s does nothing, and no case fails; clauses %v", r.Group, r.What, r.Clauses)
	}
	if which != "all" {
		t.Log("\n" + verdict.Page)
		return
	}
	for _, j := range verdict.Unused {
		t.Errorf("a judgement is for nothing that survives: %v, %q", j.Where, j.Why)
	}
	const page = "../../docs/MUTANTS.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	written, err := PutSection(string(text), "Functions", verdict.Page)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte(written), 0o600); err != nil {
		t.Fatal(err)
	}
}

// without runs the cases of a function's clauses while it does nothing, and the tests of its package if no case fails.
func without(t *testing.T, programs *overlay.Programs, f Function) Result {
	r := Result{Group: f.Package, What: f.Name, Change: "does nothing", Outcome: Survived}
	for _, id := range slices.Sorted(maps.Keys(f.Clauses)) {
		for _, clause := range f.Clauses[id] {
			r.Clauses = append(r.Clauses, id+" "+clause)
		}
		for _, s := range suitesOf(f.Package) {
			if r.Outcome != Survived {
				break
			}
			out, err := programs.Run(t.Context(), s.pkg, f.Tests(s.tests, id), f.Switch)
			if err != nil {
				first, _, _ := bytes.Cut(out, []byte("\n"))
				r.Outcome, r.By = Killed, s.pkg+" "+string(first)
			}
		}
	}
	if r.Outcome == Survived && find(judgedFunctions, r) < 0 {
		// A program that was stopped has not said that a test fails.
		if out, err := ofPackage(t, programs, f.Package, f.Switch); err != nil && failed.Match(out) {
			r.Outcome, r.By = Elsewhere, f.Package
		}
	}
	t.Logf("%s %s: %s %s", r.Group, r.What,
		[]string{Killed: "killed", Elsewhere: "killed", Survived: "survived"}[r.Outcome], r.By)
	return r
}

// ofPackage runs the tests of a package with a switch turned. With all functions at work they must pass.
func ofPackage(t *testing.T, programs *overlay.Programs, pkg, turned string) ([]byte, error) {
	if err := programs.Build(t.Context(), pkg); err != nil {
		t.Error(err)
		return nil, nil
	}
	if _, known := sound.LoadOrStore(pkg, true); !known {
		if out, err := programs.Run(t.Context(), pkg, "", "", "-test.short"); err != nil && failed.Match(out) {
			t.Errorf("with all functions at work %s fails: %v\n%s", pkg, err, out)
		}
	}
	return programs.Run(t.Context(), pkg, "", turned, "-test.short")
}

// sound are the packages whose tests were run with all functions at work.
var sound sync.Map

var failed = regexp.MustCompile(`(?m)^(--- FAIL|panic:|fatal error:)`)

// TestDisabled: a source gets a switch in each function that names a clause, and is a source still.
func TestDisabled(t *testing.T) {
	found, woven, err := disabled("x/x.go", []byte(`package x

// plain names no clause.
func plain() int { return 1 }

// one has a result without a name.
//
//rule:a 1 2(b)
//rule:b 3
func one(a int) error { return further(a) }

//rule:a 4
func (s *set[T]) two() (int, error) {
	return 1, nil
}

//rule:a 5
func three() (n int, err error) { return 1, nil }

//rule:a 6
func four() { plain() }
`))
	if err != nil {
		t.Fatal(err)
	}
	const want = `package x

// plain names no clause.
func plain() int { return 1 }

// one has a result without a name.
//
//rule:a 1 2(b)
//rule:b 3
func one(a int) (mutant0 error) {
if unguardOff("x/x.go#one") { return }
 return further(a) }

//rule:a 4
func (s *set[T]) two() (mutant0 int, mutant1 error) {
if unguardOff("x/x.go#set.two") { return }

	return 1, nil
}

//rule:a 5
func three() (n int, err error) {
if unguardOff("x/x.go#three") { return }
 return 1, nil }

//rule:a 6
func four() {
if unguardOff("x/x.go#four") { return }
 plain() }
`
	if string(woven) != want {
		t.Errorf("the source is\n%s", woven)
	}
	if len(found) != 4 || found[0].Tests("A|B", "a") != `^(A|B)$/^a$/^(1|2\(b\))(:[0-9]+)?$` ||
		!slices.Equal(found[0].Clauses["b"], []string{"3"}) {
		t.Errorf("the functions are %+v", found)
	}
}

// TestJudgedFunctionsAreThere looks up the packages and functions that judgements name: each function names clauses,
// and so has a mutant.
func TestJudgedFunctionsAreThere(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Functions(root, overlay.New(root, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	word := regexp.MustCompile(`[\w/\\.]+`)
	for _, judged := range judgedFunctions {
		named := word.FindAllString(judged.Where.String(), -1)
		if len(named) < 2 {
			t.Errorf("%v names no function", judged.Where)
		}
		for _, name := range named {
			name = strings.ReplaceAll(name, `\.`, ".")
			if !slices.ContainsFunc(all, func(f Function) bool {
				return (name == f.Package || name == f.Name) && judged.Where.MatchString(f.Package+" "+f.Name)
			}) {
				t.Errorf("%v names %s, and no function there names a clause", judged.Where, name)
			}
		}
	}
}
