package bench

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// share is a choice and how often it is made.
type share[T any] struct {
	weight int
	value  T
}

func choose[T any](random *rand.Rand, shares []share[T]) T {
	total := 0
	for _, s := range shares {
		total += s.weight
	}
	at := random.IntN(total)
	for _, s := range shares {
		if at -= s.weight; at < 0 {
			return s.value
		}
	}
	panic("a choice among nothing")
}

// The mix of tickets is an assumption: mostly one bet on few numbers for a game
// or a few, many of them picked by the machine, now and then a combination.
// Sizes of 7 to 10 are missing because they play for jackpots.
var (
	mixGames  = []share[int]{{50, 1}, {10, 2}, {10, 3}, {10, 5}, {15, 10}, {5, 20}}
	mixBets   = []share[int]{{80, 1}, {15, 2}, {5, 3}}
	mixSpots  = []share[int]{{5, 1}, {10, 2}, {20, 3}, {20, 4}, {25, 5}, {15, 6}, {2, 15}, {2, 20}, {1, 40}}
	mixStakes = []share[int]{{70, 100}, {20, 200}, {10, 500}}
	mixForms  = []share[func(*rand.Rand) string]{{60, pickedBet}, {35, markedBet}, {5, combinedBet}}
)

// longGames is how many games a ticket plays that is to stay open.
const longGames = 20

// longTickets returns such requests for tickets of many games.
func longTickets(n int) []string { return ticketsOf(n, []share[int]{{1, longGames}}) }

// mixedTickets returns requests for tickets in the form of the API, always the
// same ones.
func mixedTickets(n int) []string { return ticketsOf(n, mixGames) }

func ticketsOf(n int, games []share[int]) []string {
	random := rand.New(rand.NewPCG(2026, 11))
	tickets := make([]string, n)
	for i := range tickets {
		bets := make([]string, choose(random, mixBets))
		for k := range bets {
			bets[k] = choose(random, mixForms)(random)
		}
		tickets[i] = fmt.Sprintf(`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":%d,"bets":[%s]}`,
			choose(random, games), strings.Join(bets, ","))
	}
	return tickets
}

func pickedBet(random *rand.Rand) string {
	return fmt.Sprintf(`{"bet":"classic","spots":{"pick":%d},"stake_cents":%d}`, choose(random, mixSpots),
		choose(random, mixStakes))
}

func markedBet(random *rand.Rand) string {
	return fmt.Sprintf(`{"bet":"classic","spots":%s,"stake_cents":%d}`,
		marks(random.Perm(80)[:choose(random, mixSpots)]), choose(random, mixStakes))
}

// combinedBet has three groups and seven ways of up to six numbers.
func combinedBet(random *rand.Rand) string {
	order := random.Perm(80)
	return fmt.Sprintf(`{"bet":"classic","groups":[%s,%s,%s],"play":"all","stake_cents":50}`, marks(order[:1]),
		marks(order[1:3]), marks(order[3:6]))
}

// marks lists numbers, counted from 0 here, as a player marks them.
func marks(numbers []int) string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = fmt.Sprint(n + 1)
	}
	return "[" + strings.Join(list, ",") + "]"
}
