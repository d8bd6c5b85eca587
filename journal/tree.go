package journal

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// A Tree is a Merkle log that grows by appending. It holds the incomplete tile
// of each level and the roots of the complete subtrees, about 35 KiB for a
// billion records, and hands over full tiles to be stored.
//
// A Tree is not safe for concurrent use. A writer that may fail to commit
// appends to a [Tree.Clone] and keeps it only once the commit has succeeded;
// there is no rollback. A clone is also the immutable picture that a [Reader]
// needs to serve proofs while the log grows.
type Tree struct {
	size uint64
	// peaks[l] is the root of the complete subtree of 2^l records that ends the
	// log's decomposition at that level. It is valid if and only if bit l of
	// size is set.
	peaks [64]Hash
	// rows[l] is the data of the incomplete tile of level l. What lies between
	// its length and its capacity belongs to this tree alone.
	rows [tileLevels][]byte
	// done are the full tiles not taken yet. Their data is never written again,
	// so clones share it.
	done []Tile
	// since is what proves growth since the mark; nil without one.
	since *growth
	// leaf is where a record is prefixed for hashing, kept between appends so
	// that an append does not allocate.
	leaf []byte `snapshot:"-"`
	// hashed counts the hashes computed, for the test that bounds them.
	hashed uint64 `snapshot:"-"`
}

// NewTree returns an empty log.
func NewTree() *Tree { return new(Tree) }

// EmptyRoot is the root of a log without records.
func EmptyRoot() Hash { return sha256.Sum256(nil) }

// LeafHash returns the hash under which a record stands in the log.
func LeafHash(record []byte) Hash { return tlog.RecordHash(record) }

// Size returns the number of records.
func (t *Tree) Size() uint64 { return t.size }

// Append adds a record and returns its sequence number and leaf hash. Sequence
// numbers count from zero.
func (t *Tree) Append(record []byte) (seq uint64, leaf Hash) {
	const leafPrefix = 0x00 // RFC 6962, section 2.1
	t.leaf = append(append(t.leaf[:0], leafPrefix), record...)
	t.hashed++
	leaf = sha256.Sum256(t.leaf)
	return t.AppendLeaf(leaf), leaf
}

// AppendLeaf adds a record of which only the leaf hash is at hand and returns
// its sequence number.
func (t *Tree) AppendLeaf(leaf Hash) (seq uint64) {
	seq = t.size
	t.put(0, seq, leaf)
	h, level := leaf, 0
	if t.since != nil {
		t.since.catch(0, seq, leaf)
	}
	for ; seq>>level&1 == 1; level++ {
		h = t.join(t.peaks[level], h)
		if t.since != nil {
			t.since.catch(level+1, seq>>(level+1), h)
		}
		if (level+1)%tileHeight == 0 {
			t.put((level+1)/tileHeight, seq>>(level+1), h)
		}
	}
	t.peaks[level] = h
	t.size++
	return seq
}

// put adds the n'th hash of a tile level to its row and moves the row to the
// full tiles when that completes it.
func (t *Tree) put(level int, n uint64, h Hash) {
	if row := t.rows[level]; len(row) == cap(row) {
		// The row is new, or its room belongs to the tree this is a clone of.
		t.rows[level] = append(make([]byte, 0, TileBytes), row...)
	}
	t.rows[level] = append(t.rows[level], h[:]...)
	if len(t.rows[level]) == TileBytes {
		t.done = append(t.done, Tile{Level: uint8(level), Index: n / TileWidth, Data: t.rows[level]})
		t.rows[level] = nil
	}
}

func (t *Tree) join(left, right Hash) Hash {
	t.hashed++
	return tlog.NodeHash(left, right)
}

// Root returns the root of the log. It costs one hash for each bit set in the
// size but the first, so it is for the end of a batch, not for every record.
func (t *Tree) Root() Hash {
	if t.size == 0 {
		return EmptyRoot()
	}
	var root Hash
	first := true
	for level := range t.peaks {
		switch {
		case t.size>>level&1 == 0:
		case first:
			root, first = t.peaks[level], false
		default:
			root = t.join(t.peaks[level], root)
		}
	}
	return root
}

// TakeTiles returns the full tiles completed since the last call, in the order
// of their completion, and forgets them. The caller stores them in the same
// transaction as the records that completed them: afterwards the log can be
// restored and proven only with them.
func (t *Tree) TakeTiles() []Tile {
	done := t.done
	t.done = nil
	return done
}

// Row returns the first hashes of the incomplete tile of a level.
func (t *Tree) Row(level uint8, width int) ([]byte, error) {
	if int(level) >= tileLevels || width < 0 || width*HashBytes > len(t.rows[level]) {
		return nil, fmt.Errorf("journal: level %d has no %d hashes behind its last full tile", level, width)
	}
	return t.rows[level][: width*HashBytes : width*HashBytes], nil
}

// Clone returns an independent copy. Hashes are only ever added to a row, so
// the clone shares the rows as far as they are filled and has no room of its
// own: the first hash it puts into a row moves that row to a new place. A batch
// on a clone thus costs two kilobytes for the clone and one row.
func (t *Tree) Clone() *Tree {
	c := *t
	c.leaf, c.since = nil, nil
	c.done = slices.Clip(t.done)
	for level, row := range t.rows {
		c.rows[level] = slices.Clip(row)
	}
	return &c
}

// Restore rebuilds the tree of a stored log of the given size. It needs the
// leaf hashes of the records after the last full tile of level 0, size modulo
// TileWidth of them, and reads at most 255 full tiles for each further level of
// the log, however long that is.
//
// Restore trusts what it reads. The caller compares Size and Root with the
// stored checkpoint; a tile or tail that was changed shows there.
func Restore(size uint64, tiles TileReader, tail []Hash) (*Tree, error) {
	if size > MaxSize {
		return nil, fmt.Errorf("journal: a log of %d records is longer than any log can be", size)
	}
	if uint64(len(tail)) != size%TileWidth {
		return nil, fmt.Errorf("journal: a log of %d records ends with %d after the last full tile, got %d", size,
			size%TileWidth, len(tail))
	}
	t := &Tree{size: size}
	for _, leaf := range tail {
		t.rows[0] = append(t.rows[0], leaf[:]...)
	}
	for level := 1; level < tileLevels; level++ {
		if err := t.restoreRow(level, tiles); err != nil {
			return nil, err
		}
	}
	for level := range t.rows {
		t.restorePeaks(level)
	}
	return t, nil
}

// restoreRow fills the incomplete tile of a level with the roots of the full
// tiles below it.
func (t *Tree) restoreRow(level int, tiles TileReader) error {
	end := t.size >> (tileHeight * level) // the full tiles of the level below
	for i := end / TileWidth * TileWidth; i < end; i++ {
		data, err := readFullTile(tiles, uint8(level-1), i)
		if err != nil {
			return err
		}
		root := subtreeHash(data)
		t.rows[level] = append(t.rows[level], root[:]...)
	}
	return nil
}

// restorePeaks computes the roots of the complete subtrees within one row.
func (t *Tree) restorePeaks(level int) {
	row := t.rows[level]
	for bit := tileHeight - 1; bit >= 0; bit-- {
		peak := level*tileHeight + bit
		if t.size>>peak&1 == 1 {
			width := HashBytes << bit
			t.peaks[peak] = subtreeHash(row[:width])
			row = row[width:]
		}
	}
}
