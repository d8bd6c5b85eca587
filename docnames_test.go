package drawhouse_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// namedTest finds the name of a test in a document, with its package's folder if that
	// is given: `house.TestPowerCut`, `TestAccess`.
	namedTest = regexp.MustCompile("`(?:go test [^`]*-run '?)?(?:([a-z][a-z/]*)\\.)?((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9_]*)")
	// declaredTest finds the tests of a file.
	declaredTest = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9_]*)\(`)
)

// TestDocumentsNameTests looks for every test that a document names: a promise whose proof
// has gone is not kept by anybody.
func TestDocumentsNameTests(t *testing.T) {
	declared := map[string]bool{} // "folder.Test", also without the folders above it, and "Test"
	for _, f := range sources(t) {
		if !strings.HasSuffix(f.name, "_test.go") {
			continue
		}
		for _, match := range declaredTest.FindAllStringSubmatch(string(f.data), -1) {
			declared[match[1]] = true
			folder := filepath.ToSlash(filepath.Dir(f.name))
			for named := true; named; _, folder, named = strings.Cut(folder, "/") {
				declared[folder+"."+match[1]] = true
			}
		}
	}
	named := 0
	for _, f := range sources(t) {
		if strings.HasSuffix(f.name, ".md") && !f.isTestdata() {
			problems, n := checkNamedTests(f, declared)
			report(t, problems)
			named += n
		}
	}
	if named < 50 {
		t.Errorf("documents name only %d tests", named)
	}
}

// checkNamedTests returns the tests that a document names and nobody has written, and how
// many it names.
func checkNamedTests(f source, declared map[string]bool) (problems []string, named int) {
	number := 0
	for line := range strings.Lines(string(f.data)) {
		number++
		for _, match := range namedTest.FindAllStringSubmatch(line, -1) {
			name := match[2]
			if match[1] != "" {
				name = match[1] + "." + name
			}
			named++
			if !declared[name] {
				problems = append(problems, fmt.Sprintf("%s:%d: there is no test %s", f.name, number, name))
			}
		}
	}
	return problems, named
}

// TestCheckNamedTests feeds the check with documents.
func TestCheckNamedTests(t *testing.T) {
	declared := map[string]bool{"TestKept": true, "house.TestKept": true}
	for text, want := range map[string]string{
		"see `house.TestKept` and `TestKept`":       "",
		"`house.TestGone`":                          "A.md:1: there is no test house.TestGone",
		"\n`TestGone`":                              "A.md:2: there is no test TestGone",
		"`go test ./journal/lane -run TestGone -v`": "A.md:1: there is no test TestGone",
		"`lane.TestKept`":                           "A.md:1: there is no test lane.TestKept",
		"Testing and Test alone are words, `Test`.": "",
	} {
		problems, _ := checkNamedTests(source{name: "A.md", data: []byte(text)}, declared)
		if got := strings.Join(problems, ""); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
