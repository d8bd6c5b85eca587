package receipt

import (
	"fmt"
	"strconv"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/rulebook"
)

// A Result is what came of a game, as a player may ask for it.
type Result struct {
	Day        day.Day
	Game       int
	Numbers    []int // in the order drawn
	Multiplier int   // 0: the rulebook has none
}

// Inquired is what the answer to a question for results is printed from.
type Inquired struct {
	Counter
	Book    *rulebook.Book
	Time    time.Time
	Results []Result
}

// Results makes the slip of the results of one or several games. Numbers stand in the
// order drawn, because features depend on it. A game that has no result yet is told as
// such, so that nobody takes a blank for a loss.
//
//rule:vic-keno-2015 2(a).game-results-inquiry
//rule:tas-keno-2023 1.26
func Results(q Inquired) (*Slip, error) {
	if len(q.Results) == 0 {
		return nil, fmt.Errorf("receipt: no game is asked for")
	}
	s := &Slip{money: q.Money, name: fmt.Sprintf("Results of %s", figure.Count(len(q.Results), "game"))}
	s.headed(q.Counter, "RESULTS")
	numbering := q.Book.Games().Numbering
	for _, r := range q.Results {
		s.rule()
		s.pair(bold, "Game "+numbering.Print(r.Game), r.Day.String())
		if len(r.Numbers) == 0 {
			s.say(plain, "No result yet.")
			continue
		}
		texts := make([]string, len(r.Numbers))
		for i, n := range r.Numbers {
			texts[i] = strconv.Itoa(n)
		}
		s.numbers("", texts)
		if r.Multiplier > 0 {
			s.pair(plain, "Multiplier", strconv.Itoa(r.Multiplier))
		}
	}
	s.signed(q.Counter, q.Time)
	return s, nil
}
