package game

import (
	"fmt"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/rulebook"
)

// ExamplesLeft refuses a rulebook of which values wait for a decision.
const ExamplesLeft refusal.Code = "examples_left"

// checkDecided refuses a rulebook with examples in a house that sells by decided values. A demonstration that was
// founded with examples plays by them.
func checkDecided(s *state.State, book *rulebook.Book) error {
	waiting := book.Examples()
	if len(waiting) == 0 {
		return nil
	}
	for series := range s.AllSeries() {
		if len(series.Book.Examples()) > 0 {
			return nil
		}
	}
	var paths []string
	for _, u := range waiting {
		paths = append(paths, fmt.Sprintf("%s (clause %s)", u.Path, u.Clause))
	}
	return &refusal.Refusal{Code: ExamplesLeft, Path: "rulebook", Clause: waiting[0].Clause,
		Sentence: fmt.Sprintf("Examples are not for sale: %s wait for a decision. Adopt an edition that has the values.",
			strings.Join(paths, ", "))}
}
