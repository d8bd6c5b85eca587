package verify

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/journal/record"
)

// endsWith returns a series on a day with its third game, whose last day has five games.
func endsWith(last day.Day, tickets ...uint32) *series {
	s := &series{id: 1, day: day.MustParse("2026-11-15"), dayOpen: true, dayGames: 3, games: make([]*game, 13),
		end: &end{last, 5}}
	for i, to := range tickets {
		s.tickets.add(ticket{seq: uint64(i), last: to})
	}
	return s
}

// TestEndOfASeries: a series that ends has games up to the last of its last day, and that day does not end before.
func TestEndOfASeries(t *testing.T) {
	today := day.MustParse("2026-11-15")
	for _, c := range []struct {
		last  day.Day
		games uint32 // of a ticket that begins with game 13
		good  bool
	}{{today, 2, true}, {today, 3, true}, {today, 4, false}, {today + 1, 8, true}, {today + 1, 9, false}} {
		if err := endsWith(c.last).checkEnd(13, c.games); (err == nil) != c.good {
			t.Errorf("%d games up to %v: %v", c.games, c.last, err)
		}
	}
	for _, c := range []struct {
		last day.Day
		to   uint32
		good bool
	}{{today, 13, true}, {today, 14, false}, {today + 1, 14, true}} {
		if err := endsWith(c.last, c.to).playsOn(); (err == nil) != c.good {
			t.Errorf("the day closes with a ticket up to game %d and the last day %v: %v", c.to, c.last, err)
		}
	}
	waits := endsWith(today, 13)
	waits.deferred = []*game{{}}
	if waits.playsOn() == nil {
		t.Error("the last day closes while plays of a void game wait")
	}
	// After trading was announced to end a game opens for what is owed, and for nothing else.
	announced := endsWith(today+1, 14)
	announced.designated = map[uint32]record.Game{15: {}}
	for name, x := range map[string]struct {
		s    *series
		owed bool
	}{
		"a ticket on the last day": {endsWith(today, 14), true}, "no ticket": {endsWith(today, 13), false},
		"on another day": {endsWith(today+1, 14), false}, "a void game": {waits, true}, "announced": {announced, true},
	} {
		if x.s.owesGame() != x.owed {
			t.Errorf("%s: a game is owed: %v", name, !x.owed)
		}
	}
	c := &checker{}
	s := endsWith(today)
	c.series[1] = s
	s.dayOpen = false
	if err := c.dayOpened(&record.DayOpened{Series: 1, Day: today + 1}); err == nil {
		t.Error("a day opens behind the last")
	}
	if err := c.seriesLimited(&record.SeriesLimited{Series: 1, LastDay: today + 9, Games: 5, Approval: "a"}); err == nil {
		t.Error("a series that has ended goes on")
	}
	s.dayOpen = true
	for _, limited := range []record.SeriesLimited{
		{Series: 2, LastDay: today, Games: 5, Approval: "a"}, {Series: 1, LastDay: today - 1, Games: 5, Approval: "a"},
		{Series: 1, LastDay: today, Approval: "a"}, {Series: 1, LastDay: today, Games: 5},
	} {
		if err := c.seriesLimited(&limited); err == nil {
			t.Errorf("%+v is right", limited)
		}
	}
	s.tickets.add(ticket{last: 16})
	if err := c.seriesLimited(&record.SeriesLimited{Series: 1, LastDay: today, Games: 5, Approval: "a"}); err == nil {
		t.Error("a ticket is sold for a game behind the last")
	}
	if err := c.seriesLimited(&record.SeriesLimited{Series: 1, LastDay: today, Games: 6, Approval: "a"}); err != nil {
		t.Error(err)
	}
}
