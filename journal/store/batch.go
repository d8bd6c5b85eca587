package store

import (
	"fmt"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

const (
	// tileLevels and tileShift are those of C2SP tlog-tiles: a tile of level l
	// stands for 256^(l+1) records.
	tileLevels = 8
	tileShift  = 8

	// maxNameBytes bounds the name of an object.
	maxNameBytes = 200
)

// Size returns the size of the volume once the batch is stored.
func (b *Batch) Size() uint64 { return b.From + uint64(len(b.Entries)) }

// Check reports what is wrong with the batch in itself, if anything, by an error
// that wraps ErrBatch. Drivers ask it before they write, because a tile that is
// missing would be missed only years later, by the first proof that needs it.
func (b *Batch) Check() error {
	switch {
	case b.Epoch == 0:
		return b.fault("there is no epoch 0: take over first")
	case b.Volume == 0:
		return b.fault("there is no volume 0")
	case len(b.Entries) == 0:
		return b.fault("there are no entries")
	case b.From > journal.MaxSize || uint64(len(b.Entries)) > journal.MaxSize-b.From:
		return b.fault("no volume is that long")
	}
	for i := range b.Entries {
		if err := b.checkEntry(i); err != nil {
			return err
		}
	}
	if err := b.checkTiles(); err != nil {
		return err
	}
	return b.checkObjects()
}

func (b *Batch) checkEntry(i int) error {
	e, seq := &b.Entries[i], b.From+uint64(i)
	if len(e.Data) == 0 || len(e.Data) > record.MaxBytes {
		return b.fault("record %d has %d bytes, want 1 to %d", seq, len(e.Data), record.MaxBytes)
	}
	if e.About == (record.Place{}) {
		return nil
	}
	earlier := e.About.Volume < b.Volume || e.About.Volume == b.Volume && e.About.Seq < seq
	if e.About.Volume == 0 || e.About.Seq >= journal.MaxSize || !earlier {
		return b.fault("record %d is about %v, which is no earlier record", seq, e.About)
	}
	return nil
}

// checkTiles compares the tiles of each level with those that the growth from
// From to Size completes.
func (b *Batch) checkTiles() error {
	var next [tileLevels]uint64
	for level := range next {
		next[level] = tilesIn(b.From, level)
	}
	for i := range b.Tiles {
		t := &b.Tiles[i]
		if int(t.Level) >= tileLevels || t.Index != next[t.Level] || t.Index >= tilesIn(b.Size(), int(t.Level)) {
			return b.fault("tile %d/%d is not the next that the entries complete", t.Level, t.Index)
		}
		if len(t.Data) != journal.TileBytes {
			return b.fault("tile %d/%d has %d bytes, want %d", t.Level, t.Index, len(t.Data), journal.TileBytes)
		}
		next[t.Level]++
	}
	for level, index := range next {
		if index != tilesIn(b.Size(), level) {
			return b.fault("tile %d/%d is missing", level, index)
		}
	}
	return nil
}

// tilesIn returns the number of full tiles of a level in a volume of a size.
func tilesIn(size uint64, level int) uint64 { return size >> (tileShift * (level + 1)) }

func (b *Batch) checkObjects() error {
	var seen map[string]bool
	for i := range b.Objects {
		name := b.Objects[i].Name
		if name == "" || len(name) > maxNameBytes {
			return b.fault("an object's name has %d bytes, want 1 to %d", len(name), maxNameBytes)
		}
		if seen[name] {
			return b.fault("there are two objects %q", name)
		}
		if seen == nil {
			seen = make(map[string]bool, len(b.Objects))
		}
		seen[name] = true
	}
	return nil
}

func (b *Batch) fault(format string, args ...any) error {
	return fmt.Errorf("store: batch at %d:%d: %s: %w", b.Volume, b.From, fmt.Sprintf(format, args...), ErrBatch)
}
