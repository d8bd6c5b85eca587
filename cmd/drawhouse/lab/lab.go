// Package lab makes what a test laboratory or a regulator is given: a folder with the program's identity, every
// clause with its cases and their results, exact odds, evidence of the random numbers, a verified journal, tests and
// documents, under one list of hashes that can be signed.
//
// A pack has two kinds of files. What was given (random bytes, an export, the log of tests, what programs there are)
// is written once and named in given.json. Everything else is derived from that and from what the program carries, so
// that [Check] derives it again and compares. The same things given to the same program make the same bytes: no file
// has a time at which it was made.
package lab

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"drawhouse/rulebook"
)

// A Program is what the running program tells of itself and of its rulebooks: commands of its own that a laboratory
// would type one by one.
type Program struct {
	// Version is the list that `drawhouse version --parts` prints.
	Version func() ([]byte, error)
	// Odds are those of a rulebook, which is named as on the command line, as text and as JSON.
	Odds func(rulebook string) (text, json []byte, err error)
}

// A Book is a rulebook of a pack.
type Book struct {
	Name     string // of its folder
	Argument string // as commands take it
	Book     *rulebook.Book
	Text     []byte // its file; empty where a journal has none
	BuiltIn  bool   // the program carries it, with its clauses and cases
}

// Given is what a pack was made of.
type Given struct {
	Format    int      `json:"format"`
	Program   string   `json:"program_sha256"` // the program that made the pack
	Rulebooks []string `json:"rulebooks"`      // those that are built in
	Draws     int64    `json:"draws"`          // of the randomness evidence
	Journal   bool     `json:"journal"`        // of a house, and not of cases
	Tests     bool     `json:"tests"`
	Programs  []File   `json:"programs"` // further programs, which are not in the pack
	Release   bool     `json:"release"`
	Signer    string   `json:"signer"` // public key by which the pack is signed; empty for none
}

// format is the number of the form of packs.
const format = 1

// A File is a file with its hash.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Names of files that a pack has once.
const (
	givenFile    = "given.json"
	indexFile    = "INDEX.md"
	manifestFile = "manifest.json"
	sumsFile     = "SHA256SUMS"
	sigFile      = sumsFile + ".sig"
	rawFile      = "randomness/raw.bin"
	testsFile    = "tests/given.log"
	journalDir   = "journal/export"
	releaseDir   = "program/release"
)

// Progress is told how far a step has come. Nil is nobody.
type Progress func(step string, done, total int64)

func (p Progress) tell(step string, done, total int64) {
	if p != nil {
		p(step, done, total)
	}
}

// A pack is the derivation of everything that is not given.
type pack struct {
	given    Given
	dir      *os.Root // where the given files are
	folder   string   // its name
	program  Program
	books    []Book
	progress Progress
	put      func(name string, data []byte) error

	results map[string][]Result // of cases, by rulebook
	failed  []string            // what does not hold, in words
	facts   []string            // of the index, one line a part
}

// fail takes down that something does not hold. The pack says so, and so does the status of the command.
func (p *pack) fail(form string, args ...any) {
	p.failed = append(p.failed, fmt.Sprintf(form, args...))
}

// fact adds a line to the summary of the index.
func (p *pack) fact(form string, args ...any) { p.facts = append(p.facts, fmt.Sprintf(form, args...)) }

// derive derives every file, in an order that is always the same.
func (p *pack) derive() error {
	steps := []func() error{p.programPart, p.randomPart, p.rulebookParts, p.journalPart, p.testPart, p.documents,
		p.index}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// putJSON writes a value as indented JSON.
func (p *pack) putJSON(name string, value any) error {
	data, err := jsonOf(value)
	if err != nil {
		return err
	}
	return p.put(name, data)
}

func jsonOf(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return b.Bytes(), err
}

// putCSV writes rows, of which the first names the columns.
func (p *pack) putCSV(name string, rows [][]string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return p.put(name, b.Bytes())
}

// sumOf hashes a file below a root.
func sumOf(root *os.Root, name string) (File, error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return File{}, err
	}
	sum, size, err := hash(f)
	return File{name, size, sum}, errors.Join(err, f.Close())
}

// readGiven reads what a pack was made of.
func readGiven(root *os.Root) (given Given, err error) {
	data, err := readFile(root, givenFile)
	if err != nil {
		return given, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&given); err != nil {
		return given, fmt.Errorf("%s: %w", givenFile, err)
	}
	if given.Format != format {
		return given, fmt.Errorf("%s: the pack has form %d, and this program reads form %d", givenFile, given.Format, format)
	}
	return given, nil
}

// readFile reads a file below a root that must be small.
func readFile(root *os.Root, name string) (data []byte, err error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	data, err = io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err == nil && len(data) > mostBytes {
		err = fmt.Errorf("%s has more than %d bytes", name, mostBytes)
	}
	return data, errors.Join(err, f.Close())
}

// mostBytes is what a file may have that is read at once: the log of a test run is the largest.
const mostBytes = 1 << 30

// A table is a page of Markdown with tables in it.
type table struct{ strings.Builder }

// row writes a row of cells.
func (t *table) row(cells ...string) {
	t.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// head writes the first two lines of a table.
func (t *table) head(cells ...string) {
	t.row(cells...)
	t.WriteString("|" + strings.Join(slices.Repeat([]string{"---"}, len(cells)), "|") + "|\n")
}
