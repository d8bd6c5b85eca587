package settle

import (
	"math"
	"math/rand/v2"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/games/keno"
	"drawhouse/rulebook/odds"
	"drawhouse/rulebook/rules"
)

// simulatedRaces is how many draws the ranking is tried on; the soak raises it.
var simulatedRaces = 200_000

// TestRankingAgreesWithOdds runs races with the ranking that settles them and
// compares how often each type of bet wins with its exact probability: within five
// standard deviations, which chance passes once in 1.7 million figures.
func TestRankingAgreesWithOdds(t *testing.T) {
	book, err := rules.Book("tas-keno-2023")
	if err != nil {
		t.Fatal(err)
	}
	bet, _ := book.Bet("racing")
	race, _ := bet.Race()
	report, err := odds.Of(book, odds.Options{Bet: "racing"})
	if err != nil {
		t.Fatal(err)
	}
	types := race.Types()
	wins := make([]int, len(types))
	random := rand.New(rand.NewPCG(20260214, 1))
	for range simulatedRaces {
		numbers := random.Perm(80)[:20]
		for i := range numbers {
			numbers[i]++
		}
		order, err := ball.NewSequence(ball.Keno, numbers...)
		if err != nil {
			t.Fatal(err)
		}
		ranking := rank(race, order)
		// Rows are alike, so any three will do.
		rows := []keno.Row{3, 7, 1}
		for i := range types {
			if ranking.wins(&types[i], rows[:types[i].Places]) {
				wins[i]++
			}
		}
	}
	for i, kind := range types {
		p := exactly(t, report, kind.ID)
		expected := p * float64(simulatedRaces)
		z := (float64(wins[i]) - expected) / math.Sqrt(expected*(1-p))
		if math.Abs(z) > 5 {
			t.Errorf("%s won %d of %d races, %.0f were expected: %.2f standard deviations", kind.ID, wins[i], simulatedRaces,
				expected, z)
		}
		t.Logf("%s: %d wins in %d races, z %.2f", kind.ID, wins[i], simulatedRaces, z)
	}
}

// exactly returns the exact probability that a bet of a type wins, for comparing.
func exactly(t *testing.T, report *odds.Report, kind string) float64 {
	t.Helper()
	for i := range report.Bets {
		if report.Bets[i].Type != kind {
			continue
		}
		for _, tier := range report.Bets[i].Tiers {
			if tier.Matched == 1 {
				p, _ := tier.Probability.Float64()
				return p
			}
		}
	}
	t.Fatalf("no odds of %s", kind)
	return 0
}
