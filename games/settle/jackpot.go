package settle

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
)

// Pots are what the jackpots of a game hold at its draw, with what its own stakes
// have added. A game in which a way plays for a jackpot needs the pool of it.
type Pots struct {
	Pools []jackpot.Pool
	// Pooled says that the primaries are shared with other jurisdictions that have
	// not reported yet. Only what is shared here alone is awarded then; the rest is
	// owed in addition once it is known, see [Terms.Payable].
	Pooled bool
	// Elsewhere is what the others have reported of this draw, by the number of
	// spots, if they have.
	Elsewhere map[uint8]jackpot.Elsewhere
}

// JackpotWin is a way that has won a jackpot.
type JackpotWin struct {
	Ticket record.Place
	Way    int // index of the way on its ticket
	Spots  uint8
	Winner jackpot.Winner
	// Schedule is the schedule's part of the prize: multiplied, within the cap on a
	// way, reduced with the other major prizes, and rounded down to the cent. It is
	// nothing where the jackpot is paid instead.
	Schedule money.Amount
}

// Payable returns the whole prize of a way that has won a jackpot with some awards,
// rounded. When a further part is awarded later, what is owed for it is the
// difference of two of these and not a rounded part: rounding is once.
//
//rule:vic-keno-2015 21(i)
func (t *Terms) Payable(w JackpotWin, awards []jackpot.Award) (money.Amount, error) {
	share, err := jackpot.ShareOf(awards, int(w.Spots), w.Winner)
	if err != nil {
		return 0, err
	}
	prize, err := w.Schedule.Add(share)
	if err == nil && prize < 0 {
		err = money.ErrOverflow
	}
	if err != nil {
		return 0, fmt.Errorf("settle: a prize of %v and a share of %v: %w", w.Schedule, share, err)
	}
	return prize - prize%money.Amount(t.step), nil
}

// checkPots refuses pools that the terms do not have.
func (t *Terms) checkPots(pots Pots) error {
	for i, p := range pots.Pools {
		switch {
		case t.jackpots == nil || !slices.Contains(t.jackpots.Spots(), int(p.Spots)):
			return fmt.Errorf("%s has no jackpot of %d spots", t.schedule, p.Spots)
		case slices.ContainsFunc(pots.Pools[:i], func(q jackpot.Pool) bool { return q.Spots == p.Spots }):
			return fmt.Errorf("the jackpot of %d spots has two pools", p.Spots)
		}
		if err := p.Check(); err != nil {
			return err
		}
	}
	return nil
}

// pool returns the pool of a size.
func (p Pots) pool(spots int) (jackpot.Pool, bool) {
	i := slices.IndexFunc(p.Pools, func(q jackpot.Pool) bool { return int(q.Spots) == spots })
	if i < 0 {
		return jackpot.Pool{}, false
	}
	return p.Pools[i], true
}

// judgeJackpot finds out whether the ways of a row play for a jackpot. A total
// catch is then none of the catches that are settled as they are found.
//
//rule:casino-keno-div2 5.8 5.12 8.10
func (p *pass) judgeJackpot(r *row, table *table, j *judged) {
	if p.terms.jackpots == nil || !p.terms.jackpots.Enters(r.bet, r.size) || r.size > drawn {
		return
	}
	if _, ok := p.pots.pool(r.size); !ok {
		j.rate, j.unpooled = nil, true
		return
	}
	j.total, j.prize = r.size, table.units(table.Prize(r.size, r.size))
	j.wins = slices.DeleteFunc(j.wins, func(c catch) bool { return c.matched == r.size })
}

// totalCatch is a way that has won a jackpot.
type totalCatch struct {
	place   uint64
	way     int
	spots   uint8
	counted bool // the way is already counted among those that win
	winner  jackpot.Winner
	units   uint64 // the schedule's part
}

// totalCatches sets aside the ways of a column that have won a jackpot, until all
// are known who share it. lucky are those that win by the last number too. The
// schedule's part may be a major prize; the parts of the jackpot are not counted
// for that.
//
//rule:vic-keno-2015 15(c)(i) 2(a).major-prize
//rule:tas-keno-2023 7.3
//rule:casino-keno-div2 5.11 8.6
func (p *pass) totalCatches(page *page, c *filled, hits, lucky lanes) {
	row, ways := &p.rows[c.row], c.column
	for ; hits != 0; hits &= hits - 1 {
		lane := bits.TrailingZeros64(hits)
		ticket := ways.ticket[lane]
		if !p.in.has(ticket) {
			continue
		}
		t := totalCatch{
			place: page.place(int(ticket)), way: c.numbering.of(lane), spots: uint8(row.total),
			counted: lucky>>lane&1 != 0,
			winner: jackpot.Winner{Stake: money.Amount(ways.stake[lane]),
				Bonus: p.multiplied(page, c.side, lane, ticket)},
		}
		if !p.terms.jackpots.Substitutes() {
			t.units = min(uint64(ways.stake[lane])*row.prize*p.times(page, c.side, lane, ticket), p.terms.wayCap)
		}
		if t.units > 0 && t.units >= row.major {
			p.majors[row.limit] = append(p.majors[row.limit], major{t.place, t.units, none, len(p.totals), t.counted})
		} else {
			p.exact += t.units
		}
		p.totals = append(p.totals, t)
		p.won.add(ticket)
	}
}

// settleJackpots shares the jackpots among the ways that have won them, and pays
// these their prizes: the schedule's part and the shares together, rounded once.
//
//rule:vic-keno-2015 15(c)(i) 15(c)(ii) 15(c)(iii) 21(a) 21(i)
//rule:tas-keno-2023 7.3
//rule:casino-keno-div2 5.11
func (p *pass) settleJackpots(out *Outcome) error {
	slices.SortFunc(p.totals, func(a, b totalCatch) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.way, b.way))
	})
	awards, err := p.awardJackpots(out)
	if err != nil {
		return err
	}
	for i := range p.totals {
		t := &p.totals[i]
		share, err := jackpot.ShareOf(awards, int(t.spots), t.winner)
		if err != nil {
			return err
		}
		out.Jackpots += share
		out.JackpotWins = append(out.JackpotWins,
			JackpotWin{placeOf(t.place), t.way, t.spots, t.winner, p.terms.cents(t.units)})
		shared := p.terms.inUnits(share)
		p.exact += shared
		cents := p.terms.round(t.units + shared)
		if cents == 0 {
			p.empty = true
			continue
		}
		if !t.counted {
			p.winning++
		}
		p.winners.find(t.place).cents += cents
		p.paid += cents
	}
	return nil
}

// awardJackpots finds the awards of every jackpot that was won.
func (p *pass) awardJackpots(out *Outcome) (awards []jackpot.Award, err error) {
	bound := money.Amount(0)
	for spots := range drawn + 1 {
		var winners []jackpot.Winner
		for _, t := range p.totals {
			if int(t.spots) == spots {
				winners = append(winners, t.winner)
			}
		}
		pool, ok := p.pots.pool(spots)
		if winners == nil && (!ok || p.pots.Pooled || p.pots.Elsewhere[pool.Spots].Stakes == 0) {
			continue
		}
		won, err := p.win(pool, winners, out.Factor)
		if err != nil {
			return nil, err
		}
		for _, a := range won.Awards {
			if bound, err = bound.Add(a.Amount); err != nil {
				return nil, err
			}
		}
		out.Won = append(out.Won, won)
		awards = append(awards, won.Awards...)
	}
	return awards, p.terms.checkAwards(out.Stakes, bound)
}

// win returns what the winning ways of a size share now.
func (p *pass) win(pool jackpot.Pool, winners []jackpot.Winner, factor int) (jackpot.Won, error) {
	if p.pots.Pooled {
		return p.terms.jackpots.Fixed(pool, winners, factor)
	}
	return p.terms.jackpots.Win(pool, winners, factor, p.pots.Elsewhere[pool.Spots])
}

// checkAwards refuses awards with which the sum of the prizes of a game might not
// fit, see checkBounds.
func (t *Terms) checkAwards(stakes, awards money.Amount) error {
	_, prizes := bits.Mul64(uint64(stakes), t.highest)
	if shared := t.inUnits(awards); shared == beyond || prizes+shared >= beyond {
		return fmt.Errorf("%w: jackpots of %v are beyond exact settlement", money.ErrOverflow, awards)
	}
	return nil
}
