// Package rules holds the rulebooks that drawhouse ships: one folder each, with
// the rulebook as data (book.yaml), every clause of the official document in our
// own words (clauses.yaml), the decisions where a document is silent
// (readings.yaml), and the cases that show what the clauses do.
//
// The folders are embedded, so a binary carries the rules that it was tested with,
// and pins.go has each book's hash, so that no rule changes by accident:
// TestPins says what to do when one does on purpose. TestTables compares every
// table of prizes with a second, independent transcription of the document.
package rules

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"drawhouse/rulebook"
)

//go:embed */book.yaml
var bookFiles embed.FS

// CaseFiles has the case files of every rulebook, ID/cases/CLAUSE.txt. They travel with the program, so that it can
// show anywhere that its rules do what the cases say.
//
//go:embed */cases/*.txt
var CaseFiles embed.FS

//go:embed */testdata/retyped/boxes.txt
var shownBoxes embed.FS

// Boxes returns the boxes that the document of a rulebook shows, as its second transcription has them: cases name them.
func Boxes(id string) ([]byte, error) {
	data, err := shownBoxes.ReadFile(id + "/testdata/retyped/boxes.txt")
	if err != nil {
		return nil, fmt.Errorf("rules: the document of %s shows no boxes: %w", id, err)
	}
	return data, nil
}

// books holds, by id, a function that loads the book on first use.
var books = findBooks()

func findBooks() map[string]func() (*rulebook.Book, error) {
	paths, err := fs.Glob(bookFiles, "*/book.yaml")
	if err != nil {
		panic(err) // The pattern is a constant.
	}
	found := make(map[string]func() (*rulebook.Book, error), len(paths))
	for _, path := range paths {
		id := strings.TrimSuffix(path, "/book.yaml")
		found[id] = sync.OnceValues(func() (*rulebook.Book, error) { return load(id, path) })
	}
	return found
}

func load(id, path string) (*rulebook.Book, error) {
	data, err := bookFiles.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("rules: %s: %w", path, err)
	}
	book, err := rulebook.Load(path, data)
	if err != nil {
		return nil, fmt.Errorf("rules: %s has faults:\n%w", id, err)
	}
	if book.ID() != id {
		return nil, fmt.Errorf("rules: the book of folder %s calls itself %s", id, book.ID())
	}
	return book, nil
}

// IDs returns the ids of the rulebooks that are built in, sorted.
func IDs() []string {
	ids := make([]string, 0, len(books))
	for id := range books {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Text returns the file of a rulebook that is built in.
func Text(id string) ([]byte, error) {
	if _, err := Book(id); err != nil {
		return nil, err
	}
	return bookFiles.ReadFile(id + "/book.yaml")
}

// Book returns a rulebook that is built in. It is read once and shared: a book is
// immutable. An unknown id is an error that lists the known ones.
func Book(id string) (*rulebook.Book, error) {
	book, ok := books[id]
	if !ok {
		return nil, fmt.Errorf("rules: no rulebook %q is built in; there are %s", id, strings.Join(IDs(), ", "))
	}
	return book()
}
