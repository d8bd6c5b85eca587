package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"drawhouse/check/verify/export"
	"drawhouse/decide/command"
	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// findBook returns the rulebook that an argument names: one that is built in, by
// its id, one in a file, or one of a journal, as DIR or DIR@HASH. An id goes before a file of
// the same name.
func findBook(argument, name string) (*rulebook.Book, error) {
	if slices.Contains(rules.IDs(), name) {
		return rules.Book(name)
	}
	if book, err := journalBook(argument, name); book != nil || err != nil {
		return book, err
	}
	if _, err := os.Stat(name); err != nil && !looksLikePath(name) {
		return nil, misused(argument, fmt.Errorf("no rulebook %q is built in, and there is no such file; there are %s",
			name, strings.Join(rules.IDs(), ", ")))
	}
	book, _, err := readBook(argument, name)
	return book, err
}

// hashSign stands between the directory of an export and the hash of a rulebook in it.
const hashSign = "@"

// journalBook returns the rulebook of an exported journal that an argument names, or nil where the
// argument names no directory. The first digits of the hash are enough; without a hash the journal must
// have one rulebook.
func journalBook(argument, name string) (*rulebook.Book, error) {
	dir, hash := name, ""
	if !isDirectory(dir) {
		at := max(0, strings.LastIndex(name, hashSign)) // A folder may have the sign in its name; a hash has none.
		if dir, hash = name[:at], strings.TrimPrefix(name[at:], hashSign); hash == "" || !isDirectory(dir) {
			return nil, nil
		}
	}
	adopted, err := export.Rulebooks(dir)
	if err != nil {
		return nil, misused(argument, err)
	}
	var found []record.RulebookAdopted
	var all []string
	for _, b := range adopted {
		text := fmt.Sprintf("%x", b.Hash)
		all = append(all, fmt.Sprintf("%s%s%.16s (%s)", dir, hashSign, text, b.ID))
		if strings.HasPrefix(text, hash) {
			found = append(found, b)
		}
	}
	if len(found) != 1 {
		return nil, misused(argument, fmt.Errorf("%s names %d rulebooks of the journal; it has %s", name, len(found),
			strings.Join(all, ", ")))
	}
	return rulebook.FromCanonical(found[0].Book)
}

// houseBook returns the rulebook that --rulebook names for a house: one that is built in, or one
// in a file of the operator, with its text. A house by a rulebook of bingo has rooms, and no keno.
func houseBook(name string) (book *rulebook.Book, text []byte, err error) {
	const argument = "--rulebook"
	if _, absent := os.Stat(name); slices.Contains(rules.IDs(), name) || absent != nil && !looksLikePath(name) {
		book, err = rules.Book(name)
	} else {
		book, text, err = ownBook(argument, name)
	}
	if err != nil && book == nil && text == nil {
		return nil, nil, misused(argument, err)
	}
	return book, text, err
}

// ownBook reads a rulebook of the operator that a house can be run by.
func ownBook(argument, path string) (*rulebook.Book, []byte, error) {
	book, text, err := readBook(argument, path)
	if err != nil {
		return nil, nil, err
	}
	if faults := unfit(book, text); len(faults) > 0 {
		return nil, nil, fmt.Errorf("no house can be run by %s:\n%w", path, faults)
	}
	return book, text, nil
}

// unfit returns why no house can be founded by a rulebook of an operator whose file is sound: what [command.Unfit]
// finds, and what takes the text of the file and the time zones of this machine.
func unfit(book *rulebook.Book, text []byte) rulebook.Faults {
	faults := command.Unfit(book)
	if len(text) > rulebook.MaxText {
		faults = append(faults, rulebook.FaultAt(book, "", "the file has %d bytes; a rulebook that is adopted has at most %d",
			len(text), rulebook.MaxText))
	}
	if _, err := time.LoadLocation(book.Zone()); err != nil {
		faults = append(faults, rulebook.FaultAt(book, "zone", "there is no time zone %q", book.Zone()))
	}
	series := house.Keys{}.Founding("", "", book, "").Series
	if err := (journal.Game{Series: series, Day: "2000-01-01"}).Check(); err != nil {
		faults = append(faults, rulebook.FaultAt(book, "rulebook", "games bear the id: %v", err))
	}
	return faults
}

// cautions returns what of a sound rulebook a founder should know: its warnings, that it begins later, and what of it
// waits for a decision.
func cautions(book *rulebook.Book, now time.Time) rulebook.Faults {
	all := book.Warnings()
	if from := book.From(); from.String() > now.Format(time.DateOnly) {
		all = append(all, rulebook.FaultAt(book, "effective.from", "no ticket is sold before %v (clause %s)", from,
			rulebook.Quoted(book.EffectiveClause())))
	}
	for _, u := range book.Examples() {
		all = append(all, rulebook.FaultAt(book, u.Path, "is an example (clause %s), and no house is founded by examples; "+
			"an edition writes what was decided", u.Clause))
	}
	return all
}

// looksLikePath reports whether a name can only mean a file.
func looksLikePath(name string) bool {
	return strings.ContainsRune(name, os.PathSeparator) || strings.HasSuffix(name, ".yaml") ||
		strings.HasSuffix(name, ".yml")
}

// mostFile is the most that is read of a file: more than the largest rulebook, so that the reader of
// rulebooks says how long the file may be.
const mostFile = 1<<20 + 1

// readBook reads a rulebook from a file. A file that cannot be read is an error of
// the argument; one that has faults is refused with all of them.
func readBook(argument, path string) (*rulebook.Book, []byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, misused(argument, err)
	}
	data, err := io.ReadAll(io.LimitReader(file, mostFile))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, nil, misused(argument, err)
	}
	book, err := loadFile(path, data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s has faults:\n%w", path, err)
	}
	return book, data, nil
}

// isDirectory reports whether a path names a directory that is there.
func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
