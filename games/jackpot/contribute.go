package jackpot

import (
	"fmt"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// Rate is how the stakes of a game on one size are divided. It is fixed when the
// game opens, so that contributions do not depend on the order of sales.
type Rate struct {
	Primary, Secondary, Seed rulebook.Percent
	Clause                   string
}

// Rate returns the rate of the game that opens now. While the operator is owed a
// seed, the steps of its repayment replace the other percentages.
//
//rule:vic-keno-2015 15(a)
//rule:tas-keno-2023 7.4(a) 7.4(b) 7.4(c) 7.4(d) 7.6(b) 7.6(c)
//rule:casino-keno-div2 5.7
func (t *Terms) Rate(p Pool) (Rate, error) {
	s, err := t.size(p)
	if err != nil {
		return Rate{}, err
	}
	if p.Owed > 0 {
		return t.seedRate(p)
	}
	for _, c := range s.Contributions {
		if within(p.Primary, c.From, c.Below) {
			return Rate{Primary: c.Primary, Secondary: c.Secondary, Clause: c.Clause}, nil
		}
	}
	return Rate{}, fmt.Errorf("jackpot: no contribution is stated for a pool of %v", p.Primary)
}

func (t *Terms) seedRate(p Pool) (Rate, error) {
	if t.policy.Seed == nil {
		return Rate{}, fmt.Errorf("jackpot: %v is owed for a seed, and the rulebook lends none", p.Owed)
	}
	for _, step := range t.policy.Seed.Steps {
		if within(p.Owed, step.From, step.Below) {
			return Rate{Primary: step.Primary, Seed: step.Seed, Clause: step.Clause}, nil
		}
	}
	return Rate{}, fmt.Errorf("jackpot: no repayment is stated for a seed of %v", p.Owed)
}

// within reports whether a balance is from one amount on and below another.
func within(balance Exact, from, below *rulebook.Dollars) bool {
	return (from == nil || balance.Cents() >= from.Amount()) && (below == nil || balance.Cents() < below.Amount())
}

// Contribution is what the stakes of a game did to a pool, exactly.
type Contribution struct {
	Stakes money.Amount
	Rate   Rate
	// Owed and Seeded are as they were before.
	Owed, Seeded               Exact
	Primary, Secondary, Repaid Exact
}

// Contribute divides the stakes of a game on one size, features not counted, when
// it closes: after cancellations and before the draw, which they are part of the
// prize of.
//
//rule:vic-keno-2015 15(a) 2(a).jackpot
//rule:tas-keno-2023 7.4(a) 7.4(b) 7.4(c) 7.4(d) 7.4(e) 7.6(b) 7.6(c) 7.6(d)
//rule:casino-keno-div2 5.7
func Contribute(p Pool, stakes money.Amount, r Rate) (Pool, Contribution, Movement, error) {
	if err := p.ready(); err != nil {
		return Pool{}, Contribution{}, Movement{}, err
	}
	if err := r.check(stakes); err != nil {
		return Pool{}, Contribution{}, Movement{}, err
	}
	c := divide(stakes, r, p.Owed, p.Seeded)
	after := c.replace(p, Contribution{Owed: p.Owed, Seeded: p.Seeded})
	return after, c, movement(p, after, 0, 0, 0), after.Check()
}

// TakeBack lowers the contribution of a game to what it would have been with the
// stakes that are left: nothing is left of a game that is not played and refunded.
// It must come before the pool is won with that money in it.
func TakeBack(p Pool, c Contribution, left money.Amount) (Pool, Contribution, Movement, error) {
	if err := p.ready(); err != nil {
		return Pool{}, Contribution{}, Movement{}, err
	}
	if left < 0 || left > c.Stakes {
		return Pool{}, Contribution{}, Movement{}, fmt.Errorf("jackpot: of stakes of %v, %v are left", c.Stakes, left)
	}
	if err := c.Rate.check(c.Stakes); err != nil {
		return Pool{}, Contribution{}, Movement{}, err
	}
	lower := divide(left, c.Rate, c.Owed, c.Seeded)
	after := lower.replace(p, c)
	if err := after.Check(); err != nil {
		return Pool{}, Contribution{}, Movement{}, fmt.Errorf("the contribution is not in the pool any more: %w", err)
	}
	return after, lower, movement(p, after, 0, 0, 0), nil
}

// check reports a rate that is none, or stakes that it cannot divide.
func (r Rate) check(stakes money.Amount) error {
	if r.Primary < 0 || r.Secondary < 0 || r.Seed < 0 || r.Primary+r.Secondary+r.Seed > rulebook.Whole {
		return fmt.Errorf("jackpot: %v, %v and %v are no division of stakes", r.Primary, r.Secondary, r.Seed)
	}
	_, err := ExactOf(stakes)
	return err
}

// divide returns the contribution of some stakes. The last instalment of a seed is
// what is still owed, and what is above it goes to the primary: it is the players'.
//
//rule:tas-keno-2023 7.6(d)
func divide(stakes money.Amount, r Rate, owed, seeded Exact) Contribution {
	instalment := percentOf(stakes, r.Seed)
	repaid := min(instalment, owed)
	return Contribution{
		Stakes: stakes, Rate: r, Owed: owed, Seeded: seeded,
		Primary:   percentOf(stakes, r.Primary) + instalment - repaid,
		Secondary: percentOf(stakes, r.Secondary),
		Repaid:    repaid,
	}
}

// replace returns a pool with contribution c in the place of old.
func (c Contribution) replace(p Pool, old Contribution) Pool {
	p.Primary += c.Primary - old.Primary
	p.Secondary += c.Secondary - old.Secondary
	p.Owed -= c.Repaid - old.Repaid
	p.Seeded += c.seeded() - old.seeded()
	return p
}

// seeded returns how much seed the contribution leaves in the pool. Repayments go
// first to what was lent before the last win and is in the pool no more.
func (c Contribution) seeded() Exact { return min(c.Seeded, c.Owed-c.Repaid) }
