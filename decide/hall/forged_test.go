package hall_test

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/internal/cases"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

const forgedSeed = "a room that is changed"

// single is an evening of games with a minor prize, for two players. Games play for the
// jackpot if so many numbers are drawn for it.
func single(t *testing.T, games int, jackpot uint8) evening {
	t.Helper()
	e := newEvening(t, forgedSeed, games)
	set := record.SessionSet{Day: day.MustParse("2026-11-15"), FeeCents: 10_00, BooksMax: 3, Series: []string{cards}}
	for range games {
		set.Games = append(set.Games, record.BingoPlan{JackpotNumbers: jackpot,
			Prizes: []record.PatternPrize{{Pattern: record.PatternBingo, Cents: 100_00}, {Pattern: "top-line", Cents: 20_00}}})
	}
	_, err := e.Set(set)
	e.must(err)
	_, err = e.Enter("ann", cards, 101, 101, 0)
	e.must(err)
	_, err = e.Enter("bob", cards, 102, 102, 0)
	e.must(err)
	return e
}

// issued closes the issue.
func (e evening) issued() {
	e.t.Helper()
	_, err := e.Issue(cards, 101, 102)
	e.must(err)
}

// forge has package verify read the journal with one more record, which no house of this
// build would write, and expects it to object with some words.
func (e evening) forge(words string, body record.Body, postings ...ledger.Posting) {
	e.t.Helper()
	e.must(e.Take())
	house, _, err := journal.GenerateKey(cases.NewScript(sha256.Sum256([]byte(forgedSeed))), "case.example")
	e.must(err)
	signer, err := journal.ParseSigner(house)
	e.must(err)
	last, err := record.Decode(e.Records[len(e.Records)-1])
	e.must(err)
	if failure := e.verifyPrefix(signer, len(e.Records)-1, e.Records[len(e.Records)-1]); failure != nil {
		e.t.Fatalf("verify does not take the journal without it: %v", failure)
	}
	data, err := record.Encode(record.Record{Time: last.Time, Postings: ledger.Merge(postings...), Body: body})
	e.must(err)
	failure := e.verifyPrefix(signer, len(e.Records), data)
	if failure == nil || !strings.Contains(failure.Reason, words) {
		e.t.Errorf("verify says %v of %T, and should say: %s", failure, body, words)
	}
}

// TestForgedJackpot says of a bingo on another number that a correction made it one for
// the jackpot.
//
//rule:nsw-bingo-2019 6.5.2 8.3
func TestForgedJackpot(t *testing.T) {
	e := single(t, 1, 1)
	e.issued()
	box, err := e.Box(cards, 101, 1)
	e.must(err)
	e.must(e.DrawJackpot(box.Number(0)))
	e.announce(100_00)
	e.call(101, 1, record.PatternBingo, 0)
	opened, err := e.Claim(cards, 101, 1, record.PatternBingo)
	e.must(err)
	err = e.Do(command.CorrectCall{InGame: command.At(e.Playing()), Number: uint8(box.Number(0)),
		Wrong: uint8(e.harmless(0))}, cases.Dealer)
	e.must(err)
	checked := &record.ClaimChecked{Game: e.Playing(), Claim: opened.Claim, Accepted: true, InHand: true, Marked: true,
		Player: 1, Number: uint8(box.Number(0)), Level: 1, By: cases.Supervisor}
	e.forge("number", checked)
	checked.Number = uint8(box.Number(14))
	e.forge("level", checked)
}

// TestForgedSecondClaim claims a box again that was found good, and one that is being
// checked.
//
//rule:nsw-bingo-2019 7.2 9.4.2
func TestForgedSecondClaim(t *testing.T) {
	e := single(t, 1, 0)
	e.issued()
	e.announce(100_00)
	e.call(101, 1, record.PatternBingo, 0)
	opened, err := e.Claim(cards, 101, 1, record.PatternBingo)
	e.must(err)
	again := *opened
	again.Claim = 2
	e.forge("box of claim 1", &again)
	_, err = e.Check(1)
	e.must(err)
	e.forge("box of claim 1", &again)
}

// TestForgedSecondRefund gives the wagers of a game back a second time.
//
//rule:nsw-bingo-2019 9.5
func TestForgedSecondRefund(t *testing.T) {
	e := single(t, 2, 0)
	e.issued()
	e.announce(100_00)
	e.call(101, 1, "top-line", 0)
	e.claims(101, 1, "top-line", "accepted")
	e.call(102, 1, record.PatternBingo, 0)
	e.claims(102, 1, record.PatternBingo, "accepted")
	e.finish(100_00, 1)
	ref := record.BingoGame{Hall: 1, Session: 1, Game: 1}
	err := e.Do(command.InvalidateBingo{InGame: command.At(ref), Claims: []uint16{1}, Reason: "forged", Refund: true,
		Forfeited: []uint32{1}}, cases.Casino)
	e.must(err)
	e.forge("a second time", &record.OutcomeInvalidated{
		Game: ref, Reason: "forged", Clause: "9.4.2", Claims: []uint16{2},
		Rolled:   []record.PatternPrize{{Pattern: record.PatternBingo, Cents: 100_00}},
		Restored: []money.Amount{0}, RefundCents: 5_00, Forfeited: []uint32{2}, By: cases.Casino,
	}, ledger.Debit(ledger.HallPrizes, 0, 100_00), ledger.Credit(ledger.Operator, 0, 100_00),
		ledger.Debit(ledger.Operator, 0, 5_00), ledger.Credit(ledger.HallRefunds, 0, 5_00))
}

// TestForgedAward awards a game twice, and to somebody who did not play.
//
//rule:nsw-bingo-2019 9.10
func TestForgedAward(t *testing.T) {
	e := single(t, 1, 0)
	e.issued()
	e.announce(100_00)
	for _, member := range []string{"ann", "ann", "cay"} {
		err := e.Do(command.RaiseDispute{InRoom: command.InRoom{Hall: 1}, Session: 1, Game: 1, Member: member,
			Subject: "a call"}, cases.Dealer)
		e.must(err)
	}
	all := int64(120_00)
	for n, award := range []*int64{&all, nil, nil} {
		dispute := command.OfDispute{InRoom: command.InRoom{Hall: 1}, Dispute: uint32(n + 1)}
		e.must(e.Do(command.MoveDispute{OfDispute: dispute, Step: "decided", Text: "yes", AwardCents: award},
			cases.Supervisor))
	}
	one := []ledger.Posting{ledger.Debit(ledger.Operator, 0, 1), ledger.Credit(ledger.HallPrizes, 0, 1)}
	e.forge("worth $0.00", &record.DisputeAwarded{Hall: 1, Dispute: 2, Cents: 1, By: cases.Supervisor}, one...)
	e.forge("did not play", &record.DisputeAwarded{Hall: 1, Dispute: 3, Cents: 1, By: cases.Supervisor}, one...)
}

// TestForgedElectronicCard issues an electronic card that is out in another session, and a
// terminal of the house.
//
//rule:nsw-bingo-2019 3.2.2
func TestForgedElectronicCard(t *testing.T) {
	e := single(t, 1, 0)
	_, err := e.Enter("cay", cards, 103, 103, 7)
	e.must(err)
	set := e.Hall().Sessions[0].Set
	_, err = e.Set(set)
	e.must(err)
	if _, err = e.Enter("cay", cards, 104, 104, 7); err == nil {
		t.Error("a card that is out in one session is issued in another")
	}
	entered := record.PlayerEntered{
		Hall: 1, Session: 2, Player: 1, Member: "cay", FeeCents: 10_00, Device: 7,
		Books: []record.BookRange{{Series: cards, First: 104, Last: 104}}, By: cases.Dealer,
	}
	fee := []ledger.Posting{ledger.Debit(ledger.Cash, 1, 10_00), ledger.Credit(ledger.EntryFees, 0, 10_00)}
	e.forge("is out in room 1, session 1", &entered, fee...)
	entered.Device = 1
	e.forge("is a writer", &entered, fee...)
}

// TestForgedTable brings the cards of one room into another.
//
//rule:nsw-bingo-2019 2.3.3 7.7
func TestForgedTable(t *testing.T) {
	e := single(t, 1, 0)
	second := e.Hall().Opened
	second.Hall, second.Name = 2, "second"
	e.must(e.Do(openOf(second), cases.Supervisor))
	e.must(e.Take())
	file := e.Objects[hall.TableName(1, cards)]
	var refused *refusal.Refusal
	err := e.Do(command.AddTable{InRoom: command.InRoom{Hall: 2}, File: file}, cases.Supervisor)
	if !errors.As(err, &refused) || refused.Code != hall.TableExists || refused.Clause != "7.7" {
		t.Errorf("the table of room 1 is brought into room 2: %v", err)
	}
	added := e.Hall().Tables[0].Added
	added.Hall = 2
	e.Objects[hall.TableName(2, cards)] = file
	e.forge("which has its books", &added)
}

// TestForgedLevel opens a room with a level of the jackpot that nobody can win.
//
//rule:nsw-bingo-2019 4.6 6.4 7.3
func TestForgedLevel(t *testing.T) {
	e := single(t, 1, 0)
	second := e.Hall().Opened
	second.Hall, second.Name = 2, "second"
	second.Levels = []record.JackpotLevel{{Name: "high", Within: 14, Share: 5000}, {Name: "low", Share: 5000}}
	var refused *refusal.Refusal
	if err := e.Do(openOf(second), cases.Supervisor); !errors.As(err, &refused) || refused.Code != hall.LevelsWrong ||
		refused.Clause != "4.6" {
		t.Errorf("a level within 14 numbers: %v", err)
	}
	e.forge("before any bingo can come", &second)
	second.Levels[0].Within = 90
	if err := e.Do(openOf(second), cases.Supervisor); !errors.As(err, &refused) || refused.Code != hall.LevelsWrong ||
		refused.Clause != "7.3" {
		t.Errorf("a level within 90 numbers: %v", err)
	}
	e.forge("is won by every bingo", &second)
	second.Levels[0].Within = 15
	e.must(e.Do(openOf(second), cases.Supervisor))
}

// openOf opens a room as a record says it.
func openOf(b record.HallOpened) command.OpenHall {
	c := command.OpenHall{InRoom: command.InRoom{Hall: b.Hall}, Name: b.Name, Venue: b.Venue,
		Rulebook: rulebook.Hash(b.Rulebook).String()}
	for _, l := range b.Levels {
		c.Levels = append(c.Levels, command.Level{Name: l.Name, Within: l.Within, Share: l.Share,
			SeedCents: l.SeedCents.Cents()})
	}
	return c
}

// TestForgedCorrection has a dealer alone correct a number after a bingo was found good.
//
//rule:nsw-bingo-2019 8.3
func TestForgedCorrection(t *testing.T) {
	e := single(t, 1, 0)
	e.issued()
	e.announce(100_00)
	e.call(101, 1, record.PatternBingo, 0)
	e.claims(101, 1, record.PatternBingo, "accepted")
	e.forge("was found good", &record.CallCorrected{Game: e.Playing(), Number: e.Standing().Calls[0],
		Wrong: uint8(e.harmless(0)), By: cases.Dealer})
}

// TestForgedJackpotCorrection corrects a jackpot number that was not drawn, and one when the
// calls have ended.
//
//rule:nsw-bingo-2019 6.5.1 8.3
func TestForgedJackpotCorrection(t *testing.T) {
	e := single(t, 1, 1)
	e.issued()
	correction := record.CallCorrected{Game: e.Playing(), Number: 5, Wrong: 6, Draw: record.DrawJackpot,
		By: cases.Supervisor}
	e.forge("was not drawn", &correction)
	box, err := e.Box(cards, 101, 1)
	e.must(err)
	e.must(e.DrawJackpot(box.Number(0)))
	correction.Number, correction.Wrong = uint8(e.harmless(0)), uint8(box.Number(0))
	e.forge("was not drawn", &correction)
	e.announce(100_00)
	correction.Number, correction.Wrong = correction.Wrong, correction.Number
	err = e.Do(command.CorrectCall{InGame: command.At(e.Playing()), Number: correction.Number, Wrong: correction.Wrong,
		Draw: "jackpot"}, cases.Supervisor)
	e.must(err)
	e.call(101, 1, record.PatternBingo, 0)
	e.claims(101, 1, record.PatternBingo, "accepted")
	e.finish(100_00, 1)
	e.forge("out of turn", &correction)
}

// TestForgedOwnJackpot has one person correct the number that makes a jackpot, and check the
// claim on it.
//
//rule:nsw-bingo-2019 6.5.2 8.3
func TestForgedOwnJackpot(t *testing.T) {
	e := single(t, 1, 1)
	e.issued()
	box, err := e.Box(cards, 101, 1)
	e.must(err)
	e.must(e.DrawJackpot(box.Number(14)))
	e.announce(100_00)
	e.call(101, 1, record.PatternBingo, 0)
	_, err = e.Call(e.harmless(0))
	e.must(err)
	e.must(e.Do(command.CorrectCall{InGame: command.At(e.Playing()), Number: uint8(box.Number(14)),
		Wrong: uint8(e.harmless(0))}, cases.Supervisor))
	_, err = e.Claim(cards, 101, 1, record.PatternBingo)
	e.must(err)
	checked := record.ClaimChecked{Game: e.Playing(), Claim: 1, InHand: true, Marked: true, Accepted: true, Player: 1,
		Number: uint8(box.Number(14)), Level: 1, By: cases.Supervisor}
	e.forge("checks the jackpot that it makes", &checked)
	checked.By, checked.Level = cases.Casino, 0
	e.forge("right is true", &checked)
}

// TestForgedDate sets a session of another date than that on which it begins.
//
//rule:nsw-bingo-2019 6.3.6
func TestForgedDate(t *testing.T) {
	e := single(t, 1, 0)
	set := e.Hall().Sessions[0].Set
	set.Day += 3
	set.Session = 2
	e.forge("begins at", &set)
}

// TestForgedDivision takes a claim away by fraud, and gives who shared with it another part
// of what fell than the rest of the prize.
//
//rule:nsw-bingo-2019 7.2 9.4.2
func TestForgedDivision(t *testing.T) {
	e := single(t, 2, 0)
	e.issued()
	e.announce(100_00)
	e.call(101, 1, "top-line", 0)
	e.claims(101, 1, "top-line", "accepted")
	e.call(102, 1, record.PatternBingo, 0)
	e.claims(102, 1, record.PatternBingo, "accepted")
	e.finish(100_00, 1)
	forged := record.OutcomeInvalidated{
		Game: record.BingoGame{Hall: 1, Session: 1, Game: 1}, Reason: "forged", Clause: "9.4.2", Claims: []uint16{1},
		Restored: []money.Amount{0}, By: cases.Casino,
		More: []record.ClaimShare{{Claim: 2, Cents: 20_00}},
	}
	e.forge("of what fell", &forged)
}
