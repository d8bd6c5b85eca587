package engine

import (
	"fmt"

	"drawhouse/books"
	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// OpenDay begins a Keno Day.
func (e *Engine) OpenDay(now record.Time, series uint8, d day.Day, offsetSeconds int32) error {
	_, err := e.Do(now, command.OpenDay{Day: d.String(), OffsetSeconds: offsetSeconds}, command.Env{Series: series})
	return err
}

// CloseDay ends the Keno Day that is open.
func (e *Engine) CloseDay(now record.Time, series uint8) error {
	var open day.Day
	if current, ok := e.state.Series(series); ok {
		open = current.Day
	}
	_, err := e.Do(now, command.CloseDay{Day: open.String()}, command.Env{Series: series})
	return err
}

// BookSoFar returns the book of the day that is under way, as it stands.
func (e *Engine) BookSoFar(series uint8, d day.Day) *books.Book {
	return e.books.Peek(series, &record.DayClosed{Series: series, Day: d})
}

// Tied says of the book of a trading day what in it does not tie (books.Book.Ties).
type Tied struct {
	Series uint8
	Day    day.Day
	Faults []string
}

// TakeTied returns what there is to say of the book of the Keno Day that was closed last, once. A house whose books do
// not tie goes on: a person has to look at them.
func (e *Engine) TakeTied() (Tied, bool) {
	if e.tied == nil {
		return Tied{}, false
	}
	tied := *e.tied
	e.tied = nil
	return tied, true
}

// SoldLately returns what was done at a venue, or anywhere if it is 0, in each of the last
// minutes.
func (e *Engine) SoldLately(venue uint32, now record.Time) []books.Minute {
	return e.books.Lately(venue, now)
}

// OpenGame puts the next game on sale.
func (e *Engine) OpenGame(now record.Time, series uint8, closes record.Time) error {
	if err := staff.CheckGame(e.state, max(now, e.state.Now()), series); err != nil {
		return err
	}
	if err := game.CheckTrading(e.state, series, max(now, e.state.Now())); err != nil {
		return err
	}
	opened, err := game.Open(e.state, series, closes)
	if err != nil {
		return err
	}
	_, err = e.append(now, opened, nil)
	return err
}

// CloseGame closes and seals the open game. The seal is over the journal that
// ends with the close, and its record follows it at once.
func (e *Engine) CloseGame(now record.Time, series uint8) error {
	closed, postings, err := game.Close(e.state, series)
	if err != nil {
		return err
	}
	if _, err := e.append(now, closed, postings); err != nil {
		return err
	}
	current, _ := e.state.Series(series)
	ordinal := current.Newest().Ordinal
	sealed, err := game.Seal(e.state, series, ordinal, e.checkpoint(), e.house)
	if err == nil {
		_, err = e.append(now, sealed.Record, nil)
	}
	if err != nil {
		// The close is in the tree already, and a game that is closed without a
		// seal could never be drawn: nothing of this may become durable.
		panic(fmt.Errorf("engine: the seal of a closed game: %w", err))
	}
	for volume, bitmap := range sealed.Bitmaps {
		e.objects = append(e.objects, command.Object{Name: game.BitmapName(series, ordinal, volume),
			Data: bitmap.Bytes()})
	}
	return e.endLast(now, current, ordinal)
}

// endLast ends the game that was on sale when two persons said that no further game of the
// Keno Day is possible: they have agreed to that as well, and it will never be drawn.
func (e *Engine) endLast(now record.Time, series *state.Series, ordinal uint32) error {
	over := series.DayOver()
	if over == nil {
		return nil
	}
	return e.voidGame(now, series.ID, ordinal,
		game.Void{Reason: over.Void.Reason, Clause: over.Void.Clause, Approval: over.Void.Approval})
}

// TurnGame closes and seals the open game and puts the next on sale, so that sale
// does not stop while numbers are drawn. It does both or nothing.
func (e *Engine) TurnGame(now record.Time, series uint8, closes record.Time) error {
	if err := game.CheckNext(e.state, series); err != nil {
		return err
	}
	if err := staff.CheckGame(e.state, max(now, e.state.Now()), series); err != nil {
		return err
	}
	if err := game.CheckTrading(e.state, series, max(now, e.state.Now())); err != nil {
		return err
	}
	if closes <= 0 {
		return fmt.Errorf("engine: the next game would close at %d", closes)
	}
	if err := e.CloseGame(now, series); err != nil {
		return err
	}
	if err := e.OpenGame(now, series, closes); err != nil {
		panic(fmt.Sprintf("engine: the game after a closed one: %v", err)) // As in CloseGame.
	}
	return nil
}

// DrawNumber records the next number of a sealed game and the bytes that gave it.
func (e *Engine) DrawNumber(now record.Time, series uint8, ordinal uint32, number int, bytes []byte) error {
	drawn, err := game.Number(e.state, series, ordinal, number, bytes)
	if err != nil {
		return err
	}
	_, err = e.append(now, drawn, nil)
	return err
}

// FinishDraw records the device's signed statement of all numbers of a game.
func (e *Engine) FinishDraw(now record.Time, series uint8, ordinal uint32, note []byte) error {
	drawn, err := game.Drawn(e.state, series, ordinal, note)
	if err != nil {
		return err
	}
	_, err = e.append(now, drawn, nil)
	return err
}

// SettleGame settles a drawn game: from then on its prizes can be claimed.
func (e *Engine) SettleGame(now record.Time, series uint8, ordinal uint32) error {
	settled, err := game.Settle(e.state, series, ordinal)
	decision, err := command.Settled(series, ordinal, settled, err)
	return e.decided(now, decision, err)
}

// NameWitnesses says who cosigns.
func (e *Engine) NameWitnesses(now record.Time, w record.WitnessesNamed) error {
	if err := game.CheckWitnesses(e.state, w.Witnesses); err != nil {
		return err
	}
	_, err := e.append(now, &w, nil)
	return err
}

// WitnessGame records who has cosigned the seal of a game.
func (e *Engine) WitnessGame(now record.Time, series uint8, ordinal uint32, seal []byte, by []string) error {
	witnessed, err := game.Witnessed(e.state, series, ordinal, seal, by)
	if err != nil {
		return err
	}
	_, err = e.append(now, witnessed, nil)
	return err
}

// WitnessJournal records who has cosigned the journal behind a settlement. That the
// signatures hold is for the caller.
func (e *Engine) WitnessJournal(now record.Time, checkpoint []byte, by []string) error {
	_, err := e.append(now, &record.JournalWitnessed{Checkpoint: checkpoint, By: by}, nil)
	return err
}

// voidGame ends a game without a result, as two persons have agreed before.
func (e *Engine) voidGame(now record.Time, series uint8, ordinal uint32, v game.Void) error {
	decision, err := command.Voided(e.state, series, ordinal, v)
	return e.decided(now, decision, err)
}

// AdoptRulebook brings a rulebook into the journal.
func (e *Engine) AdoptRulebook(now record.Time, book *rulebook.Book) error {
	if _, ok := e.state.Book(record.Hash(book.Hash())); ok {
		return nil
	}
	_, err := e.append(now, &record.RulebookAdopted{ID: book.ID(), Hash: record.Hash(book.Hash()),
		Book: book.Canonical()}, nil)
	return err
}
