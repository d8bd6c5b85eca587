package sqlite_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/journal/store/storetest"
)

// bench opens a store on the disk that holds temporary files.
func bench(b *testing.B) (*sqlite.Store, *storetest.Journal) {
	b.Helper()
	st, err := sqlite.Open(b.Context(), b.TempDir(), store.FirstLane)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { st.Close() })
	head, err := st.TakeOver(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	j, err := storetest.Resume(b.Context(), head, st)
	if err != nil {
		b.Fatal(err)
	}
	return st, j
}

// fill stores n records, every tenth about an earlier one.
func fill(b *testing.B, st *sqlite.Store, j *storetest.Journal, n int) {
	b.Helper()
	for range n / 1000 {
		entries := sales(j, 1000, 10)
		if err := st.Append(b.Context(), j.Batch(entries)); err != nil {
			b.Fatal(err)
		}
	}
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

// BenchmarkAppend measures durable batches of records of 70 bytes with their
// tiles and roots, of which none or every fifth is about another record.
func BenchmarkAppend(b *testing.B) {
	for _, every := range []int{0, 5} {
		for _, n := range []int{1, 10, 100, 500, 1000, 5000} {
			b.Run(fmt.Sprintf("about=%d/batch=%d", every, n), func(b *testing.B) {
				st, j := bench(b)
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
	st, j := bench(b)
	fill(b, st, j, 200_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := st.Record(b.Context(), record.Place{Volume: 1, Seq: rand.Uint64N(200_000)}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAbout looks up the records about a random one.
func BenchmarkAbout(b *testing.B) {
	st, j := bench(b)
	fill(b, st, j, 200_000)
	for b.Loop() {
		if _, err := st.About(b.Context(), record.Place{Volume: 1, Seq: rand.Uint64N(200_000)}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRecords reads 200,000 records in order, as a replay does, without
// decoding them.
func BenchmarkRecords(b *testing.B) {
	st, j := bench(b)
	fill(b, st, j, 200_000)
	b.ReportAllocs()
	for b.Loop() {
		if err := st.Records(b.Context(), 1, 0, 200_000, func(uint64, []byte) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*200_000/b.Elapsed().Seconds(), "rows/s")
}
