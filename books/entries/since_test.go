package entries

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// TestSinceTheLastClose adds up what a house has booked behind its last close, over the end of a volume, and finds it
// where the entries end with that close and nowhere else.
func TestSinceTheLastClose(t *testing.T) {
	h := longHouse(t)
	h.begin(record.LevelSeries)
	h.trade(2)
	var records uint64
	var debits money.Amount
	counts := false
	for _, volume := range h.volumes {
		for _, data := range volume {
			r, err := record.Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			if closed, ok := r.Body.(*record.DayClosed); ok {
				counts, records, debits = closed.Day == day.MustParse("2027-01-01"), 0, 0
			}
			if !counts {
				continue
			}
			records++
			for _, p := range r.Postings {
				debits += max(0, p.Cents)
			}
		}
	}
	j := opened(t, h)
	says := fmt.Sprintf("Booked since the last close: %d records", records)
	for _, c := range []struct {
		choice Choice
		ends   bool // with the last close
	}{
		{Choice{}, true}, {Choice{By: ByMonth}, true}, {Choice{To: day.MustParse("2027-01-01")}, true},
		{Choice{To: day.MustParse("2026-12-31")}, false}, {Choice{To: day.MustParse("2027-01-31"), By: ByMonth}, true},
		{Choice{To: day.MustParse("2026-12-31"), By: ByYear}, false}, {Choice{To: day.MustParse("2027-12-31"), By: ByYear}, true},
	} {
		for _, format := range Formats() {
			var out bytes.Buffer
			sum, err := j.Write(t.Context(), &out, c.choice, format)
			if err != nil {
				t.Fatal(err)
			}
			if !c.ends && sum.Since.Records != 0 || c.ends && (sum.Since.Records != records || sum.Since.Debits != debits) {
				t.Errorf("%+v: %v, and %d records debit %v", c.choice, sum.Since, records, debits)
			}
			if got := strings.Contains(out.String(), says); got != (c.ends && format == Plain) {
				t.Errorf("%+v as %s says %q: %v", c.choice, format, says, got)
			}
		}
	}
	if records < 10 || debits == 0 {
		t.Errorf("%d records debit %v", records, debits)
	}
}
