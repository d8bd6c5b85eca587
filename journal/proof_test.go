package journal

import (
	"errors"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"
)

func TestProofsAgreeWithTlog(t *testing.T) {
	ref := longReference(t)
	tree, tiles := NewTree(), memory{}
	grow(tree, tiles, longLog)
	reader := NewReader(tree, tiles)
	edges := rapid.SampledFrom(interesting[1:])
	sizes := rapid.OneOf(edges, rapid.Uint64Range(1, longLog))
	rapid.Check(t, func(rt *rapid.T) {
		size := sizes.Draw(rt, "size")
		seq := rapid.Uint64Range(0, size-1).Draw(rt, "seq")
		proof, err := ProveRecord(seq, size, reader)
		if err != nil {
			rt.Fatal(err)
		}
		want, err := tlog.ProveRecord(int64(size), int64(seq), ref)
		if err != nil || !slices.Equal(proof, want) {
			rt.Fatalf("proof of %d in %d differs from tlog's (%v)", seq, size, err)
		}
		if err := CheckRecord(proof, size, ref.root(t, size), seq, ref.leaves[seq]); err != nil {
			rt.Fatal(err)
		}
		old := rapid.Uint64Range(0, size).Draw(rt, "old")
		consistent, err := ProveTree(old, size, reader)
		if err != nil {
			rt.Fatal(err)
		}
		if err := CheckTree(consistent, old, ref.root(t, old), size, ref.root(t, size)); err != nil {
			rt.Fatal(err)
		}
	})
}

// A proof reads tiles that the tree has completed but nobody has stored yet.
func TestProofBeforeTilesAreStored(t *testing.T) {
	tree := NewTree()
	for i := range uint64(700) {
		tree.Append(testRecord(i))
	}
	proof, err := ProveRecord(3, 700, NewReader(tree, memory{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckRecord(proof, 700, tree.Root(), 3, LeafHash(testRecord(3))); err != nil {
		t.Fatal(err)
	}
}

func TestProofRefuses(t *testing.T) {
	tree, tiles := NewTree(), memory{}
	grow(tree, tiles, 300)
	reader := NewReader(tree, tiles)
	if _, err := ProveRecord(300, 300, reader); err == nil {
		t.Error("proved a record that is not there")
	}
	if _, err := ProveRecord(0, 301, reader); err == nil {
		t.Error("proved against a size the log has not reached")
	}
	if _, err := ProveRecord(0, MaxSize+1, reader); err == nil {
		t.Error("proved against an impossible size")
	}
	if _, err := ProveTree(301, 300, reader); err == nil {
		t.Error("proved that a log begins with a longer one")
	}
	if _, err := ProveTree(1, 301, reader); err == nil {
		t.Error("proved against a size the log has not reached")
	}
	if _, err := ProveRecord(0, 300, NewReader(tree, memory{})); err == nil {
		t.Error("proved without the stored tiles")
	}
}

func TestTamperingWithProofs(t *testing.T) {
	ref := longReference(t)
	tree, tiles := NewTree(), memory{}
	grow(tree, tiles, 5000)
	reader := NewReader(tree, tiles)
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.Uint64Range(2, 5000).Draw(rt, "size")
		seq := rapid.Uint64Range(0, size-1).Draw(rt, "seq")
		proof, err := ProveRecord(seq, size, reader)
		if err != nil {
			rt.Fatal(err)
		}
		root, leaf := ref.root(t, size), ref.leaves[seq]
		bit := rapid.IntRange(0, 255).Draw(rt, "bit")
		flip := func(h Hash) Hash { h[bit/8] ^= 1 << (bit % 8); return h }
		bent := slices.Clone(proof)
		i := rapid.IntRange(0, len(proof)-1).Draw(rt, "step")
		bent[i] = flip(bent[i])
		refused := func(what string, err error) {
			if !errors.Is(err, ErrProof) {
				rt.Fatalf("%s: %v", what, err)
			}
		}
		refused("changed step", CheckRecord(bent, size, root, seq, leaf))
		refused("changed root", CheckRecord(proof, size, flip(root), seq, leaf))
		refused("changed leaf", CheckRecord(proof, size, root, seq, flip(leaf)))
		refused("other record", CheckRecord(proof, size, root, (seq+1)%size, leaf))
		refused("missing step", CheckRecord(proof[1:], size, root, seq, leaf))
		refused("record after the end", CheckRecord(proof, size, root, size, leaf))
	})
}

func TestTamperingWithConsistency(t *testing.T) {
	ref := longReference(t)
	proof, err := ProveTree(700, 5000, ref)
	if err != nil {
		t.Fatal(err)
	}
	old, root := ref.root(t, 700), ref.root(t, 5000)
	empty := EmptyRoot()
	flip := func(h Hash) Hash { h[9] ^= 4; return h }
	for what, err := range map[string]error{
		"changed old root":    CheckTree(proof, 700, flip(old), 5000, root),
		"changed new root":    CheckTree(proof, 700, old, 5000, flip(root)),
		"changed step":        CheckTree(append(TreeProof{flip(proof[0])}, proof[1:]...), 700, old, 5000, root),
		"other size":          CheckTree(proof, 701, old, 5000, root),
		"longer than the new": CheckTree(proof, 5001, old, 5000, root),
		"empty, wrong root":   CheckTree(nil, 0, flip(empty), 5000, root),
		"empty, with proof":   CheckTree(proof, 0, empty, 5000, root),
		"empty from empty":    CheckTree(nil, 0, empty, 0, root),
	} {
		if !errors.Is(err, ErrProof) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func BenchmarkProveRecord(b *testing.B) {
	tree, tiles := NewTree(), memory{}
	grow(tree, tiles, longLog)
	reader := NewReader(tree, tiles)
	for b.Loop() {
		if _, err := ProveRecord(12345, longLog, reader); err != nil {
			b.Fatal(err)
		}
	}
}
