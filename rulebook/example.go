package rulebook

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Examples of a book are values that the rules leave to a decision. They show the form, so that a demonstration can be
// played, and no ticket is sold by them in a real house: an edition replaces them, or takes them over as they are.

// Undecided is a block, a list or a table of a book that holds an example.
type Undecided struct {
	Path   string // keno.catalogue
	Clause string // that leaves the value to a decision
}

// Examples returns what of a book waits for a decision, in the order of the schema: none for a book that can be
// sold by.
func (b *Book) Examples() []Undecided { return slices.Clone(b.examples) }

// undecided finds what of a file waits for a decision.
func undecided(f *File) []Undecided {
	var all []Undecided
	for _, leaf := range newStatuses(f).examples() {
		path, _, listed := strings.Cut(leaf.path, "[")
		if !listed {
			path = parent(path)
		}
		if !slices.ContainsFunc(all, func(u Undecided) bool { return isBelow(path, u.Path) }) {
			all = append(all, Undecided{path, Quoted(leaf.clause)})
		}
	}
	return all
}

// Sellable refuses a book of which a value waits for a decision. The error names every such value with its clause,
// and has the text of an edition that takes them over.
func Sellable(b *Book) error {
	waiting := b.Examples()
	if len(waiting) == 0 {
		return nil
	}
	var paths, named []string
	for _, u := range waiting {
		paths = append(paths, u.Path)
		named = append(named, fmt.Sprintf("%s (clause %s)", u.Path, u.Clause))
	}
	all := strings.Join(paths, ", ")
	text := fmt.Sprintf("%s has examples where its rules ask for a decision, and examples are not for sale: %s.\n", b.ID(),
		strings.Join(named, ", "))
	if _, edition := b.Base(); edition {
		return fmt.Errorf("%sWrite what was decided in the edition or, for examples that were decided as they are,\n\naccepts: [%s]", text, all)
	}
	return fmt.Errorf("%sWrite what was decided in an edition, which begins so:\n\nrulebook: %s\nbase: %v\nedition: %d\n\n"+
		"and goes on with the blocks that were decided, or, for examples that were decided as they are, with\n\naccepts: [%s]\n\n"+
		"drawhouse rulebook new --base writes one", text, b.ID(), b.Hash(), b.Edition()+1, all)
}

// EditionOf returns the text of an edition that changes nothing and takes over every example of its base.
func EditionOf(b *Book) string {
	return fmt.Sprintf("# An edition writes the values that were decided. What it does not write is as in its base.\n%s",
		editionText(b, b.Title())) +
		"# A block that is written here is decided, too, such as\n# keno:\n#   catalogue: []\n"
}

// SuccessorOf returns the text of an edition for the successor system: its games have the numbers of the successor, and
// its tickets the codes. It takes over every example of its base. A base that names no successor has none.
//
//rule:tas-keno-2023 2.2
func SuccessorOf(b *Book) (text string, ok bool) {
	return "# The edition for the successor system. Write the values that its rules have otherwise, as far as they are open.\n" +
			editionText(b, b.Title()+", successor") + "keno:\n  system: {plays: successor}\n",
		b.keno.Games.Numbering.Successor != nil
}

// DemonstrationOf returns the text of an edition by which the demonstration of a book is played: it takes over
// every example, and its title, which stands on tickets and screens, says so. A book without examples needs none.
func DemonstrationOf(b *Book) (text string, needed bool) {
	return "# The edition of a demonstration: nobody has decided these values.\n" +
		editionText(b, b.Title()+", demonstration values"), len(b.Examples()) > 0
}

func editionText(b *Book, title string) string {
	text := fmt.Sprintf("rulebook: %s\ntitle: %s\nbase: %v\nedition: %d\n", b.ID(), strconv.Quote(title), b.Hash(),
		b.Edition()+1)
	var accepts []string
	for _, u := range b.Examples() {
		accepts = append(accepts, fmt.Sprintf("  - %s  # clause %s\n", u.Path, u.Clause))
	}
	if len(accepts) > 0 {
		text += "accepts: # examples that were decided as they are\n" + strings.Join(accepts, "")
	}
	return text
}

// examples returns the values that are examples.
func (s statuses) examples() []leaf {
	var all []leaf
	for _, leaf := range s.flat.leaves {
		if status, _ := s.of(leaf.path); leaf.example && status == Example {
			all = append(all, leaf)
		}
	}
	return all
}

// accept makes blocks at and below some paths examples no longer. It walks v, which is at a path.
func accept(v reflect.Value, path string, paths []string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			accept(v.Elem(), path, paths)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Struct {
			return
		}
		var names []string
		for i := range v.Len() {
			names = append(names, itemName(v.Index(i), names))
			accept(v.Index(i), path+"["+names[i]+"]", paths)
		}
	case reflect.Struct:
		if isWord(v.Type()) {
			return
		}
		if holdsCites(v.Type()) && slices.ContainsFunc(paths, func(p string) bool { return isBelow(path, p) }) {
			overwrites(v)
		}
		for _, f := range fieldsOf(v.Type()) {
			accept(v.FieldByIndex(f.index), join(path, f.name), paths)
		}
	}
}
