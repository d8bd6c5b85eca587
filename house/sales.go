package house

import (
	"context"
	"errors"
	"fmt"

	"drawhouse/books"
	"drawhouse/core/day"
	"drawhouse/decide/game"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// Sales is what has been sold and paid on the Keno Day that is open, or was last.
type Sales struct {
	Day     day.Day // day.None before the first
	DayOpen bool
	Now     record.Time
	Book    *books.Book    // of the day, as it stands
	Minutes []books.Minute // the last ones up to now
}

// Sales returns what is being sold. The minutes are those of a venue, or of all if it is
// 0. It waits its turn behind the terminals: no player waits for a report.
func (l *Line) Sales(ctx context.Context, venue uint32) (Sales, error) {
	now := l.now()
	return lane.Do(ctx, l.lane, func(m machine) (Sales, error) {
		series, ok := m.State().Series(l.id)
		if !ok {
			return Sales{}, fmt.Errorf("house: no series %d", l.id)
		}
		return Sales{Day: series.Day, DayOpen: series.DayOpen, Now: now, Book: m.BookSoFar(l.id, series.Day),
			Minutes: m.SoldLately(venue, now)}, nil
	})
}

// DayBooks returns the books of the last trading days that are closed, at most so many
// and in their order, and behind them that of the day as it stands.
func (l *Line) DayBooks(ctx context.Context, most int) ([]*books.Book, error) {
	return l.booksOf(ctx, func(today day.Day) (day.Day, day.Day) { return today - day.Day(most) + 1, today })
}

// BooksBetween returns the books of the trading days from one to another, in their order,
// that of the day as it stands among them. A day on which there was no trade has none.
func (l *Line) BooksBetween(ctx context.Context, from, to day.Day) ([]*books.Book, error) {
	return l.booksOf(ctx, func(today day.Day) (day.Day, day.Day) { return from, min(to, today) })
}

// BooksBetween returns the books of the trading days of all series from one to another, in the order of the journal.
func (h *House) BooksBetween(ctx context.Context, from, to day.Day) ([]*books.Book, error) {
	var found []*books.Book
	for _, l := range h.Lines() {
		list, err := l.BooksBetween(ctx, from, to)
		if err != nil {
			return nil, err
		}
		found = append(found, list...)
	}
	books.Sort(found)
	return found, nil
}

// booksOf returns the books of the days that are chosen knowing which one is the newest.
func (l *Line) booksOf(ctx context.Context, choose func(today day.Day) (from, to day.Day)) ([]*books.Book, error) {
	now, err := l.Sales(ctx, 0)
	if err != nil || now.Day == day.None {
		return nil, err
	}
	from, to := choose(now.Day)
	found := []*books.Book{}
	for d := from; d <= to; d++ {
		data, err := l.config.Store.Object(ctx, game.BookName(l.id, d))
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("house: the book of %v: %w", d, err)
		}
		book, err := books.Decode(data)
		if err != nil {
			return nil, fmt.Errorf("house: the book of %v: %w", d, err)
		}
		found = append(found, book)
	}
	if now.DayOpen && from <= now.Day && now.Day <= to {
		found = append(found, now.Book)
	}
	return found, nil
}
