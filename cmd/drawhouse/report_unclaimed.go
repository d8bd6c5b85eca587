package main

import (
	"context"
	"fmt"

	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// unclaimed lists the prizes that nobody has fetched, of the games of some days or of all.
// The books know no tickets, so the whole journal is added up. Tickets are named by their
// places, because serials take the house's keys.
func (c *reportCmd) unclaimed(ctx context.Context, st store.Store) (*report.Table, error) {
	from, to, err := c.period()
	if err != nil {
		return nil, err
	}
	q := counter.UnfetchedSearch{From: from, To: to}
	if c.Due != "" {
		if q.Due, err = day.Parse(c.Due); err != nil {
			return nil, misused("--due", err)
		}
	}
	e := engine.New(nil)
	if err := everyRecord(ctx, st, func(_ record.Place, data []byte) error { return e.Replay(data) }); err != nil {
		return nil, err
	}
	series, ok := e.State().Series(house.FirstSeries)
	if !ok {
		return nil, fmt.Errorf("the journal has no games")
	}
	games, err := q.Games(e.State(), series)
	if err != nil {
		return nil, err
	}
	var list []counter.Unfetched
	for _, ordinal := range games {
		g, _ := series.Game(ordinal)
		won, err := house.Won(ctx, st, house.FirstSeries, ordinal, g.Base(), g.Revision())
		if err != nil {
			return nil, err
		}
		found, err := house.UnfetchedOf(e.State(), q, house.FirstSeries, ordinal, won)
		if err != nil {
			return nil, err
		}
		list = append(append(list, found...), house.StakesOf(e.State(), q, house.FirstSeries, ordinal)...)
	}
	list = append(list, house.WithheldOf(e.State(), q)...)
	return report.ByTicket(report.Searched(q), list, record.Place.String), nil
}
