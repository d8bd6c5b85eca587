package hall_test

import (
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// evening is a session that a test tells as it happens. Each line of the story fails
// the test if it cannot happen.
type evening struct {
	*cases.Room
	t *testing.T
}

const cards = "K7"

func newEvening(t *testing.T, seed string, games int, levels ...command.Level) evening {
	t.Helper()
	room, err := cases.NewRoom(seed, time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC), levels...)
	e := evening{room, t}
	e.must(err)
	e.must(room.AddCards(cards, 6, 101, 60, games))
	for _, member := range []string{"ann", "bob", "cay", "dan"} {
		e.must(room.Join(member))
	}
	return e
}

func (e evening) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatalf("game %d: %v", e.Game, err)
	}
}

// announce announces the game in play and compares the prize of bingo.
func (e evening) announce(bingo money.Amount) {
	e.t.Helper()
	announced, err := e.Announce()
	e.must(err)
	if announced.Prizes[0].Cents != bingo {
		e.t.Errorf("game %d plays for %v, want %v", e.Game, announced.Prizes[0].Cents, bingo)
	}
}

// call calls what a box lacks for a pattern, less so many numbers.
func (e evening) call(book uint32, box int, pattern string, less int) {
	e.t.Helper()
	e.must(e.Complete(cards, book, box, pattern, less))
}

// claims claims a box; want is how the check ends: accepted, or the code.
func (e evening) claims(book uint32, box uint8, pattern, want string) uint16 {
	e.t.Helper()
	checked, err := e.Win(cards, book, box, pattern)
	e.must(err)
	got := checked.Code
	if checked.Accepted {
		got = "accepted"
	}
	if got != want {
		e.t.Errorf("game %d: %s on book %d is %s (%s), want %s", e.Game, pattern, book, got, checked.Clause, want)
	}
	return checked.Claim
}

// finish ends the game in play, says who has what of the prize of bingo, and goes on
// to the next game.
func (e *evening) finish(share money.Amount, cards uint16) *record.BingoSettled {
	e.t.Helper()
	settled, err := e.Finish()
	e.must(err)
	for _, p := range settled.Prizes {
		if p.Pattern == record.PatternBingo && (p.ShareCents != share || p.Cards != cards) {
			e.t.Errorf("game %d: %d cards have %v each, want %d with %v", e.Game, p.Cards, p.ShareCents, cards, share)
		}
	}
	e.Game++
	return settled
}

// plain plays a game that one card wins.
func (e *evening) plain(book uint32) {
	e.t.Helper()
	e.announce(100_00)
	e.call(book, 1, record.PatternBingo, 0)
	e.claims(book, 1, record.PatternBingo, "accepted")
	e.finish(100_00, 1)
}

func (e evening) balance(a ledger.Account) money.Amount { return -e.Engine.State().Balances().Of(a) }

// TestSession plays a session of 20 games from the first fee to the last payment:
// minor games, shared prizes, a forfeited claim, a corrected call, a void game whose
// prizes roll on, an electronic card that fails, a jackpot that is not won and one
// that is. In the end the books agree with the room, and package verify with both.
func TestSession(t *testing.T) {
	e := newEvening(t, "a session of 20 games", 20,
		command.Level{Name: "major", Within: 40, Share: 7000, SeedCents: 2000_00},
		command.Level{Name: "minor", Share: 3000, SeedCents: 500_00})

	// Every game pays $100.00 for bingo. The first five have a minor game, and games 10
	// and 20 play for the jackpot.
	set := record.SessionSet{Day: day.MustParse("2026-11-15"), FeeCents: 25_05, BooksMax: 3, Series: []string{cards}}
	for g := 1; g <= 20; g++ {
		plan := record.BingoPlan{Prizes: []record.PatternPrize{{Pattern: record.PatternBingo, Cents: 100_00}}}
		if g <= 5 {
			plan.Prizes = append(plan.Prizes, record.PatternPrize{Pattern: "top-line", Cents: 20_00})
		}
		if g == 10 || g == 20 {
			plan.JackpotNumbers, plan.JackpotShare = 5, 10000
		}
		set.Games = append(set.Games, plan)
	}
	_, err := e.Set(set)
	e.must(err)

	// Four members enter. Ann has three books, Cay plays on an electronic card, and book
	// 107 is returned unsold.
	_, err = e.Enter("ann", cards, 101, 103, 0)
	e.must(err)
	_, err = e.Enter("bob", cards, 104, 105, 0)
	e.must(err)
	_, err = e.Enter("cay", cards, 106, 106, 9)
	e.must(err)
	_, err = e.Enter("dan", cards, 108, 108, 0)
	e.must(err)
	issued, err := e.Issue(cards, 101, 108, 107)
	e.must(err)
	// 80% of $100.20 is $80.16, of which the major level has 70%: $56.112.
	if want := []record.Exact{5611_2000, 2404_8000}; issued.Contributions[0] != want[0] ||
		issued.Contributions[1] != want[1] {
		t.Errorf("contributions %v, want %v", issued.Contributions, want)
	}

	// Game 1: a top line on the way, and one bingo.
	e.announce(100_00)
	e.call(101, 1, "top-line", 0)
	line := e.claims(101, 1, "top-line", "accepted")
	e.call(104, 2, record.PatternBingo, 0)
	won := e.claims(104, 2, record.PatternBingo, "accepted")
	e.finish(100_00, 1)
	e.pay(1, line, 20_00, 0)
	e.pay(1, won, 100_00, 0)

	// Game 2: Bob calls a line that he has not got, and plays on. Then the same number
	// completes boxes of Bob and Dan, who share.
	e.announce(100_00)
	e.call(104, 1, "top-line", 1)
	e.claims(104, 1, "top-line", string(hall.NotComplete))
	e.share(104, 108)

	// Game 3: Dan completes a box and says nothing. On the next number it is too late, for
	// this box and for the other boxes of his card.
	e.announce(100_00)
	e.call(108, 1, "top-line", 0)
	_, err = e.Call(0)
	e.must(err)
	e.claims(108, 1, "top-line", string(hall.CalledLate))
	e.call(108, 2, "top-line", 0)
	e.claims(108, 2, "top-line", string(hall.Forfeited))
	e.call(108, 2, record.PatternBingo, 0)
	e.claims(108, 2, record.PatternBingo, "accepted") // Only that one prize was forfeited.
	e.finish(100_00, 1)

	// Game 4: the last number that Ann needs is announced wrongly. Nobody calls, another
	// number follows, and the correction lets her call.
	e.announce(100_00)
	e.call(101, 1, record.PatternBingo, 0)
	calls := e.Standing().Calls
	last := calls[len(calls)-1]
	wrong, err := e.Call(0)
	e.must(err)
	err = e.Do(command.CorrectCall{InGame: command.At(e.Playing()), Number: last, Wrong: other(last, uint8(wrong))},
		cases.Dealer)
	e.must(err)
	e.claims(101, 1, record.PatternBingo, "accepted")
	e.finish(100_00, 1)

	// Game 5: the terminal fails after a minor prize was won and paid. That stands; the
	// prize of bingo rolls into game 6.
	e.announce(100_00)
	e.call(105, 3, "top-line", 0)
	line = e.claims(105, 3, "top-line", "accepted")
	_, err = e.Call(0)
	e.must(err)
	e.pay(5, line, 20_00, 0)
	err = e.Do(command.VoidBingo{InGame: command.At(e.Playing()), Cause: string(hall.CauseTerminal), Reason: "power"},
		cases.Supervisor)
	e.must(err)
	e.Game++

	// Game 6 plays for both. Two boxes of one card are one share.
	e.announce(200_00)
	e.call(106, 1, record.PatternBingo, 0)
	e.claims(106, 1, record.PatternBingo, "accepted")
	e.finish(200_00, 1)

	// Game 7: Cay's electronic card fails on the number that she needs. Play stops, the
	// new one has all numbers marked, and she calls.
	e.announce(100_00)
	e.call(106, 2, record.PatternBingo, 0)
	failed := command.OfDevice{InSession: command.During(e.Ref()), Device: 9}
	err = e.Do(command.FailDevice{OfDevice: failed}, cases.Dealer)
	e.must(err)
	if _, err := e.Call(0); err == nil {
		t.Error("a number was called while an electronic card was replaced")
	}
	replaced, err := cases.Done[*record.DeviceReplaced](e.Room, command.ReplaceDevice{OfDevice: failed, With: 10},
		cases.Dealer)
	e.must(err)
	if len(replaced.Marked) != len(e.Standing().Calls) {
		t.Errorf("%d numbers are marked of %d", len(replaced.Marked), len(e.Standing().Calls))
	}
	e.claims(106, 2, record.PatternBingo, "accepted")
	e.finish(100_00, 1)

	e.plain(102)
	e.plain(103)

	// Game 10 plays for the jackpot, and the bingo does not end on one of its numbers.
	e.must(e.DrawJackpot(1, 2, 3, 4, 5))
	e.announce(100_00)
	e.endOn(105, 1, 60)
	e.claims(105, 1, record.PatternBingo, "accepted")
	if settled := e.finish(100_00, 1); len(settled.Levels) != 0 {
		t.Errorf("the jackpot was won by %v", settled.Levels)
	}

	for range 9 {
		e.plain(102)
	}

	// Game 20: the bingo ends on a jackpot number, but only after 40 numbers. That is the
	// lower level; the higher one carries on.
	box, err := e.Box(cards, 103, 4)
	e.must(err)
	final := box.Number(14)
	e.must(e.DrawJackpot(final))
	e.announce(100_00)
	e.call(103, 4, record.PatternBingo, 1)
	for len(e.Standing().Drawn) < 45 {
		_, err := e.Call(e.harmless(final))
		e.must(err)
	}
	_, err = e.Call(final)
	e.must(err)
	won = e.claims(103, 4, record.PatternBingo, "accepted")
	settled := e.finish(100_00, 1)
	if len(settled.Levels) != 1 || settled.Levels[0].Level != 2 || settled.Levels[0].ShareCents != 524_04 {
		t.Errorf("the jackpot went to %+v", settled.Levels)
	}
	e.pay(20, won, 100_00, 524_04)
	if e.Hall().PoolCents(1) != 2056_11 || e.Hall().PoolCents(2) != 0 {
		t.Errorf("the levels stand at %v and %v", e.Hall().PoolCents(1), e.Hall().PoolCents(2))
	}

	// The electronic card comes back and the session closes.
	if err := e.Do(command.CloseSession{InSession: command.During(e.Ref())}, cases.Dealer); err == nil {
		t.Error("the session closed with an electronic card out")
	}
	err = e.Do(command.ReturnDevice{OfDevice: command.OfDevice{InSession: command.During(e.Ref()), Device: 10}},
		cases.Dealer)
	e.must(err)
	err = e.Do(command.CloseSession{InSession: command.During(e.Ref())}, cases.Dealer)
	e.must(err)

	e.must(cases.CheckHall(e.Engine.State()))
	// 20 prizes of bingo, one of them rolled on, the top lines of games 1 and 5, and a level.
	if paid, owed := e.paid(), e.balance(ledger.HallPrizes); paid+owed != 20*100_00+2*20_00+524_04 {
		t.Errorf("%v were paid and %v are owed", paid, owed)
	}
	e.replays()
	e.verifies()
}

// share completes a box of each of two books with one number, and lets both call.
func (e *evening) share(one, two uint32) {
	e.t.Helper()
	number, boxOne, boxTwo := e.common(one, two)
	for _, side := range []struct {
		book uint32
		box  int
	}{{one, boxOne}, {two, boxTwo}} {
		box, err := e.Box(cards, side.book, side.box)
		e.must(err)
		for place := range 15 {
			if n := box.Number(place); n != number && !e.isCalled(n) {
				_, err := e.Call(n)
				e.must(err)
			}
		}
	}
	_, err := e.Call(number)
	e.must(err)
	e.claims(one, uint8(boxOne), record.PatternBingo, "accepted")
	e.claims(two, uint8(boxTwo), record.PatternBingo, "accepted")
	e.finish(50_00, 2)
}

// common returns a number that was not called and the boxes of two books that have
// it: each card has every number once.
func (e evening) common(one, two uint32) (number, boxOne, boxTwo int) {
	e.t.Helper()
	for n := 1; n <= 90; n++ {
		if !e.isCalled(n) {
			return n, e.boxWith(one, n), e.boxWith(two, n)
		}
	}
	e.t.Fatal("all numbers are called")
	return 0, 0, 0
}

func (e evening) boxWith(book uint32, number int) int {
	for box := 1; box <= 6; box++ {
		b, err := e.Box(cards, book, box)
		e.must(err)
		if _, ok := b.Place(number); ok {
			return box
		}
	}
	return 0
}

func (e evening) isCalled(n int) bool {
	for _, called := range e.Standing().Drawn {
		if int(called) == n {
			return true
		}
	}
	return false
}

// endOn completes a box with a number from some number on.
func (e evening) endOn(book uint32, box, from int) {
	e.t.Helper()
	b, err := e.Box(cards, book, box)
	e.must(err)
	last := 0
	for place := range 15 {
		if n := b.Number(place); n >= from {
			last = n
		}
	}
	for place := range 15 {
		if n := b.Number(place); n != last {
			_, err := e.Call(n)
			e.must(err)
		}
	}
	_, err = e.Call(last)
	e.must(err)
}

// harmless returns a number that was not called and is not the one given.
func (e evening) harmless(not int) int {
	for n := 1; n <= 90; n++ {
		if n != not && !e.isCalled(n) {
			return n
		}
	}
	return 0
}

func other(a, b uint8) uint8 {
	for n := uint8(1); ; n++ {
		if n != a && n != b {
			return n
		}
	}
}

// pay pays a claim in cash.
func (e evening) pay(game uint8, claim uint16, prize, jackpot money.Amount) {
	e.t.Helper()
	p := command.PayBingo{OfClaim: command.OfClaim{InGame: command.At(e.Playing()), Claim: claim}}
	p.Game = game
	if prize > 0 {
		p.Prize = []command.MediumPart{{Medium: string(record.MediumCash), Cents: prize.Cents()}}
	}
	if jackpot > 0 {
		p.Jackpot = []command.MediumPart{{Medium: string(record.MediumCheque), Cents: jackpot.Cents()}}
	}
	e.must(e.Do(p, cases.Dealer))
}

// paid adds up what was paid to winners.
func (e evening) paid() (sum money.Amount) {
	for _, session := range e.Hall().Sessions {
		for i := range session.Games {
			for _, c := range session.Games[i].Claims {
				if c.Paid {
					sum += c.Share.Cents + c.Share.JackpotCents
				}
			}
		}
	}
	return sum
}

// replays folds the journal again and compares the state, to the hash.
func (e evening) replays() {
	e.t.Helper()
	e.must(e.Take())
	again := state.New()
	for _, data := range e.Records {
		r, err := record.Decode(data)
		e.must(err)
		e.must(again.Apply(r))
	}
	if again.Hash() != e.Engine.State().Hash() {
		e.t.Error("the journal folds into another state")
	}
}

// verifies has package verify check the journal.
func (e evening) verifies() {
	e.t.Helper()
	report, err := e.Verify()
	e.must(err)
	if !report.OK() {
		e.t.Error(report.Failure)
	}
}
