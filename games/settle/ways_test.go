package settle

import (
	"fmt"

	"drawhouse/core/money"
)

// What follows judges ways without a ticket, as most tests want it.

// prizeOf returns what ways that do not run win together in the first game of
// their ticket.
func prizeOf[N Numbers](ways []Way, numbers N, terms *Terms, reductions []Reduction) (money.Amount, error) {
	drawn, err := resultOf(terms, numbers)
	if err != nil {
		return 0, fmt.Errorf("settle: %w", err)
	}
	var total money.Amount
	for i := range ways {
		all, err := terms.judge(&ways[i], staked{stake: ways[i].Stake}, drawn, &Game{Reductions: reductions})
		for k := range all {
			if err == nil {
				total, err = total.Add(all[k].prize)
			}
		}
		if err != nil {
			return 0, fmt.Errorf("settle: way %d: %w", i+1, err)
		}
	}
	return total, nil
}

// explainWays is ExplainIn for ways that do not run, in the first game of their
// ticket.
func explainWays[N Numbers](ways []Way, numbers N, terms *Terms, reductions []Reduction) ([]Line, error) {
	drawn, err := resultOf(terms, numbers)
	if err != nil {
		return nil, fmt.Errorf("settle: %w", err)
	}
	var lines []Line
	for i := range ways {
		all, err := terms.judge(&ways[i], staked{stake: ways[i].Stake}, drawn, &Game{Reductions: reductions})
		if err != nil {
			return nil, fmt.Errorf("settle: way %d: %w", i+1, err)
		}
		for k := range all {
			lines = append(lines, terms.explain(i, &ways[i], &all[k])...)
		}
	}
	return lines, nil
}
