package journal

import (
	"encoding/hex"
	"errors"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"
)

// memory is a TileReader over tiles kept in a map, as a store would keep them.
type memory map[tileName][]byte

func (m memory) ReadTile(level uint8, index uint64) ([]byte, error) {
	data, ok := m[tileName{level, index}]
	if !ok {
		return nil, errors.New("no such tile")
	}
	return data, nil
}

func (m memory) store(tiles []Tile) {
	for _, t := range tiles {
		m[tileName{t.Level, t.Index}] = t.Data
	}
}

// reference is the slow twin of a Tree: tlog's own stored hashes, all of them.
type reference struct {
	hashes []Hash
	leaves []Hash
}

func (r *reference) ReadHashes(indexes []int64) ([]Hash, error) {
	out := make([]Hash, len(indexes))
	for i, index := range indexes {
		out[i] = r.hashes[index]
	}
	return out, nil
}

func (r *reference) append(t testing.TB, record []byte) {
	hashes, err := tlog.StoredHashes(int64(len(r.leaves)), record, r)
	if err != nil {
		t.Fatal(err)
	}
	r.hashes = append(r.hashes, hashes...)
	r.leaves = append(r.leaves, tlog.RecordHash(record))
}

func (r *reference) root(t testing.TB, size uint64) Hash {
	h, err := tlog.TreeHash(int64(size), r)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func testRecord(i uint64) []byte { return fmt.Appendf(nil, "record %d", i) }

// longLog is a reference of a little more than 2^16 records, made once.
const longLog = 1<<16 + 300

var longReference = func() func(testing.TB) *reference {
	var r *reference
	return func(t testing.TB) *reference {
		if r == nil {
			r = new(reference)
			for i := range uint64(longLog) {
				r.append(t, testRecord(i))
			}
		}
		return r
	}
}()

// grow appends the test records up to size and stores the full tiles.
func grow(tree *Tree, tiles memory, size uint64) {
	for i := tree.Size(); i < size; i++ {
		tree.Append(testRecord(i))
	}
	tiles.store(tree.TakeTiles())
}

// The eight inputs and the roots of their prefixes that the
// certificate-transparency project publishes for its Merkle tree.
var published = []struct{ input, root string }{
	{"", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"},
	{"00", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"},
	{"10", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"},
	{"2021", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"},
	{"3031", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"},
	{"40414243", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"},
	{"5051525354555657", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"},
	{"606162636465666768696a6b6c6d6e6f", "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"},
}

func unhex(t testing.TB, s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPublishedTree(t *testing.T) {
	tree := NewTree()
	if got := hex.EncodeToString(func() []byte { h := tree.Root(); return h[:] }()); got != "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Errorf("empty root %s", got)
	}
	for i, p := range published {
		seq, leaf := tree.Append(unhex(t, p.input))
		if seq != uint64(i) || leaf != LeafHash(unhex(t, p.input)) {
			t.Errorf("record %d: seq %d, leaf %v", i, seq, leaf)
		}
		if root := tree.Root(); hex.EncodeToString(root[:]) != p.root {
			t.Errorf("root of %d records is %x, want %s", i+1, root, p.root)
		}
	}
	proof, err := ProveRecord(5, 8, NewReader(tree, memory{}))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
		"ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
		"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
	}
	for i, h := range proof {
		if hex.EncodeToString(h[:]) != want[i] {
			t.Errorf("path of record 5 at %d: %x, want %s", i, h, want[i])
		}
	}
}

// interesting are the sizes around full tiles of one and two levels.
var interesting = []uint64{0, 1, 2, 3, 255, 256, 257, 511, 512, 513, 4096, 65279, 65280, 65535, 65536, 65537, longLog}

func TestTreeAgreesWithTlog(t *testing.T) {
	ref := longReference(t)
	tree, tiles := NewTree(), memory{}
	for _, size := range interesting {
		grow(tree, tiles, size)
		if tree.Size() != size || tree.Root() != ref.root(t, size) {
			t.Fatalf("size %d: got size %d, root %v, want root %v", size, tree.Size(), tree.Root(), ref.root(t, size))
		}
		checkTiles(t, ref, tree, tiles)
		restored, err := Restore(size, tiles, ref.leaves[size-size%TileWidth:size])
		if err != nil {
			t.Fatal(err)
		}
		if restored.Root() != tree.Root() {
			t.Fatalf("restored log of %d records has another root", size)
		}
	}
}

// partialTiles returns the incomplete tiles of the log as it stands, lowest level first.
func partialTiles(t *Tree) []Tile {
	var partial []Tile
	for level, row := range t.rows {
		if len(row) > 0 {
			index := t.size >> (tileHeight * level) / TileWidth
			partial = append(partial, Tile{Level: uint8(level), Index: index, Data: row})
		}
	}
	return partial
}

// checkTiles compares all tiles, stored and partial, with tlog's reading of the
// reference.
func checkTiles(t *testing.T, ref *reference, tree *Tree, tiles memory) {
	t.Helper()
	all := partialTiles(tree)
	for name, data := range tiles {
		all = append(all, Tile{name.level, name.index, data})
	}
	want := tlog.NewTiles(tileHeight, 0, int64(tree.Size()))
	if len(all) != len(want) {
		t.Fatalf("log of %d records has %d tiles, want %d", tree.Size(), len(all), len(want))
	}
	for _, tile := range all {
		data, err := tlog.ReadTileData(tlog.Tile{H: tileHeight, L: int(tile.Level), N: int64(tile.Index), W: tile.Width()},
			ref)
		if err != nil {
			t.Fatal(err)
		}
		if string(data) != string(tile.Data) {
			t.Fatalf("log of %d records: tile %d of level %d differs", tree.Size(), tile.Index, tile.Level)
		}
	}
}

func TestRandomSizesAgreeWithTlog(t *testing.T) {
	ref := longReference(t)
	rapid.Check(t, func(rt *rapid.T) {
		tree, tiles := NewTree(), memory{}
		first := rapid.Uint64Range(0, 3000).Draw(rt, "first")
		grow(tree, tiles, first)
		restored, err := Restore(first, tiles, ref.leaves[first-first%TileWidth:first])
		if err != nil {
			rt.Fatal(err)
		}
		size := first + rapid.Uint64Range(0, 3000).Draw(rt, "more")
		// A restored log goes on as the one that never stopped.
		for _, tr := range []*Tree{tree, restored} {
			stored := memory{}
			for name, data := range tiles {
				stored[name] = data
			}
			grow(tr, stored, size)
			if tr.Root() != ref.root(t, size) {
				rt.Fatalf("root of %d records differs", size)
			}
			checkTiles(t, ref, tr, stored)
		}
	})
}

func TestRestoreRefuses(t *testing.T) {
	ref := longReference(t)
	tree, tiles := NewTree(), memory{}
	grow(tree, tiles, 1000)
	tail := ref.leaves[768:1000]
	if _, err := Restore(1000, tiles, tail[1:]); err == nil {
		t.Error("a short tail was accepted")
	}
	if _, err := Restore(MaxSize+1, tiles, nil); err == nil {
		t.Error("an impossible size was accepted")
	}
	if _, err := Restore(1000, memory{}, tail); err == nil {
		t.Error("a missing tile was accepted")
	}
	broken := memory{{0, 0}: tiles[tileName{0, 0}], {0, 1}: tiles[tileName{0, 1}][1:], {0, 2}: tiles[tileName{0, 2}]}
	if _, err := Restore(1000, broken, tail); err == nil {
		t.Error("a short tile was accepted")
	}
	changed := memory{}
	for name, data := range tiles {
		changed[name] = append([]byte(nil), data...)
	}
	changed[tileName{0, 1}][77] ^= 1
	restored, err := Restore(1000, changed, tail)
	if err != nil {
		t.Fatal(err)
	}
	if restored.Root() == tree.Root() {
		t.Error("a changed tile does not show in the root")
	}
}

func TestCloneIsIndependent(t *testing.T) {
	for _, size := range []uint64{0, 1, 255, 256, 700} {
		tree, tiles := NewTree(), memory{}
		grow(tree, tiles, size)
		root := tree.Root()
		kept := tree.Clone()
		for _, text := range []string{"one", "other"} {
			next := tree.Clone()
			for range 600 {
				next.Append([]byte(text))
			}
			next.TakeTiles()
			if tree.Size() != size || tree.Root() != root || len(tree.done) != 0 {
				t.Fatalf("appending to a clone changed the log of %d records", size)
			}
		}
		checkTiles(t, longReference(t), tree, tiles)
		// The abandoned attempts left no trace in what follows.
		grow(tree, tiles, size+300)
		if tree.Root() != longReference(t).root(t, size+300) {
			t.Fatalf("the log of %d records goes on differently after abandoned clones", size)
		}
		// Nor does the log's growth reach a clone taken before it.
		grow(kept, memory{}, size+200)
		if kept.Root() != longReference(t).root(t, size+200) {
			t.Fatalf("the clone of the log of %d records goes on differently", size)
		}
	}
}

func TestHashesPerRecord(t *testing.T) {
	const records, batch = 100_000, 50
	tree := NewTree()
	for i := range uint64(records) {
		tree.Append(testRecord(i))
		if i%batch == batch-1 {
			tree.Root()
		}
	}
	if tree.hashed > 3*records {
		t.Errorf("%d hashes for %d records with a root for each %d, want at most 3 a record", tree.hashed, records, batch)
	}
	if tree.hashed < 2*records-100 {
		t.Errorf("%d hashes for %d records: the count cannot be true", tree.hashed, records)
	}
}

func TestAppendAllocatesTilesOnly(t *testing.T) {
	tree, record := NewTree(), make([]byte, 70)
	tree.Append(record)
	allocs := testing.AllocsPerRun(10, func() {
		for range TileWidth {
			tree.Append(record)
		}
		tree.TakeTiles()
	})
	// A row of level 0, now and then one of level 1, and the list of full tiles.
	if allocs > 4 {
		t.Errorf("%v allocations for %d records", allocs, TileWidth)
	}
}

func BenchmarkAppend(b *testing.B) {
	tree, record := NewTree(), make([]byte, 70)
	b.ReportAllocs()
	for b.Loop() {
		tree.Append(record)
		if tree.Size()%TileWidth == 0 {
			tree.TakeTiles()
		}
	}
}

// BenchmarkBatch is what the writer does for a batch of one record.
func BenchmarkBatch(b *testing.B) {
	tree, record := NewTree(), make([]byte, 70)
	for range 1<<16 - 1 {
		tree.AppendLeaf(Hash{})
	}
	tree.TakeTiles()
	b.ReportAllocs()
	for b.Loop() {
		next := tree.Clone()
		next.Append(record)
		next.Root()
	}
}

func BenchmarkRoot(b *testing.B) {
	tree := NewTree()
	for range 1<<16 - 1 {
		tree.AppendLeaf(Hash{})
	}
	for b.Loop() {
		tree.Root()
	}
}
