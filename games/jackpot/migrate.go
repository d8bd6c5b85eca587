package jackpot

import (
	"slices"

	"drawhouse/core/money"
)

// Migrate closes the pools of a system that ends and adds the players' money in
// them to one pool of its successor: one lot at once, and the rest after wins, a
// lot each. The seed that is left in the old pools goes back to the operator; what
// else it was owed, somebody has won, and it stays a debt of the closed pool. Came is
// what has come in lots since the jackpot was last won.
//
//rule:tas-keno-2023 7.7(b) 7.7(c) 7.7(d)
func (t *Terms) Migrate(from []Pool, into Pool, came Exact) (closed []Pool, grown Pool, move Movement, err error) {
	if err := t.checkMigration(from, into); err != nil {
		return nil, Pool{}, Movement{}, err
	}
	grown = into
	for _, p := range from {
		grown.Waiting += p.Primary - p.Seeded + p.Secondary + p.Waiting
		if err := grown.Check(); err != nil {
			return nil, Pool{}, Movement{}, err
		}
		left := Pool{Series: p.Series, Spots: p.Spots, Owed: p.Owed - p.Seeded, Aside: p.Aside}
		closed = append(closed, left)
		move = move.plus(movement(p, left, 0, 0, 0))
	}
	grown = t.addLot(grown, t.room(into, came))
	return closed, grown, move.plus(movement(into, grown, 0, 0, 0)), grown.Check()
}

// TakeIn adds the players' money that the pools of a system outside held to one pool, in lots as [Terms.Migrate] does.
// The money is not from the prize fund, which has in the movement what fractions of a cent make.
//
//rule:tas-keno-2023 7.7(b) 7.7(c) 7.7(d)
func (t *Terms) TakeIn(amount money.Amount, into Pool, came Exact) (grown Pool, move Movement, err error) {
	if err := t.checkMigration(nil, into); err != nil {
		return Pool{}, Movement{}, err
	}
	sum, err := ExactOf(amount)
	if err != nil {
		return Pool{}, Movement{}, err
	}
	grown = into
	grown.Waiting += sum
	grown = t.addLot(grown, t.room(into, came))
	move = movement(into, grown, 0, 0, 0)
	move.Fund += amount
	return grown, move, grown.Check()
}

// checkMigration reports pools that do not move, or not there.
func (t *Terms) checkMigration(from []Pool, into Pool) error {
	if t.migration == nil {
		return t.refuse(NoMigration, "", "Nothing here says that pools move to another system.")
	}
	clause := t.migration.Quoted()
	if int(into.Spots) != t.migration.Into {
		return refuse(OtherJackpot, clause, "into", "The money goes to the jackpot of %d spots.", t.migration.Into)
	}
	for i, p := range from {
		if p.Series == into.Series {
			return refuse(SameSystem, clause, "from", "A pool cannot move within its own system.")
		}
		if slices.ContainsFunc(from[:i], func(q Pool) bool { return p.Series == q.Series && p.Spots == q.Spots }) {
			return refuse(MovedTwice, clause, "from", "The pool of %d spots moves once.", p.Spots)
		}
		if err := p.ready(); err != nil {
			return err
		}
	}
	return into.ready()
}

// lot returns the most that comes in between two wins.
func (t *Terms) lot() Exact {
	if t.migration == nil {
		return 0
	}
	return mustExact(t.migration.Lot.Amount())
}

// room returns how much may still come into the primary before the next win, after what came since the last one. While
// something waits, what comes later waits, too.
//
//rule:tas-keno-2023 7.7(d)
func (t *Terms) room(into Pool, came Exact) Exact {
	if into.Waiting > 0 {
		return 0
	}
	return max(0, t.lot()-came)
}

// addLot moves as much of what waits to the primary as there is room for. A lot is a number of whole
// cents, and the last one takes a fraction of a cent along.
//
//rule:tas-keno-2023 7.7(c) 7.7(d)
func (t *Terms) addLot(p Pool, room Exact) Pool {
	lot := p.Waiting
	if lot.Cents() > room.Cents() {
		lot = room
	}
	p.Primary += lot
	p.Waiting -= lot
	return p
}

// Join adds a pool that ends to another one, to the last part of a cent, and returns by how
// many whole cents the two are more together than each by itself.
//
//rule:tas-keno-2023 17.4(c)
func Join(from, into Exact) (joined Exact, risen money.Amount) {
	joined = from + into
	return joined, joined.Cents() - from.Cents() - into.Cents()
}
