package house

import (
	"context"
	"slices"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/engine"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Counter is a terminal as the person who works there needs to know it.
type Counter struct {
	Last    uint64 // number of the newest request that was decided; 0 for none
	Session uint32 // customer sessions so far
	Drawer  money.Amount
	Kind    rulebook.VenueKind
	Sells   []uint8      // series of games, ascending
	Limit   money.Amount // up to which the venue pays in cash or receipts; 0 where it has not said
}

// Counter says how far a terminal has come, as of the last commit.
func (h *House) Counter(_ context.Context, terminal uint32) (Counter, error) {
	t, ok := h.copies.Load().Till(terminal)
	if !ok {
		return Counter{}, &refusal.Refusal{Code: engine.TerminalUnknown, Path: "terminal",
			Sentence: "There is no such terminal."}
	}
	venue, _ := h.viewed().Venue(t.Venue)
	sells := slices.DeleteFunc(slices.Clone(h.SeriesIDs()), func(id uint8) bool { return !venue.Sells(id) })
	return Counter{Last: t.Last.Number, Session: t.Session, Drawer: t.Drawer, Kind: venue.Kind,
		Sells: sells, Limit: venue.CashLimit}, nil
}

// Held returns a paper that stands for money and has not been used; there is none at a
// place where something else stands.
func (h *House) Held(ctx context.Context, place record.Place) (paper state.Paper, held bool, err error) {
	if place, err = h.Resolve(ctx, place); err != nil {
		return state.Paper{}, false, err
	}
	paper, held = h.copies.Load().papers.get(place)
	return paper, held, nil
}

// Outstanding returns where a ticket or a paper that is outstanding stands, by the serial of any
// of its sheets. A serial that nobody has is no place to stop anything at.
func (h *House) Outstanding(ctx context.Context, serial string) (record.Place, error) {
	place, err := h.Find(serial)
	if err == nil {
		place, err = h.Resolve(ctx, place)
	}
	if err != nil {
		return record.Place{}, err
	}
	if _, held, err := h.Held(ctx, place); held || err != nil {
		return place, err
	}
	_, err = h.Ticket(ctx, place)
	return place, err
}

// OfTicket returns where a ticket stands, by the serial of any of its sheets, and refuses a paper.
func (h *House) OfTicket(ctx context.Context, serial string) (record.Place, error) {
	place, err := h.Outstanding(ctx, serial)
	if err == nil {
		_, err = h.Ticket(ctx, place)
	}
	return place, err
}
