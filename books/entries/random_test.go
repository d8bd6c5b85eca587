package entries

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// TestRandomHouses lets series begin, open and close days and end, and volumes begin, in any order. Every close of a
// day of the house is in one entry, and the entries up to each close come to all postings up to it, whatever number
// they go on after; months are made of whole days.
func TestRandomHouses(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := newHouse(t, rapid.SampledFrom([]uint8{record.LevelGuarded, record.LevelSeries}).Draw(rt, "level"))
		type days struct {
			day, last day.Day
			open      bool
		}
		first := day.MustParse("2026-12-28")
		all := []*days{{day: first, last: first + 900}}
		for range rapid.IntRange(20, 90).Draw(rt, "steps") {
			at := rapid.IntRange(0, len(all)-1).Draw(rt, "series")
			series, one := uint8(at+1), all[at]
			over := !one.open && one.day >= one.last
			switch step := rapid.IntRange(0, 7).Draw(rt, "step"); {
			case step == 0 && len(all) < 3:
				all = append(all, &days{day: first, last: first + 900})
				h.series(uint8(len(all)))
			case step == 1 && rapid.IntRange(0, 3).Draw(rt, "volume") == 0:
				h.begin(record.LevelSeries)
			case step == 2 && !over && one.day > first:
				one.last = one.day + day.Day(rapid.IntRange(0, 2).Draw(rt, "more"))
				h.write(&record.SeriesLimited{Series: series, LastDay: one.last, Games: 480, Approval: "decision 17"})
			case step <= 4 && one.open:
				h.shut(series, one.day)
				one.open = false
			case step <= 4 && !over:
				one.day += day.Day(rapid.SampledFrom([]int{1, 1, 1, 2, 20}).Draw(rt, "skip"))
				if one.day <= one.last {
					one.open = true
					h.open(series, one.day)
				}
			default:
				h.trade(series)
			}
		}
		j := opened(t, h)
		list, sum := entriesOf(t, j, Choice{})
		if len(list) != len(h.books) || sum.Entries != len(list) {
			rt.Fatalf("%d entries of %d days", len(list), len(h.books))
		}
		sums, seen := map[balance]money.Amount{}, map[string]bool{}
		for i, e := range list {
			if seen[e.Number] || e.Closed != h.books[i].End {
				rt.Fatalf("entry %d is %s, up to %v", i, e.Number, e.Closed)
			}
			seen[e.Number] = true
			for b, cents := range moved(t, list[i:i+1]) {
				sums[b] += cents
			}
			is := map[balance]money.Amount{}
			for _, l := range h.closes[i] {
				is[balance{l.Account, l.Unit}] = l.Cents
			}
			sameSums(t, e.Number, sums, is)
		}
		whole, unfinished := entriesOf(t, j, Choice{By: ByMonth})
		in := 0
		for _, e := range whole {
			sameSums(t, e.Number, moved(t, []*Entry{e}), moved(t, list[in:in+e.Days]))
			in += e.Days
		}
		if rest := len(list) - in; (rest > 0) != (unfinished.Unfinished != "") {
			rt.Fatalf("%d days are in no month, and %q is not over", rest, unfinished.Unfinished)
		}
		if len(list) > 0 {
			after := rapid.IntRange(0, len(list)-1).Draw(rt, "after")
			rest, _ := entriesOf(t, j, Choice{After: list[after].Number})
			if !slices.Equal(numbersOf(rest), numbersOf(list[after+1:])) {
				rt.Fatalf("after %s come %q, want %q", list[after].Number, numbersOf(rest), numbersOf(list[after+1:]))
			}
		}
		if t.Failed() {
			rt.FailNow()
		}
	})
}
