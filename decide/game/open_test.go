package game_test

import (
	"errors"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// TestNoKeno: a series under a rulebook of bingo has days and no games, and begins with no schedule.
func TestNoKeno(t *testing.T) {
	book, err := rules.Book("sc-bingo-1996")
	if err != nil {
		t.Fatal(err)
	}
	hash, s := record.Hash(book.Hash()), state.New()
	apply := func(body record.Body) error { return s.Apply(record.Record{Time: 1, Body: body}) }
	begun := record.SeriesBegun{Series: 1, Name: "room", Rulebook: hash, Schedule: "schedule-1"}
	for _, body := range []record.Body{
		&record.VolumeBegun{House: "rig.example", Volume: 1, Level: record.Level, Reason: record.ReasonFound, HouseKey: "h",
			DeviceKey: "d"},
		&record.RulebookAdopted{ID: book.ID(), Hash: hash, Book: book.Canonical()},
	} {
		if err := apply(body); err != nil {
			t.Fatal(err)
		}
	}
	if err := apply(&begun); err == nil {
		t.Error("a series of bingo has a schedule")
	}
	begun.Schedule = record.NoSchedule
	if err := apply(&begun); err != nil {
		t.Fatal(err)
	}
	opened, err := game.OpenDay(s, 1, day.MustParse("2026-11-16"), 0)
	if err == nil {
		err = apply(opened)
	}
	if err != nil {
		t.Fatal(err)
	}
	var refused *refusal.Refusal
	if _, err := game.Open(s, 1, 1000); !errors.As(err, &refused) || refused.Code != game.NoGameOpen {
		t.Errorf("a game opens: %v", err)
	}
	if err := game.CheckNext(s, 1); !errors.As(err, &refused) || refused.Code != game.NoGameOpen {
		t.Errorf("a game could follow: %v", err)
	}
	if _, err := game.CloseDay(s, 1); err != nil {
		t.Errorf("the day does not end: %v", err)
	}
}
