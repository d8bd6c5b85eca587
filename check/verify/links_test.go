package verify

import (
	"crypto/sha256"
	"encoding/base64"
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

// TestCustodianKeys finds a key of commitments that signs something else, as a fault at the level of series, and as a
// finding before. Custodians who stay are not asked for again.
func TestCustodianKeys(t *testing.T) {
	key := func(name, entropy string) string {
		_, vkey, err := journal.GenerateKey(strings.NewReader(strings.Repeat(entropy, 32)), name)
		if err != nil {
			t.Fatal(err)
		}
		return vkey
	}
	cosigns := func(name, entropy string) string {
		typed, err := base64.StdEncoding.DecodeString(strings.SplitN(key(name, entropy), "+", 3)[2])
		if err != nil {
			t.Fatal(err)
		}
		typed[0] = cosignatureKind
		sum := sha256.Sum256(append([]byte(name+"\n"), typed...))
		return fmt.Sprintf("%s+%x+%s", name, sum[:4], base64.StdEncoding.EncodeToString(typed))
	}
	a := record.Custodian{Name: "a.example", Key: key("a.example", "a")}
	house, err := journal.ParseVerifier(key("house.example", "house"))
	if err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{"b": "", "house": "the key of the house", "device": "of the draw device",
		"log": "of the public log", "w": "of the cosignatures of w.example", "own": "of the cosignatures of b.example",
		"other": "have one key"} {
		for _, level := range []uint8{record.LevelGuarded, record.LevelSeries} {
			begun := &record.VolumeBegun{HouseKey: key("house.example", "house"),
				DeviceKey: key("device.example", "device")}
			c := &checker{report: &Report{}, level: level,
				log:    theLog{volumes: []*volume{{number: 1, begun: begun, house: house}}},
				public: publicLog{key: key("house.example/log", "log")},
				opened: []*series{{device: device{chosen: &record.DeviceChosen{Custodians: []record.Custodian{
					{Name: "other.example", Key: key("other.example", "other")}}}}}}}
			c.witnessing.naming = &record.WitnessesNamed{Witnesses: []record.Witness{
				{Name: "b.example", Key: cosigns("b.example", "own")},
				{Name: "w.example", Key: cosigns("w.example", "w")}}}
			objection := c.ownKeys([]record.Custodian{a, {Name: "b.example", Key: key("b.example", name)}})
			if (objection != nil) != (says != "") || objection != nil && !strings.Contains(objection.Error(), says) {
				t.Errorf("a key like that of %s: %v", name, objection)
			}
			if err := c.newer(objection); (err != nil) != (says != "" && level >= record.LevelSeries) {
				t.Errorf("a key like that of %s, at level %d: %v", name, level, err)
			}
			named := &record.WitnessesNamed{Witnesses: []record.Witness{
				{Name: "late.example", Key: cosigns("late.example", "other")}}}
			if err := c.witnessesNamed(named); (err != nil) != (level >= record.LevelSeries) {
				t.Errorf("a witness with a custodian's key, at level %d: %v", level, err)
			}
		}
	}
}
