package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/figure"
)

// tested is what a log says of a package.
type tested struct {
	passed, failed, skipped []string
	result                  string // ok, FAILED, no tests, or unfinished
}

// A testLog is what a log says of all packages.
type testLog map[string]*tested

func (l testLog) of(name string) *tested {
	if l[name] == nil {
		l[name] = &tested{result: unfinished}
	}
	return l[name]
}

// Results of packages.
const (
	testsOK     = "ok"
	testsFailed = "FAILED"
	noTests     = "no tests"
	unfinished  = "unfinished"
)

var (
	// packageLine is a line of go test for a package: ok, FAIL or ? with its name, and how long it took.
	packageLine = regexp.MustCompile(`^(ok  |FAIL|\?   )\t(\S+)(?:\s|$)`)
	testLine    = regexp.MustCompile(`^\s*--- (PASS|FAIL|SKIP): (\S+) \(`)
)

// event is a line of go test -json.
type event struct{ Action, Package, Test, Output string }

// readTests reads what go test printed, with -json or without. Lines of others are passed over.
func readTests(data []byte) (testLog, error) {
	log := testLog{}
	pending := new(tested) // tests of the package whose line comes next
	for line := range bytes.Lines(data) {
		if line = bytes.TrimRight(line, "\r\n"); bytes.HasPrefix(line, []byte(`{"`)) {
			var e event
			if err := json.Unmarshal(line, &e); err == nil && e.Package != "" {
				log.take(e)
				continue
			}
		}
		if m := testLine.FindSubmatch(line); m != nil {
			pending.add(string(m[1]), string(m[2]))
		} else if m := packageLine.FindSubmatch(line); m != nil {
			pending.result = map[string]string{"ok": testsOK, "FAIL": testsFailed, "?": noTests}[strings.TrimSpace(string(m[1]))]
			log[string(m[2])] = pending
			pending = new(tested)
		}
	}
	if len(log) == 0 {
		return nil, fmt.Errorf("it has no line of go test: give what `go test -json ./...` or `make test` printed")
	}
	return log, nil
}

// take takes an event.
func (l testLog) take(e event) {
	t := l.of(e.Package)
	word := map[string]string{"pass": "PASS", "fail": "FAIL", "skip": "SKIP"}[e.Action]
	switch {
	case word == "":
	case e.Test != "":
		t.add(word, e.Test)
	case word == "PASS":
		t.result = testsOK
	case word == "FAIL":
		t.result = testsFailed
	default:
		t.result = noTests
	}
}

func (t *tested) add(word, test string) {
	switch word {
	case "PASS":
		t.passed = append(t.passed, test)
	case "FAIL":
		t.failed = append(t.failed, test)
	case "SKIP":
		t.skipped = append(t.skipped, test)
	}
}

// testPart sums up the log of the tests, or says that there is none.
func (p *pack) testPart() error {
	if !p.given.Tests {
		p.fact("**Tests: not included.** No log was given when the pack was made.")
		return p.put("tests/README.md", []byte("# Tests\n\nNot included: no log of a test run was given when the pack was made "+
			"(`drawhouse lab-pack --tests FILE`, of `go test -json ./...` or `make test`).\n"))
	}
	data, err := readFile(p.dir, testsFile)
	if err != nil {
		return err
	}
	log, err := readTests(data)
	if err != nil {
		return fmt.Errorf("%s: %w", testsFile, err)
	}
	rows := [][]string{{"package", "result", "passed", "failed", "skipped"}}
	var page table
	var failed, skipped strings.Builder
	sums := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(log)) {
		t := log[name]
		sums[t.result]++
		rows = append(rows, []string{name, t.result, strconv.Itoa(len(t.passed)), strconv.Itoa(len(t.failed)),
			strconv.Itoa(len(t.skipped))})
		if t.result == testsFailed || t.result == unfinished || len(t.failed) > 0 {
			p.fail("tests: package %s: %s %s", name, t.result, strings.Join(t.failed, " "))
		}
		for _, test := range t.failed {
			fmt.Fprintf(&failed, "- %s %s\n", name, test)
		}
		for _, test := range t.skipped {
			fmt.Fprintf(&skipped, "- %s %s\n", name, test)
		}
	}
	fmt.Fprintf(&page, "# Tests\n\nSummed up from [given.log](given.log), which was given when the pack was made: the program did not run these tests "+
		"itself, and the log does not prove of which commit they are. A log without names of tests (`go test` without -v or -json) "+
		"has packages alone: its counts of tests are 0, but for those that fail.\n\n%s: %d ok, %d failed, %d without tests, %d unfinished.\n\n",
		figure.Count(len(log), "package"), sums[testsOK], sums[testsFailed], sums[noTests], sums[unfinished])
	page.head(rows[0]...)
	for _, row := range rows[1:] {
		page.row(row...)
	}
	fmt.Fprintf(&page, "\n## Failed\n\n%s\n## Skipped\n\n%s", or(failed.String(), "None.\n"), or(skipped.String(), "None that the log names.\n"))
	p.fact("Tests: %s of a log that was given, %d ok, %d failed, %d unfinished.", figure.Count(len(log), "package"), sums[testsOK],
		sums[testsFailed], sums[unfinished])
	if err := p.putCSV("tests/packages.csv", rows); err != nil {
		return err
	}
	return p.put("tests/README.md", []byte(page.String()))
}
