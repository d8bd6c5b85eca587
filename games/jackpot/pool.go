package jackpot

import (
	"errors"
	"fmt"

	"drawhouse/core/money"
)

// ErrWon reports a pool that was won and not made ready for the next game.
var ErrWon = errors.New("jackpot: the pool was won and is not ready for another game")

// Pool is the jackpot of one size in one series of games. It is a plain value: two
// pools are the same if they are equal.
//
// Pools of different sizes and series are separate; a ticket takes part in the
// pools of its own series only.
//
//rule:casino-keno-div2 5.2
//rule:tas-keno-2023 7.2
type Pool struct {
	Series, Spots uint8
	// Won says that the primary was won and Terms.Next has not followed.
	Won bool
	// Primary is what the next winner takes: growth, a primary prize, or all of the
	// pool. A fill is not in it: it belongs to the schedule until it is won.
	Primary Exact
	// Secondary grows beside the primary and opens the next one.
	Secondary Exact
	// Owed is what the operator lent and has not got back. Seeded is the part of it
	// that is still in the primary; the rest was won by somebody.
	Owed, Seeded Exact
	// Waiting is money of a system that was closed, which is added in lots.
	Waiting Exact
	// Aside is set aside from the secondary for prizes of this jackpot.
	Aside Exact
}

// Check reports a pool that cannot be.
func (p Pool) Check() error {
	for _, balance := range []Exact{p.Primary, p.Secondary, p.Owed, p.Seeded, p.Waiting, p.Aside} {
		if balance < 0 || balance > most {
			return fmt.Errorf("jackpot: %w: the pool of %d spots holds %d parts of a cent", money.ErrOverflow, p.Spots,
				balance)
		}
	}
	if p.Seeded > p.Owed || p.Seeded > p.Primary {
		return fmt.Errorf("jackpot: of %v owed and %v in the pool, %v cannot be seed", p.Owed, p.Primary, p.Seeded)
	}
	return nil
}

// ready reports whether a game can be played for the pool.
func (p Pool) ready() error {
	if p.Won {
		return fmt.Errorf("%w: %d spots", ErrWon, p.Spots)
	}
	return p.Check()
}

// Movement is what an operation does to the books, in whole cents: what comes to an
// account is positive, and all of it adds up to zero.
//
// A balance stands in the books rounded down, so that the fractions of a cent
// which pools carry are in the prize fund until they make a whole one.
type Movement struct {
	Fund      money.Amount // prize fund, where contributions, fills and bonus jackpots come from
	Operator  money.Amount // the operator's own money: seeds, repayments and reset values
	Primary   money.Amount
	Secondary money.Amount
	Waiting   money.Amount
	Aside     money.Amount
	Winners   money.Amount // prizes of winners here
	Elsewhere money.Amount // what goes to other jurisdictions; negative if they owe us
}

// movement returns what happened between two states of a pool. What the operator
// was repaid follows from the debt, which is rounded up: nothing is repaid before
// it is a whole cent. given is what the operator gave besides. The prize fund is
// the other side of everything.
func movement(before, after Pool, given, winners, elsewhere money.Amount) Movement {
	m := Movement{
		Operator:  before.Owed.ceil() - after.Owed.ceil() - given,
		Primary:   after.Primary.Cents() - before.Primary.Cents(),
		Secondary: after.Secondary.Cents() - before.Secondary.Cents(),
		Waiting:   after.Waiting.Cents() - before.Waiting.Cents(),
		Aside:     after.Aside.Cents() - before.Aside.Cents(),
		Winners:   winners,
		Elsewhere: elsewhere,
	}
	m.Fund = -(m.Operator + m.Primary + m.Secondary + m.Waiting + m.Aside + m.Winners + m.Elsewhere)
	return m
}

// plus returns two movements as one.
func (m Movement) plus(n Movement) Movement {
	return Movement{
		Fund: m.Fund + n.Fund, Operator: m.Operator + n.Operator,
		Primary: m.Primary + n.Primary, Secondary: m.Secondary + n.Secondary,
		Waiting: m.Waiting + n.Waiting, Aside: m.Aside + n.Aside,
		Winners: m.Winners + n.Winners, Elsewhere: m.Elsewhere + n.Elsewhere,
	}
}
