package hall_test

import (
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/games/bingo"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// TestSimulatedSessions plays sessions by chance, through the engine and a real
// device, with one card in play. A game ends when one of its six boxes is full, and
// how soon that is agrees with the exact probability.
func TestSimulatedSessions(t *testing.T) {
	sessions, games := 8, 20
	if testing.Short() {
		sessions = 4
	}
	room, err := cases.NewRoom("simulated sessions", time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC))
	e := evening{room, t}
	e.must(err)
	e.must(room.AddCards(cards, 6, 101, sessions, games))
	e.must(room.Join("ann"))
	var lengths []int
	for s := range sessions {
		set := record.SessionSet{Day: day.MustParse("2026-11-15"), FeeCents: 10_00, BooksMax: 1, Series: []string{cards}}
		for range games {
			set.Games = append(set.Games, record.BingoPlan{Prizes: []record.PatternPrize{{Pattern: record.PatternBingo,
				Cents: 10_00}}})
		}
		_, err := e.Set(set)
		e.must(err)
		book := uint32(101 + s)
		_, err = e.Enter("ann", cards, book, book, 0)
		e.must(err)
		_, err = e.Issue(cards, book, book)
		e.must(err)
		for range games {
			lengths = append(lengths, e.chance(book))
		}
		err = e.Do(command.CloseSession{InSession: command.During(e.Ref())}, cases.Dealer)
		e.must(err)
	}
	e.must(cases.CheckHall(e.Engine.State()))
	compare(t, room.Kit.Form(), lengths)
}

// chance plays the game in play by chance and returns with which number it was won.
func (e *evening) chance(book uint32) int {
	e.t.Helper()
	e.announce(10_00)
	for {
		_, err := e.Call(0)
		e.must(err)
		called := hall.Drawn(e.Of(), e.Standing().Calls).Set()
		for box := 1; box <= 6; box++ {
			b, err := e.Box(cards, book, box)
			e.must(err)
			if b.Mask(called).Len() == b.Places() {
				length := called.Len()
				e.claims(book, uint8(box), record.PatternBingo, "accepted")
				e.finish(10_00, 1)
				return length
			}
		}
	}
}

// compare holds how many games were over by a number of calls against the exact
// probability: a count of independent games, within five standard deviations. At 25
// places a sound program fails once in a hundred thousand runs; the seed is fixed.
func compare(t *testing.T, form *bingo.Form, lengths []int) {
	t.Helper()
	n := float64(len(lengths))
	for calls := 40; calls <= 88; calls += 2 {
		over := 0
		for _, length := range lengths {
			if length <= calls {
				over++
			}
		}
		p, _ := form.StripFullHouse(calls).Float64()
		deviation := math.Sqrt(n*p*(1-p)) + 0.5
		if math.Abs(float64(over)-n*p) > 5*deviation {
			t.Errorf("%d of %d games were over by %d numbers, expected are %.1f", over, len(lengths), calls, n*p)
		}
	}
	slices.Sort(lengths)
	mean := 0.0
	for _, length := range lengths {
		mean += float64(length) / n
	}
	exact := new(big.Rat)
	for calls := range 90 {
		exact.Add(exact, new(big.Rat).Sub(big.NewRat(1, 1), form.StripFullHouse(calls)))
	}
	want, _ := exact.Float64()
	t.Logf("%d games took %.2f numbers on average, the exact expectation is %.2f; from %d to %d", len(lengths), mean, want,
		lengths[0], lengths[len(lengths)-1])
	if math.Abs(mean-want) > 5*7/math.Sqrt(n) {
		t.Errorf("games take %.2f numbers on average, and %.2f is exact", mean, want)
	}
}
