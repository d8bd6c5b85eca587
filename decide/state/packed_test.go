package state

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"drawhouse/journal/record"
	"drawhouse/journal/snapshot"
)

// TestPackedAgreesWithAMap makes notes by chance in a packed map and in a plain one, and packs the former at
// any moment. The two say the same of every ticket, and so does what comes back from a snapshot.
func TestPackedAgreesWithAMap(t *testing.T) {
	form, err := snapshot.For[packed]()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(40) {
		dice := rand.New(rand.NewPCG(seed, 7))
		var p packed
		plain := map[noteKey]note{}
		groups, places := 1+dice.Uint64N(4), 1+dice.Uint64N(2000)
		chance := 1 + dice.IntN(400)
		key := func() noteKey {
			ticket := record.Place{Volume: 1 + uint16(dice.IntN(3)), Seq: dice.Uint64N(places) * (1 + seed*97)}
			return noteKey{dice.Uint64N(groups), ticket}
		}
		for range 3000 {
			at := key()
			n := anyNote(dice)
			p.put(at, n)
			plain[at] = n
			if dice.IntN(chance) == 0 {
				p.pack()
			}
			if dice.IntN(1000) == 0 {
				p = again(t, form, &p)
			}
			compareNote(t, &p, plain, key())
		}
		for range 2 {
			if p.len() != len(plain) {
				t.Fatalf("seed %d: %d notes of %d", seed, p.len(), len(plain))
			}
			for at := range plain {
				compareNote(t, &p, plain, at)
			}
			p.pack()
			compareLists(t, &p, plain)
		}
	}
}

// anyNote returns usual notes and others.
func anyNote(dice *rand.Rand) note {
	n := note{100 * dice.Int64N(3000), usualMark}
	switch dice.IntN(8) {
	case 0:
		n.mark = uint8(dice.Uint32())
	case 1:
		n.value = dice.Int64N(100_000)
	case 2:
		edges := []int64{0, 1, 99, 100, 101, -1, -100, math.MaxInt64, math.MinInt64, math.MaxInt64 / 100 * 100}
		n.value = edges[dice.IntN(len(edges))]
	}
	return n
}

func again(t *testing.T, form *snapshot.Form[packed], p *packed) (read packed) {
	t.Helper()
	data, err := form.Append(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := form.Read(data, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func compareNote(t *testing.T, p *packed, plain map[noteKey]note, at noteKey) {
	t.Helper()
	got, ok := p.get(at)
	if want, there := plain[at]; got != want || ok != there {
		t.Fatalf("%v: %v %v, and it should be %v %v", at, got, ok, want, there)
	}
}

// compareLists goes through the lists: everything is there once, and in order.
func compareLists(t *testing.T, p *packed, plain map[noteKey]note) {
	t.Helper()
	var keys []noteKey
	for _, group := range slices.Sorted(maps.Keys(p.lists)) {
		for ticket, n := range notes(p.lists[group]) {
			key := noteKey{group, ticket}
			if keys = append(keys, key); plain[key] != n {
				t.Fatalf("%v: the list has %v, and it should be %v", key, n, plain[key])
			}
		}
	}
	if !slices.Equal(keys, slices.SortedFunc(maps.Keys(plain), noteKey.compare)) {
		t.Fatalf("the lists have %d notes of %d, or in another order", len(keys), len(plain))
	}
}

// TestPackedSeparately shows that replays agree wherever they pack: lists hold no trace of when.
func TestPackedSeparately(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	var often, once packed
	for range 5000 {
		key := noteKey{dice.Uint64N(3), record.Place{Volume: 1, Seq: dice.Uint64N(10_000)}}
		n := anyNote(dice)
		often.put(key, n)
		once.put(key, n)
		if dice.IntN(100) == 0 {
			often.pack()
		}
	}
	often.pack()
	once.pack()
	if !maps.Equal(often.lists, once.lists) || often.len() != once.len() {
		t.Fatal("two ways to the same notes have led to two forms")
	}
}

func BenchmarkPacked(b *testing.B) {
	const games, size = 300, 333
	var p packed
	fill := func(volume uint16) {
		dice := rand.New(rand.NewPCG(1, uint64(volume)))
		for game := range uint64(games) {
			seq := game * 5000
			for range size {
				seq += 1 + dice.Uint64N(29)
				p.put(noteKey{game, record.Place{Volume: volume, Seq: seq}}, note{100 * (1 + dice.Int64N(40)), usualMark})
			}
		}
	}
	for _, name := range []string{"pack", "merge"} {
		b.Run(fmt.Sprintf("%s %d notes", name, games*size), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				p = packed{}
				fill(2)
				if name == "merge" {
					p.pack()
					fill(1)
				}
				b.StartTimer()
				p.pack()
			}
			bytes := 0
			for _, list := range p.lists {
				bytes += len(list)
			}
			b.ReportMetric(float64(bytes)/float64(p.len()), "B/note")
		})
	}
	b.Run("get", func(b *testing.B) {
		dice := rand.New(rand.NewPCG(5, 6))
		for b.Loop() {
			game := dice.Uint64N(games)
			p.get(noteKey{game, record.Place{Volume: 2, Seq: game*5000 + dice.Uint64N(5000)}})
		}
	})
}
