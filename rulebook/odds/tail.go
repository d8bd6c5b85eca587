package odds

import (
	"fmt"
	"math/big"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// The tail of many tickets with numbers of their own.
//
// Whatever the draw, a ticket with random numbers matches m of its spots with the
// same probability. So, given the draw, the tickets are independent and alike,
// and the generating function of the total of n tickets is the n-th power of
// that of one: (p0 + p1 x^v1 + p2 x^v2 + ...)^n, where the v are the major
// prizes in units of their greatest common divisor. Only its coefficients up to
// the cap are needed, because P(total > cap) = 1 - their sum.
//
// The coefficients a(k) follow one from the other. Differentiating f = g^n gives
// g f' = n g' f, and comparing the powers of x
//
//	k p0 a(k) = sum over i of p(i) ((n+1) v(i) - k) a(k - v(i)).
//
// As exact rationals they would have n times the digits of the p. So each is
// held between two integers over a power of two, rounded outwards at every step;
// the result is a pair of bounds, and the power is raised until they are close.

// mostUnits bounds the coefficients that are computed. The schedules known need
// far fewer; a cap that is a huge multiple of the units would take minutes.
const mostUnits = 1 << 19

// independent returns bounds of the probability that the major prizes pass the cap
// if every ticket has random numbers of its own. All of them share the draw and
// so the multiplier: the tail is the mean over its factors.
func (a *analysis) independent(t *Tail, b *Bet, sold Sold, rule rulebook.Prorating) (*Bounds, error) {
	factors, byTier := []Factor{{1, Ratio{big.NewRat(1, 1)}}}, unmultiplied(b)
	if sold.Multiplied {
		factors, byTier = a.factors, a.meanByMatch(b.Spots)
	}
	majors, err := a.majors(b, sold, rule, byTier)
	if err != nil {
		return nil, err
	}
	least, most := new(big.Rat), new(big.Rat)
	for _, f := range factors {
		bounds, err := tailOf(given(f, majors), t.Tickets, t.CapCents)
		if err != nil {
			return nil, err
		}
		least.Add(least, bounds.AtLeast.Mul(bounds.AtLeast.Rat, f.Probability.Rat))
		most.Add(most, bounds.AtMost.Mul(bounds.AtMost.Rat, f.Probability.Rat))
	}
	return &Bounds{Ratio{least}, Ratio{most}}, nil
}

// given returns the major prizes that go with a factor, with their probabilities
// given the factor.
func given(f Factor, majors []Major) []Major {
	var with []Major
	for _, m := range majors {
		if m.Factor == f.Factor {
			m.Probability = Ratio{new(big.Rat).Quo(m.Probability.Rat, f.Probability.Rat)}
			with = append(with, m)
		}
	}
	return with
}

// tailOf returns bounds of P(total of n independent tickets > cap).
func tailOf(majors []Major, n int, limit money.Amount) (*Bounds, error) {
	greatest := money.Amount(0)
	for _, m := range majors {
		greatest = max(greatest, m.PrizeCents)
	}
	// The callers have checked that n of the greatest prize is an amount.
	if greatest*money.Amount(n) <= limit {
		return &Bounds{Ratio{new(big.Rat)}, Ratio{new(big.Rat)}}, nil
	}
	p, unit := newPowers(majors, n)
	units := int64(limit / unit)
	if units >= mostUnits {
		return nil, fmt.Errorf("odds: a cap of %v is %d times %v, the unit of the prizes; at most %d times can be computed",
			limit, units, unit, mostUnits)
	}
	for bits := p.startBits(); ; bits *= 2 {
		b := p.tail(int(units), bits)
		if agree(b) || bits > 1<<22 {
			return b, nil
		}
	}
}

// agree reports whether the bounds agree to some forty bits, or are too small to
// matter.
func agree(b *Bounds) bool {
	width := new(big.Rat).Sub(b.AtMost.Rat, b.AtLeast.Rat)
	tiny := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 300))
	if b.AtMost.Cmp(tiny) < 0 {
		return true
	}
	relative := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 40))
	return width.Cmp(relative.Mul(relative, b.AtMost.Rat)) <= 0
}

// powers is the n-th power of the generating function of one ticket. Probabilities
// are integers over a common denominator.
type powers struct {
	n           int64
	none        *big.Int // no major prize
	denominator *big.Int
	prizes      []term
}

type term struct {
	units       int64
	probability *big.Int
}

// newPowers returns the powers of the prizes and the unit in which they count.
func newPowers(majors []Major, n int) (*powers, money.Amount) {
	unit := int64(0)
	common := big.NewInt(1)
	for _, m := range majors {
		unit = gcd(unit, m.PrizeCents.Cents())
		d := m.Probability.Denom()
		common.Mul(common, new(big.Int).Quo(d, new(big.Int).GCD(nil, nil, common, d)))
	}
	p := &powers{n: int64(n), none: new(big.Int).Set(common), denominator: common}
	for _, m := range majors {
		c := new(big.Int).Quo(common, m.Probability.Denom())
		c.Mul(c, m.Probability.Num())
		p.none.Sub(p.none, c)
		p.prizes = append(p.prizes, term{m.PrizeCents.Cents() / unit, c})
	}
	return p, money.Amount(unit)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// startBits returns a precision at which p0^n, from which all else follows, has
// 256 significant bits: one halving of the probability takes one bit, and the
// logarithm of 1/p0 is less than 1/p0 - 1.
func (p *powers) startBits() uint {
	loss := new(big.Int).Sub(p.denominator, p.none)
	loss.Mul(loss, big.NewInt(3*p.n)) // 1/ln 2 is less than 3/2
	loss.Quo(loss, p.none)
	return 256 + uint(loss.Int64()/2)
}

// bracket holds a number between two integers over 2^bits.
type bracket struct{ lo, hi *big.Int }

// tail returns bounds of 1 - (a(0) + ... + a(units)).
func (p *powers) tail(units int, bits uint) *Bounds {
	a := make([]bracket, units+1)
	a[0] = p.noneWins(bits)
	sum := bracket{new(big.Int).Set(a[0].lo), new(big.Int).Set(a[0].hi)}
	for k := 1; k <= units; k++ {
		a[k] = p.next(a, int64(k))
		sum.lo.Add(sum.lo, a[k].lo)
		sum.hi.Add(sum.hi, a[k].hi)
	}
	one := new(big.Int).Lsh(big.NewInt(1), bits)
	bound := func(below *big.Int) Ratio {
		rest := new(big.Int).Sub(one, below)
		if rest.Sign() < 0 {
			rest.SetInt64(0)
		}
		return Ratio{new(big.Rat).SetFrac(rest, one)}
	}
	return &Bounds{AtLeast: bound(sum.hi), AtMost: bound(sum.lo)}
}

// next returns a(k) from the coefficients before it.
func (p *powers) next(a []bracket, k int64) bracket {
	lo, hi, x := new(big.Int), new(big.Int), new(big.Int)
	weight := new(big.Int)
	for _, t := range p.prizes {
		if t.units > k {
			continue
		}
		before := a[k-t.units]
		weight.SetInt64((p.n+1)*t.units - k)
		weight.Mul(weight, t.probability)
		if weight.Sign() < 0 { // turns the bounds round
			before.lo, before.hi = before.hi, before.lo
		}
		lo.Add(lo, x.Mul(weight, before.lo))
		hi.Add(hi, x.Mul(weight, before.hi))
	}
	divisor := weight.Mul(p.none, x.SetInt64(k))
	return bracket{floorDiv(lo, divisor), ceilDiv(hi, divisor)}
}

// noneWins returns p0^n by repeated squaring, rounded outwards.
func (p *powers) noneWins(bits uint) bracket {
	scaled := new(big.Int).Lsh(p.none, bits)
	base := bracket{floorDiv(scaled, p.denominator), ceilDiv(scaled, p.denominator)}
	one := new(big.Int).Lsh(big.NewInt(1), bits)
	result := bracket{one, one}
	for e := p.n; ; {
		if e&1 == 1 {
			result = result.times(base, bits)
		}
		if e >>= 1; e == 0 {
			return result
		}
		base = base.times(base, bits)
	}
}

// times multiplies two brackets of numbers that are not negative.
func (b bracket) times(c bracket, bits uint) bracket {
	one := new(big.Int).Lsh(big.NewInt(1), bits)
	return bracket{
		floorDiv(new(big.Int).Mul(b.lo, c.lo), one),
		ceilDiv(new(big.Int).Mul(b.hi, c.hi), one),
	}
}

// floorDiv returns x / y rounded down, for a positive y.
func floorDiv(x, y *big.Int) *big.Int { return new(big.Int).Div(x, y) }

// ceilDiv returns x / y rounded up, for a positive y.
func ceilDiv(x, y *big.Int) *big.Int {
	q := new(big.Int).Neg(x)
	return q.Neg(q.Div(q, y))
}
