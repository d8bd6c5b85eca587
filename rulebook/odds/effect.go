package odds

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// Effect says in sentences what a change from one rulebook to another does to the odds of bets and to what
// the operator can owe for a game: returns and largest prizes, how prizes are rounded, the most that a way can
// win, and the most that the major prizes of a game come to. It is empty where none of them changes, and for rulebooks
// of bingo, whose prizes the sessions set.
func Effect(a, b *rulebook.Book) ([]string, error) {
	if !a.Keno() || !b.Keno() {
		return nil, nil
	}
	before, err := Of(a, Options{})
	if err != nil {
		return nil, err
	}
	after, err := Of(b, Options{})
	if err != nil {
		return nil, err
	}
	// What holds for all bets comes first: an interface may show only the first lines.
	return append(capEffects(a, b), betEffects(before, after)...), nil
}

// betEffects compares bets, those of the later rulebook in its order and then those that are gone.
func betEffects(old, fresh *Report) (lines []string) {
	before, after := old.Bets, fresh.Bets
	find := func(list []Bet, like *Bet) *Bet {
		i := slices.IndexFunc(list, func(b Bet) bool { return b.Schedule == like.Schedule && b.label() == like.label() })
		if i < 0 {
			return nil
		}
		return &list[i]
	}
	for i := range after {
		now := &after[i]
		name := fmt.Sprintf("%s, %s", now.Schedule, now.label())
		was := find(before, now)
		if was == nil {
			lines = append(lines, fmt.Sprintf("%s: new, and returns %s%% with a top prize of %s.", name, now.RTP.Percent(),
				fresh.money.In(prizeFor(now))))
			continue
		}
		var parts []string
		add := func(what, old, fresh string) {
			if old != fresh {
				parts = append(parts, fmt.Sprintf("%s %s instead of %s", what, fresh, old))
			}
		}
		add("returns", was.RTP.Percent()+"%", now.RTP.Percent()+"%")
		add("wins", was.HitFrequency.OneIn(), now.HitFrequency.OneIn())
		add("pays at most", old.money.In(prizeFor(was)), fresh.money.In(prizeFor(now)))
		if was.Multiplied != nil && now.Multiplied != nil {
			add("returns with "+now.Multiplied.Name, was.Multiplied.columns()[0]+"%", now.Multiplied.columns()[0]+"%")
		}
		if len(parts) > 0 {
			lines = append(lines, name+": "+strings.Join(parts, ", ")+".")
		}
	}
	for i := range before {
		if was := &before[i]; find(after, was) == nil {
			lines = append(lines, fmt.Sprintf("%s, %s: no longer offered; it returned %s%%.", was.Schedule, was.label(),
				was.RTP.Percent()))
		}
	}
	return lines
}

// prizeFor says what the top prize of a bet is and for which stake.
func prizeFor(b *Bet) string { return fmt.Sprintf("%v for %v", b.top().PrizeCents, b.PerCents) }

// capEffects compares what rounds and bounds the prizes of a way and of a game.
func capEffects(a, b *rulebook.Book) (lines []string) {
	add := func(what, old, fresh string) {
		if old != fresh {
			lines = append(lines, fmt.Sprintf("%s: %s instead of %s.", what, b.Money().In(fresh), a.Money().In(old)))
		}
	}
	add("The prize of a way is rounded", roundingWords(a), roundingWords(b))
	for _, now := range b.Schedules() {
		if was, ok := a.Schedule(now.ID()); ok {
			add(now.ID()+", the most that a way wins", amountOrNone(was.WayCap()), amountOrNone(now.WayCap()))
		}
	}
	for _, bet := range b.BetIDs() {
		if slices.Contains(a.BetIDs(), bet) {
			add(bet+", the most that the major prizes of a game come to", capOf(a, bet), capOf(b, bet))
		}
	}
	return lines
}

// capOf says which amount the major prizes of a bet are brought down to.
func capOf(book *rulebook.Book, bet string) string {
	rule, ok := proratingOf(book, bet)
	if !ok {
		return noBound
	}
	return rule.Cap.Amount().String()
}

func amountOrNone(amount money.Amount, ok bool) string {
	if !ok {
		return noBound
	}
	return amount.String()
}

// noBound stands where a rulebook sets none.
const noBound = "no bound"
