package proof

import (
	"strings"
	"testing"

	"drawhouse/core/money"
)

// TestPaidTooMuch: a ticket one of whose results was corrected keeps what it was paid by
// the first one, and may have been paid no more, neither in that game nor in another.
func TestPaidTooMuch(t *testing.T) {
	most := map[uint32]money.Amount{1: 500, 2: 100} // Of the first it has won nothing by the right numbers.
	for name, c := range map[string]struct {
		first, second money.Amount
		fault         string
	}{
		"as it won":            {500, 100, ""},
		"more in that game":    {501, 100, "game 2026-11-15/0"},
		"more in another game": {500, 101, "game 2026-11-15/1"},
	} {
		check := storyChecker{report: &Report{}, most: most, paid: map[uint32]money.Amount{1: c.first, 2: c.second},
			story: &Story{Games: []Game{
				{Day: "2026-11-15", Number: 0, Ordinal: 1, PaidCents: c.first.Cents()},
				{Day: "2026-11-15", Number: 1, Ordinal: 2, PaidCents: c.second.Cents(), PrizeCents: 100},
			}}}
		if err := check.payments(); (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
