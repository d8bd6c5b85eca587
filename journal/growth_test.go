package journal

import (
	"encoding/binary"
	"testing"
)

// TestGrowthAgreesWithTiles proves growth from every small size to every other, by the hashes that the tree kept since
// its mark and by its stored tiles. Both proofs are the same.
func TestGrowthAgreesWithTiles(t *testing.T) {
	const most = 70
	for from := uint64(1); from <= most; from++ {
		tree := NewTree()
		for n := range uint64(most) {
			if n == from {
				tree.Mark()
			}
			tree.Append(binary.BigEndian.AppendUint64(nil, n))
			if n < from {
				continue
			}
			kept, err := tree.Grown()
			if err != nil {
				t.Fatalf("from %d to %d: %v", from, n+1, err)
			}
			read, err := ProveTree(from, n+1, NewReader(tree, noTiles{}))
			if err != nil {
				t.Fatal(err)
			}
			if len(kept) != len(read) {
				t.Fatalf("from %d to %d: %d hashes kept, %d read", from, n+1, len(kept), len(read))
			}
			for i := range kept {
				if kept[i] != read[i] {
					t.Fatalf("from %d to %d: hash %d differs", from, n+1, i)
				}
			}
		}
	}
}

// noTiles is the store of a log whose tiles are all incomplete.
type noTiles struct{}

func (noTiles) ReadTile(level uint8, index uint64) ([]byte, error) { panic("no tile is full") }

// TestGrowthFarApart checks proofs over sizes that fill many tiles, and that a mark is set anew.
func TestGrowthFarApart(t *testing.T) {
	tree := NewTree()
	type mark struct {
		size uint64
		root Hash
	}
	var last mark
	tree.Mark()
	for n := range uint64(200_000) {
		tree.Append(binary.BigEndian.AppendUint64(nil, n))
		if n%7919 != 0 && n != 65_535 && n != 65_536 {
			continue
		}
		proof, err := tree.Grown()
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckTree(proof, last.size, rootOf(last.size, last.root), tree.Size(), tree.Root()); err != nil {
			t.Fatalf("from %d to %d: %v", last.size, tree.Size(), err)
		}
		if n%2 == 0 {
			last = mark{tree.Size(), tree.Root()}
			tree.Mark()
		}
	}
	if size, ok := tree.Marked(); !ok || size != last.size {
		t.Errorf("the mark is at %d, want %d", size, last.size)
	}
	if _, ok := tree.Clone().Marked(); ok {
		t.Error("a clone has a mark")
	}
	if _, err := tree.Clone().Grown(); err == nil {
		t.Error("a tree without a mark proves growth")
	}
}

func rootOf(size uint64, root Hash) Hash {
	if size == 0 {
		return EmptyRoot()
	}
	return root
}
