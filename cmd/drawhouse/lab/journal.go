package lab

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/core/figure"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// known are the hashes of the rulebooks that the program carries.
func known() (hashes []record.Hash, err error) {
	for _, id := range rules.IDs() {
		book, err := rules.Book(id)
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, record.Hash(book.Hash()))
	}
	return hashes, nil
}

// journalPart has package verify grade the journal that was given, or writes one journal of a case for each rulebook.
func (p *pack) journalPart() error {
	if p.given.Journal {
		dir, err := export.OpenDir(filepath.Join(p.folder, filepath.FromSlash(journalDir)))
		if err != nil {
			return err
		}
		return errors.Join(p.graded("journal/", journalDir, dir, "the journal that was given"), dir.Close())
	}
	for _, b := range p.books {
		if !b.BuiltIn {
			continue
		}
		journal, of, err := journalOf(b, p.results[b.Name])
		if err != nil {
			return err
		}
		if journal == nil {
			p.fact("Journal of `%s`: none, because no case of this rulebook leaves one.", b.Name)
			continue
		}
		folder := "journal/" + b.Name + "/"
		for _, name := range slices.Sorted(maps.Keys(journal)) {
			if err := p.put(folder+"export/"+name, journal[name]); err != nil {
				return err
			}
		}
		what := fmt.Sprintf("the house that the case at line %d of rulebooks/%s/%s has played", of.Line, b.Name, of.File)
		if err := p.graded(folder, folder+"export", journal, what); err != nil {
			return err
		}
	}
	return nil
}

// graded writes what package verify says of an export.
func (p *pack) graded(folder, dir string, from verify.Source, what string) error {
	hashes, err := known()
	if err != nil {
		return err
	}
	report := verify.Run(from, verify.Options{HasClause: rules.Has, Rulebooks: hashes,
		Progress: func(done, total uint64) { p.progress.tell("records", int64(done), int64(total)) }})
	if !report.OK() {
		p.fail("%sverify.txt: %s does not hold: %v", folder, what, report.Failure)
	}
	verdict := "verified"
	if !report.OK() {
		verdict = "DOES NOT HOLD"
	}
	p.fact("Journal [%s](%sverify.txt): %s; %s, %s.", dir, folder, what, figure.Count(report.Records, "record"), verdict)
	var text bytes.Buffer
	if err := report.WriteText(&text); err != nil {
		return err
	}
	if err := p.put(folder+"verify.txt", text.Bytes()); err != nil {
		return err
	}
	return p.putJSON(folder+"verify.json", report)
}
