package game

import (
	"fmt"

	"drawhouse/jackpot"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/rulebook"
	"drawhouse/state"
)

// The codes with which a change between games is refused.
const (
	RulebookUnknown refusal.Code = "rulebook_unknown"   // the rulebook was not adopted
	ScheduleUnknown refusal.Code = "schedule_unknown"   // the rulebook has no such schedule
	ApprovalMissing refusal.Code = "approval_missing"   // nobody has approved it
	GameNotAhead    refusal.Code = "game_not_ahead"     // the game has opened, or lies before one that was announced
	NoDelayedStart  refusal.Code = "no_delayed_start"   // the rulebook takes entries for the open game only
	NoJackpot       refusal.Code = "no_jackpot"         // there is no jackpot of this size
	MoveUnknown     refusal.Code = "move_unknown"       // no such move of jackpot money
	NumbersOfOthers refusal.Code = "other_game_numbers" // the rulebook's games are of other numbers
)

// ChangeTerms announces the rulebook and the schedule of a series from a game on.
// The change is an event of its own: games before it keep the terms under which
// they opened, and a ticket of many games plays each under that game's.
//
//rule:vic-keno-2015 2(a).schedule-of-prizes
func ChangeTerms(s *state.State, c record.TermsChanged) (*record.TermsChanged, error) {
	current, err := seriesOf(s, c.Series)
	if err != nil {
		return nil, err
	}
	book, ok := s.Book(c.Rulebook)
	if !ok {
		return nil, &refusal.Refusal{Code: RulebookUnknown, Path: "rulebook", Sentence: "There is no such rulebook in this house."}
	}
	if _, ok := book.Schedule(c.Schedule); !ok {
		return nil, &refusal.Refusal{Code: ScheduleUnknown, Path: "schedule", Sentence: fmt.Sprintf("%s has no schedule %q.", book.ID(), c.Schedule)}
	}
	if c.Approval == "" {
		return nil, &refusal.Refusal{Code: ApprovalMissing, Path: "approval", Sentence: "A change of terms needs the reference of its approval."}
	}
	if err := checkAhead(current, c.From); err != nil {
		return nil, err
	}
	if changes := current.Changes(); len(changes) > 0 && c.From < changes[len(changes)-1].From {
		return nil, &refusal.Refusal{Code: GameNotAhead, Path: "from", Sentence: fmt.Sprintf("A change from game %d of the series is announced already.", changes[len(changes)-1].From)}
	}
	if d, ok := current.LastDesignated(); ok && c.From <= d.Ordinal {
		return nil, &refusal.Refusal{Code: GameNotAhead, Path: "from", Sentence: fmt.Sprintf("Tickets are sold for game %d of the series already.", d.Ordinal)}
	}
	if err := checkSameGames(current, book); err != nil {
		return nil, err
	}
	return &c, nil
}

// checkSameGames refuses a rulebook under which the series could not go on: of
// other numbers, or with jackpots that nobody has begun.
func checkSameGames(series *state.Series, book *rulebook.Book) error {
	of, draw := series.Book.Numbers()
	if thisOf, thisDraw := book.Numbers(); thisOf != of || thisDraw != draw {
		return &refusal.Refusal{Code: NumbersOfOthers, Path: "rulebook", Sentence: fmt.Sprintf("The games of this series draw %d of %d numbers.", draw, of)}
	}
	jackpots, ok := book.Jackpots()
	if !ok {
		return nil
	}
	for _, pool := range jackpots.Pools {
		if _, ok := series.Pool(uint8(pool.Spots)); !ok {
			return &refusal.Refusal{Code: NoJackpot, Path: "rulebook", Sentence: fmt.Sprintf("The series has no jackpot of %d spots.", pool.Spots)}
		}
	}
	return nil
}

func checkAhead(series *state.Series, ordinal uint32) error {
	if newest := series.Newest(); ordinal == 0 || newest != nil && ordinal <= newest.Ordinal {
		return &refusal.Refusal{Code: GameNotAhead, Path: "from", Sentence: fmt.Sprintf("Game %d of the series is not ahead.", ordinal)}
	}
	return nil
}

// Designate announces a later game of the open Keno Day for which entries are taken
// from now on. The day does not end before it.
//
//rule:vic-keno-2015 9(h) 2(a).delayed-start-game
func Designate(s *state.State, series uint8, ordinal uint32) (*record.GameDesignated, error) {
	current, err := openSeries(s, series)
	if err != nil {
		return nil, err
	}
	games := current.Book.Games()
	if !games.Delayed.Allowed {
		return nil, &refusal.Refusal{Code: NoDelayedStart, Sentence: fmt.Sprintf("Under %s every entry is for the game that is open.", current.Book.ID())}
	}
	if err := checkAhead(current, ordinal); err != nil {
		return nil, err
	}
	if known, ok := current.LastDesignated(); ok && ordinal <= known.Ordinal {
		return nil, &refusal.Refusal{Code: GameNotAhead, Path: "game", Sentence: fmt.Sprintf("Game %d of the series is announced already.", known.Ordinal)}
	}
	if changes := current.Changes(); len(changes) > 0 && changes[0].From <= ordinal {
		return nil, &refusal.Refusal{Code: GameNotAhead, Path: "game", Sentence: fmt.Sprintf("The terms change from game %d of the series on.", changes[0].From)}
	}
	newest := current.Newest()
	if newest == nil || newest.Ref.Day != current.Day {
		return nil, &refusal.Refusal{Code: NoGameOpen, Sentence: "No game of this Keno Day has opened yet."}
	}
	number := int64(newest.Ref.Number) + int64(ordinal-newest.Ordinal)
	if number > int64(games.Numbering.Last) {
		return nil, &refusal.Refusal{
			Code: NumbersUsedUp, Clause: games.Numbering.Quoted(), Path: "game",
			Sentence: fmt.Sprintf("The last game of Keno Day %v has number %d.", current.Day, games.Numbering.Last),
		}
	}
	return &record.GameDesignated{Game: record.Game{Series: series, Day: current.Day, Number: uint16(number)}, Ordinal: ordinal}, nil
}

// NameParticipants says who shares the jackpots from a game on.
//
//rule:vic-keno-2015 2(a).pooled-jackpot
func NameParticipants(s *state.State, p record.ParticipantsNamed) (*record.ParticipantsNamed, error) {
	current, err := seriesOf(s, p.Series)
	if err != nil {
		return nil, err
	}
	if err := checkAhead(current, p.From); err != nil {
		return nil, err
	}
	if jackpots, ok := current.Book.Jackpots(); len(p.Names) > 0 && (!ok || !jackpots.Pooled) {
		return nil, &refusal.Refusal{Code: jackpot.NotPooled, Path: "names", Sentence: "These jackpots are not shared with other jurisdictions."}
	}
	return &p, nil
}

// The moves of jackpot money that a regulator may approve.
const (
	MoveLend       = "lend"       // the operator lends a seed
	MoveReallocate = "reallocate" // from the secondary to the primary
	MoveSetAside   = "set_aside"  // from the secondary to prizes of the same jackpot
)

// MovePool moves jackpot money between games, as approved.
//
//rule:tas-keno-2023 7.4(i) 7.5(a) 7.6(a)
func MovePool(s *state.State, series, spots uint8, move string, amount money.Amount, approval string) (*record.PoolMoved, []ledger.Posting, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, nil, err
	}
	terms, err := jackpotTerms(current.Book, current.Schedule)
	if err != nil {
		return nil, nil, err
	}
	pool, ok := current.Pool(spots)
	if !ok || terms == nil {
		return nil, nil, &refusal.Refusal{Code: NoJackpot, Path: "spots", Sentence: fmt.Sprintf("There is no jackpot of %d spots.", spots)}
	}
	do, ok := map[string]func(jackpot.Pool, money.Amount, jackpot.Approval) (jackpot.Pool, jackpot.Movement, error){
		MoveLend: terms.Lend, MoveReallocate: terms.Reallocate, MoveSetAside: terms.SetAside,
	}[move]
	if !ok {
		return nil, nil, &refusal.Refusal{Code: MoveUnknown, Path: "move", Sentence: fmt.Sprintf("Jackpot money cannot be moved by %q.", move)}
	}
	after, moved, err := do(pool, amount, jackpot.Approval{Reference: approval})
	if err != nil {
		return nil, nil, err
	}
	return &record.PoolMoved{Series: series, Move: move, AmountCents: amount, Approval: approval, Pools: []record.Pool{poolRecord(after)}},
		ledger.Merge(movePostings(after, moved)...), nil
}
