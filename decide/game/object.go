package game

import (
	"fmt"

	"drawhouse/core/day"
)

// WinnersName returns the name of the object that holds the winners of a game.
func WinnersName(series uint8, ordinal uint32, revision uint8) string {
	return fmt.Sprintf("winners/%d/%d/%d", series, ordinal, revision)
}

// BitmapName returns the name of the object that holds the bitmap of a game's tickets in a
// volume.
func BitmapName(series uint8, ordinal uint32, volume uint16) string {
	return fmt.Sprintf("bitmap/%d/%d/%d", series, ordinal, volume)
}

// BookName returns the name of the object that holds the book of a trading day.
func BookName(series uint8, d day.Day) string { return fmt.Sprintf("books/%d/%v", series, d) }
