package jackpot

import (
	"fmt"
	"slices"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// Terms are what the jackpots of a game are played under: the policy of a
// rulebook and one of its schedules. They are immutable and safe for concurrent
// use.
type Terms struct {
	schedule  *rulebook.Schedule
	policy    rulebook.Jackpots
	sizes     map[int]*size
	migration *rulebook.Migration // nil: none
}

// size is the jackpot of one number of spots.
type size struct {
	rulebook.PoolFile
	fill        money.Amount
	bonus       money.Amount // bonus jackpot prize, or nothing
	bonusClause string
	reset       money.Amount
}

// NewTerms returns the terms of a schedule. A rulebook without jackpots has none,
// and one whose policies contradict each other is refused.
func NewTerms(book *rulebook.Book, schedule string) (*Terms, error) {
	s, ok := book.Schedule(schedule)
	if !ok {
		return nil, fmt.Errorf("jackpot: %s has no schedule %q", book.ID(), schedule)
	}
	policy, ok := book.Jackpots()
	if !ok {
		return nil, fmt.Errorf("jackpot: %s has no jackpots", book.ID())
	}
	return termsOf(book, s, policy)
}

func termsOf(book *rulebook.Book, schedule *rulebook.Schedule, policy rulebook.Jackpots) (*Terms, error) {
	switch {
	case !policy.FirstDollar:
		return nil, fmt.Errorf("jackpot: %s scales its pools with the stake; a pool can only be shared", book.ID())
	case policy.Pooled && policy.Seed != nil:
		return nil, fmt.Errorf("jackpot: %s lends seeds to pools that others share", book.ID())
	}
	t := &Terms{schedule: schedule, policy: policy, sizes: map[int]*size{}}
	if m, ok := book.Migration(); ok {
		t.migration = &m
	}
	for _, file := range policy.Pools {
		size, err := t.newSize(file)
		if err != nil {
			return nil, fmt.Errorf("jackpot: %s: %d spots: %w", book.ID(), file.Spots, err)
		}
		t.sizes[file.Spots] = size
	}
	return t, nil
}

func (t *Terms) newSize(file rulebook.PoolFile) (*size, error) {
	s := &size{PoolFile: file, fill: t.schedule.Fill(file.Spots)}
	if file.Reset != nil {
		s.reset = file.Reset.Amount()
	}
	if t.policy.BonusFrom > 0 {
		table, ok := t.schedule.Size(rulebook.UseBonusJackpot)
		if !ok {
			return nil, fmt.Errorf("%s has no bonus jackpot prizes", t.schedule.ID())
		}
		s.bonus, _ = table.Prize(file.Spots)
		s.bonusClause = table.Clause()
	}
	for _, a := range []money.Amount{s.fill, s.bonus, s.reset} {
		if _, err := ExactOf(a); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Spots returns the sizes that have a jackpot, ascending.
func (t *Terms) Spots() []int {
	spots := make([]int, 0, len(t.sizes))
	for n := range t.sizes {
		spots = append(spots, n)
	}
	slices.Sort(spots)
	return spots
}

// Enters reports whether a way of a bet with so many spots plays for a jackpot. It
// then contributes to the pool of that size and to no other.
//
//rule:vic-keno-2015 2(a).keno-classic-jackpot
//rule:tas-keno-2023 1.67 1.70
//rule:casino-keno-div2 5.2
func (t *Terms) Enters(bet string, spots int) bool {
	return t.sizes[spots] != nil && slices.Contains(t.policy.Bets, bet)
}

// Wins reports whether such a way wins the jackpot: all of its spots are drawn.
//
//rule:vic-keno-2015 2(a).keno-classic-jackpot-prize
//rule:tas-keno-2023 7.1(a) 7.1(b) 7.1(c)
//rule:casino-keno-div2 5.9
func (t *Terms) Wins(bet string, spots, matched int) bool {
	return t.Enters(bet, spots) && matched == spots
}

// Substitutes reports whether a jackpot is paid instead of the schedule's prize
// and not beside it.
func (t *Terms) Substitutes() bool { return t.policy.Pays == rulebook.PaysSubstitution }

// Pooled reports whether the pools may be shared with other jurisdictions.
func (t *Terms) Pooled() bool { return t.policy.Pooled }

// Clause returns the clauses of the jackpots, separated by spaces.
func (t *Terms) Clause() string { return t.policy.Clause }

// Showing returns the jackpot as venues show it: what all winners of a draw would
// share beside the schedule's prize. growth is what other jurisdictions have paid
// in. It bounds what a win takes from the pool and the fill.
//
//rule:vic-keno-2015 21(a)
func (t *Terms) Showing(p Pool, growth money.Amount) (money.Amount, error) {
	s, err := t.size(p)
	if err != nil {
		return 0, err
	}
	return money.Sum(s.fill, p.Primary.Cents(), growth)
}

// size returns the jackpot that a pool is of.
func (t *Terms) size(p Pool) (*size, error) {
	s := t.sizes[int(p.Spots)]
	if s == nil {
		return nil, noJackpot(int(p.Spots))
	}
	return s, p.Check()
}

func noJackpot(spots int) error { return fmt.Errorf("jackpot: there is none for %d spots", spots) }
