package jackpot

import (
	"fmt"

	"drawhouse/core/money"
)

// Winner is a winning way: what was staked on it without features, and whether it
// plays the feature that brings the bonus jackpot.
type Winner struct {
	Stake money.Amount
	Bonus bool
}

// Part is a part of a jackpot prize.
type Part uint8

// The parts.
const (
	PartPool  Part = iota + 1 // the primary: growth, primary prize or pool
	PartFill                  // the schedule's fill, for winners here
	PartBonus                 // the schedule's bonus jackpot prize, for winners here with the feature
	PartAside                 // what was set aside for prizes of this jackpot
	PartKept                  // what winners keep of a pool that had less by a corrected result
)

var partNames = [...]string{PartPool: "pool", PartFill: "fill", PartBonus: "bonus", PartAside: "aside",
	PartKept: "kept"}

// String returns the part's name.
func (p Part) String() string {
	if p >= PartPool && p <= PartKept {
		return partNames[p]
	}
	return fmt.Sprintf("part %d", uint8(p))
}

// Award is an amount that is shared by stakes. Together with a winner's stake it
// is all that is needed to find a share again.
type Award struct {
	Spots  uint8
	Part   Part
	Amount money.Amount
	Stakes money.Amount // of all who share it, here and elsewhere
}

// Share returns what a winning way gets: in the proportion of its stake, whatever
// the stake, and rounded down to the cent. A sole winner gets all.
//
//rule:vic-keno-2015 15(b) 24(d) 24(e) 24(f) 24(g)
//rule:tas-keno-2023 18.4
//rule:casino-keno-div2 5.10 5.14
func (a Award) Share(w Winner) (money.Amount, error) {
	if a.Part == PartBonus && !w.Bonus {
		return 0, nil
	}
	if a.Amount < 0 || w.Stake <= 0 || w.Stake > a.Stakes {
		return 0, fmt.Errorf("jackpot: a stake of %v has no share in %v for stakes of %v", w.Stake, a.Amount, a.Stakes)
	}
	return money.MulDiv(a.Amount, w.Stake.Cents(), a.Stakes.Cents(), money.Floor)
}

// paid returns the shares of some winners together.
func (a Award) paid(winners []Winner) (money.Amount, error) {
	var sum money.Amount
	for _, w := range winners {
		share, err := a.Share(w)
		if err != nil {
			return 0, err
		}
		if sum, err = sum.Add(share); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// stakesOf returns what was staked on some winning ways.
func stakesOf(winners []Winner, counts func(Winner) bool) (money.Amount, error) {
	var sum money.Amount
	for i, w := range winners {
		if _, err := ExactOf(w.Stake); err != nil || w.Stake == 0 {
			return 0, fmt.Errorf("jackpot: winner %d: a stake of %v", i+1, w.Stake)
		}
		if !counts(w) {
			continue
		}
		var err error
		if sum, err = sum.Add(w.Stake); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

func everyone(Winner) bool    { return true }
func withBonus(w Winner) bool { return w.Bonus }
