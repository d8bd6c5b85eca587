package house

import (
	"cmp"
	"context"
	"slices"

	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// FirstSeries is the number of the series of games that a house is founded with.
const FirstSeries = state.FirstSeries

// A Line is one series of games of a running house: it has its timetable, its draws, its days and its books. Everything
// else it shares with the house. Its methods may be called by any number of goroutines.
type Line struct {
	*House
	id     uint8
	draws  draws
	stands standstill
}

// ID returns the number of the series.
func (l *Line) ID() uint8 { return l.id }

// Name returns the name of the series, as in seals.
func (l *Line) Name() string { return l.seen().name }

// Line returns a series of games, or says that there is none of this number.
func (h *House) Line(id uint8) (*Line, error) {
	if !slices.Contains(h.SeriesIDs(), id) {
		return nil, unknownSeries()
	}
	return h.line(id), nil
}

func unknownSeries() error {
	return &refusal.Refusal{Code: counter.SeriesUnknown, Path: "series", Sentence: "There is no such series."}
}

// LineOf returns the series of a ticket.
func (h *House) LineOf(ctx context.Context, ticket record.Place) (*Line, error) {
	place, err := h.Resolve(ctx, ticket)
	if err != nil {
		return nil, err
	}
	sold, _, err := h.soldAt(ctx, place)
	if err != nil {
		return nil, err
	}
	return h.Line(sold.Series)
}

// First returns the series that the house was founded with.
func (h *House) First() *Line { return h.line(FirstSeries) }

// Lines returns all series, ascending.
func (h *House) Lines() []*Line {
	var all []*Line
	for _, id := range h.SeriesIDs() {
		all = append(all, h.line(id))
	}
	return all
}

// SeriesIDs returns the numbers of the series, ascending. The caller must not change the list.
func (h *House) SeriesIDs() []uint8 { return h.viewed().ids }

// line returns the line of a series, of which there is one for the life of the house.
func (h *House) line(id uint8) *Line {
	h.lines.mu.Lock()
	defer h.lines.mu.Unlock()
	l, ok := h.lines.all[id]
	if !ok {
		l = &Line{House: h, id: id}
		if h.lines.all == nil {
			h.lines.all = map[uint8]*Line{}
		}
		h.lines.all[id] = l
	}
	return l
}

// seen returns what readers were last shown of the series.
func (l *Line) seen() *lineView { return l.viewed().line(l.id) }

// lineView is how a series stands, as of one commit. It never changes.
type lineView struct {
	name       string
	successor  bool   // its tickets have serials of the successor's form
	course     Course // without the rulebooks
	cage       Cage
	sale       onSale
	promotions []state.Promotion // by number - 1
}

// line returns how a series stands; of a series that there is not, nothing.
func (v *view) line(id uint8) *lineView {
	if l, ok := v.lines[id]; ok {
		return l
	}
	return new(lineView)
}

// twoForms reports whether tickets of the house have serials of more than one form.
func (v *view) twoForms() bool {
	first := v.line(FirstSeries).successor
	for _, l := range v.lines {
		if l.successor != first {
			return true
		}
	}
	return false
}

// lineViewOf copies how a series stands.
func lineViewOf(series *state.Series) *lineView {
	return &lineView{name: series.Name, successor: series.Book.SerialForm().Successor, course: courseOf(series),
		cage: cageOf(series), sale: saleOf(series),
		promotions: slices.Clone(series.Promotions())}
}

// SeriesAsked returns the series of games that a request for an act is about, or 0.
func (h *House) SeriesAsked(asked record.ApprovalRequested) uint8 {
	for _, id := range h.SeriesIDs() {
		if staff.NamesSeries(asked, id) {
			return id
		}
	}
	return 0
}

// seriesOf returns the series that a request is about; the first one for a request about none.
func (h *House) seriesOf(asked record.ApprovalRequested) uint8 {
	return cmp.Or(h.SeriesAsked(asked), FirstSeries)
}
