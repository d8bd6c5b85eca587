package odds

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// AppendTable appends the report as people read it: a line for each bet, a table
// for each schedule. Percentages have four decimals, rounded once from the exact
// number.
func (r *Report) AppendTable(b []byte) []byte {
	b = fmt.Appendf(b,
		"%s (%s, edition %d)\n%d of %d numbers are drawn. Return and variance are for a stake of one, by the schedule alone.\n",
		r.Title, r.Rulebook, r.Edition, r.Drawn, r.Of)
	for start := 0; start < len(r.Bets); {
		end := start
		for end < len(r.Bets) && r.Bets[end].Schedule == r.Bets[start].Schedule {
			end++
		}
		b = fmt.Appendf(b, "\n%s\n", r.Bets[start].Schedule)
		b = r.summary(r.Bets[start:end]).appendTo(b)
		start = end
	}
	return r.appendFootnotes(b)
}

// summary returns the bets of one schedule as a grid. Columns that no bet fills are
// left out.
func (r *Report) summary(bets []Bet) *grid {
	g := newGrid("bet", "", "return %", "wins", "variance", "top prize", "comes",
		"fixed jackpot %", "to the jackpot %", "with both %", r.multiplierName()+" %", "bonus jackpot %")
	for i := range bets {
		bet := &bets[i]
		top := bet.top()
		row := []string{bet.Bet, bet.pick(), bet.RTP.Percent(), bet.HitFrequency.OneIn(),
			figure.Grouped(bet.Variance.Decimal(2)),
			r.money.Write(top.PrizeCents), top.Probability.OneIn()}
		row = append(row, bet.Jackpot.columns()...)
		g.add(append(row, bet.Multiplied.columns()...)...)
	}
	g.left(0, 1)
	g.dropEmpty()
	return g
}

func (r *Report) multiplierName() string {
	if r.Multiplier == nil {
		return ""
	}
	return "with " + r.Multiplier.Name
}

// pick returns what a player chooses: the size, the call or the type.
func (b *Bet) pick() string {
	if b.Spots > 0 {
		return strconv.Itoa(b.Spots)
	}
	return b.Pick + b.Type
}

// top returns the tier with the greatest prize. Where several tiers pay it, its
// probability is theirs together.
func (b *Bet) top() Tier {
	best := Tier{Probability: Ratio{new(big.Rat)}}
	for _, t := range b.Tiers {
		switch {
		case t.PrizeCents == 0:
		case t.PrizeCents > best.PrizeCents:
			best = Tier{Matched: t.Matched, Probability: Ratio{new(big.Rat).Set(t.Probability.Rat)},
				PrizeCents: t.PrizeCents}
		case t.PrizeCents == best.PrizeCents:
			best.Probability.Add(best.Probability.Rat, t.Probability.Rat)
		}
	}
	return best
}

// columns returns the fixed part, the contributions and the return with both. The
// spans of a contribution stand side by side.
func (j *Jackpot) columns() []string {
	if j == nil {
		return []string{"", "", ""}
	}
	var shares, rtps []string
	for _, c := range j.Contributions {
		shares = append(shares, strings.TrimSuffix(c.parts(), "%"))
		if rtp := c.RTP.Percent(); len(rtps) == 0 || rtps[len(rtps)-1] != rtp {
			rtps = append(rtps, rtp)
		}
	}
	fixed := ""
	if j.FixedRTP.Sign() > 0 {
		fixed = j.FixedRTP.Percent()
	}
	return []string{fixed, strings.Join(shares, " or "), strings.Join(rtps, " or ")}
}

// columns returns the return with the multiplier and that of the bonus jackpot.
func (m *Multiplied) columns() []string {
	switch {
	case m == nil:
		return []string{"", ""}
	case m.BonusJackpot == nil:
		return []string{m.RTP.Percent(), ""}
	}
	return []string{m.RTP.Percent(), m.BonusJackpot.RTP.Percent()}
}

// appendFootnotes says what the columns mean, where they are there.
func (r *Report) appendFootnotes(b []byte) []byte {
	b = append(b, '\n')
	b = r.appendJackpotNotes(b)
	if slices.ContainsFunc(r.Bets, func(b Bet) bool { return b.Multiplied != nil }) {
		m := r.Multiplier
		b = fmt.Appendf(b, "%s: return of a stake of two, one of them the side stake; %s. The mean multiplier is %s.\n",
			m.Name, r.basis(), m.Mean.Decimal(6))
	}
	for _, note := range r.Notes {
		b = fmt.Appendf(b, "%s\n", note)
	}
	return b
}

// appendJackpotNotes explains the columns of the jackpots.
func (r *Report) appendJackpotNotes(b []byte) []byte {
	has := func(what func(*Jackpot) bool) bool {
		return slices.ContainsFunc(r.Bets, func(b Bet) bool { return b.Jackpot != nil && what(b.Jackpot) })
	}
	if has(func(j *Jackpot) bool { return j.FixedRTP.Sign() > 0 }) {
		b = append(b, "Fixed jackpot: fill or reset value on a stake of one, for a sole winner. "...)
	}
	if has(func(*Jackpot) bool { return true }) {
		b = append(b, "To the jackpot: the part of the stakes that a pool gets and later pays to players.\n"...)
	}
	if has(func(j *Jackpot) bool { return j.ReplacedRTP != nil }) {
		b = append(b,
			"A jackpot takes the place of the schedule prize for all spots, which the return counts and the return with both does not.\n"...)
	}
	return b
}

// basis says for which numbers the multiplied returns hold.
func (r *Report) basis() string {
	for i := range r.Bets {
		if m := r.Bets[i].Multiplied; m != nil && m.Basis == BasisAny {
			return "for " + BasisAny + ", because a wheel multiplies"
		}
		if len(r.Bets[i].Numbers) > 0 {
			return "for " + BasisGiven + ", because their sum counts"
		}
	}
	return "on numbers it is the " + BasisMean + ", because the sum depends on which are picked"
}

// AppendTiers appends the bet as people read it: every count matched with its
// probability, prize and part of the return.
func (b *Bet) AppendTiers(out []byte) []byte {
	out = fmt.Appendf(out, "%s, %s, %s: return %s%%, wins %s\n", b.Name, b.pickWords(), b.Schedule, b.RTP.Percent(),
		b.HitFrequency.OneIn())
	g := newGrid("matched", "probability %", "comes", "prize", "of the return %")
	for _, t := range b.Tiers {
		part := units(t.PrizeCents, b.PerCents)
		part.Mul(part, t.Probability.Rat)
		row := []string{strconv.Itoa(t.Matched), percentDigits(t.Probability), t.Probability.OneIn(), "", ""}
		if t.PrizeCents > 0 {
			row[3], row[4] = b.money.Write(t.PrizeCents), Ratio{part}.Percent()
		}
		g.add(row...)
	}
	out = g.appendTo(out)
	out = b.Jackpot.appendTo(out)
	return b.appendRuns(out)
}

// appendTo appends what the jackpot adds, a line for each span of its rules.
func (j *Jackpot) appendTo(out []byte) []byte {
	if j == nil {
		return out
	}
	out = fmt.Appendf(out,
		"Jackpot %s the schedule prize, one win in %s plays on average; top prize with its fixed parts %v.\n",
		j.pays(), figure.Grouped(j.Cycle.Decimal(2)), j.TopWithFill)
	for _, c := range j.Contributions {
		out = fmt.Appendf(out, "  %s%s of the stakes to the pool: return with the jackpot %s%% (rule %s)\n",
			c.span("the pool is "), c.parts(), c.RTP.Percent(), rulebook.Quoted(c.Clause))
	}
	for _, c := range j.SeedRepayments {
		out = fmt.Appendf(out,
			"  %s%s of the stakes to the pool and %s%% repay the seed: return with the jackpot %s%% (rule %s)\n",
			c.span("the seed owed is "), c.parts(), c.Seed.percent(2), c.RTP.Percent(), rulebook.Quoted(c.Clause))
	}
	return out
}

// pays says how the jackpot meets the schedule prize.
func (j *Jackpot) pays() string {
	if j.ReplacedRTP != nil {
		return "instead of"
	}
	return "beside"
}

// span says when a share applies.
func (s Share) span(of string) string {
	var bounds []string
	if s.FromCents != nil {
		bounds = append(bounds, fmt.Sprintf("at least %v", *s.FromCents))
	}
	if s.BelowCents != nil {
		bounds = append(bounds, fmt.Sprintf("below %v", *s.BelowCents))
	}
	if len(bounds) == 0 {
		return ""
	}
	return "while " + of + strings.Join(bounds, " and ") + ": "
}

// parts returns what goes to the pool: 10.00%, or 10.00+5.00%.
func (s Share) parts() string {
	if s.Secondary == nil {
		return s.Primary.percent(2) + "%"
	}
	return s.Primary.percent(2) + "+" + s.Secondary.percent(2) + "%"
}

// percentDigits returns a percentage with as many decimals as it takes to show four
// digits of a small probability.
func percentDigits(p Ratio) string {
	percent := new(big.Rat).Mul(p.Rat, big.NewRat(100, 1))
	if percent.Sign() == 0 || percent.Cmp(big.NewRat(1, 1000)) >= 0 {
		return percent.FloatString(4)
	}
	return scientific(percent, 4, false)
}

func (b *Bet) appendRuns(out []byte) []byte {
	if len(b.Runs) == 0 {
		return out
	}
	out = append(out, "\nA run with this call in every game, played to its end:\n"...)
	g := newGrid("games", "return %", "with the multiplier %")
	for _, run := range b.Runs {
		multiplied := ""
		if run.MultipliedRTP != nil {
			multiplied = run.MultipliedRTP.Percent()
		}
		g.add(strconv.Itoa(run.Games), run.RTP.Percent(), multiplied)
	}
	g.dropEmpty()
	return g.appendTo(out)
}

// AppendText appends the tail as sentences.
func (t *Tail) AppendText(b []byte) []byte {
	b = fmt.Appendf(b, "%s of %s at %v", figure.Count(t.Tickets, "ticket"), t.label(), t.StakeCents)
	if t.Multiplied {
		b = append(b, " with the multiplier"...)
	}
	mean := new(big.Rat).Quo(t.MeanCents.Rat, big.NewRat(money.Dollar.Cents(), 1))
	b = fmt.Appendf(b, ", %s: the major prizes are $%s on average and at most %v; they are reduced above %v (rule %s).\n",
		t.Schedule, figure.Grouped(mean.FloatString(2)), t.MostCents, t.CapCents, rulebook.Quoted(t.Clause))
	b = fmt.Appendf(b, "They pass it, if all tickets are the same: %s.\n", t.Same.OneIn())
	if t.Independent != nil {
		b = fmt.Appendf(b,
			"They pass it, if each ticket has numbers of its own picked at random: with probability between %s and %s.\n",
			scientific(t.Independent.AtLeast.Rat, 8, false), scientific(t.Independent.AtMost.Rat, 8, true))
	}
	return b
}

func (t *Tail) label() string {
	b := Bet{Bet: t.Bet, Spots: t.Spots, Pick: t.Pick, Type: t.Type}
	return b.label()
}
