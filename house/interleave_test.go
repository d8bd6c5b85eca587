package house

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/journal/record"
)

// TestCancelAgainstClose has two tickets cancelled, one sold and the game closed, in every
// order that there is. What comes before the close counts and what comes after it is
// refused or plays the next game, by its place in the journal and by nothing else: the
// sealed set is what was sold less what was cancelled.
func TestCancelAgainstClose(t *testing.T) {
	orders := permutations([]string{"cancel first", "cancel second", "sell", "close"})
	for _, order := range orders {
		t.Run(fmt.Sprint(order), func(t *testing.T) { testCancelAgainstClose(t, order) })
	}
	t.Logf("%d interleavings", len(orders))
}

func testCancelAgainstClose(t *testing.T, order []string) {
	b := newBench(t)
	b.run(func(time.Time) error { return errEnough }) // The first game is on sale.
	tickets := map[string]Sold{"cancel first": b.sell(1, 3), "cancel second": b.sell(1, 4)}
	game, plays, closed := b.house.First().Games(1)[0].Ordinal, uint64(2), false
	for _, step := range order {
		switch step {
		case "close":
			must(t, b.house.First().TurnGame(t.Context(), b.clock.Now().Add(config.Interval)))
			closed = true
		case "sell":
			if sold := b.sell(1, 5); (sold.Sale.Ordinal == game) == closed {
				t.Errorf("a ticket sold when the game was closed: %v, plays game %d", closed, sold.Sale.Ordinal)
			} else if !closed {
				plays++
			}
		default:
			if b.cancels(tickets[step]) == closed {
				t.Errorf("%s when the game was closed: %v", step, closed)
			} else if !closed {
				plays--
			}
		}
	}
	if got := b.house.First().Games(2)[1]; got.Closed.Plays != plays {
		t.Errorf("the game was closed with %d plays, want %d", got.Closed.Plays, plays)
	}
	if report := b.verify(); !report.OK() {
		t.Errorf("the second opinion differs: %+v", report.Failure)
	}
}

// cancels reports whether a ticket could be cancelled; a refusal names its clause.
func (b *bench) cancels(sold Sold) bool {
	b.t.Helper()
	b.number++
	_, err := b.house.Cancel(b.t.Context(), record.Request{Terminal: 1, Number: b.number}, sold.Place,
		Holder{Code: b.codes[sold.Place]})
	var refused *refusal.Refusal
	if err != nil && (!errors.As(err, &refused) || refused.Clause == "") {
		b.t.Fatal(err)
	}
	return err == nil
}

// permutations lists every order of some things.
func permutations(of []string) [][]string {
	if len(of) == 0 {
		return [][]string{nil}
	}
	var all [][]string
	for i := range of {
		rest := append(append([]string(nil), of[:i]...), of[i+1:]...)
		for _, tail := range permutations(rest) {
			all = append(all, append([]string{of[i]}, tail...))
		}
	}
	return all
}
