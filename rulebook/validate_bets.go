package rulebook

import (
	"slices"

	"drawhouse/core/ball"
)

// The calls of a bet of form calls.
const (
	CallHeads = "heads"
	CallTails = "tails"
	CallEvens = "evens"
)

// calls are the outcomes that a bet of form calls has.
var calls = []string{CallHeads, CallTails, CallEvens}

func (c *checker) checkBets() {
	const list = "keno.bets"
	if len(c.keno.Bets) == 0 {
		c.add(list, "names no bet")
	}
	c.checkUnique(list, "id", len(c.keno.Bets), func(i int) string { return c.keno.Bets[i].ID })
	for i := range c.keno.Bets {
		bet, path := &c.keno.Bets[i], item(list, i)
		c.checkID(path+".id", bet.ID)
		if slices.Contains(reservedUses(), bet.ID) {
			c.add(path+".id", "%q is the name of a feature", bet.ID)
		}
		c.checkForm(path, bet)
		c.checkPicks(path+".picks", bet)
	}
}

// reservedUses are the keys of a schedule that are not bets.
func reservedUses() []string { return append(FeatureID("").words(), UseBonusJackpot) }

// checkForm checks that a bet has the parts of its form and no others.
func (c *checker) checkForm(path string, bet *BetFile) {
	numbers := bet.Form == FormNumbers
	c.checkPart(path+".sizes", bet.Form, numbers, bet.Sizes.Set().IsValid())
	c.checkPart(path+".calls", bet.Form, bet.Form == FormCalls, bet.Calls != nil)
	c.checkPart(path+".race", bet.Form, bet.Form == FormRace, bet.Race != nil)
	if bet.Jackpot && !numbers {
		c.add(path+".jackpot", "a bet of form %s plays for no jackpot", bet.Form)
	}
	if bet.Ways != nil {
		if !numbers {
			c.add(path+".ways", "a bet of form %s has no ways", bet.Form)
		}
		c.checkWays(path+".ways", bet.Ways)
	}
	if bet.Calls != nil {
		c.checkCalls(path+".calls", bet.Calls)
	}
	if bet.Race != nil {
		c.checkRace(path+".race", bet.Race)
	}
}

func (c *checker) checkPart(path string, form Form, wanted, present bool) {
	switch {
	case wanted && !present:
		c.add(path, "is missing in a bet of form %s", form)
	case present && !wanted:
		c.add(path, "does not belong in a bet of form %s", form)
	}
}

func (c *checker) checkWays(path string, w *Ways) {
	if !w.ByTypes && !w.ByGroups && !w.ByMarks && !w.All {
		c.add(path, "ways can be named neither by types, groups, marks nor all")
	}
	if w.MaxWays < 2 {
		c.add(path+".max_ways", "is %d; a way bet has 2 ways or more", w.MaxWays)
	}
}

func (c *checker) checkPicks(path string, bet *BetFile) {
	p := bet.Picks
	if p == nil {
		return
	}
	sizes := p.MysterySizes.Set()
	switch {
	case p.Quick == "" && p.Mystery == "":
		c.add(path, "names neither a quick nor a mystery pick")
	case p.Mystery == "" && (sizes.IsValid() || p.MysteryChannels != nil):
		c.add(path+".mystery", "is missing where its sizes or channels are given")
	case bet.Form != FormNumbers && sizes.IsValid():
		c.add(path+".mystery_sizes", "a bet of form %s has no sizes", bet.Form)
	case bet.Form == FormNumbers && p.Mystery != "" && !sizes.IsValid():
		c.add(path+".mystery_sizes", "is missing where there is a mystery pick")
	case sizes.IsValid() && bet.Sizes.Set().IsValid() && !bet.Sizes.Set().Contains(sizes):
		c.add(path+".mystery_sizes", "has %v, which the bet does not sell", Sizes(sizes.Minus(bet.Sizes.Set())))
	}
}

func (c *checker) checkCalls(path string, calls *Calls) {
	of, draw := c.keno.Numbers.Of, c.keno.Numbers.Draw
	if calls.LowerHalf*2 != of {
		c.add(path+".lower_half", "is %d, which is not half of %d numbers", calls.LowerHalf, of)
	}
	if calls.Majority*2 <= draw || calls.Majority > draw {
		c.add(path+".majority", "is %d, which is not more than half of the %d numbers drawn", calls.Majority, draw)
	}
	if calls.SeriesMax > c.keno.Games.Multi.Max {
		c.add(path+".series_max", "is %d, and the longest ticket has %d games", calls.SeriesMax, c.keno.Games.Multi.Max)
	}
	if calls.Run && calls.SeriesMax < 2 {
		c.add(path+".run", "needs a series of 2 games or more, and series_max is %d", calls.SeriesMax)
	}
}

func (c *checker) checkRace(path string, race *RaceFile) {
	if race.Rows < 2 || race.Rows*race.RowNumbers != c.keno.Numbers.Of {
		c.add(path+".rows", "%d rows of %d do not divide %d numbers", race.Rows, race.RowNumbers, c.keno.Numbers.Of)
	}
	if len(race.Types) == 0 {
		c.add(path+".types", "names no way to bet on the race")
	}
	list := path + ".types"
	c.checkUnique(list, "id", len(race.Types), func(i int) string { return race.Types[i].ID })
	for i, t := range race.Types {
		path := item(list, i)
		c.checkID(path+".id", t.ID)
		switch {
		case t.Places < 1 || t.Places > race.Rows:
			c.add(path+".places", "is %d; a race of %d rows has 1 to %d places", t.Places, race.Rows, race.Rows)
		case t.Within != 0 && (t.Within < t.Places || t.Within > race.Rows):
			c.add(path+".within", "is %d; it must be %d to %d", t.Within, t.Places, race.Rows)
		}
		if t.Ordered && t.Within > t.Places {
			c.add(path+".ordered", "is set although the places may be any of the first %d", t.Within)
		}
	}
}

func (c *checker) checkFeatures() {
	const list = "keno.features"
	c.checkUnique(list, "id", len(c.keno.Features), func(i int) string { return string(c.keno.Features[i].ID) })
	for i := range c.keno.Features {
		c.checkFeature(item(list, i), &c.keno.Features[i])
	}
	if c.keno.Multiplier != nil && c.keno.feature(FeatureMultiplier) == nil {
		c.add("keno.multiplier", "no feature %q uses it", FeatureMultiplier)
	}
}

func (c *checker) checkFeature(path string, f *FeatureFile) {
	if len(f.Bets) == 0 {
		c.add(path+".bets", "names no bet")
	}
	c.checkKnown(path+".bets", "bet", f.Bets, c.keno.betIDs())
	c.checkKnown(path+".run_only", "bet of this feature", f.RunOnly, f.Bets)
	for i, id := range f.RunOnly {
		if bet := c.keno.bet(id); bet != nil && (bet.Calls == nil || !bet.Calls.Run) {
			c.add(item(path+".run_only", i), "the prize of the bet %q does not run on", id)
		}
	}
	sold, ways := ball.Empty(ball.Keno), false
	for i, id := range f.Bets {
		bet := c.keno.bet(id)
		if bet == nil {
			continue
		}
		if f.ID == FeatureLuckyLast && bet.Form != FormNumbers {
			c.add(item(path+".bets", i), "the bet %q has no spots among which the last number could be", id)
		}
		if bet.Sizes.Set().IsValid() {
			sold = sold.Union(bet.Sizes.Set())
		}
		ways = ways || bet.Ways != nil
	}
	if sizes := f.Sizes.Set(); sizes.IsValid() && !sold.Contains(sizes) {
		c.add(path+".sizes", "has %v, which none of its bets sells", Sizes(sizes.Minus(sold)))
	}
	if f.Ways && !ways {
		c.add(path+".ways", "is set although none of its bets has ways")
	}
	if f.ID == FeatureMultiplier && c.keno.Multiplier == nil {
		c.add("keno.multiplier", "is missing; the feature %q needs it", f.Name)
	}
}

// namedOrAll reports whether a list that stands for everything when it is absent
// holds a name.
func namedOrAll(names []string, name string) bool {
	return len(names) == 0 || slices.Contains(names, name)
}
