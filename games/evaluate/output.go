package evaluate

import (
	"fmt"
	"slices"
	"strconv"

	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/games/settle"
	"drawhouse/rulebook"
)

// AppendJSON appends the game as lines of JSON: one for each ticket, in the order
// of the file, and one with the totals, which has no id.
func (g *Game) AppendJSON(b []byte) []byte {
	for t := range g.Tickets() {
		// An id has no character that JSON would have to escape, see scanner.text.
		b = append(append(b, `{"id":"`...), t.ID...)
		b = appendNumber(b, `","game":`, g.Number)
		b = appendNumber(b, `,"prize_cents":`, t.Prize.Cents())
		if t.Carried > 0 {
			b = appendNumber(b, `,"carried_cents":`, t.Carried.Cents())
		}
		b = appendNumber(b, `,"ways":`, t.Ways)
		if g.run.explain {
			b = appendLines(append(b, `,"lines":`...), t.Lines, g.run.book.Money())
		}
		b = append(b, "}\n"...)
	}
	return g.appendTotals(b)
}

func (g *Game) appendTotals(b []byte) []byte {
	out := g.Outcome
	b = appendNumber(b, `{"game":`, g.Number)
	b = append(append(append(b, `,"schedule":"`...), g.Schedule...), '"')
	b = appendNumber(b, `,"plays":`, out.Plays)
	b = appendNumber(b, `,"ways":`, out.Ways)
	b = appendNumber(b, `,"stakes_cents":`, out.Stakes.Cents())
	b = appendNumber(b, `,"multiplier_stakes_cents":`, out.Multiplier.Cents())
	b = appendNumber(b, `,"lucky_last_stakes_cents":`, out.LuckyLast.Cents())
	b = appendNumber(b, `,"carried_stakes_cents":`, out.Carried.Cents())
	b = appendNumber(b, `,"multiplier":`, out.Factor)
	b = appendNumber(b, `,"winners":`, out.Winners())
	b = appendNumber(b, `,"winning_ways":`, out.WinningWays)
	b = appendNumber(b, `,"prizes_cents":`, out.Prizes.Cents())
	b = appendNumber(b, `,"carried_cents":`, out.CarriedOn.Cents())
	b = appendNumber(b, `,"carried_ways":`, out.CarriedWays)
	b = appendNumber(b, `,"breakage_cents":`, out.Breakage.Cents())
	b = appendNumber(b, `,"majors_cents":`, out.Majors.Cents())
	b = appendNumber(b, `,"majors_paid_cents":`, out.MajorsPaid.Cents())
	b = append(b, `,"reductions":[`...)
	for i, r := range out.Reductions {
		if i > 0 {
			b = append(b, ',')
		}
		// A fraction is a text, as numbers of JSON readers are often not exact.
		b = fmt.Appendf(b, `{"clause":%q,"factor":"%d/%d"}`, g.clause(r), r.Num, r.Den)
	}
	b = append(b, ']')
	if len(g.Pools) > 0 {
		b = g.appendPools(appendNumber(b, `,"jackpots_cents":`, out.Jackpots.Cents()))
	}
	if len(out.Offers) > 0 {
		b = g.appendPromotions(b)
	}
	return append(appendNumber(b, `,"plays_on":`, g.PlaysOn), "}\n"...)
}

// appendPools appends the pools of the next game, in the form in which a file
// states them.
func (g *Game) appendPools(b []byte) []byte {
	b = append(b, `,"pools":`...)
	between := byte('[')
	for _, p := range g.Pools {
		b = appendNumber(append(b, between), `{"spots":`, int(p.Spots))
		for i, balance := range []jackpot.Exact{p.Primary, p.Secondary, p.Owed, p.Seeded} {
			for k, n := range []int64{balance.Cents().Cents(), balance.Part()} {
				if n != 0 || i+k == 0 {
					b = appendNumber(b, `,"`+poolFields[1+2*i+k]+`":`, n)
				}
			}
		}
		b = append(b, '}')
		between = ','
	}
	return append(b, ']')
}

// clause returns the first clause of the limit that made a reduction.
func (g *Game) clause(r settle.Reduction) string {
	return rulebook.Quoted(g.run.book.Prorating()[r.Limit].Clause)
}

func appendNumber[N int | int64 | uint64](b []byte, before string, n N) []byte {
	return strconv.AppendInt(append(b, before...), int64(n), 10)
}

func appendLines(b []byte, lines []Line, style money.Style) []byte {
	b = append(b, '[')
	for i, l := range lines {
		if i > 0 {
			b = append(b, ',')
		}
		// Clauses and words are plain text, for which Go and JSON quote alike.
		b = fmt.Appendf(b, `{"way":%q,"clause":%q,"words":%q,"cents":%d}`, l.Name, l.Clause, style.In(l.Text),
			l.Amount.Cents())
	}
	return append(b, ']')
}

// AppendText appends the game as people read it: what was drawn, how each ticket
// fared and by which rule, and what the game came to. Amounts are written as the rulebook does.
func (g *Game) AppendText(b []byte) []byte {
	return append(b, g.run.book.Money().In(string(g.appendPlainText(nil)))...)
}

func (g *Game) appendPlainText(b []byte) []byte {
	out := g.Outcome
	b = fmt.Appendf(b, "Game %d, %s: drawn %v\n", g.Number, g.Schedule, g.Numbers)
	for t := range g.Tickets() {
		b = fmt.Appendf(b, "  %s: %s\n", t.ID, wins(t.Prize, t.Carried))
		for _, l := range t.Lines {
			b = fmt.Appendf(b, "    %s: %s (rule %s)\n", l.Name, l.Text, rulebook.Quoted(l.Clause))
		}
	}
	b = fmt.Appendf(b, "  %s with %s for %v; %s with %s won %v, and rounding kept %v.\n",
		figure.Count(out.Plays, "ticket"), figure.Count(out.Ways, "way"), out.Stakes,
		figure.Count(out.Winners(), "ticket"), figure.Count(out.WinningWays-out.CarriedWays,
			"way"), out.Prizes, out.Breakage)
	for _, r := range out.Reductions {
		b = fmt.Appendf(b,
			"  Major prizes of %v exceed their limit: each is multiplied by %d/%d, floors apart, and they come to %v (rule %s).\n",
			out.Majors, r.Num, r.Den, out.MajorsPaid, g.clause(r))
	}
	b = g.appendPromotionWords(g.appendJackpots(b))
	if out.CarriedOn > 0 {
		b = fmt.Appendf(b, "  Prizes of %v on %s are stakes of the next game.\n", out.CarriedOn,
			figure.Count(out.CarriedWays, "way"))
	}
	if g.PlaysOn > 0 {
		b = fmt.Appendf(b, "  %s in the next game too.\n", isOrAre(g.PlaysOn, "ticket"))
	}
	return b
}

// appendJackpots says of every jackpot who won it, and what the next one holds.
func (g *Game) appendJackpots(b []byte) []byte {
	for _, p := range g.Pools {
		i := slices.IndexFunc(g.Outcome.Won, func(w jackpot.Won) bool { return w.Before.Spots == p.Spots })
		if i < 0 {
			b = fmt.Appendf(b, "  The jackpot of %d spots was not won and holds %v.\n", p.Spots, p.Primary)
			continue
		}
		ways := 0
		for _, w := range g.Outcome.JackpotWins {
			if w.Spots == p.Spots {
				ways++
			}
		}
		by := figure.Count(ways, "way")
		if ways == 0 {
			by = "others"
		}
		b = fmt.Appendf(b, "  The jackpot of %d spots with %v was won by %s; the next one holds %v.\n", p.Spots,
			g.Outcome.Won[i].Before.Primary, by, p.Primary)
	}
	return b
}

func wins(prize, carried money.Amount) string {
	switch {
	case prize > 0 && carried > 0:
		return "wins " + prize.String() + " and carries " + carried.String()
	case carried > 0:
		return "carries " + carried.String()
	case prize > 0:
		return "wins " + prize.String()
	}
	return "no prize"
}

func isOrAre(n int, noun string) string {
	if n == 1 {
		return figure.Count(n, noun) + " is"
	}
	return figure.Count(n, noun) + " are"
}
