package verify

import (
	"strings"
	"testing"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestTermsGoOn changes the terms of a series to rules under which its games can go on, and to others.
func TestTermsGoOn(t *testing.T) {
	const from, draws = 2, "schedule-1"
	written := func(old, now string) func(*rules) {
		return func(r *rules) {
			text := string(r.book.Canonical())
			if !strings.Contains(text, old) {
				t.Fatalf("the rulebook does not say %s", old)
			}
			book, err := rulebook.FromCanonical([]byte(strings.Replace(text, old, now, 1)))
			if err != nil {
				t.Fatal(err)
			}
			r.book = book
		}
	}
	for name, x := range map[string]struct {
		change func(*rules)
		level  uint8
		want   string
	}{
		"the same":                {func(*rules) {}, record.LevelGuarded, ""},
		"no jackpots":             {func(r *rules) { r.jackpots = nil }, record.LevelGuarded, ""},
		"numbers of another game": {func(r *rules) { r.of = 70 }, record.LevelGuarded, "the series draws 20 of 80"},
		"draws of more numbers": {func(r *rules) { r.draw = 22 }, record.LevelGuarded,
			"to draws of 22 of 80 numbers"},
		"another currency": {written("AUD", "NZD"), record.LevelGuarded,
			"to amounts in NZD, and the series has AUD"},
		"another clock": {written("Australia/Melbourne", "America/Los_Angeles"), record.LevelGuarded,
			"to the clock of America/Los_Angeles"},
		"a jackpot that nobody began": {func(r *rules) { r.jackpots = withPool(r.jackpots, 13) }, record.LevelGuarded,
			"to a jackpot of 13 spots"},
		"numbers of another game, once": {func(r *rules) { r.of = 70 }, record.LevelFirst, ""},
	} {
		c, now := outAt(record.Place{}), rulesOf(t, "vic-keno-2015")
		c.level, c.rules, c.terms = x.level, map[record.Hash]*rules{}, map[termsKey]*terms{}
		s := &series{changes: []change{{terms: &terms{rules: now}}}, pools: map[uint8]*pool{}}
		for _, of := range now.jackpots.Pools {
			s.pools[uint8(of.Spots)] = &pool{}
		}
		c.series[1] = s
		next := *now
		x.change(&next)
		hash := record.Hash(next.book.Hash())
		c.rules[hash] = &next
		err := c.termsChanged(&record.TermsChanged{Series: 1, From: from, Rulebook: hash, Schedule: draws, Approval: "x"})
		objects(t, name, err, x.want)
		if announced := len(s.changes) == 2; announced != (x.want == "") {
			t.Errorf("%s: announced %v", name, announced)
		}
		if x.level < record.LevelGuarded && c.report.FindingCount != 1 {
			t.Errorf("%s: %d findings", name, c.report.FindingCount)
		}
	}
}

// withPool returns jackpots with one more.
func withPool(of *rulebook.Jackpots, spots int) *rulebook.Jackpots {
	more := *of
	more.Pools = append(more.Pools[:len(more.Pools):len(more.Pools)], more.Pools[0])
	more.Pools[len(more.Pools)-1].Spots = spots
	return &more
}
