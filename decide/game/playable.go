package game

import (
	"errors"
	"fmt"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/games/draw/cage"
	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// keyings is how many people record a ball draw independently.
const keyings = len(record.CageStarted{}.Recorders)

// Playable says why no game can be held by a rulebook whose file is sound; see [Unplayable].
func Playable(book *rulebook.Book) error {
	if faults := Unplayable(book); len(faults) > 0 {
		return fmt.Errorf("%s: %s", faults[0].Path, faults[0].Message)
	}
	return nil
}

// Unplayable returns why no game can be held by a rulebook whose file is sound: the house draws other numbers, a
// limit leaves nothing to sell, tickets cannot be priced, prizes are beyond exact settlement, or policies of jackpots
// contradict each other. Rooms of bingo play by any sound rulebook of bingo.
func Unplayable(book *rulebook.Book) rulebook.Faults {
	if !book.Keno() {
		return nil
	}
	faults := book.Unsold()
	add := func(path, format string, args ...any) {
		faults = append(faults, rulebook.FaultAt(book, path, format, args...))
	}
	of, drawn := book.Numbers()
	if of != int(ball.Keno) {
		add("keno.numbers.of", "is %d, and this house draws from %d numbers", of, ball.Keno)
	}
	if drawn != cage.Numbers {
		add("keno.numbers.draw", "is %d, and this house draws %d numbers", drawn, cage.Numbers)
	}
	if draw := book.Draw(); draw.Keyings > 0 && draw.Keyings != keyings {
		add("keno.draw.keyings", "is %d, and %d people record a ball draw in this house", draw.Keyings, keyings)
	}
	if len(faults) > 0 {
		return faults // What follows would only say the same again, without the value.
	}
	if _, err := keno.NewDesk(book); err != nil {
		add("keno", "%v", plainly(err))
		return faults
	}
	_, jackpots := book.Jackpots()
	for i, schedule := range book.Schedules() {
		path := fmt.Sprintf("keno.schedules[%d]", i)
		if _, err := settle.NewTerms(book, schedule.ID()); err != nil {
			add(path, "%v", plainly(err))
			continue
		}
		if !jackpots {
			continue
		}
		if _, err := jackpot.NewTerms(book, schedule.ID()); err != nil {
			add("keno.jackpots", "%v", plainly(err))
		}
	}
	return faults
}

// plainly leaves out which package of the program has an objection.
func plainly(err error) error {
	for _, name := range []string{"keno: ", "settle: ", "jackpot: "} {
		if text, ok := strings.CutPrefix(err.Error(), name); ok {
			return errors.New(text)
		}
	}
	return err
}
