package settle

import (
	"testing"

	"drawhouse/core/ball"
	"drawhouse/rulebook/odds"
)

// TestOddsArePaid settles every catch of a game by a rulebook whose rounding takes a part of most prizes, and holds
// the prizes of the odds against what the house pays.
func TestOddsArePaid(t *testing.T) {
	for _, step := range []string{"0.10", "0.70", "7", "1000"} {
		book := editedBook(t, "vic-keno-2015", "step: 0.10\n    mode", "step: "+step+"\n    mode",
			"{2: 1, 3: 4, 4: 120}", "{2: 1.13, 3: 4.77, 4: 120}")
		report, err := odds.Of(book, odds.Options{Schedule: "schedule-1", Bet: "classic"})
		if err != nil {
			t.Fatal(err)
		}
		h := houseOf(t, book, "schedule-1")
		taken := false
		for _, bet := range report.Bets {
			table := h.terms.tables["classic"]
			for _, tier := range bet.Tiers {
				spots := ball.Empty(ball.Keno) // 1 to 20 are drawn
				for n := range bet.Spots {
					if n < tier.Matched {
						spots = spots.With(n + 1)
					} else {
						spots = spots.With(drawn + 1 + n)
					}
				}
				paid := settleWays(t, h, []Way{onSpots("classic", spots, bet.PerCents)}).Prizes
				said := tier.PrizeCents
				if bet.Jackpot != nil && tier.Matched == bet.Spots {
					said = bet.Jackpot.TopWithFill
				}
				if paid != said {
					t.Errorf("step %s: %d of %d pays %v, and the odds say %v", step, tier.Matched, bet.Spots, paid, said)
				}
				taken = taken || paid < table.Prize(bet.Spots, tier.Matched)
			}
		}
		if !taken {
			t.Errorf("a step of %s takes nothing", step)
		}
	}
}
