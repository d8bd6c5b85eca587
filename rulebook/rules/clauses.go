package rules

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed */clauses.yaml */readings.yaml
var indexFiles embed.FS

// Disposition is what becomes of a clause.
type Disposition string

// The dispositions.
const (
	Definition  Disposition = "definition"  // fixes a word
	Data        Disposition = "data"        // is a value, table or policy of the rulebook
	Procedure   Disposition = "procedure"   // is done by people, whom a record or screen supports
	Todo        Disposition = "todo"        // must be done by code that is not there yet
	Implemented Disposition = "implemented" // is done by code, shown by cases
)

// Clause is one clause of an official document in our own words.
type Clause struct {
	ID        string      `yaml:"id"`
	Says      string      `yaml:"says"`
	Is        Disposition `yaml:"is"`
	In        string      `yaml:"in,omitempty"`        // the package that holds, or will hold, the code
	Threshold bool        `yaml:"threshold,omitempty"` // has a limit: cases below, at and above it
	// what the product has for it, by identifiers, and what is not built
	Support string `yaml:"support,omitempty"`
}

// Index is the list of all clauses of a rulebook's documents, in their order.
type Index struct {
	Rulebook string   `yaml:"rulebook"`
	Source   string   `yaml:"source"`
	Clauses  []Clause `yaml:"clauses"`
}

// Reading is a decision where a text is silent or unclear.
type Reading struct {
	ID       string   `yaml:"id"`
	Clauses  []string `yaml:"clauses"`
	Question string   `yaml:"question"`
	Reading  string   `yaml:"reading"`
	Why      string   `yaml:"why"`
}

// Readings are the decisions for one rulebook.
type Readings struct {
	Rulebook string    `yaml:"rulebook"`
	Readings []Reading `yaml:"readings"`
}

// Clauses returns the clause index of a built-in rulebook. A bingo room shows it to
// anybody who asks for the rules.
//
//rule:nsw-bingo-2019 9.12
func Clauses(id string) (Index, error) {
	var index Index
	if err := decodeIndexFile(id, "clauses.yaml", &index); err != nil {
		return Index{}, err
	}
	return index, index.check(id)
}

// builtIn returns the clause index of a built-in rulebook, which is read once: to read it is
// a thousand times the work of an act that names a clause. Nobody changes it.
func builtIn(id string) (Index, error) {
	read, _ := indexes.LoadOrStore(id, sync.OnceValues(func() (Index, error) { return Clauses(id) }))
	index, _ := read.(func() (Index, error))
	return index()
}

var indexes sync.Map

// Has reports whether a built-in rulebook has a clause. A rulebook that is not built in
// has none that anybody could look up.
func Has(id, clause string) bool {
	index, err := builtIn(id)
	return err == nil && slices.ContainsFunc(index.Clauses, func(c Clause) bool { return c.ID == clause })
}

// First returns the first clause of a built-in rulebook, for anybody who needs one that it has.
func First(id string) (string, error) {
	index, err := builtIn(id)
	if err != nil || len(index.Clauses) == 0 {
		return "", fmt.Errorf("rules: %s has no clause: %w", id, cmp.Or(err, fs.ErrNotExist))
	}
	return index.Clauses[0].ID, nil
}

// ReadingsOf returns the readings of a built-in rulebook.
func ReadingsOf(id string) (Readings, error) {
	var readings Readings
	if err := decodeIndexFile(id, "readings.yaml", &readings); err != nil {
		return Readings{}, err
	}
	return readings, readings.check(id)
}

func decodeIndexFile(id, name string, into any) error {
	path := id + "/" + name
	data, err := fs.ReadFile(indexFiles, path)
	if err != nil {
		return fmt.Errorf("rules: %s: %w", path, err)
	}
	if err := yaml.UnmarshalWithOptions(data, into, yaml.Strict(), yaml.DisallowUnknownField()); err != nil {
		return fmt.Errorf("rules: %s: %w", path, err)
	}
	return nil
}

func (x Index) check(id string) error {
	if x.Rulebook != id || x.Source == "" {
		return fmt.Errorf("rules: the clause index of %s says it is of %q, from %q", id, x.Rulebook, x.Source)
	}
	seen := make(map[string]bool, len(x.Clauses))
	for _, c := range x.Clauses {
		if seen[c.ID] {
			return fmt.Errorf("rules: %s has clause %s twice", id, c.ID)
		}
		seen[c.ID] = true
		if err := c.check(); err != nil {
			return fmt.Errorf("rules: %s %s: %w", id, c.ID, err)
		}
	}
	return nil
}

func (c Clause) check() error {
	switch {
	case c.ID == "" || strings.ContainsAny(c.ID, " :/\\"):
		return fmt.Errorf("%q is no clause id", c.ID)
	case c.Says == "":
		return fmt.Errorf("says nothing")
	}
	needsPackage := false
	switch c.Is {
	case Definition, Data, Procedure:
	case Todo, Implemented:
		needsPackage = true
	default:
		return fmt.Errorf("%q is not a disposition", c.Is)
	}
	if needsPackage != (c.In != "") {
		return fmt.Errorf("is %s in package %q", c.Is, c.In)
	}
	if c.Is == Procedure && c.Support == "" || c.Is == Definition && c.Support != "" {
		return fmt.Errorf("is %s with support %q", c.Is, c.Support)
	}
	return nil
}

func (r Readings) check(id string) error {
	if r.Rulebook != id {
		return fmt.Errorf("rules: the readings of %s say they are of %q", id, r.Rulebook)
	}
	seen := make(map[string]bool, len(r.Readings))
	for _, reading := range r.Readings {
		if seen[reading.ID] {
			return fmt.Errorf("rules: %s has reading %s twice", id, reading.ID)
		}
		seen[reading.ID] = true
		if len(reading.Clauses) == 0 || reading.Question == "" || reading.Reading == "" || reading.Why == "" {
			return fmt.Errorf("rules: %s: reading %s needs clauses, a question, a reading and a reason", id, reading.ID)
		}
	}
	return nil
}
