package verify

import (
	"math/rand/v2"
	"slices"
	"testing"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// TestPaidWinnersPack pays the winners of games by chance, packs the games at any moment, and holds them against
// games that are never packed: they owe the same, have paid the same, and give it on to a further settlement.
func TestPaidWinnersPack(t *testing.T) {
	for seed := range uint64(20) {
		dice := rand.New(rand.NewPCG(seed, 5))
		var packed, plain game
		var seq uint64
		for range 1 + dice.IntN(300) {
			seq += 1 + dice.Uint64N(1<<(1+dice.UintN(50)))
			w := winner{seq: seq, claim: record.Hash{1, byte(seq)}, ways: dice.Uint64N(300)}
			w.cents = money.Amount(1 + dice.Int64N(100_000))
			if dice.IntN(4) == 0 {
				w.major = w.cents / 2
			}
			packed.winners, plain.winners = append(packed.winners, w), append(plain.winners, w)
		}
		for at := range uint64(1000) {
			i := dice.IntN(len(plain.winners))
			want := &plain.winners[i]
			got := packed.winnerAt(want.seq)
			if got == nil || !samePaid(*got, *want) || want.left() > 0 && got.claim != want.claim {
				t.Fatalf("seed %d: the winner is %+v, and should be %+v", seed, got, want)
			}
			if open := packed.openAt(want.seq); open == nil && want.left() > 0 {
				t.Fatalf("seed %d: %v is owed, and was packed", seed, want.left())
			}
			if want.left() > 0 {
				paid := want.cents + money.Amount(dice.IntN(2))*7 // Corrections leave some who were paid too much.
				got.paid, got.by = paid, seq+at
				want.paid, want.by = paid, seq+at
			}
			if dice.IntN(60) == 0 {
				packed.pack()
			}
			if packed.winnerAt(seq+1) != nil {
				t.Fatal("somebody else has won")
			}
		}
		for range 2 {
			if !slices.EqualFunc(packed.allWinners(), plain.winners, samePaid) || packed.left("", true) != plain.left("", true) {
				t.Fatalf("seed %d: other winners than there were", seed)
			}
			packed.pack()
		}
		again, want := slices.Clone(plain.winners), slices.Clone(plain.winners)
		for i := range again {
			again[i].paid, again[i].by = 0, 0
		}
		again = append(again, winner{seq: seq + 9, cents: 1})
		packed.takePaid(again)
		if !slices.Equal(again[:len(want)], want) || again[len(want)].paid != 0 {
			t.Fatalf("seed %d: a further settlement takes over something else", seed)
		}
	}
}

// samePaid compares winners without their claims.
func samePaid(a, b winner) bool {
	a.claim, b.claim = record.Hash{}, record.Hash{}
	return a == b
}

func BenchmarkPaidWinners(b *testing.B) {
	dice := rand.New(rand.NewPCG(1, 2))
	const plays = 333
	for b.Loop() {
		var g game
		for i := range uint64(plays) {
			w := winner{seq: 1<<40 + 15*i, cents: 500, paid: 500, ways: 1 + dice.Uint64N(3)}
			w.by = w.seq + dice.Uint64N(1e6)
			g.winners = append(g.winners, w)
		}
		g.pack()
		b.ReportMetric(float64(len(g.paid))/plays, "B/play")
	}
}
