package game

import (
	"errors"
	"fmt"
	"strings"

	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// keyings is how many people record a ball draw independently.
const keyings = len(record.CageStarted{}.Recorders)

// Playable says why no game can be held by a rulebook whose file is sound: tickets cannot be priced,
// prizes are beyond exact settlement, or policies of jackpots contradict each other. Rooms of bingo
// play by any sound rulebook of bingo.
func Playable(book *rulebook.Book) error {
	if !book.Keno() {
		return nil
	}
	if _, err := keno.NewDesk(book); err != nil {
		return plainly(err)
	}
	if draw := book.Draw(); draw.Keyings > 0 && draw.Keyings != keyings {
		return fmt.Errorf("keno.draw.keyings is %d, and %d people record a ball draw in this house", draw.Keyings, keyings)
	}
	_, jackpots := book.Jackpots()
	for _, schedule := range book.Schedules() {
		if _, err := settle.NewTerms(book, schedule.ID()); err != nil {
			return plainly(err)
		}
		if !jackpots {
			continue
		}
		if _, err := jackpot.NewTerms(book, schedule.ID()); err != nil {
			return plainly(err)
		}
	}
	return nil
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
