package verify

import (
	"math/rand/v2"
	"testing"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// TestPartOf holds the arithmetic of a tax against that of package money, around every edge of a cent and far from it.
func TestPartOf(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	halves := 0
	for range 20_000 {
		law := rulebook.Tax{Rate: rulebook.Percent(1 + random.IntN(100_00)),
			Rounding: []string{"floor", "ceil", "half-up", "half-even"}[random.IntN(4)]}
		base := money.Amount(random.Int64N(1 << (1 + random.IntN(62))))
		if random.IntN(2) == 0 {
			law.Rate, base = 50_00, base|1
			halves++
		}
		want, err := money.MulDiv(base, int64(law.Rate), 100_00, law.Mode())
		if err != nil {
			t.Fatal(err)
		}
		if got := partOf(base, law); got != want {
			t.Fatalf("%v of %v, %s: %v, want %v", law.Rate, base, law.Rounding, got, want)
		}
	}
	if halves < 1_000 {
		t.Errorf("only %d half cents", halves)
	}
}
