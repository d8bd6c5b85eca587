package rulebook

import (
	"slices"
	"strconv"

	"drawhouse/core/money"
)

// pool returns the jackpot of a size, or nil. There are none in a nil Jackpots.
func (j *Jackpots) pool(spots int) *PoolFile {
	if j == nil {
		return nil
	}
	for i := range j.Pools {
		if j.Pools[i].Spots == spots {
			return &j.Pools[i]
		}
	}
	return nil
}

func (c *checker) checkJackpots() {
	j := c.keno.Jackpots
	for i, bet := range c.keno.Bets {
		if bet.Jackpot && (j == nil || !slices.Contains(j.Bets, bet.ID)) {
			c.add(item("keno.bets", i)+".jackpot", "is set, and no jackpots are for the bet %q", bet.ID)
		}
	}
	if j == nil {
		return
	}
	const path = "keno.jackpots"
	c.checkJackpotBets(path+".bets", j)
	if len(j.Pools) == 0 {
		c.add(path+".pools", "names no pool")
	}
	c.checkUnique(path+".pools", "spots", len(j.Pools), func(i int) string { return strconv.Itoa(j.Pools[i].Spots) })
	for i := range j.Pools {
		c.checkPool(item(path+".pools", i), j, &j.Pools[i])
	}
	if j.BonusFrom > 0 && c.keno.feature(FeatureMultiplier) == nil {
		c.add(path+".bonus_from", "there is no feature %q that could bring the bonus jackpot", FeatureMultiplier)
	}
	if j.Seed != nil {
		c.checkSeed(path+".seed", j.Seed)
	}
	c.checkUnique(path+".moves", "move", len(j.Moves), func(i int) string { return j.Moves[i].Move })
}

func (c *checker) checkJackpotBets(path string, j *Jackpots) {
	if len(j.Bets) == 0 {
		c.add(path, "names no bet")
	}
	c.checkKnown(path, "bet", j.Bets, c.keno.betIDs())
	for i, id := range j.Bets {
		if bet := c.keno.bet(id); bet != nil && !bet.Jackpot {
			c.add(item(path, i), "the bet %q does not say that it plays for jackpots", id)
		}
	}
}

func (c *checker) checkPool(path string, j *Jackpots, p *PoolFile) {
	sold := false
	for _, id := range j.Bets {
		bet := c.keno.bet(id)
		sold = sold || bet != nil && bet.Sizes.Has(p.Spots)
	}
	if !sold {
		c.add(path+".spots", "no bet with jackpots is sold with %d spots", p.Spots)
	}
	list := path + ".contributions"
	bands := make([]band, len(p.Contributions))
	for i, co := range p.Contributions {
		bands[i] = band{from: co.From, below: co.Below, share: co.Primary + co.Secondary}
		if co.Secondary > 0 && !j.SecondaryOpensNext {
			c.add(item(list, i)+".secondary", "nothing takes money out of the secondary pool (secondary_opens_next)")
		}
		if share := bands[i].share; share > 0 && share < j.Least {
			c.add(item(list, i)+".primary",
				"the shares add up to %v of the stakes, and a pool gets at least %v", share, j.Least)
		}
	}
	c.checkBands(list, bands)
	c.checkTopPrizes(path, j, p)
	if j.Pays == PaysSubstitution {
		c.checkReset(path, p)
	}
}

// checkTopPrizes reports a jackpot for a catch that some schedule does not know.
func (c *checker) checkTopPrizes(path string, j *Jackpots, p *PoolFile) {
	for _, s := range c.keno.Schedules {
		for _, id := range j.Bets {
			t := c.keno.table(s.Uses[id])
			if bet := c.keno.bet(id); t == nil || bet == nil || !bet.Sizes.Has(p.Spots) || t.Catch[p.Spots] == nil {
				continue
			}
			if _, ok := t.Catch[p.Spots][p.Spots]; !ok {
				c.add(path+".spots", "the table %q has no prize for %d matches of %d", t.ID, p.Spots, p.Spots)
			}
		}
	}
}

// checkReset compares the value to which a won pool returns with what each
// schedule promises, where the pool is paid instead of the schedule's prize.
//
//rule:casino-keno-div2 5.6 5.11
func (c *checker) checkReset(path string, p *PoolFile) {
	if p.Reset == nil {
		c.add(path+".reset", "is missing; the pool is paid instead of the schedule's prize")
		return
	}
	for i := range c.keno.Schedules {
		s := &c.keno.Schedules[i]
		least, ok := s.Minimums[p.Spots]
		switch {
		case !ok:
			c.add(item("keno.schedules", i)+".jackpot_minimums",
				"has no minimum for the jackpot of %d spots (casino-keno-div2 5.6)", p.Spots)
		case *p.Reset < least:
			c.add(path+".reset", "%v is below the minimum of schedule %q, %v (casino-keno-div2 5.6)", *p.Reset, s.ID,
				least)
		}
		c.warnOfLowJackpot(path+".reset", p, s)
	}
}

// warnOfLowJackpot warns of a pool that can pay less than the schedule would have
// paid: the pool does not grow with the stake, and the schedule's prize does.
func (c *checker) warnOfLowJackpot(path string, p *PoolFile, s *ScheduleFile) {
	for _, id := range c.keno.Jackpots.Bets {
		bet, t := c.keno.bet(id), c.keno.table(s.Uses[id])
		if bet == nil || t == nil || t.Per == 0 {
			continue
		}
		prize, stake := t.Catch[p.Spots][p.Spots].Amount(), c.largestStake(bet)
		scaled, err := money.MulDiv(prize, stake.Amount().Cents(), t.Per.Amount().Cents(), money.Floor)
		if s.WayCap != nil && (err != nil || scaled > s.WayCap.Amount()) {
			scaled, err = s.WayCap.Amount(), nil
		}
		if err != nil || scaled > p.Reset.Amount() {
			c.warnings.add(path, "%v can be less than schedule %q pays for %d of %d: %v for a stake of %v", *p.Reset,
				s.ID, p.Spots, p.Spots, scaled, stake)
		}
		c.warnOfSharing(path, p, s, t.Per.Amount(), prize)
	}
}

// warnOfSharing warns from which stakes on a pool at its reset value pays its winners less than
// the schedule would have: they share it, and each would have had the schedule's prize whole.
// No value of the pool rules that out, so that the warning comes with every such pool.
//
//rule:casino-keno-div2 5.10 5.11
func (c *checker) warnOfSharing(path string, p *PoolFile, s *ScheduleFile, per, prize money.Amount) {
	if prize <= 0 {
		return
	}
	stakes, err := money.MulDiv(p.Reset.Amount(), per.Cents(), prize.Cents(), money.Floor)
	if err == nil {
		c.warnings.add(path,
			"winners who share %v get less than schedule %q pays for %d of %d as soon as their stakes exceed %v together",
			*p.Reset, s.ID, p.Spots, p.Spots, stakes)
	}
}

// largestStake returns the most that the limits allow on a single way that plays
// for a jackpot, or the least that they ask for where they allow any amount.
func (c *checker) largestStake(bet *BetFile) Dollars {
	var largest *Dollars
	least := Dollars(1)
	for _, channel := range c.channels() {
		s := situation{bet: bet, channel: channel, ways: 1, jackpot: true}
		var most *Dollars
		for _, measure := range []Measure{MeasureStake, MeasureBetGame, MeasureGame, MeasureEntry} {
			b := c.boundsOf(s, measure, PartMain)
			if b.max >= 0 && (most == nil || *c.keno.Limits[b.max].Max < *most) {
				most = c.keno.Limits[b.max].Max
			}
			if b.min >= 0 {
				least = max(least, *c.keno.Limits[b.min].Min)
			}
		}
		if most != nil && (largest == nil || *most > *largest) {
			largest = most
		}
	}
	if largest == nil {
		return least
	}
	return *largest
}

func (c *checker) checkSeed(path string, s *SeedFile) {
	bands := make([]band, len(s.Steps))
	for i, step := range s.Steps {
		bands[i] = band{from: step.From, below: step.Below, share: step.Primary + step.Seed}
		if step.Seed == 0 {
			c.add(item(path+".steps", i)+".seed", "is nothing; the loan would never be repaid")
		}
	}
	c.checkBands(path+".steps", bands)
}

// band is a share of the stakes while a balance is at least from and below below.
type band struct {
	from, below *Dollars
	share       Percent
}

// checkBands checks that bands follow each other from nothing upwards without a
// hole or an overlap, and that none takes more than the prize fund has.
func (c *checker) checkBands(list string, bands []band) {
	if len(bands) == 0 {
		c.add(list, "is empty")
	}
	var next Dollars // where the next band must begin
	for i, b := range bands {
		path := item(list, i)
		from := Dollars(0)
		if b.from != nil {
			from = *b.from
		}
		switch {
		case i > 0 && bands[i-1].below == nil:
			c.add(path, "follows a step without an upper end")
		case from > next:
			c.add(path+".from", "from %v to %v there is no step", next, from)
		case from < next:
			c.add(path+".from", "the step before runs to %v, past %v", next, from)
		}
		if b.below != nil {
			if *b.below <= from {
				c.add(path+".below", "%v is not above the beginning, %v", *b.below, from)
			}
			next = *b.below
		} else if i == len(bands)-1 {
			next = 0
		}
		c.checkShare(path+".primary", b.share)
	}
	if last := len(bands) - 1; last >= 0 && bands[last].below != nil {
		c.add(item(list, last)+".below", "above %v there is no step", *bands[last].below)
	}
}

func (c *checker) checkShare(path string, share Percent) {
	fund := c.keno.PrizeFund.Least
	switch {
	case share > Whole:
		c.add(path, "the shares add up to %v of the stakes", share)
	case fund > 0 && share > fund:
		c.add(path, "the shares add up to %v of the stakes, and the prize fund is %v of them", share, fund)
	case share == 0:
		c.add(path, "nothing of the stakes goes to the pool")
	}
}

// checkScheduleJackpots checks what a schedule says about jackpots.
func (c *checker) checkScheduleJackpots(path string, s *ScheduleFile) {
	for _, spots := range sortedKeys(s.Fills) {
		if c.keno.Jackpots.pool(spots) == nil {
			c.add(join(path+".fills", strconv.Itoa(spots)), "there is no jackpot for %d spots", spots)
		}
	}
	for _, spots := range sortedKeys(s.Minimums) {
		if c.keno.Jackpots.pool(spots) == nil {
			c.add(join(path+".jackpot_minimums", strconv.Itoa(spots)), "there is no jackpot for %d spots", spots)
		}
	}
}
