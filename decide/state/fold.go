package state

import (
	"slices"

	"drawhouse/journal/record"
)

// A fold applies a record of one kind to the state.
type fold = func(*State, record.Record) error

type folding = record.Entry[fold]

// folds are what each kind of record does. TestEveryKindIsApplied shows that none is missing.
var folds = record.NewTable(slices.Concat(
	houseFolds, gameFolds, termsFolds, deviceFolds, moneyFolds, claimFolds, otherFolds, venueFolds, placeFolds(),
	peopleFolds(), hallFolds, sessionFolds, bingoFolds, offerFolds,
)...)

// fold applies what the record says, its money apart.
func (s *State) fold(r record.Record) error {
	apply, ok := folds.Of(r.Kind())
	if !ok {
		return cannot("nothing applies %T", r.Body)
	}
	return apply(s, r)
}

// on applies the records whose body has one type.
func on[B record.Body](apply func(*State, B) error) folding {
	return folding{Kind: record.KindFor[B](), Do: func(s *State, r record.Record) error {
		return apply(s, r.Body.(B)) //nolint:errcheck // The table is asked by the kind of the record.
	}}
}

// at is on for what depends on the time of the record.
func at[B record.Body](apply func(*State, B, record.Time) error) folding {
	return folding{Kind: record.KindFor[B](), Do: func(s *State, r record.Record) error {
		return apply(s, r.Body.(B), r.Time) //nolint:errcheck // As above.
	}}
}

// plain is on for what can follow any record.
func plain[B record.Body](apply func(*State, B)) folding {
	return on(func(s *State, b B) error {
		apply(s, b)
		return nil
	})
}

// houseFolds are about the house and its places.
var houseFolds = []folding{
	on((*State).beginVolume),
	on((*State).raiseLevel),
	on((*State).nameBuild),
	on((*State).adoptRulebook),
	on((*State).beginSeries),
	on((*State).addVenue),
	on((*State).renameVenue),
	on((*State).listVenue),
	on((*State).addTerminal),
	on((*State).burnRequest),
	plain((*State).nameWitnesses),
	on((*State).witnessJournal),
	on((*State).beginLog),
	on((*State).witnessLog),
}

// gameFolds are about days, games and the tickets that play in them.
var gameFolds = []folding{
	at((*State).openDay),
	on((*State).closeDay),
	on((*State).openGame),
	on((*State).sellTicket),
	at((*State).closeGame),
	at((*State).sealGame),
	on((*State).witnessGame),
	on((*State).drawNumber),
	on((*State).finishDraw),
	on((*State).confirmResult),
	on((*State).voidDraw),
	on((*State).voidGame),
	at((*State).settleGame),
	on((*State).correctResult),
	on((*State).carryPrizes),
	on((*State).payTicket),
	on((*State).cancelTicket),
}

// termsFolds are about what changes between games.
var termsFolds = []folding{
	on((*State).openPool),
	on((*State).movePool),
	on((*State).takeInPools),
	on((*State).nameParticipants),
	on((*State).report),
	on((*State).announceTerms),
	on((*State).designateGame),
	on((*State).pause),
	on((*State).resume),
	on((*State).announceClosure),
	on((*State).showNotice),
	on((*State).beginPromotion),
	on((*State).changePromotion),
	on((*State).moveBonus),
	on((*State).allocateBonus),
}
