package main

import (
	"context"
	"errors"

	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// list makes a report that is not of the books. Tickets are named by their places, because serials take the house's
// keys.
func (c *reportCmd) list(ctx context.Context, st store.Store) (*report.Table, error) {
	from, to, err := c.period()
	if err != nil {
		return nil, err
	}
	asked := house.ListAsked{Name: report.Name(c.Name), From: from, To: to, Series: c.Series, Behind: c.Behind,
		Choice: c.choice(), Named: record.Place.String}
	if c.Due != "" {
		if asked.Due, err = day.Parse(c.Due); err != nil {
			return nil, misused("--due", err)
		}
	}
	if l, _ := report.FindList(asked.Name); asked.Choice.Venue != 0 && !l.ByVenue {
		return nil, misused("--venue", errors.New("the report is of the house as a whole and not of one venue"))
	} else if asked.Choice.By != "" && !l.ByTime {
		return nil, misused("--by", errors.New("the report lists single things and adds up no days"))
	}
	table, err := house.ListOf(ctx, st, func(fn func(record.Place, record.Record) error) error {
		return everyRecord(ctx, st, func(place record.Place, data []byte) error {
			r, err := record.Decode(data)
			if err != nil {
				return err
			}
			return fn(place, r)
		})
	}, asked)
	for argument, wrong := range map[string][]error{
		"--from":   {house.ErrOneDay, report.ErrNoGame, report.ErrNoDay},
		"--series": {house.ErrAllSeries}, "--behind": {report.ErrNoFigure, report.ErrNoSum, house.ErrNoBehind},
	} {
		for _, is := range wrong {
			if errors.Is(err, is) {
				return nil, misused(argument, err)
			}
		}
	}
	return table, err
}
