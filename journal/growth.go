package journal

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// growth is what a tree keeps, from a mark on, to prove without its stored tiles that it only grew since. The proof
// needs the complete subtrees into which the tree fell at the mark, those beside the path of the last marked record to
// its right, and those into which the tree falls now. The first are copied, the second are caught when they
// are complete.
type growth struct {
	size  uint64
	peaks [64]Hash
	// right[l] is the root of the complete subtree of 2^l records to the right of that path, once there is one.
	right [64]Hash
}

// Mark makes the present size the one from which Grown proves. A clone has no mark.
func (t *Tree) Mark() { t.since = &growth{size: t.size, peaks: t.peaks} }

// Marked returns the checkpointed size of the mark, and whether there is a mark.
func (t *Tree) Marked() (size uint64, ok bool) {
	if t.since == nil {
		return 0, false
	}
	return t.since.size, true
}

// catch keeps the root of a complete subtree of 2^level records, the n'th of them, if a proof from the mark may
// need it.
func (g *growth) catch(level int, n uint64, h Hash) {
	if g.size == 0 {
		return
	}
	if path := (g.size - 1) >> level; path&1 == 0 && n == path+1 {
		g.right[level] = h
	}
}

// Grown proves that the tree only grew since the mark. It reads no tile.
func (t *Tree) Grown() (TreeProof, error) {
	if t.since == nil {
		return nil, fmt.Errorf("journal: a log of %d records has no mark", t.size)
	}
	if t.since.size == 0 || t.since.size == t.size {
		return nil, nil
	}
	return ProveTree(t.since.size, t.size, tlog.HashReaderFunc(func(indexes []int64) ([]Hash, error) {
		hashes := make([]Hash, len(indexes))
		for i, index := range indexes {
			level, n := tlog.SplitStoredHashIndex(index)
			var err error
			if hashes[i], err = t.subtree(level, uint64(n)); err != nil {
				return nil, err
			}
		}
		return hashes, nil
	}))
}

// subtree returns the root of the n'th complete subtree of 2^level records, if it is one of those that are kept.
func (t *Tree) subtree(level int, n uint64) (Hash, error) {
	g := t.since
	switch path := (g.size - 1) >> level; {
	case isPeak(g.size, level, n):
		return g.peaks[level], nil
	case isPeak(t.size, level, n):
		return t.peaks[level], nil
	case path&1 == 0 && n == path+1 && (n+1)<<level <= t.size:
		return g.right[level], nil
	}
	return Hash{}, fmt.Errorf("journal: the subtree %d of level %d is not kept since the mark at %d", n, level, g.size)
}

// isPeak reports whether a log of some size falls into complete subtrees of which this is one.
func isPeak(size uint64, level int, n uint64) bool {
	return size>>level&1 == 1 && n == size>>level-1
}
