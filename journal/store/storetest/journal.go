package storetest

import (
	"context"
	"fmt"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// Journal makes the batches of a writer, with their tiles and roots.
type Journal struct {
	epoch  uint64
	volume uint16
	tree   *journal.Tree
}

// Resume returns the journal of a writer that has taken over at head. It
// restores the tree from the stored tiles and records, and refuses one whose
// root is not the head's.
func Resume(ctx context.Context, head store.Head, r store.Reader) (*Journal, error) {
	var tail []journal.Hash
	begin := head.Size / journal.TileWidth * journal.TileWidth
	err := r.Records(ctx, head.Volume, begin, head.Size, func(_ uint64, data []byte) error {
		tail = append(tail, journal.LeafHash(data))
		return nil
	})
	if err != nil {
		return nil, err
	}
	tree, err := journal.Restore(head.Size, store.Tiles(ctx, r, head.Volume), tail)
	if err != nil {
		return nil, err
	}
	if tree.Root() != head.Root {
		return nil, fmt.Errorf("storetest: the root of volume %d is %v, its head says %v", head.Volume, tree.Root(),
			head.Root)
	}
	return &Journal{epoch: head.Epoch, volume: head.Volume, tree: tree}, nil
}

// Next returns the place of the next record.
func (j *Journal) Next() record.Place {
	return record.Place{Volume: j.volume, Seq: j.tree.Size()}
}

// Root returns the root of the volume.
func (j *Journal) Root() journal.Hash { return j.tree.Root() }

// BeginVolume makes the next batch begin a later volume.
func (j *Journal) BeginVolume(volume uint16) {
	j.volume, j.tree = volume, journal.NewTree()
}

// Batch appends entries to the tree and returns the batch that stores them.
func (j *Journal) Batch(entries []store.Entry, objects ...store.Object) store.Batch {
	b := store.Batch{Epoch: j.epoch, Volume: j.volume, From: j.tree.Size(), Entries: entries, Objects: objects}
	for i := range entries {
		j.tree.Append(entries[i].Data)
	}
	b.Root, b.Tiles = j.tree.Root(), j.tree.TakeTiles()
	b.Checkpoint = fmt.Appendf(nil, "volume %d size %d", j.volume, j.tree.Size())
	return b
}

// Some returns n entries with the data of Data for the places that follow, none
// of them about another record.
func (j *Journal) Some(n int) []store.Entry {
	entries := make([]store.Entry, n)
	for i := range entries {
		place := j.Next()
		place.Seq += uint64(i)
		entries[i].Data = Data(place)
	}
	return entries
}

// Data returns bytes that differ from place to place and have about the length
// of a sale, so that a record in a wrong place is told from the right one.
func Data(place record.Place) []byte {
	hash := journal.LeafHash([]byte(place.String()))
	return fmt.Appendf(nil, "%v %x", place, hash)
}
