package verify

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
)

// listWays lists the ways of a bet one by one: every choice of groups whose
// total is sold and whose type is played.
func listWays(b *bet, drawn *drawnNumbers) []waysOf {
	var list []waysOf
	for choice := 1; choice < 1<<len(b.groups); choice++ {
		w := waysOf{count: 1}
		for g, group := range b.groups {
			if choice>>g&1 == 0 {
				continue
			}
			w.groups++
			for _, n := range group {
				w.spots++
				if drawn[n] {
					w.matched++
				}
			}
		}
		played := b.has(fieldPlayAll) ||
			b.has(fieldPlaySpots) && slices.Contains(b.totals, byte(w.spots)) ||
			b.has(fieldPlayGroups) && slices.Contains(b.totals, byte(w.groups))
		if b.rules.sizes.Has(w.spots) && played {
			list = append(list, w)
		}
	}
	return list
}

// tally counts ways by spots and matches, which is what a prize depends on.
func tally(ways []waysOf) map[string]uint64 {
	sum := map[string]uint64{}
	for _, w := range ways {
		sum[fmt.Sprintf("%d of %d", w.matched, w.spots)] += w.count
	}
	return sum
}

// TestCountedWaysAreTheListedOnes compares counting with listing for bets of up
// to ten groups.
func TestCountedWaysAreTheListedOnes(t *testing.T) {
	sizes := ball.MustOf(ball.Keno, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 40)
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.Permutation(ball.Full(ball.Keno).Numbers()).Draw(t, "numbers")
		b := &bet{rules: &betRules{sizes: sizes}}
		for range rapid.IntRange(1, 10).Draw(t, "groups") {
			size := rapid.IntRange(1, 8).Draw(t, "size")
			var group []byte
			for _, n := range numbers[:size] {
				group = append(group, byte(n))
			}
			numbers = numbers[size:]
			b.groups = append(b.groups, group)
		}
		play := rapid.SampledFrom([]int{fieldPlayAll, fieldPlaySpots, fieldPlayGroups}).Draw(t, "play")
		b.fields = 1 << play
		if play != fieldPlayAll {
			b.totals = rapid.SliceOfNDistinct(rapid.ByteRange(1, 12), 1, 4, rapid.ID[byte]).Draw(t, "types")
		}
		var drawn drawnNumbers
		for _, n := range rapid.Permutation(ball.Full(ball.Keno).Numbers()).Draw(t, "draw")[:20] {
			drawn[n] = true
		}
		var c wayCounter
		got, want := tally(c.count(b, &drawn)), tally(listWays(b, &drawn))
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("counted %v, listed %v", got, want)
		}
	})
}

// TestManyWays counts what cannot be listed, and refuses it.
func TestManyWays(t *testing.T) {
	b := &bet{id: "classic", fields: 1<<fieldGroups | 1<<fieldPlaySpots, totals: []byte{20}}
	b.rules = &betRules{sizes: ball.MustOf(ball.Keno, 20, 40), ways: &rulebook.Ways{ByTypes: true, MaxWays: 99990}}
	for n := 1; n <= 80; n++ {
		b.groups = append(b.groups, []byte{byte(n)})
	}
	var c wayCounter
	if err := b.checkPlay(&c, 80); err == nil || b.ways != 3535316142212174320 { // 80 choose 20
		t.Errorf("%d ways: %v", b.ways, err)
	}
	b.totals = []byte{40}
	if err := b.checkPlay(&c, 80); err == nil || b.ways != 1<<64-1 { // more than a word holds
		t.Errorf("%d ways: %v", b.ways, err)
	}
}

func TestMarkedWays(t *testing.T) {
	rules := &betRules{sizes: ball.MustOf(ball.Keno, 1, 2, 3), ways: &rulebook.Ways{ByMarks: true, MaxWays: 10}}
	for _, c := range []struct {
		marks [][]byte
		ways  uint64
		ok    bool
	}{
		{[][]byte{{1}, {1, 2}}, 2, true},
		{[][]byte{{1}}, 1, false},            // one way is no combination bet
		{[][]byte{{1}, {1}}, 0, false},       // twice
		{[][]byte{{1}, {2, 1}}, 0, false},    // out of order
		{[][]byte{{1}, {3}}, 0, false},       // no such group
		{[][]byte{{1, 2}, {2, 4}}, 0, false}, // four spots are not sold
	} {
		b := &bet{rules: rules, fields: 1<<fieldGroups | 1<<fieldPlayWays, groups: [][]byte{{1}, {2, 3}}, marks: c.marks}
		if len(c.marks) > 1 && len(c.marks[1]) > 1 && c.marks[1][1] == 4 {
			b.groups = append(b.groups, []byte{4}, []byte{5, 6})
		}
		var counter wayCounter
		if err := b.checkPlay(&counter, 80); (err == nil) != c.ok || c.ok && b.ways != c.ways {
			t.Errorf("%v: %d ways, %v", c.marks, b.ways, err)
		}
	}
}

// TestListedInOrder compares the order of ways with sorting all joins of groups.
func TestListedInOrder(t *testing.T) {
	sizes := ball.MustOf(ball.Keno, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15)
	rapid.Check(t, func(t *rapid.T) {
		b := &bet{rules: &betRules{sizes: sizes}}
		number := byte(0)
		for range rapid.IntRange(1, 9).Draw(t, "groups") {
			var group []byte
			for range rapid.IntRange(1, 6).Draw(t, "size") {
				number++
				group = append(group, number)
			}
			b.groups = append(b.groups, group)
		}
		play := rapid.SampledFrom([]int{fieldPlayAll, fieldPlaySpots, fieldPlayGroups}).Draw(t, "play")
		b.fields = 1 << play
		if play != fieldPlayAll {
			b.totals = rapid.SliceOfNDistinct(rapid.ByteRange(1, 12), 1, 4, rapid.ID[byte]).Draw(t, "types")
		}
		var want [][]byte
		for choice := 1; choice < 1<<len(b.groups); choice++ {
			var way []byte
			spots := 0
			for g := range b.groups {
				if choice>>g&1 == 1 {
					way = append(way, byte(g))
					spots += len(b.groups[g])
				}
			}
			if sizes.Has(spots) && b.playsType(len(way), spots) {
				want = append(want, way)
			}
		}
		slices.SortFunc(want, slices.Compare[[]byte])
		var got [][]byte
		b.eachWay(func(way []byte) { got = append(got, slices.Clone(way)) })
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("listed %v, want %v", got, want)
		}
	})
}
