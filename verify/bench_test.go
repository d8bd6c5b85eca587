//go:build unix

package verify_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/verify"
)

// BenchmarkRun measures tickets a second, from bytes to a verdict: one game with
// many tickets, none of which wins.
func BenchmarkRun(b *testing.B) {
	const tickets = 100_000
	h := newHouse(b, lies{})
	h.found()
	h.open(1)
	sum := totals{plays: tickets, ways: tickets, stakes: tickets * 100, fund: tickets * 75}
	for i := range tickets {
		label := fmt.Sprint("ticket ", i)
		h.sell(label, i+1, 1, 1, 1, 100, classic(100, 1, 2, 3, 60, byte(61+i%20)))
		sum.tickets = append(sum.tickets, label)
	}
	h.closeAndSeal(1, sum)
	h.draw(1, secondNumbers)
	h.settle(1, record.GameSettled{Multiplier: 2, Plays: tickets, Ways: tickets, StakesCents: money.Amount(tickets * 100)}, nil)
	f := h.files()
	b.ReportAllocs()
	before := processorTime(b)
	for b.Loop() {
		if report := verify.Run(f, verify.Options{}); !report.OK() {
			b.Fatal(report.Failure)
		}
	}
	b.ReportMetric(float64(tickets)*float64(b.N)/b.Elapsed().Seconds(), "tickets/s")
	// Beside other programs a core has less than its time, so what was used counts.
	b.ReportMetric(float64(tickets)*float64(b.N)/(processorTime(b)-before).Seconds(), "tickets/cpu-s")
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
