package main

import (
	"context"
	"errors"
	"fmt"

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
	e, _, err := replayed(ctx, st, nil)
	if err != nil {
		return nil, err
	}
	list, err := house.AllUnfetched(ctx, st, e.State(), q, c.Series)
	if err != nil {
		return nil, err
	}
	return report.ByTicket(report.Searched(q), list, record.Place.String), nil
}

// replayed adds the whole journal up, and returns the newest Keno Day in it. After each record it calls after, if that
// is given.
func replayed(ctx context.Context, st store.Store, after func(record.Place, record.Record, *state.State)) (
	e *engine.Engine, newest day.Day, err error) {
	e = engine.New(nil)
	err = everyRecord(ctx, st, func(place record.Place, data []byte) error {
		if err := e.Replay(data); err != nil {
			return err
		}
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		if opened, ok := r.Body.(*record.DayOpened); ok {
			newest = max(newest, opened.Day)
		}
		if after != nil {
			after(place, r, e.State())
		}
		return nil
	})
	return e, newest, err
}

// ageing sorts what nobody has fetched by the days since its game.
func (c *reportCmd) ageing(ctx context.Context, st store.Store) (*report.Table, error) {
	e, newest, err := replayed(ctx, st, nil)
	if err != nil {
		return nil, err
	}
	if c.Series != 0 {
		return nil, misused("--series", errors.New("the accounts are those of all series"))
	}
	list, err := house.AllUnfetched(ctx, st, e.State(), counter.UnfetchedSearch{}, 0)
	if err != nil {
		return nil, err
	}
	return report.Age(e.State(), list, newest), nil
}

// certificate lists the draws of a Keno Day.
func (c *reportCmd) certificate(ctx context.Context, st store.Store) (*report.Table, error) {
	from, to, err := c.period()
	if err != nil {
		return nil, err
	}
	if from == day.None || to != day.None && to != from {
		return nil, misused("--from", errors.New("a certificate is of one Keno Day: name it"))
	}
	draws, ordinals := report.NewDrawDay(max(1, c.Series), from), map[record.Game]uint32{}
	if _, _, err := replayed(ctx, st, func(_ record.Place, r record.Record, s *state.State) {
		if opened, ok := r.Body.(*record.GameOpened); ok && draws.Wants(opened.Game) {
			ordinals[opened.Game] = opened.Ordinal
		}
		draws.Add(r, func(ref record.Game) string {
			series, ok := s.Series(ref.Series)
			if !ok {
				return ""
			}
			g, ok := series.Game(ordinals[ref])
			if !ok {
				return ""
			}
			return string(g.Device)
		})
	}); err != nil {
		return nil, err
	}
	heads, err := st.Volumes(ctx)
	if err != nil || len(heads) == 0 {
		return nil, err
	}
	table, err := draws.Table(heads[len(heads)-1].Checkpoint)
	if err != nil {
		return nil, misused("--from", err)
	}
	return table, nil
}

// outstanding lists papers and cards that stand for money.
func (c *reportCmd) outstanding(ctx context.Context, st store.Store) (*report.Table, error) {
	e, newest, err := replayed(ctx, st, nil)
	if err != nil {
		return nil, err
	}
	return report.OutstandingPapers(e.State(), fmt.Sprintf("On %v", newest)), nil
}

// cards lists what came onto each player card and left it.
func (c *reportCmd) cards(ctx context.Context, st store.Store) (*report.Table, error) {
	cards := report.NewCardLedger("From the beginning of the journal on")
	if _, _, err := replayed(ctx, st, cards.Add); err != nil {
		return nil, err
	}
	return cards.Table(), nil
}
