package jackpot

import "drawhouse/core/money"

// Open returns a new pool of a size. One that returns to a reset value begins with
// it; all others begin with nothing.
//
//rule:casino-keno-div2 5.6
func (t *Terms) Open(series uint8, spots int) (Pool, Movement, error) {
	s := t.sizes[spots]
	if s == nil {
		return Pool{}, Movement{}, noJackpot(spots)
	}
	empty := Pool{Series: series, Spots: uint8(spots)}
	p := empty
	p.Primary = mustExact(s.reset)
	return p, movement(empty, p, s.reset, 0, 0), nil
}

// OpenAll returns a new pool of every size that has a jackpot, ascending.
func (t *Terms) OpenAll(series uint8) (pools []Pool, move Movement, err error) {
	for _, spots := range t.Spots() {
		p, m, err := t.Open(series, spots)
		if err != nil {
			return nil, Movement{}, err
		}
		pools, move = append(pools, p), move.plus(m)
	}
	return pools, move, nil
}

// Next makes a pool ready just before the next game begins. If it was won, the
// whole secondary opens the next primary, the operator puts up the reset value, and
// one more lot is added of what waits. A pool is never below its reset value: if
// the rulebook has raised it, the operator makes up the difference.
//
// What the shares of a win left over is the players', and stays on top.
//
//rule:tas-keno-2023 7.4(f) 7.4(g) 7.7(d)
//rule:casino-keno-div2 5.6
func (t *Terms) Next(p Pool) (Pool, Movement, error) {
	s, err := t.size(p)
	if err != nil {
		return Pool{}, Movement{}, err
	}
	next, given := p, money.Amount(0)
	switch {
	case p.Won:
		next.Won = false
		if t.policy.SecondaryOpensNext {
			next.Primary, next.Secondary = next.Primary+next.Secondary, 0
		}
		next = t.addLot(next, t.lot())
		given = s.reset
	case p.Primary.Cents() < s.reset:
		given = s.reset - p.Primary.Cents()
	}
	next.Primary += mustExact(given)
	return next, movement(p, next, given, 0, 0), next.Check()
}
