package settle

import (
	"fmt"

	"drawhouse/core/ball"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
)

// Numbers are the numbers of a game in the order drawn. Where the order decides
// nothing a set will do; a way that it decides is then refused and not guessed.
type Numbers interface{ ball.Sequence | ball.Set }

// result is what the numbers of a game say under its terms.
type result struct {
	set    ball.Set
	order  ball.Sequence // invalid: not known
	sum    int
	factor uint64 // by which a multiplied prize is multiplied; 0: the order turns a wheel and is not known
	slot   int    // of the wheel, counted from 0
	calls  map[string]keno.Call
	races  map[string]*ranking // nil: the order is not known
}

// resultOf reads the numbers of a game.
func resultOf[N Numbers](t *Terms, numbers N) (*result, error) {
	r := &result{calls: map[string]keno.Call{}}
	switch numbers := any(numbers).(type) {
	case ball.Set:
		r.set = numbers
	case ball.Sequence:
		if numbers.IsValid() {
			r.set, r.order = numbers.Set(), numbers
		}
	}
	if !r.set.IsValid() || r.set.Universe() != ball.Keno || r.set.Len() != drawn {
		return nil, fmt.Errorf("not %d numbers drawn: %v", drawn, numbers)
	}
	r.sum = r.set.Sum()
	if t.multiply != nil && t.multiply.wheel != nil {
		r.turn(t.multiply.wheel)
	} else {
		r.factor = t.factor(r.sum)
	}
	for bet, table := range t.calls {
		r.calls[bet] = callOf(&table.Calls, r.set)
	}
	if r.order.IsValid() {
		r.races = map[string]*ranking{}
		for bet, table := range t.races {
			order := rank(table.race, r.order)
			r.races[bet] = &order
		}
	}
	return r, nil
}

// factor returns by how much the numbers with a sum multiply a prize. A sum to
// which no value is assigned leaves it as it is.
//
//rule:vic-keno-2015 2(a).multiplier
//rule:tas-keno-2023 1.43 21.4(c)
func (t *Terms) factor(sum int) uint64 {
	if t.multiply == nil {
		return 1
	}
	return uint64(max(t.multiply.book.Multiplier(sum), 1))
}

// turn turns a wheel by the order of the numbers, as [rulebook.Book.Wheel] says. Where
// the order is not known it leaves the factor unknown.
//
//rule:mi-club-keno wheel
func (r *result) turn(wheel []int) {
	if !r.order.IsValid() {
		return
	}
	numbers := r.order.Numbers()
	for k, n := range numbers {
		smaller := 0
		for _, before := range numbers[:k] {
			if before < n {
				smaller++
			}
		}
		r.slot = (r.slot*(k+1) + smaller) % len(wheel)
	}
	r.factor = uint64(wheel[r.slot])
}

// callOf returns the call that numbers make true.
//
//rule:vic-keno-2015 2(a).heads-or-tails(a) 2(a).heads-or-tails(b) 2(a).heads-or-tails(c)
//rule:tas-keno-2023 21.2(a)(i) 21.2(a)(ii) 21.2(a)(iii)
func callOf(c *rulebook.Calls, numbers ball.Set) keno.Call {
	switch lower := lowerHalf(c, numbers); {
	case lower >= c.Majority:
		return keno.Heads
	case drawn-lower >= c.Majority:
		return keno.Tails
	}
	return keno.Evens
}

// lowerHalf returns how many of the numbers are in the lower half.
func lowerHalf(c *rulebook.Calls, numbers ball.Set) (lower int) {
	for n := range numbers.All() {
		if n <= c.LowerHalf {
			lower++
		}
	}
	return lower
}

// callWords says why a call is true.
func callWords(c *rulebook.Calls, call keno.Call, numbers ball.Set) string {
	lower := lowerHalf(c, numbers)
	switch call {
	case keno.Heads:
		return fmt.Sprintf("%d of %d numbers up to %d", lower, drawn, c.LowerHalf)
	case keno.Tails:
		return fmt.Sprintf("%d of %d numbers above %d", drawn-lower, drawn, c.LowerHalf)
	}
	return fmt.Sprintf("%d numbers up to %d and %d above", lower, c.LowerHalf, drawn-lower)
}

// last returns the last number drawn; ok reports whether it is known.
//
//rule:tas-keno-2023 21.1(a)(i)
func (r *result) last() (n int, ok bool) {
	if !r.order.IsValid() {
		return 0, false
	}
	return r.order.Last()
}
