package house

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"drawhouse/day"
	"drawhouse/jackpot"
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

// Course returns how the games stand as of the last commit. The caller must not change
// the lists.
func (h *House) Course(context.Context) (Course, error) {
	if _, ok := h.index.begunWith(Series); !ok {
		return Course{}, fmt.Errorf("house: no series %d", Series)
	}
	now := h.viewed().course
	now.Books = h.index.adopted()
	return now, nil
}

// begunWith returns the rulebook that a series began with.
func (x *index) begunWith(series uint8) (record.Hash, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	hash, ok := x.begun[series]
	return hash, ok
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
