package jackpot

import (
	"fmt"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// Line is one step on the way to an amount, in words for the person who asks why,
// with the clauses that demand it, separated by spaces.
type Line struct {
	Text   string
	Clause string
	Amount money.Amount // that this step adds, rounded down to the cent
}

// Explain returns how a winning way came by the jackpot parts of its prize, one
// line for each award of its size that it has a share of: "growth $1,234.50 shared
// 2/3 = $823.00".
func (t *Terms) Explain(awards []Award, spots int, w Winner) ([]Line, error) {
	var lines []Line
	for _, a := range awards {
		if int(a.Spots) != spots || a.Part == PartBonus && !w.Bonus {
			continue
		}
		share, err := a.Share(w)
		if err != nil {
			return nil, err
		}
		text := fmt.Sprintf("%s %v", t.words(a.Part), a.Amount)
		if w.Stake != a.Stakes {
			num, den := lowest(w.Stake.Cents(), a.Stakes.Cents())
			text += fmt.Sprintf(" shared %d/%d = %v", num, den, share)
		}
		lines = append(lines, Line{Text: text, Clause: t.clause(a), Amount: share})
	}
	return lines, nil
}

// words returns what people call a part. A pool that stands in for the schedule's
// prize is the pool, one that a secondary follows is the primary prize, and one
// that only grows is growth.
func (t *Terms) words(p Part) string {
	switch {
	case p == PartFill:
		return "fill"
	case p == PartBonus:
		return "bonus jackpot"
	case p == PartAside:
		return "jackpot bonus prize"
	case p == PartKept:
		return "kept of the jackpot as it was shown"
	case t.Substitutes():
		return "pool"
	case t.policy.SecondaryOpensNext:
		return "primary prize"
	}
	return "growth"
}

// clause returns where a part comes from: tables for what stands in one, and the
// policy for the rest.
func (t *Terms) clause(a Award) string {
	switch s := t.sizes[int(a.Spots)]; {
	case a.Part == PartFill:
		return t.schedule.Clause()
	case a.Part == PartBonus && s != nil:
		return s.bonusClause
	}
	return t.policy.Clause
}

// ExplainContribution returns what became of the stakes of a game.
func (t *Terms) ExplainContribution(c Contribution) []Line {
	pool, r := t.words(PartPool), c.Rate
	lines := []Line{c.line(r.Primary, "to the "+pool, percentOf(c.Stakes, r.Primary))}
	if r.Secondary > 0 {
		lines = append(lines, c.line(r.Secondary, "to the secondary prize", c.Secondary))
	}
	if r.Seed == 0 {
		return lines
	}
	instalment := percentOf(c.Stakes, r.Seed)
	repays := c.line(r.Seed, fmt.Sprintf("to repay the seed of %v", c.Owed), instalment)
	repays.Amount = c.Repaid.Cents()
	lines = append(lines, repays)
	if excess := instalment - c.Repaid; excess > 0 {
		lines = append(lines, Line{
			Text:   fmt.Sprintf("%v of it is more than is owed and goes to the %s", excess, pool),
			Clause: t.policy.Seed.Clause, Amount: excess.Cents(),
		})
	}
	return lines
}

func (c Contribution) line(p rulebook.Percent, where string, amount Exact) Line {
	return Line{
		Text:   fmt.Sprintf("%v of %v %s = %v", p, c.Stakes, where, amount),
		Clause: c.Rate.Clause, Amount: amount.Cents(),
	}
}

// lowest returns a fraction in its lowest terms.
func lowest(num, den int64) (int64, int64) {
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	return num / a, den / a
}
