package settle

import (
	"fmt"
	"math/bits"

	"drawhouse/ball"
	"drawhouse/money"
)

// Line is one step on the way to a prize, in words for the person who asks why,
// with the clauses that demand it, separated by spaces.
type Line struct {
	Way    int // index of the way on its ticket
	Text   string
	Clause string
	Amount money.Amount // after this step, rounded down to the cent
}

// Explain returns how the ways of a ticket that won came by their prizes in a
// game: "3 of 4 on $2.00: 2 x $4.00 = $8.00", and whatever a cap, pro-rating or
// rounding did to that. The last line of a way has its prize. Ways that won
// nothing have no line.
func Explain(ways []Way, numbers ball.Set, terms *Terms, reductions []Reduction) ([]Line, error) {
	var lines []Line
	for i, w := range ways {
		j, err := terms.judge(w, numbers, reductions)
		if err != nil {
			return nil, fmt.Errorf("settle: way %d: %w", i+1, err)
		}
		if j.schedule == 0 {
			continue
		}
		for _, line := range terms.explain(w, j) {
			line.Way = i
			lines = append(lines, line)
		}
	}
	return lines, nil
}

func (t *Terms) explain(w Way, j judgement) []Line {
	size := w.Spots.Len()
	lines := []Line{{
		Text: fmt.Sprintf("%d of %d on %v: %s x %v = %s", j.matched, size, w.Stake,
			times(w.Stake, j.table.Per()), j.table.Prize(size, j.matched), t.words(j.schedule)),
		Clause: j.table.Clause(),
		Amount: t.cents(j.schedule),
	}}
	if j.capped < j.schedule {
		lines = append(lines, Line{
			Text:   fmt.Sprintf("a way wins at most %s", t.words(t.wayCap)),
			Clause: t.capCite, Amount: t.cents(j.capped),
		})
	}
	if j.by != nil {
		lines = append(lines, t.explainReduction(j))
	}
	if t.inUnits(j.prize) < j.reduced {
		lines = append(lines, Line{
			Text:   fmt.Sprintf("rounded down to a multiple of %v: %v", money.Amount(t.step), j.prize),
			Clause: t.stepCite, Amount: j.prize,
		})
	}
	return lines
}

func (t *Terms) explainReduction(j judgement) Line {
	l := &t.limits[j.by.Limit]
	line := Line{Clause: l.cite, Amount: t.cents(j.reduced)}
	if j.held {
		line.Clause = l.floorCite
	}
	switch {
	case j.held && j.reduced == j.capped:
		line.Text = fmt.Sprintf("major prizes exceed %s; one of %s or less is not reduced", t.words(l.cap), t.words(l.floor))
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

// times returns how many times a stake is the stake that a table is for.
func times(stake, per money.Amount) string {
	switch {
	case stake%per == 0:
		return fmt.Sprint(int64(stake / per))
	case per == money.Dollar:
		return stake.String()[1:]
	}
	return fmt.Sprintf("%v / %v", stake, per)
}
