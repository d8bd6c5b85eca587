package rulebook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fault is one thing that is wrong with a rulebook, and where it is written.
type Fault struct {
	File      string
	Line, Col int    // from 1; 0 where the book did not come from a file
	Path      string // keno.limits[3].step
	Message   string
}

// Error returns the fault as editors read it: file:line:col: path: message.
func (f Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", f.Line, f.Col)
	}
	b.WriteString(": ")
	if f.Path != "" {
		b.WriteString(f.Path)
		b.WriteString(": ")
	}
	b.WriteString(f.Message)
	return b.String()
}

// Faults are all the faults of a rulebook, in the order of the file.
type Faults []Fault

// Error returns the faults, one to a line.
func (faults Faults) Error() string {
	lines := make([]string, len(faults))
	for i, f := range faults {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// position is a place in a file; the zero value is nowhere.
type position struct{ line, col int }

// report gathers faults. It knows where each path of the file is written, so that
// a check needs only the path.
type report struct {
	file   string
	places map[string]position
	first  Faults // that are reported before all others
	faults Faults
	seen   map[Fault]bool  // two checks may find the same
	hushed map[string]bool // paths at and below which there is nothing more to say
	over   bool            // values of a base are there, and an edition writes over them
}

func newReport(file string) *report {
	return &report{file: file, places: map[string]position{}, seen: map[Fault]bool{}, hushed: map[string]bool{}}
}

// hush keeps later checks from complaining again about the values of the faults
// found since there were that many.
func (r *report) hush(since int) {
	for _, f := range r.faults[since:] {
		r.hushed[f.Path] = true
	}
}

// add records a fault at a path or, where the path is not written, at the nearest
// one above it that is.
func (r *report) add(path, format string, args ...any) {
	for above := path; ; above = parent(above) {
		if r.hushed[above] {
			return
		}
		if above == "" {
			break
		}
	}
	r.addAt(r.find(path), path, format, args...)
}

func (r *report) addAt(at position, path, format string, args ...any) {
	fault := Fault{File: r.file, Line: at.line, Col: at.col, Path: path, Message: fmt.Sprintf(format, args...)}
	if !r.seen[fault] {
		r.seen[fault] = true
		r.faults = append(r.faults, fault)
	}
}

func (r *report) find(path string) position {
	for {
		at, ok := r.places[path]
		if ok || path == "" {
			return at
		}
		path = parent(path)
	}
}

// parent returns the path one level up; the parent of a key at the top is "".
func parent(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}

// sorted returns the faults in the order of the file, after those that come first.
// Faults of one place keep the order in which they were found.
func (r *report) sorted() Faults {
	slices.SortStableFunc(r.faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return append(slices.Clone(r.first), r.faults...)
}
