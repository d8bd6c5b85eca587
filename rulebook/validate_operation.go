package rulebook

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// checkOperation checks paper, draw and people.
func (c *checker) checkOperation() {
	c.checkSerials()
	if !slices.Contains(c.keno.Receipt.Fields, "serial") {
		c.add("keno.receipt.fields", "does not have the serial, by which a ticket is found")
	}
	c.checkTwice("keno.receipt.fields", c.keno.Receipt.Fields)
	c.checkDraw()
	if age := c.keno.Eligibility.MinimumAge; age < 1 || age > mostAge {
		c.add("keno.eligibility.minimum_age", "%d is not an age from 1 to %d", age, mostAge)
	}
	if d := &c.keno.Disqualify; len(d.By) == 0 && (d.Reinstate || d.Clause != "") {
		c.add("keno.disqualify.by", "names nobody")
	}
	if m := c.keno.Migration; m != nil {
		if c.keno.Jackpots.pool(m.Into) == nil {
			c.add("keno.migration.into_spots", "there is no jackpot for %d spots", m.Into)
		}
		if m.Lot == 0 {
			c.add("keno.migration.lot", "is nothing")
		}
	}
	c.checkTax()
	c.checkParties()
	if c.keno.Staffing.RaceDisplay && !slices.ContainsFunc(c.keno.Bets,
		func(b BetFile) bool { return b.Form == FormRace }) {
		c.add("keno.staffing.race_display", "there is no race to display")
	}
}

// mostAge is the greatest age that a rulebook may ask for.
const mostAge = 99

// lastDueDay is the last day of a month that every month has.
const lastDueDay = 28

// mostPayee is the longest name of an office that is paid, in characters.
const mostPayee = 100

// checkTax checks what the State takes.
func (c *checker) checkTax() {
	t := c.keno.Tax
	if t == nil {
		return
	}
	if t.Rate == 0 {
		c.add("keno.tax.rate", "is nothing; without a tax, leave the section out")
	}
	if t.DueDay < 1 || t.DueDay > lastDueDay {
		c.add("keno.tax.due_day", "%d is not a day from 1 to %d, which every month has", t.DueDay, lastDueDay)
	}
	if n := utf8.RuneCountInString(t.Payee); n > mostPayee {
		c.add("keno.tax.payee", "has %d characters; it has at most %d", n, mostPayee)
	}
}

// partyActs are the acts of two persons that an authority may be a party to. The tests of
// decide/command hold them against the acts that there are.
var partyActs = []string{"adopt_rulebook", "begin_series", "change_terms", "move_pool", "give_aside", "migrate_pools",
	"migrate_bonus", "begin_promotion", "change_promotion", "reinstate"}

// PartyActs returns the acts of two persons that an authority may be a party to.
func PartyActs() []string { return slices.Clone(partyActs) }

func (c *checker) checkParties() {
	named := map[string]bool{}
	for i, p := range c.keno.Parties {
		path := item("keno.parties", i) + ".acts"
		if len(p.Acts) == 0 {
			c.add(path, "names no act")
		}
		for k, act := range p.Acts {
			switch {
			case !slices.Contains(partyActs, act):
				c.add(item(path, k), "%q is not known here; the known words are %s", act, strings.Join(partyActs, ", "))
			case named[act]:
				c.add(item(path, k), "%q is written twice", act)
			}
			named[act] = true
		}
	}
}

func (c *checker) checkTwice(path string, words []string) {
	for i, word := range words {
		if slices.Index(words, word) < i {
			c.add(item(path, i), "%q is written twice", word)
		}
	}
}

func (c *checker) checkSerials() {
	const list = "keno.serials"
	serials := c.keno.Serials
	c.checkUnique(list, "form", len(serials), func(i int) string { return serials[i].Form })
	if !slices.ContainsFunc(serials, func(s SerialForm) bool { return !s.Successor }) {
		c.add(list, "names no form of ticket number of this system")
	}
	if c.keno.System.Plays != PlaysSuccessor {
		return
	}
	if c.keno.Games.Numbering.Successor == nil {
		c.add("keno.system.plays", "the rules name no game numbers of a successor")
	}
	if !slices.ContainsFunc(serials, func(s SerialForm) bool { return s.Successor }) {
		c.add("keno.system.plays", "the rules name no form of ticket number of a successor")
	}
}

func (c *checker) checkDraw() {
	d := &c.keno.Draw
	if len(d.Devices) == 0 {
		c.add("keno.draw.devices", "names no device that draws")
	}
	c.checkTwice("keno.draw.devices", d.Devices)
	if len(d.Unfinished) == 0 {
		c.add("keno.draw.unfinished", "does not say what becomes of the entries of an unfinished draw")
	}
	c.checkTwice("keno.draw.unfinished", d.Unfinished)
	switch cage := slices.Contains(d.Devices, "cage"); {
	case cage && d.Keyings < 1:
		c.add("keno.draw.keyings", "is missing; people must record the balls of a cage")
	case !cage && d.Keyings > 0:
		c.add("keno.draw.keyings", "is for the balls of a cage, and no cage is allowed")
	}
}
