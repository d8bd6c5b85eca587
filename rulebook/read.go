package rulebook

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// MaxText bounds the file of a rulebook that an operator adopts, in bytes: a request for
// consent and a record of the journal hold the whole text. The largest book that the program
// has is a fifth of it.
const MaxText = 128 << 10

// Read reads the file of a rulebook that an operator brings: a whole one, or an edition whose base is
// found by find. Faults name the file as "rulebook".
//
// A request says the whole text, and a house reads that several times: when it is asked for, when
// people look at it, when it is done. What was read before is returned again, whether
// or not find still has the base.
func Read(text []byte, find Finder) (*Book, error) {
	if len(text) > MaxText {
		r := newReport(operatorFile)
		r.addAt(position{1, 1}, "", "the file has %d bytes; a rulebook that is adopted has at most %d", len(text), MaxText)
		return nil, r.sorted()
	}
	hash := Hash(sha256.Sum256(text))
	if book := files.get(hash); book != nil {
		return book, nil
	}
	book, err := LoadOn(operatorFile, text, find)
	if err == nil {
		files.put(hash, book)
	}
	return book, err
}

// operatorFile names the file of an operator in faults.
const operatorFile = "rulebook"

// files are books that were read from the texts of operators, by the hash of the text.
var files shelf

// Cited is a clause that a book names, with the values that come from it.
type Cited struct {
	Clause string
	Values []string // paths, as Diff has them
}

// Clauses returns the clauses that a book names, in the order in which its values name them.
func (b *Book) Clauses() []Cited {
	var all []Cited
	at := map[string]int{}
	for _, leaf := range flatten(&b.file).leaves {
		name := leaf.path[strings.LastIndex(leaf.path, ".")+1:]
		if name == "clause" || strings.HasSuffix(name, clauseSuffix) {
			continue
		}
		for _, clause := range strings.Fields(leaf.clause) {
			i, known := at[clause]
			if !known {
				i = len(all)
				at[clause] = i
				all = append(all, Cited{Clause: clause})
			}
			all[i].Values = append(all[i].Values, leaf.path)
		}
	}
	return all
}

// Cites reports whether a value of the book comes from a clause.
func (b *Book) Cites(clause string) bool {
	return slices.ContainsFunc(b.Clauses(), func(c Cited) bool { return c.Clause == clause })
}
