package verify

import (
	"cmp"
	"maps"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// held are the accounts of prizes that nobody has fetched, by what the rulebook says
// becomes of them. Before their time is over they are owed as prizes.
var held = map[string]ledger.Account{
	"": ledger.Prizes, "claim_form": ledger.Unclaimed, "treasurer": ledger.Treasurer, "lapsed": ledger.ApprovedPurposes,
}

// unclaimed is what becomes of the prizes of a game that nobody fetches.
type unclaimed struct {
	at    string // where they are; empty while they can be fetched
	asked string // the last place for which nothing was left to move, until something changes
	// kept are the prizes that stay, or stayed, where they were because they were claimed
	// on a form, by ticket.
	kept map[uint64]kept
}

// kept is a prize that did not move with the others.
type kept struct {
	at   string
	open bool // the claim has not ended
}

// sources are the places that prizes leave again.
var sources = []string{"", "claim_form"}

// left adds up the prizes of a game at a place that were not paid: all, or those that
// no open claim keeps there.
func (g *game) left(place string, all bool) (sum money.Amount) {
	for _, won := range g.winners { // Of the others nothing is left.
		k, claimed := g.unclaimed.kept[won.seq]
		at := g.unclaimed.at
		if claimed {
			at = k.at
		}
		if at == place && (all || !k.open) {
			sum += won.left()
		}
	}
	return sum
}

// sweepKey is what moves: the prizes of a game from a place.
type sweepKey struct {
	ordinal uint32
	from    string
}

// goesTo returns where the prizes of a game belong on a day, by the rules that it was
// played under: the time runs from the Keno Day of its wins (vic-keno-2015 22(b),
// tas-keno-2023 14.1 to 14.3, casino-keno-div2 9.2).
func (g *game) goesTo(on day.Day) (place string, final bool) {
	steps := g.terms.rules.unclaimed
	for i, step := range steps {
		end, err := g.wonOn().AddMonths(12*step.After.Years + step.After.Months)
		if err == nil {
			end, err = end.AddDays(step.After.Days)
		}
		if err != nil || on <= end {
			return place, false
		}
		place, final = step.Then, i == len(steps)-1
	}
	return place, final
}

// isOver reports whether nothing of a game can be claimed any more on a day.
func (g *game) isOver(on day.Day) bool {
	_, final := g.goesTo(on)
	return final
}

// sweepDue notes the games whose prizes must move as a Keno Day begins.
func (c *checker) sweepDue(s *series) {
	if c.tills.papers == nil {
		c.tills = newTills()
	}
	c.tills.unswept = map[sweepKey]string{}
	ended := true // Every game up to here is done with.
	for i := s.swept; i < len(s.games); i++ {
		g := s.games[i]
		place, final := g.goesTo(s.day)
		due := false
		if place != "" && g.unclaimed.asked != place &&
			(g.stage == stageSettled || g.stage == stageVoid && c.level >= record.LevelGuarded) {
			for _, from := range sources {
				if from != place && g.left(from, false) > 0 {
					c.tills.unswept[sweepKey{g.ordinal, from}], due = place, true
				}
			}
			if !due {
				g.unclaimed.asked = place
			}
		}
		if ended = ended && final && !due && g.settled.grader == nil; ended {
			s.swept = i + 1
		}
	}
}

// moveAgain lets the prizes of a game be looked at again.
func (s *series) moveAgain(g *game) {
	g.unclaimed.asked = ""
	s.swept = min(s.swept, int(g.ordinal)-1)
}

// checkSwept checks that all prizes whose time is over move at once: nothing but what has an earlier turn stands
// between the opening of the day and the records that say so.
func (c *checker) checkSwept(body record.Body) error {
	if turnOf(body) <= turnUnclaimed {
		return nil
	}
	if len(c.outside.due) > 0 {
		return fault(CheckPayments,
			"the time for tickets of %d files of other systems was over as the day began, and the next record does not end them",
			len(c.outside.due))
	}
	if len(c.tills.unswept) == 0 {
		return nil
	}
	first := slices.MinFunc(slices.Collect(maps.Keys(c.tills.unswept)),
		func(a, b sweepKey) int { return cmp.Compare(a.ordinal, b.ordinal) })
	return fault(CheckPayments,
		"the time for the prizes of %d games was over as the day began, and the next record does not take those of game %d to %s",
		len(c.tills.unswept), first.ordinal, c.tills.unswept[first])
}

// prizesSwept checks prizes that nobody has fetched: that their time is over, that they
// are all that is left of the game, and where they go.
func (c *checker) prizesSwept(b *record.PrizesSwept) (postings, error) {
	s := c.series[b.Series]
	if s == nil || !s.dayOpen || b.Day != s.day {
		return nil, fault(CheckPayments, "prizes are swept on %v, which is not the Keno Day", b.Day)
	}
	from, known := held[b.From]
	to, also := held[b.To]
	if !known || !also {
		return nil, fault(CheckPayments, "no account has prizes at %q or %q", b.From, b.To)
	}
	var sum money.Amount
	for _, line := range b.List {
		_, g := c.settledGame(b.Series, line.Ordinal)
		place := c.tills.unswept[sweepKey{line.Ordinal, b.From}]
		switch {
		case g == nil || place == "":
			return nil, fault(CheckPayments,
				"nothing of game %d is due to move from %q on %v", line.Ordinal, b.From, b.Day)
		case place != b.To:
			return nil, fault(CheckPayments, "the prizes of game %v go to %q, and not to %q", g.name, place, b.To)
		case g.left(b.From, false) != line.Cents:
			return nil, fault(CheckPayments,
				"%v of game %v are swept, and %v is unpaid", line.Cents, g.name, g.left(b.From, false))
		}
		if clause := g.sweepClause(place); b.Clause != clause {
			return nil, fault(CheckPayments,
				"the prizes of game %v are swept by %q, and %q says so", g.name, b.Clause, clause)
		}
		g.sweep(b.From, place)
		delete(c.tills.unswept, sweepKey{line.Ordinal, b.From})
		sum += line.Cents
	}
	c.report.SweptCents += sum
	return postings{ledger.Debit(from, 0, sum), ledger.Credit(to, 0, sum)}, nil
}

// sweep moves the prizes of a game that no open claim keeps. Those that the game's other
// prizes have left behind come after them.
func (g *game) sweep(from, to string) {
	for seq, k := range g.unclaimed.kept {
		if !k.open && k.at == from {
			g.unclaimed.kept[seq] = kept{at: to}
		}
	}
	if g.unclaimed.at == from {
		g.unclaimed.at, g.past = to, nil
	}
}

// sweepClause returns the clause that takes prizes to a place.
func (g *game) sweepClause(place string) string {
	for _, step := range g.terms.rules.unclaimed {
		if step.Then == place {
			return step.Quoted()
		}
	}
	return ""
}

// checkUnclaimed refuses what treats the prizes of a game as if they could still be
// fetched.
func (g *game) checkUnclaimed() error {
	if g.unclaimed.at != "" {
		return fault(CheckPayments, "the prizes of game %v that nobody had fetched have gone to %s", g.name,
			g.unclaimed.at)
	}
	return nil
}
