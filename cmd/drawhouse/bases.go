package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"drawhouse/decide/engine"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// loadFile reads a rulebook from the text of a file. The base of an edition is a rulebook of the program, or that of a
// file in the same folder.
func loadFile(path string, data []byte) (*rulebook.Book, error) {
	near := folder{dir: filepath.Dir(path)}
	book, err := rulebook.LoadOn(path, data, near.find)
	if faults := (rulebook.Faults)(nil); errors.As(err, &faults) {
		for i := range faults {
			if faults[i].Message == rulebook.BaseAbsent {
				faults[i].Message += ": put the file of the base into the folder of this one"
			}
		}
		return nil, faults
	}
	return book, err
}

// basesOf returns what a rulebook of a file is an edition of, and what that is an edition of in turn, the whole book
// first.
func basesOf(path string, book *rulebook.Book) []engine.Basis {
	near := folder{dir: filepath.Dir(path)}
	var bases []engine.Basis
	for {
		hash, edition := book.Base()
		if !edition {
			break
		}
		basis, ok := near.basis(hash)
		if !ok {
			break
		}
		bases = append(bases, basis)
		book = basis.Book
	}
	slices.Reverse(bases)
	return bases
}

// builtIn finds a rulebook of the program by its hash.
func builtIn(hash rulebook.Hash) (*rulebook.Book, bool) {
	for _, id := range rules.IDs() {
		if book, err := rules.Book(id); err == nil && book.Hash() == hash {
			return book, true
		}
	}
	return nil, false
}

// folder finds rulebooks by their hashes: those of the program, and those of the files of a directory, which it reads
// when it is asked for another one first.
type folder struct {
	dir   string
	known map[rulebook.Hash]engine.Basis // nil before the files are read
}

func (f *folder) find(hash rulebook.Hash) (*rulebook.Book, bool) {
	basis, ok := f.basis(hash)
	return basis.Book, ok
}

func (f *folder) basis(hash rulebook.Hash) (engine.Basis, bool) {
	if book, ok := builtIn(hash); ok {
		return engine.Basis{Book: book}, true
	}
	if f.known == nil {
		f.read()
	}
	basis, ok := f.known[hash]
	return basis, ok
}

// read reads the rulebooks of the directory. A file that is none, or has faults, is nobody's base. Editions of
// editions are read once their bases are.
func (f *folder) read() {
	f.known = map[rulebook.Hash]engine.Basis{}
	left := f.texts()
	for before := -1; before != len(f.known); {
		before = len(f.known)
		left = slices.DeleteFunc(left, func(text []byte) bool {
			book, err := rulebook.LoadOn("", text, f.find)
			if err == nil {
				f.known[book.Hash()] = engine.Basis{Book: book, Text: text}
			}
			return err == nil
		})
	}
}

// texts returns the texts of the files that can be rulebooks.
func (f *folder) texts() [][]byte {
	var texts [][]byte
	for _, pattern := range []string{"*.yaml", "*.yml"} {
		paths, err := filepath.Glob(filepath.Join(f.dir, pattern))
		if err != nil {
			continue // The name of the directory is no pattern: nothing is found there.
		}
		for _, path := range paths {
			info, err := os.Stat(path)
			if err != nil || !info.Mode().IsRegular() || info.Size() > rulebook.MaxText {
				continue
			}
			if text, err := os.ReadFile(path); err == nil && bytes.Contains(text, []byte("rulebook:")) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}
