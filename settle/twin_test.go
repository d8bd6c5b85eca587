package settle

import (
	"cmp"
	"math/big"
	"slices"

	"drawhouse/ball"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
)

// slowRules is a rulebook as far as settlement reads it.
type slowRules struct {
	schedule  *rulebook.Schedule
	prorating []rulebook.Prorating
	wayCap    *big.Rat // nil: none
	step      money.Amount
}

func rulesOf(book *rulebook.Book, schedule string) *slowRules {
	s, _ := book.Schedule(schedule)
	step, _, _ := book.Rounding()
	r := &slowRules{schedule: s, prorating: book.Prorating(), step: step}
	if way, ok := s.WayCap(); ok {
		r.wayCap = rat(way)
	}
	return r
}

// rat returns an amount in cents as a rational number.
func rat(a money.Amount) *big.Rat { return big.NewRat(a.Cents(), 1) }

// slowWay is a way in a game and its prize as far as it is found.
type slowWay struct {
	ticket record.Place
	bet    string
	prize  *big.Rat // cents
	paid   money.Amount
}

// slowOutcome is what the twin finds.
type slowOutcome struct {
	totals              Totals
	winningWays         uint64
	prizes, breakage    money.Amount
	majors, majorsAfter money.Amount
	winners             map[record.Place]money.Amount
}

// settle is the slow, readable twin of Pass: the rules, one after the other, for
// one way after the other.
func (r *slowRules) settle(plays []Play, ordinal uint32, numbers ball.Set) slowOutcome {
	out := slowOutcome{winners: map[record.Place]money.Amount{}}
	var ways []*slowWay
	for _, p := range plays {
		if ordinal < p.First || ordinal > p.Last {
			continue
		}
		out.totals.Plays++
		for _, w := range p.Ways {
			out.totals.Ways++
			out.totals.Stakes += w.Stake
			ways = append(ways, &slowWay{ticket: p.Ticket, bet: w.Bet, prize: r.schedulePrize(w, numbers)})
		}
	}
	before, after := new(big.Rat), new(big.Rat)
	for _, p := range r.prorating {
		majors := r.majors(ways, p)
		before.Add(before, sumOf(majors))
		if p.Cap != nil && sumOf(majors).Cmp(rat(p.Cap.Amount())) > 0 {
			slowReduce(majors, p)
		}
		after.Add(after, sumOf(majors))
	}
	out.majors, out.majorsAfter = slowFloor(before, 1), slowFloor(after, 1)
	for _, w := range ways {
		if w.paid = slowFloor(w.prize, r.step); w.paid > 0 {
			out.winningWays++
			out.winners[w.ticket] += w.paid
			out.prizes += w.paid
		}
	}
	out.breakage = slowFloor(sumOf(ways), 1) - out.prizes
	return out
}

// schedulePrize is the stake times the prize of the table, within the cap on a way.
func (r *slowRules) schedulePrize(w Way, numbers ball.Set) *big.Rat {
	matched := 0
	for n := 1; n <= 80; n++ {
		if w.Spots.Has(n) && numbers.Has(n) {
			matched++
		}
	}
	table, _ := r.schedule.Catch(w.Bet)
	prize := rat(table.Prize(w.Spots.Len(), matched))
	prize.Mul(prize, rat(w.Stake))
	prize.Quo(prize, rat(table.Per()))
	if r.wayCap != nil && prize.Cmp(r.wayCap) > 0 {
		prize.Set(r.wayCap)
	}
	return prize
}

// majors returns the ways whose prizes are major. Without a cap nothing is counted.
func (r *slowRules) majors(ways []*slowWay, p rulebook.Prorating) (majors []*slowWay) {
	for _, w := range ways {
		switch {
		case p.Cap == nil, w.prize.Sign() == 0, p.Bets != nil && !slices.Contains(p.Bets, w.bet):
		case p.MajorOver != nil && w.prize.Cmp(rat(p.MajorOver.Amount())) > 0,
			p.MajorFrom != nil && w.prize.Cmp(rat(p.MajorFrom.Amount())) >= 0:
			majors = append(majors, w)
		}
	}
	return majors
}

// slowReduce brings major prizes down to the cap.
func slowReduce(majors []*slowWay, p rulebook.Prorating) {
	factor := new(big.Rat)
	if p.Method == rulebook.ProrateFormula {
		factor.Quo(rat(p.Cap.Amount()), sumOf(majors))
	} else {
		factor = slowLevel(majors, rat(p.Cap.Amount()), rat(p.Floor.Amount()))
	}
	for _, w := range majors {
		w.prize = slowReduced(w.prize, factor, rat(p.Floor.Amount()))
	}
}

// slowReduced is the prize times the factor, but not less than the floor, and not
// more than it was.
func slowReduced(prize, factor, floor *big.Rat) *big.Rat {
	reduced := new(big.Rat).Mul(prize, factor)
	if reduced.Cmp(floor) < 0 {
		reduced.Set(floor)
	}
	if reduced.Cmp(prize) > 0 {
		reduced.Set(prize)
	}
	return reduced
}

// slowLevel tries for every prize the factor that brings exactly this one down to
// the floor. The payout rises with the factor, so that the factor looked for lies
// between two neighbours of these, where the payout is a straight line.
func slowLevel(majors []*slowWay, limit, floor *big.Rat) *big.Rat {
	payout := func(factor *big.Rat) *big.Rat {
		sum := new(big.Rat)
		for _, w := range majors {
			sum.Add(sum, slowReduced(w.prize, factor, floor))
		}
		return sum
	}
	knots := []*big.Rat{new(big.Rat), big.NewRat(1, 1)}
	for _, w := range majors {
		if knot := new(big.Rat).Quo(floor, w.prize); knot.Cmp(knots[1]) < 0 {
			knots = append(knots, knot)
		}
	}
	slices.SortFunc(knots, func(a, b *big.Rat) int { return a.Cmp(b) })
	if payout(knots[0]).Cmp(limit) >= 0 {
		return knots[0]
	}
	k, _ := slices.BinarySearchFunc(knots, limit, func(knot, limit *big.Rat) int { return payout(knot).Cmp(limit) })
	low, high := knots[k-1], knots[k]
	// low + (high - low) x (limit - payout(low)) / (payout(high) - payout(low))
	factor := new(big.Rat).Sub(limit, payout(low))
	factor.Quo(factor, new(big.Rat).Sub(payout(high), payout(low)))
	factor.Mul(factor, new(big.Rat).Sub(high, low))
	return factor.Add(factor, low)
}

func sumOf(ways []*slowWay) *big.Rat {
	sum := new(big.Rat)
	for _, w := range ways {
		sum.Add(sum, w.prize)
	}
	return sum
}

// slowFloor rounds a number of cents down to a multiple of step.
func slowFloor(x *big.Rat, step money.Amount) money.Amount {
	steps := new(big.Rat).Quo(x, rat(step))
	return money.Amount(new(big.Int).Quo(steps.Num(), steps.Denom()).Int64()) * step
}

// sortedPlaces returns the winners in the order of their places.
func (o slowOutcome) sortedPlaces() []record.Place {
	var places []record.Place
	for place := range o.winners {
		places = append(places, place)
	}
	slices.SortFunc(places, func(a, b record.Place) int {
		return cmp.Or(cmp.Compare(a.Volume, b.Volume), cmp.Compare(a.Seq, b.Seq))
	})
	return places
}
