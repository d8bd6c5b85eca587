package rulebook

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// An edition is a short file that names its base, by id and hash, and changes what the base leaves
// open. It has the keys of a whole rulebook; what it does not write is as in the base. Lists and tables
// are replaced whole. The book that it comes to is a whole one.

// Status says who sets a value of a book.
type Status string

// The statuses.
const (
	// Fixed is a value that the text of the rules sets.
	Fixed Status = "fixed"
	// Open is a value that the text sets and lets somebody set otherwise.
	Open Status = "open"
	// Example is a value that the text leaves to a decision, and that shows the form alone.
	Example Status = "example"
)

// StatusFile says of values of a book whether they are open or fixed, with the clause that does. A path
// is one as [Diff] writes it, and covers everything below it; of two that cover a value the longer one
// decides. A value whose block says that it is an example is one, unless a path makes it fixed; any other
// value that no path covers is fixed.
type StatusFile struct {
	Cite
	Open  []string `json:"open,omitempty"`
	Fixed []string `json:"fixed,omitempty"`
}

// A Finder finds the book of a hash, which is the base of an edition.
type Finder func(Hash) (*Book, bool)

// Base returns the hash of the book that an edition changes; ok is false for a whole book.
func (b *Book) Base() (base Hash, ok bool) {
	if b.file.Base == "" {
		return Hash{}, false
	}
	base, err := ParseHash(b.file.Base)
	return base, err == nil
}

// StatusOf returns the status of the value, block or list at a path, with the clause that gives it.
func (b *Book) StatusOf(path string) (Status, string) { return newStatuses(&b.file).of(path) }

// Statuses returns the status of every value of a book, by its path.
func (b *Book) Statuses() map[string]Status {
	all := newStatuses(&b.file)
	found := make(map[string]Status, len(all.flat.leaves))
	for _, leaf := range all.flat.leaves {
		found[leaf.path], _ = all.of(leaf.path)
	}
	return found
}

// statuses finds the status of values.
type statuses struct {
	file *File
	flat *flat
}

func newStatuses(f *File) statuses { return statuses{f, flatten(f)} }

func (s statuses) of(path string) (Status, string) {
	status, clause, longest := Fixed, "", -1
	covers := func(wanted Status, entry *StatusFile, paths []string) {
		for _, p := range paths {
			if len(p) > longest && isBelow(path, p) {
				status, clause, longest = wanted, entry.Clause, len(p)
			}
		}
	}
	for i := range s.file.Status {
		covers(Open, &s.file.Status[i], s.file.Status[i].Open)
		covers(Fixed, &s.file.Status[i], s.file.Status[i].Fixed)
	}
	i, ok := s.flat.places[path]
	switch {
	case ok && s.flat.leaves[i].example && (longest < 0 || status == Open):
		return Example, cmp.Or(clause, s.flat.leaves[i].clause)
	case longest >= 0:
		return status, clause
	case !ok:
		return Fixed, s.clauseAbove(path)
	}
	return Fixed, s.flat.leaves[i].clause
}

// clauseAbove returns the clause of the nearest value beside or above a path that the book does not have.
func (s statuses) clauseAbove(path string) string {
	for above := parent(path); above != ""; above = parent(above) {
		for _, leaf := range s.flat.leaves {
			if isBelow(leaf.path, above) {
				return leaf.clause
			}
		}
	}
	return ""
}

// isBelow reports whether a path is another one, or below it.
func isBelow(path, above string) bool {
	rest, ok := strings.CutPrefix(path, above)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// ofEdition are the values that every edition sets for itself.
var ofEdition = []string{"title", "edition", "base", "accepts"}

// CheckEdition returns a fault for every value that an edition changes and its base does not leave open.
func CheckEdition(base, edition *Book) error {
	r := newReport(edition.ID())
	r.checkEdition(base, &edition.file)
	if len(r.faults) > 0 {
		return r.sorted()
	}
	return nil
}

func (r *report) checkEdition(base *Book, edition *File) {
	if edition.Edition <= base.Edition() {
		r.add("edition", "is %d; it must be above %d, which is that of the base", edition.Edition, base.Edition())
	}
	if hash, err := ParseHash(edition.Base); err != nil || hash != base.Hash() {
		r.add("base", "is another rulebook than %v", base.Hash())
	}
	known := newStatuses(&base.file)
	for i, path := range edition.Accepts {
		if !slices.ContainsFunc(known.examples(), func(e leaf) bool { return isBelow(e.path, path) }) {
			r.add(item("accepts", i), "the base has no example at %s; rulebook show --status lists them", path)
		}
	}
	for _, change := range diffFiles(&base.file, edition) {
		if slices.Contains(ofEdition, change.Path) {
			continue
		}
		if status, clause := known.of(change.Path); status == Fixed {
			r.addFixed(change.Path, clause)
		}
	}
}

// addFixed reports a change of a value that the rules fix.
func (r *report) addFixed(path, clause string) {
	if clause == "" {
		r.add(path, "is fixed in the base; an edition changes only what its base leaves open")
		return
	}
	r.add(path, "is fixed by clause %s; an edition changes only what its base leaves open", Quoted(clause))
}

// BaseAbsent is the fault of an edition whose base nobody has found.
const BaseAbsent = "no rulebook of this hash is at hand"

// baseOf returns the base that a file names, or nil if the file is a whole book. A base that is
// not at hand is a fault.
func (r *report) baseOf(root *ast.MappingNode, find Finder) *Book {
	for _, pair := range root.Values {
		if pair.Key.GetToken().Value != "base" {
			continue
		}
		text, _ := scalarText(pair.Value)
		hash, err := ParseHash(text)
		if err != nil {
			r.addAt(place(pair.Key.GetToken()), "base", "%q is not a hash of 64 hexadecimal digits", text)
			return nil
		}
		if find != nil {
			if base, ok := find(hash); ok {
				return base
			}
		}
		r.addAt(place(pair.Key.GetToken()), "base", BaseAbsent)
		return nil
	}
	return nil
}

// overwrites says that a block of the base is written, which is then an example no longer, unless the
// edition says that it is.
func overwrites(v reflect.Value) {
	if holdsCites(v.Type()) {
		v.FieldByName("Cite").FieldByName("Example").SetBool(false)
	}
}

// checkStatus checks that every path of a status is that of a value.
func (c *checker) checkStatus() {
	if base := c.file.Base; base != "" {
		if _, err := ParseHash(base); err != nil {
			c.add("base", "%q is not a hash of 64 hexadecimal digits", base)
		}
	}
	if len(c.file.Accepts) > 0 && c.file.Base == "" {
		c.add("accepts", "is for an edition; a whole rulebook has no examples to take over")
	}
	if len(c.file.Status) == 0 || len(c.faults) > 0 {
		return
	}
	known := flatten(c.file)
	seen := map[string]bool{}
	for i := range c.file.Status {
		entry, where := &c.file.Status[i], item("status", i)
		if len(entry.Open)+len(entry.Fixed) == 0 {
			c.add(where, "names no value")
		}
		check := func(list string, paths []string) {
			for j, path := range paths {
				at := item(join(where, list), j)
				switch {
				case seen[path]:
					c.add(at, "%s has a status already", path)
				case isBelow(path, "status") || slices.Contains(ofEdition, path):
					c.add(at, "%s has no status", path)
				case !known.holds(path):
					c.add(at, "there is no value %s; rulebook show lists them", path)
				}
				seen[path] = true
			}
		}
		check("open", entry.Open)
		check("fixed", entry.Fixed)
	}
}

// holds reports whether a value, a block or a list is at a path. Parts that a book may leave out count.
func (f *flat) holds(path string) bool {
	if slices.Contains(absentParts, path) {
		return true
	}
	return slices.ContainsFunc(f.leaves, func(l leaf) bool { return isBelow(l.path, path) }) ||
		slices.ContainsFunc(f.lists, func(l namedList) bool { return isBelow(l.path, path) })
}

// absentParts are lists to which an edition may add the first item, and sections that it may add.
var absentParts = []string{"keno.catalogue", "keno.features", "keno.prorating", "keno.instruments", "keno.tax"}
