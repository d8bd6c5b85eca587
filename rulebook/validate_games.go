package rulebook

import (
	"slices"
	"strconv"
)

// checkGames checks the numbers of games against the longest ticket.
func (c *checker) checkGames(g Games) {
	c.checkNumbering(g.Numbering)
	numbers := g.Numbering.of(c.keno.System.Plays)
	switch count := numbers.Last - numbers.First + 1; {
	case g.Multi.Max < 1:
		c.add("keno.games.multi.max", "must be 1 or more")
	case g.Multi.Max > count:
		// A longer ticket would print a first and a last game that do not tell
		// which games lie between them.
		c.add("keno.games.multi.max", "a ticket of %d games does not fit the %d game numbers from %d to %d",
			g.Multi.Max, count, numbers.First, numbers.Last)
	}
	if g.Multi.ToGoFrom > g.Multi.Max {
		c.add("keno.games.multi.to_go_from",
			"is %d, and the longest ticket has %d games", g.Multi.ToGoFrom, g.Multi.Max)
	}
	for i, a := range g.Multi.Asked {
		if a.Method == "" && !a.Ways && a.Pick == "" {
			c.add(item("keno.games.multi.asked", i), "names no way in which a wager is asked for")
		}
	}
	if g.Delayed.PaidNextDay && !g.Delayed.Allowed {
		c.add("keno.games.delayed_start.paid_next_day", "is set although a delayed start is not allowed")
	}
	if g.EarlyClosure != (EarlyClosure{}) && g.EarlyClosure.NoticeMinutes == 0 {
		c.add("keno.games.early_closure.notice_minutes", "is missing or 0")
	}
	if d := g.KenoDay; d != (KenoDay{}) && (d.Hours < 1 || d.Hours > 24 || d.Approves == "") {
		c.add("keno.games.keno_day", "needs hours, at most 24, and who approves another period")
	}
}

func (c *checker) checkNumbering(n Numbering) {
	if n.Last < n.First {
		c.add("keno.games.numbering.last", "is %d, before the first number %d", n.Last, n.First)
	}
	if n.Digits > 0 && len(strconv.Itoa(n.Last)) > n.Digits {
		c.add("keno.games.numbering.digits", "is %d, too few to print game %d", n.Digits, n.Last)
	}
	if s := n.Successor; s != nil &&
		(s.Last < s.First || len(strconv.Itoa(s.Last)) > s.Digits ||
			s.Digits <= max(n.Digits, len(strconv.Itoa(n.Last)))) {
		c.add("keno.games.numbering.successor",
			"numbers %d to %d of %d digits cannot be told from those of these rules", s.First, s.Last, s.Digits)
	}
}

// checkEntry checks the ways to enter.
func (c *checker) checkEntry() {
	const list = "keno.entry"
	if len(c.keno.Entry) == 0 {
		c.add(list, "names no way to enter")
	}
	c.checkUnique(list, "method", len(c.keno.Entry), func(i int) string {
		return string(c.keno.Entry[i].Channel) + " " + string(c.keno.Entry[i].Method)
	})
	for i, e := range c.keno.Entry {
		path := item(list, i)
		if e.Channel == ChannelSST && (e.Method == MethodVerbal || e.Method == MethodForm) {
			c.add(path+".method", "%s needs a writer, and channel %s has none", e.Method, e.Channel)
		}
		if e.Channel == ChannelWriter && e.Method == MethodScreen {
			c.add(path+".method", "%s is for the player's own hand, and channel %s has a writer", e.Method, e.Channel)
		}
		if e.Channel == ChannelSST && e.TakesRunner() {
			c.add(path+".runner", "a runner carries entries to a writer, and channel %s has none", e.Channel)
		}
		c.checkKnown(path+".bets", "bet", e.Bets, c.keno.betIDs())
	}
	c.checkEntryKinds()
	c.checkEveryBetEnters()
}

// checkEntryKinds holds the list of ways to enter to the kinds that close it, both
// ways: a kind that nobody can use would be promised by its clause alone.
func (c *checker) checkEntryKinds() {
	const path = "keno.entry_kinds"
	if len(c.keno.Entry) == 0 {
		return
	}
	var channels, methods []string
	for _, e := range c.keno.Entry {
		channels, methods = append(channels, string(e.Channel)), append(methods, string(e.Method))
	}
	checkKinds(c, path+".channels", "channel", c.keno.EntryKinds.Channels, channels)
	checkKinds(c, path+".methods", "method", c.keno.EntryKinds.Methods, methods)
}

// checkKinds compares the words of one kind with those that the ways to enter use.
func checkKinds[T ~string](c *checker, path, field string, kinds []T, used []string) {
	for i, kind := range kinds {
		switch {
		case slices.Index(kinds, kind) < i:
			c.add(item(path, i), "%q is written twice", kind)
		case !slices.Contains(used, string(kind)):
			c.add(item(path, i), "no way to enter has the %s %s", field, kind)
		}
	}
	for i, word := range used {
		if !slices.Contains(kinds, T(word)) && slices.Index(used, word) == i {
			c.add(item("keno.entry", i)+"."+field, "%s is not among the kinds of %s", word, path)
		}
	}
}

// checkEveryBetEnters finds bets that nobody can make.
func (c *checker) checkEveryBetEnters() {
	if len(c.keno.Entry) == 0 {
		return
	}
	for i, bet := range c.keno.Bets {
		enters := false
		for _, e := range c.keno.Entry {
			enters = enters || namedOrAll(e.Bets, bet.ID)
		}
		if !enters {
			c.add(item("keno.bets", i)+".id", "no way to enter takes the bet %q", bet.ID)
		}
	}
}
