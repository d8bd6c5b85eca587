// Package matrix joins the clauses of a rulebook with what stands behind each: values of the book, functions that
// name the clause, and cases. docs/RULES.md is made from it, and so are the pages of a test laboratory.
package matrix

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"drawhouse/internal/directives"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// A Matrix is what stands behind every clause of a rulebook.
type Matrix struct {
	Rulebook string
	Source   string // the document
	Rows     []Row
}

// A Row is a clause with what stands behind it.
type Row struct {
	rules.Clause
	Values []string // paths in the rulebook that come from it
	Code   []string // functions and types that name it, as package.Name
	Cases  string   // path of its case file in the source; empty for none
}

// Of returns the matrix of a rulebook that is built in. The directives are those of the code.
func Of(id string, found []directives.Directive) (Matrix, error) {
	index, err := rules.Clauses(id)
	if err != nil {
		return Matrix{}, err
	}
	book, err := rules.Book(id)
	if err != nil {
		return Matrix{}, err
	}
	held := NewValues(book)
	m := Matrix{Rulebook: id, Source: index.Source}
	for _, c := range index.Clauses {
		row := Row{Clause: c, Values: held.Of(c.ID)}
		for _, d := range found {
			if d.Rulebook == id && d.Clause == c.ID {
				row.Code = append(row.Code, path.Base(d.Package)+"."+d.Function)
			}
		}
		slices.Sort(row.Code)
		row.Code = slices.Compact(row.Code)
		file := id + "/cases/" + c.ID + ".txt"
		if _, err := fs.Stat(rules.CaseFiles, file); err == nil {
			row.Cases = "rulebook/rules/" + file
		}
		m.Rows = append(m.Rows, row)
	}
	return m, nil
}

// Count returns how many clauses have a disposition.
func (m Matrix) Count(is rules.Disposition) (n int) {
	for _, row := range m.Rows {
		if row.Is == is {
			n++
		}
	}
	return n
}

// Where says in Markdown which code, cases, values, record or screen stand behind the clause, and what does not. The
// rulebook and the cases are found at the addresses given.
func (r Row) Where(book, cases string) string {
	var parts []string
	switch r.Is {
	case rules.Data:
		var paths []string
		for _, path := range r.Values {
			paths = append(paths, "`"+path+"`")
		}
		parts = append(parts, fmt.Sprintf("[book](%s): %s", book, strings.Join(paths, ", ")))
	case rules.Todo:
		parts = append(parts, "will be in `"+r.In+"`")
	case rules.Implemented:
		var places []string
		for _, name := range r.Code {
			places = append(places, "`"+name+"`")
		}
		if r.Cases != "" {
			places = append(places, fmt.Sprintf("[cases](%s)", cases))
		}
		parts = append(parts, strings.Join(places, ", "))
	}
	if r.Support != "" {
		parts = append(parts, r.Support)
	}
	return Cell(strings.Join(parts, "; "))
}

// Cell writes a text so that it stands in one cell of a table of Markdown.
func Cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// Values are the values of a rulebook: every path, and those that come from a clause.
type Values struct {
	all   []string // paths of single values
	cited map[string]map[string]bool
}

// NewValues returns the values of a rulebook.
func NewValues(book *rulebook.Book) Values {
	v := Values{cited: map[string]map[string]bool{}}
	for _, path := range slices.Sorted(maps.Keys(book.Statuses())) {
		if !(rulebook.Change{Path: path}).IsCitation() && !isUnder(path, "status") {
			v.all = append(v.all, path)
		}
	}
	for _, c := range book.Clauses() {
		v.cited[c.Clause] = map[string]bool{}
		for _, path := range c.Values {
			v.cited[c.Clause][path] = true
		}
	}
	return v
}

// Paths returns the paths of values, and those of the blocks and lists above them.
func (v Values) Paths() map[string]bool {
	all := map[string]bool{}
	for _, path := range v.all {
		for ; path != ""; path = above(path) {
			all[path] = true
		}
	}
	return all
}

// Of returns the values that come from a clause. A block stands for its values if all those that are directly in
// it do, or all below it.
func (v Values) Of(clause string) (paths []string) {
	cited := v.cited[clause]
	for _, path := range v.all {
		if !cited[path] {
			continue
		}
		for up := above(path); up != "" && v.comesFrom(up, cited); up = above(up) {
			path = up
		}
		if !slices.ContainsFunc(paths, func(block string) bool { return isUnder(path, block) }) {
			paths = append(slices.DeleteFunc(paths, func(p string) bool { return isUnder(p, path) }), path)
		}
	}
	return paths
}

// comesFrom reports whether a block stands for values that are cited.
func (v Values) comesFrom(block string, cited map[string]bool) bool {
	direct, own, whole := 0, true, true
	for _, path := range v.all {
		if !isUnder(path, block) {
			continue
		}
		whole = whole && cited[path]
		if above(path) == block {
			direct++
			own = own && cited[path]
		}
	}
	return whole || direct > 0 && own
}

// isUnder reports whether a path is a block or below it.
func isUnder(path, block string) bool {
	rest, ok := strings.CutPrefix(path, block)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// above returns the path of the block or list that a value stands in. The name of an item of a list, between
// brackets, may have points.
func above(path string) string {
	depth := 0
	for i := len(path) - 1; i >= 0; i-- {
		switch path[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return path[:i]
			}
		case '.':
			if depth == 0 {
				return path[:i]
			}
		}
	}
	return ""
}
