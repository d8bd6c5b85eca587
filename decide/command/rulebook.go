package command

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"drawhouse/core/figure"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// The codes of rulebooks that an operator brings.
const (
	RulebookFaulty refusal.Code = "rulebook_faulty"   // the file has faults, or no game can be held by it
	RulebookTaken  refusal.Code = "rulebook_id_taken" // the id is of a rulebook of the program, or of a later edition
)

func init() {
	register[AdoptFile](act("operator", record.ActionFile, "adopt-rulebook-file", "/v1/operator/rulebooks/files",
		"Ask for a rulebook of the operator to be adopted from its file",
		"approval_missing rulebook_adopted rulebook_faulty rulebook_id_taken").said(RulebookFile{}))
}

// FileText is the text of a file: of many lines, and longer than what a person types.
type FileText string

// RulebookFile is the body with which a file of the operator is to be adopted.
type RulebookFile struct {
	Text      FileText `json:"text" of:"rulebook-file" doc:"The whole file, YAML."`
	Reference string   `json:"reference" doc:"Of the decision outside the house that allows it."`
}

// AdoptFile brings a rulebook of the operator into the journal, with the text of its file, so that
// terms can name it.
type AdoptFile struct {
	ID        string   `json:"id" doc:"Id that the file gives to its rulebook."`
	Edition   int      `json:"edition" doc:"Edition that the file says it is."`
	Hash      string   `json:"hash" doc:"Hash of the rulebook, 64 hexadecimal digits."`
	Reference string   `json:"reference" doc:"Of the decision outside the house that allows it."`
	Text      FileText `json:"text" doc:"The whole file, YAML."`
}

// ReadFile returns the act that a file comes to, or what is wrong with the file. The base of an edition is
// found by find.
func ReadFile(file RulebookFile, find rulebook.Finder) (AdoptFile, *rulebook.Book, error) {
	book, err := rulebook.Read([]byte(file.Text), find)
	if err != nil {
		return AdoptFile{}, nil, faulty(err)
	}
	return AdoptFile{ID: book.ID(), Edition: book.Edition(), Hash: book.Hash().String(), Reference: file.Reference,
		Text: file.Text}, book, nil
}

// Words implements Act.
func (c AdoptFile) Words() string {
	return fmt.Sprintf("Adopt the operator's rulebook %s, edition %d, hash %s, by decision %q. "+
		"The file has %d bytes and the SHA-256 %x.",
		c.ID, c.Edition, c.Hash, c.Reference, len(c.Text), sha256.Sum256([]byte(c.Text)))
}

// Decide implements Command.
func (c AdoptFile) Decide(s *state.State, _ *Env) (Decision, error) {
	adopted := func(hash rulebook.Hash) (*rulebook.Book, bool) { return s.Book(record.Hash(hash)) }
	said, book, err := ReadFile(RulebookFile{Text: c.Text, Reference: c.Reference}, adopted)
	switch {
	case err != nil:
		return Decision{}, err
	case said != c:
		return Decision{}, &refusal.Refusal{Code: RulebookFaulty, Path: "text",
			Sentence: fmt.Sprintf("The file is %s, edition %d, hash %s, and the request says otherwise.", said.ID,
				said.Edition, said.Hash)}
	case c.Reference == "":
		return Decision{}, &refusal.Refusal{Code: game.ApprovalMissing, Path: "reference",
			Sentence: "A rulebook of the operator needs the reference of its approval."}
	}
	hash := record.Hash(book.Hash())
	if _, ok := s.Book(hash); ok {
		return Decision{}, &refusal.Refusal{Code: RulebookAdopted, Path: "text",
			Sentence: fmt.Sprintf("The house has adopted this edition of %s already.", c.ID)}
	}
	if err := CheckOwn(book); err != nil {
		return Decision{}, err
	}
	if base, ok := book.Base(); ok {
		if _, has := adopted(base); !has {
			return Decision{}, &refusal.Refusal{Code: RulebookFaulty, Path: "text",
				Sentence: fmt.Sprintf("The base of this edition, hash %v, is not adopted. Adopt it first.", base)}
		}
	}
	if newest := s.NewestEdition(c.ID); c.Edition <= newest {
		return Decision{}, &refusal.Refusal{Code: RulebookTaken, Path: "text",
			Sentence: fmt.Sprintf("The house has edition %d of %s. A further file of this id has a higher edition.",
				newest, c.ID)}
	}
	return plain(&record.RulebookAdopted{ID: c.ID, Hash: hash, Book: book.Canonical(), Text: []byte(c.Text),
		Reference: c.Reference}, nil)
}

// CheckOwn refuses a rulebook of an operator that no house can be run by; see [Unfit].
func CheckOwn(book *rulebook.Book) error {
	faults := Unfit(book)
	switch {
	case len(faults) == 0:
		return nil
	case faults[0].Path == idPath:
		return &refusal.Refusal{Code: RulebookTaken, Path: "text", Sentence: fmt.Sprintf("rulebook: %s.",
			faults[0].Message)}
	}
	return &refusal.Refusal{Code: RulebookFaulty, Path: "text",
		Sentence: fmt.Sprintf("No house can be run by this rulebook: %s: %s.", faults[0].Path, faults[0].Message)}
}

// Bounds of rulebooks that a house is run by.
const (
	mostTitle = 200  // characters of a title, which stands on tickets
	lastYear  = 2199 // in which rules can begin
)

// idPath is the path of the id of a rulebook.
const idPath = "rulebook"

// Unfit returns why no house can be run by a rulebook of an operator whose file is sound. The id must not be that of
// a rulebook of the program unless the rulebook is an edition of it: its clauses would be looked up in a document
// that it is not of. Whether the machine knows the time zone is asked elsewhere: what decides knows no time zones.
func Unfit(book *rulebook.Book) rulebook.Faults {
	var faults rulebook.Faults
	add := func(path, format string, args ...any) {
		faults = append(faults, rulebook.FaultAt(book, path, format, args...))
	}
	if _, edition := book.Base(); !edition && slices.Contains(rules.IDs(), book.ID()) {
		add(idPath, "%s is a rulebook of the program. A whole rulebook has an id of its own, and an edition names its base",
			book.ID())
	}
	if n := utf8.RuneCountInString(book.Title()); n > mostTitle {
		add("title", "has %d characters; a ticket has room for %d", n, mostTitle)
	}
	if year, _, _ := book.From().Date(); year > lastYear {
		add("effective.from", "is in the year %d: no ticket could be sold before that", year)
	}
	return append(faults, game.Unplayable(book)...)
}

// mostFaults is how many faults of a file a refusal names.
const mostFaults = 10

// faulty refuses a file with its faults, each with its line and the value that it is about.
func faulty(err error) error {
	var faults rulebook.Faults
	if !errors.As(err, &faults) {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The file has %s.", figure.Count(len(faults), "fault"))
	for i, f := range faults {
		if i == mostFaults {
			fmt.Fprintf(&b, " And %d more.", len(faults)-i)
			break
		}
		fmt.Fprintf(&b, " Line %d", f.Line)
		if f.Path != "" {
			fmt.Fprintf(&b, ", %s", f.Path)
		}
		fmt.Fprintf(&b, ": %s.", strings.TrimSuffix(f.Message, "."))
	}
	return &refusal.Refusal{Code: RulebookFaulty, Path: "text", Sentence: b.String()}
}
