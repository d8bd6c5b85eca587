package storetest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// Disk is where Memory keeps what it stores. Several of them may be open on one
// disk, as several processes may be on one database.
type Disk struct {
	mu      sync.Mutex // guards what follows
	head    store.Head
	ended   []store.Head
	records map[uint16][]store.Entry
	tiles   map[tileKey][]byte
	objects map[string][]byte
	present store.Presence
}

type tileKey struct {
	volume uint16
	level  uint8
	index  uint64
}

// NewDisk returns an empty disk.
func NewDisk() *Disk {
	return &Disk{
		head:    store.Head{Volume: store.FirstVolume, Root: journal.EmptyRoot()},
		records: map[uint16][]store.Entry{},
		tiles:   map[tileKey][]byte{},
		objects: map[string][]byte{},
	}
}

// Memory is a store.Store in memory. Its outcomes are never unknown; Faulty adds
// that.
type Memory struct {
	disk   *Disk
	mu     sync.Mutex // guards closed
	closed bool
}

// OpenMemory returns a store on a disk.
func OpenMemory(disk *Disk) *Memory { return &Memory{disk: disk} }

// lock locks the disk for a call that may go on; the caller unlocks it.
func (m *Memory) lock(ctx context.Context) (*Disk, error) {
	m.mu.Lock()
	closed := m.closed
	m.mu.Unlock()
	if closed {
		return nil, fmt.Errorf("storetest: %w", store.ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("storetest: %w", err)
	}
	m.disk.mu.Lock()
	return m.disk, nil
}

// Close implements store.Store.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// TakeOver implements store.Store.
func (m *Memory) TakeOver(ctx context.Context) (store.Head, error) {
	d, err := m.lock(ctx)
	if err != nil {
		return store.Head{}, err
	}
	defer d.mu.Unlock()
	d.head.Epoch++
	return cloneHead(d.head), nil
}

// TakeOverFrom implements store.Shared.
func (m *Memory) TakeOverFrom(ctx context.Context, epoch uint64) (store.Head, error) {
	d, err := m.lock(ctx)
	if err != nil {
		return store.Head{}, err
	}
	defer d.mu.Unlock()
	if d.head.Epoch != epoch || epoch == 0 {
		return store.Head{}, fmt.Errorf("storetest: %w", store.ErrFenced)
	}
	d.head.Epoch++
	return cloneHead(d.head), nil
}

// Announce implements store.Shared.
func (m *Memory) Announce(ctx context.Context, p store.Presence) error {
	d, err := m.lock(ctx)
	if err != nil {
		return err
	}
	defer d.mu.Unlock()
	if d.head.Epoch != p.Epoch || p.Epoch == 0 {
		return fmt.Errorf("storetest: %w", store.ErrFenced)
	}
	d.present = p
	return nil
}

// Present implements store.Shared.
func (m *Memory) Present(ctx context.Context) (store.Presence, error) {
	d, err := m.lock(ctx)
	if err != nil {
		return store.Presence{}, err
	}
	defer d.mu.Unlock()
	return d.present, nil
}

// Append implements store.Store.
func (m *Memory) Append(ctx context.Context, b store.Batch) error {
	d, err := m.lock(ctx)
	if err != nil {
		return err
	}
	defer d.mu.Unlock()
	if err := b.Check(); err != nil {
		return err
	}
	continues := b.Volume == d.head.Volume && b.From == d.head.Size
	begins := b.Volume > d.head.Volume && b.From == 0
	if b.Epoch != d.head.Epoch || !continues && !begins {
		return fmt.Errorf("storetest: %w", store.ErrFenced)
	}
	for _, o := range b.Objects {
		if _, ok := d.objects[o.Name]; ok {
			return fmt.Errorf("storetest: object %q exists: %w", o.Name, store.ErrBatch)
		}
	}
	if begins {
		d.ended = append(d.ended, d.head)
	}
	d.put(b)
	return nil
}

func (d *Disk) put(b store.Batch) {
	for _, e := range b.Entries {
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
}

func cloneHead(h store.Head) store.Head {
	h.Checkpoint = bytes.Clone(h.Checkpoint)
	return h
}

// Head implements store.Reader.
func (m *Memory) Head(ctx context.Context) (store.Head, error) {
	d, err := m.lock(ctx)
	if err != nil {
		return store.Head{}, err
	}
	defer d.mu.Unlock()
	return cloneHead(d.head), nil
}

// Volumes implements store.Reader.
func (m *Memory) Volumes(ctx context.Context) ([]store.Head, error) {
	d, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	heads := append(slices.Clone(d.ended), d.head)
	for i := range heads {
		heads[i] = cloneHead(heads[i])
	}
	return heads, nil
}

// Record implements store.Reader.
func (m *Memory) Record(ctx context.Context, place record.Place) ([]byte, error) {
	d, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	records := d.records[place.Volume]
	if place.Seq >= uint64(len(records)) {
		return nil, fmt.Errorf("storetest: record %v: %w", place, store.ErrNotFound)
	}
	return bytes.Clone(records[place.Seq].Data), nil
}

// Records implements store.Reader.
func (m *Memory) Records(ctx context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	if from > to {
		return fmt.Errorf("storetest: records from %d to %d", from, to)
	}
	for seq := from; seq < to; seq++ {
		data, err := m.Record(ctx, record.Place{Volume: volume, Seq: seq})
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
func (m *Memory) Tile(ctx context.Context, volume uint16, level uint8, index uint64) ([]byte, error) {
	d, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	data, ok := d.tiles[tileKey{volume, level, index}]
	if !ok {
		return nil, fmt.Errorf("storetest: tile %d/%d: %w", level, index, store.ErrNotFound)
	}
	return bytes.Clone(data), nil
}

// Object implements store.Reader.
func (m *Memory) Object(ctx context.Context, name string) ([]byte, error) {
	d, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	data, ok := d.objects[name]
	if !ok {
		return nil, fmt.Errorf("storetest: object %q: %w", name, store.ErrNotFound)
	}
	return bytes.Clone(data), nil
}

// About implements store.Reader.
func (m *Memory) About(ctx context.Context, place record.Place) ([]record.Place, error) {
	d, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	var places []record.Place
	for _, head := range append(slices.Clone(d.ended), d.head) {
		for seq, e := range d.records[head.Volume] {
			if e.About == place && place != (record.Place{}) {
				places = append(places, record.Place{Volume: head.Volume, Seq: uint64(seq)})
			}
		}
	}
	return places, nil
}

// Contents implements store.Source.
func (m *Memory) Contents(ctx context.Context) (store.Contents, error) {
	d, err := m.lock(ctx)
	if err != nil {
		return store.Contents{}, err
	}
	defer d.mu.Unlock()
	c := store.Contents{Volumes: append(slices.Clone(d.ended), d.head), Objects: slices.Sorted(maps.Keys(d.objects))}
	for i := range c.Volumes {
		c.Volumes[i] = cloneHead(c.Volumes[i])
	}
	return c, nil
}

// Abouts implements store.Source.
func (m *Memory) Abouts(ctx context.Context, volume uint16, from, to uint64) (map[uint64]record.Place, error) {
	d, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	abouts := map[uint64]record.Place{}
	for seq, e := range d.records[volume] {
		if seq := uint64(seq); seq >= from && seq < to && e.About != (record.Place{}) {
			abouts[seq] = e.About
		}
	}
	return abouts, nil
}
