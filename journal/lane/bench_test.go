package lane_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/journal/lane"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/journal/store/storetest"
)

// BenchmarkDurable measures durable commands on SQLite by clients that each wait
// for their answer. With one client every command is a commit of its own, which
// is the yardstick of group commit.
func BenchmarkDurable(b *testing.B) {
	for _, clients := range []int{1, 8, 64, 256, 1024} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			st, err := sqlite.Open(b.Context(), b.TempDir(), store.FirstLane)
			if err != nil {
				b.Fatal(err)
			}
			defer st.Close()
			drive(b, st, clients)
		})
	}
}

// BenchmarkMemory is the same without a disk: what the lane itself costs.
func BenchmarkMemory(b *testing.B) {
	for _, clients := range []int{1, 64, 1024} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			drive(b, storetest.OpenMemory(storetest.NewDisk()), clients)
		})
	}
}

// drive sends b.N commands and reports their rate, the records of a batch, and
// how long the slowest hundredth waited at least.
func drive(b *testing.B, st store.Store, clients int) {
	batches := 0
	l, err := lane.Open(b.Context(), st, buildCounter, lane.Options{OnCommit: func(store.Batch) { batches++ }})
	if err != nil {
		b.Fatal(err)
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	waits := make([][]time.Duration, clients)
	var wait sync.WaitGroup
	b.ResetTimer()
	for client := range clients {
		wait.Go(func() {
			for left.Add(-1) >= 0 {
				begin := time.Now()
				if _, err := add(b.Context(), l, 1); err != nil {
					b.Error(err)
					return
				}
				waits[client] = append(waits[client], time.Since(begin))
			}
		})
	}
	wait.Wait()
	b.StopTimer()
	if err := l.Close(b.Context()); err != nil {
		b.Fatal(err)
	}
	all := slices.Sorted(slices.Values(slices.Concat(waits...)))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commands/s")
	b.ReportMetric(float64(b.N)/float64(batches), "records/batch")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-us")
}
