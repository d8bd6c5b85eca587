package settle

import (
	"fmt"
	"math/bits"

	"drawhouse/core/money"
)

// Line is one step on the way to a prize, in words for the person who asks why,
// with the clauses that demand it, separated by spaces.
type Line struct {
	Way    int // index of the way on its ticket
	Text   string
	Clause string
	Amount money.Amount // after this step, rounded down to the cent
	Last   bool         // the prize is Amount; a way may have two, with the last number
}

// ExplainIn returns how the ways of a play that won came by their prizes in the
// last of some games: "3 of 4 on $2.00: 2 x $4.00 = $8.00", and whatever the
// multiplier, a cap, pro-rating, rounding or a run did to that. Ways that won
// nothing have no line. It needs the games that [PrizeIn] needs.
func ExplainIn(p Play, games []Game) ([]Line, error) {
	var lines []Line
	err := p.eachJudgement(games, func(way int, j *judgement) error {
		lines = append(lines, games[len(games)-1].Terms.explain(way, &p.Ways[way], j)...)
		return nil
	})
	return lines, err
}

// explain tells how one prize of a way came about.
func (t *Terms) explain(way int, w *Way, j *judgement) []Line {
	if o := j.offer; o != nil {
		return []Line{{
			Way: way, Clause: o.Clause, Amount: j.prize, Last: true,
			Text: fmt.Sprintf("%s, %d of %d on %v: %v shared %v / %v = %v", o.Name, o.Matched, o.Spots, j.stake,
				o.Amount, j.stake, o.Stakes, j.prize),
		}}
	}
	var lines []Line
	if j.run && j.game > 0 {
		lines = append(lines, t.explainCarried(w, j))
	}
	if j.void {
		lines = append(lines, t.explainVoid(w, j))
	} else {
		lines = t.explainPrize(lines, j)
		if j.carried && j.prize > 0 {
			lines = append(lines, Line{
				Text:   fmt.Sprintf("%v is the stake of the next game", j.prize),
				Clause: t.runCite(w), Amount: j.prize,
			})
		}
	}
	for i := range lines {
		lines[i].Way = way
	}
	lines[len(lines)-1].Last = true
	return lines
}

// explainPrize tells how a prize came out of the table.
func (t *Terms) explainPrize(lines []Line, j *judgement) []Line {
	if j.substituted(t) {
		return t.explainShares(append(lines, t.explainSubstitute(j)), j)
	}
	stake, times := t.stakeWords(j)
	lines = append(lines, Line{
		Text:   fmt.Sprintf("%s on %s: %s x %v = %s", j.won, stake, times, j.stated, t.words(j.schedule)),
		Clause: j.rate.cite,
		Amount: t.cents(j.schedule),
	})
	if j.factor > 0 {
		decides := fmt.Sprintf("the numbers add up to %d", j.sum)
		if t.multiply.wheel != nil {
			decides = fmt.Sprintf("the order of the numbers turns the wheel to slot %d of %d", j.slot+1,
				len(t.multiply.wheel))
		}
		lines = append(lines, Line{
			Text:   fmt.Sprintf("%s: multiplied by %d = %s", decides, j.factor, t.words(j.multiplied)),
			Clause: t.multiply.cite, Amount: t.cents(j.multiplied),
		})
	}
	if j.capped < j.multiplied {
		lines = append(lines, Line{
			Text:   fmt.Sprintf("a way wins at most %s", t.words(t.wayCap)),
			Clause: t.capCite, Amount: t.cents(j.capped),
		})
	}
	if j.by != nil {
		lines = append(lines, t.explainReduction(j))
	}
	return t.explainShares(lines, j)
}

// explainSubstitute tells that a jackpot is paid instead of the schedule's prize.
func (t *Terms) explainSubstitute(j *judgement) Line {
	stake, times := t.stakeWords(j)
	return Line{
		Text:   fmt.Sprintf("%s on %s: the jackpot is paid instead of %s x %v", j.won, stake, times, j.stated),
		Clause: t.jackpots.Clause(),
	}
}

// explainShares tells what a jackpot adds, and how the prize was rounded.
func (t *Terms) explainShares(lines []Line, j *judgement) []Line {
	sum := t.cents(j.reduced)
	for _, part := range j.parts {
		sum += part.Amount
		lines = append(lines, Line{Text: part.Text, Clause: part.Clause, Amount: sum})
	}
	if t.inUnits(j.prize) < j.reduced+t.inUnits(j.share) {
		lines = append(lines, Line{
			Text:   fmt.Sprintf("rounded down to a multiple of %v: %v", money.Amount(t.step), j.prize),
			Clause: t.stepCite, Amount: j.prize,
		})
	}
	return lines
}

// stakeWords returns the stake that wins, and how many times it is the stake that
// the table is for.
func (t *Terms) stakeWords(j *judgement) (stake, times string) {
	if halves := j.halves(); halves%2 == 0 {
		whole := money.Amount(halves / 2)
		return whole.String(), timesPer(whole, j.rate.per)
	}
	stake = "half of " + j.stake.String()
	return stake, fmt.Sprintf("%s / %v", stake, j.rate.per)
}

// explainCarried tells where the stake of a run comes from.
func (t *Terms) explainCarried(w *Way, j *judgement) Line {
	line := Line{Text: fmt.Sprintf("%v carried over is the stake", j.stake), Clause: t.runCite(w), Amount: j.stake}
	if j.halved && t.multiply != nil {
		line.Text = fmt.Sprintf("%v carried over is the stake, half of it on %s", j.stake, t.multiply.Name())
		line.Clause = t.multiply.RunOnlyClause() + " " + line.Clause
	}
	return line
}

// explainVoid tells what becomes of the stake of a run in a game without a result.
func (t *Terms) explainVoid(w *Way, j *judgement) Line {
	line := Line{Text: fmt.Sprintf("the game is void: %v is the stake of the next game", j.prize), Clause: t.runCite(w),
		Amount: j.prize}
	if !j.carried {
		line.Text = fmt.Sprintf("the game is void and no other follows: %v is paid", j.prize)
	}
	return line
}

// runCite returns the clauses on a bet whose prize runs.
func (t *Terms) runCite(w *Way) string {
	if table := t.calls[w.Bet]; table != nil {
		return table.RunClause
	}
	return ""
}

func (t *Terms) explainReduction(j *judgement) Line {
	l := &t.limits[j.by.Limit]
	line := Line{Clause: l.cite, Amount: t.cents(j.reduced)}
	if j.held {
		line.Clause = l.floorCite
	}
	switch {
	case j.held && j.reduced == j.capped:
		line.Text = fmt.Sprintf("major prizes exceed %s; one of %s or less is not reduced", t.words(l.cap),
			t.words(l.floor))
	case j.held:
		line.Text = fmt.Sprintf("major prizes exceed %s; none is reduced below %s", t.words(l.cap), t.words(l.floor))
	default:
		result := t.words(j.reduced)
		if hi, lo := bits.Mul64(j.capped, j.by.Num); bits.Rem64(hi, lo, j.by.Den) != 0 {
			result = t.cents(j.reduced).String() + partOfCent
		}
		line.Text = fmt.Sprintf("major prizes exceed %s: %s x %d / %d = %s",
			t.words(l.cap), t.words(j.capped), j.by.Num, j.by.Den, result)
	}
	return line
}

// cents returns units rounded down to the cent.
func (t *Terms) cents(units uint64) money.Amount { return money.Amount(units / t.units) }

// partOfCent is told, not counted.
const partOfCent = " and a part of a cent"

// words returns units as an amount.
func (t *Terms) words(units uint64) string {
	if units%t.units != 0 {
		return t.cents(units).String() + partOfCent
	}
	return t.cents(units).String()
}

// timesPer returns how many times a stake is the stake that a table is for.
func timesPer(stake, per money.Amount) string {
	switch {
	case stake%per == 0:
		return fmt.Sprint(int64(stake / per))
	case per == money.Dollar:
		return stake.String()[1:]
	}
	return fmt.Sprintf("%v / %v", stake, per)
}
