package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// findBook returns the rulebook that an argument names: one that is built in, by
// its id, or one in a file. An id goes before a file of the same name.
func findBook(argument, name string) (*rulebook.Book, error) {
	if slices.Contains(rules.IDs(), name) {
		return rules.Book(name)
	}
	if _, err := os.Stat(name); err != nil && !looksLikePath(name) {
		return nil, misused(argument, fmt.Errorf("no rulebook %q is built in, and there is no such file; there are %s",
			name, strings.Join(rules.IDs(), ", ")))
	}
	return readBook(argument, name)
}

// kenoBook returns the rulebook that --rulebook names for a house: one that is built in
// and has keno, since the rhythm of a house is that of its keno games.
func kenoBook(id string) (*rulebook.Book, error) {
	book, err := rules.Book(id)
	if err == nil && !book.Keno() {
		err = fmt.Errorf("%s has no keno to run", id)
	}
	if err != nil {
		return nil, misused("--rulebook", err)
	}
	return book, nil
}

// looksLikePath reports whether a name can only mean a file.
func looksLikePath(name string) bool {
	return strings.ContainsRune(name, os.PathSeparator) || strings.HasSuffix(name, ".yaml") ||
		strings.HasSuffix(name, ".yml")
}

// readBook reads a rulebook from a file. A file that cannot be read is an error of
// the argument; one that has faults is refused with all of them.
func readBook(argument, path string) (*rulebook.Book, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, misused(argument, err)
	}
	book, err := rulebook.Load(path, data)
	if err != nil {
		return nil, fmt.Errorf("%s has faults:\n%w", path, err)
	}
	return book, nil
}
