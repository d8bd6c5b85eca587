package books

import (
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// BenchmarkAdd adds sales, which nearly all records are, beside the least that could be
// done with their postings: adding them up in one map.
func BenchmarkAdd(b *testing.B) {
	const terminals = 400
	sales := make([]record.Record, 4096)
	for i := range sales {
		terminal := uint32(1 + i*7%terminals)
		sales[i] = record.Record{
			Time: record.Time(i) + 1, Body: &record.TicketSold{Request: record.Request{Terminal: terminal,
				Number: uint64(i + 1)}, Series: 1, Ordinal: 1, CostCents: 100},
			Postings: []ledger.Posting{ledger.Debit(ledger.Cash, 1+terminal/2, 100), ledger.Credit(ledger.Unplayed, 0, 100)},
		}
	}
	b.Run("books", func(b *testing.B) {
		f := NewFold()
		for terminal := uint32(1); terminal <= terminals; terminal++ {
			f.terminals[terminal] = 1 + terminal/2
		}
		for i := 0; b.Loop(); i++ {
			if err := f.Add(record.Place{Volume: 1, Seq: uint64(i)}, sales[i%len(sales)]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("yardstick", func(b *testing.B) {
		sums := map[unit]int64{}
		for i := 0; b.Loop(); i++ {
			for _, p := range sales[i%len(sales)].Postings {
				sums[unit{1, p.Account, p.Unit}] += p.Cents.Cents()
			}
		}
	})
}
