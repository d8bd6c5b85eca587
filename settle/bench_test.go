package settle

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"drawhouse/ball"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rules"
)

// sales returns an open game with n ways, one a ticket, as a quiet day sells them:
// 1 to 10 spots for one to five dollars.
func sales(tb testing.TB, n int) *Open {
	tb.Helper()
	source := rand.New(rand.NewPCG(1, 2))
	open := NewOpen(0)
	for i := range n {
		spots := ball.Empty(ball.Keno)
		for size := 1 + source.IntN(10); spots.Len() < size; {
			spots = spots.With(1 + source.IntN(80))
		}
		way := Way{Bet: "classic", Spots: spots, Stake: money.Dollar * money.Amount(1+source.IntN(5))}
		play := Play{Ticket: record.Place{Volume: 1, Seq: uint64(i)}, First: 1, Last: 1 + uint32(source.IntN(5)), Ways: []Way{way}}
		if err := open.Add(play); err != nil {
			tb.Fatal(err)
		}
	}
	if _, err := open.Close(1); err != nil {
		tb.Fatal(err)
	}
	return open
}

// sum reads every word of the ways, and nothing of their tickets: the yardstick of
// the pass.
func sum(open *Open) (total uint64) {
	for _, p := range open.pages {
		for _, c := range p.columns {
			for _, word := range c.planes {
				total += word
			}
			for k := 0; k < 64; k += 2 {
				total += uint64(c.stake[k]) | uint64(c.stake[k+1])<<32
			}
			for k := 0; k < 64; k += 4 {
				total += uint64(c.ticket[k]) | uint64(c.ticket[k+1])<<16 | uint64(c.ticket[k+2])<<32 | uint64(c.ticket[k+3])<<48
			}
		}
	}
	return total
}

// BenchmarkPass measures the pass beside the sum of the same memory as words, in
// turns, so that whatever else the machine does falls on both.
func BenchmarkPass(b *testing.B) {
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		b.Fatal(err)
	}
	terms, err := NewTerms(book, "schedule-1")
	if err != nil {
		b.Fatal(err)
	}
	numbers := ball.MustOf(ball.Keno, 2, 5, 9, 12, 17, 21, 26, 30, 33, 38, 41, 44, 47, 52, 58, 61, 66, 70, 75, 79)
	for _, n := range []int{100_000, 1_000_000, 10_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			open := sales(b, n)
			reading, passing := time.Hour, time.Hour
			var words uint64
			var winners uint64
			b.ResetTimer()
			for b.Loop() {
				start := time.Now()
				words += sum(open)
				middle := time.Now()
				out, err := Pass(open, 1, numbers, terms)
				if err != nil {
					b.Fatal(err)
				}
				winners = out.Winners()
				reading = min(reading, middle.Sub(start))
				passing = min(passing, time.Since(middle))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(reading)/float64(n), "sum-ns/way")
			b.ReportMetric(float64(passing)/float64(n), "pass-ns/way")
			b.ReportMetric(float64(passing)/float64(reading), "pass/sum")
			b.ReportMetric(100*float64(winners)/float64(n), "%winners")
			_ = words
		})
	}
}
