package odds

import (
	"math/big"
	"slices"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// jackpot returns what the jackpot of a size adds to a bet, or nil.
func (a *analysis) jackpot(s *rulebook.Schedule, b *Bet) *Jackpot {
	jackpots, ok := a.book.Jackpots()
	if !ok || !slices.Contains(jackpots.Bets, b.Bet) || b.Spots > a.draw.take {
		return nil
	}
	i := slices.IndexFunc(jackpots.Pools, func(p rulebook.PoolFile) bool { return p.Spots == b.Spots })
	if i < 0 {
		return nil
	}
	pool, top := jackpots.Pools[i], b.Tiers[b.Spots]
	j := &Jackpot{
		Pays:          string(jackpots.Pays),
		Clause:        pool.Clause,
		Probability:   top.Probability,
		Cycle:         Ratio{new(big.Rat).Inv(top.Probability.Rat)},
		TopPrizeCents: top.PrizeCents,
		FillCents:     s.Fill(b.Spots),
	}
	j.TopWithFill = a.rounded(top.stated + j.FillCents)
	if pool.Reset != nil {
		j.ResetCents = pool.Reset.Amount()
	}
	j.MinimumCents, _ = s.JackpotMinimum(b.Spots)
	base := a.fix(j, jackpots.Pays, b)
	for _, c := range pool.Contributions {
		j.Contributions = append(j.Contributions, contribution(c, base))
	}
	if jackpots.Seed != nil {
		for _, step := range jackpots.Seed.Steps {
			j.SeedRepayments = append(j.SeedRepayments, repayment(step, base))
		}
	}
	return j
}

// fix computes the return of the fixed parts on a stake of one by a sole winner,
// and gives the bet's return with them. A pool paid in addition starts from
// nothing but its fill; one paid in substitution starts from its reset value
// and takes the schedule prize away. What a way wins in all is rounded once.
func (a *analysis) fix(j *Jackpot, pays rulebook.JackpotPays, b *Bet) *big.Rat {
	worth := func(prize money.Amount) *big.Rat {
		x := units(prize, b.PerCents)
		return x.Mul(x, j.Probability.Rat)
	}
	parts, top := j.FillCents+j.ResetCents, b.Tiers[b.Spots]
	fixed := worth(a.rounded(top.stated+parts) - top.PrizeCents)
	if pays == rulebook.PaysSubstitution {
		fixed = worth(a.rounded(parts))
	}
	base := new(big.Rat).Add(b.RTP.Rat, fixed)
	if pays == rulebook.PaysSubstitution {
		j.ReplacedRTP = &Ratio{worth(j.TopPrizeCents)}
		base.Sub(base, j.ReplacedRTP.Rat)
		j.TopWithFill = a.rounded(parts)
	}
	j.FixedRTP = Ratio{fixed}
	j.FixedDecimal = j.FixedRTP.Decimal(decimals)
	return base
}

func contribution(c rulebook.Contribution, base *big.Rat) Share {
	share := Share{Clause: c.Clause, FromCents: cents(c.From), BelowCents: cents(c.Below),
		Primary: percentRatio(c.Primary)}
	rtp := new(big.Rat).Add(base, share.Primary.Rat)
	if c.Secondary != 0 {
		share.Secondary = new(percentRatio(c.Secondary))
		rtp.Add(rtp, share.Secondary.Rat)
	}
	return share.with(rtp)
}

func repayment(step rulebook.SeedStep, base *big.Rat) Share {
	share := Share{Clause: step.Clause, FromCents: cents(step.From), BelowCents: cents(step.Below),
		Primary: percentRatio(step.Primary)}
	share.Seed = new(percentRatio(step.Seed))
	return share.with(new(big.Rat).Add(base, share.Primary.Rat))
}

func (s Share) with(rtp *big.Rat) Share {
	s.RTP = Ratio{rtp}
	s.RTPDecimal = s.RTP.Decimal(decimals)
	return s
}

// cents returns an amount that a rulebook may leave out.
func cents(d *rulebook.Dollars) *money.Amount {
	if d == nil {
		return nil
	}
	return new(d.Amount())
}
