package lab

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"drawhouse"
	"drawhouse/core/figure"
	"drawhouse/games/bingo"
	"drawhouse/internal/directives"
	"drawhouse/internal/matrix"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// rulebookParts writes the folder of every rulebook, and a list of them.
func (p *pack) rulebookParts() error {
	found, err := clauseCode()
	if err != nil {
		return err
	}
	if p.results, err = p.runCases(); err != nil {
		return err
	}
	results := p.results
	list := [][]string{{"folder", "rulebook", "edition", "built_in", "sha256_of_canonical_form", "clauses", "cases", "failed"}}
	for _, b := range p.books {
		row := []string{"rulebooks/" + b.Name, b.Book.ID(), strconv.FormatUint(uint64(b.Book.Edition()), 10),
			strconv.FormatBool(b.BuiltIn), b.Book.Hash().String(), "", "", ""}
		if b.BuiltIn {
			clauses, err := p.clausePart(b, found, results[b.Name])
			if err != nil {
				return fmt.Errorf("%s: %w", b.Name, err)
			}
			all, failed := count(results[b.Name])
			row[5], row[6], row[7] = strconv.Itoa(clauses), strconv.Itoa(all), strconv.Itoa(failed)
			p.fact("Rulebook `%s`: %s, %s, %d failed.", b.Name, figure.Count(clauses, "clause"), figure.Count(all, "case"), failed)
		} else if err := p.editionPart(b); err != nil {
			return fmt.Errorf("%s: %w", b.Name, err)
		}
		if err := p.oddsPart(b); err != nil {
			return fmt.Errorf("%s: %w", b.Name, err)
		}
		list = append(list, row)
	}
	return p.putCSV("rulebooks/rulebooks.csv", list)
}

// clauseCode returns which functions of the program name which clauses.
func clauseCode() (found []directives.Directive, err error) {
	for _, code := range drawhouse.Sources() {
		some, err := directives.ReadFrom(code)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}

// A clauseRow is a row of the clause matrix, as programs read it.
type clauseRow struct {
	Clause      string   `json:"clause"`
	Says        string   `json:"says"`
	Disposition string   `json:"disposition"`
	Threshold   bool     `json:"threshold"`
	Values      []string `json:"values"`
	Code        []string `json:"code"`
	Support     string   `json:"support"`
	CaseFile    string   `json:"case_file"`
	Cases       int      `json:"cases"`
	Failed      int      `json:"failed"`
}

// clausePart writes a rulebook that is built in, its clauses with what stands behind each, and its cases with their
// results.
func (p *pack) clausePart(b Book, found []directives.Directive, results []Result) (clauses int, err error) {
	folder := "rulebooks/" + b.Name + "/"
	m, err := matrix.Of(b.Name, found)
	if err != nil {
		return 0, err
	}
	byClause := map[string][]Result{}
	for _, r := range results {
		byClause[r.Clause] = append(byClause[r.Clause], r)
	}
	var rows []clauseRow
	lines := [][]string{{"clause", "says", "disposition", "threshold", "values", "code", "support", "case_file", "cases", "failed"}}
	var page table
	fmt.Fprintf(&page, "# Clauses of %s\n\n%s.\n\nClauses are in our own words: hold each against the document. Code is named as package.Function; "+
		"values are paths in [book.yaml](book.yaml).\n\n", b.Name, m.Source)
	page.head("clause", "says", "is", "where", "cases", "failed")
	for _, c := range m.Rows {
		row := clauseRow{Clause: c.ID, Says: c.Says, Disposition: string(c.Is), Threshold: c.Threshold,
			Values: emptyNotNil(c.Values), Code: emptyNotNil(c.Code), Support: c.Support}
		if c.Cases != "" {
			row.CaseFile = "cases/" + path.Base(c.Cases)
		}
		row.Cases, row.Failed = count(byClause[c.ID])
		rows = append(rows, row)
		lines = append(lines, []string{row.Clause, row.Says, row.Disposition, strconv.FormatBool(row.Threshold),
			strings.Join(row.Values, " ; "), strings.Join(row.Code, " ; "), row.Support, row.CaseFile, strconv.Itoa(row.Cases),
			strconv.Itoa(row.Failed)})
		// Names of case files have brackets, which end a link.
		link := strings.NewReplacer("(", "%28", ")", "%29").Replace(row.CaseFile)
		page.row(c.ID, matrix.Cell(c.Says), string(c.Is), c.Where("book.yaml", link), strconv.Itoa(row.Cases),
			strconv.Itoa(row.Failed))
	}
	readings, err := rules.ReadingsOf(b.Name)
	if err != nil {
		return 0, err
	}
	if err := p.put(folder+"book.yaml", b.Text); err != nil {
		return 0, err
	}
	if err := p.put(folder+"clauses.md", []byte(page.String())); err != nil {
		return 0, err
	}
	if err := p.putCSV(folder+"clauses.csv", lines); err != nil {
		return 0, err
	}
	if err := p.putJSON(folder+"clauses.json", rows); err != nil {
		return 0, err
	}
	if err := p.putJSON(folder+"readings.json", readingRows(readings)); err != nil {
		return 0, err
	}
	return len(rows), p.casePart(folder, b.Name, results)
}

// readingRow is a decision where a document is silent or unclear.
type readingRow struct {
	ID       string   `json:"id"`
	Clauses  []string `json:"clauses"`
	Question string   `json:"question"`
	Reading  string   `json:"reading"`
	Why      string   `json:"why"`
}

func readingRows(r rules.Readings) []readingRow {
	rows := []readingRow{}
	for _, one := range r.Readings {
		rows = append(rows, readingRow(one))
	}
	return rows
}

func emptyNotNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// casePart writes the case files as the program carries them, and what came of each case.
func (p *pack) casePart(folder, id string, results []Result) error {
	names, err := fs.Glob(rules.CaseFiles, id+"/cases/*.txt")
	if err != nil {
		return err
	}
	for _, name := range names {
		data, err := rules.CaseFiles.ReadFile(name)
		if err != nil {
			return err
		}
		if err := p.put(folder+"cases/"+path.Base(name), data); err != nil {
			return err
		}
	}
	rows := [][]string{{"clause", "case_file", "line", "kind", "scenario", "limit", "case", "expects", "result", "detail"}}
	for _, r := range results {
		block := ""
		if r.Block > 0 {
			block = strconv.Itoa(r.Block)
		}
		rows = append(rows, []string{r.Clause, r.File, strconv.Itoa(r.Line), r.Kind, block, r.Limit, r.Case, r.Expects,
			r.Outcome, r.Detail})
		if r.Outcome == failed {
			p.fail("rulebook %s, clause %s: the case at %s:%d fails: %s", id, r.Clause, r.File, r.Line, firstLine(r.Detail))
		}
	}
	return p.putCSV(folder+"cases.csv", rows)
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// editionPart writes a rulebook that a journal adopted and the program does not carry: its file, its canonical form,
// and how it differs from the rulebook of its name that the program carries.
func (p *pack) editionPart(b Book) error {
	folder := "rulebooks/" + b.Name + "/"
	if len(b.Text) > 0 {
		if err := p.put(folder+"book.yaml", b.Text); err != nil {
			return err
		}
	}
	if err := p.put(folder+"canonical.cbor", b.Book.Canonical()); err != nil {
		return err
	}
	var differences bytes.Buffer
	base, err := rules.Book(b.Book.ID())
	if err != nil {
		fmt.Fprintf(&differences, "No rulebook %s is built in: its clauses have no cases here.\n", b.Book.ID())
	} else {
		changes := rulebook.Diff(base, b.Book)
		fmt.Fprintf(&differences, "%s between the rulebook %s that is built in (%v) and the adopted one (%v).\n"+
			"Cases are those of the rulebook that is built in: they are not run under an edition.\n\n",
			figure.Count(len(changes), "difference"), base.ID(), base.Hash(), b.Book.Hash())
		for _, c := range changes {
			fmt.Fprintf(&differences, "%s: %s -> %s\n", c.Path, c.Old, c.New)
		}
	}
	p.fact("Rulebook `%s`: adopted in the journal and not built in; no cases are run under it.", b.Name)
	return p.put(folder+"differences.txt", differences.Bytes())
}

// oddsPart writes the odds of a rulebook, those of bingo with the chance of every pattern after every call as a
// fraction.
func (p *pack) oddsPart(b Book) error {
	folder := "rulebooks/" + b.Name + "/"
	p.progress.tell("odds", 0, 1)
	text, machine, err := p.program.Odds(b.Argument)
	if err != nil {
		return fmt.Errorf("odds: %w", err)
	}
	if err := p.put(folder+"odds.txt", text); err != nil {
		return err
	}
	if err := p.put(folder+"odds.json", machine); err != nil {
		return err
	}
	if _, ok := b.Book.Bingo(); !ok {
		return nil
	}
	form, err := bingo.NewForm(b.Book)
	if err != nil {
		return err
	}
	patterns, err := bingo.NewPatterns(form, b.Book.Patterns())
	if err != nil {
		return err
	}
	rows := [][]string{{"pattern", "calls", "chance_numerator", "chance_denominator"}}
	for i := range patterns.Len() {
		for calls := range int(form.Universe()) + 1 {
			chance := patterns.Chance(i, calls)
			rows = append(rows, []string{patterns.At(i).ID, strconv.Itoa(calls), chance.Num().String(),
				chance.Denom().String()})
		}
	}
	return p.putCSV(folder+"odds.csv", rows)
}
