package settle

import (
	"testing"

	"drawhouse/core/ball"
)

// TestWheelIsFair turns wheels by every order of a few numbers, of low ones and of high ones: every slot comes equally
// often, whichever numbers they are.
func TestWheelIsFair(t *testing.T) {
	for _, numbers := range [][]int{{1, 2, 3, 4, 5}, {7, 19, 42, 63, 80}} {
		for _, slots := range []int{1, 2, 8, 20, 60, 120} {
			wheel, turned := make([]int, slots), make([]int, slots)
			orders := 0
			eachOrder(numbers, func(order []int) {
				q, err := ball.NewSequence(ball.Keno, order...)
				if err != nil {
					t.Fatal(err)
				}
				r := result{order: q}
				r.turn(wheel)
				turned[r.slot]++
				orders++
			})
			for slot, n := range turned {
				if n != orders/slots || orders != 120 {
					t.Errorf("%v: slot %d of %d comes %d times of %d", numbers, slot, slots, n, orders)
				}
			}
		}
	}
}

// eachOrder calls do with every order of some numbers.
func eachOrder(numbers []int, do func(order []int)) {
	var place func(order, left []int)
	place = func(order, left []int) {
		if len(left) == 0 {
			do(order)
			return
		}
		for i, n := range left {
			rest := append(append([]int(nil), left[:i]...), left[i+1:]...)
			place(append(order[:len(order):len(order)], n), rest)
		}
	}
	place(nil, numbers)
}

// TestWheelNeedsTheOrder refuses a multiplied way where only the set of the numbers is known.
func TestWheelNeedsTheOrder(t *testing.T) {
	h := newHouse(t, "mi-club-keno", "published")
	w := onSpots("club_keno", ball.MustParse(ball.Keno, "1-3"), 100)
	drawn, err := resultOf(h.terms, ball.MustParse(ball.Keno, "1-20"))
	if err != nil {
		t.Fatal(err)
	}
	if won, err := h.terms.judge(&w, staked{stake: 100}, drawn, &Game{}); err != nil || len(won) != 1 {
		t.Errorf("without The Kicker the order does not matter: %+v, %v", won, err)
	}
	w.Multiplier = Side{100, 1}
	if won, err := h.terms.judge(&w, staked{stake: 100}, drawn, &Game{}); err == nil {
		t.Errorf("a wheel that nobody has turned multiplies: %+v", won)
	}
}
