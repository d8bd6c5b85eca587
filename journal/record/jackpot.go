package record

import (
	"fmt"

	"drawhouse/core/money"
)

// Exact is an amount in ten-thousandths of a cent: what jackpots are counted in, so
// that a percentage of stakes never has to be rounded.
type Exact int64

// Pool is the jackpot of one number of spots, as it stands after a record.
type Pool struct {
	_     struct{} `cbor:",toarray"`
	Spots uint8
	// What the next winner takes.
	Primary Exact
	// What opens the jackpot after the next winner.
	Secondary Exact
	// What the operator lent and has not got back.
	Owed Exact
	// The part of what the operator lent that is still in the primary.
	Seeded Exact
	// Money of a system that was closed, which waits to be added.
	Waiting Exact
	// What is set aside from the secondary for prizes of this jackpot.
	Aside Exact
}

func checkPools(pools []Pool) error {
	for i, p := range pools {
		if p.Spots == 0 || i > 0 && p.Spots <= pools[i-1].Spots {
			return fmt.Errorf("pool %d is of %d spots", i, p.Spots)
		}
		for _, balance := range []Exact{p.Primary, p.Secondary, p.Owed, p.Seeded, p.Waiting, p.Aside} {
			if balance < 0 {
				return fmt.Errorf("the pool of %d spots holds %d parts of a cent", p.Spots, balance)
			}
		}
	}
	return nil
}

// PoolOpened is a jackpot that begins. Its postings are what the operator puts in.
type PoolOpened struct {
	_      struct{} `cbor:",toarray"`
	Series uint8    `is:"series"`
	Pool   Pool     `within:"act"`
}

func (p *PoolOpened) check() error {
	return checkPools([]Pool{p.Pool})
}

// PoolRate is how the stakes of a game on one number of spots will be divided, in
// hundredths of a percent. It is fixed when the game opens, so that no sale can
// change what another contributes.
type PoolRate struct {
	_         struct{} `cbor:",toarray"`
	Spots     uint8
	Primary   uint16 // part of the stakes that goes to the primary, in hundredths of a percent
	Secondary uint16 // part of the stakes that goes to the secondary, in hundredths of a percent
	Seed      uint16 // part of the stakes that pays back what the operator lent, in hundredths of a percent
}

// Contribution is what the main stakes of a game on one number of spots did to the
// pool of that size: what the primary and the secondary got, and what was paid
// back of a seed.
type Contribution struct {
	_           struct{} `cbor:",toarray"`
	Spots       uint8
	StakesCents money.Amount // stakes on the number of spots
	Primary     Exact        // what goes to the primary
	Secondary   Exact        // what goes to the secondary
	Repaid      Exact        // what was paid back of what the operator lent
	// By how much less of the pool is what the operator lent.
	Unseeded Exact
}

func checkContributions(list []Contribution) error {
	for i, c := range list {
		if c.Spots == 0 || i > 0 && c.Spots <= list[i-1].Spots || c.StakesCents < 0 || c.Primary < 0 ||
			c.Secondary < 0 || c.Repaid < 0 || c.Unseeded < 0 {
			return fmt.Errorf("contribution %d: %v of %d spots", i, c.StakesCents, c.Spots)
		}
	}
	return nil
}

// The parts of a jackpot prize. Numbers stay what they are for ever.
const (
	PartPool  uint8 = 1 // the primary: growth, primary prize or pool
	PartFill  uint8 = 2 // the schedule's fill, for winners here
	PartBonus uint8 = 3 // the schedule's bonus jackpot prize, for winners here with the feature
	PartAside uint8 = 4 // what was set aside for prizes of this jackpot
	PartKept  uint8 = 5 // what winners keep of a pool that had less by a corrected result
)

// Award is an amount that winners of one size share in the proportion of their
// stakes. Stakes are those of all who share it, here and elsewhere.
type Award struct {
	_     struct{} `cbor:",toarray"`
	Spots uint8
	// Part of the jackpot prize: 1 the primary, 2 the schedule's fill, 3 its bonus, 4 what was set aside, 5 what
	// winners keep of a corrected result.
	Part        uint8
	AmountCents money.Amount // what the winners of the part share
	StakesCents money.Amount // stakes of all winners of the part, in whose proportion it is shared
}

func checkAwards(awards []Award) error {
	for i, a := range awards {
		if a.Spots == 0 || a.Part < PartPool || a.Part > PartKept || a.AmountCents < 0 || a.StakesCents <= 0 {
			return fmt.Errorf("award %d: part %d of %d spots, %v among stakes of %v", i, a.Part, a.Spots, a.AmountCents,
				a.StakesCents)
		}
	}
	return nil
}

// JackpotWin is a way that won the jackpot of its size. ScheduleCents is the
// schedule's part of its prize, multiplied, capped and reduced, before the common
// rounding, rounded down to the cent. What Lucky Last brings is a prize of its own and
// not in it.
type JackpotWin struct {
	_          struct{}     `cbor:",toarray"`
	Ticket     Place        `is:"ticket"` // the ticket that won
	Way        uint32       // the way's place among the ways of the ticket, from 0
	Spots      uint8        `is:"number of spots"`
	StakeCents money.Amount `is:"stake"` // stake of the way, without features
	Bonus      bool         // whether the multiplier was in force for the way
	// The schedule's part of the prize of the way, multiplied, capped and reduced, before the common rounding, rounded
	// down to the cent.
	ScheduleCents money.Amount
}

func (w *JackpotWin) check() error {
	if w.ScheduleCents < 0 {
		return fmt.Errorf("%v by the schedule", w.ScheduleCents)
	}
	return nil
}

// PoolMoved is a move of jackpot money between games that somebody outside has
// approved: a seed lent, the secondary moved to the primary, money set aside, a
// pool of a closed system brought in. Pools are as they stand after it.
type PoolMoved struct {
	_           struct{}     `cbor:",toarray"`
	Series      uint8        `is:"series"`
	Move        string       `is:"move"`                 // what was done: lend, reallocate, set_aside, migrate
	AmountCents money.Amount `is:"amount" most:"amount"` // what was moved
	Approval    string       `is:"approval"`             // reference of the decision
	// The pools of the series that changed, as they stand after it.
	Pools []Pool `is:"pools" within:"act"`
	// The other series from which the money was brought; none if it was within the series.
	ClosedSeries uint8
	Closed       []Pool `within:"act"` // the pools of the other series, as they stand after it
}

func (p *PoolMoved) check() error {
	if (p.ClosedSeries == 0) != (len(p.Closed) == 0) || p.ClosedSeries == p.Series {
		return fmt.Errorf("%d pools of series %d are closed", len(p.Closed), p.ClosedSeries)
	}
	if err := checkPools(p.Closed); err != nil {
		return err
	}
	return checkPools(p.Pools)
}

// PoolsTakenIn brings in what players have put into the pools of a system outside, as somebody outside has
// approved: its operator pays the money in. The jackpot is as it stands after it.
type PoolsTakenIn struct {
	_            struct{}     `cbor:",toarray"`
	Series       uint8        `is:"series"`
	System       string       `is:"name"`     // name of the system outside
	JackpotCents money.Amount `most:"amount"` // jackpot money that comes in
	BonusCents   money.Amount `most:"amount"` // bonus money that comes in
	// The pools that changed, as they stand after it; none where no jackpot money comes in.
	Pools    []Pool `within:"act"`
	Approval string `is:"approval"` // reference of the decision
}

func (p *PoolsTakenIn) check() error {
	if p.JackpotCents < 0 || p.BonusCents < 0 || p.JackpotCents+p.BonusCents == 0 ||
		(p.JackpotCents == 0) != (len(p.Pools) == 0) {
		return fmt.Errorf("%v for jackpots and %v for bonus prizes come in", p.JackpotCents, p.BonusCents)
	}
	return checkPools(p.Pools)
}

// ParticipantsNamed says which other jurisdictions share the jackpots of a series.
type ParticipantsNamed struct {
	_      struct{} `cbor:",toarray"`
	Series uint8    `is:"series"`
	From   uint32   `is:"from"` // number in the series of the first game in which they take part
	// Names of the jurisdictions, ascending; none where the house has its jackpots alone.
	Names []string
}

func (p *ParticipantsNamed) check() error {
	for i, name := range p.Names {
		if name == "" || i > 0 && name <= p.Names[i-1] {
			return fmt.Errorf("participant %d is %q", i, name)
		}
	}
	return nil
}

// JurisdictionReported is what another jurisdiction says of a draw of a pooled
// jackpot: what it has in it, and what its winners staked.
type JurisdictionReported struct {
	_            struct{} `cbor:",toarray"`
	Game         Game
	Spots        uint8
	Jurisdiction string       // name of the jurisdiction
	GrowthCents  money.Amount `most:"amount"` // by how much the jackpot grew there
	StakesCents  money.Amount `most:"amount"` // stakes of the winners there; 0 where nobody has won
}

func (j *JurisdictionReported) check() error {
	if j.Spots == 0 || j.Jurisdiction == "" || j.GrowthCents < 0 || j.StakesCents < 0 {
		return fmt.Errorf("%q reports %v and stakes of %v for %d spots", j.Jurisdiction, j.GrowthCents, j.StakesCents,
			j.Spots)
	}
	return nil
}
