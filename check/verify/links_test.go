package verify

import (
	"fmt"
	"strings"
	"testing"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// TestPathsAgreeWithTheTree compares paths with the tree of package journal, for every leaf
// of every small tree, and refuses each path at every other place.
func TestPathsAgreeWithTheTree(t *testing.T) {
	for size := uint64(1); size <= 33; size++ {
		tree := journal.NewTree()
		leaf := func(i uint64) []byte { return fmt.Appendf(nil, "leaf %d", i) }
		for i := range size {
			tree.Append(leaf(i))
		}
		for i := range size {
			proof, err := journal.ProveRecord(i, size, journal.NewReader(tree, nil))
			if err != nil {
				t.Fatal(err)
			}
			var path []record.Hash
			for _, h := range proof {
				path = append(path, record.Hash(h))
			}
			for at := range size + 1 {
				if got := onPath(leaf(i), at, size, path, hash(tree.Root())); got != (at == i) {
					t.Errorf("leaf %d of %d at %d: %v", i, size, at, got)
				}
			}
			if onPath(leaf(i), i, size, append(path, record.Hash{}), hash(tree.Root())) ||
				onPath(leaf(i+1), i, size, path, hash(tree.Root())) {
				t.Errorf("leaf %d of %d: a longer path, or another leaf, is taken", i, size)
			}
		}
	}
}

// TestVoidAfterCosigning objects to a void, and to a draw made again, once all custodians
// have cosigned or a link is known: as a fault at the level of guards, and as a finding
// before.
func TestVoidAfterCosigning(t *testing.T) {
	custodians := []custodian{{name: "a.example"}, {name: "b.example"}}
	for name, c := range map[string]struct {
		game game
		want bool
	}{
		"drawn by a generator": {game{device: device{kind: record.DeviceGenerator}}, false},
		"nobody has cosigned":  {game{device: device{kind: record.DeviceWitnessed, custodians: custodians}}, false},
		"one has cosigned": {game{device: device{kind: record.DeviceWitnessed, custodians: custodians},
			witnessed: []string{"a.example"}}, false},
		"all have cosigned": {game{device: device{kind: record.DeviceWitnessed, custodians: custodians},
			witnessed: []string{"a.example", "b.example"}}, true},
		"a link is known": {game{device: device{kind: record.DeviceWitnessed, custodians: custodians},
			links: map[string]hash{"a.example": {1}}}, true},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			checker := &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: level}
			err := checker.checkStandsByLinks(&c.game, "", true)
			if faulty := err != nil; faulty != (c.want && level == record.LevelGuarded) || faulty &&
				!strings.Contains(err.Error(), "is declared void after") {
				t.Errorf("%s, at level %d: %v", name, level, err)
			}
			if found := checker.report.FindingCount; (found == 1) != (c.want && level == record.LevelFirst) {
				t.Errorf("%s, at level %d: %d findings", name, level, found)
			}
		}
	}
}
