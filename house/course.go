package house

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"drawhouse/day"
	"drawhouse/jackpot"
	"drawhouse/lane"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
	"drawhouse/state"
)

// Course is how the games stand, for whoever runs them. Games are named by their
// ordinals.
type Course struct {
	Day             day.Day // that is open, or was last; day.None before the first
	DayOpen, Paused bool
	ClosesAt        record.Time // when trading ends early; 0 if it does not
	OnSale, Newest  uint32
	Unsettled       []uint32
	Waiting         []uint32 // settled, and their pooled jackpots wait for reports
	Changes         []record.TermsChanged
	Pools           []jackpot.Pool
	BonusPool       money.Amount
	Promotions      []state.Promotion // that are not over
	Books           []*rulebook.Book
}

// Course returns how the games stand. It asks the lane, so that who acts on it acts
// on what is decided and not on what has reached the readers.
func (h *House) Course(ctx context.Context) (Course, error) {
	return lane.DoFirst(ctx, h.lane, func(m machine) (Course, error) {
		series, ok := m.State().Series(Series)
		if !ok {
			return Course{}, fmt.Errorf("house: no series %d", Series)
		}
		now := Course{
			Day: series.Day, DayOpen: series.DayOpen, Paused: series.Paused, ClosesAt: series.ClosesAt,
			Changes: slices.Clone(series.Changes()), Pools: slices.Clone(series.Pools()), BonusPool: series.BonusPool().Cents(),
			Books: h.index.adopted(),
		}
		if newest := series.Newest(); newest != nil {
			now.Newest = newest.Ordinal
			if newest.Phase == state.PhaseOpen {
				now.OnSale = newest.Ordinal
			}
		}
		for _, g := range series.Unsettled() {
			now.Unsettled = append(now.Unsettled, g.Ordinal)
		}
		for _, p := range series.Pending() {
			now.Waiting = append(now.Waiting, p.Ordinal)
		}
		for _, p := range series.Promotions() {
			if !p.Over {
				p.Left = slices.Clone(p.Left)
				now.Promotions = append(now.Promotions, p)
			}
		}
		return now, nil
	})
}

// adopted returns the rulebooks of the house, by id and edition.
func (x *index) adopted() []*rulebook.Book {
	x.mu.RLock()
	defer x.mu.RUnlock()
	all := make([]*rulebook.Book, 0, len(x.books))
	for _, b := range x.books {
		all = append(all, b.Book)
	}
	slices.SortFunc(all, func(a, b *rulebook.Book) int {
		return cmp.Or(cmp.Compare(a.ID(), b.ID()), cmp.Compare(a.Edition(), b.Edition()), cmp.Compare(a.Hash().String(), b.Hash().String()))
	})
	return all
}
