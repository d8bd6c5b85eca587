package odds

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// paid returns the prize of one way as the house pays it: the stated prize times the stake over the stake that
// it is stated for, times the factor of the multiplier, within the cap on a way, and rounded once. A prize that
// is too large is kept as the error of the analysis.
func (a *analysis) paid(s *rulebook.Schedule, stated, stake, per money.Amount, factor int) money.Amount {
	step, mode, _ := a.book.Rounding()
	total, err := stake.Mul(int64(factor))
	if err != nil {
		return a.tooLarge(err)
	}
	prize, err := money.MulDivTo(stated, total.Cents(), per.Cents(), step, mode)
	if err != nil {
		return a.tooLarge(err)
	}
	// No rounding puts a greater amount below a smaller one, so that the cap may be rounded by itself.
	if most, capped := s.WayCap(); capped {
		return min(prize, a.rounded(most))
	}
	return prize
}

// rounded returns an amount as the house rounds what a way wins.
func (a *analysis) rounded(amount money.Amount) money.Amount {
	step, mode, _ := a.book.Rounding()
	prize, err := money.MulDivTo(amount, 1, 1, step, mode)
	if err != nil {
		return a.tooLarge(err)
	}
	return prize
}

func (a *analysis) tooLarge(err error) money.Amount {
	if a.err == nil {
		a.err = fmt.Errorf("odds: a prize of %s: %w", a.book.ID(), err)
	}
	return 0
}

// roundingWords says how a rulebook rounds a prize: "down to a multiple of $0.10". No other rounding is offered.
func roundingWords(book *rulebook.Book) string {
	step, _, _ := book.Rounding()
	return fmt.Sprintf("down to a multiple of %v", step)
}

// roundingNote says for which stake the prizes of a report are rounded; it is empty where prizes are rounded to
// a cent.
func roundingNote(book *rulebook.Book, bets []Bet) string {
	step, _, clause := book.Rounding()
	if step <= money.Cent || len(bets) == 0 {
		return ""
	}
	var stakes []string
	for i := range bets {
		if per := bets[i].PerCents.String(); !slices.Contains(stakes, per) {
			stakes = append(stakes, per)
		}
	}
	return fmt.Sprintf("Prizes and returns are those of a stake of %s, for which the tables state prizes. The prize of a way in "+
		"a game is rounded %s (rule %s), so that another stake may return another part.",
		strings.Join(stakes, " or "), roundingWords(book), rulebook.Quoted(clause))
}
