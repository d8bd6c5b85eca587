package engine

import (
	"errors"
	"fmt"

	"drawhouse/books"
	"drawhouse/command"
	"drawhouse/day"
	"drawhouse/game"
	"drawhouse/jackpot"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
	"drawhouse/staff"
	"drawhouse/state"
)

// OpenDay begins a Keno Day.
func (e *Engine) OpenDay(now record.Time, series uint8, d day.Day, offsetSeconds int32) error {
	opened, err := game.OpenDay(e.state, series, d, offsetSeconds)
	if err != nil {
		return err
	}
	if _, err = e.append(now, opened, nil); stops(err) {
		return err
	}
	if err := e.expirePapers(now, series, d); err != nil {
		return err
	}
	return errors.Join(err, e.sweepPrizes(now, series, d))
}

// CloseDay ends the Keno Day.
func (e *Engine) CloseDay(now record.Time, series uint8) error {
	closed, err := game.CloseDay(e.state, series)
	if err != nil {
		return err
	}
	book, err := e.books.Peek(series, closed).Encode()
	if err != nil {
		return err
	}
	closed.Books = books.Hash(book)
	if _, err = e.append(now, closed, nil); err != nil {
		return err
	}
	e.objects = append(e.objects, command.Object{Name: BookName(series, closed.Day), Data: book})
	return nil
}

// BookSoFar returns the book of the day that is under way, as it stands.
func (e *Engine) BookSoFar(series uint8, d day.Day) *books.Book {
	return e.books.Peek(series, &record.DayClosed{Series: series, Day: d})
}

// SoldLately returns what was done at a venue, or anywhere if it is 0, in each of the last
// minutes.
func (e *Engine) SoldLately(venue uint32, now record.Time) []books.Minute {
	return e.books.Lately(venue, now)
}

// BookName returns the name of the object that holds the book of a trading day.
func BookName(series uint8, d day.Day) string { return fmt.Sprintf("books/%d/%v", series, d) }

// OpenGame puts the next game on sale.
func (e *Engine) OpenGame(now record.Time, series uint8, closes record.Time) error {
	if err := staff.CheckGame(e.state, max(now, e.state.Now()), series); err != nil {
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
		panic(fmt.Sprintf("engine: the seal of a closed game: %v", err))
	}
	for volume, bitmap := range sealed.Bitmaps {
		e.objects = append(e.objects, command.Object{Name: BitmapName(series, ordinal, volume), Data: bitmap.Bytes()})
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
	return e.VoidGame(now, series.ID, ordinal, game.Void{Reason: over.Void.Reason, Clause: over.Void.Clause, Approval: over.Void.Approval})
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
	if err != nil {
		return err
	}
	return e.settled(now, series, ordinal, settled)
}

// settled appends a settlement, the prizes that run on first.
func (e *Engine) settled(now record.Time, series uint8, ordinal uint32, s game.Settled) error {
	for i := range s.Carried {
		if _, err := e.append(now, &s.Carried[i], nil); stops(err) {
			return err
		}
	}
	if _, err := e.append(now, s.Record, s.Postings); stops(err) && len(s.Carried) > 0 {
		panic(fmt.Sprintf("engine: the settlement after prizes that run on: %v", err)) // As in CloseGame.
	} else if err != nil {
		return err
	}
	e.objects = append(e.objects, command.Object{Name: WinnersName(series, ordinal, s.Record.Revision), Data: s.Winners})
	return nil
}

// NameWitnesses says who cosigns.
func (e *Engine) NameWitnesses(now record.Time, w record.WitnessesNamed) error {
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
// signatures hold is for whoever asked for them.
func (e *Engine) WitnessJournal(now record.Time, checkpoint []byte, by []string) error {
	_, err := e.append(now, &record.JournalWitnessed{Checkpoint: checkpoint, By: by}, nil)
	return err
}

// VoidDraw declares that the numbers of a draw do not count.
func (e *Engine) VoidDraw(now record.Time, series uint8, ordinal uint32, v game.Void) error {
	voided, err := game.VoidDraw(e.state, series, ordinal, v)
	if err != nil {
		return err
	}
	_, err = e.append(now, voided, nil)
	return err
}

// ConfirmResult declares that a result stands although it equals a recent one.
func (e *Engine) ConfirmResult(now record.Time, series uint8, ordinal uint32, v game.Void) error {
	stands, err := game.ConfirmResult(e.state, series, ordinal, v)
	if err != nil {
		return err
	}
	_, err = e.append(now, stands, nil)
	return err
}

// VoidGame ends a game without a result.
func (e *Engine) VoidGame(now record.Time, series uint8, ordinal uint32, v game.Void) error {
	voided, err := game.VoidGame(e.state, series, ordinal, v)
	if err != nil {
		return err
	}
	for i := range voided.Carried {
		if _, err := e.append(now, &voided.Carried[i], nil); stops(err) {
			return err
		}
	}
	if _, err := e.append(now, voided.Record, voided.Postings); stops(err) && len(voided.Carried) > 0 {
		panic(fmt.Sprintf("engine: a void game after what it carries: %v", err)) // As in CloseGame.
	} else if err != nil {
		return err
	}
	e.objects = append(e.objects, command.Object{Name: WinnersName(series, ordinal, 1), Data: voided.Winners})
	return nil
}

// Pause stops sale and draws of a series.
func (e *Engine) Pause(now record.Time, series uint8, reason string, by uint32) error {
	paused, err := game.Pause(e.state, series, reason, by)
	if err != nil {
		return err
	}
	_, err = e.append(now, paused, nil)
	return err
}

// Resume ends a pause.
func (e *Engine) Resume(now record.Time, series uint8, by uint32) error {
	resumed, err := game.Resume(e.state, series, by)
	if err != nil {
		return err
	}
	_, err = e.append(now, resumed, nil)
	return err
}

// ShowNotice tells players something on every screen.
func (e *Engine) ShowNotice(now record.Time, series uint8, text string, by uint32) error {
	shown, err := game.ShowNotice(e.state, series, text, by)
	if err != nil {
		return err
	}
	_, err = e.append(now, shown, nil)
	return err
}

// Report takes in what another jurisdiction says of a pooled jackpot.
func (e *Engine) Report(now record.Time, series uint8, ordinal uint32, spots uint8, report jackpot.Report) error {
	reported, err := game.Report(e.state, series, ordinal, spots, report)
	if err != nil {
		return err
	}
	_, err = e.append(now, reported, nil)
	return err
}

// ShareJackpots settles the pooled part of a game's jackpots.
func (e *Engine) ShareJackpots(now record.Time, series uint8, ordinal uint32) error {
	settled, err := game.Share(e.state, series, ordinal)
	if err != nil {
		return err
	}
	return e.settled(now, series, ordinal, settled)
}

// MovePool moves jackpot money between games.
func (e *Engine) MovePool(now record.Time, series, spots uint8, move string, amount money.Amount, approval string) error {
	moved, postings, err := game.MovePool(e.state, series, spots, move, amount, approval)
	if err != nil {
		return err
	}
	_, err = e.append(now, moved, postings)
	return err
}

// GiveAside shares jackpot money that was set aside among the winners of a game.
func (e *Engine) GiveAside(now record.Time, series uint8, ordinal uint32, spots uint8, amount money.Amount, approval string) error {
	settled, err := game.Give(e.state, series, ordinal, spots, amount, approval)
	if err != nil {
		return err
	}
	return e.settled(now, series, ordinal, settled)
}

// MigratePools brings the jackpots of a system that ends to its successor.
func (e *Engine) MigratePools(now record.Time, from, into uint8, approval string) error {
	moved, postings, err := game.Migrate(e.state, from, into, approval)
	if err != nil {
		return err
	}
	_, err = e.append(now, moved, postings)
	return err
}

// MigrateBonus brings the bonus prize pool of a system that ends to its successor.
func (e *Engine) MigrateBonus(now record.Time, from, into uint8, approval string) error {
	moved, postings, err := game.MigrateBonus(e.state, from, into, approval)
	if err != nil {
		return err
	}
	_, err = e.append(now, moved, postings)
	return err
}

// BeginSeries starts a further series of games under an adopted rulebook, with its
// jackpots.
func (e *Engine) BeginSeries(now record.Time, b record.SeriesBegun) error {
	begun, err := game.BeginSeries(e.state, b)
	if err != nil {
		return err
	}
	if _, err := e.append(now, begun, nil); err != nil {
		return err
	}
	return e.openPools(now, b.Series)
}

// NameParticipants says who shares the jackpots from a game on.
func (e *Engine) NameParticipants(now record.Time, p record.ParticipantsNamed) error {
	named, err := game.NameParticipants(e.state, p)
	if err != nil {
		return err
	}
	_, err = e.append(now, named, nil)
	return err
}

// AdoptRulebook brings a rulebook into the journal.
func (e *Engine) AdoptRulebook(now record.Time, book *rulebook.Book) error {
	if _, ok := e.state.Book(record.Hash(book.Hash())); ok {
		return nil
	}
	_, err := e.append(now, &record.RulebookAdopted{ID: book.ID(), Hash: record.Hash(book.Hash()), Book: book.Canonical()}, nil)
	return err
}

// ChangeTerms announces the rulebook and the schedule from a game on.
func (e *Engine) ChangeTerms(now record.Time, c record.TermsChanged) error {
	changed, err := game.ChangeTerms(e.state, c)
	if err != nil {
		return err
	}
	_, err = e.append(now, changed, nil)
	return err
}

// BeginPromotion offers a prize beyond the schedules.
func (e *Engine) BeginPromotion(now record.Time, b record.PromotionBegun) error {
	begun, postings, err := game.BeginPromotion(e.state, b)
	if err != nil {
		return err
	}
	_, err = e.append(now, begun, postings)
	return err
}

// ChangePromotion pauses, resumes or ends a promotion.
func (e *Engine) ChangePromotion(now record.Time, c record.PromotionChanged) error {
	changed, postings, err := game.ChangePromotion(e.state, c)
	if err != nil {
		return err
	}
	_, err = e.append(now, changed, postings)
	return err
}

// Designate announces a game of delayed start.
func (e *Engine) Designate(now record.Time, series uint8, ordinal uint32) error {
	designated, err := game.Designate(e.state, series, ordinal)
	if err != nil {
		return err
	}
	_, err = e.append(now, designated, nil)
	return err
}

// WinnersName returns the name of the object that holds the winners of a game.
func WinnersName(series uint8, ordinal uint32, revision uint8) string {
	return fmt.Sprintf("winners/%d/%d/%d", series, ordinal, revision)
}

// BitmapName returns the name of the object that holds the bitmap of a game's
// tickets in a volume.
func BitmapName(series uint8, ordinal uint32, volume uint16) string {
	return fmt.Sprintf("bitmap/%d/%d/%d", series, ordinal, volume)
}
