package verify

import (
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// TestMerkleAgreesWithTlog compares roots for every size up to a few levels.
func TestMerkleAgreesWithTlog(t *testing.T) {
	var tree merkle
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			hashes[i] = stored[index]
		}
		return hashes, nil
	})
	for n := range int64(300) {
		want, err := tlog.TreeHash(n, reader)
		if err != nil {
			t.Fatal(err)
		}
		// tlog has no root of an empty log.
		if n > 0 && tlog.Hash(tree.root()) != want {
			t.Fatalf("the root over %d leaves differs", n)
		}
		leaf := []byte{byte(n), byte(n >> 8), 0xff}
		hashes, err := tlog.StoredHashes(n, leaf, reader)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, hashes...)
		tree.add(leaf)
	}
}
