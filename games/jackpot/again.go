package jackpot

import (
	"fmt"
	"slices"

	"drawhouse/core/money"
)

// Again is what winners share of a jackpot whose pool turns out to have been another when
// their game was drawn.
type Again struct {
	Awards []Award // of all sizes of the game
	// Left is how much more stays in the pool because shares are rounded down.
	Left money.Amount
	// Borne is how much more the operator bears of what winners keep.
	Borne money.Amount
}

// ShareAgain shares the pool of one size again: it was larger by some amount, or with a
// negative amount smaller, because the result of an earlier game was corrected. Winners
// are owed their shares of the right pool. Nobody gets less than before: what the right
// pool does not give, its winners keep as a part of its own.
//
//rule:casino-keno-div2 5.10 5.14 11.1
func ShareAgain(awards []Award, spots uint8, winners []Winner, by money.Amount) (Again, error) {
	at := slices.IndexFunc(awards, func(a Award) bool { return a.Spots == spots && a.Part == PartPool })
	if at < 0 {
		return Again{}, fmt.Errorf("jackpot: nobody has shared the pool of %d spots", spots)
	}
	again := Again{Awards: slices.Clone(awards)}
	pool := &again.Awards[at]
	keeps := Award{Spots: spots, Part: PartKept, Stakes: pool.Stakes}
	kept := keeps
	if i := slices.IndexFunc(again.Awards, func(a Award) bool { return a.Spots == spots && a.Part == PartKept }); i >= 0 {
		kept = again.Awards[i]
		again.Awards = slices.Delete(again.Awards, i, i+1)
		pool = &again.Awards[slices.Index(again.Awards, awards[at])]
	}
	was := *pool
	var err error
	if pool.Amount, err = pool.Amount.Add(by); err != nil || pool.Amount < 0 {
		return Again{}, fmt.Errorf("jackpot: of a pool of %v for %d spots, %v is another: %w", was.Amount, spots, by,
			money.ErrOverflow)
	}
	for _, w := range winners {
		lacking, err := lackingOf(w, was, kept, *pool)
		if err != nil {
			return Again{}, err
		}
		keeps.Amount = max(keeps.Amount, lacking)
	}
	if again.Left, err = residueBy(was, *pool, winners); err != nil {
		return Again{}, err
	}
	before, err := kept.paid(winners)
	if err != nil {
		return Again{}, err
	}
	if again.Borne, err = keeps.paid(winners); err != nil {
		return Again{}, err
	}
	again.Borne -= before
	if keeps.Amount > 0 {
		again.Awards = append(again.Awards, keeps)
	}
	return again, nil
}

// lackingOf returns how much winners must keep beside the right pool so that one of them
// gets no less than before.
func lackingOf(w Winner, was, kept, right Award) (money.Amount, error) {
	var shares [3]money.Amount
	for i, a := range []Award{was, kept, right} {
		var err error
		if shares[i], err = a.Share(w); err != nil {
			return 0, err
		}
	}
	return money.MulDiv(max(shares[0]+shares[1]-shares[2], 0), right.Stakes.Cents(), w.Stake.Cents(), money.Ceil)
}

// residueBy returns by how much more is left of a pool than of another, shares rounded down.
func residueBy(was, is Award, winners []Winner) (money.Amount, error) {
	before, err := was.paid(winners)
	if err != nil {
		return 0, err
	}
	now, err := is.paid(winners)
	return (is.Amount - now) - (was.Amount - before), err
}
