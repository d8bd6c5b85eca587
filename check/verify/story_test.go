package verify_test

import (
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// A prize is what a play of the story wins, worked out by hand.
type prize struct {
	ticket string
	cents  money.Amount
	ways   uint64
}

// The numbers of the first game are ten low and ten high ones: evens. They add
// up to 510, for which the multiplier is 2.
var firstNumbers = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50}

// Those of the second game are 21 to 40, the last first.
var secondNumbers = []int{40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21}

// The first game: $11.50 are staked, and three quarters of them are 862.5 cents.
var firstTotals = totals{plays: 6, ways: 12, stakes: 1150, fund: 863, multiplier: 100,
	tickets: []string{"five spots", "ways", "evens", "bonus", "miss", "cheap ways"}}

// Five of five is $640; one of the three ways, 1-2-40, has 2 of 3 for $1; evens
// is 4 times $2; with Bonus 2 of 3 is $1 twice.
var firstPrizes = []prize{{"five spots", 64000, 1}, {"ways", 100, 1}, {"evens", 800, 1}, {"bonus", 200, 1}}

var secondTotals = totals{plays: 4, ways: 4, stakes: 9000, fund: 6750,
	tickets: []string{"five spots", "all fifteen", "eleven of fifteen", "four of five"}}

// The majors of the second game are 13 x $250,000, $2,000 and 75 x $14. They come
// to $3,253,050, above $3,000,000, so each becomes its part of that, rounded
// down to 10 cents: 299,718,725.50... and 184,442.29... cents. The last would
// be 96,832 cents and stays at the floor of $1,000.
var secondPrizes = []prize{{"all fifteen", 299718720, 1}, {"eleven of fifteen", 184440, 1}, {"four of five", 100000, 1}}

// tell writes the story: two games of a day.
func (h *house) tell() *house {
	h.t.Helper()
	h.found()
	h.open(1)
	h.sell("five spots", 1, 1, 2, 1, 200, map[int]any{1: "classic", 2: 100, 3: []byte{1, 2, 3, 4, 5}})
	// Groups of 2, 3 and 1: totals of 3 are 2+1 and 3, and 5 is 2+3.
	h.sell("ways", 2, 1, 1, 3, 300, map[int]any{1: "classic", 2: 100, 4: [][]byte{{1, 2}, {11, 12, 13}, {40}},
		6: []byte{3, 5}})
	h.sell("evens", 3, 1, 1, 1, 200, map[int]any{1: "heads_or_tails", 2: 200, 9: []byte{3}})
	h.sell("bonus", 4, 1, 1, 1, 200, map[int]any{1: "classic", 2: 100, 3: []byte{1, 2, 80}, 13: []int{0, 0}})
	h.add("burned", &record.RequestBurned{Terminal: 70, Number: 5})
	h.sell("miss", 6, 1, 1, 1, 100, map[int]any{1: "classic", 2: 100, 3: []byte{80}})
	h.sell("cheap ways", 7, 1, 1, 5, 250, map[int]any{1: "classic", 2: 50, 4: [][]byte{{61}, {62}, {63}, {64}, {65}},
		6: []byte{1}})
	h.closeAndSeal(1, firstTotals)
	h.open(2)
	h.sell("all fifteen", 8, 2, 1, 1, 1300,
		map[int]any{1: "classic", 2: 1300, 3: []byte{21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35}})
	h.draw(1, firstNumbers)
	h.settle(1, record.GameSettled{Multiplier: 2, Plays: 6, Ways: 12, StakesCents: 1150, Winners: 4, WinningWays: 4,
		PrizesCents: 65100}, firstPrizes)
	h.pay("pay five spots", 9, "five spots", 1, 64000)
	h.sell("eleven of fifteen", 10, 2, 1, 1, 100,
		map[int]any{1: "classic", 2: 100, 3: []byte{1, 2, 3, 4, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}})
	h.sell("four of five", 11, 2, 1, 1, 7500, map[int]any{1: "classic", 2: 7500, 3: []byte{1, 21, 22, 23, 24}})
	h.closeAndSeal(2, secondTotals)
	h.draw(2, secondNumbers)
	h.settle(2, record.GameSettled{Multiplier: 2, Plays: 4, Ways: 4, StakesCents: 9000, Winners: 3, WinningWays: 3,
		PrizesCents: 300003160, BreakageCents: 7, MajorsCents: 325305000, MajorsPaidCents: 300003167,
		Reductions: []record.Reduction{{Limit: 0, Num: 300000000, Den: 325305000}}}, secondPrizes)
	h.pay("pay floor", 12, "four of five", 2, 100000)
	h.closeDay("day closed", 2)
	return h
}
