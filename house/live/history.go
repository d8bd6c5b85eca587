package live

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"drawhouse/journal/record"
)

// Source gives back a committed record. It is the part of the store that the
// hub needs to tell old events again.
type Source interface {
	// Record returns the record at a place. Several goroutines may call it.
	Record(ctx context.Context, place record.Place) ([]byte, error)
}

var (
	// ErrForgotten means that events after the id are not kept any more.
	ErrForgotten = errors.New("live: the events after this id are no longer kept")
	// ErrAhead means that the journal has not come to the id.
	ErrAhead = errors.New("live: there is no event with this id yet")
)

// history holds what was told, in chunks of consecutive events. The newest
// chunks hold the events themselves; of older ones only the places are kept, and
// the events are made again from their records. The oldest are forgotten.
type history struct {
	limits    limits `snapshot:"-"`
	chunks    []*chunk
	forgotten ID // of the last event that was forgotten
}

// limits bound what a history keeps.
type limits struct {
	chunkEvents int // events in a chunk
	encoded     int // chunks that hold their events
	chunks      int // chunks in all
}

// defaultLimits keep about eight hours of three-minute games encoded, in some two
// megabytes, and two weeks in all, in four.
var defaultLimits = limits{chunkEvents: 256, encoded: 16, chunks: 768}

// chunk is a run of consecutive events.
type chunk struct {
	before *translator // as it was before the first event; never changed
	ids    []ID
	events []Event `snapshot:"-"` // as long as ids, or nil once it was dropped
}

// full reports whether the next event begins a chunk.
func (h *history) full() bool {
	n := len(h.chunks)
	return n == 0 || len(h.chunks[n-1].ids) == h.limits.chunkEvents
}

// renew makes the events of the newest chunk again, so that the next can be added to
// them.
func (h *history) renew(ctx context.Context, source Source) (err error) {
	if len(h.chunks) == 0 {
		return nil
	}
	c := h.chunks[len(h.chunks)-1]
	c.events, err = passage{before: c.before, ids: c.ids}.read(ctx, source)
	return err
}

// add adds an event. If it begins a chunk, before is the translator as it was
// before the event.
func (h *history) add(e Event, before *translator) {
	if h.full() {
		h.chunks = append(h.chunks, &chunk{before: before})
		h.forget()
	}
	c := h.chunks[len(h.chunks)-1]
	c.ids, c.events = append(c.ids, e.ID), append(c.events, e)
}

// forget drops what is beyond the limits after one more chunk has begun.
func (h *history) forget() {
	if n := len(h.chunks); n > h.limits.encoded {
		h.chunks[n-1-h.limits.encoded].events = nil
	}
	if len(h.chunks) > h.limits.chunks {
		oldest := h.chunks[0].ids
		h.forgotten = oldest[len(oldest)-1]
		h.chunks = slices.Delete(h.chunks, 0, 1)
	}
}

// newest returns the id of the newest event, or the zero ID.
func (h *history) newest() ID {
	if len(h.chunks) == 0 {
		return ID{}
	}
	ids := h.chunks[len(h.chunks)-1].ids
	return ids[len(ids)-1]
}

// passage is a part of a chunk: its events, or else what they are made from.
// It stays valid while the history goes on.
type passage struct {
	events []Event
	before *translator
	ids    []ID // of the chunk from its beginning
	after  ID
}

// after returns the events of one chunk that follow an id. There are none if the
// id is that of the newest event.
func (h *history) after(id ID) (passage, error) {
	if id.Compare(h.forgotten) < 0 {
		return passage{}, ErrForgotten
	}
	i, _ := slices.BinarySearchFunc(h.chunks, id, func(c *chunk, id ID) int {
		if c.ids[len(c.ids)-1].Compare(id) > 0 {
			return 1
		}
		return -1
	})
	if i == len(h.chunks) {
		return passage{}, nil
	}
	c := h.chunks[i]
	if c.events == nil {
		return passage{before: c.before, ids: c.ids, after: id}, nil
	}
	first, _ := slices.BinarySearchFunc(c.ids, id, func(have, id ID) int {
		if have.Compare(id) > 0 {
			return 1
		}
		return -1
	})
	return passage{events: c.events[first:len(c.ids):len(c.ids)]}, nil
}

// read returns the events of a passage, from their records if need be.
func (p passage) read(ctx context.Context, source Source) ([]Event, error) {
	if p.events != nil || p.ids == nil {
		return p.events, nil
	}
	if source == nil {
		return nil, ErrForgotten
	}
	t := p.before.clone()
	events := make([]Event, 0, len(p.ids))
	for _, id := range p.ids {
		data, err := source.Record(ctx, record.Place(id))
		if err != nil {
			return nil, fmt.Errorf("live: record %v: %w", id, err)
		}
		r, err := record.Decode(data)
		if err != nil {
			return nil, fmt.Errorf("live: record %v: %w", id, err)
		}
		e, err := t.translate(id, r)
		if err != nil {
			return nil, err
		}
		if id.Compare(p.after) > 0 {
			events = append(events, e)
		}
	}
	return events, nil
}
