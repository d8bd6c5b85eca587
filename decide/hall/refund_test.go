package hall_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// TestRefundsWithinFees breaks sessions off in all ways, one after another, and fetches
// what goes back at any time. Nobody gets more back than was paid; of a session that was
// broken off everybody gets the whole fee but for what was forfeited; and the books, the
// state and package verify agree.
func TestRefundsWithinFees(t *testing.T) {
	whole := 0
	for seed := range uint64(12) {
		e := newEvening(t, fmt.Sprintf("refunds %d", seed), 4,
			command.Level{Name: "major", Within: 60, Share: 3333, SeedCents: 100_00},
			command.Level{Name: "minor", Share: 6667, SeedCents: 10_00})
		c := refunder{crowd{evening: &e, Rand: rand.New(rand.NewPCG(seed, 2)), book: 101, done: map[string]int{}}, nil, nil}
		for range 4 {
			whole += c.session()
		}
		e.must(cases.CheckHall(e.Engine.State()))
		e.replays()
		e.verifies()
	}
	if whole == 0 {
		t.Error("no session was broken off with fees")
	}
}

// refunder keeps an account of its own of what went back.
type refunder struct {
	crowd
	fetched   []money.Amount // by player - 1
	forfeited []bool
}

// session plays a session in which much goes wrong, and returns how many players had
// their whole fee back.
func (c *refunder) session() (whole int) {
	set := record.SessionSet{Day: day.MustParse("2026-11-15"), FeeCents: money.Amount(1 + c.IntN(3000)), BooksMax: 2,
		Series: []string{cards}}
	for range 1 + c.IntN(4) {
		set.Games = append(set.Games, record.BingoPlan{Prizes: []record.PatternPrize{{Pattern: record.PatternBingo,
			Cents: money.Amount(1 + c.IntN(10000))}}})
	}
	_, err := c.Set(set)
	c.must(err)
	first := c.book
	c.fetched, c.forfeited = nil, nil
	for _, member := range []string{"ann", "bob", "cay", "dan"}[:2+c.IntN(3)] {
		_, err := c.Enter(member, cards, c.book, c.book, 0)
		c.must(err)
		c.book++
		c.fetched, c.forfeited = append(c.fetched, 0), append(c.forfeited, false)
	}
	_, err = c.Issue(cards, first, c.book-1)
	c.must(err)
	session := c.Hall().Sessions[c.Session-1]
	if c.IntN(3) == 0 {
		err := c.Do(command.SignClosure{InSession: command.During(c.Ref()),
			At: (session.Set.Begins + record.Time((2 * time.Hour).Milliseconds())).Time()}, cases.Supervisor)
		c.may("sign", err)
		c.Wait(3 * time.Hour)
	}
	for steps := 0; ; steps++ {
		game, left := session.Current()
		if !left {
			break
		}
		c.Game = game.Number
		switch c.IntN(6) {
		case 0:
			b := command.BarPlayer{OfPlayer: command.OfPlayer{InSession: command.During(c.Ref()),
				Player: uint32(1 + c.IntN(len(c.fetched)))}, FeeVoid: c.IntN(2) == 0, Reason: "a device"}
			err := c.Do(b, cases.Supervisor)
			c.may("bar", err)
		case 1, 2:
			c.spoil()
		case 3:
			c.fetch()
		case 4:
			if err := c.Do(command.CloseSession{InSession: command.During(c.Ref())}, cases.Supervisor); c.may("close early",
				err) {
				return c.settle(session.Set.FeeCents)
			}
		case 5:
			if _, err := c.Announce(); c.may("announce", err) && c.IntN(2) == 0 {
				_, err := c.Call(0)
				c.must(err)
			}
		}
	}
	err = c.Do(command.CloseSession{InSession: command.During(c.Ref())}, cases.Supervisor)
	c.must(err)
	return c.settle(session.Set.FeeCents)
}

// spoil declares the game in play void in some way.
func (c *refunder) spoil() {
	v := command.VoidBingo{InGame: command.At(c.Playing()), Reason: "it happened", NoneFollows: c.IntN(5) == 0,
		Refund: c.IntN(2) == 0}
	v.Cause = string([]hall.Cause{hall.CauseTerminal, hall.CauseDisruption, hall.CauseFraud}[c.IntN(3)])
	if c.IntN(3) == 0 {
		v.Forfeited = []uint32{uint32(1 + c.IntN(len(c.fetched)))}
	}
	voided, err := cases.Done[*record.BingoVoided](c.Room, v, cases.Casino)
	if c.may("void", err) {
		for _, player := range voided.Forfeited {
			c.forfeited[player-1] = true
		}
	}
}

// fetch lets everybody ask for what goes back.
func (c *refunder) fetch() {
	for i := range c.fetched {
		paid, err := cases.Done[*record.RefundPaid](c.Room,
			command.PayRefund{OfPlayer: command.OfPlayer{InSession: command.During(c.Ref()), Player: uint32(i + 1)}},
			cases.Dealer)
		if c.may("refund", err) {
			c.fetched[i] += paid.Cents
		}
	}
}

// settle fetches what is left and compares.
func (c *refunder) settle(fee money.Amount) (whole int) {
	c.t.Helper()
	c.fetch()
	session := c.Hall().Sessions[c.Session-1]
	for i, fetched := range c.fetched {
		if fetched > fee {
			c.t.Errorf("session %d: player %d paid %v and has %v back", c.Session, i+1, fee, fetched)
		}
		if all := session.Refunded || session.Players[i].FeeVoid; all && !c.forfeited[i] {
			whole++
			if fetched != fee {
				c.t.Errorf("session %d: player %d paid %v, all of it goes back, and has %v", c.Session, i+1, fee, fetched)
			}
		}
	}
	return whole
}
