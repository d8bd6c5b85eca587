package settle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/rulebook/odds"
)

const (
	simulatedTickets = 4_000 // in a game, one way each
	// zBound is how many standard deviations a figure of a simulation may lie off its
	// exact value. The rarest of these figures counts some 10 bonus jackpots, of which
	// chance passes five deviations less than once in 40,000 times; the others come
	// closer to the normal distribution, with once in 1.7 million. The seed is fixed, so
	// that a false alarm would be one at the first run and never again.
	zBound = 5
)

// simulatedGames is how many games are settled for each jackpot; the soak raises it.
var simulatedGames = 200

// TestReturnWithJackpotsAgreesWithOdds settles whole games of random tickets for a
// jackpot and compares what they get back with the exact odds: the schedule alone,
// how often the jackpot and the bonus jackpot are won, and the return of all of it.
// The pool holds in every game what the odds say the players get out of it in the
// long run, so that the return is the theoretical one with the jackpot.
func TestReturnWithJackpotsAgreesWithOdds(t *testing.T) {
	for _, c := range []struct {
		name, book, schedule, bet string
		spots                     int
		bonus                     bool
	}{
		{"growth", "vic-keno-2015", "schedule-1", "classic", 7, false},
		{"growth with Bonus", "vic-keno-2015", "schedule-1", "classic", 7, true},
		{"primary prize", "tas-keno-2023", "settlement", "standard", 7, false},
		{"instead of the schedule", "casino-keno-div2", "approved", "standard", 6, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t, c.book, c.schedule)
			s := newJackpotOdds(t, h, c.schedule, c.bet, c.spots, c.bonus)
			way := onSpots(c.bet, kenoSet(1, c.spots), money.Dollar)
			if c.bonus {
				way.Multiplier = Side{money.Dollar, 1}
			}
			s.simulate(t, h, way)
		})
	}
}

// jackpotOdds is what the odds say of a game, per game where they are random.
type jackpotOdds struct {
	pots                   Pots
	total                  float64 // probability that a way wins the jackpot
	won                    float64 // probability that a game does
	bonus                  float64 // and that the bonus jackpot is paid in it
	bonusPrize             float64 // cents
	schedule, scheduleVar  float64 // cents of a game
	withJackpot, jackpotSD float64 // cents of a game
}

// newJackpotOdds reads the odds of a bet.
func newJackpotOdds(t *testing.T, h *house, schedule, bet string, spots int, bonus bool) *jackpotOdds {
	t.Helper()
	report, err := odds.Of(h.book, odds.Options{Schedule: schedule, Bet: bet})
	if err != nil {
		t.Fatal(err)
	}
	var b *odds.Bet
	for i := range report.Bets {
		if report.Bets[i].Spots == spots {
			b = &report.Bets[i]
		}
	}
	if b == nil || b.Jackpot == nil {
		t.Fatalf("no odds of %d spots", spots)
	}
	s := &jackpotOdds{total: float(b.Jackpot.Probability.Rat)}
	s.won = 1 - math.Pow(1-s.total, simulatedTickets)
	// What the jackpot returns on a stake of one, all of which a game pays if it is won.
	jackpotPart := float(b.Jackpot.FixedRTP.Rat) + float(b.Jackpot.Contributions[0].Primary.Rat)
	primary := math.Floor(simulatedTickets * 100 * jackpotPart / s.won)
	s.pots = Pots{Pools: []jackpot.Pool{{Series: 1, Spots: uint8(spots), Primary: cents(int64(primary))}}}
	s.jackpotSD = primary * math.Sqrt(s.won*(1-s.won))
	s.withJackpot = simulatedTickets * 100 * float(b.Jackpot.Contributions[0].RTP.Rat)

	mean, square := s.scheduleOf(b, h.terms.Jackpots().Substitutes())
	s.schedule, s.scheduleVar = simulatedTickets*mean, simulatedTickets*(square-mean*mean)
	if bonus {
		s.multiply(b, report.Multiplier, mean, square)
	}
	return s
}

// scheduleOf returns the mean of what a way wins by the schedule, in cents, and of
// its square.
func (s *jackpotOdds) scheduleOf(b *odds.Bet, substitutes bool) (mean, square float64) {
	for _, tier := range b.Tiers {
		if substitutes && tier.Matched == b.Spots {
			continue
		}
		prize, p := float64(tier.PrizeCents), float(tier.Probability.Rat)
		mean += prize * p
		square += prize * prize * p
	}
	return mean, square
}

// multiply takes the multiplier into account. It is the same for all ways of a game
// and independent of what they match, because their numbers are picked at random.
func (s *jackpotOdds) multiply(b *odds.Bet, m *odds.Multiplier, mean, square float64) {
	var first, second float64
	for _, f := range m.Factors {
		p := float(f.Probability.Rat)
		first += p * float64(f.Factor)
		second += p * float64(f.Factor*f.Factor)
	}
	plain := s.schedule
	s.schedule = first * plain
	s.scheduleVar = plain*plain*(second-first*first) + second*simulatedTickets*(square-mean*mean)
	extra := b.Multiplied.BonusJackpot
	s.bonus = s.won * float(extra.Probability.Rat) / s.total
	s.bonusPrize = float64(extra.PrizeCents)
	s.withJackpot += s.schedule - plain + s.bonus*s.bonusPrize
	s.jackpotSD += s.bonusPrize * math.Sqrt(s.bonus*(1-s.bonus))
}

func float(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// simulate settles games of random tickets that are alike but for their numbers.
func (s *jackpotOdds) simulate(t *testing.T, h *house, way Way) {
	random := rand.New(rand.NewPCG(20260214, uint64(way.Spots.Len())))
	var totals, won, bonus, returned, shares float64
	for range simulatedGames {
		open := NewOpen(0)
		for i := range simulatedTickets {
			way.Spots = randomSpots(random, way.Spots.Len())
			if err := open.Add(Play{at(uint64(i)), 1, 1, []Way{way}}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := open.Close(1); err != nil {
			t.Fatal(err)
		}
		out, err := Pass(open, 1, shuffled(random), h.terms, s.pots)
		if err != nil {
			t.Fatal(err)
		}
		totals += float64(len(out.JackpotWins))
		returned += float64(out.Prizes + out.Breakage)
		shares += float64(out.Jackpots)
		for _, w := range out.Won {
			won++
			for _, a := range w.Awards {
				if a.Part == jackpot.PartBonus {
					bonus++
				}
			}
		}
	}
	// Every jackpot is paid whole, but for less than a cent for each share.
	paid := won*float64(s.pots.Pools[0].Primary.Cents()) + bonus*s.bonusPrize
	if left := paid - shares; left < 0 || left >= 2*totals {
		t.Errorf("of jackpots of %.0f cents %.0f were paid", paid, shares)
	}
	games := float64(simulatedGames)
	s.compare(t, "ways that win the jackpot", totals, games*simulatedTickets*s.total,
		math.Sqrt(games*simulatedTickets*s.total*(1-s.total)))
	s.compare(t, "games in which it is won", won, games*s.won, math.Sqrt(games*s.won*(1-s.won)))
	if s.bonus > 0 {
		s.compare(t, "bonus jackpots", bonus, games*s.bonus, math.Sqrt(games*s.bonus*(1-s.bonus)))
	}
	s.compare(t, "cents of the schedule", returned-shares, games*s.schedule, math.Sqrt(games*s.scheduleVar))
	// The jackpot comes with the highest prize of the schedule; the deviation of a sum
	// is at most the sum of the deviations.
	s.compare(t, "cents in all", returned, games*s.withJackpot, math.Sqrt(games)*(math.Sqrt(s.scheduleVar)+s.jackpotSD))
}

func (s *jackpotOdds) compare(t *testing.T, what string, got, want, deviation float64) {
	t.Helper()
	z := (got - want) / deviation
	if math.Abs(z) > zBound {
		t.Errorf("%s: %.0f, and %.0f were expected: %.2f standard deviations", what, got, want, z)
	}
	t.Logf("%s: %.0f, expected %.0f, z %.2f", what, got, want, z)
}
