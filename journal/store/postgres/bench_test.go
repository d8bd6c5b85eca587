package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"drawhouse/internal/pgtest"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/postgres"
	"drawhouse/journal/store/storetest"
)

// begin opens the store of a URL and takes it over.
func begin(tb testing.TB, url string, lane uint16) (*postgres.Store, *storetest.Journal) {
	tb.Helper()
	st, err := postgres.Open(tb.Context(), url, lane)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { st.Close() })
	return st, takeOver(tb, st)
}

func takeOver(tb testing.TB, st store.Store) *storetest.Journal {
	tb.Helper()
	head, err := st.TakeOver(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	j, err := storetest.Resume(tb.Context(), head, st)
	if err != nil {
		tb.Fatal(err)
	}
	return j
}

// sales returns entries of 70 bytes, one in every about some earlier record; 0
// is none.
func sales(j *storetest.Journal, n, every int) []store.Entry {
	entries := make([]store.Entry, n)
	next := j.Next()
	for i := range entries {
		entries[i].Data = storetest.Data(next)[:70]
		if every > 0 && i%every == 0 && next.Seq > 0 {
			entries[i].About = record.Place{Volume: next.Volume, Seq: rand.Uint64N(next.Seq)}
		}
		next.Seq++
	}
	return entries
}

// fill stores n records, every tenth about an earlier one.
func fill(b *testing.B, st store.Store, j *storetest.Journal, n int) {
	b.Helper()
	for range n / 1000 {
		if err := st.Append(b.Context(), j.Batch(sales(j, 1000, 10))); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppend measures durable batches of records of 70 bytes with their
// tiles and roots, of which none or every fifth is about another record.
func BenchmarkAppend(b *testing.B) {
	for _, every := range []int{0, 5} {
		for _, n := range []int{1, 10, 100, 500, 1000, 5000} {
			b.Run(fmt.Sprintf("about=%d/batch=%d", every, n), func(b *testing.B) {
				st, j := begin(b, pgtest.Schema(b), store.FirstLane)
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					entries := sales(j, n, every)
					b.StartTimer()
					if err := st.Append(b.Context(), j.Batch(entries)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "rows/s")
			})
		}
	}
}

// BenchmarkRecord looks up records at random places.
func BenchmarkRecord(b *testing.B) {
	st, j := begin(b, pgtest.Schema(b), store.FirstLane)
	fill(b, st, j, 200_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := st.Record(b.Context(), record.Place{Volume: 1, Seq: rand.Uint64N(200_000)}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRecords reads 200,000 records in order, as a replay does, without
// decoding them.
func BenchmarkRecords(b *testing.B) {
	st, j := begin(b, pgtest.Schema(b), store.FirstLane)
	fill(b, st, j, 200_000)
	b.ReportAllocs()
	for b.Loop() {
		if err := st.Records(b.Context(), 1, 0, 200_000, func(uint64, []byte) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*200_000/b.Elapsed().Seconds(), "rows/s")
}
