package verify

import (
	"fmt"
	"math/big"
	"slices"

	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
)

// callNames are the calls of a ticket by their number in the journal.
var callNames = [...]string{1: "heads", 2: "tails", 3: "evens"}

// A grader works out the prizes of one game from the numbers drawn, the
// rulebook's schedule and the tickets. It passes over the tickets once for each
// reduction of major prizes that the rulebook knows, and once more if one of
// them bites.
type grader struct {
	rules   *rules
	game    *game
	tickets []ticket
	counter *wayCounter

	wayCap *big.Rat                        // most that a way can win, or nil
	tables map[string]*rulebook.CatchTable // of bets on numbers
	calls  map[string]*rulebook.OutcomeTable
	factor int64 // the multiplier of the sum of the numbers drawn

	// reductions has one for each policy of the rulebook that was looked at, nil
	// where it reduces nothing.
	reductions []*reduction

	// The state of a pass: the policy whose majors it gathers, what the game came
	// to so far, and the play under way.
	next *rulebook.Prorating
	out  *outcome
	play winner
}

// A winner is a play with a prize.
type winner struct {
	seq   uint64
	claim record.Hash // of its ticket
	cents money.Amount
	ways  uint64 // that won
	paid  uint64 // 1 + the sequence number of its payment; 0 while unpaid
}

// outcome is what a game comes to.
type outcome struct {
	winners     []winner
	winningWays uint64
	prizes      money.Amount // payable
	// kept is what rounding kept back, exactly.
	kept *big.Rat
	// majors and majorsLeft are the major prizes as won and after reduction,
	// before rounding.
	majors, majorsLeft *big.Rat
	// reducible are the major prizes of the reduction that is being prepared.
	reducible []major
}

// newGrader looks up the tables of the schedule under which the game settles.
func newGrader(s *series, g *game, c *wayCounter) (*grader, error) {
	schedule, ok := s.rules.book.Schedule(s.schedule)
	if !ok {
		return nil, fmt.Errorf("the rulebook has no schedule %q", s.schedule)
	}
	w := &grader{rules: s.rules, game: g, tickets: s.tickets, counter: c,
		tables: map[string]*rulebook.CatchTable{}, calls: map[string]*rulebook.OutcomeTable{}}
	if most, ok := schedule.WayCap(); ok {
		w.wayCap = ratOf(most)
	}
	for id := range s.rules.bets {
		if table, ok := schedule.Catch(id); ok {
			w.tables[id] = table
		}
		if table, ok := schedule.Outcome(id); ok {
			w.calls[id] = table
		}
	}
	sum := 0
	for _, n := range g.numbers {
		sum += int(n)
	}
	w.factor = int64(s.rules.book.Multiplier(sum))
	return w, nil
}

// grade returns what the game comes to.
func (w *grader) grade() (*outcome, error) {
	reduced := false
	var out *outcome
	var err error
	for i := range w.rules.prorate {
		if out, err = w.pass(&w.rules.prorate[i]); err != nil {
			return nil, err
		}
		r := newReduction(&w.rules.prorate[i], out.reducible)
		reduced = reduced || r != nil
		w.reductions = append(w.reductions, r)
	}
	if out == nil || reduced {
		return w.pass(nil)
	}
	return out, nil
}

// pass grades every play of the game under the reductions known so far and
// gathers the major prizes that the next one, if any, may reduce.
func (w *grader) pass(next *rulebook.Prorating) (*outcome, error) {
	w.next, w.out = next, &outcome{kept: new(big.Rat), majors: new(big.Rat), majorsLeft: new(big.Rat)}
	for i := range w.tickets {
		t := &w.tickets[i]
		if !t.plays(w.game.ordinal) {
			continue
		}
		w.play = winner{seq: t.seq, claim: t.claim}
		for k := range t.bets {
			if err := w.gradeBet(&t.bets[k], w.game.ordinal-t.first); err != nil {
				return nil, fmt.Errorf("ticket %d, bet %d: %w", t.seq, k+1, err)
			}
		}
		if w.play.ways > 0 {
			if err := w.out.add(w.play); err != nil {
				return nil, err
			}
		}
	}
	return w.out, nil
}

// add counts a play that won.
func (o *outcome) add(play winner) error {
	sum, err := o.prizes.Add(play.cents)
	if err != nil {
		return err
	}
	o.prizes = sum
	o.winningWays += play.ways
	o.winners = append(o.winners, play)
	return nil
}

// gradeBet adds the prizes of a bet's ways in a game, counted from 0, to its play.
func (w *grader) gradeBet(b *bet, game uint32) error {
	factor := int64(1)
	if game < b.bonus {
		if factor = w.factor; factor == 0 {
			return fmt.Errorf("the rulebook has no multiplier for the numbers of game %v", w.game.name)
		}
	}
	if b.rules.form == rulebook.FormCalls {
		return w.gradeCall(b, game, factor)
	}
	table := w.tables[b.id]
	if table == nil {
		return fmt.Errorf("the schedule has no prizes of %s", b.id)
	}
	for _, ways := range w.counter.count(b, &w.game.drawn) {
		prize := table.Prize(ways.spots, ways.matched)
		if prize == 0 {
			continue
		}
		if err := w.award(b, prize, factor, table.Per(), ways.count); err != nil {
			return err
		}
	}
	return nil
}

// gradeCall adds the prize of a call that was right (vic-keno-2015
// 2(a).heads-or-tails).
func (w *grader) gradeCall(b *bet, game uint32, factor int64) error {
	table := w.calls[b.id]
	if table == nil {
		return fmt.Errorf("the schedule has no prizes of %s", b.id)
	}
	call := callNames[b.calls[0]]
	if len(b.calls) > 1 {
		call = callNames[b.calls[game]]
	}
	if call != w.called(b.rules.calls) {
		return nil
	}
	prize, ok := table.Prize(call)
	if !ok {
		return fmt.Errorf("the schedule has no prize of %s", call)
	}
	return w.award(b, prize, factor, table.Per(), 1)
}

// called returns the result of the game: whichever half has the majority.
func (w *grader) called(rules rulebook.Calls) string {
	lower, upper := 0, 0
	for _, n := range w.game.numbers {
		if int(n) <= rules.LowerHalf {
			lower++
		} else {
			upper++
		}
	}
	switch {
	case lower >= rules.Majority:
		return "heads"
	case upper >= rules.Majority:
		return "tails"
	}
	return "evens"
}

// award gives count ways the prize of the schedule for their stake: stake x
// multiplier x prize / per, then the reductions, then rounding, once
// (vic-keno-2015 20(a), 2(a).keno-bonus(a), 24(a)-(c), 21(i)).
func (w *grader) award(b *bet, prize money.Amount, factor int64, per money.Amount, count uint64) error {
	if per <= 0 {
		return fmt.Errorf("the table of %s is for a stake of %v", b.id, per)
	}
	x, err := b.stake.Mul(factor)
	if err == nil {
		x, err = x.Mul(prize.Cents())
	}
	if err != nil {
		return err
	}
	if cents := x / per; x%per == 0 && w.plain(b.id, cents) {
		return w.play.add(cents, count)
	}
	return w.awardExactly(b.id, new(big.Rat).SetFrac64(x.Cents(), per.Cents()), count)
}

// plain reports whether a prize in whole cents is paid as it is: no major prize
// of any policy, not above the cap of a way, and a multiple of the rounding step.
// That is nearly every prize there is, and needs no fractions.
func (w *grader) plain(bet string, cents money.Amount) bool {
	if w.wayCap != nil || cents%w.rules.rounding.step != 0 {
		return false
	}
	for i := range w.rules.prorate {
		p := &w.rules.prorate[i]
		if covers(p, bet) && (p.MajorOver != nil && cents > p.MajorOver.Amount() || p.MajorFrom != nil && cents >= p.MajorFrom.Amount()) {
			return false
		}
	}
	return true
}

// awardExactly is award for prizes that are capped, major or to be rounded.
func (w *grader) awardExactly(bet string, won *big.Rat, count uint64) error {
	if w.wayCap != nil {
		won = minRat(won, w.wayCap)
	}
	x, isMajor := w.reduce(bet, won, count)
	cents, err := w.rules.rounding.of(x)
	if err != nil {
		return err
	}
	kept := new(big.Rat).Sub(x, ratOf(cents))
	w.out.kept.Add(w.out.kept, kept.Mul(kept, countRat(count)))
	if isMajor {
		w.out.addMajor(won, x, count)
	}
	if cents == 0 {
		return nil
	}
	return w.play.add(cents, count)
}

// reduce returns what the reductions leave of a prize and whether it is major
// under one of them. A prize that the next one may reduce is put down for it.
func (w *grader) reduce(bet string, x *big.Rat, count uint64) (left *big.Rat, isMajor bool) {
	for i, r := range w.reductions {
		if p := &w.rules.prorate[i]; covers(p, bet) && majorUnder(p, x) {
			isMajor = true
			x = r.reduce(x)
		}
	}
	if w.next != nil && covers(w.next, bet) && majorUnder(w.next, x) {
		isMajor = true
		w.out.reducible = append(w.out.reducible, major{x, count})
	}
	return x, isMajor
}

// addMajor counts major prizes as won and as reduced.
func (o *outcome) addMajor(won, left *big.Rat, count uint64) {
	o.majors.Add(o.majors, new(big.Rat).Mul(won, countRat(count)))
	o.majorsLeft.Add(o.majorsLeft, new(big.Rat).Mul(left, countRat(count)))
}

// add gives the play count prizes of so many cents.
func (p *winner) add(cents money.Amount, count uint64) error {
	sum, err := cents.Mul(int64(count))
	if err == nil {
		sum, err = p.cents.Add(sum)
	}
	if err != nil {
		return err
	}
	p.cents = sum
	p.ways += count
	return nil
}

func covers(p *rulebook.Prorating, bet string) bool {
	return p.Bets == nil || slices.Contains(p.Bets, bet)
}

func ratOf(a money.Amount) *big.Rat { return new(big.Rat).SetInt64(a.Cents()) }
