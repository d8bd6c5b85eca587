package house

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"drawhouse/core/money"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/games/settle"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// unfetchedAtOnce bounds how many prizes the lane looks at before it does something
// else.
const unfetchedAtOnce = 1000

// Unfetched lists the prizes that a search finds of those that nobody has fetched, game by
// game and there by ticket, and then what sessions have withheld, until yield reports false.
func (h *House) Unfetched(ctx context.Context, q counter.UnfetchedSearch, yield func(counter.Unfetched) bool) error {
	for _, l := range h.Lines() {
		if more, err := l.unfetched(ctx, q, yield); err != nil || !more {
			return err
		}
	}
	withheld, err := lane.Do(ctx, h.lane, func(m machine) ([]counter.Unfetched, error) {
		return WithheldOf(m.State(), q),
			nil
	})
	if err != nil {
		return err
	}
	for _, u := range withheld {
		if !yield(u) {
			return nil
		}
	}
	return nil
}

// unfetched lists the prizes of the games of a series, and reports whether more are wanted.
func (l *Line) unfetched(ctx context.Context, q counter.UnfetchedSearch,
	yield func(counter.Unfetched) bool) (more bool, err error) {
	games, err := lane.Do(ctx, l.lane, func(m machine) ([]uint32, error) {
		series, ok := m.State().Series(l.id)
		if !ok {
			return nil, nil
		}
		return q.Games(m.State(), series)
	})
	if err != nil {
		return false, err
	}
	for _, ordinal := range games {
		g, ok := l.history.byOrdinal(l.id, ordinal)
		if !ok {
			continue
		}
		if more, err := l.unfetchedOf(ctx, q, &g, yield); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// WithheldOf returns what a search finds of what the ends of sessions have kept. It is of no
// game, so that no days bound it.
func WithheldOf(s *state.State, q counter.UnfetchedSearch) []counter.Unfetched {
	return slices.DeleteFunc(counter.UnfetchedWithheld(s), func(u counter.Unfetched) bool { return !q.Wants(&u) })
}

func (l *Line) unfetchedOf(ctx context.Context, q counter.UnfetchedSearch, g *Game,
	yield func(counter.Unfetched) bool) (more bool, err error) {
	won, err := Won(ctx, l.config.Store, l.id, g.Ordinal, g.base(), g.Revision())
	if err != nil {
		return false, err
	}
	for batch := range slices.Chunk(won, unfetchedAtOnce) {
		found, err := lane.Do(ctx, l.lane, func(m machine) ([]counter.Unfetched, error) {
			return UnfetchedOf(m.State(), q, l.id, g.Ordinal, batch)
		})
		if err != nil {
			return false, err
		}
		for _, u := range found {
			if !yield(u) {
				return false, nil
			}
		}
	}
	if !g.IsVoid() {
		return true, nil
	}
	stakes, err := lane.Do(ctx, l.lane, func(m machine) ([]counter.Unfetched, error) {
		return StakesOf(m.State(), q, l.id, g.Ordinal), nil
	})
	if err != nil {
		return false, err
	}
	for _, u := range stakes {
		if !yield(u) {
			return false, nil
		}
	}
	return true, nil
}

// StakesOf returns what a search finds of the stakes of a void game that go back.
func StakesOf(s *state.State, q counter.UnfetchedSearch, id uint8, ordinal uint32) []counter.Unfetched {
	series, ok := s.Series(id)
	if !ok {
		return nil
	}
	g, ok := series.Game(ordinal)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(counter.UnfetchedStakes(s, series, g), func(u counter.Unfetched) bool { return !q.Wants(&u) })
}

// TicketWon is what a ticket has won in a game.
type TicketWon struct {
	Ticket record.Place
	Cents  money.Amount
}

// Won returns what tickets have won in a game by its winners files, of which each further
// revision has what is owed in addition, by ticket.
func Won(ctx context.Context, from store.Reader, series uint8, ordinal uint32, first, last uint8) ([]TicketWon, error) {
	sums := map[record.Place]money.Amount{}
	for revision := first; revision <= last; revision++ {
		data, err := from.Object(ctx, game.WinnersName(series, ordinal, revision))
		if err != nil {
			return nil, fmt.Errorf("house: the winners of game %d: %w", ordinal, err)
		}
		file, err := settle.DecodeWinners(data)
		if err != nil {
			return nil, fmt.Errorf("house: the winners of game %d: %w", ordinal, err)
		}
		for ticket, cents := range file.All() {
			sums[ticket] += cents
		}
	}
	all := make([]TicketWon, 0, len(sums))
	for ticket, cents := range sums {
		all = append(all, TicketWon{ticket, cents})
	}
	slices.SortFunc(all, func(a, b TicketWon) int {
		return cmp.Or(cmp.Compare(a.Ticket.Volume, b.Ticket.Volume), cmp.Compare(a.Ticket.Seq, b.Ticket.Seq))
	})
	return all, nil
}

// UnfetchedOf returns what a search finds of the prizes of a game.
func UnfetchedOf(s *state.State, q counter.UnfetchedSearch, id uint8, ordinal uint32,
	won []TicketWon) ([]counter.Unfetched, error) {
	series, ok := s.Series(id)
	if !ok {
		return nil, nil
	}
	g, ok := series.Game(ordinal)
	if !ok {
		return nil, nil
	}
	var all []counter.Unfetched
	for _, w := range won {
		u, left, err := counter.FindUnfetched(s, series, g, w.Ticket, w.Cents)
		if err != nil {
			return nil, err
		}
		if left && q.Wants(&u) {
			all = append(all, u)
		}
	}
	return all, nil
}

// AllUnfetched returns what a search finds in a journal that has led to a state, in one series or in all, which is 0.
func AllUnfetched(ctx context.Context, from store.Reader, s *state.State, q counter.UnfetchedSearch,
	only uint8) ([]counter.Unfetched, error) {
	var list []counter.Unfetched
	for series := range s.AllSeries() {
		if only != 0 && series.ID != only {
			continue
		}
		games, err := q.Games(s, series)
		if err != nil {
			return nil, err
		}
		for _, ordinal := range games {
			g, _ := series.Game(ordinal)
			won, err := Won(ctx, from, series.ID, ordinal, g.Base(), g.Revision())
			if err != nil {
				return nil, err
			}
			found, err := UnfetchedOf(s, q, series.ID, ordinal, won)
			if err != nil {
				return nil, err
			}
			list = append(append(list, found...), StakesOf(s, q, series.ID, ordinal)...)
		}
	}
	return append(list, WithheldOf(s, q)...), nil
}
