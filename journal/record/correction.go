package record

import (
	"errors"
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/money"
)

// ResultCorrected says that the numbers of a settled game were entered wrongly, and
// which were drawn. The settlement of that revision follows it at once and states the
// whole anew: its winners file has every winner, and those before it count no more.
// The numbers as they were entered stay in the journal.
type ResultCorrected struct {
	_        struct{} `cbor:",toarray"`
	Game     Game
	Revision uint8   `most:"100"` // number of the settlement that follows
	Numbers  []uint8 // the numbers that were drawn, in their order
	Reason   string
	Clause   string // of the rulebook
	Approval uint32 // number of the approval by a second person
	// OverpaidCents is what was paid on results of the game beyond what its tickets have
	// won by these numbers. Players keep it, and the operator bears it.
	OverpaidCents money.Amount
	// ToppedCents is what the operator adds to jackpots because winners by these numbers
	// are owed more of them than is there: others have won them since.
	ToppedCents money.Amount
	// Earned is what was paid in later games beyond what their tickets had won, and is won now that
	// winners there share more of a jackpot: the operator no longer bears it. By the order of the games.
	Earned []Earned `later:"true"`
	// Day is the Keno Day on which it is recorded what was won by these numbers, here and in later games that are
	// settled again: the time for prizes runs from it. A correction without it left that time as it was.
	Day day.Day `later:"true"`
}

// Earned is what was paid in a game beyond what its tickets had won, and is won now.
type Earned struct {
	_     struct{} `cbor:",toarray"`
	Game  Game
	Cents money.Amount // what was paid in the game beyond what its tickets had won, and is won now
}

func (e *Earned) check() error {
	if e.Cents <= 0 {
		return fmt.Errorf("%v is won now of what was overpaid in game %v", e.Cents, e.Game)
	}
	return nil
}

// MostReason is the longest reason of a correction or about a claim, in bytes, and the
// longest reference of a payment.
const MostReason = 1000

func (r *ResultCorrected) check() error {
	if r.Revision < 2 || r.Reason == "" || len(r.Reason) > MostReason || r.Approval == 0 || r.OverpaidCents < 0 ||
		r.ToppedCents < 0 {
		return errors.New("a correction needs a revision after the first, a reason and an approval, and takes nothing back")
	}
	var seen [256]bool
	for _, n := range r.Numbers {
		if n == 0 || seen[n] {
			return fmt.Errorf("number %d", n)
		}
		seen[n] = true
	}
	if len(r.Numbers) == 0 {
		return errors.New("no numbers")
	}
	return nil
}
