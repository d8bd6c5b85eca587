package sim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// errDisk is all that a writer is told when the disk fails.
var errDisk = errors.New("sim: input/output error")

// fault is what happens to an append.
type fault struct {
	kind Kind // of the faults of appends
	// lands says of a late append that it arrives before anybody takes over, and slow
	// how long a slow one takes.
	lands bool
	slow  time.Duration
}

// disk is the storage of a house as far as it is durable: what package store
// promises, written down in the simplest way, and everything that those promises
// leave open. Several processes may use it at a time, each through a handle.
type disk struct {
	clock *clock
	// committed is shown every batch as it becomes durable.
	committed func(store.Batch)

	mu      sync.Mutex // guards what follows
	head    store.Head
	ended   []store.Head
	records map[uint16][]store.Entry
	about   map[record.Place][]record.Place
	tiles   map[tileKey][]byte
	objects map[string][]byte

	faults []fault       // of the appends to come
	tail   int           // records of a torn batch, which the next start drops
	late   []store.Batch // under way, of writers that gave them up
	landed []store.Batch // of those, what will arrive in time
	gate   chan struct{} // while it is not nil, appends wait until it is closed
	forged map[record.Place][]byte
	done   map[string]int // figures
}

type tileKey struct {
	volume uint16
	level  uint8
	index  uint64
}

func newDisk(c *clock, committed func(store.Batch)) *disk {
	return &disk{
		clock: c, committed: committed,
		head:    store.Head{Volume: store.FirstVolume, Root: journal.EmptyRoot()},
		records: map[uint16][]store.Entry{}, about: map[record.Place][]record.Place{}, tiles: map[tileKey][]byte{},
		objects: map[string][]byte{}, forged: map[record.Place][]byte{}, done: map[string]int{},
	}
}

// plan lets the next append without a fault have one.
func (d *disk) plan(f fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults = append(d.faults, f)
}

// shut makes appends wait, and open lets them go on.
func (d *disk) shut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.gate == nil {
		d.gate = make(chan struct{})
	}
}

func (d *disk) open() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.gate != nil {
		close(d.gate)
		d.gate = nil
	}
}

// deliver lets appends arrive that their writers gave up. Somebody has taken over
// since, so that none may be stored; it returns how many there were.
func (d *disk) deliver() (refused int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	late := d.late
	d.late = nil
	for _, b := range late {
		switch err := d.accept(b); {
		case err == nil:
			return 0, fmt.Errorf("an append of epoch %d at %d:%d came late and was stored", b.Epoch, b.Volume, b.From)
		case !errors.Is(err, store.ErrFenced):
			return 0, err
		}
	}
	return len(late), nil
}

// forge changes what readers get for a record; nil puts it right.
func (d *disk) forge(place record.Place, data []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.forged, place)
	if data != nil {
		d.forged[place] = data
	}
}

// accept stores a batch, or refuses what another writer's is. The caller holds the
// lock.
func (d *disk) accept(b store.Batch) error {
	continues := b.Volume == d.head.Volume && b.From == d.head.Size
	begins := b.Volume > d.head.Volume && b.From == 0
	if b.Epoch != d.head.Epoch || !continues && !begins {
		return fmt.Errorf("sim: %w", store.ErrFenced)
	}
	for _, o := range b.Objects {
		if _, ok := d.objects[o.Name]; ok {
			return fmt.Errorf("sim: object %q exists: %w", o.Name, store.ErrBatch)
		}
	}
	if begins {
		d.ended = append(d.ended, d.head)
	}
	for _, e := range b.Entries {
		if e.About != (record.Place{}) {
			place := record.Place{Volume: b.Volume, Seq: uint64(len(d.records[b.Volume]))}
			d.about[e.About] = append(d.about[e.About], place)
		}
		e.Data = bytes.Clone(e.Data)
		d.records[b.Volume] = append(d.records[b.Volume], e)
	}
	for _, t := range b.Tiles {
		d.tiles[tileKey{b.Volume, t.Level, t.Index}] = bytes.Clone(t.Data)
	}
	for _, o := range b.Objects {
		d.objects[o.Name] = bytes.Clone(o.Data)
	}
	d.head = cloneHead(store.Head{Epoch: b.Epoch, Volume: b.Volume, Size: b.Size(), Root: b.Root,
		Checkpoint: b.Checkpoint})
	d.committed(b)
	return nil
}

func cloneHead(h store.Head) store.Head {
	h.Checkpoint = bytes.Clone(h.Checkpoint)
	return h
}

// handle is a disk as one process has it.
type handle struct {
	*disk
	state sync.Mutex // guards what follows
	dead  bool       // closed, or the process is gone
	// unknown says that an append failed and nobody has taken over since.
	unknown bool
}

var _ store.Store = (*handle)(nil)

// use locks the disk for a call that may go on.
func (h *handle) use(ctx context.Context) error {
	h.state.Lock()
	defer h.state.Unlock()
	if h.dead {
		return fmt.Errorf("sim: %w", store.ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	h.mu.Lock()
	return nil
}

// Close implements store.Store.
func (h *handle) Close() error {
	h.state.Lock()
	defer h.state.Unlock()
	h.dead = true
	return nil
}

func (h *handle) setUnknown(unknown bool) {
	h.state.Lock()
	defer h.state.Unlock()
	h.unknown = unknown
}

func (h *handle) isUnknown() bool {
	h.state.Lock()
	defer h.state.Unlock()
	return h.unknown
}

// TakeOver implements store.Store.
func (h *handle) TakeOver(ctx context.Context) (store.Head, error) {
	if err := h.use(ctx); err != nil {
		return store.Head{}, err
	}
	defer h.mu.Unlock()
	for _, b := range h.landed {
		if err := h.accept(b); err == nil {
			h.done["late appends that landed in time"]++
		}
	}
	h.landed, h.tail = nil, 0
	h.head.Epoch++
	h.setUnknown(false)
	return cloneHead(h.head), nil
}

// Append implements store.Store.
func (h *handle) Append(ctx context.Context, b store.Batch) error {
	if h.isUnknown() {
		return fmt.Errorf("sim: after a fault: %w", store.ErrFenced)
	}
	if err := b.Check(); err != nil {
		return err
	}
	h.mu.Lock()
	gate := h.gate
	h.mu.Unlock()
	if gate != nil {
		<-gate
	}
	if err := h.use(ctx); err != nil {
		return err
	}
	defer h.mu.Unlock()
	if b.Epoch != h.head.Epoch {
		h.done["appends of a fenced writer refused"]++
		return h.accept(b)
	}
	var f fault
	if len(h.faults) > 0 {
		f, h.faults = h.faults[0], h.faults[1:]
		h.done["fault: "+f.kind.String()]++
	}
	return h.store(b, f)
}

// store stores a batch, as far as a fault lets it.
func (h *handle) store(b store.Batch, f fault) error {
	switch f.kind {
	case FailAppend:
	case TearAppend:
		h.tail = len(b.Entries) / 2
	case LateAppend:
		if f.lands {
			h.landed = append(h.landed, b)
		} else {
			h.late = append(h.late, b)
		}
	case SlowSync:
		h.clock.pass(f.slow)
		return h.accept(b)
	case LoseAnswer:
		if err := h.accept(b); err != nil {
			return err
		}
	default:
		return h.accept(b)
	}
	h.setUnknown(true)
	return errDisk
}

// Head implements store.Reader.
func (h *handle) Head(ctx context.Context) (store.Head, error) {
	if err := h.use(ctx); err != nil {
		return store.Head{}, err
	}
	defer h.mu.Unlock()
	return cloneHead(h.head), nil
}

// Volumes implements store.Reader.
func (h *handle) Volumes(ctx context.Context) ([]store.Head, error) {
	if err := h.use(ctx); err != nil {
		return nil, err
	}
	defer h.mu.Unlock()
	heads := append(slices.Clone(h.ended), h.head)
	for i := range heads {
		heads[i] = cloneHead(heads[i])
	}
	return heads, nil
}

// Record implements store.Reader.
func (h *handle) Record(ctx context.Context, place record.Place) ([]byte, error) {
	if err := h.use(ctx); err != nil {
		return nil, err
	}
	defer h.mu.Unlock()
	if data, ok := h.forged[place]; ok {
		return bytes.Clone(data), nil
	}
	records := h.records[place.Volume]
	if place.Seq >= uint64(len(records)) {
		return nil, fmt.Errorf("sim: record %v: %w", place, store.ErrNotFound)
	}
	return bytes.Clone(records[place.Seq].Data), nil
}

// Records implements store.Reader.
func (h *handle) Records(ctx context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	if from > to {
		return fmt.Errorf("sim: records from %d to %d", from, to)
	}
	for seq := from; seq < to; seq++ {
		data, err := h.Record(ctx, record.Place{Volume: volume, Seq: seq})
		if err != nil {
			return err
		}
		if err := fn(seq, data); err != nil {
			return err
		}
	}
	return nil
}

// Tile implements store.Reader.
func (h *handle) Tile(ctx context.Context, volume uint16, level uint8, index uint64) ([]byte, error) {
	if err := h.use(ctx); err != nil {
		return nil, err
	}
	defer h.mu.Unlock()
	data, ok := h.tiles[tileKey{volume, level, index}]
	if !ok {
		return nil, fmt.Errorf("sim: tile %d/%d: %w", level, index, store.ErrNotFound)
	}
	return bytes.Clone(data), nil
}

// Object implements store.Reader.
func (h *handle) Object(ctx context.Context, name string) ([]byte, error) {
	if err := h.use(ctx); err != nil {
		return nil, err
	}
	defer h.mu.Unlock()
	data, ok := h.objects[name]
	if !ok {
		return nil, fmt.Errorf("sim: object %q: %w", name, store.ErrNotFound)
	}
	return bytes.Clone(data), nil
}

// About implements store.Reader.
func (h *handle) About(ctx context.Context, place record.Place) ([]record.Place, error) {
	if err := h.use(ctx); err != nil {
		return nil, err
	}
	defer h.mu.Unlock()
	return slices.Clone(h.about[place]), nil
}

// figures returns what happened.
func (d *disk) figures() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.done)
}
