package odds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
)

// Options narrow a report. The zero value asks for everything.
type Options struct {
	Schedule string   // id of a schedule, or its number in the rulebook counted from 1; empty for all
	Bet      string   // id of a bet, or of a feature that pays by size; empty for all
	Pick     string   // a size, a call or a type of race bet; empty for all
	Spots    ball.Set // the numbers themselves: only bets of their size, with the multiplied return of exactly them
}

// Unknown reports an option that names something the rulebook does not have.
type Unknown struct {
	Option string   // schedule, bet, pick or spots: the option at fault
	Of     string   // what was searched
	Name   string   // what was asked for
	Known  []string // what there is
}

// Error names the option's value and lists what could have been asked for.
func (u *Unknown) Error() string {
	return fmt.Sprintf("odds: %s has no %s %q; it has %s", u.Of, u.Option, u.Name, strings.Join(u.Known, ", "))
}

// keep drops the bets of another pick than the one that an option asked for.
func (r *Report) keep(option, pick, bet string) error {
	var known []string
	for i := range r.Bets {
		if p := r.Bets[i].pick(); !slices.Contains(known, p) {
			known = append(known, p)
		}
	}
	if !slices.Contains(known, pick) {
		of := r.Rulebook
		if bet != "" {
			of = bet + " of " + of
		}
		return &Unknown{option, of, pick, known}
	}
	r.Bets = slices.DeleteFunc(r.Bets, func(b Bet) bool { return b.pick() != pick })
	return nil
}

// checkBet refuses a bet that the rulebook does not have.
func (a *analysis) checkBet() error {
	known := a.book.BetIDs()
	if _, ok := a.book.Feature(rulebook.FeatureLuckyLast); ok {
		known = append(known, string(rulebook.FeatureLuckyLast))
	}
	if a.opts.Bet != "" && !slices.Contains(known, a.opts.Bet) {
		return &Unknown{"bet", a.book.ID(), a.opts.Bet, known}
	}
	return nil
}

// selectSchedules returns the schedule of that id or number, or all of them.
func selectSchedules(book *rulebook.Book, name string) ([]*rulebook.Schedule, error) {
	all := book.Schedules()
	if name == "" {
		return all, nil
	}
	if s, ok := book.Schedule(name); ok {
		return []*rulebook.Schedule{s}, nil
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(all) {
		return all[n-1 : n], nil
	}
	ids := make([]string, len(all))
	for i, s := range all {
		ids[i] = s.ID()
	}
	return nil, &Unknown{"schedule", book.ID(), name, ids}
}
