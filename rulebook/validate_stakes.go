package rulebook

import (
	"slices"
	"strconv"
)

// This file tries the limits on every kind of stake that they tell apart, because
// what binds a stake is often spread over several limits: a minimum by number of
// ways here, a step for all of them there.

// bounds is what the limits of one measure and part make of a situation. A place
// of -1 is none.
type bounds struct {
	min, max int   // places of the greatest minimum and the least maximum
	steps    []int // places of the limits with a step
}

// checkSituations reports stakes without a minimum and bounds that contradict
// each other.
func (c *checker) checkSituations() {
	told := map[string]bool{}
	for i := range c.keno.Bets {
		bet := &c.keno.Bets[i]
		for _, s := range c.situations(bet) {
			b := c.boundsOf(s, MeasureStake, PartMain)
			if b.min < 0 && !told[bet.ID] {
				told[bet.ID] = true
				c.add("keno.limits", "no limit gives a minimum stake for %v", s)
			}
			for _, measure := range Measure("").words() {
				for _, part := range Part("").words() {
					c.checkBounds(c.boundsOf(s, Measure(measure), Part(part)), told)
				}
			}
		}
	}
}

// situations returns every kind of stake that the limits of a bet tell apart.
func (c *checker) situations(bet *BetFile) []situation {
	var all []situation
	for _, channel := range c.channels() {
		for _, ways := range c.wayCounts(bet) {
			for _, jackpot := range flags(bet.Jackpot) {
				for _, pool := range flags(c.inBonusPool(bet)) {
					all = append(all, situation{bet: bet, channel: channel, ways: ways, jackpot: jackpot, pool: pool})
				}
			}
		}
	}
	return all
}

// flags returns the values that a condition can have.
func flags(possible bool) []bool {
	if possible {
		return []bool{false, true}
	}
	return []bool{false}
}

// channels returns the channels that sell.
func (c *checker) channels() []Channel {
	var channels []Channel
	for _, e := range c.keno.Entry {
		if !slices.Contains(channels, e.Channel) {
			channels = append(channels, e.Channel)
		}
	}
	return channels
}

func (c *checker) inBonusPool(bet *BetFile) bool {
	p := c.keno.Promotions
	return p != nil && p.BonusPool && !slices.Contains(p.PoolExcludes, bet.ID)
}

// wayCounts returns the numbers of ways at which some limit begins or ends, which
// is where holes and overlaps show.
func (c *checker) wayCounts(bet *BetFile) []int {
	counts := []int{1}
	if bet.Ways == nil {
		return counts
	}
	counts = append(counts, 2, bet.Ways.MaxWays)
	for _, l := range c.keno.Limits {
		counts = append(counts, l.Ways.Least-1, l.Ways.Least, l.Ways.Most, l.Ways.Most+1)
	}
	counts = slices.DeleteFunc(counts, func(n int) bool { return n < 1 || n > bet.Ways.MaxWays })
	slices.Sort(counts)
	return slices.Compact(counts)
}

// boundsOf finds what binds a situation.
func (c *checker) boundsOf(s situation, measure Measure, part Part) bounds {
	b := bounds{min: -1, max: -1}
	limits := c.keno.Limits
	for i := range limits {
		l := &limits[i]
		if l.Measure != measure || l.part() != part || !l.holds(s) {
			continue
		}
		if l.Min != nil && (b.min < 0 || *l.Min > *limits[b.min].Min) {
			b.min = i
		}
		if l.Max != nil && (b.max < 0 || *l.Max < *limits[b.max].Max) {
			b.max = i
		}
		if l.Step != nil && *l.Step > 0 {
			b.steps = append(b.steps, i)
		}
	}
	return b
}

// checkBounds compares minimum, maximum and steps. Each limit is told of once,
// however many situations it binds.
//
//rule:casino-keno-div2 4.2(c) 5.4(b)
func (c *checker) checkBounds(b bounds, told map[string]bool) {
	limits := c.keno.Limits
	once := func(field string, i int) bool {
		key := field + strconv.Itoa(i)
		defer func() { told[key] = true }()
		return !told[key]
	}
	if b.min < 0 {
		return
	}
	least, where := *limits[b.min].Min, item("keno.limits", b.min)
	if b.max >= 0 && least > *limits[b.max].Max && once("max ", b.max) {
		c.add(item("keno.limits", b.max)+".max", "%v is below the minimum, %v in %s", *limits[b.max].Max, least, where)
	}
	for _, i := range b.steps {
		step, path := *limits[i].Step, item("keno.limits", i)+".step"
		switch {
		case step > least && once("step ", i):
			c.add(path, "%v is above the minimum, %v in %s (casino-keno-div2 4.2(c), 5.4(b))", step, least, where)
		case step <= least && least%step != 0 && once("step ", i):
			c.add(path, "%v does not divide the minimum, %v in %s", step, least, where)
		}
	}
}

// checkSideStakes reports features with a stake of their own that has no minimum.
func (c *checker) checkSideStakes() {
	for i := range c.keno.Features {
		f := &c.keno.Features[i]
		if f.EqualStake {
			continue
		}
		bounded := slices.ContainsFunc(c.keno.Limits, func(l Limit) bool {
			return l.Measure == MeasureStake && string(l.Part) == string(f.ID) && l.Min != nil
		})
		if !bounded {
			c.add(item("keno.features", i)+".id", "no limit gives a minimum stake for the part %q", f.ID)
		}
	}
}
