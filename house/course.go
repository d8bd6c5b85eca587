package house

import (
	"context"
	"fmt"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Course is how the games stand, for anybody who runs them. Games are named by their
// ordinals.
type Course struct {
	Day             day.Day // that is open, or was last; day.None before the first
	DayOpen, Paused bool
	ClosesAt        record.Time // when trading ends early; 0 if it does not
	LastDay         day.Day     // with which the series ends; day.None where it does not
	OnSale, Newest  uint32
	Unsettled       []uint32
	Waiting         []uint32 // settled, and their pooled jackpots wait for reports
	Changes         []record.TermsChanged
	Pools           []jackpot.Pool
	BonusPool       money.Amount
	Promotions      []state.Promotion // that are not over
	Interval        time.Duration     // between two games; 0 is the rhythm that the house runs with
	Books           []*rulebook.Book
	Devices         []state.Registered // the drawing devices of the register
	DrawnBy         uint32             // which of them draws; 0 where none was chosen
}

// Filed reports whether an adopted rulebook is a file of the operator's, and returns the reference
// of its approval.
func (h *House) Filed(hash rulebook.Hash) (reference string, ok bool) {
	return h.viewed().Filed(record.Hash(hash))
}

// Course returns how the games stand as of the last commit. The caller must not change
// the lists.
func (l *Line) Course(context.Context) (Course, error) {
	seen := l.viewed()
	if l.seen().sale.book == nil {
		return Course{}, fmt.Errorf("house: no series %d", l.id)
	}
	now := l.seen().course
	now.Books, now.Devices = seen.Books(), seen.Registered()
	return now, nil
}
