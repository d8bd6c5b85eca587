package rulebook

import (
	"fmt"
	"slices"
	"strings"
)

// part returns the part of a ticket's money that a limit counts.
func (l *Limit) part() Part {
	if l.Part == "" {
		return PartMain
	}
	return l.Part
}

// situation is a stake of which a limit either holds or does not.
type situation struct {
	bet     *BetFile
	channel Channel
	ways    int
	jackpot bool
	pool    bool
}

// String names what tells a situation from others of its bet.
func (s situation) String() string {
	words := []string{fmt.Sprintf("bet %q at channel %s", s.bet.ID, s.channel)}
	if s.bet.Ways != nil {
		words = append(words, fmt.Sprintf("with %d ways", s.ways))
	}
	if s.jackpot {
		words = append(words, "playing for a jackpot")
	}
	if s.pool {
		words = append(words, "in a bonus prize pool game")
	}
	return strings.Join(words, ", ")
}

// holds reports whether a limit binds a situation.
func (l *Limit) holds(s situation) bool {
	return namedOrAll(l.Bets, s.bet.ID) &&
		(len(l.Channels) == 0 || slices.Contains(l.Channels, s.channel)) &&
		l.Ways.Has(s.ways) &&
		(l.Jackpot == nil || *l.Jackpot == s.jackpot) &&
		(l.Pool == nil || *l.Pool == s.pool)
}

// maxLimits and maxBets bound the work of trying every limit on every bet.
const (
	maxLimits = 100
	maxBets   = 32
)

func (c *checker) checkLimits() {
	const list = "keno.limits"
	if len(c.keno.Limits) > maxLimits || len(c.keno.Bets) > maxBets {
		c.add(list, "a rulebook has at most %d limits and %d bets", maxLimits, maxBets)
		return
	}
	for i := range c.keno.Limits {
		c.checkLimit(item(list, i), &c.keno.Limits[i])
	}
	for i := range c.keno.Limits {
		for j := range i {
			c.checkLimitPair(j, i)
			c.checkLimitPair(i, j)
			c.checkLimitTwins(j, i)
		}
	}
	c.checkSituations()
	c.checkSideStakes()
}

// checkLimit checks one limit by itself.
func (c *checker) checkLimit(path string, l *Limit) {
	c.checkKnown(path+".bets", "bet", l.Bets, c.keno.betIDs())
	if l.Min == nil && l.Max == nil && l.Step == nil {
		c.add(path, "has neither min, max nor step")
	}
	if l.Step != nil && *l.Step == 0 {
		c.add(path+".step", "is nothing")
	}
	perBet := l.Measure == MeasureStake || l.Measure == MeasureBetGame
	if l.Ways != (Range{}) && !perBet {
		c.add(path+".ways", "a ticket's bets can have different numbers of ways; measure %s cannot depend on it",
			l.Measure)
	}
	if l.Jackpot != nil && !perBet {
		c.add(path+".jackpot", "a ticket can have bets with and without a jackpot; measure %s cannot depend on it",
			l.Measure)
	}
	if l.Pool != nil && (c.keno.Promotions == nil || !c.keno.Promotions.BonusPool) {
		c.add(path+".pool", "there is no bonus prize pool")
	}
	if l.Part == PartMultiplier && c.keno.feature(FeatureMultiplier) == nil || l.Part == PartLuckyLast &&
		c.keno.feature(FeatureLuckyLast) == nil {
		c.add(path+".part", "there is no feature %q", l.Part)
	}
	c.checkLimitOutcomes(path, l)
}

// checkLimitOutcomes checks the outcomes of an aggregate limit.
func (c *checker) checkLimitOutcomes(path string, l *Limit) {
	var known []string
	for i := range c.keno.Bets {
		if bet := &c.keno.Bets[i]; namedOrAll(l.Bets, bet.ID) {
			known = append(known, bet.outcomes()...)
		}
	}
	c.checkKnown(path+".outcomes", "outcome", l.Outcomes, known)
	switch {
	case l.Measure == MeasureAggregate && len(l.Outcomes) == 0:
		c.add(path+".outcomes", "is missing; measure %s counts the stakes on outcomes", l.Measure)
	case l.Measure != MeasureAggregate && len(l.Outcomes) > 0:
		c.add(path+".outcomes", "measure %s does not look at outcomes", l.Measure)
	case l.Measure == MeasureAggregate && (l.Min != nil || l.Step != nil):
		c.add(path, "measure %s has a max only", l.Measure)
	}
}

// outcomes returns what a bet on calls or a race can be on.
func (b *BetFile) outcomes() []string {
	switch {
	case b.Calls != nil:
		return calls
	case b.Race != nil:
		var ids []string
		for _, t := range b.Race.Types {
			ids = append(ids, t.ID)
		}
		return ids
	}
	return nil
}

// checkLimitTwins reports two limits that bind the same stakes in the same way:
// only one of them can be what the rules say.
func (c *checker) checkLimitTwins(i, j int) {
	a, b := &c.keno.Limits[i], &c.keno.Limits[j]
	if !a.sameConditions(b) || !a.Ways.overlaps(b.Ways) {
		return
	}
	twice := func(field string, x, y *Dollars) {
		if x != nil && y != nil {
			c.add(item("keno.limits", j)+"."+field,
				"is %v, and %s says %v for the same stakes", *y, item("keno.limits", i), *x)
		}
	}
	twice("min", a.Min, b.Min)
	twice("max", a.Max, b.Max)
	twice("step", a.Step, b.Step)
}

// sameConditions compares all conditions of two limits but the number of ways.
func (l *Limit) sameConditions(m *Limit) bool {
	return l.Measure == m.Measure && l.part() == m.part() &&
		sameSet(l.Bets, m.Bets) && sameSet(l.Channels, m.Channels) && sameSet(l.Outcomes, m.Outcomes) &&
		sameFlag(l.Jackpot, m.Jackpot) && sameFlag(l.Pool, m.Pool)
}

// checkLimitPair reports a bound of limit i that never takes effect, because limit
// j binds all of the same stakes and more, and binds them tighter.
func (c *checker) checkLimitPair(i, j int) {
	narrow, wide := &c.keno.Limits[i], &c.keno.Limits[j]
	if !wide.covers(narrow) || narrow.sameConditions(wide) {
		return
	}
	path, other := item("keno.limits", i), item("keno.limits", j)
	if narrow.Min != nil && wide.Min != nil && *wide.Min > *narrow.Min {
		c.add(path+".min", "%v is never enough: %s asks for %v of the same stakes", *narrow.Min, other, *wide.Min)
	}
	if narrow.Max != nil && wide.Max != nil && *wide.Max < *narrow.Max {
		c.add(path+".max", "%v is never reached: %s allows %v of the same stakes", *narrow.Max, other, *wide.Max)
	}
}

// covers reports whether l binds every stake that m binds.
func (l *Limit) covers(m *Limit) bool {
	return l.Measure == m.Measure && l.part() == m.part() &&
		coversList(l.Bets, m.Bets) && coversList(l.Channels, m.Channels) && coversList(l.Outcomes, m.Outcomes) &&
		(l.Jackpot == nil || sameFlag(l.Jackpot, m.Jackpot)) && (l.Pool == nil || sameFlag(l.Pool, m.Pool)) &&
		l.Ways.Least <= m.Ways.Least && (l.Ways.Most == 0 || m.Ways.Most != 0 && m.Ways.Most <= l.Ways.Most)
}

// coversList compares two lists that stand for everything when they are absent.
func coversList[T comparable](wide, narrow []T) bool {
	if len(wide) == 0 {
		return true
	}
	return len(narrow) > 0 && !slices.ContainsFunc(narrow, func(x T) bool { return !slices.Contains(wide, x) })
}

func sameSet[T comparable](a, b []T) bool {
	return (len(a) == 0) == (len(b) == 0) && coversList(a, b) && coversList(b, a)
}

func sameFlag(a, b *bool) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}
