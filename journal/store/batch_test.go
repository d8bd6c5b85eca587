package store_test

import (
	"errors"
	"strings"
	"testing"

	"drawhouse/journal"
	"drawhouse/journal/store"
)

// grown returns the batch that takes a volume from one size to another.
func grown(from, to uint64) store.Batch {
	tree := journal.NewTree()
	for range from {
		tree.AppendLeaf(journal.Hash{})
	}
	tree.TakeTiles()
	b := store.Batch{Epoch: 1, Volume: 1, From: from}
	for range to - from {
		b.Entries = append(b.Entries, store.Entry{Data: []byte("r")})
		tree.Append([]byte("r"))
	}
	b.Root, b.Tiles = tree.Root(), tree.TakeTiles()
	return b
}

// TestTilesOfABatch compares what Check expects with what a tree hands over, at
// the sizes where tiles of the first and second level fill.
func TestTilesOfABatch(t *testing.T) {
	for _, c := range []struct {
		from, to uint64
		tiles    int
	}{
		{0, 1, 0}, {0, 255, 0}, {0, 256, 1}, {255, 256, 1}, {256, 257, 0}, {255, 257, 1}, {100, 1000, 3},
		{65_535, 65_536, 2}, {65_536, 65_537, 0}, {65_000, 66_000, 5}, {0, 131_072, 514},
	} {
		b := grown(c.from, c.to)
		if len(b.Tiles) != c.tiles {
			t.Fatalf("from %d to %d: the tree completed %d tiles, want %d", c.from, c.to, len(b.Tiles), c.tiles)
		}
		if err := b.Check(); err != nil {
			t.Errorf("from %d to %d: %v", c.from, c.to, err)
		}
		if b.Size() != c.to {
			t.Errorf("size %d, want %d", b.Size(), c.to)
		}
		for i := range b.Tiles {
			less := b
			less.Tiles = append(append([]journal.Tile{}, b.Tiles[:i]...), b.Tiles[i+1:]...)
			if err := less.Check(); !errors.Is(err, store.ErrBatch) {
				t.Errorf("from %d to %d without tile %d: %v, want ErrBatch", c.from, c.to, i, err)
			}
			if i == 3 {
				break // The rest is more of the same.
			}
		}
	}
}

// TestFaultsNameTheirPlace keeps the words by which somebody will look for one.
func TestFaultsNameTheirPlace(t *testing.T) {
	b := grown(300, 310)
	b.Entries[4].Data = nil
	if err := b.Check(); err == nil || !strings.Contains(err.Error(), "batch at 1:300") ||
		!strings.Contains(err.Error(), "record 304") {
		t.Errorf("an empty record is reported as %v", err)
	}
}
