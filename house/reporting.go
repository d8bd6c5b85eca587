package house

import (
	"context"
	"errors"

	"drawhouse/books"
	"drawhouse/books/entries"
	"drawhouse/books/report"
	"drawhouse/decide/game"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// ReaderOf returns the reader of the records of a stored journal, for reports.
func ReaderOf(ctx context.Context, stored store.Reader) report.Reader {
	return func(place record.Place) (record.Record, error) {
		data, err := stored.Record(ctx, place)
		if err != nil {
			return record.Record{}, err
		}
		return record.Decode(data)
	}
}

// HeadOf returns the last record of a stored journal; none of an empty one.
func HeadOf(ctx context.Context, stored store.Reader) (head report.Head, err error) {
	heads, err := stored.Volumes(ctx)
	if err != nil {
		return head, err
	}
	for _, v := range heads {
		if v.Size > 0 {
			head.Place = record.Place{Volume: v.Volume, Seq: v.Size - 1}
		}
	}
	if head.Place == (record.Place{}) {
		return head, nil
	}
	r, err := ReaderOf(ctx, stored)(head.Place)
	head.Last(head.Place, r)
	return head, err
}

// BookedSince adds up what was booked behind the last of the days of a report of a series, or of all (0). It is nothing
// where that day is open, or where a later day is closed and not among them.
func BookedSince(ctx context.Context, stored store.Reader, name report.Name, series uint8,
	days []*books.Book) (report.Since, error) {
	if len(days) == 0 {
		return report.Since{}, nil
	}
	end := report.End(days)
	r, err := ReaderOf(ctx, stored)(end)
	if errors.Is(err, store.ErrNotFound) {
		return report.Since{}, nil // The day is open, and has the newest record.
	}
	if _, closed := r.Body.(*record.DayClosed); err != nil || !closed {
		return report.Since{}, err
	}
	return entries.SinceClose(ctx, stored, end, func(closed *record.DayClosed) (bool, error) {
		if series != 0 || name.OfSeries() {
			return series == 0 || closed.Series == series, nil
		}
		data, err := stored.Object(ctx, game.BookName(closed.Series, closed.Day))
		if err != nil {
			return false, err
		}
		book, err := books.Decode(data)
		return err == nil && book.Closes(), err
	})
}

// SeriesNamed returns the names of the series of some days, if there are several of them. It reads the journal from its
// beginning until it has found them.
func SeriesNamed(ctx context.Context, stored store.Reader, days []*books.Book) (map[uint8]report.Series, error) {
	wanted, found := map[uint8]bool{}, map[uint8]report.Series{}
	for _, b := range days {
		wanted[b.Series] = true
	}
	if len(wanted) < 2 {
		return found, nil
	}
	heads, err := stored.Volumes(ctx)
	for i := 0; err == nil && i < len(heads); i++ {
		err = stored.Records(ctx, heads[i].Volume, 0, heads[i].Size, func(_ uint64, data []byte) error {
			if kind, _ := record.KindOf(data); kind != record.KindSeriesBegun {
				return nil
			}
			r, err := record.Decode(data)
			if begun, ok := r.Body.(*record.SeriesBegun); ok && wanted[begun.Series] {
				found[begun.Series] = report.Series{Name: begun.Name}
			}
			if err == nil && len(found) == len(wanted) {
				return errStopped
			}
			return err
		})
	}
	if errors.Is(err, errStopped) {
		err = nil
	}
	return found, err
}
