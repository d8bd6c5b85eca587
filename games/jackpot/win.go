package jackpot

import (
	"fmt"

	"drawhouse/core/money"
)

// Won is what a draw did to a pool: the awards, the pool before and after, and
// what moved in the books. Without awards nothing was won.
type Won struct {
	Awards        []Award
	Before, After Pool
	Move          Movement
}

// Share returns what a winning way gets of all awards.
func (w Won) Share(winner Winner) (money.Amount, error) {
	return ShareOf(w.Awards, int(w.Before.Spots), winner)
}

// ShareOf returns what a winning way of a size gets of the awards of a game. It is
// how a claim finds the jackpot part of a prize again, from the record alone.
func ShareOf(awards []Award, spots int, winner Winner) (money.Amount, error) {
	var sum money.Amount
	for _, a := range awards {
		if int(a.Spots) != spots {
			continue
		}
		share, err := a.Share(winner)
		if err != nil {
			return 0, err
		}
		if sum, err = sum.Add(share); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// Apply does to a later state of the pool what the draw did to the one it was
// drawn for. Between the two there may be contributions of further games: in a
// pooled jackpot others report late. Draws are applied in their order, to the pool
// and to what is kept of it for later draws, and Terms.Next follows on each.
func (w Won) Apply(later Pool) (Pool, error) {
	if later.Series != w.Before.Series || later.Spots != w.Before.Spots {
		return Pool{}, fmt.Errorf("jackpot: a win on %d spots of series %d is none on %d of %d",
			w.Before.Spots, w.Before.Series, later.Spots, later.Series)
	}
	later.Primary += w.After.Primary - w.Before.Primary
	later.Seeded = max(0, later.Seeded+w.After.Seeded-w.Before.Seeded)
	later.Aside += w.After.Aside - w.Before.Aside
	later.Won = later.Won || w.After.Won
	return later, later.Check()
}

// Win returns what the winning ways of a draw share: the fixed parts and the pool.
// There may be none. multiplier is the draw's, or 0 where there is none.
//
// The secondary is no part of it. A seed in the pool is won with the rest, and the
// operator is still owed it.
//
//rule:vic-keno-2015 2(a).jackpot 15(c)(ii) 15(c)(iii) 21(a)
//rule:tas-keno-2023 7.4(h) 18.4
//rule:casino-keno-div2 5.10 5.14
func (t *Terms) Win(p Pool, winners []Winner, multiplier int, elsewhere Elsewhere) (Won, error) {
	fixed, err := t.Fixed(p, winners, multiplier)
	if err != nil {
		return Won{}, err
	}
	growth, err := t.Growth(p, winners, elsewhere)
	if err != nil {
		return Won{}, err
	}
	after, err := growth.Apply(fixed.After)
	return Won{
		Awards: append(growth.Awards, fixed.Awards...),
		Before: p, After: after, Move: growth.Move.plus(fixed.Move),
	}, err
}

// Fixed returns what the winning ways here share whatever happens elsewhere: the
// fill, and the bonus jackpot prize if the multiplier is high enough. Neither
// rises with the stake. What is left of the fill stays in the pool; what is left of
// a bonus jackpot prize stays in the prize fund, where it came from.
//
//rule:vic-keno-2015 15(b) 15(c)(ii) 24(d) 24(e) 24(f) 24(g) 2(a).keno-bonus(b) 2(a).keno-bonus-jackpot-prize
func (t *Terms) Fixed(p Pool, winners []Winner, multiplier int) (Won, error) {
	s, err := t.size(p)
	if err != nil {
		return Won{}, err
	}
	won := Won{Before: p, After: p}
	fill, err := won.award(PartFill, s.fill, winners, everyone)
	if err != nil {
		return Won{}, err
	}
	if won.has(PartFill) {
		won.After.Primary += mustExact(s.fill - fill)
	}
	var bonus money.Amount
	if t.policy.BonusFrom > 0 && multiplier >= t.policy.BonusFrom {
		if bonus, err = won.award(PartBonus, s.bonus, winners, withBonus); err != nil {
			return Won{}, err
		}
	}
	won.Move = movement(p, won.After, 0, fill+bonus, 0)
	return won, won.After.Check()
}

// award adds an award for some of the winning ways here and returns what they get
// of it. Without an amount or without winners there is none.
func (w *Won) award(part Part, amount money.Amount, winners []Winner, counts func(Winner) bool) (money.Amount, error) {
	stakes, err := stakesOf(winners, counts)
	if err != nil || stakes == 0 || amount == 0 {
		return 0, err
	}
	a := Award{Spots: w.Before.Spots, Part: part, Amount: amount, Stakes: stakes}
	w.Awards = append(w.Awards, a)
	return a.paid(winners)
}

func (w *Won) has(part Part) bool {
	for _, a := range w.Awards {
		if a.Part == part {
			return true
		}
	}
	return false
}

// Growth returns what all winning ways everywhere share: the pool, and what other
// jurisdictions have paid in. A win elsewhere takes our pool too, and leaves our
// fill. p is the pool as it was when the game was drawn.
//
// Each jurisdiction gets its winners' part of the whole, rounded down. Of ours the
// winners get their shares and the pool the residue; what our pool paid in above
// our part goes to the others, or comes from them.
//
//rule:vic-keno-2015 21(l) 21(m) 24(d) 24(e) 24(f) 2(a).pooled-jackpot
//rule:tas-keno-2023 7.4(h) 18.4
//rule:casino-keno-div2 5.10
func (t *Terms) Growth(p Pool, winners []Winner, elsewhere Elsewhere) (Won, error) {
	if _, err := t.size(p); err != nil {
		return Won{}, err
	}
	if err := p.ready(); err != nil {
		return Won{}, err
	}
	if err := t.checkElsewhere(elsewhere); err != nil {
		return Won{}, err
	}
	won := Won{Before: p, After: p}
	ours, err := stakesOf(winners, everyone)
	if err != nil {
		return Won{}, err
	}
	all, err := ours.Add(elsewhere.Stakes)
	if err != nil || all == 0 {
		return won, err
	}
	whole, err := p.Primary.Cents().Add(elsewhere.Growth)
	if err != nil {
		return Won{}, err
	}
	a := Award{Spots: p.Spots, Part: PartPool, Amount: whole, Stakes: all}
	part, err := money.MulDiv(whole, ours.Cents(), all.Cents(), money.Floor)
	if err != nil {
		return Won{}, err
	}
	paid, err := a.paid(winners)
	if err != nil {
		return Won{}, err
	}
	won.Awards = []Award{a}
	won.After.Won, won.After.Seeded = true, 0
	won.After.Primary = Exact(p.Primary.Part()) + mustExact(part-paid)
	won.Move = movement(p, won.After, 0, paid, p.Primary.Cents()-part)
	return won, won.After.Check()
}
