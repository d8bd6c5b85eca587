package game_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/games/draw/cage"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// written returns a rulebook of the program with another text in one place, and without lines that begin with others.
func written(t *testing.T, id, old, now string, without ...string) *rulebook.Book {
	t.Helper()
	data, err := os.ReadFile("../../rulebook/rules/" + id + "/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not say %q", id, old)
	}
	text = strings.Replace(text, old, now, 1)
	for _, line := range without {
		text = regexp.MustCompile(`(?m)^ *`+line+`.*\n`).ReplaceAllString(text, "")
	}
	book, err := rulebook.Load(id, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return book
}

const firstDay = "2026-11-16"

// stateOf returns a state whose series plays by the first of some rulebooks and has adopted the others.
func stateOf(t *testing.T, books ...*rulebook.Book) *state.State {
	t.Helper()
	s := state.New()
	apply(t, s, &record.VolumeBegun{House: "rig.example", Volume: 1, Level: record.Level, Reason: record.ReasonFound,
		HouseKey: "h", DeviceKey: "d"})
	for _, book := range books {
		apply(t, s, &record.RulebookAdopted{ID: book.ID(), Hash: record.Hash(book.Hash()), Book: book.Canonical()})
	}
	apply(t, s, &record.SeriesBegun{Series: 1, Name: "keno", Rulebook: record.Hash(books[0].Hash()),
		Schedule: books[0].Schedules()[0].ID()})
	return s
}

func apply(t *testing.T, s *state.State, bodies ...record.Body) {
	t.Helper()
	for _, body := range bodies {
		if err := s.Apply(record.Record{Time: 1, Body: body}); err != nil {
			t.Fatal(err)
		}
	}
}

// refuses looks for a refusal by its code and a part of its sentence.
func refuses(t *testing.T, name string, err error, code refusal.Code, says string) {
	t.Helper()
	var refused *refusal.Refusal
	if !errors.As(err, &refused) || refused.Code != code || !strings.Contains(refused.Sentence, says) {
		t.Errorf("%s: %v, want %s with %q", name, err, code, says)
	}
}

// TestKeyingsAtStart: an earlier program may have adopted a rulebook that asks for other keyings than the house takes;
// no ball draw starts by it.
func TestKeyingsAtStart(t *testing.T) {
	for keyings, want := range map[string]refusal.Code{"2": game.NotACageEmployee, "3": cage.TwoRecorders} {
		book := written(t, "casino-keno-div2", "keyings: 2", "keyings: "+keyings)
		s, ref := stateOf(t, book), record.Game{Series: 1, Day: day.MustParse(firstDay), Number: 1}
		apply(t, s,
			&record.DeviceChosen{Series: 1, Device: record.DeviceCage},
			&record.DayOpened{Series: 1, Day: ref.Day},
			&record.GameOpened{Game: ref, Ordinal: 1, Rulebook: record.Hash(book.Hash()), Schedule: book.Schedules()[0].ID()},
			&record.GameClosed{Game: ref},
			&record.GameSealed{Game: ref, Seal: []byte{1}})
		_, _, err := game.StartCage(s, 1, 1, [2]uint32{1, 2}, 1)
		refuses(t, keyings+" keyings", err, want, "")
	}
}

// TestPromotionByItsBooks: money is set aside by the rulebook of today, and the conditions are those of the games for
// which the prize is offered.
func TestPromotionByItsBooks(t *testing.T) {
	const fund = "    from_prize_fund: true\n"
	vic := written(t, "vic-keno-2015", "edition: 1", "edition: 1")
	none := written(t, "vic-keno-2015", fund, "")
	fewer := written(t, "vic-keno-2015", "sizes: 1-10 15 20 40", "sizes: 1-10 15 20", "40: ")
	for name, x := range map[string]struct {
		now, later *rulebook.Book
		from       uint32
		spots      uint8
		code       refusal.Code
		says       string
	}{
		"offered by both":                {vic, vic, 5, 3, game.FundTooSmall, "to offer"},
		"not from the fund today":        {none, vic, 5, 3, game.NoPromotions, "offers no prizes"},
		"not in those games":             {vic, none, 5, 3, game.NoPromotions, "Game 5 is played by"},
		"in a game before the change":    {vic, none, 4, 3, game.FundTooSmall, "to offer"},
		"a size that is not sold then":   {vic, fewer, 5, 40, game.ConditionInvalid, "No way"},
		"a size that is sold only then":  {fewer, vic, 5, 40, game.FundTooSmall, "to offer"},
		"a size that is not sold as yet": {fewer, vic, 4, 40, game.ConditionInvalid, "No way"},
	} {
		s := stateOf(t, x.now)
		if x.later != x.now {
			apply(t, s, &record.RulebookAdopted{ID: x.later.ID(), Hash: record.Hash(x.later.Hash()), Book: x.later.Canonical()},
				&record.TermsChanged{Series: 1, From: 5, Rulebook: record.Hash(x.later.Hash()), Schedule: "schedule-1",
					Approval: "x"})
		}
		_, _, err := game.BeginPromotion(s, record.PromotionBegun{Series: 1, From: x.from, AmountCents: 100, Approval: "x",
			Bet: "classic", Spots: x.spots, Matched: 3})
		refuses(t, name, err, x.code, x.says)
	}
}

// TestChangeNeeds: a refusal names whose approval the rulebook asks for.
func TestChangeNeeds(t *testing.T) {
	for id, says := range map[string]string{"tas-keno-2023": "needs the reference of its approval by the commission.",
		"vic-keno-2015": "needs the reference of its approval."} {
		book := written(t, id, "edition: 1", "edition: 1")
		s := stateOf(t, book)
		bet := book.Bets()[0].ID()
		_, _, err := game.BeginPromotion(s, record.PromotionBegun{Series: 1, From: 1, AmountCents: 100, Bet: bet, Spots: 3,
			Matched: 3})
		refuses(t, id+" begun", err, game.ApprovalMissing, says)
		apply(t, s, &record.PromotionBegun{Series: 1, Number: 1, From: 1, AmountCents: 100, Approval: "x", Bet: bet, Spots: 3,
			Matched: 3})
		_, _, err = game.ChangePromotion(s, record.PromotionChanged{Series: 1, Number: 1, Paused: true})
		refuses(t, id+" changed", err, game.ApprovalMissing, says)
	}
}

// TestSuccessorNumbers: under a book for the successor the games have the numbers 0 to 9999 and begin anew
// after the last.
func TestSuccessorNumbers(t *testing.T) {
	for plays, of := range map[string]struct{ before, last, digits int }{
		"own": {998, 999, 0}, "successor": {9998, 9999, 4},
	} {
		book := written(t, "tas-keno-2023", "plays: own", "plays: "+plays)
		if n := book.Games().Numbering; n.First != 0 || n.Last != of.last || n.Digits != of.digits {
			t.Errorf("%s: the numbers are %d to %d of %d digits", plays, n.First, n.Last, n.Digits)
		}
		for before, want := range map[int]uint16{of.before: uint16(of.last), of.last: 0} {
			s := stateOf(t, book)
			pools, _, err := game.OpenPools(s, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := range pools {
				apply(t, s, &pools[i])
			}
			apply(t, s, &record.DayOpened{Series: 1, Day: day.MustParse(firstDay)})
			opened, err := game.Open(s, 1, 1000)
			if err != nil || opened.Game.Number != 0 {
				t.Fatalf("%s: the first game is %+v: %v", plays, opened, err)
			}
			opened.Game.Number = uint16(before)
			apply(t, s, opened)
			closed, _, err := game.Close(s, 1)
			if err != nil {
				t.Fatal(err)
			}
			apply(t, s, closed)
			if next, err := game.Open(s, 1, 1000); err != nil || next.Game.Number != want {
				t.Fatalf("%s: the game after %d is %+v, want %d: %v", plays, before, next, want, err)
			}
		}
	}
}
