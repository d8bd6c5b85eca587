package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"drawhouse/journal/record"
)

// Options say how a hub works. The zero value of each field means its default.
type Options struct {
	// Source gives back the records of events that are no longer kept encoded.
	// Without one such events are forgotten.
	Source Source
	// Results is how many settled games the board shows; 10 by default.
	Results int
	// Tick is the time between the signs of life of a stream, by which a client
	// tells a quiet house from a dead connection; 10 seconds by default.
	Tick time.Duration
	// Patience is how long a client may take to accept what is sent to it before
	// it is cut off; 10 seconds by default.
	Patience time.Duration
	// Now is the clock; time.Now by default.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Results == 0 {
		o.Results = 10
	}
	if o.Tick == 0 {
		o.Tick = 10 * time.Second
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// ErrOutOfOrder means that a record is not the one after the last, so that the
// public would miss something. It is a fault of the caller.
var ErrOutOfOrder = errors.New("live: the record does not follow the last one")

// Hub tells the public what was committed. One goroutine adds records; any
// number of others read the board and the events.
type Hub struct {
	options Options       `snapshot:"-"`
	closed  chan struct{} `snapshot:"-"`
	streams atomic.Int64  `snapshot:"-"` // those under way

	mu        sync.RWMutex // guards what follows
	next      record.Place // of the next record; the zero Place before the first
	broken    error        `snapshot:"-"` // the first error of adding, after which nothing is added
	translate *translator
	fold      *fold
	history   history
	changed   chan struct{} `snapshot:"-"` // closed and replaced when an event is added
	encoded   []byte        `snapshot:"-"` // the board as JSON but for the time; nil if it has changed
	closeOnce sync.Once
}

// NewHub returns a hub that has seen no record.
func NewHub(options Options) *Hub { return newHub(options, defaultLimits) }

func newHub(options Options, l limits) *Hub {
	options = options.withDefaults()
	return &Hub{
		options:   options,
		closed:    make(chan struct{}),
		translate: newTranslator(),
		fold:      newFold(options.Results),
		history:   history{limits: l},
		changed:   make(chan struct{}),
	}
}

// Committed adds records that are durable, in their order, the first of which
// stands at from. It does not wait for any client. A house tells its hub every
// record from the first on, those of a replay included.
//
// After an error the hub tells nothing more, not even the board, and ends its
// streams: it can no longer be trusted to say what the journal says, and a screen
// that shows the past as the present is worse than one that shows it is cut off.
func (h *Hub) Committed(from record.Place, records [][]byte) error {
	for i, data := range records {
		place := record.Place{Volume: from.Volume, Seq: from.Seq + uint64(i)}
		// Most records are tickets, and decoding them only to pass them over would
		// cost more than everything else here.
		if kind, ok := record.KindOf(data); ok && !kind.Public() && !isFact(kind) {
			if err := h.pass(place); err != nil {
				return err
			}
			continue
		}
		r, err := record.Decode(data)
		if err != nil {
			err = fmt.Errorf("live: record %v: %w", place, err)
			h.mu.Lock()
			h.fail(err)
			h.mu.Unlock()
			return err
		}
		if err := h.Add(place, r); err != nil {
			return err
		}
	}
	return nil
}

// Add adds one record that is durable; see Committed.
func (h *Hub) Add(place record.Place, r record.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.advance(place); err != nil {
		return err
	}
	var err error
	switch kind := r.Kind(); {
	case isFact(kind):
		h.encoded = nil
		err = h.fold.addFact(r)
	case kind.Public():
		err = h.publish(ID(place), r)
	}
	if err != nil {
		h.fail(err)
	}
	return err
}

// pass notes a record that the public has no part in.
func (h *Hub) pass(place record.Place) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.advance(place)
}

// fail notes an error after which nothing is told. The caller holds mu.
func (h *Hub) fail(err error) {
	h.broken = err
	h.Close()
}

// Renew is called once for a hub that was read from a snapshot, before anything is
// committed to it. Of what was told, a snapshot has the places and not the events.
func (h *Hub) Renew(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.history.renew(ctx, h.options.Source)
}

// Next returns the place behind the last record that the hub was told of.
func (h *Hub) Next() record.Place {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.next
}

// Err returns why the hub tells nothing more, or nil while it does.
func (h *Hub) Err() error {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.broken
}

// advance moves to the place after the given one, which must be the next: the
// first of all, the one behind the last, or the first of a later volume.
func (h *Hub) advance(place record.Place) error {
	if h.broken != nil {
		return h.broken
	}
	first := h.next == record.Place{}
	newVolume := place.Volume > h.next.Volume && place.Seq == 0
	if !first && place != h.next && !newVolume {
		h.fail(fmt.Errorf("%w: %v, where %v is due", ErrOutOfOrder, place, h.next))
		return h.broken
	}
	h.next = record.Place{Volume: place.Volume, Seq: place.Seq + 1}
	return nil
}

func (h *Hub) publish(id ID, r record.Record) error {
	var before *translator
	if h.history.full() {
		before = h.translate.clone()
	}
	e, err := h.translate.translate(id, r)
	if err != nil {
		return err
	}
	if err := h.fold.addEvent(e); err != nil {
		return err
	}
	h.history.add(e, before)
	h.encoded = nil
	close(h.changed)
	h.changed = make(chan struct{})
	return nil
}

// Board returns the board as it stands.
func (h *Hub) Board() Board {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return Board{Now: h.options.Now(), Standing: h.fold.board.clone()}
}

// OffsetSeconds returns what local clocks add to UTC on the Keno Day of a series.
func (h *Hub) OffsetSeconds(series uint8) int32 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for i := range h.fold.board.Series {
		if h.fold.board.Series[i].Series == series {
			return h.fold.board.Series[i].OffsetSeconds
		}
	}
	return 0
}

// AppendBoard appends the board as JSON. It is encoded once for all clients that
// ask between two events; only the time is each one's own.
func (h *Hub) AppendBoard(b []byte) ([]byte, error) {
	encoded, err := h.encodedBoard()
	if err != nil {
		return nil, err
	}
	b = append(b, `{"now":"`...)
	b = h.options.Now().AppendFormat(b, time.RFC3339Nano)
	b = append(b, `",`...)
	return append(b, encoded...), nil
}

// encodedBoard returns the board as JSON behind its first field, the time.
func (h *Hub) encodedBoard() ([]byte, error) {
	h.mu.RLock()
	encoded, err := h.encoded, h.broken
	h.mu.RUnlock()
	if encoded != nil || err != nil {
		return encoded, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.encoded == nil {
		data, err := json.Marshal(h.fold.board)
		if err != nil {
			return nil, fmt.Errorf("live: board: %w", err)
		}
		h.encoded = data[len("{"):]
	}
	return h.encoded, nil
}

// Newest returns the id of the newest event, or the zero ID before the first.
func (h *Hub) Newest() ID {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.history.newest()
}

// After returns events that follow an id, oldest first: at least one if there is
// any, but not always all. It does not wait; the channel is closed when there is
// a further event than those that were known when After was called.
//
// The error wraps ErrForgotten or ErrAhead if the events after the id cannot be
// told; any other error is Err or one of the source.
func (h *Hub) After(ctx context.Context, id ID) ([]Event, <-chan struct{}, error) {
	h.mu.RLock()
	changed := h.changed
	newest := ID(h.next)
	part, err := h.history.after(id)
	if h.broken != nil {
		err = h.broken
	}
	h.mu.RUnlock()
	if err == nil && id != (ID{}) && id.Compare(newest) >= 0 {
		err = ErrAhead
	}
	if err != nil {
		return nil, changed, err
	}
	events, err := part.read(ctx, h.options.Source)
	return events, changed, err
}

// Streams returns how many streams are under way.
func (h *Hub) Streams() int { return int(h.streams.Load()) }

// Close ends every stream. Board and After still answer.
func (h *Hub) Close() { h.closeOnce.Do(func() { close(h.closed) }) }
