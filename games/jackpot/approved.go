package jackpot

import (
	"drawhouse/core/money"
	"drawhouse/core/refusal"
)

// The codes with which moves of jackpot money are refused.
const (
	ApprovalMissing refusal.Code = "approval_missing"    // the rules allow the move with approval only
	AmountInvalid   refusal.Code = "amount_invalid"      // the amount is none, or beyond what a pool holds
	AmountAbove     refusal.Code = "amount_above_pool"   // there is not so much in the pool
	NoSecondary     refusal.Code = "no_secondary"        // the jackpot has no secondary
	NoSeed          refusal.Code = "no_seed"             // the rulebook has no seeds
	OtherJackpot    refusal.Code = "other_jackpot"       // the money belongs to another jackpot
	NoMigration     refusal.Code = "no_migration"        // the rulebook moves no pools to another system
	SameSystem      refusal.Code = "same_system"         // the pools are of one system
	MovedTwice      refusal.Code = "moved_twice"         // a pool is named twice
	NotPooled       refusal.Code = "not_pooled"          // the jackpots are not shared with others
	NotParticipant  refusal.Code = "not_a_participant"   // the jurisdiction does not take part
	ReportedTwice   refusal.Code = "already_reported"    // the jurisdiction has reported this draw
	NotReady        refusal.Code = "pool_is_not_ready"   // the pool was won, and its next one has not begun
	NoWinner        refusal.Code = "no_winner_to_reward" // nobody has won the jackpot
)

// Approval is the regulator's consent to a move, and the clause that asks for it.
type Approval struct {
	Reference string // of the decision
	Clause    string
}

// check reports a move that is not approved, or an amount that cannot be moved.
func (a Approval) check(amount money.Amount) error {
	if a.Reference == "" {
		return refuse(ApprovalMissing, a.Clause, "approval", "Only an approved move of jackpot money is made.")
	}
	if _, err := ExactOf(amount); err != nil || amount == 0 {
		return refuse(AmountInvalid, a.Clause, "amount", "%v cannot be moved.", amount)
	}
	return nil
}

// Lend puts a seed of the operator's money into a pool. It is repaid from the
// stakes of later games.
//
//rule:tas-keno-2023 7.6(a)
func (t *Terms) Lend(p Pool, amount money.Amount, approval Approval) (Pool, Movement, error) {
	if _, err := t.size(p); err != nil {
		return Pool{}, Movement{}, err
	}
	if t.policy.Seed == nil {
		return Pool{}, Movement{}, refuse(NoSeed, approval.Clause, "", "These jackpots take no seed.")
	}
	if err := approval.check(amount); err != nil {
		return Pool{}, Movement{}, err
	}
	if p.Won {
		return Pool{}, Movement{}, refuse(NotReady, approval.Clause, "",
			"The jackpot was won; a seed is for the next one.")
	}
	after, lent := p, mustExact(amount)
	after.Primary += lent
	after.Owed += lent
	after.Seeded += lent
	return after, movement(p, after, 0, 0, 0), after.Check()
}

// Reallocate moves money of the secondary to the primary.
//
//rule:tas-keno-2023 7.4(i)
func (t *Terms) Reallocate(p Pool, amount money.Amount, approval Approval) (Pool, Movement, error) {
	after, err := t.takeSecondary(p, amount, approval)
	if err != nil {
		return Pool{}, Movement{}, err
	}
	after.Primary += mustExact(amount)
	return after, movement(p, after, 0, 0, 0), after.Check()
}

// SetAside allots money of the secondary to bonus prizes of the same jackpot.
//
//rule:tas-keno-2023 7.5(a)
func (t *Terms) SetAside(p Pool, amount money.Amount, approval Approval) (Pool, Movement, error) {
	after, err := t.takeSecondary(p, amount, approval)
	if err != nil {
		return Pool{}, Movement{}, err
	}
	after.Aside += mustExact(amount)
	return after, movement(p, after, 0, 0, 0), after.Check()
}

// takeSecondary takes money out of the secondary.
func (t *Terms) takeSecondary(p Pool, amount money.Amount, approval Approval) (Pool, error) {
	s, err := t.size(p)
	if err != nil {
		return Pool{}, err
	}
	if !s.hasSecondary() {
		return Pool{}, refuse(NoSecondary, approval.Clause, "", "The jackpot of %d spots has no secondary.", p.Spots)
	}
	if err := approval.check(amount); err != nil {
		return Pool{}, err
	}
	if amount > p.Secondary.Cents() {
		return Pool{}, refuse(AmountAbove, approval.Clause, "amount", "The secondary holds %v.", p.Secondary.Cents())
	}
	p.Secondary -= mustExact(amount)
	return p, nil
}

func (s *size) hasSecondary() bool {
	for _, c := range s.Contributions {
		if c.Secondary > 0 {
			return true
		}
	}
	return false
}

// Give shares money that was set aside among winners of a jackpot, by their
// stakes. It must be the jackpot whose secondary the money came from.
//
//rule:tas-keno-2023 7.5(b)
func (t *Terms) Give(p Pool, series uint8, spots int, amount money.Amount, winners []Winner,
	approval Approval) (Won, error) {
	if _, err := t.size(p); err != nil {
		return Won{}, err
	}
	if series != p.Series || spots != int(p.Spots) {
		return Won{}, refuse(OtherJackpot, approval.Clause, "spots",
			"What the jackpot of %d spots set aside is for its own winners.", p.Spots)
	}
	if err := approval.check(amount); err != nil {
		return Won{}, err
	}
	if amount > p.Aside.Cents() {
		return Won{}, refuse(AmountAbove, approval.Clause, "amount", "Set aside are %v.", p.Aside.Cents())
	}
	won := Won{Before: p, After: p}
	paid, err := won.award(PartAside, amount, winners, everyone)
	switch {
	case err != nil:
		return Won{}, err
	case !won.has(PartAside):
		return Won{}, refuse(NoWinner, approval.Clause, "winners", "There is nobody to share %v.", amount)
	}
	won.After.Aside -= mustExact(paid)
	won.Move = movement(p, won.After, 0, paid, 0)
	return won, won.After.Check()
}
