package engine

import (
	"fmt"

	"drawhouse/day"
	"drawhouse/game"
	"drawhouse/record"
)

// OpenDay begins a Keno Day.
func (e *Engine) OpenDay(now record.Time, series uint8, d day.Day, offsetSeconds int32) error {
	opened, err := game.OpenDay(e.state, series, d, offsetSeconds)
	if err != nil {
		return err
	}
	_, err = e.append(now, opened, nil)
	return err
}

// CloseDay ends the Keno Day.
func (e *Engine) CloseDay(now record.Time, series uint8) error {
	closed, err := game.CloseDay(e.state, series)
	if err != nil {
		return err
	}
	_, err = e.append(now, closed, nil)
	return err
}

// OpenGame puts the next game on sale.
func (e *Engine) OpenGame(now record.Time, series uint8, closes record.Time) error {
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
		e.objects = append(e.objects, Object{BitmapName(series, ordinal, volume), bitmap.Bytes()})
	}
	return nil
}

// TurnGame closes and seals the open game and puts the next on sale, so that sale
// does not stop while numbers are drawn. It does both or nothing.
func (e *Engine) TurnGame(now record.Time, series uint8, closes record.Time) error {
	if err := game.CheckNext(e.state, series); err != nil {
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
	if _, err := e.append(now, settled.Record, settled.Postings); err != nil {
		return err
	}
	e.objects = append(e.objects, Object{WinnersName(series, ordinal, settled.Record.Revision), settled.Winners})
	return nil
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
