package evaluate

import (
	"slices"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
)

// poolLine is what a line says of a jackpot before a game.
type poolLine struct {
	pool      jackpot.Pool
	elsewhere jackpot.Elsewhere
}

// poolFields are the fields of a pool. Balances are whole cents, and parts are
// ten-thousandths of a cent beside them.
var poolFields = []string{
	"spots",
	"primary_cents", "primary_parts", "secondary_cents", "secondary_parts",
	"owed_cents", "owed_parts", "seeded_cents", "seeded_parts",
	"elsewhere_growth_cents", "elsewhere_stakes_cents",
}

const (
	// partsOfCent is how many parts a cent has.
	partsOfCent = 10_000
	// maxCents bounds amounts of pools; it is below what a pool can hold.
	maxCents = 100_000_000_000_000
)

// pool reads a pool. Whether there is such a jackpot is the rulebook's to say.
func (s *scanner) pool() (l poolLine, r *refusal.Refusal) {
	p, spots := &l.pool, 0
	balances := []*jackpot.Exact{&p.Primary, &p.Secondary, &p.Owed, &p.Seeded}
	r = s.object(poolFields, func(i int) (r *refusal.Refusal) {
		switch k := i - 1; {
		case k < 0:
			spots, r = s.number(1, maxSpots)
		case k < 2*len(balances) && k%2 == 0:
			var cents int
			cents, r = s.number(0, maxCents)
			*balances[k/2] += jackpot.Exact(cents) * partsOfCent
		case k < 2*len(balances):
			var parts int
			parts, r = s.number(0, partsOfCent-1)
			*balances[k/2] += jackpot.Exact(parts)
		default:
			var cents int
			cents, r = s.number(0, maxCents)
			into := []*money.Amount{&l.elsewhere.Growth, &l.elsewhere.Stakes}[k-2*len(balances)]
			*into = money.Amount(cents)
		}
		return r
	})
	p.Series, p.Spots = 1, uint8(spots)
	if r == nil && spots == 0 {
		r = refuse(keno.FieldMissing, "", "spots", "The pool does not say of how many spots it is.")
	}
	return l, r
}

// maxSpots bounds the spots of a jackpot, which are all drawn.
const maxSpots = 20

// pools are the jackpots of a file.
type pools struct {
	terms *jackpot.Terms // nil: the rulebook has none
	// now are the pools of the next game, ascending by size, and given the lines on
	// which the file states them for it. elsewhere is of the next game only.
	now       []jackpot.Pool
	given     map[uint8]int
	elsewhere map[uint8]jackpot.Elsewhere
}

// find returns the pool of a size, or nil.
func (p *pools) find(spots int) *jackpot.Pool {
	i := slices.IndexFunc(p.now, func(q jackpot.Pool) bool { return int(q.Spots) == spots })
	if i < 0 {
		return nil
	}
	return &p.now[i]
}

// pool takes what a line says of a jackpot.
func (r *Run) pool(l *poolLine) *refusal.Refusal {
	if refused := r.checkPool(l); refused != nil {
		return refused.Below("pool")
	}
	p := &r.pools
	if old := p.find(int(l.pool.Spots)); old != nil {
		*old = l.pool
	} else {
		p.now = append(p.now, l.pool)
		slices.SortFunc(p.now, func(a, b jackpot.Pool) int { return int(a.Spots) - int(b.Spots) })
	}
	p.given[l.pool.Spots] = r.lines
	p.elsewhere[l.pool.Spots] = l.elsewhere
	return nil
}

// checkPool refuses a pool that there is not, or not here.
func (r *Run) checkPool(l *poolLine) *refusal.Refusal {
	p := &r.pools
	if p.terms == nil {
		return refuse(PoolUnknown, "", "", "%s has no jackpots.", r.book.ID())
	}
	before, again := p.given[l.pool.Spots]
	switch clause := p.terms.Clause(); {
	case !slices.Contains(p.terms.Spots(), int(l.pool.Spots)):
		return refuse(PoolUnknown, clause, "spots", "There is no jackpot of %d spots.", l.pool.Spots)
	case again:
		return refuse(PoolRepeated, "", "", "Line %d has said what this jackpot holds.", before)
	case r.waiting.count > 0:
		return refuse(PoolOrder, "", "", "The jackpots of a game stand before its tickets.")
	case !p.terms.Pooled() && l.elsewhere != (jackpot.Elsewhere{}):
		return refuse(jackpot.NotPooled, clause, "elsewhere_growth_cents",
			"These jackpots are not shared with other jurisdictions.")
	}
	if err := l.pool.Check(); err != nil {
		return refuse(keno.FieldValue, "", "", "No pool can be like that: %v.", err)
	}
	if _, err := p.terms.Rate(l.pool); err != nil {
		return refuse(keno.FieldValue, p.terms.Clause(), "", "No pool can be like that: %v.", err)
	}
	return nil
}

// checkPools refuses a bet that plays for a jackpot of which nothing is known: what
// it wins would be a guess.
func (r *Run) checkPools(t *keno.Ticket, price *keno.Price) *refusal.Refusal {
	for i := range t.Bets {
		if !price.Bets[i].Jackpot {
			continue
		}
		bet := &t.Bets[i]
		for way := range r.desk.Ways(bet, 0) {
			if size := way.Spots.Len(); r.pools.terms.Enters(bet.Bet, size) && r.pools.find(size) == nil {
				return refuse(PoolMissing, r.pools.terms.Clause(),
					"ticket.bets"+element(i)+"."+shapeFields[bet.Shape()],
					"A way plays for the jackpot of %d spots, and no line has said what that holds.", size)
			}
		}
	}
	return nil
}

// contribute divides the stakes of a game that has closed, and returns what its
// jackpots hold at the draw.
func (p *pools) contribute(stakes []settle.SpotStakes) (settle.Pots, error) {
	for _, s := range stakes {
		pool := p.find(int(s.Spots))
		if pool == nil {
			continue
		}
		rate, err := p.terms.Rate(*pool)
		if err != nil {
			return settle.Pots{}, err
		}
		if *pool, _, _, err = jackpot.Contribute(*pool, s.Stakes, rate); err != nil {
			return settle.Pots{}, err
		}
	}
	return settle.Pots{Pools: slices.Clone(p.now), Elsewhere: p.elsewhere}, nil
}

// next makes the pools ready for the next game.
func (p *pools) next(won []jackpot.Won) error {
	for _, w := range won {
		*p.find(int(w.Before.Spots)) = w.After
	}
	for i := range p.now {
		var err error
		if p.now[i], _, err = p.terms.Next(p.now[i]); err != nil {
			return err
		}
	}
	p.elsewhere = map[uint8]jackpot.Elsewhere{}
	return nil
}
