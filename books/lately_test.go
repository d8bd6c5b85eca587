package books

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// TestLately holds the last minutes against every sale counted again, at times that
// jump, stand still and leave whole hours out.
func TestLately(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type sold struct {
			at    record.Time
			venue uint32
			cost  money.Amount
		}
		fold, all, now := NewFold(), []sold(nil), record.Time(1_700_000_000_000)
		for i := range rapid.IntRange(0, 120).Draw(t, "records") {
			now += record.Time(rapid.SampledFrom([]int64{0, 1, 20_000, 60_000, 200_000, 4_000_000}).Draw(t, "step"))
			one := sold{now, uint32(rapid.IntRange(1, 3).Draw(t, "venue")), money.Amount(rapid.IntRange(1, 9).Draw(t, "cost"))}
			fold.terminals[one.venue] = one.venue
			body := &record.TicketSold{Request: record.Request{Terminal: one.venue}, Series: 1, CostCents: one.cost}
			if err := fold.Add(record.Place{Volume: 1, Seq: uint64(i)}, record.Record{Time: now, Body: body}); err != nil {
				t.Fatal(err)
			}
			all = append(all, one)
		}
		now += record.Time(rapid.Int64Range(0, 70*60_000).Draw(t, "later"))
		for venue := range uint32(4) {
			got := fold.Lately(venue, now)
			for i, minute := range got {
				want := Tally{}
				for _, one := range all {
					if one.at/60_000 == minute.Start/60_000 && (venue == 0 || one.venue == venue) {
						want.Sales++
						want.Sold += one.cost
					}
				}
				if minute.Tally != want || i > 0 && minute.Start-got[i-1].Start != 60_000 {
					t.Fatalf("minute %d of venue %d at %d: %+v, want %+v", i, venue, now, minute, want)
				}
			}
			if len(got) != LatelyMinutes || got[len(got)-1].Start != now-now%60_000 {
				t.Fatalf("%d minutes up to %d at %d", len(got),
					slices.MaxFunc(got, func(a, b Minute) int { return int(a.Start - b.Start) }).Start, now)
			}
		}
	})
}
