package settle

import (
	"fmt"
	"math/bits"

	"drawhouse/ball"
	"drawhouse/money"
)

// PrizeOf returns what ways win in a game together, from the numbers drawn and the
// game's reductions alone. It is how a claim is held against the winners file: it
// shares the figures of [Terms] with the pass, but not its memory or its
// counting.
func PrizeOf(ways []Way, numbers ball.Set, terms *Terms, reductions []Reduction) (money.Amount, error) {
	var total money.Amount
	for i, w := range ways {
		j, err := terms.judge(w, numbers, reductions)
		if err != nil {
			return 0, fmt.Errorf("settle: way %d: %w", i+1, err)
		}
		if total, err = total.Add(j.prize); err != nil {
			return 0, fmt.Errorf("settle: way %d: %w", i+1, err)
		}
	}
	return total, nil
}

// judgement is how a way came by its prize. Amounts are in units but for the last.
type judgement struct {
	table    *table
	matched  int
	schedule uint64 // by the table
	capped   uint64 // by the cap on a way
	// reduced is what pro-rating left, rounded down; by is nil if there was none.
	reduced uint64
	by      *Reduction
	held    bool // at the floor
	prize   money.Amount
}

// judge finds the prize of one way, step by step.
//
//rule:vic-keno-2015 20(a) 21(i) 24(b) 24(c)
//rule:casino-keno-div2 8.1 8.6 8.10A
func (t *Terms) judge(w Way, numbers ball.Set, reductions []Reduction) (judgement, error) {
	table, size := t.tables[w.Bet], w.Spots.Len()
	if table == nil || !table.Spots().Has(size) {
		return judgement{}, fmt.Errorf("%s has no prizes for %s on %d spots", t.schedule, w.Bet, size)
	}
	j := judgement{table: table, matched: w.Spots.Overlap(numbers)}
	hi, lo := bits.Mul64(uint64(w.Stake), table.prize(size, j.matched))
	if w.Stake <= 0 || hi != 0 || lo >= beyond {
		return judgement{}, fmt.Errorf("%w: a stake of %v", money.ErrOverflow, w.Stake)
	}
	j.schedule = lo
	j.capped = min(j.schedule, t.wayCap)
	j.reduced = j.capped
	for i := range reductions {
		r := &reductions[i]
		if r.Limit < 0 || r.Limit >= len(t.limits) || r.Num >= r.Den {
			return judgement{}, fmt.Errorf("reduction %+v is none of these terms", *r)
		}
		if r.Limit == table.limit && j.capped >= table.major {
			j.by = r
			j.reduced, j.held = t.limits[r.Limit].reduce(j.capped, *r)
		}
	}
	j.prize = money.Amount(t.round(j.reduced))
	return j, nil
}
