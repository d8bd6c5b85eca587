//go:build unix

package verify_test

import (
	"context"
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// BenchmarkRun measures tickets a second, from bytes to a verdict.
func BenchmarkRun(b *testing.B) {
	b.Run("one game", func(b *testing.B) { measureRun(b, plainJournal(b, 100_000), 100_000, 1) })
	b.Run("mixed", func(b *testing.B) { measureRun(b, mixedJournal(b, 50_000), 50_000, mixedDrawn) })
}

// plainJournal is of one game with many tickets of one bet, none of which wins.
func plainJournal(b *testing.B, tickets int) verify.Source {
	b.Helper()
	h := newHouse(b, lies{})
	h.found()
	h.open(1)
	sum := totals{plays: uint64(tickets), ways: uint64(tickets), stakes: money.Amount(tickets) * 100,
		fund: money.Amount(tickets) * 75}
	for i := range tickets {
		label := fmt.Sprint("ticket ", i)
		h.sell(label, i+1, 1, 1, 1, 100, classic(100, 1, 2, 3, 60, byte(61+i%20)))
		sum.tickets = append(sum.tickets, label)
	}
	h.closeAndSeal(1, sum)
	h.draw(1, secondNumbers)
	h.settle(1, record.GameSettled{Multiplier: 2, Plays: sum.plays, Ways: sum.ways, StakesCents: sum.stakes}, nil)
	return h.files()
}

// Tickets of the mixed journal are for so many games, of which so many are drawn.
const mixedGames, mixedDrawn = 20, 3

// mixedJournal is of the house's own engine: tickets of one bet to three, with numbers
// that are marked or picked, and now and then a bet in ways.
func mixedJournal(b *testing.B, tickets int) verify.Source {
	b.Helper()
	m := newMarket(b, "vic-keno-2015", 1)
	require(b, m.engine.OpenDay(m.tick(), series, today, zone))
	require(b, m.engine.OpenGame(m.tick(), series, m.now+180_000))
	for range tickets {
		bets := []string{m.mixedBet()}
		for m.one(5) && len(bets) < 3 {
			bets = append(bets, m.mixedBet())
		}
		m.ask([]uint32{1, 3}[m.random.IntN(2)], mixedGames, bets...)
	}
	for ordinal := uint32(1); ordinal <= mixedDrawn; ordinal++ {
		require(b, m.engine.TurnGame(m.tick(), series, m.now+180_000))
		m.take()
		m.result(ordinal, 1)
	}
	out := files{}
	require(b, export.Write(context.Background(), out, m.about, m.signed, m))
	return out
}

// mixedBet is a bet on up to six numbers, which play for no jackpot.
func (m *market) mixedBet() string {
	numbers := m.random.Perm(80)
	for i := range numbers {
		numbers[i]++
	}
	stake := []int{100, 200, 500}[m.random.IntN(3)]
	switch kind := m.random.IntN(100); {
	case kind < 5:
		return fmt.Sprintf(`{"bet":"classic","groups":%s,"play":"all","stake_cents":50}`,
			lists([][]int{numbers[:1], numbers[1:3], numbers[3:6]}))
	case kind < 40:
		return fmt.Sprintf(`{"bet":"classic","spots":%s,"stake_cents":%d}`, list(numbers[:1+m.random.IntN(6)]), stake)
	default:
		return fmt.Sprintf(`{"bet":"classic","spots":{"pick":%d},"stake_cents":%d}`, 1+m.random.IntN(6), stake)
	}
}

// measureRun verifies an export again and again. Tickets are counted once however many
// games they are graded in, which is gradings.
func measureRun(b *testing.B, src verify.Source, tickets, graded int) {
	b.Helper()
	runtime.GC()
	b.ReportAllocs()
	b.ResetTimer()
	before := processorTime(b)
	for b.Loop() {
		if report := verify.Run(src, verify.Options{}); !report.OK() {
			b.Fatal(report.Failure)
		}
	}
	verified := float64(tickets) * float64(b.N)
	b.ReportMetric(verified/b.Elapsed().Seconds(), "tickets/s")
	// Beside other programs a core has less than its time, so what was used counts.
	used := (processorTime(b) - before).Seconds()
	b.ReportMetric(verified/used, "tickets/cpu-s")
	b.ReportMetric(verified*float64(graded)/used, "gradings/cpu-s")
}

// processorTime returns what the process has used so far, the collector's work
// included.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
