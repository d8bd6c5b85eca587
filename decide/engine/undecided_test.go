package engine

import (
	"testing"

	"drawhouse/decide/game"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestExamplesAreNotForSale: a house that was founded with decided values does not go over to examples, and begins
// no series with them; a demonstration that was founded with examples plays by them.
func TestExamplesAreNotForSale(t *testing.T) {
	base, err := rules.Book("vic-keno-2015")
	must(t, err)
	text := []byte(rulebook.EditionOf(base))
	edition, err := rulebook.Read(text, func(hash rulebook.Hash) (*rulebook.Book, bool) {
		return base,
			hash == base.Hash()
	})
	must(t, err)
	real := newRigBy(t, "decided", Founding{Book: edition, Text: text, Reference: "letter 1", Bases: BasisOf(base)})
	terms := record.TermsChanged{Series: series, From: 5, Rulebook: record.Hash(base.Hash()), Schedule: "schedule-1",
		Approval: "letter 2"}
	begin := record.SeriesBegun{Series: 2, Name: "second", Rulebook: record.Hash(base.Hash()), Schedule: "schedule-1",
		Interval: 180, Approval: "letter 3"}
	_, err = game.ChangeTerms(real.engine.state, terms)
	wantRefusal(t, err, game.ExamplesLeft)
	_, err = game.BeginSeries(real.engine.state, begin)
	wantRefusal(t, err, game.ExamplesLeft)
	terms.Rulebook = record.Hash(edition.Hash())
	_, err = game.ChangeTerms(real.engine.state, terms)
	must(t, err)
	shown := newRig(t, "shown")
	_, err = game.ChangeTerms(shown.engine.state,
		record.TermsChanged{Series: series, From: 5, Rulebook: record.Hash(base.Hash()),
			Schedule: "schedule-1", Approval: "letter 2"})
	must(t, err)
	_, err = game.BeginSeries(shown.engine.state, begin)
	must(t, err)
}
