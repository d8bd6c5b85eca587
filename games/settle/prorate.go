package settle

import (
	"math/big"
	"math/bits"
	"slices"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// limit bounds the major prizes of a game. Amounts are in units.
type limit struct {
	method            rulebook.ProratingMethod
	major, cap, floor uint64
	cite, floorCite   string
}

// newLimit takes over a pro-rating of the rulebook. A prize is major from an
// amount on or over it, which for whole units is from one unit more on.
//
//rule:vic-keno-2015 2(a).major-prize
//rule:tas-keno-2023 1.40
//rule:casino-keno-div2 1.0.major-prize
func (t *Terms) newLimit(p rulebook.Prorating) limit {
	l := limit{method: p.Method, floor: t.inUnits(p.Floor.Amount()), cite: p.Clause, floorCite: p.FloorClause}
	if p.MajorOver != nil {
		l.major = t.inUnits(p.MajorOver.Amount()) + 1
	} else {
		l.major = t.inUnits(p.MajorFrom.Amount())
	}
	if p.Cap != nil {
		l.cap = t.inUnits(p.Cap.Amount())
	}
	return l
}

// Reduction is the factor, Num / Den, by which the major prizes under one limit
// were multiplied. It is less than one; 0 / 1 says that nothing was left beyond
// the floors.
type Reduction struct {
	Limit    int // which pro-rating of the rulebook, counted from 0
	Num, Den uint64
}

// reduction returns how major prizes are reduced, and whether they are: only if
// they come to more than the limit.
//
//rule:vic-keno-2015 24(a)
//rule:tas-keno-2023 18.1
//rule:casino-keno-div2 8.7
func (l *limit) reduction(prizes []uint64) (num, den uint64, reduced bool) {
	var total uint64
	for _, x := range prizes {
		total += x
	}
	switch {
	case total <= l.cap:
		return 0, 0, false
	case l.method == rulebook.ProrateFormula:
		num, den = l.cap, total
	default:
		num, den = l.level(prizes, total)
	}
	whole := greatestCommonDivisor(num, den)
	return num / whole, den / whole, true
}

// level returns the factor f for which the prizes, each the greater of f times
// itself and its floor, come to exactly the cap. A prize at or under the floor is
// its own floor. If the floors alone reach the cap, f is 0 and they are paid.
//
// It holds prizes at their floors from the smallest up, until f leaves the next
// one above its floor, and with it all larger ones. Holding a prize up takes from
// the others, so f only falls, and what was held stays held.
//
//rule:tas-keno-2023 18.2 18.3
//rule:casino-keno-div2 8.8 8.9
func (l *limit) level(prizes []uint64, total uint64) (num, den uint64) {
	left, free := l.cap, total
	for _, x := range slices.Sorted(slices.Values(prizes)) {
		if x > l.floor && compareProducts(left, x, l.floor, free) >= 0 {
			return left, free
		}
		held := min(x, l.floor)
		if held >= left {
			break
		}
		left -= held
		free -= x
	}
	return 0, 1
}

// reduce returns a major prize after the reduction, in units, rounded down, and
// whether it was held at its floor. No prize is reduced below the floor, and one
// that is not above it is not reduced.
//
//rule:vic-keno-2015 2(a).pro-rating 24(b) 24(c)
//rule:tas-keno-2023 18.2 18.3
//rule:casino-keno-div2 8.8 8.9
func (l *limit) reduce(units uint64, r Reduction) (reduced uint64, held bool) {
	hi, lo := bits.Mul64(units, r.Num)
	reduced, _ = bits.Div64(hi, lo, r.Den) // Num < Den, so the quotient is below units.
	if reduced < l.floor {
		return min(units, l.floor), true
	}
	return reduced, false
}

// settleMajors reduces the major prizes where they exceed their limit, pays them,
// and states the sums. It returns what they come to in units, exactly.
//
// With a factor, prizes have fractions of a unit. Each prize is rounded on its own,
// which loses nothing: rounding down to the unit and then to the step is rounding
// down to the step. The sums are kept as exact fractions of all prizes together
// and rounded down to the cent once, when they are stated.
func (p *pass) settleMajors(out *Outcome) *big.Rat {
	before, after := new(big.Rat), new(big.Rat)
	for i := range p.majors {
		all, left, r := p.settleLimit(i)
		before.Add(before, all)
		after.Add(after, left)
		if r != (Reduction{}) {
			out.Reductions = append(out.Reductions, r)
		}
	}
	out.Majors, out.MajorsPaid = p.terms.inCents(before), p.terms.inCents(after)
	return after
}

// settleLimit pays the major prizes under one limit. It returns their sums before
// and after the reduction, in units, and the reduction, if there is one.
func (p *pass) settleLimit(i int) (before, after *big.Rat, r Reduction) {
	l, majors := &p.terms.limits[i], p.majors[i]
	prizes := make([]uint64, len(majors))
	for k, m := range majors {
		prizes[k] = m.units
	}
	num, den, reduced := l.reduction(prizes)
	if reduced {
		r = Reduction{i, num, den}
	}
	var all, kept, scaled uint64
	for _, m := range majors {
		all += m.units
		units, held := m.units, true
		if reduced {
			units, held = l.reduce(m.units, r)
		}
		if held {
			kept += units
		} else {
			scaled += m.units
		}
		p.payMajor(m, units)
	}
	before, after = new(big.Rat).SetUint64(all), new(big.Rat).SetUint64(kept)
	if scaled > 0 {
		factor := new(big.Rat).SetFrac(new(big.Int).SetUint64(num), new(big.Int).SetUint64(den))
		after.Add(after, factor.Mul(factor, new(big.Rat).SetUint64(scaled)))
	}
	return before, after, r
}

// payMajor adds a major prize to what its ticket has won, or to what is carried. A
// factor of next to nothing without a floor can leave no prize of it, and then
// perhaps no winner. The prize of a way that has won a jackpot is paid with its
// other parts.
func (p *pass) payMajor(m major, units uint64) {
	if m.total != none {
		p.totals[m.total].units = units
		return
	}
	cents := p.terms.round(units)
	if cents == 0 {
		p.empty = true
		return
	}
	if !m.counted {
		p.winning++
	}
	if m.carry != none {
		p.carries[m.carry].cents = cents
		return
	}
	p.winners.find(m.place).cents += cents
	p.paid += cents
}

// inCents returns an exact number of units rounded down to the cent.
func (t *Terms) inCents(units *big.Rat) money.Amount {
	den := new(big.Int).Mul(units.Denom(), new(big.Int).SetUint64(t.units))
	return money.Amount(den.Quo(units.Num(), den).Int64())
}

// compareProducts compares a x b with c x d.
func compareProducts(a, b, c, d uint64) int {
	hi, lo := bits.Mul64(a, b)
	hi2, lo2 := bits.Mul64(c, d)
	switch {
	case hi == hi2 && lo == lo2:
		return 0
	case hi > hi2 || hi == hi2 && lo > lo2:
		return 1
	}
	return -1
}
