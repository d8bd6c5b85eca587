package verify_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strconv"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/decide/game"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// rates is a table of prizes by spots and matches, in hundredths of the stake.
type rates map[int]map[int]int64

// The tables of the two games as they are published; that of KINO BONUS holds in the place of KINO's when the bonus
// number is among the numbers.
var (
	clubKeno = rates{1: {1: 200}, 2: {2: 1100}, 3: {2: 200, 3: 2700}, 4: {2: 100, 3: 500, 4: 7200},
		5: {3: 200, 4: 1800, 5: 41000},
		6: {3: 100, 4: 700, 5: 5700, 6: 110000}, 7: {3: 100, 4: 500, 5: 1100, 6: 10000, 7: 200000},
		8: {4: 200, 5: 1500, 6: 5000, 7: 30000, 8: 1000000}, 9: {4: 200, 5: 500, 6: 2000, 7: 10000, 8: 200000, 9: 2500000},
		10: {0: 500, 5: 200, 6: 1000, 7: 5000, 8: 50000, 9: 500000, 10: 10000000}}
	kino = rates{1: {1: 250}, 2: {1: 100, 2: 500}, 3: {2: 250, 3: 2500}, 4: {2: 100, 3: 400, 4: 10000},
		5: {3: 200, 4: 2000, 5: 45000},
		6: {3: 100, 4: 700, 5: 5000, 6: 160000}, 7: {3: 100, 4: 300, 5: 2000, 6: 10000, 7: 500000},
		8: {4: 200, 5: 1000, 6: 5000, 7: 100000, 8: 1500000}, 9: {4: 100, 5: 500, 6: 2500, 7: 20000, 8: 400000, 9: 4000000},
		10: {0: 200, 5: 200, 6: 2000, 7: 8000, 8: 50000, 9: 1000000, 10: 10000000},
		11: {0: 200, 5: 100, 6: 1000, 7: 5000, 8: 25000, 9: 150000, 10: 1500000, 11: 50000000},
		12: {0: 400, 6: 500, 7: 2500, 8: 15000, 9: 100000, 10: 250000, 11: 2500000, 12: 100000000}}
	kinoBonus = rates{1: {1: 5250}, 2: {1: 1600, 2: 7000}, 3: {1: 800, 2: 1800, 3: 17500},
		4: {1: 500, 2: 800, 3: 2400, 4: 60000},
		5: {1: 300, 2: 500, 3: 1700, 4: 9000, 5: 135000}, 6: {1: 200, 2: 300, 3: 900, 4: 2700, 5: 30000, 6: 410000},
		7:  {1: 200, 2: 300, 3: 800, 4: 1300, 5: 8000, 6: 40000, 7: 1500000},
		8:  {1: 200, 2: 300, 3: 400, 4: 700, 5: 3000, 6: 20000, 7: 300000, 8: 4000000},
		9:  {1: 200, 2: 300, 3: 400, 4: 600, 5: 1500, 6: 7000, 7: 50000, 8: 1000000, 9: 10000000},
		10: {1: 200, 2: 250, 3: 300, 4: 400, 5: 700, 6: 6000, 7: 18000, 8: 150000, 9: 2500000, 10: 25000000},
		11: {1: 200, 2: 250, 3: 300, 4: 400, 5: 600, 6: 2500, 7: 10500, 8: 55000, 9: 350000, 10: 3100000, 11: 120000000},
		12: {1: 200, 2: 250, 3: 300, 4: 350, 5: 400, 6: 1000, 7: 5000, 8: 35000, 9: 220000, 10: 550000, 11: 7500000,
			12: 200000000}}
)

// kickers are the slots of The Kicker, each as often as it has slots.
var kickers = slices.Concat(slices.Repeat([]int64{1}, 34), slices.Repeat([]int64{2}, 32), slices.Repeat([]int64{3}, 5),
	slices.Repeat([]int64{4}, 5), slices.Repeat([]int64{5}, 3), []int64{10})

// generalBook is a rulebook of a game that the rules of the specification do not know: how its tickets are
// written and, apart from every table and function of the house, what they win.
type generalBook struct {
	id, bet, feature string
	sizes            int
	step, most       int // of stakes
	wins             func(spots []int, stake int64, featured bool, drawn []int) int64
}

var generalBooks = []generalBook{
	{"mi-club-keno", "club_keno", "multiplier", 10, 100, 2000,
		func(spots []int, stake int64, featured bool, drawn []int) int64 {
			won := clubKeno[len(spots)][matches(spots, drawn)] * stake / 100
			if featured {
				won *= kickers[kicker(drawn)]
			}
			return won
		}},
	{"gr-kino-bonus", "kino", "lucky_last", 12, 50, 2000,
		func(spots []int, stake int64, featured bool, drawn []int) int64 {
			const million = 100_000_000
			n, matched := len(spots), matches(spots, drawn)
			won := min(kino[n][matched]*stake/100, million)
			if !featured || !slices.Contains(spots, drawn[19]) {
				return won
			}
			if most := kinoBonus[n][matched] * stake / 100; most <= million {
				return most
			}
			// By the reading most-of-each-prize what comes on top has a limit of its own.
			return won + min((kinoBonus[n][matched]-kino[n][matched])*stake/100, million)
		}},
}

func matches(spots, drawn []int) (matched int) {
	for _, n := range spots {
		if slices.Contains(drawn, n) {
			matched++
		}
	}
	return matched
}

// kicker is the slot to which an order of numbers turns the wheel: the place of the order among all 20! of the same
// numbers, modulo 80. The weight of a place is the factorial of what comes after it.
func kicker(drawn []int) int64 {
	place, weight := new(big.Int), big.NewInt(1)
	for k := len(drawn) - 1; k > 0; k-- {
		smaller := 0
		for _, before := range drawn[:k] {
			if before < drawn[k] {
				smaller++
			}
		}
		place.Add(place, new(big.Int).Mul(weight, big.NewInt(int64(smaller))))
		weight.Mul(weight, big.NewInt(int64(k+1)))
	}
	return place.Mod(place, big.NewInt(80)).Int64()
}

// TestGeneralBooks sells random tickets under the rulebooks of games that were not in the specification and draws
// their games. What the house settles in one pass is held against the published tables ticket by ticket, and against
// the slow way of settlement; then the journal is verified. GENERAL_TICKETS asks for more tickets than the few of
// every run.
func TestGeneralBooks(t *testing.T) {
	tickets := 3000
	if text := os.Getenv("GENERAL_TICKETS"); text != "" {
		n, err := strconv.Atoi(text)
		require(t, err)
		tickets = n
	}
	for _, g := range generalBooks {
		t.Run(g.id, func(t *testing.T) {
			t.Parallel()
			g.run(t, tickets)
		})
	}
}

func (g *generalBook) run(t *testing.T, tickets int) {
	const perGame, perDay = 500, 40
	m := newMarket(t, g.id, 1)
	terms, err := settle.NewTerms(m.book, m.book.Schedules()[0].ID())
	require(t, err)
	require(t, m.engine.OpenDay(m.tick(), series, today, zone))
	var paid, staked money.Amount
	factors := map[uint8]int{}
	for ordinal, left := uint32(1), tickets; left > 0; ordinal++ {
		require(t, m.engine.OpenGame(m.tick(), series, m.now+180_000))
		sold := g.sell(m, ordinal, min(left, perGame))
		left -= len(sold)
		require(t, m.engine.CloseGame(m.tick(), series))
		m.take()
		m.result(ordinal, 1)
		current, _ := m.engine.State().Series(series)
		result, _ := current.Game(ordinal)
		factors[result.Settled.Multiplier]++
		file, err := settle.DecodeWinners(m.objects[game.WinnersName(series, ordinal, 1)])
		require(t, err)
		for i := range sold {
			s := &sold[i]
			want := g.wins(s.spots, s.stake, s.featured, m.drawOf(ordinal))
			won, _ := file.Lookup(s.place)
			if won.Cents() != want {
				t.Fatalf("game %d %v: %+v wins %v by the pass, and %d cents by the published tables", ordinal, m.drawOf(ordinal), s,
					won, want)
			}
			slowly, err := settle.PrizeIn(s.play(g, ordinal),
				[]settle.Game{{Ordinal: ordinal, Numbers: result.Numbers, Terms: terms}})
			require(t, err)
			if slowly.Payable != won {
				t.Fatalf("game %d: %+v wins %v by the pass, and %v one by one", ordinal, s, won, slowly.Payable)
			}
		}
		paid += result.Settled.PrizesCents
		staked += result.Settled.StakesCents
		if ordinal%perDay == 0 {
			require(t, m.engine.CloseDay(m.tick(), series))
			m.take()
			m.now += 12 * 3600 * 1000
			date := today + day.Day(ordinal/perDay)
			m.now = max(m.now, opening+record.Time(date-today)*24*3600*1000)
			require(t, m.engine.OpenDay(m.tick(), series, date, zone))
		}
	}
	m.take()
	out := files{}
	require(t, export.Write(context.Background(), out, m.about, m.signed, m))
	report := verify.Run(out, verify.Options{HasClause: rules.Has, HouseKey: m.about.HouseKey,
		DeviceKey: m.about.DeviceKey,
		Rulebooks: []record.Hash{record.Hash(m.book.Hash())}})
	if !report.OK() {
		t.Fatal(report.Failure)
	}
	t.Logf("%d tickets, %v staked, %v won, multipliers %v", tickets, staked, paid, factors)
}

// generalTicket is a ticket that was sold.
type generalTicket struct {
	place    record.Place
	spots    []int
	stake    int64
	featured bool
}

// sell sells tickets in the open game. Many have numbers that will be drawn.
func (g *generalBook) sell(m *market, ordinal uint32, count int) (sold []generalTicket) {
	m.t.Helper()
	for range count {
		s := generalTicket{stake: int64(g.step * (1 + m.random.IntN(g.most/g.step))), featured: m.one(2)}
		n := 1 + m.random.IntN(g.sizes)
		if m.one(2) {
			s.spots = m.lucky(n, ordinal)
		} else {
			for _, k := range m.random.Perm(80)[:n] {
				s.spots = append(s.spots, k+1)
			}
		}
		slices.Sort(s.spots)
		with := ""
		if s.featured {
			with = fmt.Sprintf(`,"with":{%q:{}}`, g.feature)
		}
		s.place = m.engine.State().Next()
		m.ask(1, 1, fmt.Sprintf(`{"bet":%q,"spots":%s,"stake_cents":%d%s}`, g.bet, list(s.spots), s.stake, with))
		sold = append(sold, s)
	}
	m.take()
	return sold
}

// play is the ticket as settlement has it.
func (s *generalTicket) play(g *generalBook, ordinal uint32) settle.Play {
	w := settle.Way{Bet: g.bet, Spots: ball.MustOf(ball.Keno, s.spots...), Stake: money.Amount(s.stake)}
	if s.featured {
		side := settle.Side{Stake: w.Stake, Games: 1}
		if g.feature == string(rulebook.FeatureMultiplier) {
			w.Multiplier = side
		} else {
			w.LuckyLast = side
		}
	}
	return settle.Play{Ticket: s.place, First: ordinal, Last: ordinal, Ways: []settle.Way{w}}
}
