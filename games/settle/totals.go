package settle

import "drawhouse/core/money"

// Totals say what is in a game.
type Totals struct {
	Plays  uint64 // tickets
	Ways   uint64
	Stakes money.Amount // all of them: on ways and on features, paid and carried
	// Parts of Stakes: on the multiplier, on the last number, and prizes of the
	// game before that were carried over, their part for the multiplier included.
	Multiplier, LuckyLast, Carried money.Amount
}

// turn is how the totals of a game differ from those of the game before.
type turn struct {
	plays, ways, runs                      int64
	stakes, multiplier, luckyLast, carried money.Amount
}

// add adds u.
func (t *turn) add(u turn) {
	t.plays += u.plays
	t.ways += u.ways
	t.runs += u.runs
	t.stakes += u.stakes
	t.multiplier += u.multiplier
	t.luckyLast += u.luckyLast
	t.carried += u.carried
}

// minus returns the opposite of t.
func (t turn) minus() turn {
	return turn{-t.plays, -t.ways, -t.runs, -t.stakes, -t.multiplier, -t.luckyLast, -t.carried}
}

// enter puts something into the games from one to another, both included.
func (o *Open) enter(first, last uint32, t turn) {
	o.turn(first).add(t)
	o.turn(last + 1).add(t.minus())
}

// turn returns the turn of a game that is not dropped.
func (o *Open) turn(ordinal uint32) *turn {
	i := int(ordinal - o.dropped - 1)
	for len(o.turns) <= i {
		o.turns = append(o.turns, turn{})
	}
	return &o.turns[i]
}

// sum returns what is in a game so far. Nothing is in a game that is dropped.
func (o *Open) sum(ordinal uint32) (sum turn) {
	if ordinal <= o.dropped {
		return turn{}
	}
	for _, t := range o.turns[:min(int(ordinal-o.dropped), len(o.turns))] {
		sum.add(t)
	}
	return sum
}

// Totals returns what is in a game so far: prizes that run are in it once they are
// carried into it. Nothing is in a game that is dropped.
func (o *Open) Totals(ordinal uint32) Totals {
	t := o.sum(ordinal)
	return Totals{uint64(t.plays), uint64(t.ways), t.stakes, t.multiplier, t.luckyLast, t.carried}
}

// forgetTurn forgets the turn of the game after the last that is dropped.
func (o *Open) forgetTurn() {
	if len(o.turns) < 2 {
		o.turns = nil
	} else {
		o.turns[1].add(o.turns[0])
		o.turns = o.turns[1:]
	}
	for i := range o.stakes {
		o.stakes[i].forget()
	}
	o.dropped++
}
