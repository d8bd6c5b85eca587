package rulebook

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/ball"
)

func (c *checker) checkTables() {
	const list = "keno.tables"
	c.checkUnique(list, "id", len(c.keno.Tables), func(i int) string { return c.keno.Tables[i].ID })
	for i := range c.keno.Tables {
		t, path := &c.keno.Tables[i], item(list, i)
		c.checkID(path+".id", t.ID)
		if t.Per == 0 {
			c.add(path+".per", "is nothing; prizes are stated for a stake")
		}
		if t.kinds() != 1 {
			c.add(path, "has %d of catch, outcome and size; a table has one of them", t.kinds())
		}
		c.checkCatch(path+".catch", t.Catch)
		c.warnOfRareCatch(path+".catch", t)
		for _, outcome := range sortedKeys(t.Outcome) {
			c.checkPrize(join(path+".outcome", outcome), t.Outcome[outcome])
		}
		for _, spots := range sortedKeys(t.Size) {
			where := join(path+".size", strconv.Itoa(spots))
			c.checkSpots(where, spots)
			c.checkPrize(where, t.Size[spots])
		}
		c.checkTableIsUsed(path, t)
	}
}

// kinds counts the kinds of rows that a table has.
func (t *TableFile) kinds() int {
	n := 0
	for _, present := range []bool{t.Catch != nil, t.Outcome != nil, t.Size != nil} {
		if present {
			n++
		}
	}
	return n
}

// checkCatch checks that every prize of a table by matches can happen.
func (c *checker) checkCatch(path string, rows map[int]map[int]Dollars) {
	of, draw := c.keno.Numbers.Of, c.keno.Numbers.Draw
	for _, spots := range sortedKeys(rows) {
		where := join(path, strconv.Itoa(spots))
		c.checkSpots(where, spots)
		if len(rows[spots]) == 0 {
			c.add(where, "has no prize")
		}
		for _, matched := range sortedKeys(rows[spots]) {
			cell := join(where, strconv.Itoa(matched))
			c.checkPrize(cell, rows[spots][matched])
			switch fewest := spots - (of - draw); {
			case matched > spots:
				c.add(cell, "%d matches are impossible with %d spots", matched, spots)
			case matched > draw:
				c.add(cell, "%d matches are impossible when %d numbers are drawn", matched, draw)
			case matched < fewest:
				c.add(cell, "%d spots always have %d matches or more", spots, fewest)
			}
		}
	}
}

// warnOfRareCatch warns of a catch that wins less than another one which has fewer matches and comes more often.
func (c *checker) warnOfRareCatch(path string, t *TableFile) {
	of, draw := c.keno.Numbers.Of, c.keno.Numbers.Draw
	ways := func(spots, matched int) *big.Int { // in which numbers can be drawn
		n := new(big.Int).Binomial(int64(spots), int64(matched))
		return n.Mul(n, new(big.Int).Binomial(int64(of-spots), int64(draw-matched)))
	}
	for _, spots := range sortedKeys(t.Catch) {
		row := t.Catch[spots]
		matches := sortedKeys(row)
		if spots < 1 || spots > of || draw < 1 || draw >= of {
			continue
		}
		for i := 1; i < len(matches); i++ {
			few, many := matches[i-1], matches[i]
			if few < 0 || many > min(spots, draw) || row[many] >= row[few] || ways(spots, many).Cmp(ways(spots, few)) >= 0 {
				continue
			}
			c.warnings.add(join(join(path, strconv.Itoa(spots)), strconv.Itoa(many)),
				"%d of %d wins %v by clause %s, and %d of %d, which comes more often, wins %v", many, spots, row[many],
				Quoted(t.Clause), few, spots, row[few])
		}
	}
}

func (c *checker) checkSpots(path string, spots int) {
	if spots < 1 || spots > int(ball.Keno) {
		c.add(path, "%d is not a number of spots from 1 to %d", spots, ball.Keno)
	}
}

func (c *checker) checkPrize(path string, prize Dollars) {
	if prize == 0 {
		c.add(path, "is nothing; leave the row out")
	}
}

// checkTableIsUsed reports tables that pay nobody, and rows of a table by spots
// that no bet using it can reach.
func (c *checker) checkTableIsUsed(path string, t *TableFile) {
	used, sold := false, ball.Empty(ball.Keno)
	for _, s := range c.keno.Schedules {
		for use, id := range s.Uses {
			if id == t.ID {
				used, sold = true, sold.Union(c.sizesOf(use))
			}
		}
	}
	if !used {
		c.add(path+".id", "no schedule uses the table %q", t.ID)
		return
	}
	for _, spots := range slices.Concat(sortedKeys(t.Catch), sortedKeys(t.Size)) {
		if !sold.Has(spots) {
			field := ".catch"
			if t.Size != nil {
				field = ".size"
			}
			c.add(join(path+field, strconv.Itoa(spots)),
				"no bet or feature with this table is sold with %d spots", spots)
		}
	}
}

// sizesOf returns the numbers of spots with which something is sold that a
// schedule can use a table for.
func (c *checker) sizesOf(use string) ball.Set {
	sizes := ball.Empty(ball.Keno)
	if bet := c.keno.bet(use); bet != nil && bet.Sizes.Set().IsValid() {
		return bet.Sizes.Set()
	}
	if use == UseBonusJackpot && c.keno.Jackpots != nil {
		for _, pool := range c.keno.Jackpots.Pools {
			if ball.Keno.Has(pool.Spots) {
				sizes = sizes.With(pool.Spots)
			}
		}
		return sizes
	}
	feature := c.keno.feature(FeatureID(use))
	if feature == nil {
		return sizes
	}
	for _, id := range feature.Bets {
		if bet := c.keno.bet(id); bet != nil && bet.Sizes.Set().IsValid() {
			sizes = sizes.Union(bet.Sizes.Set())
		}
	}
	if only := feature.Sizes.Set(); only.IsValid() {
		sizes = sizes.Intersect(only)
	}
	return sizes
}

func (c *checker) checkMultiplier() {
	m := c.keno.Multiplier
	if m == nil {
		return
	}
	switch {
	case (m.Rows == nil) == (m.Wheel == nil):
		c.add("keno.multiplier", "needs either rows, by the sum of the numbers, or a wheel")
	case m.Wheel != nil:
		c.checkWheel(m)
	default:
		c.checkFactorRows(m)
	}
}

// checkWheel checks that the slots of a wheel are equally likely and that nothing is
// multiplied which the order of the numbers decides too.
func (c *checker) checkWheel(m *Multiplier) {
	const path = "keno.multiplier.wheel"
	slots := 0
	for _, factor := range sortedKeys(m.Wheel) {
		where := join(path, strconv.Itoa(factor))
		if factor < 1 || factor > maxFactor {
			c.add(where, "the factor is not a whole number from 1 to %d", maxFactor)
		}
		if n := m.Wheel[factor]; n < 1 || n > maxSlots {
			c.add(where, "has %d slots; it must have 1 to %d", n, maxSlots)
			return
		}
		slots += m.Wheel[factor]
	}
	switch draw := c.keno.Numbers.Draw; {
	case slots == 0:
		c.add(path, "has no slots")
	case slots > maxSlots:
		c.add(path, "has %d slots, more than %d", slots, maxSlots)
	case !divides(slots, draw):
		c.add(path, "has %d slots, which the orders of %d numbers cannot divide evenly: the number must divide %d!",
			slots, draw, draw)
	}
	if feature := c.keno.feature(FeatureMultiplier); feature != nil {
		for _, id := range feature.Bets {
			if bet := c.keno.bet(id); bet != nil && bet.Form == FormRace {
				c.add(path, "the order of the numbers turns it and decides the bet %q: it cannot multiply that", id)
			}
		}
	}
}

// checkFactorRows checks that every sum has one factor.
func (c *checker) checkFactorRows(m *Multiplier) {
	const path = "keno.multiplier.rows"
	least, most := c.keno.Numbers.sums()
	next := least
	for _, first := range m.firsts() {
		where := join(path, strconv.Itoa(first))
		if _, err := parseFactors(m.Rows[first]); err != nil {
			c.add(where, "%v", err)
		}
		last := first + len(strings.Fields(m.Rows[first])) - 1
		switch {
		case first > next:
			c.add(where, "the sums %d to %d have no factor", next, first-1)
		case first < next && first >= least:
			c.add(where, "the sums %d to %d have a factor twice", first, min(next-1, last))
		case first < least:
			c.add(where, "the least sum of %d numbers is %d", c.keno.Numbers.Draw, least)
		}
		if last > most {
			c.add(where, "runs to sum %d; the greatest sum of %d numbers is %d", last, c.keno.Numbers.Draw, most)
		}
		next = max(next, last+1)
	}
	if next <= most {
		c.add(path, "the sums %d to %d have no factor", next, most)
	}
}

func (c *checker) checkSchedules() {
	const list = "keno.schedules"
	schedules := c.keno.Schedules
	c.checkUnique(list, "id", len(schedules), func(i int) string { return schedules[i].ID })
	from, to := c.file.Effective.From, c.file.Effective.To
	started := false
	for i := range schedules {
		s, path := &schedules[i], item(list, i)
		c.checkID(path+".id", s.ID)
		started = started || s.CurrentFrom != 0 && s.CurrentFrom <= from
		if to != 0 && s.CurrentFrom > to {
			c.add(path+".current_from", "is %v, after the rulebook's last day, %v", s.CurrentFrom, to)
		}
		for j := range i {
			if s.CurrentFrom != 0 && s.CurrentFrom == schedules[j].CurrentFrom {
				c.add(path+".current_from", "%s is current from %v too", item(list, j), s.CurrentFrom)
			}
		}
		c.checkUses(path+".uses", s)
		c.checkScheduleJackpots(path, s)
		c.checkWayCap(path+".way_cap", s)
	}
	if !started {
		c.add(list, "no schedule is current on the rulebook's first day, %v", from)
	}
}

// checkUses checks that a schedule has the right table for everything that pays.
func (c *checker) checkUses(path string, s *ScheduleFile) {
	wanted := c.wantedUses()
	for _, use := range sortedKeys(s.Uses) {
		if !slices.Contains(wanted, use) {
			c.add(join(path, use), "nothing that this rulebook sells has this name; tables are for %s", listOf(wanted))
		}
	}
	for _, use := range wanted {
		id, ok := s.Uses[use]
		if !ok {
			c.add(path, "has no table for %q", use)
			continue
		}
		where, t := join(path, use), c.keno.table(id)
		if t == nil {
			c.add(where, "there is no table %q; there are %s", id, listOf(c.keno.tableIDs()))
			continue
		}
		c.checkUse(where, use, t)
	}
}

// checkWayCap refuses a cap on a way below a prize that a table of the same
// schedule states: nobody who stakes what the table is for would ever be paid it.
func (c *checker) checkWayCap(path string, s *ScheduleFile) {
	switch {
	case s.WayCap == nil:
		return
	case *s.WayCap == 0:
		c.add(path, "is nothing")
		return
	}
	for _, use := range sortedKeys(s.Uses) {
		t := c.keno.table(s.Uses[use])
		if t == nil || use == UseBonusJackpot {
			continue
		}
		if most := t.most(); most > *s.WayCap {
			c.add(path, "%v is below a prize of the table %q, %v", *s.WayCap, t.ID, most)
		}
	}
}

// most returns the greatest prize of a table.
func (t *TableFile) most() Dollars {
	var most Dollars
	for _, row := range t.Catch {
		for _, prize := range row {
			most = max(most, prize)
		}
	}
	for _, prize := range t.Outcome {
		most = max(most, prize)
	}
	for _, prize := range t.Size {
		most = max(most, prize)
	}
	return most
}

// wantedUses returns what a schedule must have a table for.
func (c *checker) wantedUses() []string {
	wanted := c.keno.betIDs()
	if c.keno.feature(FeatureLuckyLast) != nil {
		wanted = append(wanted, string(FeatureLuckyLast))
	}
	if j := c.keno.Jackpots; j != nil && j.BonusFrom > 0 {
		wanted = append(wanted, UseBonusJackpot)
	}
	return wanted
}

func (k *KenoFile) tableIDs() []string {
	ids := make([]string, len(k.Tables))
	for i := range k.Tables {
		ids[i] = k.Tables[i].ID
	}
	return ids
}

// checkUse checks that a table is of the kind that its user needs and pays
// everything that its user sells.
func (c *checker) checkUse(path, use string, t *TableFile) {
	if bet := c.keno.bet(use); bet != nil && bet.Form != FormNumbers {
		if t.Outcome == nil {
			c.add(path, "the table %q must pay by outcome", t.ID)
			return
		}
		c.checkOutcomes(path, t, bet)
		return
	}
	var rows []int
	switch {
	case c.keno.bet(use) != nil && t.Catch != nil:
		rows = sortedKeys(t.Catch)
	case c.keno.bet(use) != nil:
		c.add(path, "the table %q must pay by spots and matches (catch)", t.ID)
		return
	case t.Size != nil:
		rows = sortedKeys(t.Size)
	case t.Catch != nil && use == string(FeatureLuckyLast):
		rows = sortedKeys(t.Catch)
		c.checkLastCatch(path, t)
	case use == string(FeatureLuckyLast):
		c.add(path, "the table %q must pay by spots alone (size) or by spots and matches (catch)", t.ID)
		return
	default:
		c.add(path, "the table %q must pay by spots alone (size)", t.ID)
		return
	}
	for spots := range c.sizesOf(use).All() {
		if !slices.Contains(rows, spots) {
			c.add(path, "the table %q has no prizes for %d spots, which are sold", t.ID, spots)
		}
	}
}

// checkLastCatch checks a table of the last number that pays by matches: the last
// number among the spots is itself a match.
func (c *checker) checkLastCatch(path string, t *TableFile) {
	for _, spots := range sortedKeys(t.Catch) {
		if _, ok := t.Catch[spots][0]; ok {
			c.add(path, "the table %q pays for no match of %d spots; the last number among them is one", t.ID, spots)
		}
	}
}

// checkOutcomes compares the outcomes of a table with those of its bet.
func (c *checker) checkOutcomes(path string, t *TableFile, bet *BetFile) {
	outcomes := bet.outcomes()
	for _, outcome := range outcomes {
		if _, ok := t.Outcome[outcome]; !ok {
			c.add(path, "the table %q has no prize for %s", t.ID, outcome)
		}
	}
	for _, outcome := range sortedKeys(t.Outcome) {
		if !slices.Contains(outcomes, outcome) {
			c.add(path, "the table %q pays for %q, which the bet does not have", t.ID, outcome)
		}
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
