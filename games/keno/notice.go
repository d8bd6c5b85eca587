package keno

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// Notice is one line of the notice at a counter: what may be staked on something.
type Notice struct {
	Clause string
	About  string       // such as "A way of Standard, of 2 to 9 ways"
	Min    money.Amount // 0 for none, as for Max and Step
	Max    money.Amount
	Step   money.Amount
}

// Notices returns what a notice at a kind of terminal says of minimum, maximum and step,
// in the order in which the limits are checked. What all tickets of all venues may come
// to is not among it: no player can know how much of it is left.
//
//rule:casino-keno-div2 4.3
func Notices(book *rulebook.Book, channel rulebook.Channel) []Notice {
	var all []Notice
	for _, l := range book.Limits() {
		if l.Measure == rulebook.MeasureAggregate || len(l.Channels) > 0 && !slices.Contains(l.Channels, channel) {
			continue
		}
		all = append(all, Notice{Clause: l.Quoted(), About: about(book, &l), Min: amountOf(l.Min), Max: amountOf(l.Max),
			Step: amountOf(l.Step)})
	}
	return all
}

func amountOf(d *rulebook.Dollars) money.Amount {
	if d == nil {
		return 0
	}
	return d.Amount()
}

// measured are the amounts that a notice speaks of.
var measured = map[rulebook.Measure]string{
	rulebook.MeasureStake: "A way", rulebook.MeasureBetGame: "A bet in one game",
	rulebook.MeasureGame: "A ticket in one game", rulebook.MeasureEntry: "A ticket",
}

// about says what a limit bounds.
func about(book *rulebook.Book, l *rulebook.Limit) string {
	text := measured[l.Measure]
	if f, ok := book.Feature(rulebook.FeatureID(partOf(l))); ok {
		text += " for " + f.Name()
	}
	if len(l.Bets) > 0 {
		names := make([]string, len(l.Bets))
		for i, id := range l.Bets {
			bet, _ := book.Bet(id) // A rulebook names only bets that it has.
			names[i] = bet.Name()
		}
		text += " of " + strings.Join(names, ", ")
	}
	if l.Ways != (rulebook.Range{}) {
		text += ", " + ofWays(l.Ways)
	}
	switch {
	case l.Jackpot != nil && *l.Jackpot:
		text += ", playing for a jackpot"
	case l.Jackpot != nil:
		text += ", not playing for a jackpot"
	}
	switch {
	case l.Pool != nil && *l.Pool:
		text += ", in a game with a bonus prize pool"
	case l.Pool != nil:
		text += ", in a game without a bonus prize pool"
	}
	return text
}

// ofWays says of how many ways a bet is.
func ofWays(ways rulebook.Range) string {
	switch {
	case ways.Least == ways.Most && ways.Least == 1:
		return "of a bet with one way"
	case ways.Least == ways.Most:
		return fmt.Sprintf("of a bet with %d ways", ways.Least)
	case ways.Most == 0:
		return fmt.Sprintf("of a bet with %d ways or more", ways.Least)
	}
	return fmt.Sprintf("of a bet with %d to %d ways", ways.Least, ways.Most)
}

// String returns the line as it stands on the notice.
func (n Notice) String() string {
	var parts []string
	for _, part := range []struct {
		words  string
		amount money.Amount
	}{{"at least", n.Min}, {"at most", n.Max}, {"in steps of", n.Step}} {
		if part.amount > 0 {
			parts = append(parts, fmt.Sprintf("%s %v", part.words, part.amount))
		}
	}
	return n.About + ": " + strings.Join(parts, ", ")
}
