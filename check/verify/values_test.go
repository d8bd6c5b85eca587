package verify

import (
	"os"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestPromotionByItsBooks: the rulebook of today says where money comes from, and that of the games says what may be
// offered in them.
func TestPromotionByItsBooks(t *testing.T) {
	vic := rulesOf(t, "vic-keno-2015")
	with := func(change func(*rules)) *rules {
		r, policy := *vic, *vic.promotions
		r.promotions = &policy
		change(&r)
		return &r
	}
	none := with(func(r *rules) { r.promotions.FromFund = false })
	fewer := with(func(r *rules) { r.bets = map[string]*betRules{} })
	absent := with(func(r *rules) { r.promotions = nil })
	for name, x := range map[string]struct {
		now, later *rules
		from       uint32
		pool       bool
		want       string
	}{
		"offered by both":              {vic, vic, 5, false, ""},
		"not from the fund today":      {none, vic, 5, false, "from the prize fund, and the rulebook gives none"},
		"no promotions today":          {absent, vic, 5, false, "from the prize fund, and the rulebook gives none"},
		"a pool that there is not":     {vic, vic, 5, true, "has none"},
		"not in those games":           {vic, none, 5, false, "offers no prizes beyond its schedules"},
		"in a game before the change":  {vic, none, 4, false, ""},
		"a bet that is not sold then":  {vic, fewer, 5, false, "no classic of 3 spots is sold"},
		"a bet that is sold only then": {fewer, vic, 5, false, ""},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			c := outAt(record.Place{})
			c.level = level
			c.series[1] = &series{changes: []change{{terms: &terms{rules: x.now}}, {5, &terms{rules: x.later}}}}
			b := &record.PromotionBegun{Series: 1, Number: 1, From: x.from, Bet: "classic", Spots: 3, Matched: 3, Pool: x.pool}
			_, err := c.promotionBegun(b)
			want := x.want
			if level < record.LevelGuarded && strings.HasPrefix(name, "no") && x.now != vic || level < record.LevelGuarded &&
				x.pool {
				want = "" // An earlier program did not ask; it is listed.
				if c.report.FindingCount != 1 {
					t.Errorf("%s: %d findings", name, c.report.FindingCount)
				}
			}
			objects(t, name, err, want)
		}
	}
}

// TestOfficialAndKeyings asks what the rulebook of a game says of its balls: how many people key them, and whether the
// balls are the official record.
func TestOfficialAndKeyings(t *testing.T) {
	casino := rulesOf(t, "casino-keno-div2")
	text, err := os.ReadFile("../../rulebook/rules/casino-keno-div2/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	book, err := rulebook.Load("casino", []byte(strings.NewReplacer("    official: true\n    official_clause: \"11.1\"\n",
		"", "keyings: 2", "keyings: 3").Replace(string(text))))
	if err != nil {
		t.Fatal(err)
	}
	other, err := newRules(book)
	if err != nil || book.Draw().Official || book.Draw().Keyings != 3 {
		t.Fatal(err, book.Draw())
	}
	name := record.Game{Series: 1, Day: day.MustParse("2026-11-16"), Number: 1}
	for what, x := range map[string]struct {
		rules            *rules
		level            uint8
		starts, corrects string
	}{
		"two key, and the balls count": {casino, record.LevelGuarded, "", ""},
		"three would key, and nothing says": {other, record.LevelGuarded, "asks for 3",
			"does not make the balls the official record"},
		"the same, by an earlier program": {other, record.LevelFirst, "", ""},
	} {
		at := func(stage stage) *checker {
			c := outAt(record.Place{})
			c.level = x.level
			c.people.persons = map[uint32]*member{1: {}, 2: {}}
			g := &game{name: name, ordinal: 1, stage: stage, terms: &terms{rules: x.rules},
				device: device{kind: record.DeviceCage}, past: &past{}}
			c.series[1] = &series{changes: []change{{terms: g.terms}}, games: []*game{g}, byName: map[record.Game]*game{name: g},
				day: name.Day, cage: cage{counted: true}}
			return c
		}
		objects(t, what+": start", at(stageSealed).cageStarted(&record.CageStarted{Game: name, Draw: 1,
			Recorders: [2]uint32{1, 2}, By: 1}), x.starts)
		if x.starts == "" {
			stopped, want := at(stageSealed), ""
			stopped.series[1].paused = true
			if x.level >= record.LevelGuarded {
				want = "while play is paused"
			}
			objects(t, what+": start while play is stopped", stopped.cageStarted(&record.CageStarted{Game: name, Draw: 1,
				Recorders: [2]uint32{1, 2}, By: 1}), want)
		}
		err := at(stageSettled).resultCorrected(&record.ResultCorrected{Game: name})
		if strings.Contains(err.Error(), "official record") != (x.corrects != "") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
