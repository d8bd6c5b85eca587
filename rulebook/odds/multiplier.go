package odds

import (
	"fmt"
	"math/big"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// factorsOf groups the draws of a tally by their factor. The probabilities sum to
// the share that the tally has of all draws.
func (a *analysis) factorsOf(t tally) ([]Factor, error) {
	var byFactor []count
	for i, c := range t.counts {
		factor := a.book.Multiplier(t.least + i)
		if factor < 1 {
			return nil, fmt.Errorf("odds: %s assigns no multiplier to the sum %d", a.book.ID(), t.least+i)
		}
		for len(byFactor) <= factor {
			byFactor = append(byFactor, count{})
		}
		byFactor[factor] = byFactor[factor].plus(c)
	}
	var factors []Factor
	for factor, c := range byFactor {
		if !c.isZero() {
			factors = append(factors, Factor{factor, Ratio{a.draw.share(c)}})
		}
	}
	return factors, nil
}

// wheelFactors returns how likely the factors of a wheel are, whose slots are equally
// likely; nil for no wheel.
func wheelFactors(wheel []int) (factors []Factor) {
	for _, factor := range wheel { // ascending
		if n := len(factors); n == 0 || factors[n-1].Factor != factor {
			factors = append(factors, Factor{factor, Ratio{new(big.Rat)}})
		}
		p := factors[len(factors)-1].Probability
		p.Add(p.Rat, big.NewRat(1, int64(len(wheel))))
	}
	return factors
}

// meanFactor returns the sum of factor x probability.
func meanFactor(factors []Factor) Ratio {
	mean := new(big.Rat)
	for _, f := range factors {
		mean.Add(mean, new(big.Rat).Mul(f.Probability.Rat, big.NewRat(int64(f.Factor), 1)))
	}
	return Ratio{mean}
}

// factorsByMatch returns, for each count of matched spots, the probabilities of
// that count together with each factor.
//
// For given numbers they come from the joint distribution. Otherwise they are the
// mean over all picks of the size, which is the product of the two
// probabilities: whatever the draw, a random pick matches m of its numbers with
// the same probability; so the count matched says nothing about the draw, nor
// about its sum.
func (a *analysis) factorsByMatch(spots int) [][]Factor {
	if a.given(spots) && a.givenFactors != nil {
		return a.givenFactors
	}
	return a.meanByMatch(spots)
}

// turned reports whether a wheel multiplies: then all numbers have the same return.
func (a *analysis) turned() bool { return a.book.Wheel() != nil }

// meanByMatch returns those probabilities as the mean over all picks of the size.
func (a *analysis) meanByMatch(spots int) [][]Factor {
	byMatch := make([][]Factor, a.draw.MatchMax(spots)+1)
	for matched, p := range a.draw.Matches(spots) {
		for _, f := range a.factors {
			both := new(big.Rat).Mul(p, f.Probability.Rat)
			byMatch[matched] = append(byMatch[matched], Factor{f.Factor, Ratio{both}})
		}
	}
	return byMatch
}

// factorsByJoint returns the factors of every row of a joint distribution.
func (a *analysis) factorsByJoint(j Joint) [][]Factor {
	byMatch := make([][]Factor, len(j.matched))
	for m, t := range j.matched {
		// Every sum has a factor: the distribution of all sums was grouped before.
		byMatch[m], _ = a.factorsOf(t)
	}
	return byMatch
}

// goesWith returns the multiplier feature if it may hang on a bet of that size; 0
// is for bets without a size. A feature whose side stake may differ from the
// bet's has no one return.
func (a *analysis) goesWith(bet string, spots int) (*rulebook.Feature, bool) {
	feature, ok := a.book.Feature(rulebook.FeatureMultiplier)
	if !ok || !feature.Allows(bet) || !feature.EqualStake() {
		return nil, false
	}
	if sizes, bound := feature.Sizes(); bound && spots > 0 && !sizes.Has(spots) {
		return nil, false
	}
	return feature, true
}

// multiplied returns the return of a bet on numbers with an equal side stake.
func (a *analysis) multiplied(s *rulebook.Schedule, b *Bet) *Multiplied {
	feature, ok := a.goesWith(b.Bet, b.Spots)
	if !ok {
		return nil
	}
	byMatch := a.factorsByMatch(b.Spots)
	m := a.newMultiplied(s, feature, b, byMatch)
	m.Basis = BasisMean
	switch {
	case a.turned():
		m.Basis = BasisAny
	case a.given(b.Spots):
		m.Basis = BasisGiven
	}
	if b.Jackpot != nil {
		m.BonusJackpot = a.bonusJackpot(s, b, byMatch[b.Spots])
	}
	return m
}

// factorsByCall returns, for each call, the probabilities of the call together
// with each factor. How many numbers fall in the lower half is how many of its
// spots are matched.
func (a *analysis) factorsByCall(bet string, h Halves) map[string][]Factor {
	if _, ok := a.goesWith(bet, 0); !ok {
		return nil
	}
	byCall := map[string][]Factor{}
	if a.turned() {
		for call, p := range a.draw.Calls(h) {
			for _, f := range a.factors {
				byCall[call] = append(byCall[call], Factor{f.Factor, Ratio{new(big.Rat).Mul(p, f.Probability.Rat)}})
			}
		}
		return byCall
	}
	lower := make([]int, h.Lower)
	for i := range lower {
		lower[i] = i + 1
	}
	for count, factors := range a.factorsByJoint(a.draw.Joint(lower)) {
		call := h.call(count, a.draw.take)
		byCall[call] = append(byCall[call], factors...)
	}
	return byCall
}

// multipliedCall returns the return of a call with an equal side stake. The sum is
// low where heads come and high where tails do, so that the two would differ
// were the known table of factors not the same from either end.
func (a *analysis) multipliedCall(s *rulebook.Schedule, b *Bet, won []Factor) *Multiplied {
	feature, ok := a.goesWith(b.Bet, 0)
	if !ok {
		return nil
	}
	m := a.newMultiplied(s, feature, b, [][]Factor{nil, won})
	m.Basis = BasisCall
	m.RunOnly = feature.RunOnly(b.Bet)
	return m
}

// newMultiplied computes the figures from the probabilities of each tier with each
// factor. A bet and its side stake are two stakes, for one multiplied prize, which is
// rounded once and which the cap on a way can cut.
func (a *analysis) newMultiplied(s *rulebook.Schedule, feature *rulebook.Feature, b *Bet,
	byTier [][]Factor) *Multiplied {
	const stakes = 2
	rtp, square := new(big.Rat), new(big.Rat)
	for i, t := range b.Tiers {
		if t.stated == 0 {
			continue
		}
		for _, f := range byTier[i] {
			x := units(a.paid(s, t.stated, b.PerCents, b.PerCents, f.Factor), b.PerCents*stakes)
			once := new(big.Rat).Mul(x, f.Probability.Rat)
			rtp.Add(rtp, once)
			square.Add(square, once.Mul(once, x))
		}
	}
	variance := square.Sub(square, new(big.Rat).Mul(rtp, rtp))
	m := &Multiplied{Name: feature.Name(), StakeUnits: stakes, RTP: Ratio{rtp}, Variance: Ratio{variance}}
	m.RTPDecimal, m.VarianceDecimal = m.RTP.Decimal(decimals), m.Variance.Decimal(decimals)
	return m
}

// bonusJackpot returns the extra prize of a jackpot win with a high enough factor.
func (a *analysis) bonusJackpot(s *rulebook.Schedule, b *Bet, top []Factor) *BonusJackpot {
	jackpots, _ := a.book.Jackpots()
	table, ok := s.Size(rulebook.UseBonusJackpot)
	if !ok || jackpots.BonusFrom == 0 {
		return nil
	}
	prize, ok := table.Prize(b.Spots)
	if !ok {
		return nil
	}
	p := new(big.Rat)
	for _, f := range top {
		if f.Factor >= jackpots.BonusFrom {
			p.Add(p, f.Probability.Rat)
		}
	}
	// The prize is stated for one stake and two are paid.
	prize = a.rounded(prize)
	rtp := units(prize, 2*table.Per())
	bonus := &BonusJackpot{FactorFrom: jackpots.BonusFrom, PrizeCents: prize, Probability: Ratio{p},
		RTP: Ratio{rtp.Mul(rtp, p)}}
	bonus.RTPDecimal = bonus.RTP.Decimal(decimals)
	return bonus
}

// runs returns the returns of runs of one game to the longest, that begin with a stake of one. Every game of a
// run is an independent draw, and what it pays is the stake of the next: rounded, and within the cap on a way.
func (a *analysis) runs(s *rulebook.Schedule, b *Bet, won []Factor, longest int) []Run {
	var all []Run
	plain, multiplied := begun(b.PerCents), begun(2*b.PerCents)
	for games := 1; games <= longest; games++ {
		plain = a.next(s, b, plain, b.PerCents, []Factor{{1, b.Tiers[1].Probability}})
		rtp := plain.mean(b.PerCents)
		entry := Run{Games: games, RTP: rtp, RTPDecimal: rtp.Decimal(decimals)}
		if b.Multiplied != nil {
			// Half of what is carried is the side stake.
			multiplied = a.next(s, b, multiplied, 2*b.PerCents, won)
			entry.MultipliedRTP = new(multiplied.mean(2 * b.PerCents))
			entry.MultipliedDecimal = entry.MultipliedRTP.Decimal(decimals)
		}
		all = append(all, entry)
	}
	return all
}

// run is how likely each amount is that a run has come to: in so many ways of all. Nothing is what remains. One
// number of all ways for every amount keeps sums of them from being reduced again and again.
type run struct {
	ways map[money.Amount]*big.Int
	all  *big.Int
}

// begun returns a run before its first game.
func begun(stake money.Amount) run {
	return run{ways: map[money.Amount]*big.Int{stake: big.NewInt(1)}, all: big.NewInt(1)}
}

// next returns what a run comes to with one more game, whose prizes are stated for per of what is carried.
func (a *analysis) next(s *rulebook.Schedule, b *Bet, carried run, per money.Amount, won []Factor) run {
	all := big.NewInt(1) // of one game: the least number in which every factor has a whole part
	for _, f := range won {
		common := new(big.Int).GCD(nil, nil, all, f.Probability.Denom())
		all.Mul(all, common.Quo(f.Probability.Denom(), common))
	}
	after := run{ways: map[money.Amount]*big.Int{}, all: new(big.Int).Mul(carried.all, all)}
	for _, f := range won {
		of := new(big.Int).Quo(all, f.Probability.Denom())
		of.Mul(of, f.Probability.Num())
		for amount, ways := range carried.ways {
			prize := a.paid(s, b.Tiers[1].stated, amount, per, f.Factor)
			if prize == 0 {
				continue
			}
			if after.ways[prize] == nil {
				after.ways[prize] = new(big.Int)
			}
			after.ways[prize].Add(after.ways[prize], new(big.Int).Mul(ways, of))
		}
	}
	return after
}

// mean returns the mean of what a run comes to over the stake that it began with.
func (r run) mean(stake money.Amount) Ratio {
	sum := new(big.Int)
	for amount, ways := range r.ways {
		sum.Add(sum, new(big.Int).Mul(ways, big.NewInt(int64(amount))))
	}
	return Ratio{new(big.Rat).SetFrac(sum, new(big.Int).Mul(r.all, big.NewInt(int64(stake))))}
}
