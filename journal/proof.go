package journal

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// A RecordProof proves that a record is in a log: the audit path of RFC 6962,
// from the record's sibling up.
type RecordProof = tlog.RecordProof

// A TreeProof proves that a log begins with an older state of itself: the
// consistency proof of RFC 6962.
type TreeProof = tlog.TreeProof

// A HashReader reads the stored hashes of a log in tlog's numbering.
type HashReader = tlog.HashReader

// ErrProof is wrapped by the error of every proof that does not hold.
var ErrProof = errors.New("the proof does not hold")

// A Reader reads the hashes of a log from its stored full tiles and, for what
// is not in a full tile yet, from a tree. It satisfies HashReader.
//
// The tree must not be appended to while the Reader is in use: give it a clone.
// A Reader may then be used by several goroutines if its TileReader may.
type Reader struct {
	tree  *Tree
	tiles TileReader
}

// NewReader returns a Reader of the log whose frontier is tree.
func NewReader(tree *Tree, tiles TileReader) *Reader { return &Reader{tree, tiles} }

// Size returns the size of the log, the greatest against which the Reader can
// prove anything.
func (r *Reader) Size() uint64 { return r.tree.size }

// ReadHashes returns the hashes with the given stored hash indexes.
func (r *Reader) ReadHashes(indexes []int64) ([]Hash, error) {
	// A proof asks for several hashes of one tile; each is read once a call.
	read := make(map[tileName][]byte)
	hashes := make([]Hash, len(indexes))
	for i, index := range indexes {
		level, n := tlog.SplitStoredHashIndex(index)
		h, err := r.node(level, uint64(n), read)
		if err != nil {
			return nil, err
		}
		hashes[i] = h
	}
	return hashes, nil
}

type tileName struct {
	level uint8
	index uint64
}

// node returns the root of the n'th complete subtree of 2^level records. Tiles
// hold every eighth level; those between are computed from the hashes below
// them in the tile.
func (r *Reader) node(level int, n uint64, read map[tileName][]byte) (Hash, error) {
	above := level % tileHeight
	first := n << above
	name := tileName{uint8(level / tileHeight), first / TileWidth}
	data, err := r.tile(name, read)
	if err != nil {
		return Hash{}, err
	}
	from := int(first%TileWidth) * HashBytes
	to := from + HashBytes<<above
	if to > len(data) {
		return Hash{}, fmt.Errorf("journal: the log of %d records has no complete subtree %d of height %d", r.tree.size,
			n, level)
	}
	return subtreeHash(data[from:to]), nil
}

// tile returns a tile's data: the tree's own row if it is incomplete, a full
// tile of the tree that is not stored yet, or else a stored one.
func (r *Reader) tile(name tileName, read map[tileName][]byte) ([]byte, error) {
	if name.index == r.tree.size>>(tileHeight*int(name.level))/TileWidth {
		return r.tree.rows[name.level], nil
	}
	if data, ok := read[name]; ok {
		return data, nil
	}
	for _, t := range r.tree.done {
		if t.Level == name.level && t.Index == name.index {
			return t.Data, nil
		}
	}
	data, err := readFullTile(r.tiles, name.level, name.index)
	if err != nil {
		return nil, err
	}
	read[name] = data
	return data, nil
}

// ProveRecord returns the proof that the record seq is in the log of the given
// size, which may be smaller than what the reader knows.
func ProveRecord(seq, size uint64, r HashReader) (RecordProof, error) {
	if size > MaxSize || seq >= size {
		return nil, fmt.Errorf("journal: record %d is not in a log of %d records", seq, size)
	}
	proof, err := tlog.ProveRecord(int64(size), int64(seq), r)
	if err != nil {
		return nil, fmt.Errorf("journal: proving record %d in %d: %w", seq, size, err)
	}
	return proof, nil
}

// CheckRecord reports whether the proof shows that the log with the given size
// and root has the leaf at seq. A nil error means it does.
func CheckRecord(proof RecordProof, size uint64, root Hash, seq uint64, leaf Hash) error {
	if size > MaxSize || seq >= size {
		return fmt.Errorf("journal: record %d is not in a log of %d records: %w", seq, size, ErrProof)
	}
	if err := tlog.CheckRecord(proof, int64(size), root, int64(seq), leaf); err != nil {
		return fmt.Errorf("journal: record %d is not shown to be in the log of %d records with root %v: %w", seq, size,
			root, ErrProof)
	}
	return nil
}

// RootAt returns the root that a log had when it had size records.
func RootAt(size uint64, r HashReader) (Hash, error) {
	if size > MaxSize {
		return Hash{}, fmt.Errorf("journal: no log has %d records", size)
	}
	root, err := tlog.TreeHash(int64(size), r)
	if err != nil {
		return Hash{}, fmt.Errorf("journal: the root of %d records: %w", size, err)
	}
	return root, nil
}

// ProveTree returns the proof that the log of newSize records begins with the
// log of oldSize records. The empty log begins every log, by an empty proof.
func ProveTree(oldSize, newSize uint64, r HashReader) (TreeProof, error) {
	if newSize > MaxSize || oldSize > newSize {
		return nil, fmt.Errorf("journal: a log of %d records does not begin with %d", newSize, oldSize)
	}
	if oldSize == 0 {
		return TreeProof{}, nil
	}
	proof, err := tlog.ProveTree(int64(newSize), int64(oldSize), r)
	if err != nil {
		return nil, fmt.Errorf("journal: proving that %d begins with %d: %w", newSize, oldSize, err)
	}
	return proof, nil
}

// CheckTree reports whether the proof shows that the log of newSize records
// with newRoot begins with the log of oldSize records with oldRoot. A nil error
// means it does.
func CheckTree(proof TreeProof, oldSize uint64, oldRoot Hash, newSize uint64, newRoot Hash) error {
	if newSize > MaxSize || oldSize > newSize {
		return fmt.Errorf("journal: a log of %d records does not begin with %d: %w", newSize, oldSize, ErrProof)
	}
	if !treeProofHolds(proof, oldSize, oldRoot, newSize, newRoot) {
		return fmt.Errorf("journal: the log of %d records with root %v is not shown to begin with the %d records with root %v: %w",
			newSize, newRoot, oldSize, oldRoot, ErrProof)
	}
	return nil
}

func treeProofHolds(proof TreeProof, oldSize uint64, oldRoot Hash, newSize uint64, newRoot Hash) bool {
	if oldSize == 0 { // tlog has no proof for an empty log.
		return len(proof) == 0 && oldRoot == EmptyRoot() && (newSize > 0 || newRoot == EmptyRoot())
	}
	return tlog.CheckTree(proof, int64(newSize), newRoot, int64(oldSize), oldRoot) == nil
}
