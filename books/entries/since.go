package entries

import (
	"cmp"
	"context"
	"errors"

	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// SinceClose adds up what the journal has from the record on that closed a day. later is asked of every close of a day
// behind it; if it says that a later day of the same kind is closed, nothing is added up.
func SinceClose(ctx context.Context, stored store.Reader, closed record.Place,
	later func(*record.DayClosed) (bool, error)) (since report.Since, err error) {
	heads, err := stored.Volumes(ctx)
	if err != nil {
		return since, err
	}
	for _, head := range heads {
		from := uint64(0)
		switch {
		case head.Volume < closed.Volume:
			continue
		case head.Volume == closed.Volume:
			from = closed.Seq
		}
		if from >= head.Size {
			continue
		}
		if err := stored.Records(ctx, head.Volume, from, head.Size, func(seq uint64, data []byte) error {
			r, err := record.Decode(data)
			if err != nil {
				return err
			}
			place := record.Place{Volume: head.Volume, Seq: seq}
			if closes, ok := r.Body.(*record.DayClosed); ok && place != closed {
				over, err := later(closes)
				if err == nil && over {
					err = errFound
				}
				if err != nil {
					return err
				}
			}
			return since.Add(place, r)
		}); errors.Is(err, errFound) {
			return report.Since{}, nil
		} else if err != nil {
			return since, err
		}
	}
	return since, nil
}

// since adds up what was booked behind the days of a choice, where the last of them is the last that is closed.
func (j *Journal) since(ctx context.Context, c Choice) (report.Since, error) {
	by := cmp.Or(c.By, ByDay)
	if len(j.Days) == 0 || c.To != day.None && by.of(j.Days[len(j.Days)-1].Booked) > by.of(c.To) {
		return report.Since{}, nil
	}
	return SinceClose(ctx, j.stored, j.Days[len(j.Days)-1].Closed, func(*record.DayClosed) (bool, error) {
		return false, nil // Another series has closed a day of its own; the newest of the house is known.
	})
}
