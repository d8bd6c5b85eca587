package jackpot_test

import (
	"fmt"

	"drawhouse/games/jackpot"
	"drawhouse/rulebook/rules"
)

// Example follows the 7 spot jackpot through one game: it opens, its stakes are
// divided when it closes, and two ways win it.
func Example() {
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		panic(err)
	}
	terms, err := jackpot.NewTerms(book, "schedule-1")
	if err != nil {
		panic(err)
	}
	pool, _, _ := terms.Open(1, 7)
	rate, _ := terms.Rate(pool)
	pool, contribution, _, _ := jackpot.Contribute(pool, 12_345_00, rate)
	for _, line := range terms.ExplainContribution(contribution) {
		fmt.Printf("%s (%s)\n", line.Text, line.Clause)
	}
	winners := []jackpot.Winner{{Stake: 2_00}, {Stake: 1_00}}
	won, _ := terms.Win(pool, winners, 0, jackpot.Elsewhere{})
	for _, w := range winners {
		lines, _ := terms.Explain(won.Awards, 7, w)
		fmt.Println(lines[0].Text)
	}
	pool, _, _ = terms.Next(won.After)
	fmt.Println("next:", pool.Primary)
	// Output:
	// 10.00% of $12,345.00 to the growth = $1,234.50 (15(a))
	// growth $1,234.50 shared 2/3 = $823.00
	// growth $1,234.50 shared 1/3 = $411.50
	// next: $0.00
}
