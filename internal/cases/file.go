package cases

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// File is a case file.
type File struct {
	Path      string
	Rulebook  string
	Clause    string
	Lines     []Line // that stand alone
	Scenarios []Scenario
	Halls     []Scenario // in bingo rooms
	// Book is what scenarios are played by in the place of the rulebook that is built in; nil for that one.
	Book *rulebook.Book
}

// Scenario is lines that happen one after the other in one house. The first one
// says which.
type Scenario []Line

// Games returns how many games the scenario plays by chance, which is what it takes
// its time for.
func (s Scenario) Games() int {
	games := 0
	for _, line := range s {
		verb, rest, _ := strings.Cut(line.Operation, " ")
		if found := chancePattern.FindStringSubmatch(rest); verb == "play" && found != nil {
			games += number(found[1])
		}
	}
	return games
}

// Line is one operation and what is expected of it.
type Line struct {
	Number    int
	Tag       string // below, at, above, or empty
	Operation string
	Want      string // what comes after the arrow; empty if there is none
}

// String returns the line without its tag.
func (l Line) String() string {
	if l.Want == "" {
		return l.Operation
	}
	return l.Operation + " -> " + l.Want
}

// ReadAll reads the case files below a folder of rulebooks.
func ReadAll(folder string) ([]File, error) { return readFrom(os.DirFS(folder), folder) }

// Carried returns the case files that the program carries, of all rulebooks that are built in.
func Carried() ([]File, error) { return readFrom(rules.CaseFiles, "") }

// readFrom reads the case files of rulebooks. Their paths begin with a folder.
func readFrom(files fs.FS, folder string) (all []File, err error) {
	names, err := fs.Glob(files, "*/cases/*.txt")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("cases: %s has no case files", folder)
	}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		f := File{
			Path: filepath.Join(folder, filepath.FromSlash(name)), Rulebook: path.Dir(path.Dir(name)),
			Clause: strings.TrimSuffix(path.Base(name), ".txt"),
		}
		if err := f.parse(string(data)); err != nil {
			return nil, fmt.Errorf("cases: %s:%w", f.Path, err)
		}
		all = append(all, f)
	}
	return all, nil
}

// parse reads the text of a file.
func (f *File) parse(text string) error {
	number := 0
	var block *[]Scenario // within one of these
	for raw := range strings.Lines(text) {
		number++
		raw = strings.TrimSpace(raw)
		if raw == "" {
			block = nil
			continue
		}
		if strings.HasPrefix(raw, "#") {
			continue
		}
		line, err := parseLine(raw)
		if err != nil {
			return fmt.Errorf("%d: %w", number, err)
		}
		line.Number = number
		switch verb, _, _ := strings.Cut(line.Operation, " "); verb {
		case beginning:
			f.Scenarios = append(f.Scenarios, nil)
			block = &f.Scenarios
		case beginningHall:
			f.Halls = append(f.Halls, nil)
			block = &f.Halls
		}
		if block == nil {
			f.Lines = append(f.Lines, line)
			continue
		}
		last := &(*block)[len(*block)-1]
		*last = append(*last, line)
	}
	return nil
}

// The verbs with which scenarios begin.
const (
	beginning     = "house"
	beginningHall = "hall"
)

func parseLine(raw string) (Line, error) {
	var l Line
	if rest, ok := strings.CutPrefix(raw, "["); ok {
		tag, after, _ := strings.Cut(rest, "] ")
		if tag != "below" && tag != "at" && tag != "above" {
			return l, fmt.Errorf("no such tag: %q", tag)
		}
		l.Tag, raw = tag, after
	}
	l.Operation, l.Want, _ = strings.Cut(raw, " -> ")
	if l.Operation == "" {
		return l, fmt.Errorf("nothing is done in %q", raw)
	}
	return l, nil
}
