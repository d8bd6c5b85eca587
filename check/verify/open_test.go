package verify

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestOpenTickets sells and settles at random, with more tickets than a slab holds, and
// compares with a plain list.
func TestOpenTickets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var open openTickets
	var list []ticket
	seq := uint64(0)
	for game := range uint32(12) {
		for range random.IntN(2 * slabTickets) {
			seq += 1 + random.Uint64N(3)
			sold := ticket{seq: seq, first: game, last: game + random.Uint32N(4), line: line{stake: 100}}
			open.add(sold)
			list = append(list, sold)
		}
		if game%4 == 3 {
			game += 4 // All are over at once.
		}
		open.dropSettled(game)
		list = slices.DeleteFunc(list, func(t ticket) bool { return t.last <= game })
		i := 0
		for got := range open.all() {
			if i == len(list) || got.seq != list[i].seq || open.at(got.seq) != got {
				t.Fatalf("game %d: ticket %d is of %d, and not of %d", game, i, got.seq, list[min(i, len(list)-1)].seq)
			}
			i++
		}
		if i != len(list) {
			t.Fatalf("game %d: there are %d tickets, and not %d", game, i, len(list))
		}
		for n := range seq + 2 {
			_, known := slices.BinarySearchFunc(list, n, func(t ticket, n uint64) int { return int(t.seq) - int(n) })
			if known != (open.at(n) != nil) {
				t.Fatalf("game %d: there is a ticket of %d: %v, and should be: %v", game, n, !known, known)
			}
		}
	}
}

// TestLinesAreTheirBets folds bets and unfolds them.
func TestLinesAreTheirBets(t *testing.T) {
	rules := &betRules{id: "classic"}
	for n := 1; n <= 4; n++ {
		bets := make([]bet, n)
		for i := range bets {
			bets[i] = bet{id: "classic", rules: rules, fields: 1<<fieldBet | 1<<fieldStake | 1<<fieldSpots, stake: 100, ways: 1,
				spots: []byte{1, 63, 64, byte(65 + i)}}
		}
		sold := ticket{bets: bets}
		if !areLines(sold.bets) {
			t.Fatalf("%+v are no lines", sold.bets)
		}
		sold.fold()
		if got := sold.all(); !sold.isLines() || sold.bets != nil || !reflect.DeepEqual(got, bets) {
			t.Fatalf("%+v came back as %+v", bets, got)
		}
	}
}
