package rulebook

import (
	"fmt"
	"slices"

	"drawhouse/core/ball"
)

func (c *checker) checkCatalogue() {
	const list = "keno.catalogue"
	c.checkUnique(list, "id", len(c.keno.Catalogue), func(i int) string {
		return fmt.Sprintf("%s edition %d", c.keno.Catalogue[i].ID, c.keno.Catalogue[i].Edition)
	})
	for i := range c.keno.Catalogue {
		c.checkItem(item(list, i), &c.keno.Catalogue[i])
	}
}

func (c *checker) checkItem(path string, it *ItemFile) {
	c.checkID(path+".id", it.ID)
	if it.Edition < 1 {
		c.add(path+".edition", "must be 1 or more")
	}
	if it.Games > c.keno.Games.Multi.Max {
		c.add(path+".games", "is %d, and the longest ticket has %d games", it.Games, c.keno.Games.Multi.Max)
	}
	if it.BonusPrize && (c.keno.Promotions == nil || !c.keno.Promotions.SetBetRandom) {
		c.add(path+".bonus_prize", "is set although promotions give no bonus prizes to set bets")
	}
	bet := c.keno.bet(it.Bet)
	switch {
	case bet == nil:
		c.add(path+".bet", "there is no bet %q; there are %s", it.Bet, listOf(c.keno.betIDs()))
		return
	case bet.Form != FormNumbers:
		c.add(path+".bet", "the bet %q is not on numbers", it.Bet)
		return
	}
	if sizes, ok := c.itemGroups(path, it); ok {
		c.checkItemWays(path, it, bet, sizes)
	}
}

// itemGroups checks the groups of an item and returns their sizes.
func (c *checker) itemGroups(path string, it *ItemFile) ([]int, bool) {
	found := len(c.faults)
	switch {
	case it.Groups == nil && it.GroupSizes == nil:
		c.add(path, "has neither groups nor group_sizes")
	case it.Groups != nil && it.GroupSizes != nil:
		c.add(path+".group_sizes", "an item has either groups or group_sizes")
	case it.Groups == nil && it.Random:
		c.add(path+".random", "the numbers of this item are always picked")
	}
	sizes, total := slices.Clone(it.GroupSizes), 0
	taken := ball.Empty(ball.Keno)
	for g, group := range it.Groups {
		sizes = append(sizes, len(group))
		for n, number := range group {
			where := item(item(path+".groups", g), n)
			switch {
			case !ball.Keno.Has(number):
				c.add(where, "%d is not a number from 1 to %d", number, ball.Keno)
			case taken.Has(number):
				c.add(where, "%d is in the groups twice", number)
			default:
				taken = taken.With(number)
			}
		}
	}
	field := path + ".group_sizes"
	if it.Groups != nil {
		field = path + ".groups"
	}
	for g, size := range sizes {
		total += size
		if size < 1 || total > int(ball.Keno) {
			c.add(item(field, g), "the groups must have 1 number or more, and %d together at most", ball.Keno)
		}
	}
	return sizes, len(c.faults) == found
}

// checkItemWays checks that the ways which an item plays exist, are sold and can
// bear its stake.
func (c *checker) checkItemWays(path string, it *ItemFile, bet *BetFile, sizes []int) {
	counts := waysBySize(sizes)
	types, field := it.Types, path+".types"
	if types == nil {
		types, field = []int{len(counts) - 1}, path
	} else if bet.Ways == nil || !bet.Ways.ByTypes {
		c.add(field, "the bet %q names no ways by types", bet.ID)
		return
	}
	ways, jackpot := 0, false
	for i, spots := range types {
		where := field
		if it.Types != nil {
			where = item(field, i)
		}
		switch {
		case slices.Index(types, spots) < i:
			c.add(where, "%d spots are named twice", spots)
		case !bet.Sizes.Has(spots):
			c.add(where, "%d spots are not sold by the bet %q", spots, bet.ID)
		case spots >= len(counts) || counts[spots] == 0:
			c.add(where, "no groups add up to %d spots", spots)
		default:
			ways += counts[spots]
			jackpot = jackpot || bet.Jackpot && c.keno.Jackpots.pool(spots) != nil
		}
	}
	if it.Types == nil {
		ways = min(ways, 1)
	}
	if bet.Ways != nil && ways > bet.Ways.MaxWays {
		c.add(path, "plays %d ways, more than the %d of the bet %q", ways, bet.Ways.MaxWays, bet.ID)
	}
	c.checkItemStake(path, it, situation{bet: bet, ways: ways, jackpot: jackpot})
}

// maxItemWays is where counting ends: no rulebook sells so many.
const maxItemWays = 1 << 30

// waysBySize returns, for each number of spots, how many ways of joining whole
// groups have it.
func waysBySize(groups []int) []int {
	counts := []int{1}
	for _, size := range groups {
		joined := make([]int, len(counts)+size)
		for spots, n := range counts {
			joined[spots] = min(joined[spots]+n, maxItemWays)
			joined[spots+size] = min(joined[spots+size]+n, maxItemWays)
		}
		counts = joined
	}
	// Joining no group is no way.
	counts[0] = 0
	return counts
}

// checkItemStake checks an item's stake against the limits that hold for it in an
// ordinary game, wherever it is sold.
func (c *checker) checkItemStake(path string, it *ItemFile, s situation) {
	if it.StakeCents == 0 || s.ways == 0 {
		return
	}
	channels := it.Channels
	if len(channels) == 0 {
		channels = c.channels()
	}
	stake := Dollars(it.StakeCents)
	for i := range c.keno.Limits {
		l := &c.keno.Limits[i]
		if l.Measure != MeasureStake || l.part() != PartMain {
			continue
		}
		held := slices.ContainsFunc(channels, func(ch Channel) bool {
			s.channel = ch
			return l.holds(s)
		})
		if held && !l.allows(stake) {
			c.add(path+".stake_cents", "a stake of %v is outside %s", stake, item("keno.limits", i))
		}
	}
}

// allows reports whether an amount is within a limit.
func (l *Limit) allows(amount Dollars) bool {
	return (l.Min == nil || amount >= *l.Min) && (l.Max == nil || amount <= *l.Max) &&
		(l.Step == nil || *l.Step == 0 || amount%*l.Step == 0)
}
