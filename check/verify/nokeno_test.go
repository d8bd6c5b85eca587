package verify

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	shipped "drawhouse/rulebook/rules"
)

// TestNoKeno: the first series of a house may have a rulebook of bingo, and then has days and no games.
func TestNoKeno(t *testing.T) {
	book, err := shipped.Book("sc-bingo-1996")
	if err != nil {
		t.Fatal(err)
	}
	hash := record.Hash(book.Hash())
	begin := func(series uint8, schedule string) (*checker, error) {
		c := outAt(record.Place{})
		c.adopted, c.terms = map[record.Hash]*rulebook.Book{hash: book}, map[termsKey]*terms{}
		return c, c.seriesBegun(&record.SeriesBegun{Series: series, Name: "room", Rulebook: hash, Schedule: schedule})
	}
	for name, x := range map[string]struct {
		series   uint8
		schedule string
		want     string
	}{
		"days without games": {houseSeries, record.NoSchedule, ""},
		"a schedule":         {houseSeries, "schedule-1", "was not adopted"},
		"a further series":   {houseSeries + 1, record.NoSchedule, "was not adopted"},
	} {
		_, err := begin(x.series, x.schedule)
		objects(t, name, err, x.want)
	}
	c, err := begin(houseSeries, record.NoSchedule)
	objects(t, "the series", err, "")
	s := c.series[houseSeries]
	s.day, s.dayOpen = day.MustParse("2026-11-16"), true
	err = c.gameOpened(&record.GameOpened{Game: record.Game{Series: houseSeries, Day: s.day, Number: 1}, Ordinal: 1,
		Rulebook: hash, Schedule: record.NoSchedule})
	objects(t, "a game", err, "whose rulebook has no keno")
}
