package main

import (
	"context"
	"math"

	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/state"
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
	var list []counter.Unfetched
	for id := range uint8(math.MaxUint8) {
		series, ok := e.State().Series(id + 1)
		if !ok || c.Series != 0 && c.Series != id+1 {
			continue
		}
		found, err := unfetchedIn(ctx, st, e.State(), q, series)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	list = append(list, house.WithheldOf(e.State(), q)...)
	return report.ByTicket(report.Searched(q), list, record.Place.String), nil
}

// unfetchedIn returns what a search finds of the prizes and stakes of the games of a series.
func unfetchedIn(ctx context.Context, st store.Store, s *state.State, q counter.UnfetchedSearch,
	series *state.Series) ([]counter.Unfetched, error) {
	games, err := q.Games(s, series)
	if err != nil {
		return nil, err
	}
	var list []counter.Unfetched
	for _, ordinal := range games {
		g, _ := series.Game(ordinal)
		won, err := house.Won(ctx, st, series.ID, ordinal, g.Base(), g.Revision())
		if err != nil {
			return nil, err
		}
		found, err := house.UnfetchedOf(s, q, series.ID, ordinal, won)
		if err != nil {
			return nil, err
		}
		list = append(append(list, found...), house.StakesOf(s, q, series.ID, ordinal)...)
	}
	return list, nil
}
