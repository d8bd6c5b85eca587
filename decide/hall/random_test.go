package hall_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// TestRandomSessions lets people do what comes to their minds. Much of it is refused.
// Whatever was not leaves books that agree with the room, a journal that folds into
// the same state, and nothing that package verify finds fault with.
func TestRandomSessions(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			e := newEvening(t, fmt.Sprintf("random %d", seed), 3,
				command.Level{Name: "major", Within: 60, Share: 3333, SeedCents: 100_00},
				command.Level{Name: "minor", Share: 6667, SeedCents: 10_00})
			c := crowd{evening: &e, Rand: rand.New(rand.NewPCG(seed, 1)), book: 101, done: map[string]int{}}
			for range 3 {
				c.session()
			}
			e.must(cases.CheckHall(e.Engine.State()))
			e.replays()
			e.verifies()
			if c.done["claim"] == 0 || c.done["finish"] == 0 {
				t.Errorf("hardly anything happened: %v", c.done)
			}
		})
	}
}

// crowd does things by chance.
type crowd struct {
	*evening
	*rand.Rand
	book uint32 // the next one to be issued
	done map[string]int
	// views makes a view after everything that happens; nil makes none.
	views *viewer
}

// may notes what was done, and lets refusals pass.
func (c crowd) may(what string, err error) bool {
	c.t.Helper()
	var refused *refusal.Refusal
	if err != nil && !errors.As(err, &refused) {
		c.t.Fatalf("%s: %v", what, err)
	}
	if err == nil {
		c.done[what]++
	}
	if c.views != nil {
		c.views.look()
	}
	return err == nil
}

func (c *crowd) session() {
	set := record.SessionSet{Day: day.MustParse("2026-11-15"), FeeCents: money.Amount(1 + c.IntN(3000)), BooksMax: 2,
		Series: []string{cards}}
	for range 1 + c.IntN(3) {
		plan := record.BingoPlan{Prizes: []record.PatternPrize{{Pattern: record.PatternBingo,
			Cents: money.Amount(1 + c.IntN(10000))}}}
		for _, minor := range []string{"top-line", "noahs-ark", "four-corners"}[:c.IntN(4)] {
			plan.Prizes = append(plan.Prizes, record.PatternPrize{Pattern: minor, Cents: money.Amount(1 + c.IntN(5000))})
		}
		if c.IntN(2) == 0 {
			plan.JackpotNumbers, plan.JackpotShare = uint8(1+c.IntN(5)), uint16(1+c.IntN(10000))
		}
		set.Games = append(set.Games, plan)
	}
	_, err := c.Set(set)
	c.must(err)
	first := c.book
	for i, member := range []string{"ann", "bob", "cay", "dan"} {
		books := uint32(1 + c.IntN(2))
		device := uint32(c.IntN(2) * (20 + i))
		if _, err := c.Enter(member, cards, c.book, c.book+books-1, device); c.may("enter", err) {
			c.book += books
		}
	}
	if c.IntN(4) == 0 {
		c.bar()
	}
	_, err = c.Issue(cards, first, c.book-1)
	c.must(err)
	for range set.Games {
		c.game(first)
	}
	c.end()
}

// game plays the game in play to some end.
func (c *crowd) game(first uint32) {
	if c.Hall().Sessions[c.Session-1].Set.Games[c.Game-1].JackpotNumbers > 0 && c.Standing().Phase == state.BingoWaiting {
		c.must(c.DrawJackpot())
	}
	if _, err := c.Announce(); !c.may("announce", err) {
		return // The session was broken off.
	}
	for {
		if _, err := c.Call(0); err != nil && !c.may("call", err) && len(c.Standing().Drawn) < 90 {
			c.t.Fatalf("no number can be called: %v", err)
		}
		for range c.IntN(3) {
			c.something(first)
		}
		if c.Standing().Phase.IsOver() {
			break // It was declared void.
		}
		c.honest(first)
		if _, err := c.Finish(); c.may("finish", err) {
			break
		}
	}
	c.Game++
}

// honest claims a bingo that is there, most of the time.
func (c *crowd) honest(first uint32) {
	called := hall.Drawn(c.Of(), c.Standing().Calls).Set()
	for book := first; book < c.book; book++ {
		for box := 1; box <= 6; box++ {
			b, err := c.Box(cards, book, box)
			c.must(err)
			if b.Mask(called).Len() == 15 && c.IntN(10) < 8 {
				c.claim(book, uint8(box), record.PatternBingo)
			}
		}
	}
}

func (c *crowd) claim(book uint32, box uint8, pattern string) {
	opened, err := c.Claim(cards, book, box, pattern)
	if !c.may("claim", err) {
		return
	}
	check := command.CheckClaim{OfClaim: command.OfClaim{InGame: command.At(c.Playing()), Claim: opened.Claim},
		CardInHand: c.IntN(20) > 0, Marked: c.IntN(20) > 0}
	err = c.Do(check, cases.Supervisor)
	c.must(err)
}

// something does something that need not make sense.
func (c *crowd) something(first uint32) {
	switch c.IntN(40) {
	case 0:
		c.correct()
	case 1:
		c.bar()
	case 2:
		c.device()
	case 3:
		if c.IntN(4) == 0 {
			c.void()
		}
	case 4, 5, 6, 7, 8, 9:
		patterns := []string{record.PatternBingo, "top-line", "noahs-ark", "four-corners"}
		c.claim(first+uint32(c.IntN(10)), uint8(1+c.IntN(6)), patterns[c.IntN(4)])
	}
}

func (c *crowd) correct() {
	calls := c.Standing().Calls
	if len(calls) == 0 {
		return
	}
	correction := command.CorrectCall{InGame: command.At(c.Playing()), Number: calls[c.IntN(len(calls))],
		Wrong: uint8(1 + c.IntN(90))}
	err := c.Do(correction, cases.Dealer)
	c.may("correct", err)
}

func (c *crowd) bar() {
	b := command.BarPlayer{OfPlayer: command.OfPlayer{InSession: command.During(c.Ref()), Player: uint32(1 + c.IntN(5))},
		FeeVoid: c.IntN(2) == 0, Reason: "a device"}
	err := c.Do(b, cases.Supervisor)
	c.may("bar", err)
}

func (c *crowd) device() {
	failed := command.OfDevice{InSession: command.During(c.Ref()), Device: uint32(20 + c.IntN(8))}
	if err := c.Do(command.FailDevice{OfDevice: failed}, cases.Dealer); c.may("fail", err) {
		err := c.Do(command.ReplaceDevice{OfDevice: failed, With: failed.Device + 8}, cases.Dealer)
		c.must(err)
	}
}

func (c *crowd) void() {
	causes := []hall.Cause{hall.CauseTerminal, hall.CauseDisruption, hall.CauseFraud}
	v := command.VoidBingo{InGame: command.At(c.Playing()), Cause: string(causes[c.IntN(3)]), Reason: "it happened",
		NoneFollows: c.IntN(4) == 0, Refund: c.IntN(2) == 0}
	if c.IntN(3) == 0 {
		v.Forfeited = []uint32{uint32(1 + c.IntN(4))}
	}
	err := c.Do(v, cases.Casino)
	c.may("void", err)
}

// end takes everything back, pays most of what is due, and closes the session.
func (c *crowd) end() {
	session := c.Hall().Sessions[c.Session-1]
	for _, d := range session.Devices {
		if !d.Back {
			err := c.Do(command.ReturnDevice{OfDevice: command.OfDevice{InSession: command.During(c.Ref()), Device: d.ID}},
				cases.Dealer)
			c.must(err)
		}
	}
	c.Wait(time.Minute)
	err := c.Do(command.CloseSession{InSession: command.During(c.Ref())}, cases.Supervisor)
	c.must(err)
	for g := range session.Games {
		for i := range session.Games[g].Claims {
			if claim := &session.Games[g].Claims[i]; claim.Unpaid() > 0 && c.IntN(5) > 0 {
				c.pay(uint8(g+1), claim.Opened.Claim, claim.Share.Cents, claim.Share.JackpotCents)
			}
		}
	}
	for player := range session.Players {
		err := c.Do(command.PayRefund{OfPlayer: command.OfPlayer{InSession: command.During(c.Ref()),
			Player: uint32(player + 1)}}, cases.Dealer)
		c.may("refund", err)
	}
}
