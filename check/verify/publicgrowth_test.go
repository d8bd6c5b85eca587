package verify

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// TestGrowthAgreesWithTlog lets logs grow from one mark to the next, and compares root and proof with those of tlog.
// The proofs come of pieces that do not become more as the log becomes longer.
func TestGrowthAgreesWithTlog(t *testing.T) {
	const most, pieces = 140, 20
	var stored []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		list := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			list[i] = stored[index]
		}
		return list, nil
	})
	var log merkle
	leaves := make([]hash, most)
	for i := range leaves {
		data := fmt.Appendf(nil, "record %d", i)
		hashes, err := tlog.StoredHashes(int64(i), data, read)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, hashes...)
		log.add(data)
		leaves[i] = log.last
	}
	for first := range 40 {
		var begun merkle
		for i := range first {
			begun.add(fmt.Appendf(nil, "record %d", i))
		}
		g := growthOf(&begun)
		for n := first; n < most; n++ {
			if mark := int(g.mark); n > 0 && mark > 0 {
				want, err := tlog.ProveTree(int64(n), int64(mark), read)
				if err != nil {
					t.Fatal(err)
				}
				if got := g.proof(); !slices.Equal(got, []tlog.Hash(want)) {
					t.Fatalf("from %d to %d the proof is %v, want %v", mark, n, got, want)
				}
			}
			want, err := tlog.TreeHash(int64(n), read)
			if err != nil {
				t.Fatal(err)
			}
			if n > 0 && tlog.Hash(g.root()) != want {
				t.Fatalf("the root of %d is %x, want %v", n, g.root(), want)
			}
			if n == first || (n-first)%(first+1) == 0 {
				g.setMark()
			}
			g.add(leaves[n])
			if len(g.pieces) > pieces {
				t.Fatalf("%d records from the mark at %d are in %d pieces", n+1, g.mark, len(g.pieces))
			}
		}
	}
	if got := new(growth).proof(); len(got) > 0 || new(growth).root() != new(merkle).root() {
		t.Errorf("an empty log proves its growth by %v", got)
	}
}
