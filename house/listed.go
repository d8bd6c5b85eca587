package house

import (
	"context"
	"errors"
	"fmt"

	"drawhouse/books/bets"
	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// ListAsked says which report that is not of the books is wanted.
type ListAsked struct {
	Name     report.Name
	From, To day.Day // either may be none
	Due      day.Day // of the unclaimed prizes only those that move by this day
	Series   uint8   // 0 for all
	Choice   report.Choice
	Behind   string                    // a figure whose records are wanted, such as 3/Sold; empty for the report
	Named    func(record.Place) string // names a ticket
}

// Errors of what is asked.
var (
	ErrOneDay    = errors.New("a certificate is of one Keno Day: name it")
	ErrAllSeries = errors.New("the accounts are those of all series")
	ErrNoBehind  = errors.New("nothing is behind the figures of this report")
)

// EachRecord reads a journal from its beginning and calls a function for each record, until that returns an error.
type EachRecord func(fn func(record.Place, record.Record) error) error

// ListOf makes a report that is not of the books. It reads the whole journal, and of what is beside the records what
// the store has.
func ListOf(ctx context.Context, from store.Reader, each EachRecord, q ListAsked) (*report.Table, error) {
	l, ok := report.FindList(q.Name)
	switch {
	case !ok:
		return nil, fmt.Errorf("house: there is no list %q", q.Name)
	case q.Behind != "" && !l.Adds():
		return nil, ErrNoBehind
	}
	var head report.Head
	table, err := listOf(ctx, from, func(fn func(record.Place, record.Record) error) error {
		return each(func(place record.Place, r record.Record) error {
			head.Last(place, r)
			return fn(place, r)
		})
	}, q)
	if err != nil {
		return nil, err
	}
	if table.UpTo = head; q.Behind == "" {
		table.Name = q.Name
	}
	return table, nil
}

func listOf(ctx context.Context, from store.Reader, each EachRecord, q ListAsked) (*report.Table, error) {
	switch q.Name {
	case report.Unclaimed, report.Ageing, report.Outstanding:
		return standingOf(ctx, from, each, q)
	case report.Certificate:
		return certificateOf(ctx, from, each, q)
	case report.Cards:
		cards := report.NewCardLedger("From the beginning of the journal on")
		s := state.New()
		err := each(func(place record.Place, r record.Record) error {
			if err := s.Apply(r); err != nil {
				return err
			}
			cards.Add(place, r, s)
			return nil
		})
		return cards.Table(), err
	}
	return betsOf(ctx, from, each, q)
}

// List makes a report that is not of the books. It reads the journal as EveryRecord does.
func (h *House) List(ctx context.Context, q ListAsked) (*report.Table, error) {
	return ListOf(ctx, h.config.Store, func(fn func(record.Place, record.Record) error) error {
		return h.EveryRecord(ctx, func(place record.Place, r record.Record) (bool, error) { return true, fn(place, r) })
	}, q)
}

// standingOf makes a report of how things stand when the journal ends.
func standingOf(ctx context.Context, from store.Reader, each EachRecord, q ListAsked) (*report.Table, error) {
	if q.Name == report.Ageing && q.Series != 0 {
		return nil, ErrAllSeries
	}
	s, newest := state.New(), day.None
	if err := each(func(_ record.Place, r record.Record) error {
		if opened, ok := r.Body.(*record.DayOpened); ok {
			newest = max(newest, opened.Day)
		}
		return s.Apply(r)
	}); err != nil {
		return nil, err
	}
	search := counter.UnfetchedSearch{}
	switch q.Name {
	case report.Outstanding:
		return report.OutstandingPapers(s, fmt.Sprintf("On %v", newest)), nil
	case report.Unclaimed:
		search = counter.UnfetchedSearch{From: q.From, To: q.To, Due: q.Due}
	}
	list, err := AllUnfetched(ctx, from, s, search, q.Series)
	if err != nil {
		return nil, err
	}
	if q.Name == report.Unclaimed {
		return report.ByTicket(report.Searched(search), list, q.Named), nil
	}
	return report.Age(s, list, newest), nil
}

// certificateOf lists the draws of a Keno Day.
func certificateOf(ctx context.Context, from store.Reader, each EachRecord, q ListAsked) (*report.Table, error) {
	if q.From == day.None || q.To != day.None && q.To != q.From {
		return nil, ErrOneDay
	}
	heads, err := from.Volumes(ctx) // Before the records: the checkpoint commits to no more than are read.
	if err != nil {
		return nil, err
	}
	if len(heads) == 0 {
		return nil, report.ErrNoGame
	}
	draws, s, ordinals := report.NewDrawDay(max(1, q.Series), q.From), state.New(), map[record.Game]uint32{}
	if err := each(func(_ record.Place, r record.Record) error {
		if opened, ok := r.Body.(*record.GameOpened); ok && draws.Wants(opened.Game) {
			ordinals[opened.Game] = opened.Ordinal
		}
		if err := s.Apply(r); err != nil {
			return err
		}
		draws.Add(r, func(ref record.Game) string {
			series, _ := s.Series(ref.Series)
			g, ok := series.Game(ordinals[ref])
			if !ok {
				return ""
			}
			return string(g.Device)
		})
		return nil
	}); err != nil {
		return nil, err
	}
	return draws.Table(heads[len(heads)-1].Checkpoint)
}

// betSource reads what the reports of bets need beside the records.
type betSource struct {
	ctx  context.Context
	from store.Reader
}

// BodyAt implements bets.Source.
func (b betSource) BodyAt(place record.Place) (record.Body, error) {
	data, err := b.from.Record(b.ctx, place)
	if err != nil {
		return nil, err
	}
	r, err := record.Decode(data)
	return r.Body, err
}

// Winners implements bets.Source.
func (b betSource) Winners(series uint8, ordinal uint32, revision uint8) ([]byte, error) {
	return b.from.Object(b.ctx, game.WinnersName(series, ordinal, revision))
}

// betsOf makes a report of what people bet on, or the list of the records behind a figure of it.
func betsOf(ctx context.Context, from store.Reader, each EachRecord, q ListAsked) (*report.Table, error) {
	made, err := report.NewBetting(q.Name, q.Choice, q.From, q.To, q.Series)
	if err != nil {
		return nil, err
	}
	source := betSource{ctx, from}
	fold := bets.New(source, bets.Listener{})
	if err := each(fold.Add); err != nil {
		return nil, err
	}
	table, err := made.Table(fold)
	if err != nil || q.Behind == "" {
		return table, err
	}
	row, column, err := report.ParseFigure(q.Behind)
	if err != nil {
		return nil, err
	}
	if err := made.Behind(table, row, column); err != nil {
		return nil, err
	}
	heard := bets.New(source, made.Listener())
	if err := each(heard.Add); err != nil {
		return nil, err
	}
	return made.Found(heard)
}
